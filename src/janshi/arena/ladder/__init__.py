"""The ladder: riichi players from newcomers to experts, each with a measured rating.

`scripts/measure_ladder.py` plays them against one another on duplicate walls and writes `figures.json`, from which the
documentation, the command line and the app take their figures; `match` plans and evaluates these games. Ratings are Elo
points on which `greedy` has 1000: 100 points more than an opponent mean finishing ahead of it in 64 % of the games.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

LEVELS: Final = ("newcomer", "beginner", "casual", "regular", "apprentice")
"""The network at five strengths, weakest first."""
OTHERS: Final = ("greedy", "one_player", "careful")
"""Quick players of other kinds, which connect the ladder to earlier results."""
ANCHOR: Final = "greedy"
ANCHOR_RATING: Final = 1000
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
    """Average rank in the games of the ladder's match."""
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
    place = resources.files(__name__) / "figures.json"
    found: dict[str, Any] = json.loads(place.read_text(encoding="utf-8"))
    return found


def rung(name: str) -> Rung | None:
    """The ladder's figures of an agent, None if it was not measured."""
    return next((one for one in ladder() if one.name == name), None)


def _read(row: dict[str, Any]) -> Rung:
    style = {name: Figure(**figure) for name, figure in row["style"].items()}
    return Rung(**{**row, "rating": Figure(**row["rating"]), "rank": Figure(**row["rank"]), "style": style})
