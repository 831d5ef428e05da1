"""Table rates: they are probabilities and move in the right direction; kernels agree with slow references."""

from __future__ import annotations

import os
import subprocess
import sys

import mixed_play
import numpy as np
import pytest
from known_views import kind, make_view

from janshi.core.tiles import COPIES, EAST, NUM_KINDS, RANKS
from janshi.features.opponent import new_reading
from janshi.fitting.table_rates.regressions import chances, fit_choice, fit_logistic, log_loss, shrunk
from janshi.models.labels import plain_views
from janshi.models.table_rates import discards
from janshi.models.table_rates.model import (
    HORIZON,
    RATES_DTYPE,
    SIZE,
    TABLE_RATES_DTYPE,
    TableRates,
    calibrated,
    draws_in,
    new_scratch,
    other_win_chance,
)
from janshi.models.waiting import WaitingModel

RIVER = "1z9m1p9p8s4m3z6z"


@pytest.fixture(scope="module")
def views():
    return plain_views(mixed_play.positions())


@pytest.fixture(scope="module")
def model():
    return TableRates.load()


@pytest.fixture(scope="module")
def rates(model, views):
    return model.predict(views)


def test_the_numbers_are_one_list(model):
    assert model.weights.dtype == TABLE_RATES_DTYPE
    assert model.weights.view(np.float32).shape == (SIZE,)
    assert np.isfinite(model.weights.view(np.float32)).all()


def test_probabilities(rates, views):
    unseen = np.maximum(0, COPIES - views["seen"].astype(int) - views["hand"])
    assert np.allclose(rates["discards"].sum(-1), 1, atol=1e-5)
    assert (rates["discards"] >= 0).all()
    assert (rates["discards"].transpose(0, 3, 1, 2)[unseen == 0] == 0).all()
    assert np.allclose(rates["winner"].sum(1), 1, atol=1e-5)
    assert np.allclose(rates["base"].sum(2), 1, atol=1e-4)
    for name in ("tenpai", "ahead", "ahead_declared", "other_win", "sigma", "tsumo", "any_tenpai"):
        assert ((rates[name] >= 0) & (rates[name] <= 1)).all(), name


def test_who_is_in_riichi_is_tenpai(rates, views):
    riichi = views["riichi"][:, 1:] > 0
    assert riichi.any()
    assert (rates["tenpai"][riichi] == 1).all()
    assert (rates["ahead"][riichi] == 1).all()
    assert (rates["riichi"] == riichi.sum(1)).all()
    alone = 1 - np.prod(np.where(riichi, 1, 1 - rates["tenpai"]), axis=1)
    assert np.allclose(rates["any_tenpai"], alone, atol=1e-6)


def test_tenpai_ahead_begins_now(rates):
    assert np.allclose(rates["ahead"][:, :, 0], rates["tenpai"], atol=1e-6)
    early = rates["tenpai"].max(1) < 0.02
    assert (rates["ahead"][early, :, 4] > rates["ahead"][early, :, 0]).all()


def test_nobody_wins_without_a_draw(model, rates, views):
    draws = np.array([[draws_in(int(left), t) for t in range(HORIZON)] for left in views["left"]])
    assert (draws[:, 0] == np.minimum(3, views["left"])).all()
    for stance in range(2):
        assert ((rates["other_win"][:, stance] == 0) == (draws == 0)).all()
    scratch = new_scratch()
    said = other_win_chance(views[3], rates[3], False, 2, model.weights[0]["other_win"], scratch.numbers)
    assert not views[3]["riichi"][0], "choose another view: in riichi the chance is another"
    assert rates["other_win"][3, 0, 2] == pytest.approx(said, abs=1e-6)


def test_in_riichi_both_stances_are_alike(rates, views):
    declared = views["riichi"][:, 0] > 0
    assert (rates["declared"] == declared).all()
    for name in ("other_win", "discards", "sigma", "waited"):
        assert np.allclose(rates[name][declared, 0], rates[name][declared, 1], atol=1e-6), name
    assert (np.abs(rates["discards"][~declared, 0] - rates["discards"][~declared, 1]).max((1, 2)) > 1e-4).all()


def test_two_of_the_others_in_riichi_win_more_often(model):
    calm, one, two = (model.predict(made)["other_win"][0, 0, 0] for made in riichi_views())
    assert calm < one < two
    assert 0.05 < one < 0.2


def riichi_views():
    rivers = dict.fromkeys(range(4), RIVER)
    return [make_view("123m456p789s1122z5z", rivers=rivers, riichi=who) for who in ({}, {1: 6}, {1: 6, 2: 6})]


def test_a_riichi_makes_others_careful(model):
    """After my riichi the kinds in my river come out more often, middle kinds without suji less."""
    view = make_view("123m456p789s1122z5z", rivers={0: "1z9m1p9p", 1: "2z9m1p9s", 2: "3z1m9p1s", 3: "4z1m9p1s"})
    before, after = model.predict(view)["discards"][0]
    for other in range(3):
        assert after[other, kind("9m")] > 1.2 * before[other, kind("9m")]
        assert after[other, kind("5s")] < 0.9 * before[other, kind("5s")]


def test_tiles_waited_for_come_less_often(rates, views):
    closed = (views["melds"][:, 0] == 0) & (views["riichi"][:, 0] == 0)
    simple = kind("5p")
    assert (rates["waited"][closed, 1, simple] < 0.7).all()
    assert (rates["waited"] < 1.3).all()


def test_the_discards_of_riichi_are_drawn_evenly(rates, views):
    unseen = np.maximum(0, COPIES - views["seen"].astype(int) - views["hand"])
    even = unseen / unseen.sum(1, keepdims=True)
    at = np.nonzero(views["riichi"][:, 1:] > 0)
    assert np.allclose(rates["discards"][at[0], 0, at[1]], even[at[0]], atol=1e-6)


# --- references


def slow_safety(tile: int, safe: set[int], left: int) -> int:
    """By the words of `SAFETIES`."""
    if tile in safe:
        return discards.GENBUTSU
    if tile >= EAST:
        return {0: discards.LAST_HONOUR, 1: discards.LAST_HONOUR, 2: discards.HONOUR}.get(left, discards.LIVE_HONOUR)
    suit = tile // RANKS
    three_away = [tile + step for step in (-3, 3) if (tile + step) // RANKS == suit and 0 <= tile + step < EAST]
    covered = [other in safe for other in three_away]
    if all(covered):
        return discards.SUJI
    if any(covered):
        return discards.HALF_SUJI
    rank = 1 + tile % RANKS
    return discards.BARE_END if rank in (1, 9) else discards.BARE_NEAR if rank in (2, 8) else discards.BARE_MIDDLE


def test_safety_of_a_kind():
    rng = np.random.default_rng(1)
    for _ in range(40):
        safe = set(rng.integers(NUM_KINDS, size=8).tolist())
        mask = sum(1 << tile for tile in safe)
        for tile in range(NUM_KINDS):
            for left in range(1, 5):
                assert discards.safety_of(tile, mask, left) == slow_safety(tile, safe, left)


def test_discards_are_a_softmax(model, views):
    """Chances are those of unseen tiles times e to the weights of the features listed for the kind."""
    weights, scratch = model.weights[0]["discards"], new_scratch()
    out, features = np.zeros((3, NUM_KINDS), np.float32), np.zeros(discards.MOST, np.int32)
    reading = new_reading()
    for v in views[:20]:
        discards.discard_chances(v, weights, 0, scratch.reading[0], scratch.sights[0], features, out)
        discards.look_around(v, 0, reading[0], scratch.sights[0])
        for player in (1, 2, 3):
            if v["riichi"][player]:
                continue
            discards.read_opponent(v, player, reading[0])
            left = np.maximum(0, COPIES - v["seen"].astype(int) - v["hand"])
            odds = np.zeros(NUM_KINDS)
            for tile in np.flatnonzero(left):
                n = discards.list_discard(v["hand"], player, tile, reading[0], scratch.sights[0], features)
                assert n < discards.MOST
                names = {discards.LAYOUT.decode(int(feature))[0] for feature in features[:n]}
                assert "role" in names
                assert ("discarded before" in names) == (tile in river_of(v, player))
                odds[tile] = left[tile] * np.exp(weights[features[:n]].astype(float).sum())
            assert np.allclose(out[player - 1], odds / odds.sum(), atol=1e-5)


def river_of(v, player: int) -> set[int]:
    tiles = v["river"][player][: v["discards"][player]]
    return {int(tile) if tile < NUM_KINDS else 4 + 9 * (int(tile) - NUM_KINDS) for tile in tiles}


def test_the_gradient_of_discards(views):
    """The gradient that fitting follows is the slope of the loss."""
    rng = np.random.default_rng(2)
    n, scratch = 40, new_scratch()
    unseen = np.maximum(0, COPIES - views["seen"].astype(int) - views["hand"])
    kinds = np.array([[rng.choice(np.flatnonzero(row)) for _ in range(3)] for row in unseen[:n]], np.int8)
    wanted = np.ones((n, 3), np.bool_)
    lists = [np.zeros((3 * n, NUM_KINDS, discards.MOST), np.int16)]
    lists += [np.zeros((3 * n, NUM_KINDS), np.int8), np.zeros((3 * n, NUM_KINDS), np.int8), np.zeros(3 * n, np.int8)]
    stances, waits = np.zeros(n, np.int8), rng.integers(1 << 34, size=n)
    m = discards.list_examples(views[:n], waits, stances, kinds, wanted, scratch.reading, scratch.sights, *lists)
    assert 0 < m <= 3 * n
    lists = [part[:m] for part in lists]
    weights, gradient = rng.normal(size=discards.LAYOUT.size) / 5, np.zeros(discards.LAYOUT.size)
    loss = discards.loss_and_gradient(weights, *lists, gradient)
    for feature in np.argsort(-np.abs(gradient))[:12]:
        moved = weights.copy()
        moved[feature] += 1e-5
        slope = (discards.loss_and_gradient(moved, *lists, np.zeros_like(gradient)) - loss) / 1e-5
        assert slope == pytest.approx(gradient[feature], rel=1e-2, abs=1e-3)


def test_calibration_is_linear_in_log_odds():
    table = np.zeros((4, 20, 2), np.float32)
    table[..., 1] = 1.0
    table[2, 7] = (0.5, 0.8)
    assert calibrated(0.3, 1, 5, table) == pytest.approx(0.3, abs=1e-6)
    odds = 0.5 + 0.8 * np.log(0.3 / 0.7)
    assert calibrated(0.3, 2, 7, table) == pytest.approx(1 / (1 + np.exp(-odds)), abs=1e-6)
    assert calibrated(0.3, 4, 30, table) == pytest.approx(0.3, abs=1e-6)


# --- fits


def test_logistic_regression_finds_what_made_the_data():
    rng = np.random.default_rng(3)
    x = np.column_stack([np.ones(200_000), rng.normal(size=(200_000, 2))])
    true = np.array([-2.0, 0.7, -0.3])
    y = (rng.random(len(x)) < chances(x @ true)).astype(float)
    assert np.allclose(fit_logistic(x, y), true, atol=0.03)
    assert np.allclose(fit_logistic(x, y, ridge=1e9, prior=np.array([1.0, 2.0, 3.0])), [1, 2, 3], atol=1e-3)
    shifted = fit_logistic(x, y, offset=0.5)
    assert np.allclose(shifted, true - [0.5, 0, 0], atol=0.03)
    assert log_loss(chances(x @ true), y) < log_loss(np.full(len(y), y.mean()), y)


def test_choices_find_what_made_them():
    rng = np.random.default_rng(4)
    x = rng.normal(size=(60_000, 3, 2))
    true = np.array([0.8, -0.5])
    odds = np.exp(x @ true)
    picked = (rng.random(len(x))[:, None] > np.cumsum(odds / odds.sum(1, keepdims=True), 1)).sum(1)
    assert np.allclose(fit_choice(x, np.eye(3)[picked]), true, atol=0.03)


def test_thin_rates_lean_on_their_neighbours():
    counts = np.array([[1000.0, 10.0, 0.0]])
    successes = np.array([[300.0, 10.0, 0.0]])
    rates = shrunk(successes, counts, 30.0)[0]
    assert rates[0] == pytest.approx(0.3, abs=0.01)
    assert 0.3 < rates[1] < 0.6
    assert rates[2] == rates[1]


def test_a_calibrated_model_is_near_the_waiting_model(rates, views):
    said = WaitingModel.load().predict(views)
    open_ones = views["riichi"][:, 1:] == 0
    assert np.abs(rates["tenpai"] - said)[open_ones].max() < 0.15
    assert np.corrcoef(rates["tenpai"][open_ones], said[open_ones])[0, 1] > 0.98


PLAIN = """
import sys
import numpy as np
from janshi.models.table_rates.model import RATES_DTYPE, TableRates
from janshi.rules.riichi.view import VIEW_DTYPE

views = np.fromfile(sys.argv[1], VIEW_DTYPE)
TableRates.load().predict(views).tofile(sys.argv[2])
"""


def test_plain_python_says_the_same(views, rates, tmp_path):
    """Without the JIT every index is checked."""
    views[:12].tofile(tmp_path / "views")
    words = [sys.executable, "-c", PLAIN, str(tmp_path / "views"), str(tmp_path / "rates")]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    plain = np.fromfile(tmp_path / "rates", RATES_DTYPE)
    for name in RATES_DTYPE.names:
        assert np.allclose(plain[name], rates[name][:12], rtol=1e-4, atol=1e-6), name
