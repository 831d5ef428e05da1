"""The plainest agents: random, tsumogiri and greedy. All else is measured against them.

They are the kernel policies of each family of rules (`rules/<family>/policies.py`), asked about views.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final

import numpy as np

from janshi.agents.base import Agent, Asked
from janshi.rules.game import Array, Game

Answer = Callable[[Array, Array, Array], None]
"""Writes an action for each of (views, words) into its last argument."""


def _riichi(game: Game, policy: str) -> Answer:
    from janshi.rules.riichi.policies import answer_views, new_mind, policy_number

    number, mind, tables = policy_number(policy), new_mind(), game.new_context()[1]
    return lambda views, words, out: answer_views(views, number, words, out, mind, tables)


def _guobiao(game: Game, policy: str) -> Answer:
    from janshi.rules.guobiao.policies import answer_views, policy_number

    number, tables = policy_number(policy), game.new_context()[1]
    return lambda views, words, out: answer_views(views, number, words, out, tables)


def _simplified(game: Game, policy: str) -> Answer:
    from janshi.rules.simplified.policies import answer_views, policy_number

    number, (rules, shapes) = policy_number(policy), game.new_context()
    return lambda views, words, out: answer_views(views, number, words, out, rules, shapes)


ANSWERS: Final[dict[str, Callable[[Game, str], Answer]]] = {
    "riichi": _riichi,
    "guobiao": _guobiao,
    "simplified": _simplified,
}
"""How the kernel policies of each family answer views."""


class PolicyAgent(Agent):
    """An agent that is the kernel policy of the same name. Not for several threads at once."""

    families: ClassVar[tuple[str, ...]] = ("riichi", "guobiao", "simplified")

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._answer = ANSWERS[game.id.partition("/")[0]](game, self.name)

    def act(self, asked: Asked) -> Array:
        """Ask the policy about every view, in one call of a kernel."""
        out = np.zeros(len(asked), np.int64)
        self._answer(asked.views, asked.words, out)
        return out


class RandomAgent(PolicyAgent):
    """Takes one of the legal actions, evenly, by the decision's word."""

    name, version = "random", "1"

    def chances(self, views: Array) -> Array:
        """The probability of every action in each view, float64[n, actions]."""
        masks = self.game.masks_of_views(views).astype(np.float64)
        return np.asarray(masks / masks.sum(1, keepdims=True))


class TsumogiriAgent(PolicyAgent):
    """Discards what it drew; never wins, never calls."""

    name, version = "tsumogiri", "1"


class GreedyAgent(PolicyAgent):
    """Wins when it can, discards for least shanten and then most useful tiles; knows no danger.

    Riichi: declares riichi at once, never calls. Guobiao: never calls. Simplified: calls what brings it nearer.
    """

    name, version = "greedy", "1"
