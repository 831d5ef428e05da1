"""How Guobiao hands end after each choice, by `rvr`."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.agents.explain import Explains
from janshi.agents.learned.point_ends import DRAW, ENDS, FEATURES, LOSE, OTHER, WIN, PointEnds, shipped
from janshi.agents.learned.point_losses import Opinions
from janshi.agents.registry import make_agent
from janshi.rules.batch import Batch
from janshi.rules.guobiao import actions as act
from janshi.rules.registry import make_game


def opinions(legal: list[int], **said) -> Opinions:
    """One decision between choices that are alike but for what is said."""
    mask = np.zeros((1, act.NUM_ACTIONS), np.bool_)
    mask[0, legal] = True
    known = {
        "chances": mask / len(legal),
        "legal": mask,
        "values": np.where(mask, 2.0, np.nan),
        "danger": np.zeros((1, act.NUM_ACTIONS)),
        "ready": np.full((1, 3), 0.1),
        "left": np.full(1, 10.0),
        "melds": np.zeros(1),
    }
    return Opinions(**(known | said))


def test_chances_sum_to_one_and_illegal_choices_have_none():
    found = shipped().chances(opinions([0, 5]))[0]
    assert found[[0, 5]].sum(1) == pytest.approx(1)
    assert np.isnan(np.delete(found, [0, 5], 0)).all()


def test_a_win_wins():
    found = shipped().chances(opinions([act.HU, act.PASS]))[0]
    assert found[act.HU].tolist() == [1.0, 0.0, 0.0, 0.0]
    assert found[act.PASS, WIN] < 0.9


def test_danger_adds_to_dealing_in_and_takes_from_the_rest():
    danger = np.zeros((1, act.NUM_ACTIONS))
    danger[0, 5] = 0.25
    safe, risky = shipped().chances(opinions([0, 5], danger=danger))[0, [0, 5]]
    assert risky[LOSE] == pytest.approx(0.25 + 0.75 * safe[LOSE])
    assert risky[WIN] == pytest.approx(0.75 * safe[WIN])


def test_more_wins_in_reach_win_more():
    values = np.full((1, act.NUM_ACTIONS), np.nan)
    values[0, :3] = 0.2, 2.0, 10.0
    found = shipped().chances(opinions([0, 1, 2], values=values))[0, :3, WIN]
    assert (np.diff(found) > 0.02).all()


def test_a_hand_near_its_end_draws_more():
    early, late = (shipped().chances(opinions([0], left=np.full(1, n)))[0, 0, DRAW] for n in (15.0, 1.0))
    assert late > 2 * early


@pytest.mark.parametrize("rules", ["guobiao/botzone", "guobiao/match"])
def test_a_first_turn_wins_as_often_from_a_common_wall_as_from_four(rules: str) -> None:
    game = make_game(rules)
    agent = make_agent("rvr", game)
    assert isinstance(agent, Explains)
    ends = [found.ends for found in agent.explain(Batch(game, 16, seed=3).views())]
    for name, low, high in (("win", 0.15, 0.35), ("lose", 0.05, 0.3), ("draw", 0.0, 0.2)):
        assert low < np.mean([one[name] for one in ends]) < high, name


def test_weights_must_have_the_right_shape():
    with pytest.raises(ValueError, match=f"{len(FEATURES)} features for {OTHER} ends"):
        PointEnds(np.zeros((len(FEATURES), len(ENDS))))
