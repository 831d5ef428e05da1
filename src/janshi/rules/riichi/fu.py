"""Fu: the small points of a hand's sets, pair, wait and way of winning, each kept apart so that it can be shown."""

from __future__ import annotations

from typing import Any, Final

from janshi.core._jit import kernel
from janshi.core.tiles import EAST, RANKS, WHITE
from janshi.rules.riichi.win import OUTER, Melds, Reading, popcount

FU_PARTS: Final = (
    "base",
    "closed ron",
    "self-draw",
    "edge, closed or single wait",
    "pair of dragons or own winds",
    "open triplets",
    "concealed triplets",
    "open kans",
    "concealed kans",
    "open hand without other fu",
)
"""Causes of fu, in the order of `SCORE_DTYPE`'s fu_parts."""

IN_PAIR, IN_TRIPLET, RUN_LOW, RUN_MIDDLE, RUN_HIGH = range(5)
"""Places of the winning tile in a reading."""

BASE_FU: Final = 20
SEVEN_PAIRS_FU: Final = 25

FuParts = tuple[int, int, int, int, int, int, int, int, int, int]


@kernel
def wait_fu(place: int, win_kind: int) -> int:
    """2 fu for a wait on one kind only: single (pair), closed (24) or edge (12, 89)."""
    rank = win_kind % RANKS
    if place == RUN_LOW:
        return 2 * int(rank == RANKS - 3)
    if place == RUN_HIGH:
        return 2 * int(rank == 2)
    return 0 if place == IN_TRIPLET else 2


@kernel
def pair_fu(pair: int, seat_wind: int, round_wind: int, double_wind_fu: int) -> int:
    """2 fu for a pair of dragons, seat or round wind; a double wind as the rules say."""
    if pair >= WHITE:
        return 2
    seat, rounds = pair == EAST + seat_wind, pair == EAST + round_wind
    return double_wind_fu if seat and rounds else 2 * int(seat or rounds)


@kernel
def weight(triplets: int) -> int:
    """Triplets in a mask, those of terminals and honours counted twice."""
    return popcount(triplets) + popcount(triplets & OUTER)


@kernel
def fu_parts(win: Any, rules: Any, melds: Melds, reading: Reading, place: int) -> FuParts:
    """Fu by cause (`FU_PARTS`) of a reading with the winning tile in one place of it."""
    tsumo = win.tsumo != 0
    by_ron = 1 << int(win.win_kind) if place == IN_TRIPLET and not tsumo else 0
    wait = wait_fu(place, int(win.win_kind))
    pair = pair_fu(reading.pair, int(win.seat_wind), int(win.round_wind), int(rules.double_wind_fu))
    open_triplets = 2 * weight(melds.pons | by_ron)
    concealed_triplets = 4 * weight(reading.triplets & ~by_ron)
    open_kans, concealed_kans = 8 * weight(melds.open_kans), 16 * weight(melds.concealed_kans)
    plain = wait + pair + open_triplets + concealed_triplets + open_kans + concealed_kans == 0
    closed_ron = 10 * int(melds.closed and not tsumo)
    drawn = 2 * int(tsumo and not (plain and melds.closed))  # pinfu by self-draw stays at 20 fu
    bare = 2 * int(plain and drawn == 0 and not melds.closed)  # an open hand of 20 fu counts 30
    return BASE_FU, closed_ron, drawn, wait, pair, open_triplets, concealed_triplets, open_kans, concealed_kans, bare


@kernel
def is_pinfu(parts: FuParts, closed: int) -> bool:
    """A closed hand with no fu for wait, pair or sets."""
    return closed != 0 and parts[3] + parts[4] + parts[5] + parts[6] + parts[7] + parts[8] == 0


@kernel
def special_parts(win: Any, base: int) -> FuParts:
    """Fu of seven pairs (always 25) and thirteen orphans (as a closed hand without sets)."""
    if base == SEVEN_PAIRS_FU:
        return base, 0, 0, 0, 0, 0, 0, 0, 0, 0
    tsumo = int(win.tsumo != 0)
    return base, 10 * (1 - tsumo), 2 * tsumo, 0, 0, 0, 0, 0, 0, 0


@kernel
def total_fu(parts: FuParts) -> int:
    """Sum of the parts, rounded up to ten except for seven pairs."""
    total = 0
    for part in parts:
        total += part
    return total if total == SEVEN_PAIRS_FU else -(-total // 10) * 10
