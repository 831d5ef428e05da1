"""Signatures, one number per part of a hand with all that matters for yaku, fu and dora; and weighted lists of them.

A signature consists of flags, which are joined by "or", and small numbers, which are added (han of valued honours, fu,
dora). Parts with equal signatures are interchangeable, so a list adds up their weights.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.tiles import FIVE_M, HONOURS, RANKS, SUITS
from janshi.models.deal_in.blocks import HAS_RUN, NOT_OUTER, NOT_SIMPLE

# Signatures: flags that are joined by "or", then numbers that are added. The first three are those of blocks.
HONOUR_FLAG: Final = 1 << 3
VALUED_PAIR: Final = 1 << 4
FURITEN_PAIR: Final = 1 << 5
SUIT_FLAGS: Final = 6
STRAIGHT_FLAGS: Final = 9
LET_GO_PAIR: Final = 1 << 15
FLAGS: Final = (1 << 16) - 1
HAN_AT, FU_AT, DORA_AT = 16, 18, 22
MOST_HAN, MOST_FU, MOST_DORA = 3, 15, 7
BLURRED_DORA: Final = 3
CONTENT_AT: Final = 25
CONTENT_BITS: Final = (1 << 11) - 1
CONTENT_HAN, CONTENT_PAIR = 8, 16
CONTENT_STRAIGHTS: Final = 5
"""For parts with a missing tile: what they hold without it (the flags of blocks, han, a valued pair), and which
sequences needed for a yaku they may still complete."""
RANK_AT, SHAPE_AT = 36, 36
FURITEN_AT, LET_GO_AT = 39, 40

STRAIGHTS: Final = 3
"""Maximum number of yaku of three sequences (three colours, full straight) looked for at once."""
NEEDS: Final = 2
"""Sequences that such a yaku may still need."""

SIMPLES, FLUSHES, VALUED, TRIPLETS, BACK, OUTERS, STRAIGHT = 1, 2, 4, 8, 16, 32, 64
YAKU_CLASSES: Final = 128
"""What a hand aims at: simples, a flush, a triplet of valued honours, triplets, a pair of valued honours, outer tiles
in every block, three colours or a full straight."""

ALL_SUITS: Final = SUITS + 1
HASH: Final = 8192
CAPACITY: Final = 4096
LISTS: Final = 34
"""Number of lists, and maximum length of each."""

LISTS_DTYPE: Final = record_dtype(
    [
        ("counts", np.int64, (LISTS,)),
        ("keys", np.int64, (LISTS, CAPACITY)),
        ("weights", np.float64, (LISTS, CAPACITY)),
        ("stamp", np.int64),  # of the list being built
        ("hash_stamp", np.int64, (HASH,)),
        ("hash_at", np.int16, (HASH,)),
        ("lost", np.int64),  # signatures for which there was no room
    ]
)
"""Lists of signatures with their weights: scratch space."""


# --- lists


@kernel
def begin(lists: Any, list: int) -> None:
    """Clear a list and make it the one being built."""
    lists.counts[list] = 0
    lists.stamp += 1


@kernel
def add(lists: Any, list: int, key: int, weight: float) -> None:
    """Add a weight under a key."""
    at = (key ^ (key >> 9) ^ (key >> 18) ^ (key >> 27) ^ (key >> 36)) & (HASH - 1)
    while lists.hash_stamp[at] == lists.stamp:
        place = int(lists.hash_at[at])
        if lists.keys[list, place] == key:
            lists.weights[list, place] += weight
            return
        at = (at + 1) & (HASH - 1)
    count = int(lists.counts[list])
    if count == CAPACITY:  # has never happened; the weight is then added to another signature
        lists.weights[list, 0] += weight
        lists.lost += 1
        return
    lists.hash_stamp[at] = lists.stamp
    lists.hash_at[at] = count
    lists.keys[list, count] = key
    lists.weights[list, count] = weight
    lists.counts[list] = count + 1


@kernel
def join(one: int, other: int) -> int:
    """The signature of two parts together."""
    flags = (one | other) & FLAGS
    han = min(MOST_HAN, ((one >> HAN_AT) & MOST_HAN) + ((other >> HAN_AT) & MOST_HAN))
    fu = min(MOST_FU, ((one >> FU_AT) & MOST_FU) + ((other >> FU_AT) & MOST_FU))
    dora = min(MOST_DORA, ((one >> DORA_AT) & MOST_DORA) + ((other >> DORA_AT) & MOST_DORA))
    return flags | han << HAN_AT | fu << FU_AT | dora << DORA_AT


@kernel
def add_joined(lists: Any, one: int, other: int, out: int) -> None:
    """Add all pairs of two lists to a third."""
    for i in range(lists.counts[one]):
        for j in range(lists.counts[other]):
            weight = lists.weights[one, i] * lists.weights[other, j]
            add(lists, out, join(lists.keys[one, i], lists.keys[other, j]), weight)


@kernel
def blur(key: int) -> int:
    """A coarser signature: no fu, at most three dora."""
    dora = min(BLURRED_DORA, (key >> DORA_AT) & MOST_DORA)
    return key & (FLAGS | MOST_HAN << HAN_AT) | dora << DORA_AT


# --- parts of a suit


@kernel
def ways_of(b: Any, part: int, first: int, s: Any) -> float:
    """The weighted number of ways to hold a part."""
    ways = 1.0
    for i in range(b.used[part]):
        tile = int(b.tiles[part, i])
        ways *= s.ways[first + (tile >> 3), tile & 7]
        if ways == 0.0:
            break
    return ways


@kernel
def dora_in(b: Any, part: int, first: int, r: Any) -> int:
    """Dora in a part."""
    dora = 0
    for i in range(b.used[part]):
        tile = int(b.tiles[part, i])
        dora += int(r.dora[first + (tile >> 3)]) * (tile & 7)
    return dora


@kernel
def fives_in(b: Any, part: int) -> int:
    """Fives in a part of a number suit."""
    for i in range(b.used[part]):
        tile = int(b.tiles[part, i])
        if tile >> 3 == FIVE_M:
            return tile & 7
    return 0


@kernel
def straight_flags(s: Any, suit: int, mask: int) -> int:
    """Flags of sequences (a mask of lowest ranks) that a yaku needs."""
    flags, rank = 0, 0
    while mask:
        if mask & 1:
            flags |= s.need[suit, rank]
        mask >>= 1
        rank += 1
    return flags


@kernel
def honour_han(s: Any, mask: int) -> int:
    """Han of triplets of honours (a mask)."""
    han = 0
    for honour in range(HONOURS):
        han += s.honour_worth[honour] * ((mask >> honour) & 1)
    return min(han, MOST_HAN)


@kernel
def triplets_held(b: Any, part: int) -> int:
    """Mask of the ranks a part holds three times."""
    mask = 0
    for i in range(b.used[part]):
        tile = int(b.tiles[part, i])
        mask |= int(tile & 7 == 3) << (tile >> 3)
    return mask


@kernel
def place_flags(s: Any, suit: int, part_used: int) -> int:
    """Flags of where a part lies."""
    if part_used == 0:
        return 0
    return HONOUR_FLAG if suit == SUITS else 1 << (SUIT_FLAGS + suit)


@kernel
def set_signature(b: Any, part: int, suit: int, r: Any, s: Any) -> int:
    """The signature of a complete part."""
    flags = int(b.traits[part]) | place_flags(s, suit, int(b.used[part]))
    fu, han = int(b.fu[part]), 0
    if suit == SUITS:
        han = honour_han(s, int(b.mask[part]))
        if honour_han(s, int(b.pairs[part])):
            flags |= VALUED_PAIR
            fu += 1
    elif s.straight[0]:
        flags |= straight_flags(s, suit, int(b.mask[part]))
    dora = min(dora_in(b, part, RANKS * suit, r), MOST_DORA) if s.suit_dora[suit] else 0
    return flags & s.keep | han << HAN_AT | min(fu, MOST_FU) << FU_AT | dora << DORA_AT


@kernel
def content_flags(b: Any, part: int, suit: int, s: Any) -> int:
    """The content of a part with a missing tile, for the yaku it aims at."""
    flags = int(b.traits[part])
    if suit == SUITS:
        flags |= CONTENT_HAN if honour_han(s, triplets_held(b, part)) else 0
        flags |= CONTENT_PAIR if honour_han(s, int(b.pairs[part])) else 0
    elif s.straight[0]:
        runs = 0
        for i in range(b.first_wait[part], b.first_wait[part + 1]):
            runs |= int(b.wait_mask[i])
        flags |= straight_flags(s, suit, runs) >> STRAIGHT_FLAGS << CONTENT_STRAIGHTS
    keep = NOT_SIMPLE * s.simple | HAS_RUN * s.triplets | NOT_OUTER * s.outer
    return flags & ~(NOT_SIMPLE | HAS_RUN | NOT_OUTER) | flags & keep


@kernel
def won_signature(b: Any, part: int, wait: int, suit: int, dora: int, r: Any, s: Any) -> int:
    """The signature of a part with the tile it waits for."""
    rank = int(b.wait[wait])
    flags = int(b.wait_flags[wait]) | place_flags(s, suit, 1)
    fu, han = int(b.wait_fu[wait]), 0
    if suit == SUITS:
        han = honour_han(s, int(b.wait_mask[wait]))
        pairs = int(b.pairs[part]) ^ (1 << rank)  # the pair won on is a triplet now, a single tile is a pair
        if honour_han(s, pairs & ~int(b.wait_mask[wait])):
            fu += 1
    elif s.straight[0]:
        flags |= straight_flags(s, suit, int(b.wait_mask[wait]))
    dora = min(dora + int(r.dora[RANKS * suit + rank]), MOST_DORA)
    return flags & s.keep | han << HAN_AT | min(fu, MOST_FU) << FU_AT | dora << DORA_AT


# --- whole hands


@kernel
def yaku_class(content: int, suits: int, rest: int, s: Any) -> int:
    """What a hand aims at: `content` of the suit that waits, `suits` flags of all, signature of the rest."""
    flags = content | rest
    goes = 0
    if s.simple and not flags & NOT_SIMPLE:
        goes |= SIMPLES
    if s.flush and suits & (suits - 1) == 0:
        goes |= FLUSHES
    if s.han or content & CONTENT_HAN or (rest >> HAN_AT) & MOST_HAN:
        goes |= VALUED
    if s.triplets and not flags & HAS_RUN:
        goes |= TRIPLETS
    if content & CONTENT_PAIR or rest & VALUED_PAIR:
        goes |= BACK
    if s.outer and not flags & NOT_OUTER:
        goes |= OUTERS
    runs = content >> CONTENT_STRAIGHTS << STRAIGHT_FLAGS | rest
    for i in range(STRAIGHTS):
        if s.straight[i] and runs & s.straight[i] == s.straight[i]:
            goes |= STRAIGHT
    return goes


@kernel
def suits_of(one: int, other: int, s: Any) -> int:
    """Number suits in a hand, as a bit set."""
    return (((one | other) >> SUIT_FLAGS) & 7) | s.suits


@kernel
def han_of(key: int, suits: int, s: Any) -> int:
    """Han of a won hand without dora; 0 if it has no yaku."""
    han = ((key >> HAN_AT) & MOST_HAN) + s.han
    honours = s.honours or key & HONOUR_FLAG
    if s.simple and not key & NOT_SIMPLE:
        han += 1
    triplets = s.triplets and not key & HAS_RUN
    if triplets:
        han += 2
    if s.outer and not key & NOT_OUTER:
        han += 2 if triplets or not honours else 1
    if s.flush and suits & (suits - 1) == 0:
        han += 2 if honours else 5
    for i in range(STRAIGHTS):
        if s.straight[i] and key & s.straight[i] == s.straight[i]:
            han += 1
    return han
