"""The ladder: riichi players from newcomers to experts, each with a measured rating.

`scripts/measure_ladder.py` plays them against one another on duplicate walls and writes `data/ladder.json`, from which
the documentation, the command line and the app take their figures. Ratings are Elo points on which `greedy` has 1000:
100 points more than an opponent mean finishing ahead of it in 64 % of the games.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

from janshi.arena.plan import Plan
from janshi.arena.ratings import ELO, fit_strengths
from janshi.arena.results import Results
from janshi.arena.stats import Estimate, per_contestant
from janshi.arena.summary import summarise
from janshi.arena.tournament import round_robin

RULES: Final = "riichi/tenhou_east"
SEED: Final = 2031
LEVELS: Final = ("newcomer", "beginner", "casual", "regular", "apprentice")
"""The network at five strengths, weakest first."""
OTHERS: Final = ("greedy", "one_player", "careful")
"""Quick players of other kinds, which tie the ladder to what is known of them."""
ANCHOR: Final = "greedy"
ANCHOR_RATING: Final = 1000
LINEUPS: Final = 14
"""Tables on each wall set, chosen so that all pairs meet equally often."""
STYLE: Final = ("win", "deal-in", "riichi", "call")


@dataclass(frozen=True, slots=True)
class Figure:
    """An estimate with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Half of the interval."""
        return (self.high - self.low) / 2


@dataclass(frozen=True, slots=True)
class Rung:
    """A player of the ladder and its figures."""

    name: str
    """The agent."""
    version: str
    """The version that was measured; it names the network's weights."""
    rating: Figure
    """Elo points; the anchor's is exact."""
    rank: Figure
    """Average rank against the mixed field of the ladder."""
    games: int
    style: dict[str, Figure]
    """Shares of hands: `win`, `deal-in`, `riichi`, `call`."""


@cache
def ladder() -> tuple[Rung, ...]:
    """The players of the ladder, weakest first."""
    return tuple(sorted(map(_read, figures()["players"]), key=lambda rung: rung.rating.value))


@cache
def figures() -> dict[str, Any]:
    """The figures file of the package."""
    place = resources.files("janshi.arena") / "data" / "ladder.json"
    found: dict[str, Any] = json.loads(place.read_text(encoding="utf-8"))
    return found


def rung(name: str) -> Rung | None:
    """The ladder's figures of an agent, None if it was not measured."""
    return next((one for one in ladder() if one.name == name), None)


def _read(row: dict[str, Any]) -> Rung:
    style = {name: Figure(**figure) for name, figure in row["style"].items()}
    return Rung(**{**row, "rating": Figure(**row["rating"]), "rank": Figure(**row["rank"]), "style": style})


# --- measuring


def ladder_plan(walls: int, players: Sequence[str] = (*LEVELS, *OTHERS)) -> Plan:
    """The match that measures the ladder: a balanced round robin on duplicate walls."""
    return round_robin(RULES, players, walls, SEED, tables=LINEUPS)


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
                "name": line.label,
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
