"""The match that measures the ladder, and the figures that follow from its games."""

from __future__ import annotations

from typing import Any, Final

from janshi.arena.ladder import ANCHOR, ANCHOR_RATING, LEVELS, OTHERS, STYLE
from janshi.arena.plan import Plan
from janshi.arena.ratings import ELO, fit_strengths
from janshi.arena.results import Results
from janshi.arena.stats import Estimate, per_contestant
from janshi.arena.summary import summarise

RULES: Final = "riichi/tenhou_east"
SEED: Final = 2031


def ladder_plan(walls: int, engine: str = "") -> Plan:
    """The match that measures the ladder, on duplicate walls.

    Each level plays with the three others, who take almost no time, so that all levels meet the same opponents on the
    same walls; and the four upper levels play one another. `engine` computes the network (`agents.learned.engines`).
    """
    levels = [f"{name}:engine={engine}" if engine else name for name in LEVELS]
    others = range(len(levels), len(levels) + len(OTHERS))
    lineups = [(level, *others) for level in range(len(levels))] + [tuple(range(1, len(levels)))]
    return Plan(RULES, (*levels, *OTHERS), tuple(lineups), walls, SEED)


def measure(results: Results, plan: Plan, versions: dict[str, str]) -> list[dict[str, Any]]:
    """The figures of all players from the games of a match, as the file has them."""
    ranks = per_contestant(results.ranks, results.seats, range(len(plan.contestants)))
    strengths = fit_strengths(ranks, results.wall).against(plan.contestants.index(ANCHOR))
    rows = []
    for line, strength in zip(summarise(results, plan).lines, strengths):
        if line.rank is None:
            raise ValueError("the ladder needs at least two whole wall sets")
        rows.append(
            {
                "name": line.label.partition(":")[0],
                "version": versions[line.label],
                "rating": _rating(strength),
                "rank": _figure(line.rank, 4),
                "games": line.games,
                "style": {name: _figure(line.rates[name], 4) for name in STYLE},
            }
        )
    return rows


def _rating(strength: Estimate) -> dict[str, float]:
    """A strength relative to the anchor's as Elo points."""
    low, value, high = (ANCHOR_RATING + ELO * x for x in (strength.low, strength.value, strength.high))
    return {"value": round(value, 1), "low": round(low, 1), "high": round(high, 1)}


def _figure(estimate: Estimate, digits: int) -> dict[str, float]:
    return {name: round(float(getattr(estimate, name)), digits) for name in ("value", "low", "high")}
