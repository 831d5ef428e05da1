"""Features of hand patterns: the shape of a suit's tiles, in windows of neighbouring ranks.

Every window of three or five neighbouring ranks of a suit is a feature, by the number of tiles held of each rank, and
so is the whole suit with counts capped at two. Suits are equivalent, and so are mirror images. A discard changes only
the windows around it, so a candidate's list has those windows after the discard, and before it with a minus sign; what
all candidates have in common cancels out. A feature with a minus sign is written as `-1 - number`.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.tables import tables_array
from janshi.core.tiles import COPIES, RANKS
from janshi.features.layout import Layout

VERSION: Final = 1
"""Changes when the meaning of a feature number does."""

STAGES: Final = 19
"""Number of stages: the worth of a suit depends on shanten, melds, the turn and the number of terminals and honours."""
SHAPES: Final = COPIES + 1
"""Counts of a kind."""
PATTERNS: Final = 405_350
"""Ways to hold up to 14 tiles of a suit."""
CUT: Final = 3
THREES, FIVES = RANKS - 2, RANKS - 4
"""Windows of a suit."""

LAYOUT: Final = Layout()
THREE: Final = LAYOUT.add("three neighbouring ranks", "pattern", stage=STAGES, place=THREES, counts=SHAPES**3)
FIVE: Final = LAYOUT.add("five neighbouring ranks", "pattern", stage=STAGES, place=FIVES, counts=SHAPES**5)
WHOLE: Final = LAYOUT.add("whole suit, counts cut at two", "pattern", stage=STAGES, counts=CUT**RANKS)

MOST_OF_SUIT: Final = 18
"""Longest list of a change in a suit."""

MAPS_DTYPE: Final = record_dtype(
    [
        ("whole", np.int32, PATTERNS),  # by index of a suit: its feature within a stage
        ("five", np.int32, (FIVES, 1 << 15)),  # by packed counts
        ("three", np.int32, (THREES, 1 << 9)),
        ("cut", np.int16, (2, 1 << 15)),  # five packed counts capped at two as a number, and read backwards
    ]
)
"""From packed keys to feature numbers."""


@kernel
def suit_index(key: int, t: Any) -> int:
    """The number of a suit among all with up to 14 tiles, given its packed key."""
    return int(np.int64(t.high[key >> 15])) + int(np.int64(t.low[key & 0x7FFF]))


@cache
def maps() -> npt.NDArray[Any]:
    """The maps, computed once: an array of one record of MAPS_DTYPE."""
    out = np.zeros(1, MAPS_DTYPE)
    _write_windows(out[0]["three"], 3)
    _write_windows(out[0]["five"], 5)
    _write_whole(out, tables_array())
    _write_cut(out[0]["cut"])
    return out


def _write_windows(out: npt.NDArray[Any], width: int) -> None:
    """The features of windows of some width; a window and its mirror image share the lower number."""
    places = len(out)
    packed = np.arange(1 << 3 * width)
    counts = np.minimum([packed >> 3 * i & 7 for i in range(width)], COPIES)
    code = sum(counts[i] * SHAPES**i for i in range(width))
    mirrored = sum(counts[width - 1 - i] * SHAPES**i for i in range(width))
    for place in range(places):
        there = place * SHAPES**width + code
        out[place] = np.minimum(there, (places - 1 - place) * SHAPES**width + mirrored)


def _write_cut(out: npt.NDArray[Any]) -> None:
    packed = np.arange(1 << 15)
    counts = np.minimum([packed >> 3 * i & 7 for i in range(5)], CUT - 1)
    out[0] = sum(counts[i] * CUT**i for i in range(5))
    out[1] = sum(counts[4 - i] * CUT**i for i in range(5))


@kernel
def _write_whole(out: Any, tables: Any) -> None:
    """The features of whole suits."""
    m, t = out[0], tables[0]
    for code in range(SHAPES**RANKS):
        rest, key, tiles, cut, mirrored, scale = code, 0, 0, 0, 0, 1
        for rank in range(RANKS):
            count = rest % SHAPES
            rest //= SHAPES
            tiles += count
            key |= count << 3 * rank
            cut += min(count, CUT - 1) * scale
            mirrored = mirrored * CUT + min(count, CUT - 1)
            scale *= CUT
        if tiles <= 14:
            m.whole[suit_index(key, t)] = min(cut, mirrored)


@kernel
def list_suit_change(key: int, rank: int, stage: int, t: Any, m: Any, out: Any, n: int) -> int:
    """List what discarding a rank changes in a suit, from place `n` of `out` on; returns the place after the last."""
    after = key - (1 << 3 * rank)
    for place in range(max(0, rank - 2), min(THREES - 1, rank) + 1):
        base = THREE + stage * THREES * SHAPES**3
        out[n] = base + m.three[place, (after >> 3 * place) & 0x1FF]
        out[n + 1] = -1 - (base + m.three[place, (key >> 3 * place) & 0x1FF])
        n += 2
    for place in range(max(0, rank - 4), min(FIVES - 1, rank) + 1):
        base = FIVE + stage * FIVES * SHAPES**5
        out[n] = base + m.five[place, (after >> 3 * place) & 0x7FFF]
        out[n + 1] = -1 - (base + m.five[place, (key >> 3 * place) & 0x7FFF])
        n += 2
    base = WHOLE + stage * CUT**RANKS
    out[n] = base + m.whole[suit_index(after, t)]
    out[n + 1] = -1 - (base + m.whole[suit_index(key, t)])
    return n + 2


@kernel
def write_suit_values(weights: Any, maps: Any, tables: Any, out: Any) -> None:
    """Write the sum of the weights of every suit at every stage, float32[STAGES, PATTERNS]."""
    m, t = maps[0], tables[0]
    for code in range(SHAPES**RANKS):
        rest, key, tiles = code, 0, 0
        for rank in range(RANKS):
            tiles += rest % SHAPES
            key |= (rest % SHAPES) << 3 * rank
            rest //= SHAPES
        if tiles > 14:
            continue
        index = suit_index(key, t)
        for stage in range(STAGES):
            total: Any = np.float32(0)
            for place in range(THREES):
                base = THREE + stage * THREES * SHAPES**3
                total += weights[base + m.three[place, (key >> 3 * place) & 0x1FF]]
            for place in range(FIVES):
                base = FIVE + stage * FIVES * SHAPES**5
                total += weights[base + m.five[place, (key >> 3 * place) & 0x7FFF]]
            out[stage, index] = total + weights[WHOLE + stage * CUT**RANKS + m.whole[index]]
