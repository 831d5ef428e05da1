"""What the wins within reach of a hand are worth, for the efficiency tool: points and yaku, in Guobiao fan.

The hand is the dealer's in the first hand, at the start of the hand and without dora, so that hands can be compared.
The figures are those of *why* in reviews.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from fastapi import APIRouter
from pydantic import BaseModel

from janshi.agents.search.reach import reach_of
from janshi.core.hand import WAITING_SIZE, Hand
from janshi.core.tiles import Tile, parse_tiles
from janshi.web.errors import ERRORS, Refused
from janshi.web.review.shapes import FanReachText, ReachText
from janshi.web.review.why.fan import fan_text
from janshi.web.review.why.value import Circumstances, in_reach
from janshi.web.tools import UNREADABLE, EfficiencyQuestion, distinct, hand_of, hand_problem, read_hand

router = APIRouter(prefix="/api/tools", tags=["tools"], responses=ERRORS)

DEALER: Final = Circumstances("E", "E", ())
EAST: Final = (0, 0)
"""Seat wind and round wind in Guobiao."""
DRAWS: Final = 20
"""Tiles that a player draws in Guobiao, about: what is left after the deal, without flowers, by four."""


class WinsInReach(BaseModel):
    """The wins within reach of a waiting hand: `reach` in riichi, `fan` in Guobiao; null if they are too far away."""

    tile: str | None
    """The discard before them; null for a hand of 13 tiles."""
    reach: ReachText | None = None
    fan: FanReachText | None = None


class ReachAnswer(BaseModel):
    """The wins within reach after each discard, or of a hand of 13 tiles."""

    hands: list[WinsInReach]


Valuer = Callable[[Any, Sequence[int]], Mapping[str, Any]]


@router.post("/reach")
def reach(question: EfficiencyQuestion) -> ReachAnswer:
    """What wins are worth after each discard of a hand of 14 tiles, or with a hand of 13 tiles."""
    try:
        hand = read_hand(hand_of(question.family), question)
        seen = [int(tile) for tile in parse_tiles(question.seen.replace(",", " "))]
        value = VALUERS[question.family]
        if len(hand) == WAITING_SIZE:
            return ReachAnswer(hands=[WinsInReach(tile=None, **value(hand, seen))])
        return ReachAnswer(hands=[_after(hand, tile, seen, value) for tile in distinct(hand)])
    except UNREADABLE as error:
        raise Refused(hand_problem(error), 422) from None


def _after(hand: Hand, tile: Tile, seen: Sequence[int], value: Valuer) -> WinsInReach:
    return WinsInReach(tile=str(tile), **value(hand.discard(tile), [*seen, int(tile)]))


def _points(hand: Any, seen: Sequence[int]) -> Mapping[str, Any]:
    return {"reach": in_reach(hand, seen, DEALER)}


def _fan(hand: Any, seen: Sequence[int]) -> Mapping[str, Any]:
    found = reach_of(hand, seen, EAST, DRAWS)
    return {"fan": None if found is None else fan_text(found)}


VALUERS: Final[dict[str, Valuer]] = {"riichi": _points, "guobiao": _fan}
