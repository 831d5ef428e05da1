"""A hand as two words, and a hash table of hands.

A concealed hand takes three bits a kind: kinds below 18 in the word `low`, the others in `high`, which also holds the
number of the hand's melds (`space` keeps those apart). Two hands are equal if their words are. Drawing or discarding a
tile is one addition.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.core._jit import kernel
from janshi.core.tiles import NUM_KINDS

SPLIT: Final = 18
"""The first kind kept in the word `high`."""
SUIT_BITS: Final = 27
SUIT: Final = (1 << SUIT_BITS) - 1
HONOURS: Final = (1 << 21) - 1
MELDS_AT: Final = 48
"""Where the number of melds begins in `high`."""
TILES: Final = (1 << MELDS_AT) - 1
NOBODY: Final = -1
"""Marks an empty place of a hash table."""


@kernel
def low_one(kind: int) -> int:
    """One tile of a kind, in the word `low`."""
    return 1 << 3 * kind if kind < SPLIT else 0


@kernel
def high_one(kind: int) -> int:
    """One tile of a kind, in the word `high`."""
    return 0 if kind < SPLIT else 1 << 3 * (kind - SPLIT)


@kernel
def count_in(low: int, high: int, kind: int) -> int:
    """How many tiles of a kind a hand holds."""
    if kind < SPLIT:
        return (low >> 3 * kind) & 7
    return (high >> 3 * (kind - SPLIT)) & 7


@kernel
def pack_low(counts: Any) -> int:
    """The word `low` of counts, int8[34]."""
    word = 0
    for kind in range(SPLIT):
        word += int(counts[kind]) << 3 * kind
    return word


@kernel
def pack_high(counts: Any) -> int:
    """The word `high` of counts, int8[34], without melds."""
    word = 0
    for kind in range(SPLIT, NUM_KINDS):
        word += int(counts[kind]) << 3 * (kind - SPLIT)
    return word


@kernel
def unpack(low: int, high: int, counts: Any) -> None:
    """Write the counts of a hand, int8[34]."""
    for kind in range(SPLIT):
        counts[kind] = (low >> 3 * kind) & 7
    for kind in range(SPLIT, NUM_KINDS):
        counts[kind] = (high >> 3 * (kind - SPLIT)) & 7


@kernel
def place_of(low: int, high: int, slots: int) -> int:
    """Where the search for a hand begins in a hash table of `slots` slots, a power of two."""
    x = np.uint64(low) * np.uint64(0x9E3779B97F4A7C15)
    x ^= np.uint64(high) * np.uint64(0xC2B2AE3D27D4EB4F)
    x ^= x >> np.uint64(29)
    x *= np.uint64(0xBF58476D1CE4E5B9)
    return int(np.int64((x >> np.uint64(32)) & np.uint64(slots - 1)))


@kernel
def find(nodes: Any, table: Any, low: int, high: int) -> int:
    """The slot of a hash table (int32, a power of two) where a hand is, or where it belongs if it is not there."""
    slots = len(table)
    at = place_of(low, high, slots)
    while table[at] != NOBODY:
        node = nodes[table[at]]
        if node.low == low and node.high == high:
            return at
        at = (at + 1) & (slots - 1)
    return at
