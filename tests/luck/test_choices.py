"""Action terms of players who mix: zero on average, chances that sum to one, and less variance."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.agents.registry import make_agent
from janshi.arena.match import run_match
from janshi.arena.plan import Plan
from janshi.arena.units import Options
from janshi.luck.choices import Mixes, luck_of_choices
from janshi.luck.games import PlayedGames
from janshi.luck.matches import games_of_match
from janshi.luck.types import PLACES, POINTS
from janshi.rules.registry import make_game

RULES = "riichi/tenhou_east"


@pytest.fixture(scope="module")
def games() -> PlayedGames:
    """Games of a random player among greedy ones: what a random player does matters there."""
    plan = Plan(RULES, ("random", "greedy"), ((0, 1, 1, 1),), walls=60, seed=2, seating="independent")
    return games_of_match(plan, run_match(plan, options=Options(keep_actions=True)))


def seats_of(games: PlayedGames) -> np.ndarray:
    return np.array([[0 if name == "random" else 1 for name in names] for names in games.names])


def test_the_random_player_tells_its_chances():
    agent = make_agent("random", make_game(RULES))
    assert isinstance(agent, Mixes)
    assert not isinstance(make_agent("greedy", make_game(RULES)), Mixes)


def test_luck_of_choices_has_mean_zero_and_concerns_everybody(games: PlayedGames):
    luck = luck_of_choices(games, {0: make_agent("random", make_game(RULES))}, seats_of(games))
    assert np.abs(luck[:, PLACES].sum(1)).max() < 1e-3, "what one player wins the others lose"
    own = np.array([luck[i, :, seat] for i, seat in enumerate(np.argmin(seats_of(games), 1))])
    error = own.std(0) / np.sqrt(len(own))
    assert (np.abs(own.mean(0)) < 4 * error).all()
    assert own[:, POINTS].std() > 100, "discards that others win on are dear"


def test_players_who_do_not_mix_have_no_such_luck(games: PlayedGames):
    assert not luck_of_choices(games, {}, seats_of(games)).any()


def test_chances_must_sum_to_one(games: PlayedGames):
    class Half:
        def chances(self, views):
            return np.full((len(views), 120), 0.001)

    with pytest.raises(ValueError, match="sum to one"):
        luck_of_choices(games.select(0, 1), {0: Half()}, seats_of(games))


def test_less_varies_without_the_luck_of_choices(games: PlayedGames):
    """In points: a random player mostly loses by the tiles it happens to discard."""
    luck = luck_of_choices(games, {0: make_agent("random", make_game(RULES))}, seats_of(games))
    seat = np.argmin(seats_of(games), 1)
    points = games.scores[np.arange(len(games)), seat].astype(np.float64)
    left = points - luck[np.arange(len(games)), POINTS, seat]
    assert left.var() < 0.97 * points.var()
