"""Shanten: how many tile exchanges a hand is away from tenpai, exactly.

-1 is a complete hand, 0 tenpai. The target hand has at most four copies of a kind among the
concealed tiles; melds enter only as a number of sets already made.

A suit is a *packed key*, three bits a rank (`1m` lowest), so drawing rank r is `key + (1 << 3 * r)`. Two loads turn a
key into an index, one more into a class (see `core.tables`), and classes are joined by look-up. Kernels take the
hand as `counts`, uint8[34], and the tables as `t` (`load_tables()`); they trust both.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.tables import ROW_BITS, SETS_BITS, ShantenTables
from janshi.core.tiles import HONOURS, NUM_KINDS, RANKS

Counts = npt.NDArray[Any]

FIRST_P: Final = 9
FIRST_S: Final = 18
FIRST_Z: Final = 27

_LOW_BITS: Final = 15  # the low five ranks of a key
_LOW: Final = (1 << _LOW_BITS) - 1
RANK_ONES: Final = 0o111111111
HONOURS_AT: Final = 27
ORPHANS: Final = np.array([k >= FIRST_Z or k % RANKS in (0, RANKS - 1) for k in range(NUM_KINDS)], np.uint8)
"""1 for the terminals and honours."""
ORPHAN_BITS: Final = 0o7 | 0o7 << 24 | 0o1111111 << HONOURS_AT
"""The terminals and honours in the bit order of `kind_bits`."""


@kernel
def suit_key(counts: Counts, first: int) -> int:
    """Packed key of the nine ranks of a suit that begins at kind `first`."""
    key = int(np.int64(counts[first]))
    for rank in range(1, RANKS):
        key |= int(np.int64(counts[first + rank])) << (3 * rank)
    return key


@kernel
def honour_key(counts: Counts) -> int:
    """Packed key of the seven honours."""
    key = int(np.int64(counts[FIRST_Z]))
    for rank in range(1, HONOURS):
        key |= int(np.int64(counts[FIRST_Z + rank])) << (3 * rank)
    return key


@kernel
def pack(counts: Counts, keys: npt.NDArray[Any]) -> None:
    """Write the packed keys of m, p, s and honours into `keys`, uint32[4]."""
    keys[0] = suit_key(counts, 0)
    keys[1] = suit_key(counts, FIRST_P)
    keys[2] = suit_key(counts, FIRST_S)
    keys[3] = honour_key(counts)


@kernel
def suit_class(key: int, t: ShantenTables) -> int:
    """Class of a suit with sequences, given its packed key (at most 14 tiles)."""
    return int(np.int64(t.suit[t.high[key >> _LOW_BITS] + t.low[key & _LOW]]))


@kernel
def honour_class(key: int, t: ShantenTables) -> int:
    """Class of the honours, given their packed key."""
    return int(np.int64(t.honour[t.high[key >> _LOW_BITS] + t.low[key & _LOW]]))


@kernel
def class_of(suit: int, key: int, t: ShantenTables) -> int:
    """Class of suit 0..2, or 3 for the honours."""
    if suit == 3:
        return honour_class(key, t)
    return suit_class(key, t)


@kernel
def join(a: int, b: int, t: ShantenTables) -> int:
    """Class of two classes together."""
    return int(np.int64(t.joined[a << ROW_BITS | b]))


@kernel
def missing(a: int, sets_needed: int, t: ShantenTables) -> int:
    """Tiles a class is missing for `sets_needed` sets and a pair: its shanten plus one."""
    return int(np.int64(t.missing[a << SETS_BITS | sets_needed]))


@kernel
def shanten_keys(k0: int, k1: int, k2: int, k3: int, sets_needed: int, t: ShantenTables) -> int:
    """Shanten of the standard form from packed keys; `sets_needed` is 4 less the melds."""
    left = join(suit_class(k0, t), suit_class(k1, t), t)
    right = join(suit_class(k2, t), honour_class(k3, t), t)
    return missing(join(left, right, t), sets_needed, t) - 1


@kernel
def kind_bits(k0: int, k1: int, k2: int, k3: int) -> int:
    """One bit for each kind held: bit 3 * rank + suit for the suits, 27 + 3 * rank for the honours."""
    return (
        (k0 | k0 >> 1 | k0 >> 2) & RANK_ONES
        | ((k1 | k1 >> 1 | k1 >> 2) & RANK_ONES) << 1
        | ((k2 | k2 >> 1 | k2 >> 2) & RANK_ONES) << 2
        | ((k3 | k3 >> 1 | k3 >> 2) & RANK_ONES) << HONOURS_AT
    )


@kernel
def pair_bits(k0: int, k1: int, k2: int, k3: int) -> int:
    """One bit for each kind held twice or more, in the order of `kind_bits`."""
    return (
        (k0 >> 1 | k0 >> 2) & RANK_ONES
        | ((k1 >> 1 | k1 >> 2) & RANK_ONES) << 1
        | ((k2 >> 1 | k2 >> 2) & RANK_ONES) << 2
        | ((k3 >> 1 | k3 >> 2) & RANK_ONES) << HONOURS_AT
    )


@kernel
def count_bits(word: int) -> int:
    """Number of bits set in a non-negative word of at most 62 bits."""
    word = word - (word >> 1 & 0x5555555555555555)
    word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333)
    word = word + (word >> 4) & 0x0F0F0F0F0F0F0F0F
    word += word >> 8
    word += word >> 16
    return word + (word >> 32) & 0x7F


@kernel
def is_orphan(kind: int) -> bool:
    """Whether a kind is a terminal or an honour."""
    return kind >= FIRST_Z or kind % RANKS == 0 or kind % RANKS == RANKS - 1


@kernel
def pairs_from_bits(kinds: int, pairs: int) -> int:
    """Shanten of seven different pairs from `kind_bits` and `pair_bits`."""
    return 6 - count_bits(pairs) + max(0, 7 - count_bits(kinds))


@kernel
def orphans_from_bits(kinds: int, pairs: int) -> int:
    """Shanten of thirteen orphans from `kind_bits` and `pair_bits`."""
    return 13 - count_bits(kinds & ORPHAN_BITS) - (1 if pairs & ORPHAN_BITS else 0)


@kernel
def shanten_standard(counts: Counts, melds: int, t: ShantenTables) -> int:
    """Shanten of four sets and a pair; `melds` sets are already made."""
    return shanten_keys(
        suit_key(counts, 0),
        suit_key(counts, FIRST_P),
        suit_key(counts, FIRST_S),
        honour_key(counts),
        4 - melds,
        t,
    )


@kernel
def shanten_pairs(counts: Counts) -> int:
    """Shanten of seven different pairs (a hand of 13 or 14 concealed tiles)."""
    kinds, pairs = 0, 0
    for kind in range(NUM_KINDS):
        kinds += int(counts[kind] > 0)
        pairs += int(counts[kind] > 1)
    return 6 - pairs + max(0, 7 - kinds)


@kernel
def shanten_orphans(counts: Counts) -> int:
    """Shanten of thirteen orphans (a hand of 13 or 14 concealed tiles)."""
    kinds, paired = 0, 0
    for kind in range(NUM_KINDS):
        kinds += int(counts[kind] > 0) & int(ORPHANS[kind])
        paired |= int(counts[kind] > 1) & int(ORPHANS[kind])
    return 13 - kinds - paired


@kernel
def shanten_special(counts: Counts) -> int:
    """Shanten of the nearer of seven pairs and thirteen orphans.

    One pass over the counts for both compiles to the fastest code.
    """
    kinds, pairs, orphans, paired = 0, 0, 0, 0
    for kind in range(NUM_KINDS):
        one, two = int(counts[kind] > 0), int(counts[kind] > 1)
        kinds += one
        pairs += two
        orphans += one & int(ORPHANS[kind])
        paired |= two & int(ORPHANS[kind])
    return min(6 - pairs + max(0, 7 - kinds), 13 - orphans - paired)


@kernel
def shanten(counts: Counts, melds: int, t: ShantenTables) -> int:
    """Shanten of the nearest form: standard, or without melds also seven pairs or thirteen orphans."""
    if melds == 0:
        return min(shanten_standard(counts, 0, t), shanten_special(counts))
    return shanten_standard(counts, melds, t)


@kernel
def is_complete(counts: Counts, melds: int, t: ShantenTables) -> bool:
    """Whether a hand of 14 - 3 * melds concealed tiles is complete in any form."""
    return shanten(counts, melds, t) == -1


@kernel
def shanten_batch(hands: npt.NDArray[Any], melds: npt.NDArray[Any], t: ShantenTables, out: npt.NDArray[Any]) -> None:
    """Shanten of many hands: `hands` uint8[n, 34], `melds` uint8[n], written to `out`, int8[n]."""
    for i in range(len(hands)):
        out[i] = shanten(hands[i], int(melds[i]), t)
