"""Paper 4's search model (Li et al. 2022, section V): take the action that leaves the best winning hands within reach.

A winning hand counts for the product of the chances of its missing tiles, times what it pays. The agent takes the
action with the highest value, and every win it is offered. See `docs/search.md` for more, with figures.

>>> from janshi.agents.registry import make_agent
>>> from janshi.rules.registry import make_game
>>> make_agent("search", make_game("simplified/paper")).families
('guobiao', 'simplified')
"""

from __future__ import annotations

import numpy as np

from janshi.agents.base import Agent, Asked
from janshi.agents.search import guobiao as search_guobiao
from janshi.agents.search import simplified as search_simplified
from janshi.agents.search.targets import SEARCH_DTYPE
from janshi.core.tables import tables_array
from janshi.rules.game import Array, Game
from janshi.rules.simplified.ruleset import Ruleset as Simplified


class SearchAgent(Agent):
    """Weighs the winning hands within reach by the chances of their missing tiles and by what they pay.

    Options: `draws`, the number of tries at each missing tile that one's own draw counts for (0: the game's `DRAWS`);
    `called`, the number of extra tries for another player's discard; and `most`, the number of winning hands that one
    search may look at. The latter two are for Guobiao only. With `literal` it values hands exactly as the paper
    describes: a tile's chance is its share of what is left, a hand's worth its fan; `draws` and `called` then have no
    effect.
    """

    name, version, families = "search", "1", ("guobiao", "simplified")

    def __init__(
        self, game: Game, draws: float = 0.0, called: float = 0.7, most: int = 20_000, literal: bool = False
    ) -> None:
        super().__init__(game)
        if draws < 0 or called < 0 or most < 1:
            raise ValueError(f"agent 'search': needs draws and called ≥ 0 and most ≥ 1, not {draws}, {called}, {most}")
        self._draws = draws or (search_simplified if isinstance(game.rules, Simplified) else search_guobiao).DRAWS
        self._called, self._most, self._literal = called, most, literal

    def act(self, asked: Asked) -> Array:
        """The action with the highest value for each decision."""
        actions, views = np.zeros(len(asked), np.int64), np.ascontiguousarray(asked.views)
        if isinstance(self.game.rules, Simplified):
            hands = search_simplified.make_hands(self.game.rules, self._draws, self._literal)
            search_simplified.choose_actions(views, hands, actions)
        else:
            search_guobiao.choose_actions(views, *self._search(), actions)
        return actions

    def action_values(self, views: Array) -> Array:
        """The value of each legal action in Guobiao, float64[m, 235]: the expected pay of the player's own wins.

        NaN for illegal actions. A win that is offered is worth what it pays.
        """
        values = np.zeros((len(views), self.game.num_actions))
        search_guobiao.value_actions(views, *self._search(), values)
        return np.where(values < 0, np.nan, values)

    def _search(self) -> tuple[Array, float, float, int, Array]:
        """What the kernels for Guobiao need besides views."""
        search = np.zeros(1, SEARCH_DTYPE)
        search["literal"] = self._literal
        return search, self._draws, self._called, self._most, tables_array()
