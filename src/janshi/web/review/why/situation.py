"""What the scores call for: which win overtakes whom at a decision.

Only this win counts: honba and riichi sticks on the table are part of it, later hands are not. Wins are named by what
they pay without honba, as players do; a self-draw by what the others and the dealer pay.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from janshi.rules.riichi.points import ron_payment, tsumo_payment
from janshi.rules.riichi.ruleset import STICK
from janshi.web.review.shapes import OvertakeText, SituationText

BASES: Final = (240, 320, 400, 480, 640, 800, 960, 1280, 1600, 1920, 2000, 3000, 4000, 6000, 8000)
"""Base points of usual wins: 1 han 30 fu, 1 han 40 fu .. 4 han 30 fu, then mangan to yakuman."""
SEATS: Final = 4


def situation_of(position: Mapping[str, Any]) -> SituationText:
    """The player's rank, the hands left, and the wins that change the order."""
    me = int(position["viewer"])
    scores = [int(seat["score"]) for seat in position["seats"]]
    order = sorted(range(SEATS), key=lambda seat: (-scores[seat], seat))
    rank = order.index(me)
    left = max(0, int(position["rules"]["rounds"]) * SEATS - int(position["round"]) - 1)
    return {
        "rank": rank + 1,
        "hands_left": left,
        "ahead": [_overtaking(position, scores, me, other, me) for other in order[:rank]],
        "behind": [_overtaking(position, scores, other, me, me) for other in order[rank + 1 :]],
    }


def _overtaking(position: Mapping[str, Any], scores: list[int], winner: int, other: int, me: int) -> OvertakeText:
    """The smallest wins by which `winner` passes `other`."""
    dealer, honba = int(position["dealer"]), int(position["honba"])
    table = int(position["sticks"]) * STICK
    third = next(seat for seat in range(SEATS) if seat not in (winner, other))

    def passes(changes: Mapping[int, int]) -> bool:
        mine, theirs = (scores[seat] + changes.get(seat, 0) for seat in (winner, other))
        return mine > theirs or (mine == theirs and winner < other)

    def ron(loser: int) -> Callable[[int], dict[int, int]]:
        def changes(base: int) -> dict[int, int]:
            paid = ron_payment(base, winner == dealer, honba)
            return {winner: paid + table, loser: -paid}

        return changes

    def tsumo(base: int) -> dict[int, int]:
        paid = {s: -tsumo_payment(base, dealer in (s, winner), honba) for s in range(SEATS) if s != winner}
        return {**paid, winner: table - sum(paid.values())}

    by_ron, by_any, by_tsumo = (_least(how, passes) for how in (ron(other), ron(third), tsumo))
    return {
        "seat": other if winner == me else winner,
        "gap": abs(scores[other] - scores[winner]),
        "ron": None if by_ron is None else ron_payment(by_ron, winner == dealer),
        "ron_others": None if by_any is None else ron_payment(by_any, winner == dealer),
        "tsumo": None if by_tsumo is None else _tsumo_payments(by_tsumo, winner == dealer),
    }


def _least(how: Callable[[int], Mapping[int, int]], passes: Callable[[Mapping[int, int]], bool]) -> int | None:
    return next((base for base in BASES if passes(how(base))), None)


def _tsumo_payments(base: int, dealer: bool) -> list[int]:
    """What each of the others pays, and what the dealer pays; one figure if the winner is the dealer."""
    most = int(tsumo_payment(base, True))
    return [most] if dealer else [int(tsumo_payment(base, False)), most]
