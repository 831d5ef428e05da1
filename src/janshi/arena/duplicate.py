"""The difference between two contestants, and the gain from duplicate walls.

One formula covers two designs. Either both sit at the same tables, and every game gives a difference; or each plays
the same wall sets at separate tables. With N_a games of a and N_b of b in their common wall sets, game g adds

    ψ_g = [a plays] (a_g - mean a) / N_a  -  [b plays] (b_g - mean b) / N_b

to the estimate mean a - mean b. Clustered variance: W/(W-1) Σ_w (Σ_{g in w} ψ_g)², W wall sets. Independent variance:
the same numbers of games, each on its own wall set, which is Σ_g ψ_g² plus a small correction because the means
are estimated.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf, nan, sqrt
from typing import Final

import numpy as np

from janshi.arena.bootstrap import REPEATS, bootstrap
from janshi.arena.stats import (
    LEVEL,
    TINY,
    Estimate,
    Floats,
    Ints,
    Numbers,
    cluster_index,
    cluster_sums,
    known_error,
    need_walls,
    one_column,
    t_quantile,
)

LEAST_FOR_GAIN: Final = 10
COLUMNS: Final = 4
"""Columns of a game: a's value, whether a plays, b's value, whether b plays."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Mean of a minus mean of b."""

    estimate: Estimate
    gain: float
    """Variance of independent games over the variance achieved: how many independent games each game was worth."""
    independent_error: float
    """Standard error that the same number of independent games would have had."""
    a_games: int
    b_games: int

    @property
    def effective_games(self) -> float:
        """How many independent games would have given the same precision."""
        return self.gain * self.estimate.games


def difference(a: Numbers, b: Numbers, wall: Numbers, level: float = LEVEL) -> Difference:
    """Mean of a minus mean of b over the wall sets that both played, clustered by wall set.

    `a` and `b` have one value per game, NaN if the contestant did not play. The gain compares two variances of this
    difference, both from these data: that of as many games with every game on its own wall set (and as many
    of them shared by both contestants as here), over the clustered one. It measures the effect of replaying walls, not
    of sitting at one table: a difference at one table varies more than the difference of two tables, in both
    variances.
    """
    games, index, walls = _paired_games(a, b, wall)
    totals = cluster_sums(_moments(games, index, walls), np.zeros(walls, np.intp), 1)
    clustered, independent = (float(v[0]) for v in _variances(totals, walls))
    number = games[:, [1, 3]].sum(axis=0)
    value = float(games[:, 0].sum() / number[0] - games[:, 2].sum() / number[1])
    if abs(value) <= TINY * float(np.abs(games[:, [0, 2]]).max()):
        value = 0.0  # equal but for rounding, which a test without any spread would mistake for certainty
    error = known_error(sqrt(clustered), sqrt(independent), walls)
    reach = t_quantile(level, walls) * error
    estimate = Estimate(value, value - reach, value + reach, error, level, walls, len(games))
    return Difference(estimate, _quotient(independent, clustered), sqrt(independent), int(number[0]), int(number[1]))


def gain_interval(a: Numbers, b: Numbers, wall: Numbers, level: float = LEVEL) -> Estimate:
    """`Difference.gain` with an interval: the jackknife over wall sets on the logarithm, with Student's quantile.

    It covers better than the bootstrap if wall sets are few (see `docs/evaluation.md`). Without a finite gain, as
    when all wall sets give the same value, the bounds are NaN.
    """
    games, index, walls = _paired_games(a, b, wall)
    need_walls(walls, LEAST_FOR_GAIN, "an interval of a gain")
    moments = _moments(games, index, walls)
    totals = moments.sum(axis=0, keepdims=True)
    gain = float(_gains(totals, walls)[0])
    logs = np.log(_gains(totals - moments, walls - 1))
    error = sqrt((walls - 1) / walls * float(((logs - logs.mean()) ** 2).sum()))
    reach = exp(t_quantile(level, walls) * error)
    return Estimate(gain, gain / reach, gain * reach, gain * error, level, walls, len(games))


def gain_bootstrap(
    a: Numbers, b: Numbers, wall: Numbers, level: float = LEVEL, repeats: int = REPEATS, seed: int = 0
) -> Estimate:
    """The same interval by drawing wall sets with replacement; a cross-check for 100 wall sets or more."""
    games, index, walls = _paired_games(a, b, wall)
    need_walls(walls, LEAST_FOR_GAIN, "an interval of a gain")
    moments = _moments(games, index, walls)
    return bootstrap(moments, lambda totals: _gains(totals, walls), level, repeats, seed, len(games))


def _gains(totals: Floats, walls: int) -> Floats:
    """Gain of each row of summed moments, NaN where the clustered variance is zero."""
    clustered, independent = _variances(totals, walls)
    out: Floats = np.full(len(totals), np.nan)
    return np.divide(independent, clustered, out=out, where=clustered > 0)


def _paired_games(a: Numbers, b: Numbers, wall: Numbers) -> tuple[Floats, Ints, int]:
    """Games (n, 4) of the wall sets that both played, the wall set of each, and how many."""
    first = one_column("a", a)
    second = one_column("b", b, len(first))
    numbers = np.asarray(wall)
    one_column("wall", numbers, len(first))
    plays = ~np.isnan(np.column_stack((first, second)))
    index, walls = cluster_index(numbers)
    common = np.all(cluster_sums(plays, index, walls) > 0, axis=1)
    kept = common[index] & plays.any(axis=1)
    need_walls(int(common.sum()), what="a difference")
    index, walls = cluster_index(numbers[kept])
    values = np.where(plays, np.column_stack((first, second)), 0.0)
    games = np.column_stack((values[:, 0], plays[:, 0], values[:, 1], plays[:, 1]))[kept]
    return games, index, walls


def _moments(games: Floats, index: Ints, walls: int) -> Floats:
    """Per wall set: sums (4), products of the sums (16), sums of the products (16), about the overall means."""
    number = games[:, [1, 3]].sum(axis=0)
    centred = games.copy()
    centred[:, [0, 2]] -= games[:, [1, 3]] * (games[:, [0, 2]].sum(axis=0) / number)
    sums = cluster_sums(centred, index, walls)
    products = (centred[:, :, None] * centred[:, None, :]).reshape(len(games), -1)
    between = (sums[:, :, None] * sums[:, None, :]).reshape(walls, -1)
    return np.concatenate((sums, between, cluster_sums(products, index, walls)), axis=1)


def _variances(totals: Floats, walls: int) -> tuple[Floats, Floats]:
    """Clustered and independent variance of the difference, from moments summed over wall sets: (repeats, 36) each."""
    sums = totals[:, :COLUMNS]
    between = totals[:, COLUMNS : COLUMNS + 16].reshape(-1, COLUMNS, COLUMNS)
    within = totals[:, COLUMNS + 16 :].reshape(-1, COLUMNS, COLUMNS)
    n_a, n_b = sums[:, 1], sums[:, 3]
    zero = np.zeros_like(n_a)
    # ψ of a game or a wall set is its row of (a, [a], b, [b]) times these weights
    of_a = np.stack((1 / n_a, -sums[:, 0] / n_a**2, zero, zero), axis=1)
    of_b = np.stack((zero, zero, 1 / n_b, -sums[:, 2] / n_b**2), axis=1)
    psi = of_a - of_b
    scale = walls / (walls - 1)
    clustered = scale * _form(psi, between, psi)
    correction = scale * (
        _form(of_a, between, of_a) / n_a
        + _form(of_b, between, of_b) / n_b
        - 2 * _form(of_a, between, of_b) * within[:, 1, 3] / (n_a * n_b)
    )
    independent = np.maximum(_form(psi, within, psi) + correction, 0.0)
    clustered = np.where(clustered <= TINY * independent, 0.0, clustered)
    return clustered, independent


def _form(left: Floats, matrix: Floats, right: Floats) -> Floats:
    """Quadratic form, row by row."""
    return np.asarray(np.einsum("ri,rij,rj->r", left, matrix, right))


def _quotient(over: float, under: float) -> float:
    """Quotient that handles zero: NaN if both are zero, infinite if only the denominator is."""
    if under > 0:
        return over / under
    return inf if over > 0 else nan
