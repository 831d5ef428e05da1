"""Chances of the five scenarios: eq. (18) by hand, sums, and fits that find what made the data."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.fitting.scenarios.data import POSITION_DTYPE
from janshi.fitting.scenarios.training import (
    even_log_loss,
    fit,
    fitted_on,
    labels_of,
    log_loss,
    numbers_of,
    train,
)
from janshi.models import scenarios
from janshi.models.scenarios import (
    ABORTED,
    COLUMN_NAMES,
    COLUMNS,
    FULL,
    LOSE,
    NOTEN,
    NUMBERS,
    OTHER,
    PAPER,
    SCENARIOS_DTYPE,
    TENPAI,
    WIN,
    ScenarioModel,
    far_odds,
)


def random_columns(n: int, seed: int = 1):
    rng = np.random.default_rng(seed)
    out = np.zeros((n, COLUMNS))
    for name, values in {
        "win": rng.normal(-1, 1.5, n),
        "tenpai": rng.normal(0, 1.5, n),
        "lose": rng.normal(-2, 1, n),
        "riichi": rng.integers(0, 3, n),
        "any_tenpai": rng.random(n),
        "melds": rng.integers(0, 4, n),
        "turn": rng.integers(0, 18, n),
        "left": rng.integers(0, 18, n),
        "shanten": rng.integers(0, 7, n),
        "declared": rng.integers(0, 2, n),
        "dealer": rng.integers(0, 2, n),
    }.items():
        out[:, COLUMN_NAMES.index(name)] = values
    return out


def random_model(seed: int = 2) -> ScenarioModel:
    weights = np.zeros(1, SCENARIOS_DTYPE)
    weights["weights"][0] = np.random.default_rng(seed).normal(size=(4, NUMBERS)) / 6
    return ScenarioModel(weights)


def test_equation_18_by_hand():
    """With regressions that are constants, the chances are the products of eq. (18)."""
    p = np.array([0.3, 0.2, 0.4, 0.1])
    weights = np.zeros(1, SCENARIOS_DTYPE)
    weights["weights"][0, :, 0] = np.log(p / (1 - p))
    chances = ScenarioModel(weights).predict(random_columns(3))
    expected = {
        WIN: 0.3,
        TENPAI: 0.7 * 0.2 * 0.4,
        NOTEN: 0.7 * 0.2 * 0.6,
        LOSE: 0.7 * 0.8 * 0.1,
        OTHER: 0.7 * 0.8 * 0.9,
    }
    for scenario, chance in expected.items():
        assert chances[:, scenario] == pytest.approx(chance, abs=1e-6)


def test_chances_sum_to_one():
    chances = random_model().predict(random_columns(2000))
    assert np.allclose(chances.sum(1), 1, atol=1e-6)
    assert (chances >= 0).all()


def test_chances_against_a_slow_reference():
    columns, model = random_columns(50), random_model()
    numbers, w = numbers_of(columns), model.weights["weights"][0].astype(float)
    win, washout, tenpai, lose = (1 / (1 + np.exp(-(numbers @ row))) for row in w)
    slow = np.zeros((50, 5))
    slow[:, WIN], slow[:, TENPAI] = win, (1 - win) * washout * tenpai
    slow[:, NOTEN], slow[:, LOSE] = (1 - win) * washout * (1 - tenpai), (1 - win) * (1 - washout) * lose
    slow[:, OTHER] = (1 - win) * (1 - washout) * (1 - lose)
    assert np.allclose(model.predict(columns), slow, atol=1e-5)


def test_labels_split_the_scenarios():
    about, holds = zip(*labels_of(np.array([WIN, LOSE, OTHER, TENPAI, NOTEN])))
    assert [list(np.flatnonzero(a)) for a in about] == [[0, 1, 2, 3, 4], [1, 2, 3, 4], [3, 4], [1, 2]]
    assert [list(np.flatnonzero(h)) for h in holds] == [[0], [3, 4], [3], [1]]


def made_facts(columns, model, seed: int = 5):
    rng = np.random.default_rng(seed)
    facts = np.zeros(len(columns), POSITION_DTYPE)
    ends = np.cumsum(model.predict(columns), axis=1)
    facts["scenario"] = np.minimum(4, (rng.random(len(columns))[:, None] > ends).sum(1))
    facts["passed"], facts["weight"] = 1, 1
    return facts


def test_the_paper_form_finds_what_made_the_data():
    weights = np.zeros(1, SCENARIOS_DTYPE)
    for regression, numbers in enumerate(scenarios.PAPER_NUMBERS):
        weights["weights"][0, regression, list(numbers)] = 0.3 - 0.2 * np.arange(len(numbers))
    columns = random_columns(120_000)
    facts = made_facts(columns, ScenarioModel(weights))
    found = fit(columns, facts, PAPER)
    assert np.allclose(found["weights"], weights["weights"], atol=0.08)
    assert found["form"] == PAPER


def test_the_form_that_measures_better_ships():
    columns = random_columns(30_000)
    facts = made_facts(columns, random_model())
    half = slice(0, 20_000), slice(20_000, None)
    arrays, card = train(columns[half[0]], facts[half[0]], (columns[half[1]], facts[half[1]]))
    assert card["form"] == "full"
    assert (arrays["weights"] == arrays["full"]).all()
    losses = card["log loss of validation"]
    assert losses["full"] < losses["paper"] < even_log_loss(facts) + 1e-3


def test_what_is_not_learned_from():
    facts = np.zeros(3, POSITION_DTYPE)
    facts["passed"] = (1, 0, 1)
    facts["scenario"] = (WIN, LOSE, ABORTED)
    assert fitted_on(facts).tolist() == [True, False, False]


def test_weights_count_positions():
    columns = random_columns(20_000)
    facts = made_facts(columns, random_model())
    facts["weight"] = np.where(facts["scenario"] == WIN, 3.0, 1.0)
    model = ScenarioModel(fit(columns, facts, FULL))
    wins = facts["scenario"] == WIN
    expected = 3 * wins.sum() / (3 * wins.sum() + (~wins).sum())
    assert np.average(model.predict(columns)[:, WIN], weights=facts["weight"]) == pytest.approx(expected, abs=0.01)
    assert log_loss(model, columns, facts) < even_log_loss(facts)


def test_log_odds_stay_finite():
    assert far_odds(0.0) == -scenarios.FARTHEST
    assert far_odds(1.0) == scenarios.FARTHEST
    assert far_odds(0.5) == 0.0
    assert far_odds(1e-12) == -scenarios.FARTHEST


def test_wrong_columns_are_named():
    with pytest.raises(ValueError, match="expected 11 columns"):
        random_model().predict(np.zeros((2, 3)))


@pytest.mark.parametrize("form", [None, *scenarios.FORMS])
def test_the_shipped_model(form):
    """Chances sum to 1, and a hand that M_win likes better wins more often."""
    model, columns = ScenarioModel.load(form=form), random_columns(500)
    assert np.allclose(model.predict(columns).sum(1), 1, atol=1e-5)
    plain = np.zeros((2, COLUMNS))
    for name, value in {"lose": -2, "turn": 6, "left": 10, "shanten": 1, "any_tenpai": 0.1, "tenpai": 0}.items():
        plain[:, COLUMN_NAMES.index(name)] = value
    plain[:, COLUMN_NAMES.index("win")] = (-2, 0)
    far, near = model.predict(plain)[:, WIN]
    assert 0.02 < far < near < 0.8


def test_an_unknown_form_is_named():
    with pytest.raises(ValueError, match="paper and full"):
        ScenarioModel.load(form="other")
