"""How lucky the players of a reviewed game were, if this installation can measure luck."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, NamedTuple

from janshi.records.botzone.model import HandRecord
from janshi.web.problems import Problem, problem
from janshi.web.review.shapes import LuckEvent, LuckText

MODULE: Final = "janshi.luck.measure"
DIGITS: Final = 4
SEATS: Final = 4
POINT_KINDS: Final = ("deal", "draw", "flower")
"""Sources of luck in points, in the order of `luck.points.measure.SOURCES`."""


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


def luck_in_points(hands: Sequence[HandRecord], family: str) -> LuckText:
    """Luck of every chance event of some hands, in points, for families without a final rank."""
    from janshi.arena.played import Gathered, add_hand
    from janshi.luck.points.measure import measurable

    if not measurable(family):
        return not_available(problem("luck_not_installed"))
    found: list[PointHand] = []
    for hand in hands:
        gathered = Gathered()
        add_hand(gathered, hand, "", None)
        if gathered.problems:
            return not_available(problem("untranslated", problem=gathered.problems[0]))
        found.append(_hand_in_points(next(iter(gathered.games.values()))))
    return _points_text(found)


class PointHand(NamedTuple):
    """The chance events of a Guobiao hand, and its points by seat."""

    events: Any
    """`luck.points.measure.event_dtype`."""
    points: list[int]
    texts: Sequence[str]
    """Names of tiles."""


def _hand_in_points(some: Any) -> PointHand:
    tables = some.tables()
    begun = some.game.scores(tables.states).copy()
    events, scores = _measure_of(some.game).of_tables(tables, some.answers)
    return PointHand(events, [int(points) for points in (scores - begun)[0]], some.game.tile_texts)


@lru_cache(maxsize=8)
def _measure_of(game: Any) -> Any:
    """What measures the luck of a rule set; made once for all hands of a file."""
    from janshi.luck.points.measure import PointLuck, shipped_values

    return PointLuck(game, shipped_values(game.family.name))


def _points_text(found: Sequence[PointHand]) -> LuckText:
    kinds, total = len(POINT_KINDS), [[0.0] * SEATS for _ in POINT_KINDS]
    events: list[LuckEvent] = []
    for number, hand in enumerate(found):
        drawn = [0] * SEATS
        for event in hand.events:
            kind, player, tile = (int(event[name]) for name in ("kind", "player", "tile"))
            if player >= 0:
                drawn[player] += 1
            luck = [float(points) for points in event["luck"]]
            total[kind] = [a + b for a, b in zip(total[kind], luck)]
            text = hand.texts[tile] if tile >= 0 else ""
            turn = drawn[player] if player >= 0 else 0
            events.append((number, kind, player, text, turn, [0.0] * SEATS, [round(x, DIGITS) for x in luck]))
    scores = [sum(hand.points[seat] for hand in found) for seat in range(SEATS)]
    luck = [sum(total[kind][seat] for kind in range(kinds)) for seat in range(SEATS)]
    none = [0.0] * SEATS
    return {
        "available": True,
        "measures": ["points"],
        "kinds": list(POINT_KINDS),
        "events": events,
        "total": {name: [none, [round(x, DIGITS) for x in total[kind]]] for kind, name in enumerate(POINT_KINDS)},
        "luck": [none, [round(x, DIGITS) for x in luck]],
        "scores": scores,
        "adjusted_scores": [round(scores[seat] - luck[seat], DIGITS) for seat in range(SEATS)],
        "problems": [],
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
