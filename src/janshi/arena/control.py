"""Less luck by a control variate: the results of a baseline on the same walls in the same seats.

After Davidson, Archibald and Bowling, "Baseline: Practical Control Variates for Agent Evaluation in Zero-Sum Domains"
(AAMAS 2013). A baseline plays itself on the same wall; b is its result in the contestant's seat. Its mean over all
seats is known by symmetry, 0 points or rank 2.5, so that

    mean( x - c (b - E b) )

has the same mean as x for any c, and less spread if x and b are correlated. The best c is the slope of x on b; a slope
fitted to the same games would bias the mean, so each fold of wall sets uses the slope of the other folds.

There are two conditions. The seats of x must be balanced: E b is known for the average over seats, not for one seat.
And if a whole rotation is played on each wall, the baseline's values of one wall set sum to a constant and nothing is
gained: a full rotation has already cancelled the same luck.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, nan
from typing import Final

import numpy as np

from janshi.arena.stats import (
    LEVEL,
    Estimate,
    Floats,
    Ints,
    Numbers,
    cluster_index,
    cluster_sums,
    mean,
    need_walls,
    one_column,
)

FOLDS: Final = 10
SPARE: Final = 3
"""Wall sets needed beyond one for each coefficient."""


@dataclass(frozen=True, slots=True)
class Controlled:
    """A mean with some of its luck removed."""

    estimate: Estimate
    plain: Estimate
    """The mean of the same games without the control variate."""
    gain: float
    """Variance of the plain mean over that of the adjusted one."""
    coefficients: tuple[float, ...]
    """c of each baseline, averaged over the folds."""

    @property
    def effective_games(self) -> float:
        """How many games the plain mean would have needed."""
        return self.gain * self.estimate.games


def controlled_mean(
    values: Numbers, baseline: Numbers, expected: Numbers, wall: Numbers, level: float = LEVEL, folds: int = FOLDS
) -> Controlled:
    """Mean of the values, adjusted by one baseline (games,) or several (games, baselines) of known expectation.

    Games where a value is NaN are left out; a NaN of the baseline is an error. Slopes are those of wall-set sums, which
    minimise the clustered variance of the interval.
    """
    x = one_column("values", values)
    luck = _luck(baseline, expected, len(x))
    numbers = np.asarray(wall)
    one_column("wall", numbers, len(x))
    known = ~np.isnan(x)
    x, luck, numbers = x[known], luck[known], numbers[known]
    if np.isnan(luck).any():
        raise ValueError("the baseline lacks a value for a game that the contestant played")
    slopes, index, fold = _cross_fitted(x, luck, numbers, folds)
    adjusted = x - (luck * slopes[fold[index]]).sum(axis=1)
    plain, estimate = mean(x, numbers, level), mean(adjusted, numbers, level)
    return Controlled(estimate, plain, _gain(plain, estimate), tuple(float(c) for c in slopes.mean(axis=0)))


def _luck(baseline: Numbers, expected: Numbers, games: int) -> Floats:
    """The baseline's values minus their expectation: (games, baselines)."""
    table = np.asarray(baseline, np.float64)
    table = table[:, None] if table.ndim == 1 else table
    centre = np.atleast_1d(np.asarray(expected, np.float64))
    if table.ndim != 2 or len(table) != games or centre.shape != (table.shape[1],):
        raise ValueError(
            f"the baseline must be ({games} games, baselines) with one expectation for each baseline, "
            f"got shapes {table.shape} and {centre.shape}"
        )
    return table - centre


def _cross_fitted(x: Floats, luck: Floats, wall: Numbers, folds: int) -> tuple[Floats, Ints, Ints]:
    """Slopes (folds, baselines), each from the other folds; the wall set of each game; the fold of each wall set."""
    index, walls = cluster_index(wall)
    baselines = luck.shape[1]
    need_walls(walls, baselines + SPARE, "a control variate")
    if folds < 2:
        raise ValueError(f"cross-fitting needs at least 2 folds, got {folds}")
    folds = min(folds, walls)
    fold = np.arange(walls) % folds
    # y of a wall set on its number of games and its luck: the first slope is the mean
    design = cluster_sums(np.column_stack((np.ones(len(x)), luck)), index, walls)
    answer = cluster_sums(x[:, None], index, walls)
    products = design[:, :, None] * np.concatenate((design, answer), axis=1)[:, None, :]
    by_fold = np.stack([products[fold == k].sum(axis=0) for k in range(folds)])
    others = by_fold.sum(axis=0) - by_fold
    # scaled to ones on the diagonal, so that a baseline without spread is recognised
    scale = np.sqrt(np.maximum(np.einsum("kii->ki", others[:, :, :-1]), 1e-300))
    gram = others[:, :, :-1] / (scale[:, :, None] * scale[:, None, :])
    solved = np.linalg.pinv(gram, rcond=1e-10, hermitian=True) @ (others[:, :, -1:] / scale[:, :, None])
    return solved[:, 1:, 0] / scale[:, 1:], index, fold


def _gain(plain: Estimate, adjusted: Estimate) -> float:
    """Variance ratio that handles zero."""
    if adjusted.error > 0:
        return (plain.error / adjusted.error) ** 2
    return inf if adjusted.error == 0 < plain.error else nan
