"""The players' ratings: Elo points on one scale per family of rules, from the matches in `data/measured.json`."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from pydantic import BaseModel

from janshi.arena.scale import Meeting, ahead, rate
from janshi.rules.registry import find_family, make_game
from janshi.web.families import WEB_LAYER
from janshi.web.figures import Figure, measured

ORIGIN: Final = "greedy"
"""The player whose rating is 1,000: everybody was measured against it."""
AT: Final = 1000.0


class Standing(BaseModel):
    """A player's measured strength."""

    rating: Figure
    """Elo points, `greedy` having 1,000."""
    ahead: float
    """Chance to finish a game ahead of `greedy`."""
    level: int
    """1 (weakest) to 5."""
    games: int
    """Games it is measured by."""


@cache
def standings(family: str) -> dict[str, Standing]:
    """The measured players of a family by label: with the options they were measured with, and by plain name."""
    rows = [one for one in measured()["measured"] if find_family(one["rules"]).name == family and one["rank"]]
    rated = rate([_meeting(one) for one in rows], ORIGIN, AT)
    found = {}
    for label, one in rated.items():
        games = sum(row["games"] for row in rows if label in (_name(row), row["against"]))
        if games:
            figure = Figure(value=round(one.value, 1), low=round(one.low, 1), high=round(one.high, 1))
            found[label] = _standing(figure, games, family)
    for row in ladder_rows(family):
        standing = _standing(Figure(**row["rating"]), row["games"], family)
        if row["name"] not in found or _width(standing) < _width(found[row["name"]]):
            found[row["name"]] = standing
    return found


def _standing(rating: Figure, games: int, family: str) -> Standing:
    chance = ahead(rating.value, AT)
    return Standing(rating=rating, ahead=round(chance, 4), level=level_of(chance, family), games=games)


def _width(standing: Standing) -> float:
    return standing.rating.high - standing.rating.low


def ladder_rows(family: str) -> list[dict[str, Any]]:
    """The players of the ladder, measured against one another on the same scale; the narrower interval counts."""
    ladder = WEB_LAYER.of(find_family(family)).ladder
    return ladder() if ladder else []


def standing_of(label: str, family: str) -> Standing | None:
    """The strength of a player: as measured with these options, else with those it was measured with."""
    found = standings(family)
    return found.get(label) or found.get(label.partition(":")[0])


def level_of(chance: float, family: str) -> int:
    """The level of a player who finishes ahead of `greedy` with this chance."""
    return 1 + sum(chance >= bound for bound in WEB_LAYER.of(find_family(family)).levels)


def _name(row: dict[str, Any]) -> str:
    """The name of a measured player: just the agent's if this is its only measured version."""
    versions = {one["player"] for one in measured()["measured"] if one["agent"] == row["agent"]}
    return str(row["agent"] if len(versions) == 1 else row["player"])


def _meeting(row: dict[str, Any]) -> Meeting:
    rank = row["rank"]
    players = make_game(row["rules"]).players
    return Meeting(_name(row), row["against"], rank["value"], (rank["high"] - rank["low"]) / 2, players)


def agreement_of(label: str) -> float | None:
    """How often a player chooses what houou players played, in games it did not learn from; None if not measured."""
    found = measured()["agreement"].get(label)
    return None if found is None else float(found["share"])
