"""Actions of Guobiao decisions weighed by a file: features, weights, and that the player keeps the contract."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from janshi.agents.base import Asked
from janshi.agents.check import check_agent
from janshi.agents.explain import Explains
from janshi.agents.loss import HAND_POINTS
from janshi.agents.registry import make_agent
from janshi.agents.search.agent import SearchAgent
from janshi.agents.search.levels import CHANCE, VALUE, levels_of
from janshi.agents.weigher.features import FEATURES, LEAST_VALUE, WORTH_TRYING, rows_of, sensible
from janshi.agents.weigher.worths import Worths
from janshi.models.guobiao_opponents import shipped as shipped_opponents
from janshi.rules.guobiao import actions as act
from janshi.rules.registry import make_game
from janshi.rules.stepper import Stepper

GAME = make_game("guobiao")


@pytest.fixture(scope="module")
def views():
    """Decisions of a few hands between search players."""
    tables, search, found = Stepper(GAME, 3), SearchAgent(GAME), []
    tables.start(np.arange(3, dtype=np.uint64))
    while len(tables):
        some = tables.views()
        found.append(some)
        tables.step(search.act(Asked(GAME, some, np.zeros(len(some), np.uint64), tables.tables)))
    return np.concatenate(found)


@pytest.fixture(scope="module")
def rows(views):
    return rows_of(views, shipped_opponents())


def test_levels_add_up_to_the_value_of_the_search(views):
    found, values = levels_of(views), SearchAgent(GAME).action_values(views)
    assert np.array_equal(found.values >= 0, ~np.isnan(values))
    there = found.values > 0.01
    there[:, act.HU] = False
    assert found.levels[there][:, :, VALUE].sum(1) == pytest.approx(values[there], abs=1e-3)
    assert ((found.levels[there] > 0)[:, :, VALUE] == (found.useful[there] != 0)).all()
    paid = found.levels[there].sum(1)
    assert ((paid[:, VALUE] / paid[:, CHANCE] >= 8 + 24) & (paid[:, VALUE] / paid[:, CHANCE] < 300)).all()


def test_a_discard_throws_its_tile_and_a_call_one_of_the_hand(views):
    found = levels_of(views)
    decision, action = np.nonzero(found.values >= 0)
    thrown = found.thrown[decision, action]
    plays = action < act.CHI
    assert (thrown[plays] == action[plays]).all()
    calls = (action >= act.CHI) & (action < act.KONG)
    assert calls.any()
    assert (views["hand"][decision[calls], thrown[calls]] > 0).all()
    assert (thrown[action >= act.KONG] == -1).all()


def test_there_is_a_row_for_every_legal_action_but_a_win(views, rows):
    legal = GAME.masks_of_views(views)
    legal[:, act.HU] = False
    assert np.array_equal(np.argwhere(legal), np.column_stack([rows.decision, rows.action]))
    assert rows.about.shape == (legal.sum(), len(FEATURES))
    assert np.isfinite(rows.about).all()


def test_features_do_not_depend_on_other_decisions(views, rows):
    some = np.arange(0, len(views), 17)
    own = rows_of(views[some], shipped_opponents())
    assert own.about == pytest.approx(rows.where(np.isin(rows.decision, some)).about, abs=1e-9)


def test_sensible_actions_are_those_near_the_best_calls_and_the_safest(rows):
    kept = sensible(rows)
    assert len(kept.action) < len(rows.action)
    assert np.array_equal(np.unique(kept.decision), np.unique(rows.decision))
    key = kept.decision * act.NUM_ACTIONS + kept.action
    for decision in np.unique(rows.decision)[::7]:
        own = rows.where(rows.decision == decision)
        there = np.isin(decision * act.NUM_ACTIONS + own.action, key)
        assert there[own.value.argmax()]
        assert there[own.danger.argmin()]
        assert there[own.action >= act.CHI].all()
        dropped = own.value[~there] + LEAST_VALUE
        assert (dropped < WORTH_TRYING * (own.value.max() + LEAST_VALUE)).all()


def test_worths_are_a_sum_and_a_hidden_layer():
    weights, hidden = np.zeros(len(FEATURES)), np.zeros((1, len(FEATURES) + 1))
    weights[2], hidden[0, 3], hidden[0, -1] = 2.0, 1.0, -5.0
    about = np.zeros((2, len(FEATURES)))
    about[:, 2], about[:, 3] = 1.5, (4.0, 8.0)
    assert Worths(weights, hidden, np.array([10.0]))(about).tolist() == [3.0, 33.0]
    with pytest.raises(ValueError, match="expected"):
        Worths(np.zeros(3))


@pytest.fixture(scope="module")
def label(tmp_path_factory):
    """A player that likes safe tiles and pungs more than the search does."""
    random, weights = np.random.default_rng(1), np.zeros(len(FEATURES))
    for name, weight in (("wins at speed 1, logarithm", 2.0), ("danger", -3.0), ("peng", 1.0)):
        weights[FEATURES.index(name)] = weight
    hidden = 0.1 * random.normal(size=(4, len(FEATURES) + 1))
    path = tmp_path_factory.mktemp("weights") / "weights.npz"
    Worths(weights, hidden, 0.05 * random.normal(size=4), {"made": "for a test"}).save(path)
    return f"janshi.agents.weigher.agent.WeigherAgent:file={path}"


def test_weights_come_back_from_a_file(label):
    worths = Worths.load(Path(label.partition("=")[2]))
    assert worths.card["made"] == "for a test"
    assert worths.weights[FEATURES.index("danger")] == -3.0
    assert worths.hidden.shape == (4, len(FEATURES) + 1)


def test_it_keeps_the_contract_of_an_agent(label):
    assert check_agent(label, GAME, tables=3, steps=40).decisions > 30


def asked(views):
    """Decisions in the form that agents take."""
    return Asked(GAME, views, np.zeros(len(views), np.uint64), np.zeros(len(views), np.int64))


def test_it_takes_wins_and_explains_its_choice(label, views):
    agent = make_agent(label, GAME)
    assert isinstance(agent, Explains)
    legal = GAME.masks_of_views(views)
    wins = np.flatnonzero(legal[:, act.HU])
    assert len(wins)
    some = np.concatenate([np.arange(0, len(views), 23), wins])
    answers = agent.act(asked(views[some]))
    assert (answers[-len(wins) :] == act.HU).all()
    for found, answer, mask in zip(agent.explain(views[some]), answers, legal[some]):
        assert found.best.action == answer
        assert found.unit == HAND_POINTS
        assert sorted(choice.action for choice in found.choices) == np.flatnonzero(mask).tolist()
        assert found.best.worth == 0
        assert not any(choice.worth > 0 for choice in found.choices)
        assert len(found.tenpai) == 3


def test_a_large_margin_leaves_the_search_a_small_one_does_not(label, views):
    usual = SearchAgent(GAME).act(asked(views))
    assert np.array_equal(make_agent(f"{label},margin=1000", GAME).act(asked(views)), usual)
    shares = [(make_agent(f"{label},margin={margin}", GAME).act(asked(views)) == usual).mean() for margin in (0, 0.1)]
    assert 0.4 < shares[0] < 1
    assert shares[0] <= shares[1]
