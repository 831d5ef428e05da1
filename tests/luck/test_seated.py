"""Hands of several agents whose seats turn, and the luck of their draws."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.agents.search.agent import SearchAgent
from janshi.luck.points.measure import PointLuck, shipped_values
from janshi.luck.points.seated import Seated, play_adjusted
from janshi.rules.registry import make_game


def test_luck_of_draws_has_a_small_mean_and_follows_the_points():
    game = make_game("guobiao")
    luck = PointLuck(game, shipped_values("guobiao"), deals=1)
    states, lucky = play_adjusted(Seated(game, [SearchAgent(game)] * 4), luck, np.arange(12, dtype=np.uint64))
    points = game.scores(states)
    assert lucky.sum(1) == pytest.approx(np.zeros(12), abs=1e-3)
    assert np.corrcoef(points.ravel(), lucky.ravel())[0, 1] > 0.4


def test_agents_change_seats_from_hand_to_hand():
    game = make_game("guobiao")
    seated = Seated(game, [SearchAgent(game) for _ in range(4)])
    hands, players = np.repeat(np.arange(4), 4), np.tile(np.arange(4), 4)
    places = seated.places(hands, players).reshape(4, 4)
    assert places[0].tolist() == [0, 1, 2, 3]
    assert [row.tolist().index(0) for row in places] == [0, 3, 2, 1]
