"""Summary of a match: one line per contestant, their differences, and the gain from duplicate walls and baselines."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from janshi.arena.control import Controlled, controlled_mean
from janshi.arena.duplicate import Difference, difference
from janshi.arena.plan import Plan
from janshi.arena.results import (
    CALLS,
    DEAL_IN_POINTS,
    DEAL_INS,
    DRAWS,
    HANDS,
    RIICHIS,
    SELF_DRAWS,
    TENPAIS,
    WIN_FAN,
    WIN_POINTS,
    WINS,
    Results,
)
from janshi.arena.stats import LEVEL, Estimate, mean, per_contestant, rank_counts, rank_distribution, rate, ratio
from janshi.rules.game import Array

RATES: Final = {
    "win": (WINS, HANDS),
    "self-draw": (SELF_DRAWS, WINS),
    "deal-in": (DEAL_INS, HANDS),
    "riichi": (RIICHIS, HANDS),
    "call": (CALLS, HANDS),
    "draw": (DRAWS, HANDS),
    "tenpai at draw": (TENPAIS, DRAWS),
}
"""Rates and the counters behind each."""
AMOUNTS: Final = {
    "fan per win": (WIN_FAN, WINS),
    "fan per hand": (WIN_FAN, HANDS),
    "points per win": (WIN_POINTS, WINS),
    "points per deal-in": (DEAL_IN_POINTS, DEAL_INS),
}
"""Amounts and the counters behind each. Fan per hand is the average fan (AF) of Li et al."""


TINY_POINTS: Final = 1e-3
"""Baseline points that cancel out within a wall set, as with a full rotation of seats, control nothing."""
LEAST_FOR_CONTROL: Final = 12
"""Minimum number of wall sets to fit and judge a baseline."""


@dataclass(frozen=True, slots=True)
class Line:
    """The figures of one contestant."""

    contestant: int
    label: str
    games: int
    """Games with the contestant at the table."""
    rank: Estimate | None
    """Average rank; None while there are too few wall sets for an interval."""
    points: Estimate | None
    places: tuple[Estimate, ...]
    """Share of each rank."""
    rates: dict[str, Estimate]
    amounts: dict[str, Estimate]
    milliseconds: float
    """Time per decision."""
    faults: dict[str, int]
    """Faults by kind."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two contestants who met at the same tables, the first minus the second."""

    first: int
    second: int
    rank: Difference
    points: Difference


@dataclass(frozen=True, slots=True)
class Summary:
    """A match, summarised."""

    lines: tuple[Line, ...]
    pairs: tuple[Pair, ...]
    controlled: dict[int, Controlled]
    """Points of each contestant without the baseline's luck, if there is a baseline."""
    games: int
    walls: int


def summarise(results: Results, plan: Plan, level: float = LEVEL) -> Summary:
    """Summarise the games of a match; those of its baseline only serve to control luck."""
    measured, baseline = split_baseline(results, plan)
    present = [who for who in range(len(plan.contestants)) if (measured.seats == who).any()]
    lines = tuple(_line(measured, plan, who, level) for who in present)
    pairs = tuple(_pairs(measured, present, level))
    controlled = {} if baseline is None else _control(measured, baseline, present, level)
    return Summary(lines, pairs, controlled, len(measured), len(np.unique(measured.wall)))


def split_baseline(results: Results, plan: Plan) -> tuple[Results, Results | None]:
    """The games that measure contestants, and those of the baseline."""
    if plan.baseline is None:
        return results, None
    luck = results.lineup == plan.baseline
    return results.select(~luck), results.select(luck)


def values_of(results: Results, values: Array, who: int, total: bool = False) -> Array:
    """A contestant's value in each game, NaN if absent: the mean over its seats, or with `total` the sum."""
    return per_contestant(values, results.seats, [who], total)[:, 0]


def _line(results: Results, plan: Plan, who: int, level: float) -> Line:
    at_table = (results.seats == who).any(1)
    mine = results.select(at_table)
    seconds = float(values_of(mine, mine.seconds, who, True).sum())
    decisions = max(1.0, float(values_of(mine, mine.decisions, who, True).sum()))
    few = len(np.unique(mine.wall)) < 2
    counts = rank_counts(mine.ranks, mine.seats, who, results.players)
    return Line(
        contestant=who,
        label=plan.contestants[who],
        games=len(mine),
        rank=None if few else mean(values_of(mine, mine.ranks, who), mine.wall, level),
        points=None if few else mean(values_of(mine, mine.points, who), mine.wall, level),
        places=() if few else tuple(rank_distribution(counts, mine.wall, level)),
        rates={} if few else _rates(mine, who, level),
        amounts={} if few else _amounts(mine, who, level),
        milliseconds=1000 * seconds / decisions,
        faults=_faults(mine, who),
    )


def _counts(results: Results, who: int, counter: int) -> Array:
    return values_of(results, results.counters[:, :, counter], who, True)


def _rates(results: Results, who: int, level: float) -> dict[str, Estimate]:
    found = {}
    for name, (part, whole) in RATES.items():
        of = _counts(results, who, whole)
        if np.count_nonzero(np.bincount(results.wall - results.wall.min(), of)) > 1:
            found[name] = rate(_counts(results, who, part), of, results.wall, level)
    return found


def _amounts(results: Results, who: int, level: float) -> dict[str, Estimate]:
    found = {}
    for name, (part, whole) in AMOUNTS.items():
        of = _counts(results, who, whole)
        if np.count_nonzero(np.bincount(results.wall - results.wall.min(), of)) > 1:
            found[name] = ratio(_counts(results, who, part), of, results.wall, level)
    return found


def _faults(results: Results, who: int) -> dict[str, int]:
    found: dict[str, int] = {}
    for seats, rows in zip(results.seats, results.faults):
        for row in rows:
            if seats[row["seat"]] == who:
                found[row["kind"]] = found.get(row["kind"], 0) + int(row["count"])
    return found


def _pairs(results: Results, present: list[int], level: float) -> list[Pair]:
    found = []
    for a, b in combinations(present, 2):
        met = (results.seats == a).any(1) & (results.seats == b).any(1)
        both = results.select(met)
        if len(np.unique(both.wall)) > 1:
            rank, points = (
                difference(values_of(both, values, a), values_of(both, values, b), both.wall, level)
                for values in (both.ranks, both.points)
            )
            found.append(Pair(a, b, rank, points))
    return found


def _control(results: Results, baseline: Results, present: list[int], level: float) -> dict[int, Controlled]:
    """Points without the luck that copies of one player had at the same seats on the same walls."""
    luck = {int(wall): points for wall, points in zip(baseline.wall, baseline.points)}
    known = results.select(np.array([int(wall) in luck for wall in results.wall], bool))
    if len(np.unique(known.wall)) < LEAST_FOR_CONTROL:
        return {}
    table = np.array([luck[int(wall)] for wall in known.wall])
    found = {}
    for who in present:
        values = values_of(known, known.points, who)
        if not np.isnan(values).all():
            shared = np.nan_to_num(values_of(known, table, who))
            if float(np.abs(np.bincount(known.wall, shared)).max()) > TINY_POINTS:
                found[who] = controlled_mean(values, shared, 0.0, known.wall, level)
    return found
