"""The network of opponents: kernels against a slow reference, what is exact, and files."""

from __future__ import annotations

import numpy as np
import pytest
from known_views import kind, make_view

from janshi.features.network import (
    GLOBAL_MOST,
    GLOBAL_ROOM,
    GLOBAL_SIZE,
    HONOUR,
    ROOM,
    SUIT,
    SUIT_ROOM,
    VERSION,
    encode,
    honour_kind,
    mirror,
)
from janshi.features.opponent import new_reading, read_opponent, read_table
from janshi.models import network as nw
from janshi.models.store import ModelError, save

SMALL = nw.Sizes(32, 16, 32, 16, 16)
VIEWS = [
    make_view(rivers={1: "1m9p1z5s", 2: "7z2m3m", 3: "9s"}),
    make_view(rivers={1: "1m9p1z5s4p", 2: "7z2m3m8p6m", 3: "9s1p"}, riichi={1: 3}, dealer=2),
    make_view(
        rivers={1: "1z2z9m", 3: "5p6p7p8p"}, melds={1: "(555z) (123p)", 3: "(789m)"}, kyoku=5, dealer=1, drawn=True
    ),
]


def random_weights() -> nw.Weights:
    rng = np.random.default_rng(0)
    return nw.Weights(*(rng.normal(0, 0.3, shape).astype(np.float32) for shape in nw.shapes(SMALL).values()))


@pytest.fixture(scope="module")
def network() -> nw.OpponentNetwork:
    return nw.OpponentNetwork(nw.unpack(nw.pack(random_weights())))


@pytest.fixture(scope="module")
def views():
    return np.concatenate(VIEWS)


def encoded(views, player: int):
    r, out = new_reading(), np.zeros(ROOM, np.int16)
    read_table(views[0], r[0])
    read_opponent(views[0], player, r[0])
    encode(views[0], player, r[0], np.zeros(GLOBAL_MOST, np.int32), out)
    return out, int(r[0].safe)


def reference(views, player: int, w: nw.Weights):
    """Waiting's margin and each kind's three outputs, computed as the network's page describes."""
    lists, _ = encoded(views, player)
    part, hidden, head = len(w.suit_own), w.suit_own.shape[1], len(w.opponent)

    def bag(numbers, table, bias):
        return sum((table[n] for n in numbers if n), bias.astype(np.float64))

    def relu(x):
        return np.maximum(x, 0)

    whole = bag(lists[:GLOBAL_ROOM], w.global_table, w.global_bias)
    suits = [
        bag(lists[GLOBAL_ROOM + s * SUIT_ROOM : GLOBAL_ROOM + (s + 1) * SUIT_ROOM], w.suit_table, w.suit_bias)
        for s in range(3)
    ]
    honour = bag(lists[GLOBAL_ROOM + 3 * SUIT_ROOM :], w.honour_table, w.honour_bias)
    joined = np.concatenate([relu(whole), sum(relu(s[:part]) for s in suits), relu(honour[:part])])
    branch = relu(joined @ w.trunk + w.trunk_bias) @ w.branch + w.branch_bias
    said = relu(branch[:head]) @ w.opponent + w.opponent_bias
    said[:2] += whole[:2]
    outputs = np.zeros((3, 34))
    for s, sums in enumerate(suits):
        inner = relu(sums[part:] + relu(sums[:part]) @ w.suit_own + branch[head : head + hidden])
        outputs[:, 9 * s : 9 * s + 9] = (inner @ w.suit_out + w.suit_out_bias)[:27].reshape(3, 9)
    inner = relu(honour[part:] + relu(honour[:part]) @ w.honour_own + branch[head + hidden :])
    told = (inner @ w.honour_out + w.honour_out_bias)[:21].reshape(3, 7)
    for number in range(7):
        outputs[:, honour_kind(views[0], player, number)] = told[:, number]
    return said, outputs


def test_batch_kernel_and_reference_agree(network, views):
    said = network.predict(views)
    one_by_one = np.zeros(len(views), nw.NETWORK_DTYPE)
    nw.predict_all(views, network.weights, nw.new_scratch(network.weights), one_by_one)
    for name in ("waiting", "winning", "payment", "log_payment", "classes"):
        np.testing.assert_allclose(said[name], one_by_one[name], rtol=2e-4, atol=1e-5)
    for i, view in enumerate(VIEWS):
        for player in (1, 2, 3):
            margins, outputs = reference(view, player, network.weights)
            free = np.array([not encoded(view, player)[1] >> k & 1 for k in range(34)])
            if not view["riichi"][0, player]:
                assert said["waiting"][i, player - 1] == pytest.approx(1 / (1 + np.exp(-margins[0])), abs=1e-4)
            chances = 1 / (1 + np.exp(-np.clip(outputs[0], -16, 16)))
            np.testing.assert_allclose(said["winning"][i, player - 1], chances * free, rtol=2e-3, atol=1e-5)
            logs = (outputs[1] + margins[1]) * free
            np.testing.assert_allclose(said["log_payment"][i, player - 1], logs, rtol=1e-3, atol=1e-3)
            points = 1000 * np.exp(np.clip(outputs[2] + margins[2], -10, 10)) * free
            inside = np.abs(outputs[2] + margins[2]) < 10
            np.testing.assert_allclose(said["payment"][i, player - 1][inside], points[inside], rtol=5e-3)


def test_furiten_is_exactly_zero_and_riichi_exactly_one(network, views):
    said = network.predict(views)
    for tile in ("1m", "9p", "1z", "5s"):
        assert said["winning"][0, 0, kind(tile)] == 0
        assert said["payment"][0, 0, kind(tile)] == 0
    assert said["winning"][0, 0, kind("4m")] > 0
    assert said["waiting"][1, 0] == 1
    assert said["winning"][1, 0, kind("6m")] == 0  # passed since the riichi
    assert said["winning"][1, 0, kind("3m")] > 0  # discarded before it
    np.testing.assert_allclose(said["classes"].sum(2), 1, rtol=1e-5)


def test_suits_are_alike(network):
    one = make_view("123m", rivers={1: "1m2m9p4s", 2: "5m"}, indicator="1z")
    other = make_view("123p", rivers={1: "1p2p9m4s", 2: "5p"}, indicator="1z")
    a, b = network.predict(one)[0], network.predict(other)[0]
    np.testing.assert_allclose(a["winning"][0, :9], b["winning"][0, 9:18], rtol=1e-5)
    np.testing.assert_allclose(a["winning"][0, 18:], b["winning"][0, 18:], rtol=1e-5)
    assert a["waiting"][0] == pytest.approx(b["waiting"][0], rel=1e-5)


def test_a_turned_suit_has_turned_features():
    turned = str.maketrans("123456789", "987654321")
    rivers = {1: "1m2m9m", 2: "5m3m"}
    plain = make_view("123m", rivers=rivers, melds={1: "(333m)"}, indicator="1z")
    other = make_view(
        "789m", rivers={p: text.translate(turned) for p, text in rivers.items()}, melds={1: "(777m)"}, indicator="1z"
    )
    suits = [np.sort(encoded(view, 1)[0][GLOBAL_ROOM : GLOBAL_ROOM + SUIT_ROOM]) for view in (plain, other)]
    np.testing.assert_array_equal(np.sort(mirror()[suits[0]]), suits[1])
    np.testing.assert_array_equal(mirror()[mirror()], np.arange(SUIT.size))


def test_lists_stay_inside_their_tables(views):
    for view in VIEWS:
        for player in (1, 2, 3):
            lists, _ = encoded(view, player)
            suits, honours = lists[GLOBAL_ROOM : GLOBAL_ROOM + 3 * SUIT_ROOM], lists[GLOBAL_ROOM + 3 * SUIT_ROOM :]
            assert lists.min() >= 0
            assert 0 < lists[:GLOBAL_ROOM].max() < GLOBAL_SIZE
            assert suits.max() < SUIT.size
            assert honours.max() < HONOUR.size
            assert honours[0] > 0


def test_winds_count_from_the_opponents_own():
    view = make_view(dealer=3)  # the player before the viewer is East, so the viewer is South and the next West
    assert [honour_kind(view[0], 1, n) for n in range(7)] == [29, 30, 27, 28, 31, 32, 33]
    assert honour_kind(view[0], 3, 0) == 27


def test_weights_come_back_from_a_file(tmp_path, network, views):
    path = tmp_path / "network.npz"
    save(path, nw.pack(random_weights()), {"feature version": VERSION})
    read = nw.OpponentNetwork.load(path)
    assert read.sizes == SMALL
    np.testing.assert_array_equal(read.predict(views)["winning"], network.predict(views)["winning"])


def test_wrong_weights_are_named():
    arrays = nw.pack(random_weights())
    with pytest.raises(ModelError, match="lack the array 'trunk'"):
        nw.unpack({name: array for name, array in arrays.items() if name != "trunk"})
    with pytest.raises(ModelError, match="'suit_out' has shape"):
        nw.unpack({name: array[..., :26] if name == "suit_out" else array for name, array in arrays.items()})


def test_the_fast_exponential_is_close():
    x = np.linspace(-12, 12, 1001).astype(np.float32)
    fast = np.array([nw.fast_exp(value) for value in x])
    np.testing.assert_allclose(fast, np.exp(x), rtol=2e-3)
    near = np.abs(x) < 5
    np.testing.assert_allclose(fast[near], np.exp(x[near]), rtol=1e-5)
