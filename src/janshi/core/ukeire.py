"""Useful tiles (ukeire): the draws that lower the shanten, and how many are left after each discard.

Three suits are joined into one class, so that a draw in the fourth costs one look-up and one join. Sets of kinds are
bit sets: bit k stands for kind k.
"""

from __future__ import annotations

from typing import Any, Final

import numpy.typing as npt

from janshi.core._jit import kernel, per_constant
from janshi.core.shanten import (
    FIRST_P,
    FIRST_S,
    FIRST_Z,
    HONOURS_AT,
    ORPHAN_BITS,
    RANK_ONES,
    class_of,
    count_bits,
    honour_class,
    honour_key,
    join,
    kind_bits,
    missing,
    orphans_from_bits,
    pair_bits,
    pairs_from_bits,
    shanten,
    suit_class,
    suit_key,
)
from janshi.core.tables import ShantenTables
from janshi.core.tiles import COPIES, HONOURS, NUM_KINDS, RANKS

Array = npt.NDArray[Any]

NOT_HELD: Final = 127
"""In `shanten_out`, marks a kind that cannot be discarded."""
_ALL_BITS: Final = 0o777777777 | 0o1111111 << HONOURS_AT
"""Every kind in the bit order of `kind_bits`."""


@per_constant
@kernel
def _useful_in_suit(suit: int, key: int, others: int, sets_needed: int, best: int, t: ShantenTables) -> int:
    """Kinds of one suit whose draw takes the standard form below a shanten of `best`; `others` are joined."""
    useful = 0
    for rank in range(HONOURS if suit == 3 else RANKS):
        if (key >> 3 * rank) & 7 < COPIES:
            drawn = class_of(suit, key + (1 << 3 * rank), t)
            if missing(join(others, drawn, t), sets_needed, t) <= best:
                useful |= 1 << (RANKS * suit + rank)
    return useful


@kernel
def useful_standard(k0: int, k1: int, k2: int, k3: int, sets_needed: int, best: int, t: ShantenTables) -> int:
    """Kinds whose draw takes the standard form below a shanten of `best`."""
    c0, c1, c2, c3 = suit_class(k0, t), suit_class(k1, t), suit_class(k2, t), honour_class(k3, t)
    c01, c23 = join(c0, c1, t), join(c2, c3, t)
    if missing(join(c01, c23, t), sets_needed, t) > best + 1:
        return 0
    return (
        _useful_in_suit(0, k0, join(c1, c23, t), sets_needed, best, t)
        | _useful_in_suit(1, k1, join(c0, c23, t), sets_needed, best, t)
        | _useful_in_suit(2, k2, join(c01, c3, t), sets_needed, best, t)
        | _useful_in_suit(3, k3, join(c01, c2, t), sets_needed, best, t)
    )


@kernel
def _squeeze(bits: int) -> int:
    """Every third bit of a 27-bit word, side by side."""
    bits &= RANK_ONES
    bits = (bits | bits >> 2) & 0x10C30C3
    bits = (bits | bits >> 4) & 0x100F00F
    bits = (bits | bits >> 8) & 0x10000FF
    return (bits | bits >> 16) & 0x1FF


@kernel
def to_mask(bits: int) -> int:
    """From the bit order of `kind_bits` to bit k for kind k."""
    return (
        _squeeze(bits)
        | _squeeze(bits >> 1) << FIRST_P
        | _squeeze(bits >> 2) << FIRST_S
        | _squeeze(bits >> HONOURS_AT) << FIRST_Z
    )


@kernel
def _useful_special(kinds: int, pairs: int, best: int) -> int:
    """Kinds whose draw takes seven pairs or thirteen orphans below a shanten of `best` (bits of `kind_bits`)."""
    single, absent = kinds & ~pairs, _ALL_BITS & ~kinds
    useful = 0
    if pairs_from_bits(kinds, pairs) == best:
        useful |= single
        if count_bits(kinds) < 7:
            useful |= absent
    if orphans_from_bits(kinds, pairs) == best:
        useful |= absent & ORPHAN_BITS
        if pairs & ORPHAN_BITS == 0:
            useful |= single & ORPHAN_BITS
    return to_mask(useful) if useful else 0


@kernel
def useful_mask(k0: int, k1: int, k2: int, k3: int, melds: int, best: int, t: ShantenTables) -> int:
    """Kinds whose draw lowers the shanten, which is `best`, of a hand given by its packed keys."""
    useful = useful_standard(k0, k1, k2, k3, 4 - melds, best, t)
    if melds == 0:
        useful |= _useful_special(kind_bits(k0, k1, k2, k3), pair_bits(k0, k1, k2, k3), best)
    return useful


@kernel
def ukeire(counts: Array, melds: int, t: ShantenTables, useful: Array) -> int:
    """Mark in `useful`, uint8[34], the kinds whose draw lowers the shanten of 13 - 3 * melds tiles; returns it.

    A kind held four times among the concealed tiles is never marked.
    """
    k0, k1 = suit_key(counts, 0), suit_key(counts, FIRST_P)
    k2, k3 = suit_key(counts, FIRST_S), honour_key(counts)
    best = shanten(counts, melds, t)
    mask = useful_mask(k0, k1, k2, k3, melds, best, t)
    for kind in range(NUM_KINDS):
        useful[kind] = (mask >> kind) & 1
    return best


@kernel
def _left(mask: int, visible: Array) -> int:
    """How many tiles of these kinds are not seen yet."""
    left = 0
    for kind in range(NUM_KINDS):
        if (mask >> kind) & 1:
            left += max(0, COPIES - int(visible[kind]))
    return left


@kernel
def _shanten_after(suit: int, key: int, others: int, kinds: int, pairs: int, melds: int, t: ShantenTables) -> int:
    """Shanten with this key in one suit; `others` are joined, `kinds` and `pairs` describe the whole hand."""
    after = missing(join(others, class_of(suit, key, t), t), 4 - melds, t) - 1
    if melds == 0:
        after = min(after, pairs_from_bits(kinds, pairs), orphans_from_bits(kinds, pairs))
    return after


@kernel
def _suit_discards(
    suit: int, key: int, others: int, kinds: int, pairs: int, melds: int, t: ShantenTables, shanten_out: Array
) -> int:
    """Write the shanten after each discard of one suit; returns the least."""
    best = NOT_HELD
    for rank in range(HONOURS if suit == 3 else RANKS):
        kind = RANKS * suit + rank
        held = (key >> 3 * rank) & 7
        if held == 0:
            shanten_out[kind] = NOT_HELD
            continue
        bit = 1 << (3 * rank + (HONOURS_AT if suit == 3 else suit))
        kinds_after = kinds & ~bit if held == 1 else kinds
        pairs_after = pairs & ~bit if held == 2 else pairs
        after = _shanten_after(suit, key - (1 << 3 * rank), others, kinds_after, pairs_after, melds, t)
        shanten_out[kind] = after
        best = min(best, after)
    return best


@kernel
def shanten_discards(counts: Array, melds: int, t: ShantenTables, shanten_out: Array) -> int:
    """Write the shanten after each discard of 14 - 3 * melds tiles to `shanten_out`, int8[34]; returns the least.

    Kinds not held get NOT_HELD.
    """
    k0, k1 = suit_key(counts, 0), suit_key(counts, FIRST_P)
    k2, k3 = suit_key(counts, FIRST_S), honour_key(counts)
    kinds, pairs = kind_bits(k0, k1, k2, k3), pair_bits(k0, k1, k2, k3)
    c0, c1, c2, c3 = suit_class(k0, t), suit_class(k1, t), suit_class(k2, t), honour_class(k3, t)
    c01, c23 = join(c0, c1, t), join(c2, c3, t)
    best = _suit_discards(0, k0, join(c1, c23, t), kinds, pairs, melds, t, shanten_out)
    best = min(best, _suit_discards(1, k1, join(c0, c23, t), kinds, pairs, melds, t, shanten_out))
    best = min(best, _suit_discards(2, k2, join(c01, c3, t), kinds, pairs, melds, t, shanten_out))
    return min(best, _suit_discards(3, k3, join(c01, c2, t), kinds, pairs, melds, t, shanten_out))


@kernel
def ukeire_discards(
    counts: Array, melds: int, visible: Array, t: ShantenTables, shanten_out: Array, count_out: Array
) -> int:
    """Weigh every discard of a hand of 14 - 3 * melds concealed tiles; returns the least shanten after one.

    `visible` uint8[34] counts the tiles of each kind that are seen anywhere, including the player's hand. `shanten_out`
    int8[34] gets the shanten after discarding the kind (NOT_HELD if there is none to discard); `count_out` int16[34]
    the number of useful tiles unseen, for the discards with the least shanten only, else -1.
    """
    best = shanten_discards(counts, melds, t, shanten_out)
    k0, k1 = suit_key(counts, 0), suit_key(counts, FIRST_P)
    k2, k3 = suit_key(counts, FIRST_S), honour_key(counts)
    for kind in range(NUM_KINDS):
        if shanten_out[kind] != best:
            count_out[kind] = -1
            continue
        suit, tile = kind // RANKS, 1 << 3 * (kind % RANKS)
        mask = useful_mask(
            k0 - (tile if suit == 0 else 0),
            k1 - (tile if suit == 1 else 0),
            k2 - (tile if suit == 2 else 0),
            k3 - (tile if suit == 3 else 0),
            melds,
            best,
            t,
        )
        count_out[kind] = _left(mask, visible)
    return best
