"""A match without luck: contestants' average ranks or points and their differences, raw and adjusted, by wall set.

Duplicate walls and luck adjustment complement each other. A duplicate match cancels the luck that a wall gives to
everybody who plays it; the adjustment removes the rest, mainly due to the same wall meeting different hands and calls.
All intervals use the wall set as the unit, as everywhere in the arena.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import inf, nan

import numpy as np

from janshi.arena.duplicate import Difference, difference
from janshi.arena.plan import Plan
from janshi.arena.results import Results
from janshi.arena.stats import LEVEL, Estimate, Floats, mean
from janshi.arena.summary import values_of
from janshi.luck.types import MEASURES, PLACES, Array


@dataclass(frozen=True, slots=True)
class ContestantLuck:
    """One contestant's average rank, or points."""

    contestant: int
    label: str
    games: int
    raw: Estimate
    adjusted: Estimate
    luck: float
    """Good luck in places, or points, per game."""

    @property
    def worth(self) -> float:
        """How many raw games of this match one adjusted game is worth."""
        return _quotient(self.raw.error**2, self.adjusted.error**2)


@dataclass(frozen=True, slots=True)
class PairLuck:
    """The difference between two contestants who met, the first minus the second."""

    first: int
    second: int
    raw: Difference
    adjusted: Difference

    @property
    def worth(self) -> float:
        """How many raw games of this match one adjusted game is worth."""
        return _quotient(self.raw.estimate.error**2, self.adjusted.estimate.error**2)

    @property
    def gain(self) -> float:
        """How many independent raw games one game is worth, with duplicate walls and luck adjustment combined."""
        return _quotient(self.raw.independent_error**2, self.adjusted.estimate.error**2)


@dataclass(frozen=True, slots=True)
class MatchLuck:
    """A match with and without luck."""

    contestants: tuple[ContestantLuck, ...]
    pairs: tuple[PairLuck, ...]
    games: int
    walls: int
    left_out: int
    """Games of unknown luck."""
    value: str
    """The value function used."""
    measure: int = PLACES
    """`PLACES` if ranks are adjusted, `POINTS` if final points are."""

    def games_saved(self, pair: PairLuck) -> float:
        """Factor by which the match would have to be longer for the same precision without luck adjustment."""
        return (pair.worth - 1) * self.games


def adjust_results(
    results: Results, plan: Plan, luck: Array, value: str = "", level: float = LEVEL, measure: int = PLACES
) -> MatchLuck:
    """Raw and adjusted ranks of a match, from luck by game and seat, float64[games, 2, players]; or points.

    Games whose luck in this measure is NaN are left out, as are games of the plan's baseline, which do not measure a
    contestant.
    """
    table = np.asarray(luck, np.float64)
    if table.shape != (len(results), len(MEASURES), results.players):
        raise ValueError(f"luck must be ({len(results)}, {len(MEASURES)}, {results.players}), got {table.shape}")
    measured = np.ones(len(results), np.bool_) if plan.baseline is None else results.lineup != plan.baseline
    known = ~np.isnan(table[:, measure]).any(1)
    played, lucky = results.select(measured & known), table[measured & known, measure]
    walls = len(np.unique(played.wall))
    if walls < 2:
        raise ValueError(f"an adjusted rank needs at least 2 wall sets, got {walls}")
    both = (played.ranks, played.ranks + lucky) if measure == PLACES else (played.points, played.points - lucky)
    present = [who for who in range(len(plan.contestants)) if (played.seats == who).any()]
    return MatchLuck(
        tuple(_contestant(played, plan, both, lucky, who, level) for who in present),
        tuple(_pairs(played, both, present, level)),
        len(played),
        walls,
        int((measured & ~known).sum()),
        value,
        measure,
    )


def _contestant(
    played: Results, plan: Plan, both: tuple[Floats, Floats], luck: Floats, who: int, level: float
) -> ContestantLuck:
    """One contestant's line; `both` are all results, raw and adjusted."""
    raw, adjusted = (values_of(played, results, who) for results in both)
    lucky = float(np.nanmean(values_of(played, luck, who)))
    games = int((~np.isnan(raw)).sum())
    return ContestantLuck(
        who, plan.contestants[who], games, mean(raw, played.wall, level), mean(adjusted, played.wall, level), lucky
    )


def _pairs(played: Results, results: tuple[Floats, Floats], present: list[int], level: float) -> list[PairLuck]:
    found = []
    for a, b in combinations(present, 2):
        met = (played.seats == a).any(1) & (played.seats == b).any(1)
        both = played.select(met)
        if len(np.unique(both.wall)) > 1:
            raw, adjusted = (
                difference(values_of(both, values[met], a), values_of(both, values[met], b), both.wall, level)
                for values in results
            )
            found.append(PairLuck(a, b, raw, adjusted))
    return found


def _quotient(over: float, under: float) -> float:
    if under > 0:
        return over / under
    return inf if under == 0 < over else nan
