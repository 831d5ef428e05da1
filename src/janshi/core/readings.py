"""Readings: the sets of a hand's concealed tiles, held in registers.

The tiles of a suit are one word with four bits per rank. Taken from the lowest rank up, a suit without its pair can be
read in only one way, except where three triplets in a row are also three equal sequences; so a reading is fixed by its
pair and the start of its three equal sequences, if any. Sets are bytes of one word. `core.decompose` writes the same
readings into arrays, which a kernel called for every possible win cannot afford.
"""

from __future__ import annotations

from typing import Any, Final

import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.tiles import HONOURS, RANKS, SUITS

RUN_CODE: Final = 64
TRIPLET_CODE: Final = 128
KIND_BITS: Final = 63
NO_READING: Final = -1
NO_RUN: Final = -1

Words = tuple[int, int, int, int]
"""The three suits and the honours, four bits a kind."""


@kernel
def pack(hand: npt.NDArray[Any], first: int, length: int) -> int:
    """Counts of some kinds in one word, four bits each, the lowest kind in the lowest bits."""
    word = 0
    for i in range(length):
        word |= int(hand[first + i]) << (4 * i)
    return word


@kernel
def pack_hand(hand: npt.NDArray[Any]) -> Words:
    """Words of the three suits and the honours."""
    honours = pack(hand, SUITS * RANKS, HONOURS)
    return pack(hand, 0, RANKS), pack(hand, RANKS, RANKS), pack(hand, 2 * RANKS, RANKS), honours


@kernel
def read_honours(word: int, sets: int) -> int:
    """Add the triplets of an honours' word to the sets, or `NO_READING` if something else is left."""
    kind = SUITS * RANKS
    while word:
        copies = word & 15
        if copies == 3:
            sets = sets << 8 | TRIPLET_CODE | kind
        elif copies:
            return NO_READING
        word >>= 4
        kind += 1
    return sets


@kernel
def read_suit(word: int, kind: int, sets: int) -> int:
    """Add the sets of a suit's word to the sets, triplets first; `NO_READING` if tiles are left over."""
    while word:
        left = word & 15
        if left >= 3:
            sets = sets << 8 | TRIPLET_CODE | kind
            left -= 3
        if (word >> 4 & 15) < left or (word >> 8 & 15) < left:
            return NO_READING
        for _ in range(left):
            sets = sets << 8 | RUN_CODE | kind
        word = (word >> 4) - left * 0x11
        kind += 1
    return sets


@kernel
def three_runs(kind: int) -> int:
    """Three equal sequences as sets."""
    code = RUN_CODE | kind
    return code << 16 | code << 8 | code


@kernel
def read_sets(words: Words, pair: int, thrice: int) -> int:
    """Sets of a hand without its pair and, if `thrice` is a kind, with three equal sequences from there."""
    suit_of_pair, two = pair // RANKS, 2 << (4 * (pair % RANKS))
    sets = read_honours(words[3] - (two if suit_of_pair == 3 else 0), 0)
    for suit in range(SUITS):
        if sets == NO_READING:
            return sets
        word = words[suit] - (two if suit_of_pair == suit else 0)
        if thrice != NO_RUN and thrice // RANKS == suit:
            word -= 0x333 << (4 * (thrice % RANKS))
            sets = sets << 24 | three_runs(thrice)
        sets = read_suit(word, suit * RANKS, sets)
    return sets
