"""The simplest agents: random, tsumogiri and greedy, the baselines for all others.

They apply the policies of each family of rules (`agents/families/`) to views.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from janshi.agents.base import Agent, Asked
from janshi.agents.families import AGENTS_LAYER, views_answer
from janshi.rules.family import Family
from janshi.rules.game import Array, Game


class BuiltInAgent(Agent):
    """An agent that plays the policy of its name in each family. Not thread-safe."""

    families: ClassVar[tuple[str, ...]] = ()
    """The families that have a policy with this name."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._answer = views_answer(game, self.name)

    @classmethod
    def plays(cls, family: Family) -> bool:
        """Whether a family has a policy of this name."""
        return cls.name in AGENTS_LAYER.of(family).policies

    def act(self, asked: Asked) -> Array:
        """Ask the policy about every view, in one call of a kernel."""
        out = np.zeros(len(asked), np.int64)
        self._answer(asked.views, asked.words, out)
        return out


class RandomAgent(BuiltInAgent):
    """Takes a uniformly random legal action, drawn with the decision's word."""

    name, version = "random", "1"

    def chances(self, views: Array) -> Array:
        """The probability of every action in each view, float64[n, actions]."""
        masks = self.game.masks_of_views(views).astype(np.float64)
        return np.asarray(masks / masks.sum(1, keepdims=True))


class TsumogiriAgent(BuiltInAgent):
    """Discards what it drew; never wins, never calls."""

    name, version = "tsumogiri", "1"


class GreedyAgent(BuiltInAgent):
    """Wins when it can, discards for the lowest shanten and then the most useful tiles; ignores danger.

    Riichi: declares riichi at once, never calls. Guobiao: never calls. Simplified: makes calls that lower its shanten.
    """

    name, version = "greedy", "1"
