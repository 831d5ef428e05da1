"""The luck of matches in points, from stored answers or by replaying the games (`points/measure.py`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from janshi.arena.answers import MatchError, match_answers
from janshi.arena.plan import Plan
from janshi.arena.results import Results
from janshi.luck.points.measure import PointLuck, luck_of_games, shipped_values
from janshi.luck.types import MEASURES, POINTS, Array
from janshi.models.draw_values import DrawValues
from janshi.rules.registry import make_game

TOGETHER: Final = 1024
"""Games replayed at once."""


def score_point_match(
    plan: Plan,
    results: Results,
    values: DrawValues | None = None,
    *,
    watch: Callable[[int], None] = lambda done: None,
) -> tuple[Array, str]:
    """Luck by game and seat, float64[games, 2, players] with NaN for places, and the name of the values of draws.

    The default values are the shipped ones. `watch` is called with the number of games scored so far.
    """
    game = make_game(plan.rules)
    values = values or shipped_values(game.family.name)
    measure = PointLuck(game, values)
    answers = match_answers(plan, results)
    seeds = [plan.game(int(number)).seed for number in results.game]
    luck = np.full((len(results), len(MEASURES), game.players), np.nan)
    for a in range(0, len(results), TOGETHER):
        part = slice(a, a + TOGETHER)
        events, scores = measure.of_games(seeds[part], answers[part])
        if not np.array_equal(scores, results.scores[part]):
            raise MatchError("the answers of some games do not lead to their results")
        luck[part, POINTS] = luck_of_games(events, len(scores), game.players)
        watch(min(part.stop, len(results)))
    return luck, values.name
