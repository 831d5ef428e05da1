"""What a seat of a played hand was sent on Botzone, to run a bot on it again.

>>> from janshi.protocols.botzone.io import History
>>> from janshi.protocols.botzone.seat_input import write_input
>>> print(write_input(History(["0 1 0", "1 0 0 0 0 W1"], ["PASS"]), "simple", 2), end="")
2
0 1 0
PASS
1 0 0 0 0 W1
"""

from __future__ import annotations

import json
from typing import Final

from janshi.protocols.botzone.io import History
from janshi.records.botzone.log import write
from janshi.records.botzone.model import HandRecord

FORMS: Final = ("requests", "json", "simple")
"""The requests alone, one per line; a bot's whole input at one of them."""


def history_of(record: HandRecord, seat: int) -> History:
    """All requests of a seat and its answers; a claim that another one overrode lacks the tile to play after it."""
    history = History()
    for entry in json.loads(write(record))["log"]:
        if str(seat) in entry:
            history.responses.append(entry[str(seat)]["response"])
        elif entry["output"]["command"] == "request":
            history.requests.append(entry["output"]["content"][str(seat)])
    return history


def write_input(history: History, form: str, request: int | None = None) -> str:
    """The requests of a seat, or a bot's input, up to a request counted from 1 (by default the last)."""
    if form not in FORMS:
        raise ValueError(f"with a seat the format is {', '.join(FORMS)}, not {form!r}")
    last = request or len(history.requests)
    if not 1 <= last <= len(history.requests):
        raise ValueError(f"the seat has requests 1 to {len(history.requests)}, not {last}")
    cut = History(history.requests[:last], history.responses[: last - 1])
    if form == "requests":
        return "".join(f"{line}\n" for line in cut.requests)
    return cut.whole_input(form, saved=False)
