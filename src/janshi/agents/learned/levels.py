"""Weaker forms of the apprentice, so that everybody finds an even game.

They play worse as people do: they do not look at everything on the table, and among the moves that an expert would
consider they do not always find the best. They never play a move at random. `docs/ladder.md` has their ratings.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from janshi.agents.learned.apprentice import ApprenticeAgent
from janshi.rules.game import Array, Game
from janshi.rules.riichi.actions import RON, TSUMO

OWN_HAND_ONLY = "rivers+melds+riichi+dora+points"
"""What a player misses who looks only at their own tiles."""


class LevelAgent(ApprenticeAgent):
    """The apprentice with a limited view, drawing among the moves that its network finds plausible.

    It puts no value on choices: what it overlooks would be missing in them. Options: `engine` and `device`, as for
    `apprentice`, whose other options make levels of your own.
    """

    gives_values = False

    blind: ClassVar[str]
    """Parts of the table that it does not look at."""
    temperature: ClassVar[float]
    """Logits are divided by it: the higher, the more often it prefers another plausible move."""
    floor: ClassVar[float]
    """Moves less probable than this share of the most probable one are never played."""

    def __init__(self, game: Game, engine: str = "", device: str = "") -> None:
        super().__init__(
            game,
            sample=True,
            temperature=self.temperature,
            floor=self.floor,
            blind=self.blind,
            engine=engine,
            device=device,
        )
        self.losses, self.gives_values = None, False  # type: ignore[misc]

    def probabilities(self, views: Array) -> Array:
        """The probability of each action, where a win that most would take is certain: nobody misses one by chance."""
        chances = super().probabilities(views)
        best = chances.argmax(1)
        won = np.flatnonzero((best == TSUMO) | (best == RON))
        chances[won] = 0
        chances[won, best[won]] = 1
        return chances


class NewcomerAgent(LevelAgent):
    """Knows the rules and plays only its own hand, often not in the quickest way."""

    name, version, families = "newcomer", "1", ("riichi",)
    blind, temperature, floor = OWN_HAND_ONLY, 6.0, 0.0002


class BeginnerAgent(LevelAgent):
    """Builds its own hand well enough, but ignores dora, opponents and points."""

    name, version, families = "beginner", "1", ("riichi",)
    blind, temperature, floor = OWN_HAND_ONLY, 2.5, 0.005


class CasualAgent(LevelAgent):
    """Notices riichi and calls, but reads neither discards nor points, and often plays the second-best move."""

    name, version, families = "casual", "1", ("riichi",)
    blind, temperature, floor = "rivers+points", 2.0, 0.01


class RegularAgent(LevelAgent):
    """Sees everything and chooses among good moves as often as experts do."""

    name, version, families = "regular", "1", ("riichi",)
    blind, temperature, floor = "", 1.0, 0.1
