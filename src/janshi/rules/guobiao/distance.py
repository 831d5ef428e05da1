"""Shanten and useful tiles for the five shapes of Chinese standard mahjong.

Kernels take the concealed tiles as `counts`, uint8[34] (13 or 14 less three for each meld), the number of melds and the
tables of `core.tables`. Shanten as everywhere: -1 complete, 0 one tile away. Sets of kinds are bit sets, bit k for
kind k. A kind held four times among the concealed tiles is never useful. Seven pairs count four of a kind as two.
"""

from __future__ import annotations

from typing import Any, Final

import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.shanten import (
    FIRST_P,
    FIRST_S,
    HONOURS_AT,
    ORPHAN_BITS,
    RANK_ONES,
    count_bits,
    honour_key,
    kind_bits,
    orphans_from_bits,
    pair_bits,
    shanten_keys,
    suit_key,
)
from janshi.core.tables import ShantenTables
from janshi.core.tiles import NUM_KINDS
from janshi.core.ukeire import to_mask, useful_standard
from janshi.rules.guobiao.evaluate import KNITTED
from janshi.rules.guobiao.win import KNITTED_HONOURS, KNITTED_STRAIGHT, SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS

Array = npt.NDArray[Any]
Keys = tuple[int, int, int, int]
"""Packed keys of the three suits and the honours (`core.shanten`)."""

FAR: Final = 99
"""Shanten of a shape that the melds rule out."""
SHAPES: Final = KNITTED_STRAIGHT
"""How many shapes there are; they are numbered from one."""
_THIRDS: Final = 0o001001001
HONOUR_BITS: Final = 0o1111111 << HONOURS_AT
KNITTED_BITS: Final = tuple(sum(_THIRDS << 3 * rank + suit for suit, rank in enumerate(way)) for way in KNITTED)
"""The six knitted straights in the bit order of `core.shanten.kind_bits`."""


@kernel
def keys_of(counts: Array) -> Keys:
    """Packed keys of a hand."""
    return suit_key(counts, 0), suit_key(counts, FIRST_P), suit_key(counts, FIRST_S), honour_key(counts)


@kernel
def bits_of(k: Keys) -> int:
    """Kinds held, in the bit order of `kind_bits`."""
    return kind_bits(k[0], k[1], k[2], k[3])


@kernel
def odd_bits(k: Keys) -> int:
    """Kinds held once or three times, in the bit order of `kind_bits`."""
    suits = k[0] & RANK_ONES | (k[1] & RANK_ONES) << 1 | (k[2] & RANK_ONES) << 2
    return suits | (k[3] & RANK_ONES) << HONOURS_AT


@kernel
def full_bits(k: Keys) -> int:
    """Kinds held four times, in the bit order of `kind_bits`."""
    suits = k[0] >> 2 & RANK_ONES | (k[1] >> 2 & RANK_ONES) << 1 | (k[2] >> 2 & RANK_ONES) << 2
    return suits | (k[3] >> 2 & RANK_ONES) << HONOURS_AT


@kernel
def pairs_shanten(k: Keys) -> int:
    """Shanten of seven pairs, alike or not."""
    return 6 - count_bits(pair_bits(k[0], k[1], k[2], k[3])) - count_bits(full_bits(k))


@kernel
def orphans_shanten(k: Keys) -> int:
    """Shanten of thirteen orphans."""
    return orphans_from_bits(bits_of(k), pair_bits(k[0], k[1], k[2], k[3]))


@kernel
def knitted_honours_shanten(k: Keys) -> int:
    """Shanten of fourteen different honours and tiles of one knitted straight."""
    kinds, most = bits_of(k), 0
    for straight in KNITTED_BITS:
        most = max(most, count_bits(kinds & (straight | HONOUR_BITS)))
    return 13 - most


@kernel
def beside(k: Keys, taken: int) -> Keys:
    """Keys of what is left when one tile of each of these kinds (suits only) is taken away."""
    return k[0] - (taken & RANK_ONES), k[1] - (taken >> 1 & RANK_ONES), k[2] - (taken >> 2 & RANK_ONES), k[3]


@kernel
def rest_shanten(k: Keys, taken: int, melds: int, t: ShantenTables) -> int:
    """Shanten of a pair, and a set if there is no meld, from what the straight leaves."""
    rest = beside(k, taken)
    return shanten_keys(rest[0], rest[1], rest[2], rest[3], 1 - melds, t)


@kernel
def knitted_straight_shanten(k: Keys, melds: int, t: ShantenTables) -> int:
    """Shanten of a knitted straight with a set and a pair; one meld can be the set."""
    if melds > 1:
        return FAR
    kinds, best = bits_of(k), FAR
    for straight in KNITTED_BITS:
        lacking = count_bits(straight & ~kinds)
        if lacking < best + 1:
            best = min(best, lacking + rest_shanten(k, straight & kinds, melds, t))
    return best


@kernel
def shape_shanten(k: Keys, melds: int, shape: int, t: ShantenTables) -> int:
    """Shanten of one shape (`win.STANDARD` and so on), `FAR` if the melds rule it out."""
    if shape == STANDARD:
        return shanten_keys(k[0], k[1], k[2], k[3], 4 - melds, t)
    if shape == KNITTED_STRAIGHT:
        return knitted_straight_shanten(k, melds, t)
    if melds > 0:
        return FAR
    if shape == SEVEN_PAIRS:
        return pairs_shanten(k)
    return orphans_shanten(k) if shape == THIRTEEN_ORPHANS else knitted_honours_shanten(k)


@kernel
def orphans_useful(k: Keys) -> int:
    """Draws that bring thirteen orphans closer, in the bit order of `kind_bits`."""
    paired = pair_bits(k[0], k[1], k[2], k[3]) & ORPHAN_BITS
    return ORPHAN_BITS & ~bits_of(k) if paired else ORPHAN_BITS


@kernel
def knitted_honours_useful(k: Keys, shanten: int) -> int:
    """Draws that bring honours and knitted tiles closer, in the bit order of `kind_bits`."""
    kinds, useful = bits_of(k), 0
    for straight in KNITTED_BITS:
        if 13 - count_bits(kinds & (straight | HONOUR_BITS)) == shanten:
            useful |= (straight | HONOUR_BITS) & ~kinds
    return useful


@kernel
def knitted_straight_useful(k: Keys, melds: int, shanten: int, t: ShantenTables) -> int:
    """Draws that bring a knitted straight closer."""
    kinds, useful = bits_of(k), 0
    for straight in KNITTED_BITS:
        lacking = straight & ~kinds
        rest = rest_shanten(k, straight & kinds, melds, t)
        if count_bits(lacking) + rest == shanten:
            r = beside(k, straight & kinds)
            useful |= to_mask(lacking) | useful_standard(r[0], r[1], r[2], r[3], 1 - melds, rest, t)
    return useful & ~to_mask(full_bits(k))


@kernel
def shape_useful(k: Keys, melds: int, shape: int, shanten: int, t: ShantenTables) -> int:
    """Kinds whose draw brings a shape below `shanten`, its present shanten."""
    if shape == STANDARD:
        return useful_standard(k[0], k[1], k[2], k[3], 4 - melds, shanten, t)
    if shape == KNITTED_STRAIGHT:
        return knitted_straight_useful(k, melds, shanten, t)
    if shape == KNITTED_HONOURS:
        return to_mask(knitted_honours_useful(k, shanten))
    return to_mask(odd_bits(k) if shape == SEVEN_PAIRS else orphans_useful(k) & ~full_bits(k))


@kernel
def shanten(counts: Array, melds: int, t: ShantenTables) -> int:
    """Shanten of the nearest shape."""
    k, best = keys_of(counts), FAR
    for shape in range(STANDARD, SHAPES + 1):
        best = min(best, shape_shanten(k, melds, shape, t))
    return best


@kernel
def useful_mask(counts: Array, melds: int, best: int, t: ShantenTables) -> int:
    """Kinds whose draw lowers the shanten of a hand, which is `best`."""
    k, useful = keys_of(counts), 0
    for shape in range(STANDARD, SHAPES + 1):
        if shape_shanten(k, melds, shape, t) == best:
            useful |= shape_useful(k, melds, shape, best, t)
    return useful


@kernel
def useful_tiles(counts: Array, melds: int, t: ShantenTables, useful: Array) -> int:
    """Mark in `useful`, uint8[34], the kinds whose draw lowers the shanten, which is returned."""
    best = shanten(counts, melds, t)
    mask = useful_mask(counts, melds, best, t)
    for kind in range(NUM_KINDS):
        useful[kind] = mask >> kind & 1
    return best


@kernel
def useful_batch(hands: Array, melds: Array, t: ShantenTables, shanten_out: Array, useful_out: Array) -> None:
    """`useful_tiles` of many hands: uint8[n, 34] and uint8[n] into int8[n] and uint8[n, 34]."""
    for i in range(len(hands)):
        shanten_out[i] = useful_tiles(hands[i], int(melds[i]), t, useful_out[i])


@kernel
def shapes_batch(hands: Array, melds: Array, t: ShantenTables, shanten_out: Array, useful_out: Array) -> None:
    """Shanten and useful tiles of many hands shape by shape: into int8[n, 5] and uint64[n, 5] (bit sets)."""
    for i in range(len(hands)):
        k = keys_of(hands[i])
        for shape in range(STANDARD, SHAPES + 1):
            found = shape_shanten(k, int(melds[i]), shape, t)
            shanten_out[i, shape - 1] = found
            useful_out[i, shape - 1] = shape_useful(k, int(melds[i]), shape, found, t) if found < FAR else 0
