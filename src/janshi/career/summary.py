"""Summary of a career: names, number of games, rank with and without luck, and the luckiest and unluckiest games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from janshi.career.games import OwnGames
from janshi.luck.estimators import ENOUGH, SOURCES, Adjusted, adjusted_mean
from janshi.luck.types import PLACES, POINTS

EXTREMES: Final = 5
"""Luckiest and unluckiest games to name."""

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Luck:
    """Rank and points of the games whose luck is known, with and without it."""

    rank: Adjusted
    points: Adjusted
    """Points at the table."""
    games: int
    trained: int
    """Games that the value function was trained on, where its luck may explain too much."""

    @property
    def few(self) -> bool:
        """Whether the games are too few to compare spreads."""
        return self.games < ENOUGH


def luck_of(games: OwnGames) -> Luck | None:
    """Rank and points without luck; None if the luck of no finished game is known."""
    known = games.measured() & ~np.isnan(games.rank)
    if not known.any():
        return None
    part = games.pick(known)
    luck, number = part.luck_of_games(), np.arange(len(part))
    rank = adjusted_mean(part.rank, -luck[:, :, PLACES], number, good=-1)
    points = adjusted_mean(part.won, luck[:, :, POINTS], number)
    return Luck(rank, points, len(part), int(part.trained.sum()))


@dataclass(frozen=True, slots=True)
class GameLuck:
    """A game and its luck."""

    place: int
    """Its place among the games."""
    luck: float
    """In places; good luck is positive."""
    by_source: dict[str, float]
    rank: float
    luckless: float
    """The rank without luck."""


def extremes(games: OwnGames, most: int = EXTREMES) -> tuple[list[GameLuck], list[GameLuck]]:
    """The luckiest and the unluckiest games, the most extreme first."""
    known = np.flatnonzero(games.measured() & ~np.isnan(games.rank))
    luck = games.luck_of_games()[:, :, PLACES]
    order = known[np.argsort(luck[known].sum(1), kind="stable")]
    best, worst = order[::-1][:most], order[:most]
    return [_one(games, luck, int(i)) for i in best], [_one(games, luck, int(i)) for i in worst if i not in set(best)]


def _one(games: OwnGames, luck: Array, place: int) -> GameLuck:
    total, rank = float(luck[place].sum()), float(games.rank[place])
    return GameLuck(place, total, dict(zip(SOURCES, map(float, luck[place]))), rank, rank + total)
