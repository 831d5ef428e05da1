"""What choices cost in Guobiao: features, losses, and what `rvr` says of them."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.agents.base import Asked
from janshi.agents.learned.point_losses import (
    FARTHEST_GAP,
    FEATURES,
    SITUATIONS,
    Opinions,
    PointLosses,
    features,
    shipped,
    situations,
)
from janshi.agents.learned.rvr import RvrAgent
from janshi.agents.loss import HAND_POINTS, action_values
from janshi.agents.search.agent import SearchAgent
from janshi.rules.guobiao import actions as act
from janshi.rules.registry import make_game
from janshi.rules.stepper import Stepper

GAME = make_game("guobiao")


def opinions(chances: dict[int, float], values: dict[int, float]) -> Opinions:
    """One decision with these choices."""
    legal = np.zeros((1, act.NUM_ACTIONS), np.bool_)
    said = np.zeros((1, act.NUM_ACTIONS)), np.full((1, act.NUM_ACTIONS), np.nan)
    for row, known in zip(said, (chances, values)):
        for action, number in known.items():
            row[0, action] = number
            legal[0, action] = True
    none = np.zeros((1, act.NUM_ACTIONS))
    return Opinions(said[0], legal, said[1], none, np.zeros((1, 3)), np.full(1, 10.0), np.zeros(1))


def test_features_are_counted_from_each_opinions_best_choice():
    found = features(opinions({0: 0.8, 1: 0.2}, {0: 3.0, 1: 5.0}))[0]
    discard = {about: place for place, about in enumerate(FEATURES)}
    assert found[0, discard["gap: discard"]] == 0
    assert found[1, discard["gap: discard"]] == pytest.approx(np.log(4))
    assert found[0, discard["shortfall: discard"]] == pytest.approx(2.0)
    assert found[0, discard["shortfall, logarithm: discard"]] == pytest.approx(np.log(5.1 / 3.1))
    assert found[1, discard["danger: discard"]] == 0
    assert not found[2:].any()
    assert not found[:2, len(FEATURES) // len(SITUATIONS) :].any()  # nothing of other situations


def test_choices_that_the_network_never_makes_differ_by_the_search():
    said = opinions({0: 1.0, 1: 1e-9, 2: 1e-30}, {0: 3.0, 1: 2.0, 2: 1.0})
    found = features(said)[0]
    near, far = FEATURES.index("gap: discard"), FEATURES.index("gap beyond 8: discard")
    assert found[1:3, near].tolist() == [FARTHEST_GAP] * 2
    assert found[2, far] == FARTHEST_GAP  # at most: that far the network cannot tell choices apart
    lost = shipped().losses(said)[0]
    assert lost[0] == 0
    assert lost[2] > lost[1] > 0
    alike = opinions({0: 1.0, 1: 1e-20, 2: 1e-30}, {0: 3.0, 1: 3.0, 2: 1.0})
    assert shipped().losses(alike)[0, 2] - shipped().losses(alike)[0, 1] > 2  # two points of wins in reach


def test_danger_counts_between_discards():
    said = opinions({0: 0.5, 1: 0.5}, {0: 3.0, 1: 3.0})
    said.danger[0, 1] = 0.1
    assert features(said)[0, 1, FEATURES.index("danger: discard")] == 0.1
    assert shipped().losses(said)[0, 1] > 0


def test_the_best_choice_loses_nothing_and_no_loss_is_negative():
    weights = np.zeros(len(FEATURES))
    weights[:3] = 0.5, 0.0, 1.0  # gap, far gap, shortfall
    lost = PointLosses(weights).losses(opinions({0: 0.8, 1: 0.2}, {0: 3.0, 1: 5.0}))[0]
    assert lost[1] == 0  # it is rarer, which costs 0.69, but reaches two points more
    assert lost[0] == pytest.approx(2.0 - 0.5 * np.log(4))
    assert np.isnan(lost[2:]).all()


def test_weights_must_not_be_negative():
    with pytest.raises(ValueError, match="none of them negative"):
        PointLosses(np.full(len(FEATURES), -1.0))


def test_situations():
    legal = np.zeros((3, act.NUM_ACTIONS), np.bool_)
    legal[0, 5] = legal[1, act.PASS] = legal[2, [act.PASS, act.HU]] = True
    assert [SITUATIONS[i] for i in situations(legal)] == ["discard", "call or not", "win or not"]


@pytest.fixture(scope="module")
def views():
    """Decisions of some hands that the search plays."""
    tables, search, found = Stepper(GAME, 6), SearchAgent(GAME), []
    tables.start(np.arange(6, dtype=np.uint64))
    while not (tables.states["phase"] == GAME.game_over).all():
        found.append(tables.views())
        words = np.zeros(len(found[-1]), np.uint64)
        tables.step(search.act(Asked(GAME, found[-1], words, tables.tables)))
    every = np.concatenate(found)
    legal = GAME.masks_of_views(every)
    chosen = np.flatnonzero(legal.sum(1) > 1)
    wins = chosen[legal[chosen, act.HU]]
    return every[np.unique(np.concatenate([chosen[:: max(1, len(chosen) // 12)], wins]))]


def test_the_search_values_every_legal_action_and_plays_the_best(views):
    search = SearchAgent(GAME)
    values, legal = search.action_values(views), GAME.masks_of_views(views)
    assert (np.isnan(values) == ~legal).all()
    played = search.act(Asked(GAME, views, np.zeros(len(views), np.uint64), np.arange(len(views))))
    best = np.nanmax(np.where(np.arange(act.NUM_ACTIONS) == act.HU, np.nan, values), 1)
    for i, action in enumerate(played.tolist()):
        if legal[i, act.HU]:
            assert action == act.HU
            assert values[i, act.HU] >= 32  # eight fan pay at least that
        else:
            assert values[i, action] == best[i]


def test_rvr_says_what_choices_cost_in_points(views):
    agent = RvrAgent(GAME)
    assert agent.gives_values
    for explanation in agent.explain(views):
        assert explanation.unit == HAND_POINTS
        values = action_values(explanation)
        losses = [values.loss(action) for action in values.values]
        assert min(losses) == 0
        assert all(lost >= 0 for lost in losses)
        assert sum(choice.experts for choice in explanation.choices) == pytest.approx(1)


def test_declining_a_win_costs_most_of_it(views):
    legal = GAME.masks_of_views(views)
    wins = views[legal[:, act.HU]]
    assert len(wins)
    for explanation in RvrAgent(GAME).explain(wins):
        values = action_values(explanation)
        assert values.best == act.HU
        assert min(values.loss(action) for action in values.values if action != act.HU) > 5


def test_shipped_weights_belong_to_the_shipped_network():
    assert RvrAgent(GAME).losses is shipped()
    assert not RvrAgent(make_game("simplified")).gives_values
