"""The MDP player: chooses the action of the highest worth."""

from __future__ import annotations

from typing import ClassVar, Final

import numpy as np

from janshi.agents.base import Agent, Asked
from janshi.agents.mdp.decide import Manner, answer_views, new_desk
from janshi.agents.montecarlo_payoffs import PAYOFF_DTYPE, RANK, Standing, make_payoffs
from janshi.rules.game import Array, Game

HANDS_A_SECOND: Final = 250_000
"""Hands that a time to think is worth: a fixed rate, so that the play is the same on every machine."""
KEPT: Final = 4096


class MDPAgent(Agent):
    """Values actions by Markov decision processes of one hand. Not for several threads at once."""

    name, version = "mdp", "1"
    families: ClassVar[tuple[str, ...]] = ("riichi",)

    def __init__(
        self,
        game: Game,
        seconds: float = 0.2,
        hands: int = 0,
        payoff: str = RANK,
        inclusive: int = Manner.inclusive,
        reach: int = Manner.reach,
        dealing: str = Manner.dealing,
    ) -> None:
        super().__init__(game)
        self.hands = hands or max(100, round(HANDS_A_SECOND * seconds))
        self.seconds = seconds
        self.payoff = payoff
        self._desk = new_desk(game.rules, self.hands, Manner(inclusive, reach, dealing))
        self._payoffs: dict[tuple[str | int, ...], Array] = {}

    def act(self, asked: Asked) -> Array:
        """Value every decision, in one call of a kernel."""
        out = np.zeros(len(asked), np.int64)
        answer_views(asked.views, self.payoffs(asked.views), False, self._desk, out)
        return out

    def payoffs(self, views: Array) -> Array:
        """The tables of payoffs of views, PAYOFF_DTYPE[m]."""
        out = np.zeros(len(views), PAYOFF_DTYPE)
        for i in range(len(views)):
            standing = Standing(views[i])
            key: tuple[str | int, ...] = standing.key
            table = self._payoffs.get(key)
            if table is None:
                if len(self._payoffs) >= KEPT:
                    self._payoffs.clear()
                table = self._payoffs[key] = make_payoffs(standing, self.game.rules, self.payoff)
            out[i] = table[0]
        return out
