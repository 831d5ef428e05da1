"""Tables of what each suit's tiles complete and miss: the same for all rules, built in milliseconds on first use.

A *pattern* is what a suit may contribute to a complete hand: some sets and perhaps the pair. A pattern's *modes* are
the scoring hands it serves: any, without sequences (`PUNGS`), with 1-2-3 (`LOW`), with 4-5-6 (`HIGH`), with both.
Honours are a suit of two kinds without sequences, where `LOW` means: with a pung. A *row* holds the tiles a suit is
missing for each mode and cell (2 × sets + pair).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from typing import Any, Final, NamedTuple

import numpy as np

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.rules.simplified.tiles import COPIES, HONOUR_CODES, RANKS, SUIT_CODES

ANY, PUNGS, LOW, HIGH, BOTH = range(5)
MODES: Final = 5
MOST_SETS: Final = 3
CELLS: Final = 2 * (MOST_SETS + 1)
"""Cells of a mode: 2 × sets + pair."""
FAR: Final = 15
"""A distance that no hand has: the shape cannot be reached."""

SHAPES_DTYPE = record_dtype(
    [
        ("suit_complete", np.uint8, (SUIT_CODES,)),  # bit of each mode in which the tiles are a pattern
        ("honour_complete", np.uint8, (HONOUR_CODES,)),
        ("suit_lack", np.int8, (SUIT_CODES, MODES * CELLS)),  # tiles missing for mode, sets and pair
        ("honour_lack", np.int8, (HONOUR_CODES, MODES * CELLS)),
    ]
)


class Patterns(NamedTuple):
    """All patterns, suits' and honours', as arrays of counts, cells and modes."""

    suit_counts: Any  # int64[m, 6]
    suit_cells: Any
    suit_modes: Any
    honour_counts: Any  # int64[k, 2]
    honour_cells: Any
    honour_modes: Any


Pattern = tuple[tuple[int, ...], int, int]
"""Counts by rank, cell (2 × sets + pair), modes as bits."""


@cache
def shapes() -> Any:
    """The tables, one record of SHAPES_DTYPE."""
    out, known = np.zeros(1, SHAPES_DTYPE), patterns()
    fill_shapes(*known[:3], out["suit_complete"][0], out["suit_lack"][0])
    fill_shapes(*known[3:], out["honour_complete"][0], out["honour_lack"][0])
    return out


@cache
def patterns() -> Patterns:
    """All patterns."""
    return Patterns(*_as_arrays(suit_patterns()), *_as_arrays(honour_patterns()))


def suit_patterns() -> list[Pattern]:
    """All patterns of a suit of six ranks."""
    pungs = [tuple(COPIES * (rank == at) for rank in range(RANKS)) for at in range(RANKS)]
    chows = [tuple(int(0 <= rank - at < 3) for rank in range(RANKS)) for at in range(RANKS - 2)]
    return list(_patterns(pungs + chows, RANKS, chows))


def honour_patterns() -> list[Pattern]:
    """All patterns of the two honours."""
    return list(_patterns([(COPIES, 0), (0, COPIES)], 2, []))


def _patterns(sets: list[tuple[int, ...]], ranks: int, chows: list[tuple[int, ...]]) -> Iterator[Pattern]:
    for number in range(MOST_SETS + 1):
        for chosen in combinations_with_replacement(sets, number):
            modes = _modes(chosen, chows)
            for pair in range(-1, ranks):
                counts = tuple(sum(one[r] for one in chosen) + 2 * (r == pair) for r in range(ranks))
                if max(counts) <= COPIES:
                    yield counts, 2 * number + (pair >= 0), modes


def _modes(chosen: tuple[tuple[int, ...], ...], chows: list[tuple[int, ...]]) -> int:
    modes = 1 << ANY
    if not any(chow in chosen for chow in chows):
        modes |= 1 << PUNGS
    low = chows[0] in chosen if chows else bool(chosen)
    high = bool(chows) and chows[-1] in chosen
    return modes | low << LOW | high << HIGH | (low and high) << BOTH


def _as_arrays(patterns: list[Pattern]) -> tuple[Any, Any, Any]:
    counts, cells, modes = zip(*patterns)
    return np.array(counts, np.int64), np.array(cells, np.int64), np.array(modes, np.int64)


def fill_shapes(counts: Any, cells: Any, modes: Any, complete: Any, lack: Any) -> None:
    """Write, for every code, the modes it completes and the tiles missing for each mode and cell."""
    ranks = counts.shape[1]
    held = ((np.arange(len(complete))[:, None] >> 2 * np.arange(ranks)) & 3).astype(np.int8)
    wanted = counts.astype(np.int8)
    missing = np.zeros((len(held), len(wanted)), np.int8)  # (code, pattern)
    for rank in range(ranks):
        missing += np.maximum(wanted[:, rank] - held[:, rank, None], 0)
    exact = (missing == 0) & (held.sum(axis=1)[:, None] == wanted.sum(axis=1))
    lack[:] = FAR
    for mode in range(MODES):
        serves = (modes >> mode) & 1 == 1
        complete |= exact[:, serves].any(axis=1).astype(np.uint8) << mode
        for cell in np.unique(cells[serves]):
            lack[:, mode * CELLS + cell] = missing[:, serves & (cells == cell)].min(axis=1)


@kernel
def fill_live_row(counts: Any, cells: Any, modes: Any, hand: Any, live: Any, row: Any) -> None:
    """Write the row of one suit's `hand`, using only tiles that are held or `live` (both int[ranks])."""
    row[:] = FAR
    for i in range(len(counts)):
        missing = 0
        for rank in range(counts.shape[1]):
            lack = max(counts[i, rank] - int(hand[rank]), 0)
            missing += lack if lack <= live[rank] else FAR
        for mode in range(MODES):
            place = mode * CELLS + cells[i]
            if (modes[i] >> mode) & 1 and missing < row[place]:
                row[place] = missing
