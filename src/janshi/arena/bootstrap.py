"""The bootstrap over wall sets: draw wall sets with replacement and recompute the figure, many times."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from janshi.arena.stats import LEVEL, Estimate, Floats, Numbers, need_walls

REPEATS: Final = 2000
AT_ONCE: Final = 4_000_000
"""Drawn wall sets held in memory at a time."""


def resampled(sums: Floats, repeats: int = REPEATS, seed: int = 0) -> Floats:
    """Sum the columns of (walls, m) over wall sets drawn with replacement, many times: (repeats, m).

    The same seed gives the same draws.
    """
    walls = len(sums)
    rng = np.random.default_rng(seed)
    step = max(1, AT_ONCE // walls)
    parts = []
    for start in range(0, repeats, step):
        rows = min(step, repeats - start)
        drawn = rng.integers(walls, size=(rows, walls)) + np.arange(rows)[:, None] * walls
        weights = np.bincount(drawn.ravel(), minlength=rows * walls).reshape(rows, walls)
        parts.append(weights.astype(np.float64) @ sums)
    return np.concatenate(parts)


def bootstrap(
    sums: Numbers,
    statistic: Callable[[Floats], Floats],
    level: float = LEVEL,
    repeats: int = REPEATS,
    seed: int = 0,
    games: int = 0,
) -> Estimate:
    """Percentile interval of a statistic of sums over wall sets.

    `sums` is (walls, m), one row per wall set (see `cluster_sums`); `statistic` takes totals (repeats, m) to
    (repeats,), for a mean `lambda s: s[:, 0] / s[:, 1]` with value and number of games as columns. Resamples without
    an answer (NaN) are left out. It serves to check formulas, and where there is no formula.
    """
    table = np.asarray(sums, np.float64)
    if table.ndim != 2:
        raise ValueError(f"sums must be (wall sets, columns), got an array of shape {table.shape}")
    need_walls(len(table), what="a bootstrap")
    value = float(statistic(table.sum(axis=0, keepdims=True))[0])
    draws = statistic(resampled(table, repeats, seed))
    draws = draws[~np.isnan(draws)]
    if len(draws) < repeats / 2:
        raise ValueError("the statistic is undefined in most resamples: too few wall sets")
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
    return Estimate(value, float(low), float(high), float(draws.std(ddof=1)), level, len(table), games)
