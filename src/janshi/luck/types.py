"""Types shared by chance events, estimators, reports and the app.

Luck has two measures: places (how much the expected final rank fell: +0.1 is a tenth of a place of good luck) and
points. Arrays of luck are by absolute seat. Places sum to zero over the players, and so do points
except for riichi sticks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import nan
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from janshi.agents.worths import MEASURES as MEASURES
from janshi.core.dtypes import record_dtype
from janshi.rules.riichi.state import PLAYERS

Array = npt.NDArray[Any]

# Kinds of chance events
DEAL, DORA, DRAW, KAN_DORA, URA = range(5)
KIND_NAMES: Final = ("deal", "dora", "draw", "kan dora", "ura")

# Measures
PLACES, POINTS = 0, 1

EVENT_DTYPE: Final = record_dtype(
    [
        ("hand", np.int32),  # which of the scored hands
        ("kind", np.int8),  # DEAL .. URA
        ("player", np.int8),  # who drew; -1 for what concerns everybody
        ("tile", np.int8),  # what came (37 tiles); -1 for a deal
        ("turn", np.int8),  # discards made by all before it
        ("left", np.int8),  # live tiles left before it
        ("luck", np.float32, (2, PLAYERS)),  # places and points, by seat
    ]
)
"""A chance event and its effect on each player."""


@dataclass(slots=True)
class ScoredGames:
    """Games with the luck of every chance event in them."""

    events: Array
    """EVENT_DTYPE[n], in order."""
    first: Array
    """Place of each hand's first event, int64[hands + 1]."""
    game: Array
    """The game of each hand, int32[hands], from 0 and in order."""
    kyoku: Array
    """Round of each hand, int8[hands]: 0 is East 1."""
    honba: Array
    gains: Array
    """Gain from each hand, float64[hands, 2, 4]: places (which sum to 2.5 - rank over a game) and points."""
    ranks: Array
    """Final ranks from 1, float32[games, 4]."""
    scores: Array
    """Final scores, int32[games, 4]."""
    start: Array
    """Scores before the first hand, int32[games, 4]."""
    names: list[tuple[str, ...]]
    sources: list[str]
    """File names or other origins."""
    value: str = ""
    """Name and hash of the value function."""
    ratio: float = nan
    """The variance of adjusted ranks divided by that of raw ranks on the value function's validation games; NaN if
    unknown."""
    problems: list[str] = field(default_factory=list)
    """Messages about games that could not be scored."""

    def luck_of_hands(self, kinds: tuple[int, ...] = (DEAL, DORA, DRAW, KAN_DORA, URA)) -> Array:
        """Luck of each hand by the given kinds of events, float64[hands, 2, 4]."""
        wanted = np.isin(self.events["kind"], kinds)
        total = np.zeros((len(self.game), len(MEASURES), PLAYERS))
        np.add.at(total, self.events["hand"][wanted], self.events["luck"][wanted].astype(np.float64))
        return total

    def luck_of_games(self, kinds: tuple[int, ...] = (DEAL, DORA, DRAW, KAN_DORA, URA)) -> Array:
        """Luck of each game by the given kinds of events, float64[games, 2, 4]."""
        total = np.zeros((len(self.ranks), len(MEASURES), PLAYERS))
        np.add.at(total, self.game, self.luck_of_hands(kinds))
        return total
