"""Did luck adjustment lower the variance and keep the mean? Tests and intervals as pure functions.

Throughout, x are raw results (ranks, say) and y the same games' results without luck; y - x is the luck term. Numbers
in brackets are the equations of Ogami et al. (2022). The paper compares x and y as if they were independent samples.
They are pairs, one of each from every game, so paired tests are sharper: Pitman and Morgan's for the variances, and a
test on the mean of y - x for the means. Ranks are not normal, so the most reliable interval for a ratio of variances
comes from the games' own spread (`variance_ratio`), which also handles games that share walls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, inf, sqrt
from typing import Final

import numpy as np

from janshi.arena.bootstrap import REPEATS, bootstrap
from janshi.arena.stats import (
    LEVEL,
    Estimate,
    Floats,
    Numbers,
    cluster_index,
    cluster_sums,
    mean,
    need_walls,
    one_column,
    t_quantile,
)

ALPHA: Final = 0.05
LEAST: Final = 3
"""Minimum number of games for a test of paired variances."""


# --- variances


@dataclass(frozen=True, slots=True)
class VarianceTest:
    """One-sided test that y varies less than x."""

    ratio: float
    """f, variance of y over variance of x (11)."""
    critical: float
    """Equal variances are rejected if f is below this."""
    p_value: float

    @property
    def significant(self) -> bool:
        """Whether y varies significantly less."""
        return self.ratio < self.critical


def f_test(
    x_variance: float, y_variance: float, x_games: int, y_games: int | None = None, alpha: float = ALPHA
) -> VarianceTest:
    """The paper's F-test (11) from unbiased variances; y has as many games as x by default."""
    from scipy.special import fdtr, fdtri

    if x_variance <= 0 or y_variance < 0:
        raise ValueError(f"variances must be positive, got {x_variance} and {y_variance}")
    free_x, free_y = x_games - 1, (x_games if y_games is None else y_games) - 1
    if min(free_x, free_y) < 1:
        raise ValueError("an F-test needs at least two games of each")
    ratio = y_variance / x_variance
    return VarianceTest(ratio, float(fdtri(free_y, free_x, alpha)), float(fdtr(free_y, free_x, ratio)))


def f_test_of(x: Numbers, y: Numbers, alpha: float = ALPHA) -> VarianceTest:
    """The F-test (11) from samples."""
    first, second = one_column("x", x), one_column("y", y)
    return f_test(variance(first), variance(second), len(first), len(second), alpha)


@dataclass(frozen=True, slots=True)
class PairedVarianceTest:
    """Pitman and Morgan's test that y varies less than x, both from the same games."""

    ratio: float
    t: float
    """Student's t of the correlation of y - x and y + x, with n - 2 degrees of freedom; negative if y varies less."""
    p_value: float
    """One-sided."""
    correlation: float
    """Of x and y."""


def pitman_morgan(x: Numbers, y: Numbers) -> PairedVarianceTest:
    """Test paired variances: cov(y - x, y + x) = var y - var x, so equal variances mean no correlation.

    Exact if (x, y) is bivariate normal. It beats the F-test by more, the more x and y correlate.
    """
    from scipy.special import stdtr

    first, second = _pairs(x, y)
    ratio = variance(second) / variance(first)
    less, more = second - first, second + first
    if not (np.ptp(less) > 0 and np.ptp(more) > 0):
        raise ValueError("x and y differ by a constant: there are no variances to compare")
    r, free = _correlation(less, more), len(first) - 2
    t = r * sqrt(free / (1 - r * r)) if abs(r) < 1 else r * inf
    return PairedVarianceTest(ratio, t, float(stdtr(free, t)), _correlation(first, second))


def normal_variance_ratio(x: Numbers, y: Numbers, level: float = LEVEL) -> Estimate:
    """Variance of y over variance of x with the interval of the ratios that Pitman and Morgan's test does not reject.

    With r the correlation and K = 1 + 2 t² (1 - r²) / (n - 2) it is ratio · (K ± √(K² - 1)). For normal pairs.
    """
    first, second = _pairs(x, y)
    ratio, r = variance(second) / variance(first), _correlation(first, second)
    k = 1 + 2 * t_quantile(level, len(first) - 1) ** 2 * (1 - r * r) / (len(first) - 2)
    reach = k + sqrt(k * k - 1)
    error = 2 * ratio * sqrt((1 - r * r) / (len(first) - 2))
    return Estimate(ratio, ratio / reach, ratio * reach, error, level, len(first), len(first))


def variance_ratio(x: Numbers, y: Numbers, wall: Numbers | None = None, level: float = LEVEL) -> Estimate:
    """Variance of y over variance of x from pairs of any distribution, by the spread of the games themselves.

    Game i pulls the logarithm of the ratio by (y_i - mean y)² / var y - (x_i - mean x)² / var x; the interval is that
    of the mean pull, with games of one wall set taken together. `wall` numbers the wall sets; None: all independent.
    """
    first, second = _pairs(x, y)
    ratio = variance(second) / variance(first)
    pull = (second - second.mean()) ** 2 / variance(second) - (first - first.mean()) ** 2 / variance(first)
    spread = mean(pull, np.arange(len(first)) if wall is None else wall, level)
    reach = exp(spread.half_width)
    return Estimate(ratio, ratio / reach, ratio * reach, ratio * spread.error, level, spread.walls, len(first))


def variance_ratio_bootstrap(
    x: Numbers, y: Numbers, wall: Numbers | None = None, level: float = LEVEL, repeats: int = REPEATS, seed: int = 0
) -> Estimate:
    """The same ratio by bootstrapping games (or wall sets), as a check on the formula."""
    first, second = _pairs(x, y)
    index, walls = cluster_index(np.arange(len(first)) if wall is None else wall)
    a, b = first - first.mean(), second - second.mean()  # differences of squares of small numbers keep their digits
    sums = cluster_sums(np.column_stack((np.ones(len(a)), a, a * a, b, b * b)), index, walls)
    return bootstrap(sums, _ratio_of_sums, level, repeats, seed, len(first))


def _ratio_of_sums(sums: Floats) -> Floats:
    """Ratio of variances from n, Σx, Σx², Σy, Σy²."""
    n, x, xx, y, yy = sums.T
    out: Floats = np.full(len(sums), np.nan)
    np.divide(yy - y * y / n, xx - x * x / n, out=out, where=xx - x * x / n > 0)
    return out


# --- means


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Test that two means differ by less than delta, in both directions."""

    difference: float
    """Mean of x minus mean of y."""
    error: float
    """Its standard error."""
    delta: float
    z1: float
    """(difference - delta) / error: far below zero if the difference is less than delta (12)."""
    z2: float
    """(-difference - delta) / error: the other direction (13)."""
    p_value: float
    """Of the direction that is harder to reject; both must be rejected."""
    alpha: float

    @property
    def z(self) -> float:
        """The statistic of the direction in which the means differ, which is the harder one."""
        return max(self.z1, self.z2)

    @property
    def equivalent(self) -> bool:
        """Whether the means are significantly within delta of each other."""
        return self.p_value < self.alpha


def equivalence(
    x_mean: float, y_mean: float, x_variance: float, y_variance: float, games: int, delta: float, alpha: float = ALPHA
) -> Equivalence:
    """The paper's unpaired test (12), (13) from means and unbiased variances, over `games` games each."""
    from scipy.special import ndtr

    error = sqrt((x_variance + y_variance) / games)
    return _equivalence(x_mean - y_mean, error, delta, alpha, lambda z: float(ndtr(z)))


def equivalence_of(x: Numbers, y: Numbers, delta: float, alpha: float = ALPHA) -> Equivalence:
    """The unpaired test (12), (13) from samples of the same games."""
    first, second = _pairs(x, y)
    games = len(first)
    return equivalence(
        float(first.mean()), float(second.mean()), variance(first), variance(second), games, delta, alpha
    )


def paired_equivalence(luck: Numbers, delta: float, wall: Numbers | None = None, alpha: float = ALPHA) -> Equivalence:
    """Test that mean luck is zero within delta: the paired test, on the luck term alone.

    Its error is that of L = y - x, which is far smaller than those of x and y, because they share most of their
    variation. With `wall`, games of one wall set count together.
    """
    from scipy.special import stdtr

    lucks = one_column("luck", luck)
    found = mean(lucks, np.arange(len(lucks)) if wall is None else wall)
    return _equivalence(found.value, found.error, delta, alpha, lambda t: float(stdtr(found.walls - 1, t)))


def _equivalence(
    difference: float, error: float, delta: float, alpha: float, below: Callable[[float], float]
) -> Equivalence:
    if delta <= 0:
        raise ValueError(f"delta, the difference that does not matter, must be positive; got {delta}")
    if not error > 0:
        raise ValueError("there is no spread to test by: all values are the same")
    z1, z2 = (difference - delta) / error, (-difference - delta) / error
    return Equivalence(difference, error, delta, z1, z2, below(max(z1, z2)), alpha)


# --- players


@dataclass(frozen=True, slots=True)
class PlayerTest:
    """Answers to both questions for the games of one player."""

    name: str
    games: int
    variances: VarianceTest
    paired: PairedVarianceTest
    means: Equivalence
    """Unpaired, as in the paper."""
    luck: Equivalence
    """Paired, on the luck term."""


def judge_player(name: str, x: Numbers, y: Numbers, delta: float, alpha: float = ALPHA) -> PlayerTest:
    """Test variances and means, unpaired and paired, of one player's games."""
    first, second = _pairs(x, y)
    return PlayerTest(
        name,
        len(first),
        f_test_of(first, second, alpha),
        pitman_morgan(first, second),
        equivalence_of(first, second, delta, alpha),
        paired_equivalence(first - second, delta, alpha=alpha),
    )


def weighted_ratio(
    x: Numbers, y: Numbers, player: Sequence[str] | Numbers, wall: Numbers | None = None, level: float = LEVEL
) -> Estimate:
    """Each player's ratio of variances, weighted by their games: Σ m_j / M · var y_j / var x_j (14).

    There is one entry per game and player. The interval is as in `variance_ratio`, with each game pulling its own
    player's ratio; `wall` numbers entries that belong together, such as several players' entries of one game.
    """
    first, second = _pairs(x, y)
    who, players = cluster_index(np.asarray(player))
    if len(who) != len(first):
        raise ValueError(f"{len(first)} results need as many players, got {len(who)}")
    total, pull = 0.0, np.zeros(len(first))
    for j in range(players):
        mine = who == j
        one = variance_ratio(first[mine], second[mine])
        total += float(mine.mean()) * one.value
        for values, sign in ((second[mine], 1), (first[mine], -1)):
            pull[mine] += sign * one.value * (values - values.mean()) ** 2 / variance(values)
    spread = mean(pull, np.arange(len(first)) if wall is None else wall, level)
    reach = spread.half_width
    return Estimate(total, total - reach, total + reach, spread.error, level, spread.walls, len(first))


# --- building blocks


def variance(values: Floats) -> float:
    """Unbiased variance (1)."""
    return float(values.var(ddof=1))


def _pairs(x: Numbers, y: Numbers) -> tuple[Floats, Floats]:
    """Two columns of the same games with some spread in both."""
    first = one_column("x", x)
    second = one_column("y", y, len(first))
    need_walls(len(first), LEAST, "a paired test")
    if not (np.ptp(first) > 0 and np.ptp(second) > 0):
        raise ValueError("all results are the same: there is no variance to compare")
    return first, second


def _correlation(x: Floats, y: Floats) -> float:
    return float(np.clip(np.corrcoef(x, y)[0, 1], -1, 1))
