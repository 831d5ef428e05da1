"""Results without luck, by hand, game and player, with the luck split by source.

Three estimates of a player's strength from the same games:

- *raw*: the plain mean of ranks or points (Monte Carlo);
- *adjusted*: the mean of rank + luck, or of points - luck (MIVAT). Its expectation equals that of the raw mean for any
  value function, since the luck of every chance event has mean zero. This is the default;
- *fitted*: each source's luck is multiplied by its own coefficient, as a control variate. Each part of the games uses
  coefficients fitted to the other parts, so the mean keeps its expectation if games are independent. Its interval
  needs many games.

Games of a player are rows; several seats of one game (copies of an agent) count together in every interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, nan
from typing import Final

import numpy as np

from janshi.arena.control import controlled_mean
from janshi.arena.sample_size import POWER, walls_to_detect
from janshi.arena.stats import LEVEL, Estimate, Floats, Numbers, mean
from janshi.luck.significance import LEAST, variance_ratio
from janshi.luck.types import MEASURES, PLACES, POINTS, Array, ScoredGames
from janshi.rules.riichi.state import PLAYERS

SOURCES: Final = ("deal", "draws", "dora", "ura")
"""Where luck comes from; kan dora count as dora."""
SOURCE_OF_KIND: Final = np.array([0, 2, 1, 2, 3])
"""The source of each kind of event, in the order of `KIND_NAMES`."""
EVEN: Final = 2.5
"""Average rank of equal players."""
EVEN_VARIANCE: Final = 1.25
"""Variance of their ranks."""
ENOUGH: Final = 30
"""Number of games from which a player's own spread is used instead of everybody's, and a variance ratio is shown."""
EFFECTS: Final = (0.05, 0.1, 0.2)
"""Differences of average rank to report."""


# --- sums


def luck_of_hands(games: ScoredGames) -> Array:
    """Luck of each hand by source, float64[hands, sources, 2, 4]."""
    total = np.zeros((len(games.game), len(SOURCES), len(MEASURES), PLAYERS))
    events = games.events
    np.add.at(total, (events["hand"], SOURCE_OF_KIND[events["kind"]]), events["luck"].astype(np.float64))
    return total


def luck_of_games(games: ScoredGames) -> Array:
    """Luck of each game by source, float64[games, sources, 2, 4]."""
    total = np.zeros((len(games.ranks), len(SOURCES), len(MEASURES), PLAYERS))
    np.add.at(total, games.game, luck_of_hands(games))
    return total


def player_name(games: ScoredGames, game: int, seat: int) -> str:
    """A player's name, or the seat's number if the record has no name."""
    return games.names[game][seat] or f"player {seat}"


# --- players


@dataclass(slots=True)
class Career:
    """A player's games in order: a row for each seat held."""

    name: str
    game: Array
    """Number of the game, int64[n]."""
    seat: Array
    rank: Floats
    """Final ranks, float64[n]."""
    points: Floats
    """Points won or lost at the table, float64[n]."""
    luck: Array
    """By source and measure, float64[n, sources, 2]; good luck is positive."""

    def __len__(self) -> int:
        return len(self.game)

    @property
    def games(self) -> int:
        """Number of games; several seats in one game count once."""
        return len(np.unique(self.game))

    @property
    def adjusted_rank(self) -> Floats:
        """Rank without luck: good luck lowered the rank, so it is added back."""
        return np.asarray(self.rank + self.luck[:, :, PLACES].sum(1))

    @property
    def adjusted_points(self) -> Floats:
        """Points less the luck in them."""
        return np.asarray(self.points - self.luck[:, :, POINTS].sum(1))

    def part(self, rows: Array) -> Career:
        """Some of the rows."""
        return Career(self.name, self.game[rows], self.seat[rows], self.rank[rows], self.points[rows], self.luck[rows])


def careers(games: ScoredGames) -> dict[str, Career]:
    """Every player's games, players with the most games first."""
    luck = luck_of_games(games)
    rows: dict[str, list[tuple[int, int]]] = {}
    for game in range(len(games.ranks)):
        for seat in range(PLAYERS):
            rows.setdefault(player_name(games, game, seat), []).append((game, seat))
    found = [_career(games, name, held, luck) for name, held in rows.items()]
    return {career.name: career for career in sorted(found, key=lambda career: -career.games)}


def everybody(games: ScoredGames) -> Career:
    """All seats of all games as if one player had held them: for spreads, since the mean is meaningless."""
    held = [(game, seat) for game in range(len(games.ranks)) for seat in range(PLAYERS)]
    return _career(games, "everybody", held, luck_of_games(games))


def _career(games: ScoredGames, name: str, held: Sequence[tuple[int, int]], luck: Array) -> Career:
    game, seat = np.array(held, np.int64).reshape(-1, 2).T
    won = games.scores[game, seat].astype(np.float64) - games.start[game, seat]
    return Career(name, game, seat, games.ranks[game, seat].astype(np.float64), won, luck[game, :, :, seat])


# --- means without luck


@dataclass(frozen=True, slots=True)
class Adjusted:
    """A mean with and without luck. Bounds are NaN if there is only one game."""

    raw: Estimate
    adjusted: Estimate
    luck: float
    """Good luck per game, in places or points."""
    by_source: dict[str, float]
    """The same, by source."""
    ratio: Estimate
    """Variance of one game's adjusted result divided by that of its raw result."""
    coefficients: dict[str, float]
    """Multiplier on each source's luck: 1 unless fitted."""

    @property
    def worth(self) -> float:
        """Number of raw games that one adjusted game is worth: the variance of the raw over the adjusted mean."""
        if self.adjusted.error > 0:
            return float((self.raw.error / self.adjusted.error) ** 2)
        return inf if self.adjusted.error == 0 < self.raw.error else nan

    @property
    def effective_games(self) -> float:
        """Number of raw games that would give the same precision."""
        return self.worth * self.raw.games

    @property
    def few(self) -> bool:
        """Whether there are too few games to compare spreads with and without luck."""
        return self.raw.walls < ENOUGH


def adjusted_rank(career: Career, level: float = LEVEL, fitted: bool = False) -> Adjusted:
    """Average rank with and without luck."""
    return adjusted_mean(career.rank, -career.luck[:, :, PLACES], career.game, level, fitted, good=-1)


def adjusted_points(career: Career, level: float = LEVEL, fitted: bool = False) -> Adjusted:
    """Points a game with and without luck."""
    return adjusted_mean(career.points, career.luck[:, :, POINTS], career.game, level, fitted)


def adjusted_mean(
    values: Numbers,
    luck: Numbers,
    wall: Numbers,
    level: float = LEVEL,
    fitted: bool = False,
    good: int = 1,
    sources: Sequence[str] = SOURCES,
) -> Adjusted:
    """Mean of values before and after removing their luck, both with intervals clustered by `wall`.

    values: float[n]; luck: float[n, sources], what luck added to the values; good: -1 if small values are good.
    NaN values (games without a result) are left out. With `fitted`, luck of each source gets a coefficient.
    """
    x, parts, walls = np.asarray(values, np.float64), np.asarray(luck, np.float64), np.asarray(wall)
    if x.ndim != 1 or parts.shape != (len(x), len(sources)):
        raise ValueError(f"expected {len(x)} values with luck of {len(sources)} sources each, got {parts.shape}")
    known = ~np.isnan(x)
    x, parts, walls = x[known], parts[known], walls[known]
    if not len(x):
        raise ValueError("none of the games has a result")
    plain, slopes = interval_of(x, walls, level), np.ones(len(sources))
    y = x - parts.sum(1)
    without = interval_of(y, walls, level)
    if fitted:
        found = controlled_mean(x, parts, np.zeros(len(sources)), walls, level)
        without, slopes = found.estimate, np.array(found.coefficients)
        y = x - parts @ slopes
    ours = good * parts.mean(0)
    return Adjusted(
        plain,
        without,
        float(ours.sum()),
        dict(zip(sources, map(float, ours))),
        _ratio(x, y, walls, level),
        dict(zip(sources, map(float, slopes))),
    )


def interval_of(values: Floats, wall: Array, level: float) -> Estimate:
    """A mean with its interval, or without one if there is only one game."""
    if len(np.unique(wall)) > 1:
        return mean(values, wall, level)
    return Estimate(float(values.mean()), nan, nan, nan, level, 1, len(values))


def _ratio(x: Floats, y: Floats, wall: Array, level: float) -> Estimate:
    if len(np.unique(wall)) >= LEAST and np.ptp(x) > 0 and np.ptp(y) > 0:
        return variance_ratio(x, y, wall, level)
    return Estimate(nan, nan, nan, nan, level, len(np.unique(wall)), len(x))


# --- how many games


@dataclass(frozen=True, slots=True)
class GamesNeeded:
    """Games needed to distinguish a player from an average one, given the true difference."""

    effect: float
    raw: int
    adjusted: int


def games_needed(
    raw_deviation: float,
    adjusted_deviation: float,
    effects: Sequence[float] = EFFECTS,
    power: float = POWER,
    level: float = LEVEL,
) -> list[GamesNeeded]:
    """Games needed to detect a true difference of each size with the given power, from one game's deviations.

    The difference is from the average (2.5). To compare two players who never meet, each needs twice as many.
    """
    spreads = (raw_deviation, adjusted_deviation)
    return [GamesNeeded(e, *(walls_to_detect(e, spread, power, level) for spread in spreads)) for e in effects]


def deviations(career: Career, all_seats: Career, ratio: float = nan) -> tuple[float, float]:
    """Standard deviation of one game's rank, raw and adjusted.

    The player's own if they have enough games, else everybody's. If even those are too few: that of equal players,
    with the value function's variance ratio on its validation games.
    """
    if all_seats.games < ENOUGH and not np.isnan(ratio):
        return EVEN_VARIANCE**0.5, (EVEN_VARIANCE * ratio) ** 0.5
    source = career if career.games >= ENOUGH else all_seats
    pairs = np.column_stack((source.rank, source.adjusted_rank))
    pairs = pairs[~np.isnan(pairs).any(1)]
    if len(pairs) < 2:
        return nan, nan
    raw, adjusted = pairs.std(0, ddof=1)
    return float(raw), float(adjusted)
