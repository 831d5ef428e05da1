"""Weaker versions of the apprentice, so that everybody can find an even game.

They err as people do: they overlook things on the table, and do not always find the best of the moves that an expert
would consider. They never play a random move. `docs/ladder.md` has their ratings.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from janshi.agents.learned.apprentice import ApprenticeAgent
from janshi.rules.game import Array, Game
from janshi.rules.riichi.actions import RON, TSUMO

OWN_HAND_ONLY = "rivers+melds+riichi+dora+points"
"""What a player misses by looking only at their own tiles."""


class LevelAgent(ApprenticeAgent):
    """The apprentice with a limited view, sampling from the moves that its network finds plausible.

    It puts no value on choices, because values would ignore what it overlooks. Options: `engine` and `device`, as for
    `apprentice`. To define your own level, use the other options of `apprentice`.
    """

    gives_values = False

    blind: ClassVar[str]
    """Parts of the table that it ignores."""
    temperature: ClassVar[float]
    """Divides the logits: the higher, the more often it plays another plausible move."""
    floor: ClassVar[float]
    """Moves whose probability is below this share of the highest one are never played."""

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
        """The probability of each action. A win that most experts would take is certain: it is never missed."""
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
