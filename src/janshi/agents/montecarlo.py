"""The Monte Carlo player of Mizukami & Tsuruoka (2015): every candidate is judged by simulated hands.

    Score(tile) = sim(tile) x prod over opponents (1 - LP) - sum over opponents of EL

LP is the chance to deal in, EL what that costs, from the models of opponents (`models.opponents`); sim is the mean of
hands played to the end in an abstracted game, in which opponents hold no tiles (`montecarlo_scene`). Worth is
counted in expected final rank or in points (`montecarlo_payoffs`). All of a decision happens in one call of a kernel.
"""

from __future__ import annotations

from typing import ClassVar, Final

import numpy as np

from janshi.agents.base import Agent, Asked
from janshi.agents.montecarlo_payoffs import PAYOFF_DTYPE, PAYOFFS, RANK, Standing, make_payoffs
from janshi.agents.montecarlo_search import answer_views, new_desk
from janshi.core.tables import tables_array
from janshi.models.opponents import new_scratch, shipped
from janshi.rules.game import Array, Game

HANDS_A_SECOND: Final = 10_000
"""Simulated hands that a time to think is worth: a fixed rate, so that the play is the same on every machine."""
KEPT: Final = 4096
"""Tables of payoffs that are kept."""


class MonteCarloAgent(Agent):
    """Judges candidates by simulated hands. Not for several threads at once.

    Options: `seconds` to think about a decision, which stands for a number of simulated hands; `rollouts`, that number
    itself, if it is not 0; `payoff`, what is aimed at: expected final `rank`, or `points`.
    """

    name, version = "montecarlo", "1"
    families: ClassVar[tuple[str, ...]] = ("riichi",)

    def __init__(self, game: Game, seconds: float = 1.0, rollouts: int = 0, payoff: str = RANK) -> None:
        super().__init__(game)
        if payoff not in PAYOFFS:
            raise ValueError(f"agent montecarlo: payoff must be one of {', '.join(PAYOFFS)}, not {payoff!r}")
        if seconds <= 0 or rollouts < 0:
            raise ValueError(f"agent montecarlo: it needs time to think, not {seconds} s and {rollouts} rollouts")
        self.rollouts = rollouts or max(1, round(HANDS_A_SECOND * seconds))
        self.payoff = payoff
        self._tables, self._weights, self._scratch = tables_array(), shipped().weights, new_scratch()
        self._desk = new_desk(game.rules)
        self._payoffs: dict[tuple[int, ...], Array] = {}

    def act(self, asked: Asked) -> Array:
        """Simulate for every decision, in one call of a kernel."""
        out = np.zeros(len(asked), np.int64)
        payoffs = self.payoffs(asked.views)
        answer_views(
            asked.views,
            asked.words,
            payoffs,
            self.rollouts,
            self._weights,
            self._scratch,
            self._desk,
            self._tables,
            out,
        )
        return out

    def payoffs(self, views: Array) -> Array:
        """The tables of payoffs of views, PAYOFF_DTYPE[m]."""
        out = np.zeros(len(views), PAYOFF_DTYPE)
        for i in range(len(views)):
            standing = Standing(views[i])
            table = self._payoffs.get(standing.key)
            if table is None:
                if len(self._payoffs) >= KEPT:
                    self._payoffs.clear()
                table = self._payoffs[standing.key] = make_payoffs(standing, self.game.rules, self.payoff)
            out[i] = table[0]
        return out
