"""Means, ratios and rates of a match, with intervals that account for duplicate walls.

Games of one wall set share their luck, so they are not independent observations: the unit of every interval here is the
*wall set* (a cluster). Data are plain arrays, one entry per game: a value (rank, points, a count of wins …), NaN
if the contestant did not play, and `wall`, the number of the game's wall set. A match without duplicate walls has
`wall = arange(games)`.

The estimate is a ratio of sums, r = Σy / Σn (n = 1 for a mean), so that partly played wall sets count in proportion.
With e_w = y_w - r n_w, the sums over wall set w, and W wall sets, its variance is W/(W-1) Σ e_w² / (Σn)²;
intervals use Student's t with W - 1 degrees of freedom. A few wall sets can agree by chance, which says nothing about
the spread: below `FEW_WALLS`, a spread of zero is replaced by that of single games. If they agree too, it is NaN.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, nan, sqrt
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]
Numbers = npt.ArrayLike

LEVEL: Final = 0.95
LEAST_WALLS: Final = 2
"""Minimum number of wall sets: with fewer, the spread is unknown."""
FEW_WALLS: Final = 5
"""Fewer wall sets often agree by chance: two sets of four games do so one time in six."""
TINY: Final = 1e-12
"""A spread of smaller relative size is rounding error."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number, its interval, and the data behind it."""

    value: float
    low: float
    high: float
    error: float
    """Standard error, clustered by wall set; it and the bounds are NaN with too few wall sets to know."""
    level: float
    """Level of the interval: 0.95 is a 95 % interval."""
    walls: int
    games: int

    @property
    def half_width(self) -> float:
        """Half of the interval's width."""
        return (self.high - self.low) / 2

    @property
    def unknown(self) -> bool:
        """Whether there are too few wall sets for an interval."""
        return isnan(self.low)

    def p_value(self, null: float = 0.0) -> float:
        """Two-sided p-value of the t-test that the true value is `null`.

        If all wall sets agree, the t-test would be certain: the sign test, which needs no spread, takes its place.
        """
        from scipy.special import stdtr

        if self.error == 0:
            return 1.0 if self.value == null else 2.0 ** (1 - self.walls)
        return float(2 * stdtr(self.walls - 1, -abs(self.value - null) / self.error))

    def __str__(self) -> str:
        return f"{self.value:.4g} [{self.low:.4g}, {self.high:.4g}]"


# --- building blocks


def t_quantile(level: float, walls: int) -> float:
    """How many standard errors a two-sided interval of this level reaches, with walls - 1 degrees of freedom."""
    from scipy.special import stdtrit

    if not 0 < level < 1:
        raise ValueError(f"the level of an interval lies between 0 and 1, such as 0.95; got {level}")
    return float(stdtrit(walls - 1, (1 + level) / 2))


def cluster_index(wall: Numbers) -> tuple[Ints, int]:
    """Number the wall sets 0, 1, … in ascending order; returns the number for each game, and how many there are."""
    names, index = np.unique(np.asarray(wall), return_inverse=True)
    return index.astype(np.intp), len(names)


def cluster_sums(columns: Numbers, index: Ints, walls: int) -> Floats:
    """Sum each column over the games of a wall set: (games, m) -> (walls, m)."""
    values = np.asarray(columns, np.float64)
    return np.stack([np.bincount(index, column, walls) for column in values.T], axis=1)


def one_column(name: str, values: Numbers, games: int | None = None) -> Floats:
    """Check that values are one number per game."""
    column = np.asarray(values, np.float64)
    if column.ndim != 1 or (games is not None and len(column) != games):
        expected = "one number per game" if games is None else f"one number for each of the {games} games"
        raise ValueError(f"{name} must be {expected}, got an array of shape {column.shape}")
    return column


def need_walls(walls: int, least: int = LEAST_WALLS, what: str = "an interval") -> None:
    """Refuse too few wall sets."""
    if walls < least:
        raise ValueError(f"{what} needs results of at least {least} wall sets, got {walls}")


def known_error(clustered: float, independent: float, walls: int) -> float:
    """The clustered standard error, unless a few wall sets agree by chance: then that of independent games.

    If single games agree as well, it is NaN.
    """
    if clustered > 0 or walls >= FEW_WALLS:
        return clustered
    return independent if independent > 0 else nan


# --- means, ratios, rates


def mean(values: Numbers, wall: Numbers, level: float = LEVEL) -> Estimate:
    """Mean over games, such as the average rank or the points of a contestant; NaN if they did not play."""
    column = one_column("values", values)
    return ratio(column, np.where(np.isnan(column), np.nan, 1.0), wall, level)


def means(values: Numbers, wall: Numbers, level: float = LEVEL) -> list[Estimate]:
    """Mean of each contestant: values (games, contestants)."""
    table = np.asarray(values, np.float64)
    if table.ndim != 2:
        raise ValueError(f"values must be (games, contestants), got an array of shape {table.shape}")
    return [mean(column, wall, level) for column in table.T]


def ratio(numerator: Numbers, denominator: Numbers, wall: Numbers, level: float = LEVEL) -> Estimate:
    """Ratio of sums over games, such as fan per win; games with NaN in either are left out.

    The interval is the linearised (delta method) one of the module's docstring.
    """
    value, error, walls, games = _clustered_ratio(numerator, denominator, wall)
    reach = t_quantile(level, walls) * error
    return Estimate(value, value - reach, value + reach, error, level, walls, games)


def rate(count: Numbers, of: Numbers, wall: Numbers, level: float = LEVEL) -> Estimate:
    """Share of `of` that are counted, such as wins among hands, with an interval that stays within 0 and 1.

    The interval is Wilson's score interval for the effective number of trials p (1 - p) / error², with Student's
    quantile. If none or all are counted, the error is unknown, and each wall set counts as one trial.
    """
    p, error, walls, games = _clustered_ratio(count, of, wall)
    if not -TINY <= p <= 1 + TINY:
        raise ValueError(f"a rate counts some of its trials: the share must lie between 0 and 1, got {p:.4g}")
    spread = p * (1 - p)
    per_trial = error**2 / spread if spread > TINY else 1 / walls
    z = t_quantile(level, walls)
    scale = 1 + z * z * per_trial
    middle = (p + z * z * per_trial / 2) / scale
    reach = z * sqrt(max(spread, 0.0) * per_trial + (z * per_trial / 2) ** 2) / scale
    return Estimate(p, max(middle - reach, 0.0), min(middle + reach, 1.0), error, level, walls, games)


def _clustered_ratio(numerator: Numbers, denominator: Numbers, wall: Numbers) -> tuple[float, float, int, int]:
    """Ratio of sums, its clustered standard error, wall sets and games."""
    y = one_column("the numerator", numerator)
    n = one_column("the denominator", denominator, len(y))
    numbers = np.asarray(wall)
    one_column("wall", numbers, len(y))
    known = ~(np.isnan(y) | np.isnan(n))
    games = np.column_stack((y[known], n[known]))
    index, walls = cluster_index(numbers[known])
    sums = cluster_sums(games, index, walls)
    sums = sums[sums[:, 1] > 0]
    walls = len(sums)
    need_walls(walls)
    total = float(sums[:, 1].sum())
    value = float(sums[:, 0].sum()) / total
    error = known_error(_error(sums, value), _error(games[games[:, 1] > 0], value), walls)
    return value, error, walls, len(games)


def _error(sums: Floats, value: float) -> float:
    """Standard error of a ratio from independent pairs of sums (n, 2): the module's formula."""
    residuals = sums[:, 0] - value * sums[:, 1]
    spread = float(residuals @ residuals)
    if spread <= (TINY * float(np.abs(sums[:, 0]).max())) ** 2:
        return 0.0
    return sqrt(spread * len(sums) / (len(sums) - 1)) / float(sums[:, 1].sum())


# --- ranks, seats, wall sets


def rank_distribution(counts: Numbers, wall: Numbers, level: float = LEVEL) -> list[Estimate]:
    """Share of first, second … ranks: counts (games, ranks) says how many of the contestant's seats took each rank."""
    table = np.asarray(counts, np.float64)
    if table.ndim != 2:
        raise ValueError(f"counts must be (games, ranks), got an array of shape {table.shape}")
    seats = table.sum(axis=1)
    return [rate(column, seats, wall, level) for column in table.T]


def rank_counts(ranks: Numbers, holders: Numbers, contestant: Any, players: int) -> Floats:
    """Count (games, players) a contestant's ranks 1..players, from ranks and holders, both (games, seats).

    Seats that share a rank (the mean of the ranks they fill, such as 2.5) take equal parts of those ranks.
    """
    places = np.asarray(ranks, np.float64)
    held = np.asarray(holders) == contestant
    if places.shape != held.shape or places.ndim != 2:
        raise ValueError(f"ranks and holders must both be (games, seats), got {places.shape} and {held.shape}")
    if held.any() and not ((places[held] >= 1) & (places[held] <= players)).all():
        raise ValueError(f"a rank lies between 1 and {players}")
    sharing = (places[:, :, None] == places[:, None, :]).sum(axis=2)[:, :, None]
    filled = np.abs(places[:, :, None] - np.arange(1, players + 1)) <= (sharing - 1) / 2
    counts: Floats = np.where(held[:, :, None] & filled, 1 / np.maximum(sharing, 1), 0.0).sum(axis=1)
    return counts


def per_contestant(values: Numbers, holders: Numbers, contestants: Sequence[Any], total: bool = False) -> Floats:
    """Mean over a contestant's seats, (games, seats) -> (games, contestants), NaN if absent; the sum with `total`.

    `holders` says who holds each seat. Means are for ranks and points, sums for counts that a rate is made of.
    """
    table, seats = np.asarray(values, np.float64), np.asarray(holders)
    if table.shape != seats.shape or table.ndim != 2:
        raise ValueError(f"values and holders must both be (games, seats), got {table.shape} and {seats.shape}")
    held = np.stack([seats == name for name in contestants], axis=2)  # (games, seats, contestants)
    number = held.sum(axis=1)
    sums = np.where(held, table[:, :, None], 0.0).sum(axis=1)
    return np.where(number > 0, sums if total else sums / np.maximum(number, 1), np.nan)


def wall_means(values: Numbers, wall: Numbers, complete: int | None = None) -> Floats:
    """Mean of each wall set in the order of their numbers: the input of a sequential test.

    With `complete`, the number of games of a whole wall set, the result stops before the first incomplete one: a
    test that used wall sets as they finish would favour short games.
    """
    column = one_column("values", values)
    one_column("wall", wall, len(column))
    known = ~np.isnan(column)
    names, first = np.unique(np.asarray(wall), return_inverse=True)
    played = np.bincount(first[known], minlength=len(names))
    totals = np.bincount(first[known], column[known], len(names))
    if complete is not None:
        short = np.flatnonzero(played < complete)
        end = int(short[0]) if len(short) else len(names)
        played, totals = played[:end], totals[:end]
    return totals[played > 0] / played[played > 0]
