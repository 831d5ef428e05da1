"""Houou players' figures, to compare with: measured by `scripts/measure_houou.py` from games of Tenhou's top tables."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

import numpy as np

from janshi.career.games import OwnGames
from janshi.career.habits import Worth
from janshi.records.stats import Estimate

EAST, SOUTH = 1, 2
FILE: Final = "houou.json"


@dataclass(frozen=True, slots=True)
class Reference:
    """Figures of houou players in games of one length."""

    rounds: int
    games: int
    source: str
    table: dict[str, dict[str, Estimate]]
    worths: dict[str, Worth]
    """Of South games only; empty for East games."""
    luck_games: int
    """Games behind the worths."""


@cache
def references() -> dict[int, Reference]:
    """The references by the number of rounds."""
    text = resources.files("janshi.career").joinpath(f"data/{FILE}").read_text("utf-8")
    return {int(rounds): _reference(int(rounds), data) for rounds, data in json.loads(text)["rounds"].items()}


def _reference(rounds: int, data: dict[str, Any]) -> Reference:
    table = {
        group: {name: Estimate(*values) for name, values in figures.items()} for group, figures in data["table"].items()
    }
    worths = {name: Worth(*values) for name, values in data["worths"].items()}
    return Reference(rounds, data["games"], data["source"], table, worths, data["luck_games"])


def reference_for(games: OwnGames) -> Reference:
    """The reference for the length that most of the games have."""
    east = int((games.rounds == EAST).sum())
    return references()[EAST if 2 * east > len(np.asarray(games.rounds)) else SOUTH]
