"""The deal-in model behind its interface: probabilities, exact zeros, agreement with the models it is made of."""

from __future__ import annotations

import mixed_play
import numpy as np
import pytest

from janshi.models.amounts import AMOUNTS, BASES, base_of, shares
from janshi.models.deal_in import METHODS, DealInModel
from janshi.models.hand_score import HandScoreModel
from janshi.models.labels import plain_views
from janshi.models.store import ModelError
from janshi.models.winning_tile import WinningTileModel
from janshi.rules.riichi.points import ron_payment


@pytest.fixture(scope="module")
def views():
    return plain_views(mixed_play.positions(300))


# --- amounts


def test_base_points_from_payments():
    real = [fu << (2 + han) for fu in (30, 40, 50, 60, 70, 110) for han in (1, 2, 3)] + [400, 800, 1600, 1920]
    real = [base for base in real if base < 2000] + [2000, 3000, 4000, 6000, 8000, 16000]
    for dealer in (False, True):
        paid = np.array([ron_payment(base, dealer) for base in real])
        assert base_of(paid, np.full(len(real), dealer)).tolist() == real


def test_amounts_keep_the_mean():
    bases = np.array([240, 320, 480, 1600, 1999, 2500, 16000.0])
    out = shares(bases)
    assert out.shape == (7, AMOUNTS)
    assert np.allclose(out.sum(1), 1)
    assert np.allclose(out @ BASES, bases, rtol=1e-5)
    assert shares(np.array([100.0, 1e6])) @ BASES == pytest.approx([240, 16000])


# --- every method


@pytest.mark.parametrize("method", METHODS)
def test_probabilities(method, views):
    said = DealInModel.load(method).predict(views)
    assert said.winning.shape == (len(views), 3, 34)
    assert ((said.winning >= 0) & (said.winning < 1)).all()
    total = said.base.sum(3)
    assert np.allclose(total[said.winning > 0], 1, atol=1e-4)
    assert (said.base >= 0).all()


def test_unknown_method_is_refused():
    with pytest.raises(ModelError, match=r"expected one of .*linear"):
        DealInModel.load("guess")


# --- linear


def test_linear_says_what_its_models_say(views):
    said = DealInModel.load("linear").predict(views)
    winning, score = WinningTileModel.load(), HandScoreModel.load()
    assert np.array_equal(said.winning, winning.predict(views))
    told = said.winning > 0
    assert np.allclose(said.payment(views)[told], score.predict(views)[told], rtol=1e-3)
