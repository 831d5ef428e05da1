"""The standings after one match or several rounds: averages, a running rating and fitted strengths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from janshi.arena.plan import Plan
from janshi.arena.ratings import Rating, openskill_ratings, plackett_luce
from janshi.arena.results import Results, join_results
from janshi.arena.stats import LEVEL, Estimate, Floats, mean, per_contestant
from janshi.arena.summary import split_baseline


@dataclass(frozen=True, slots=True)
class Round:
    """A match of a tournament: its plan and the games finished so far."""

    plan: Plan
    results: Results

    @property
    def finished(self) -> bool:
        """Whether all games of the plan are played."""
        return len(self.results) == len(self.plan)


@dataclass(frozen=True, slots=True)
class Standing:
    """The standing of one contestant."""

    contestant: int
    label: str
    games: int
    average_rank: float
    """NaN without games."""
    average_points: float
    rank: Estimate | None
    """Average rank with its interval; None while there are too few wall sets for one."""
    points: Estimate | None
    rating: Rating
    """Openskill's running rating, in the order of the games."""
    strength: Estimate | None
    """Plackett-Luce log strength; None if the results allow no finite one."""


def standings(rounds: Sequence[Round], level: float = LEVEL) -> list[Standing]:
    """The standings, best first: by points per game, then by average rank.

    Rounds must have the same contestants. Each round has its own wall sets, which its tables share.
    """
    plan, results = join_rounds(rounds)
    measured, _ = split_baseline(results, plan)
    everybody = range(len(plan.contestants))
    ranks = per_contestant(measured.ranks, measured.seats, everybody)
    points = per_contestant(measured.points, measured.seats, everybody)
    ratings = openskill_ratings(ranks)
    strengths = fitted_strengths(ranks, measured.wall, level)
    found = []
    for who in everybody:
        played = ~np.isnan(ranks[:, who])
        known = len(np.unique(measured.wall[played])) > 1
        found.append(
            Standing(
                contestant=who,
                label=plan.contestants[who],
                games=int(played.sum()),
                average_rank=_average(ranks[played, who]),
                average_points=_average(points[played, who]),
                rank=mean(ranks[:, who], measured.wall, level) if known else None,
                points=mean(points[:, who], measured.wall, level) if known else None,
                rating=ratings[who],
                strength=strengths.get(who),
            )
        )
    return sorted(found, key=_best_first)


def _average(values: Floats) -> float:
    return float(values.mean()) if len(values) else float("nan")


def _best_first(standing: Standing) -> tuple[bool, float, float, int]:
    if not standing.games:
        return True, 0.0, 0.0, standing.contestant
    return False, -standing.average_points, standing.average_rank, standing.contestant


def fitted_strengths(ranks: Floats, wall: Floats, level: float = LEVEL) -> dict[int, Estimate]:
    """Plackett-Luce strengths of those who played, by contestant; empty if there is no finite answer."""
    kept = (~np.isnan(ranks)).sum(1) > 1
    present = np.flatnonzero((~np.isnan(ranks[kept])).any(0))
    if len(present) < 2:
        return {}
    try:
        fitted = plackett_luce(ranks[kept][:, present], wall[kept], level)
    except ValueError:
        return {}
    return {int(who): estimate for who, estimate in zip(present, fitted)}


def join_rounds(rounds: Sequence[Round]) -> tuple[Plan, Results]:
    """One match from several with the same contestants: games, wall sets and lineups are numbered consecutively.

    The plan has the contestants and lineups; the games are those of the rounds, not the plan's own.
    """
    if not rounds:
        raise ValueError("there are no rounds to join")
    first = rounds[0].plan
    if any((r.plan.rules, r.plan.contestants) != (first.rules, first.contestants) for r in rounds):
        raise ValueError("rounds of one tournament have the same rules and the same contestants")
    if len(rounds) == 1:
        return first, rounds[0].results
    if any(r.plan.baseline is not None for r in rounds):
        raise ValueError("rounds with a baseline cannot be joined")
    parts = []
    games = walls = lineups = 0
    for r in rounds:
        old = r.results
        parts.append(replace(old, game=old.game + games, wall=old.wall + walls, lineup=old.lineup + lineups))
        games, walls, lineups = games + len(r.plan), walls + r.plan.walls, lineups + len(r.plan.lineups)
    seated = tuple(lineup for r in rounds for lineup in r.plan.lineups)
    return replace(first, lineups=seated, walls=walls), join_results(parts, len(first.lineups[0]))
