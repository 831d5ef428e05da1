"""The final rank model: probabilities that sum up, symmetric in seats, sensible in known situations."""

from __future__ import annotations

import numpy as np

from janshi.features.final_rank import LAYOUT, MOST
from janshi.models.final_rank import ORDERS, FinalRankModel, learn_orders, order_chances, predict, rank_chances

RNG = np.random.default_rng(4)


def situations(count: int):
    cuts = np.sort(RNG.integers(0, 1000, size=(count, 3)), axis=1)
    scores = 100 * np.diff(np.c_[np.zeros(count, int), cuts, np.full(count, 1000)], axis=1)
    return scores, RNG.integers(0, 9, count), RNG.integers(0, 4, count), RNG.integers(0, 3, count)


def chances(scores, dealer: int, left: int):
    """By the kernel, which takes the dealer and the hands left by themselves."""
    orders, out = np.zeros(len(ORDERS)), np.zeros((4, 4))
    scratch = np.zeros(MOST, np.int32), np.zeros(MOST), np.zeros((4, 4)), np.zeros((4, 4))
    weights = FinalRankModel.load().weights
    order_chances(np.asarray(scores, float), dealer, left, 1, 1, weights, *scratch, orders)
    rank_chances(orders, out)
    return out


def test_players_and_ranks_sum_to_one():
    out = predict(*situations(500))
    assert out.shape == (500, 4, 4)
    assert np.allclose(out.sum(axis=1), 1, atol=1e-5)
    assert np.allclose(out.sum(axis=2), 1, atol=1e-5)
    assert (out > 0).all()


def test_seats_are_alike():
    for _ in range(20):
        scores, left = situations(1)[0][0], int(RNG.integers(0, 9))
        first = chances(scores, 0, left)
        for turn in range(1, 4):
            assert np.allclose(chances(np.roll(scores, turn), turn, left), np.roll(first, turn, axis=0), atol=1e-9)


def test_even_at_the_start():
    out = predict([[25000] * 4], 0, 0, 0)
    assert np.abs(out - 0.25).max() < 0.03


def test_a_lead_counts_more_towards_the_end():
    scores = [[37000, 24000, 22000, 17000]]
    first = [predict(scores, kyoku, 0, 0)[0, 0, 0] for kyoku in (0, 4, 6, 7)]
    assert first == sorted(first)
    assert first[0] > 0.45
    assert first[-1] > 0.75
    assert np.allclose(predict(scores, 3, 0, 0, rounds=1), predict(scores, 7, 0, 0, rounds=2))


def test_more_points_are_better():
    model = FinalRankModel.load()
    expected = []
    for more in range(-8000, 9000, 2000):
        scores = [[25000 + more, 27000, 25000, 23000 - more]]
        expected.append(model.expected(model.predict(scores, 5, 0, 0), [0, 1, 2, 3])[0, 0])
    assert expected == sorted(expected, reverse=True)


def test_expected_payoff():
    model = FinalRankModel.load()
    out = model.predict([[50000, 30000, 15000, 5000]], 7, 0, 0)
    uma = model.expected(out, [90, 45, 0, -135])
    assert abs(float(uma.sum())) < 1e-3
    assert np.allclose(uma[0], out[0] @ np.array([90, 45, 0, -135]), atol=1e-3)


def test_gradient():
    """A step of learning goes along the numeric gradient of the log loss of the order that came."""
    weights = RNG.normal(size=LAYOUT.size).astype(np.float32) * 0.3
    numbers = (np.array([7]), np.array([1]), np.array([2]), np.array([2]))
    scores, ended = np.array([[31000.0, 27500, 22500, 17000]]), np.array([[1, 0, 3, 2]])
    squares = np.full(LAYOUT.size, 1e12, np.float32)  # so large that every weight has the same rate
    moved = weights.astype(np.float64)
    learn_orders(scores, *numbers, ended, 1e6, 0.0, moved, squares)
    gradient = weights - moved

    def loss(w):
        return learn_orders(scores, *numbers, ended, 0.0, 0.0, w.copy(), squares.copy())

    touched = np.nonzero(np.abs(gradient) > 1e-3)[0]
    assert len(touched) > 30
    for feature in touched[:40]:
        up, down = weights.astype(np.float64), weights.astype(np.float64)
        up[feature] += 1e-4
        down[feature] -= 1e-4
        assert abs((loss(up) - loss(down)) / 2e-4 - gradient[feature]) < 1e-4
