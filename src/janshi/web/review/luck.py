"""How lucky the players of a reviewed game were, if this installation can measure luck."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from janshi.web.problems import Problem, problem
from janshi.web.review.shapes import LuckEvent, LuckText

MODULE: Final = "janshi.luck.measure"
DIGITS: Final = 4
EVEN: Final = 2.5
"""The average rank of four."""


def is_available() -> bool:
    """Whether luck can be measured here."""
    return find_spec(MODULE) is not None


def not_available(why: Problem) -> LuckText:
    """No luck, and why."""
    return {"available": False, "why": str(why), "problem": why.as_json()}


def luck_of(record: Any) -> LuckText:
    """Luck of every chance event of one riichi game, by source, and the result without it."""
    from janshi.luck.types import KIND_NAMES, MEASURES

    try:
        scored = import_module(MODULE).score_records([record])
    except (ImportError, AttributeError, ValueError, OSError) as wrong:
        return not_available(problem("luck_failed", problem=str(wrong)))
    if not len(scored.ranks):
        found = "; ".join(scored.problems)
        return not_available(problem("untranslated", problem=found) if found else problem("luck_not_scored"))
    hands = len(scored.game)
    by_kind = {name: scored.luck_of_hands((kind,)) for kind, name in enumerate(KIND_NAMES)}
    total = {name: _round(luck.sum(0)) for name, luck in by_kind.items()}
    everything = scored.luck_of_games()[0]
    return {
        "available": True,
        "value": scored.value,
        "measures": list(MEASURES),
        "kinds": list(KIND_NAMES),
        "hands": [{name: _round(luck[i]) for name, luck in by_kind.items()} for i in range(hands)],
        "events": [_event(event) for event in scored.events],
        "total": total,
        "luck": _round(everything),
        "ranks": _round(scored.ranks[0]),
        "scores": [int(score) for score in scored.scores[0]],
        "adjusted_ranks": _round(scored.ranks[0] + everything[0]),
        "adjusted_scores": _round(scored.scores[0] - everything[1]),
        "problems": list(scored.problems),
    }


def _event(event: Any) -> LuckEvent:
    """[hand, kind, player, tile, turn, luck in places by seat, in points by seat]."""
    from janshi.core.tiles import format_tiles

    tile = int(event["tile"])
    text = format_tiles([tile]) if tile >= 0 else ""
    hand, kind, player, turn = (int(event[name]) for name in ("hand", "kind", "player", "turn"))
    return hand, kind, player, text, turn, _round(event["luck"][0]), _round(event["luck"][1])


def _round(numbers: Any) -> Any:
    return numbers.astype(float).round(DIGITS).tolist()
