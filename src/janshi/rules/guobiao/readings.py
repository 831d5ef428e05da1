"""Ways to read concealed tiles, and the wait they completed.

Readings are as in riichi's scoring: a word of tiles per suit, four bits per rank; sets are bytes of one integer. A suit
without the pair can be read in only one way, except where three triplets in a row are also three equal sequences.
"""

from __future__ import annotations

from typing import Final

from janshi.core._jit import kernel
from janshi.core.readings import NO_READING, read_honours, read_suit
from janshi.core.tiles import HONOURS, RANKS
from janshi.rules.guobiao.win import KIND_BITS, TRIPLET_CODE, Words, add_tiles

NO_PLACE, IN_RUN_END, IN_RUN_MIDDLE, IN_PAIR = range(4)
"""Places of the winning tile in a wait on one kind: edge, closed, single."""
_ODD: Final = 0x111111111
_RANKS_1: Final = 0x0F00F00F0
_RANKS_2: Final = 0xF00F00F00
"""Ranks (from 0) that leave one and two over threes."""
_SUM: Final = 15
"""A word modulo 15 is the number of its tiles (at most 14)."""


@kernel
def word_at(words: Words, suit: int) -> int:
    """Word of a suit (3 for the honours); by name, since a tuple indexed by a variable is slow to compile."""
    if suit == 0:
        return words[0]
    if suit == 1:
        return words[1]
    return words[2] if suit == 2 else words[3]


@kernel
def pair_suit(words: Words) -> int:
    """The suit the pair must be in: the only one whose tiles leave two over threes; -1 if there is no such."""
    found = -1
    for suit in range(4):
        over = word_at(words, suit) % _SUM % 3
        if over == 2 and found < 0:
            found = suit
        elif over != 0:
            return -1
    return found


@kernel
def is_sets(suit: int, word: int) -> bool:
    """Whether the tiles of a suit are sets."""
    if suit == 3:
        return read_honours(word, 0) != NO_READING
    return read_suit(word, 0, 0) != NO_READING


@kernel
def pair_residue(word: int) -> int:
    """Rank modulo 3 that the pair of a suit must have: sequences and triplets add up to ranks divisible by three."""
    return (2 * ((word & _RANKS_1) % _SUM) + (word & _RANKS_2) % _SUM) % 3


@kernel
def is_sets_and_pair(suit: int, word: int) -> bool:
    """Whether the tiles of a suit are a pair and sets (or none)."""
    first, step = (0, 1) if suit == 3 else (pair_residue(word), 3)
    for rank in range(first, RANKS, step):
        if word >> 4 * rank & 15 >= 2 and is_sets(suit, word - (2 << 4 * rank)):
            return True
    return False


@kernel
def waits_for_sets(suit: int, word: int, but: int) -> bool:
    """Whether a tile other than one of rank `but` (if given) completes a suit to sets."""
    first, step = (but % 3, 3) if suit < 3 and but >= 0 else (0, 1)
    for rank in range(first, HONOURS if suit == 3 else RANKS, step):
        if rank != but and is_sets(suit, word + (1 << 4 * rank)):
            return True
    return False


@kernel
def waits_for_pair(suit: int, word: int, but: int) -> bool:
    """Whether a tile other than one of rank `but` completes a suit to sets and a pair."""
    near = word | word << 4 | word >> 4 | word << 8 | word >> 8
    for rank in range(HONOURS if suit == 3 else RANKS):
        if rank != but and near >> 4 * rank & 15 and is_sets_and_pair(suit, word + (1 << 4 * rank)):
            return True
    return False


@kernel
def single_tile(words: Words) -> int:
    """The odd kind of a hand that is pairs except for one tile, else -1."""
    odd = -1
    for suit in range(4):
        word = word_at(words, suit) & _ODD
        if word & (word - 1) or (word and odd >= 0):
            return -1
        for rank in range(RANKS if word else 0):
            odd = RANKS * suit + rank if word >> 4 * rank & 1 else odd
    return odd


@kernel
def is_only_wait(words: Words, win_kind: int) -> bool:
    """Whether the concealed tiles, complete as sets and a pair, had waited for the winning kind only.

    Only the form counts: a kind of which no tile is left, or of which the hand holds four, is still a wait.
    """
    suit, rank = win_kind // RANKS, win_kind % RANKS
    rest = word_at(words, suit) - (1 << 4 * rank)
    if rest % _SUM % 3 == 1:
        return not waits_for_pair(suit, rest, rank)
    if waits_for_sets(suit, rest, rank):
        return False
    other = pair_suit(words)
    return not (is_sets_and_pair(suit, rest) and waits_for_sets(other, word_at(words, other), -1))


@kernel
def pairs_wait_elsewhere(words: Words, win_kind: int) -> bool:
    """Whether 14 concealed tiles had, before the winning one, waited for another kind as seven pairs."""
    waited = single_tile(add_tiles(words, win_kind, -1))
    return waited >= 0 and waited != win_kind


@kernel
def place_of(sets: int, pair: int, win_kind: int) -> int:
    """The place of the winning tile that counts first: edge, middle of a run, pair.

    `NO_PLACE` if it has none of them, or if it can end a run that waited on both sides.
    """
    place = IN_PAIR if pair == win_kind else NO_PLACE
    while sets:
        if not sets & TRIPLET_CODE:
            kind = sets & KIND_BITS
            at = win_kind - kind
            if at == 0 or at == 2:
                if kind % RANKS != (0 if at == 2 else RANKS - 3):
                    return NO_PLACE
                place = IN_RUN_END
            elif at == 1 and place != IN_RUN_END:
                place = IN_RUN_MIDDLE
        sets >>= 8
    return place
