"""The deal-in model behind its interface: probabilities, exact zeros, agreement with the models it is made of."""

from __future__ import annotations

import os
import subprocess
import sys

import mixed_play
import numpy as np
import pytest
from known_views import kind, make_view

from janshi.models.amounts import AMOUNTS, BASES, base_of, shares
from janshi.models.deal_in.model import METHODS, DealInModel
from janshi.models.hand_score import HandScoreModel
from janshi.models.labels import plain_views
from janshi.models.store import ModelError
from janshi.models.winning_tile import WinningTileModel
from janshi.rules.riichi.points import ron_payment

RIVER = "1z9m1p9p8s4m3z6z"


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


@pytest.mark.parametrize("method", METHODS)
def test_genbutsu_is_exactly_safe(method):
    model = DealInModel.load(method)
    closed = make_view(rivers={1: RIVER, 2: "2m3m7z7z2s2s5p1s6m", 3: "4p"}, riichi={1: 6})
    said = model.predict(closed)
    for tile in ("1z", "9m", "1p", "8s", "4m", "6z", "1s"):
        assert said.winning[0, 0, kind(tile)] == 0
        assert (said.base[0, 0, kind(tile)] == 0).all()
    assert said.winning[0, 0, kind("2m")] > 0  # discarded before the riichi
    opened = make_view(rivers={1: "1z9m", 2: "2m7z", 3: "4p3s"}, melds={1: "(555z) (234s)"})
    winning = model.predict(opened).winning[0, 0]
    assert winning[kind("7z")] == winning[kind("3s")] == winning[kind("9m")] == 0
    assert winning[kind("2m")] > 0


@pytest.mark.parametrize("method", METHODS)
def test_dora_and_dealers_cost_more(method):
    model = DealInModel.load(method)
    river = {1: RIVER}
    at = kind("6m")
    for melds in ("(567p) (234m)", "(567p)"):
        cheap = make_view(rivers=river, melds={1: melds}, indicator="9s")
        rich = make_view(rivers=river, melds={1: melds.replace("5", "0")}, indicator="6p")
        assert model.predict(rich).payment(rich)[0, 0, at] > 1.5 * model.predict(cheap).payment(cheap)[0, 0, at]
    dealer = make_view(rivers=river, riichi={1: 7}, dealer=1)
    other = make_view(rivers=river, riichi={1: 7}, dealer=2)
    assert model.predict(dealer).payment(dealer)[0, 0, at] > 1.3 * model.predict(other).payment(other)[0, 0, at]


@pytest.mark.parametrize("method", METHODS)
def test_one_opponent_as_among_three(method, views):
    model = DealInModel.load(method)
    some = views[:40]
    whole = model.predict(some)
    players = np.arange(40) % 3 + 1
    alone = model.predict_opponents(some, players)
    at = np.arange(40)
    assert np.array_equal(alone.winning, whole.winning[at, players - 1])
    assert np.array_equal(alone.base, whole.base[at, players - 1])


def test_card():
    card = DealInModel.load().card
    assert "houou-2022" in card["training data"]
    assert card["config"]["seed"] == 1


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


# --- mixed


def test_mixed_leaves_far_opponents_to_the_linear_models(views):
    mixed, linear = DealInModel.load("mixed"), DealInModel.load("linear")
    melded = (views["melds"][:, 1:] > 0) & (views["riichi"][:, 1:] == 0)
    mixed.weights["near"] = 1.1
    said, told = mixed.predict(views), linear.predict(views)
    opened = melded & np.isin(views["meld_type"][:, 1:], (1, 2, 3, 5)).any(2)
    assert opened.any()
    assert np.array_equal(said.winning[opened], told.winning[opened])
    mixed.weights["near"] = 0
    assert not np.array_equal(mixed.predict(views).winning[opened], told.winning[opened])


# --- plain Python

CODE = """
import sys
import numpy as np
from janshi.models.deal_in.model import DealInModel
from janshi.rules.riichi.view import VIEW_DTYPE

folder = sys.argv[1]
said = DealInModel.load().predict(np.fromfile(f"{folder}/views", VIEW_DTYPE))
np.savez(f"{folder}/said.npz", *said)
"""


def test_plain_python_says_the_same(tmp_path):
    one = make_view(rivers={1: RIVER, 2: "1z2z"}, melds={1: "(555z) (234p) (678s)"}, riichi={2: 1})
    one.tofile(tmp_path / "views")
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(tmp_path)], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    said = DealInModel.load().predict(one)
    with np.load(tmp_path / "said.npz") as stored:
        for name, part in zip(stored.files, said):
            assert np.allclose(stored[name], part, rtol=1e-3, atol=1e-6)
