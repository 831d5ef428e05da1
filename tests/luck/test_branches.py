"""All choices of some Guobiao decisions, tried at copies of the table."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.agents.search.agent import SearchAgent
from janshi.luck.points.branches import Branches
from janshi.luck.points.followed import Followed
from janshi.luck.points.measure import PointLuck, shipped_values
from janshi.luck.points.seated import Seated, play_adjusted
from janshi.rules.guobiao import actions as act
from janshi.rules.registry import make_game

GAME, SEEDS = make_game("guobiao"), np.arange(2, dtype=np.uint64)
END = 10_000


def nothing(prospects):
    """Values of draws that are all the same: no draw is lucky."""
    return np.zeros((len(prospects), 34, 4))


@pytest.fixture(scope="module")
def search():
    return SearchAgent(GAME)


def test_what_was_played_is_worth_what_came_of_it(search):
    found, tried = Branches(GAME, [search] * 4, horizons=(0, END), values=nothing).play(
        SEEDS, 0.05, np.random.default_rng(1)
    )
    states, _ = play_adjusted(Seated(GAME, [search] * 4), PointLuck(GAME, nothing, deals=1), SEEDS)
    points, compared = GAME.scores(states), 0
    for branch in tried:
        decision = found[branch["decision"]]
        if branch["action"] == decision["action"]:
            assert branch["worth"][1] == points[decision["game"], decision["seat"]]
            compared += 1
    assert compared > 3
    assert len(np.unique(tried["worth"][:, 1])) > 3


def test_branches_are_legal_and_have_a_worth_at_every_horizon(search):
    found, tried = Branches(GAME, [search] * 4, horizons=(0, 4)).play(SEEDS, 0.1, np.random.default_rng(2))
    legal = GAME.masks_of_views(found["view"])
    assert legal[tried["decision"], tried["action"]].all()
    assert not legal[:, act.HU].any()
    assert np.isfinite(tried["worth"]).all()
    assert np.isfinite(tried["about"]).all()
    assert (np.bincount(tried["decision"])[tried["decision"]] > 1).all()


def test_only_the_learners_decisions_are_tried_and_only_calls_if_wanted(search):
    others = SearchAgent(GAME)
    made = Branches(GAME, [search, others, others, others], learner=0, horizons=(0,), calls=True)
    found, _ = made.play(SEEDS, 1.0, np.random.default_rng(3))
    assert ((found["game"] + found["seat"]) % 4 == 0).all()
    assert GAME.masks_of_views(found["view"])[:, act.PASS].all()


def test_rivals_are_compared_where_they_differ(search):
    other = SearchAgent(GAME, draws=1.0)
    made = Branches(GAME, [search] * 4, horizons=(0,), rivals=[search, other])
    found, tried = made.play(SEEDS, 1.0, np.random.default_rng(4))
    assert len(tried) > 4
    for number in np.unique(tried["decision"]):
        actions = tried["action"][tried["decision"] == number]
        both = {agent.answer(found["view"][number]) for agent in (search, other)}
        assert set(actions.tolist()) == both
        assert len(both) == 2


def test_followed_choices_end_with_the_result(search):
    found = Followed(GAME, values=nothing, often=0.2).play(SEEDS, np.random.default_rng(5))
    assert found["deviates"].any()
    assert not found["deviates"].all()
    ends = {(row["game"], row["seat"]): row["worth"][-1] for row in found}
    assert all(row["worth"][-1] == ends[row["game"], row["seat"]] for row in found)  # points: no draw is lucky
    for game in range(len(SEEDS)):
        seats = {seat: points for (one, seat), points in ends.items() if one == game}
        assert len(seats) == 4
        assert sum(seats.values()) == pytest.approx(0)
    last = found[found["game"] == 0][-1]
    assert np.isfinite(last["worth"]).all()


def test_luck_of_draws_has_a_small_mean_and_follows_the_points(search):
    luck = PointLuck(GAME, shipped_values("guobiao"), deals=1)
    states, lucky = play_adjusted(Seated(GAME, [search] * 4), luck, np.arange(12, dtype=np.uint64))
    points = GAME.scores(states)
    assert lucky.sum(1) == pytest.approx(np.zeros(12), abs=1e-3)
    assert np.corrcoef(points.ravel(), lucky.ravel())[0, 1] > 0.4
