"""Convert an average rank against opponents of known strength to a rating.

In the Plackett-Luce model a player of log strength θ finishes behind one of φ with probability 1 / (1 + e^(θ - φ)),
regardless of who else is at the table. The expected rank at a table is therefore 1 + Σ of these over the opponents; it
falls as θ grows, and the rating is the θ at which it equals the average rank. An average rank without luck has the same
expectation as a plain one and a narrower interval, so it gives the same rating with fewer games.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, hypot, inf
from typing import Final

from janshi.arena.ladder import Figure, Rung
from janshi.arena.ratings import ELO
from janshi.arena.stats import Estimate

EDGE: Final = 1e-3
"""An average rank closer than this to the best or worst possible only means "beyond the ladder"."""
WIDEST: Final = 4000.0
"""Ratings are searched within this many Elo points of the opponents'."""


@dataclass(frozen=True, slots=True)
class BotRating:
    """A rating in Elo points on the ladder's scale."""

    value: float
    low: float
    high: float
    """The 95 % interval from the bot's own games, taking the opponents' ratings as exact."""
    opponents: float
    """Half of the interval due to errors in the opponents' ratings, in Elo points. More games do not shrink it."""

    @property
    def half(self) -> float:
        """Half of the interval from the bot's own games."""
        return (self.high - self.low) / 2

    @property
    def whole(self) -> Figure:
        """The rating with an interval for both errors combined."""
        down, up = hypot(self.value - self.low, self.opponents), hypot(self.high - self.value, self.opponents)
        return Figure(self.value, self.value - down, self.value + up)


def rating_of(rank: Estimate, opponents: Sequence[Rung]) -> BotRating:
    """The rating that corresponds to an average rank at a table with these opponents."""
    ratings = [rung.rating.value for rung in opponents]
    value, low, high = (_rating_at(at, ratings) for at in (rank.value, rank.high, rank.low))
    weights = [_slope(value, other) for other in ratings]
    total = sum(weights) or inf
    shared = hypot(*(weight / total * rung.rating.half for weight, rung in zip(weights, opponents)))
    return BotRating(value, low, high, shared)


def expected_rank(rating: float, opponents: Sequence[float]) -> float:
    """The average rank of a player with a rating among opponents with theirs."""
    return 1 + sum(1 / (1 + exp((rating - other) / ELO)) for other in opponents)


def _rating_at(rank: float, opponents: Sequence[float]) -> float:
    """The rating whose expected rank is `rank`, by bisection; infinite beyond the possible ranks."""
    if rank <= 1 + EDGE:
        return inf
    if rank >= 1 + len(opponents) - EDGE:
        return -inf
    low, high = min(opponents) - WIDEST, max(opponents) + WIDEST
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (middle, high) if expected_rank(middle, opponents) > rank else (low, middle)
    return (low + high) / 2


def _slope(rating: float, other: float) -> float:
    """The derivative of the expected rank with respect to an opponent's rating."""
    if rating in (inf, -inf):
        return 0.0
    behind = 1 / (1 + exp((rating - other) / ELO))
    return behind * (1 - behind)
