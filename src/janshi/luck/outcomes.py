"""Each player's gain from each hand of a game, in places and in points.

Between hands, the final rank model values a game by its scores; when the game is over, its ranks count. So the gains of
hands sum over a game to exactly 2.5 - rank (equation 10 of Ogami et al. 2022), for any model.
"""

from __future__ import annotations

import numpy as np

from janshi.agents.worths import MEAN_RANK, MEASURES
from janshi.luck.games import PlayedGames
from janshi.luck.types import Array
from janshi.models import final_rank
from janshi.rules.riichi.state import PLAYERS


def gains_of_hands(games: PlayedGames) -> Array:
    """The gain of each player in each hand, float64[hands, measures, 4]."""
    hands = games.hands
    before = np.zeros((len(hands), len(MEASURES), PLAYERS))
    rounds = np.array([rules.rounds for rules in games.rules])[hands["rules"]]
    chances = final_rank.predict(hands["scores"], hands["kyoku"], hands["honba"], hands["sticks"], rounds)
    before[:, 0] = MEAN_RANK - chances @ np.arange(1.0, PLAYERS + 1)
    before[:, 1] = hands["scores"]
    before[games.starts, 0] = 0.0
    after = np.roll(before, -1, axis=0)
    last = np.roll(games.starts - 1, -1)
    after[last, 0] = MEAN_RANK - games.ranks
    after[last, 1] = games.scores
    return after - before
