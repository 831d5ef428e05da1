"""Paper 4's search model (Li et al. 2022, section V): which action leaves the best winning hands in reach.

A winning hand counts for the product of the chances of the tiles that lack to it, times what it pays. The action with
the greatest value is taken; a win is taken when it is offered. `docs/search.md` says more, with figures.

>>> from janshi.agents.registry import make_agent
>>> from janshi.rules.registry import make_game
>>> make_agent("search", make_game("simplified/paper")).families
('simplified',)
"""

from __future__ import annotations

import numpy as np

from janshi.agents.base import Agent, Asked
from janshi.agents.search_simplified import choose_actions, make_hands
from janshi.rules.game import Array, Game


class SearchAgent(Agent):
    """Weighs the winning hands within reach by the chances of their missing tiles and by what they pay.

    Option: `draws`, for how many tries at each tile that is lacking a draw of one's own counts.
    """

    name, version, families = "search", "1", ("simplified",)

    def __init__(self, game: Game, draws: float = 0.25) -> None:
        super().__init__(game)
        if draws <= 0:
            raise ValueError(f"agent 'search': option draws must be above 0, not {draws}")
        self._hands = make_hands(game.rules, draws)

    def act(self, asked: Asked) -> Array:
        """The action of greatest value for each decision."""
        actions = np.zeros(len(asked), np.int64)
        choose_actions(asked.views, self._hands, actions)
        return actions
