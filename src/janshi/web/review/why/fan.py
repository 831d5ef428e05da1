"""What a Guobiao hand can still become: tiles missing to eight fan, the fan in reach, and the points of its wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from janshi.agents.search.reach import Reach, reach_of
from janshi.core.hand import Hand
from janshi.web.review.shapes import FanReachText

WINDS: Final = "ESWN"
LEAST_SHARE: Final = 0.2
"""A fan is in reach if at least this share of the wins has it."""
MOST_LISTED: Final = 5


def worth_in_reach(hand: Hand, seen: Sequence[int], position: Mapping[str, Any]) -> tuple[None, FanReachText | None]:
    """What the wins in reach of a position's hand are worth, in fan; there are no yaku."""
    return None, fan_in_reach(hand, seen, position)


def fan_in_reach(hand: Hand, seen: Sequence[int], position: Mapping[str, Any]) -> FanReachText | None:
    """The wins in reach of the hand of a position's viewer; None if no hand of eight fan is near."""
    me = int(position["viewer"])
    winds = WINDS.index(position["seats"][me]["wind"]), int(position["round"]) // len(WINDS)
    walls = position.get("walls")
    draws = walls[me] if walls else int(position["left"]) // len(position["seats"])  # a common wall is drawn in turn
    found = reach_of(hand, seen, winds, draws)
    return None if found is None else fan_text(found)


def fan_text(found: Reach) -> FanReachText:
    """The figures of some wins; of their fan, those that give the most."""
    listed = [(fan, share) for fan, share in found.shares if share >= LEAST_SHARE]
    listed.sort(key=lambda one: -one[0].value * one[1])
    return {
        "missing": found.missing,
        "points": round(found.points, 2),
        "mean": round(found.fan, 1),
        "fans": [
            {"name": fan.name, "chinese": fan.chinese, "value": fan.value, "share": round(share, 4)}
            for fan, share in listed[:MOST_LISTED]
        ],
    }
