"""All ways to read a complete hand: as sets and a pair, as seven pairs, as thirteen orphans."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.shanten import is_orphan
from janshi.core.tiles import EAST, NUM_KINDS, RANKS

Array = npt.NDArray[Any]

SEQUENCE: Final = 1
TRIPLET: Final = 2
MAX_DECOMPOSITIONS: Final = 4
"""No hand can be read as sets and a pair in more ways (checked over all hands in tests/core/test_decompose.py)."""


@kernel
def _splits(counts: Array, pair: int, triplets: int) -> bool:
    """Whether the hand less this pair and these triplets (bit set of kinds) is sequences only."""
    before, last = 0, 0  # sequences begun two ranks and one rank below
    for kind in range(NUM_KINDS):
        left = int(counts[kind]) - before - last
        if kind == pair:
            left -= 2
        if (triplets >> kind) & 1:
            left -= 3
        if left < 0 or (left > 0 and (kind >= EAST or kind % RANKS > 6)):
            return False
        before, last = last, left
    return True


@kernel
def _write_sets(counts: Array, pair: int, triplets: int, types: Array, kinds: Array) -> None:
    """Write the sets of a reading that `_splits`, by lowest kind, a triplet before the sequences."""
    sets = 0
    before, last = 0, 0
    for kind in range(NUM_KINDS):
        left = int(counts[kind]) - before - last
        if kind == pair:
            left -= 2
        if (triplets >> kind) & 1:
            left -= 3
            types[sets], kinds[sets] = TRIPLET, kind
            sets += 1
        for _ in range(left):
            types[sets], kinds[sets] = SEQUENCE, kind
            sets += 1
        before, last = last, left
    for i in range(sets, 4):
        types[i], kinds[i] = 0, 0


@kernel
def _pair_suit(counts: Array) -> int:
    """The suit (0..3) the pair must be in: the only one with a tile count that leaves two over threes; else -1."""
    found = -1
    for suit in range(4):
        tiles = 0
        for kind in range(RANKS * suit, min(RANKS * suit + RANKS, NUM_KINDS)):
            tiles += int(counts[kind])
        if tiles % 3 == 2 and found < 0:
            found = suit
        elif tiles % 3 != 0:
            return -1
    return found


@kernel
def decompose(counts: Array, pairs_out: Array, sets_type_out: Array, sets_kind_out: Array) -> int:
    """Write every way to split 3n + 2 concealed tiles into n sets and a pair; returns how many there are.

    `counts` uint8[34]; `pairs_out` uint8[M] gets the kind of the pair, `sets_type_out` uint8[M, 4] SEQUENCE, TRIPLET
    or 0 (no set), `sets_kind_out` uint8[M, 4] the lowest kind; M = MAX_DECOMPOSITIONS rows suffice. Once the pair and
    the triplets are chosen the sequences follow, so no reading comes twice.
    """
    suit = _pair_suit(counts)
    if suit < 0:
        return 0
    threes, honours = 0, 0  # kinds that may be triplets, and those that must
    for kind in range(EAST):
        if counts[kind] >= 3:
            threes |= 1 << kind
    for kind in range(EAST, NUM_KINDS):
        if counts[kind] >= 3:
            honours |= 1 << kind
    found = 0
    for pair in range(RANKS * suit, min(RANKS * suit + RANKS, NUM_KINDS)):
        if counts[pair] < 2:
            continue
        chosen = threes
        while True:
            if _splits(counts, pair, chosen | honours):
                pairs_out[found] = pair
                _write_sets(counts, pair, chosen | honours, sets_type_out[found], sets_kind_out[found])
                found += 1
            if chosen == 0:
                break
            chosen = (chosen - 1) & threes  # the next smaller subset
    return found


@kernel
def is_seven_pairs(counts: Array) -> bool:
    """Whether the concealed tiles are seven different pairs."""
    pairs = 0
    for kind in range(NUM_KINDS):
        if counts[kind] == 2:
            pairs += 1
        elif counts[kind] != 0:
            return False
    return pairs == 7


@kernel
def is_thirteen_orphans(counts: Array) -> bool:
    """Whether the concealed tiles are one of each terminal and honour, and a second of one."""
    tiles = 0
    for kind in range(NUM_KINDS):
        tiles += int(counts[kind])
        if is_orphan(kind) == (counts[kind] == 0):
            return False
    return tiles == 14


def new_decompositions() -> tuple[Array, Array, Array]:
    """The three arrays `decompose` writes to."""
    rows = MAX_DECOMPOSITIONS
    return np.zeros(rows, np.uint8), np.zeros((rows, 4), np.uint8), np.zeros((rows, 4), np.uint8)
