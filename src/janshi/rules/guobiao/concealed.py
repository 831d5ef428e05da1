"""Kernels that find out whether a concealed hand is complete, and keep track of its waits.

Besides four sets and a pair, Guobiao has seven pairs (four equal tiles are two of them), thirteen orphans, and two
shapes of *knitted* tiles: 147, 258 and 369, each in a different suit. Knitted and honours are fourteen different
tiles among those nine and the honours; the knitted straight is all nine with one set and a pair.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.core._jit import kernel
from janshi.core.shanten import shanten_orphans, shanten_standard
from janshi.core.tiles import EAST, NUM_KINDS, RANKS
from janshi.rules.guobiao.state import Context

ORDERS: Final = ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
"""The six ways to give 147, 258 and 369 to the suits."""
KNITTED: Final = np.array(
    [[RANKS * suit + order[suit] + 3 * step for suit in range(3) for step in range(3)] for order in ORDERS], np.int8
)
"""The nine knitted kinds of each way."""
FAR: Final = 13


@kernel
def shanten_seven_pairs(hand: Any) -> int:
    """Shanten of seven pairs, of which two may be equal."""
    pairs = 0
    for kind in range(NUM_KINDS):
        pairs += int(hand[kind]) >> 1
    return 6 - pairs


@kernel
def count_honours(hand: Any) -> int:
    """How many kinds of honours a hand holds."""
    count = 0
    for kind in range(EAST, NUM_KINDS):
        count += 1 if hand[kind] > 0 else 0
    return count


@kernel
def count_knitted(hand: Any, way: int) -> int:
    """How many of the nine knitted kinds a hand holds."""
    count = 0
    for i in range(RANKS):
        count += 1 if hand[KNITTED[way, i]] > 0 else 0
    return count


@kernel
def shanten_knitted(hand: Any, melds: int, c: Context) -> int:
    """A lower bound of the shanten of the knitted shapes, exact at 0 and -1."""
    best, honours = FAR, count_honours(hand)
    for way in range(len(ORDERS)):
        held = count_knitted(hand, way)
        if melds == 0:
            best = min(best, FAR - held - honours)
        if held >= RANKS - 1:
            best = min(best, straight_distance(hand, melds, way, c))
        else:
            best = min(best, RANKS - held - 1)
    return best


@kernel
def straight_distance(hand: Any, melds: int, way: int, c: Context) -> int:
    """Shanten of a knitted straight with at most one kind missing; leaves the hand as it was."""
    lacking = NUM_KINDS
    for i in range(RANKS):
        kind = int(KNITTED[way, i])
        if hand[kind] == 0:
            lacking = kind
        else:
            hand[kind] -= 1
    rest = int(shanten_standard(hand, melds + 3, c.tables))
    for i in range(RANKS):
        if KNITTED[way, i] != lacking:
            hand[int(KNITTED[way, i])] += 1
    return rest + (1 if lacking < NUM_KINDS else 0)


@kernel
def nearest(hand: Any, melds: int, c: Context) -> int:
    """A lower bound of the shanten of all shapes together, exact at 0 and -1; `hand` is int8[34]."""
    best = int(shanten_standard(hand, melds, c.tables))
    if melds == 0:
        best = min(best, shanten_seven_pairs(hand), int(shanten_orphans(hand)))
    if melds <= 1:
        best = min(best, shanten_knitted(hand, melds, c))
    return best


@kernel
def find_waits(hand: Any, melds: int, c: Context) -> int:
    """The kinds that complete a concealed hand of 13 - 3n tiles; a kind held four times never does."""
    waits = 0
    for kind in range(NUM_KINDS):
        if hand[kind] < 4:
            hand[kind] += 1
            if nearest(hand, melds, c) == -1:
                waits |= 1 << kind
            hand[kind] -= 1
    return waits


@kernel
def settle(s: Any, player: int, c: Context) -> None:
    """Update distance and waits once the concealed hand is back to 13 - 3n tiles.

    Exchanging one tile lowers shanten by at most one, so it is only looked up when the lower bound has come down to 0:
    the rules only need to know whether a hand waits.
    """
    bound = int(s.distance[player]) - 1
    s.waits[player] = 0
    if bound <= 0:
        bound = nearest(s.hand[player], int(s.melds[player]), c)
        if bound == 0:
            s.waits[player] = find_waits(s.hand[player], int(s.melds[player]), c)
    s.distance[player] = bound
