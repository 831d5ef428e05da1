"""Learning linear models: gradients against numeric ones, and weights that are found again."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.models.linear import START, learn, learn_classes, mapped_margins, margin

SIZE, MOST, CLASSES = 12, 5, 4
HUGE = 1e12
RNG = np.random.default_rng(2)


def examples(count: int):
    features = np.array([RNG.permutation(SIZE)[:MOST] for _ in range(count)], np.int32)
    return features, RNG.integers(2, MOST + 1, count).astype(np.int32)


def numeric(loss, weights):
    out = np.zeros_like(weights)
    for i in np.ndindex(weights.shape):
        up, down = weights.copy(), weights.copy()
        up[i] += 1e-5
        down[i] -= 1e-5
        out[i] = (loss(up) - loss(down)) / 2e-5
    return out


@pytest.mark.parametrize("chance", [True, False])
def test_gradient(chance):
    features, counts = examples(1)
    label = np.array([1.0], np.float32)
    weights = RNG.normal(size=SIZE)
    keep = np.arange(SIZE, dtype=np.int32)
    moved = weights.copy()
    learn(features, counts, label, keep, chance, 1e6, 0.0, moved, np.full(SIZE, HUGE))
    loss = lambda w: learn(features, counts, label, keep, chance, 0.0, 0.0, w, np.full(SIZE, HUGE))  # noqa: E731
    expected = numeric(loss, weights) / (1 if chance else 2)  # least squares steps along the error, half the gradient
    assert np.allclose(weights - moved, expected, atol=1e-6)


def test_gradient_of_classes():
    features, counts = examples(1)
    label = np.array([2], np.int32)
    weights = RNG.normal(size=(SIZE, CLASSES))
    keep = np.arange(SIZE, dtype=np.int32)
    moved = weights.copy()
    learn_classes(features, counts, label, keep, 1e6, 0.0, moved, np.full((SIZE, CLASSES), HUGE))
    squares = np.full((SIZE, CLASSES), HUGE)
    loss = lambda w: learn_classes(features, counts, label, keep, 0.0, 0.0, w, squares.copy())  # noqa: E731
    assert np.allclose(weights - moved, numeric(loss, weights), atol=1e-6)


def test_logistic_regression_finds_the_weights_again():
    truth = RNG.normal(size=SIZE)
    keep = np.arange(SIZE, dtype=np.int32)
    features, counts = examples(60_000)
    total = np.zeros(len(counts))
    mapped_margins(features, counts, keep, truth, total)
    labels = (RNG.random(len(counts)) < 1 / (1 + np.exp(-total))).astype(np.float32)
    weights, squares = np.zeros(SIZE, np.float32), np.full(SIZE, START, np.float32)
    losses = [learn(features, counts, labels, keep, True, rate, 0.0, weights, squares) for rate in (0.2, 0.05, 0.02)]
    assert losses == sorted(losses, reverse=True)
    assert np.abs(weights - truth).max() < 0.15


def test_maps_hide_features():
    features, counts = examples(2000)
    labels = (features[:, 0] < 3).astype(np.float32)
    hide = np.where(np.arange(SIZE) < 6, -1, np.arange(SIZE)).astype(np.int32)
    weights, squares = np.zeros(SIZE, np.float32), np.full(SIZE, START, np.float32)
    learn(features, counts, labels, hide, True, 0.1, 0.0, weights, squares)
    assert (weights[:6] == 0).all()
    assert (weights[6:] != 0).all()


def test_margin_counts_only_the_list():
    weights = np.arange(SIZE, dtype=np.float32)
    assert margin(np.array([1, 2, 9, 11], np.int32), 3, weights) == 12
