"""The facts behind a decision: how far each choice is from a win, what it is worth, how dangerous, what it keeps safe.

They come from the position and from the models of opponents, not from the reviewer, so the page can set them beside
the reviewer's values. All choices get their shape and dangers; what a win would be worth only those compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from janshi.core.hand import Hand, HandError
from janshi.core.melds import MeldError
from janshi.core.tiles import kind_of, parse_tiles
from janshi.web.families import Worth, reviews
from janshi.web.review.shapes import FactsText, WhyText
from janshi.web.review.why.hands import DISCARDS, Held, discard_named

SAFE: Final = 0.005
"""A tile is safe if it deals in with at most this chance."""


def why_of(decision: Mapping[str, Any], action: int | None = None) -> WhyText:
    """The facts of a decision, by action; `action` is compared too: somebody's answer in the quiz."""
    position = decision["position"]
    reasons = reviews()[position["rules"]["family"]].reasons()
    held = Held(position, reasons.hand)
    compared = {decision["played"], decision["best"], action}
    return {
        "choices": {
            str(choice["action"]): facts
            for choice in decision["choices"]
            if (facts := facts_of(choice, held, decision, reasons.worth if choice["action"] in compared else None))
            is not None
        },
        "situation": reasons.situation(position) if reasons.situation else None,
    }


def facts_of(
    choice: Mapping[str, Any], held: Held, decision: Mapping[str, Any], worth: Worth | None
) -> FactsText | None:
    """The facts of one choice, with what its wins are worth if asked for; None if it leaves no hand to speak of."""
    try:
        found = held.after(choice)
        if found is None:
            return None
        hand, seen, discard = found
        useful = hand.useful_tiles(seen)
        reach, fan = worth(hand, seen, decision["position"]) if worth else (None, None)
    except (HandError, MeldError):  # a record with an impossible hand
        return None
    danger = decision["opponents"]["danger"] if decision["opponents"] else None
    dropped = choice["tile"] if choice["kind"] in DISCARDS else discard or discard_named(choice)
    return {
        "discard": discard,
        "shanten": hand.shanten(),
        "useful": [(str(tile), left) for tile, left in useful.items()],
        "tiles": sum(useful.values()),
        "reach": reach,
        "fan": fan,
        "danger": dangers_of(dropped, danger),
        "safe": safe_tiles(hand, danger),
    }


def dangers_of(tile: str | None, danger: list[list[float]] | None) -> list[float] | None:
    """The chance that a discard deals in to each opponent."""
    if tile is None or danger is None:
        return None
    kind = kind_of(int(parse_tiles(tile)[0]))
    return [row[kind] for row in danger]


def safe_tiles(hand: Hand, danger: list[list[float]] | None) -> int | None:
    """How many tiles of a hand are safe against everybody."""
    if danger is None:
        return None
    return sum(all(row[kind_of(tile)] <= SAFE for row in danger) for tile in hand.tiles)
