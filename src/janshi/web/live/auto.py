"""Answers given on a person's behalf: auto-options, and questions with a single answer."""

from __future__ import annotations

from typing import Any, Final

from janshi.web.choices import Choice
from janshi.web.problems import Impossible

OPTIONS: Final = ("win", "calls", "tsumogiri")
"""Win whenever possible; never call; discard the drawn tile."""
WINS: Final = ("tsumo", "ron")


def no_options() -> dict[str, bool]:
    """All options off."""
    return dict.fromkeys(OPTIONS, False)


def read_options(given: dict[str, Any], before: dict[str, bool]) -> dict[str, bool]:
    """The options after a message that sets some of them; raises `Impossible` for anything that is not an option."""
    for name, value in given.items():
        if name not in OPTIONS or not isinstance(value, bool):
            raise Impossible("auto_invalid", names=", ".join(OPTIONS))
    return {**before, **given}


def auto_answer(choices: list[Choice], options: dict[str, bool]) -> int | None:
    """The action that is taken without asking, if there is one."""
    if len(choices) == 1:
        return int(choices[0]["action"])
    by_kind: dict[str, Choice] = {}
    for choice in choices:
        by_kind.setdefault(choice["kind"], choice)
    win = next((by_kind[kind] for kind in WINS if kind in by_kind), None)
    if win is not None:
        return int(win["action"]) if options["win"] else None
    if "pass" in by_kind:
        return int(by_kind["pass"]["action"]) if options["calls"] else None
    return _drawn(choices, by_kind) if options["tsumogiri"] else None


def _drawn(choices: list[Choice], by_kind: dict[str, Choice]) -> int | None:
    """The discard of the drawn tile: a separate action in riichi, otherwise the discard that `drawn` marks."""
    if "tsumogiri" in by_kind:
        return int(by_kind["tsumogiri"]["action"])
    drawn = next((choice for choice in choices if choice.get("drawn")), None)
    return None if drawn is None else int(drawn["action"])
