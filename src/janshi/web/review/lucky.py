"""How lucky the players of a reviewed game were, if this installation can measure luck."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from janshi.web.review.worker_words import worker_phrase

MODULE: Final = "janshi.luck.scoring"
DIGITS: Final = 4
EVEN: Final = 2.5
"""The average rank of four."""


def is_available() -> bool:
    """Whether luck can be measured here."""
    return find_spec(MODULE) is not None


def not_available(why: str) -> dict[str, Any]:
    """Luck that cannot be told, and why."""
    return {"available": False, "why": why, "phrase": worker_phrase(why)}


def luck_of(record: Any) -> dict[str, Any]:
    """Luck of every chance event of one riichi game, by source, and the result without it."""
    from janshi.luck.types import KIND_NAMES, MEASURES

    try:
        scored = import_module(MODULE).score_records([record])
    except (ImportError, AttributeError, ValueError, OSError) as wrong:
        return not_available(f"luck cannot be measured here: {wrong}")
    if not len(scored.ranks):
        return not_available("; ".join(scored.problems) or "the game could not be scored")
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


def _event(event: Any) -> list[Any]:
    """[hand, kind, player, tile, turn, luck in places by seat, in points by seat]."""
    from janshi.core.tiles import format_tiles

    tile = int(event["tile"])
    text = format_tiles([tile]) if tile >= 0 else ""
    head = [int(event["hand"]), int(event["kind"]), int(event["player"]), text, int(event["turn"])]
    return [*head, _round(event["luck"][0]), _round(event["luck"][1])]


def _round(numbers: Any) -> Any:
    return numbers.astype(float).round(DIGITS).tolist()
