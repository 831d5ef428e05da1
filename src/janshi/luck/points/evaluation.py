"""How much of the variance of hands' points is left after removing luck, source by source."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from janshi.arena.stats import Estimate
from janshi.learn.warm_start import Recorded
from janshi.luck.points.measure import DEAL, DRAW, FLOWER, PointLuck, luck_of_games
from janshi.luck.significance import variance_ratio
from janshi.models.draw_values import Values
from janshi.rules.game import Game

STEPS: Final = {"draws": (DRAW,), "draws and deal": (DRAW, DEAL), "all": (DRAW, DEAL, FLOWER)}
"""The sources removed, by name."""
TOGETHER: Final = 500
"""Hands replayed at once."""


def variance_left(
    game: Game, hands: Recorded, values: Values, watch: Callable[[int], None] = lambda done: None
) -> dict[str, Estimate]:
    """The remaining share of the variance of recorded hands' points, with intervals by hand.

    The values must not have been fitted to these hands. `watch` is called with the number of hands done.
    """
    answers = np.split(hands.actions, np.cumsum(hands.lengths)[:-1])
    measure, n = PointLuck(game, values), len(hands.seeds)
    luck = {name: np.zeros((n, game.players)) for name in STEPS}
    for a in range(0, n, TOGETHER):
        part = slice(a, a + TOGETHER)
        events, scores = measure.of_games(hands.seeds[part].tolist(), answers[part])
        if not np.array_equal(scores, hands.scores[part]):
            raise ValueError("the answers of some hands do not lead to their results")
        for name, kinds in STEPS.items():
            luck[name][part] = luck_of_games(events, len(scores), game.players, kinds)
        watch(min(part.stop, n))
    plain, walls = hands.scores.astype(np.float64), np.repeat(np.arange(n), game.players)
    return {name: variance_ratio(plain.ravel(), (plain - own).ravel(), walls) for name, own in luck.items()}
