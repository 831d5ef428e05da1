"""Learning which action to take from the worth of all actions."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.learn.full_feedback import Evidence, fit, mean_of, relevance

pytest.importorskip("torch")
FEATURES, DECISIONS = 6, 3000


def simulated(worth, seed=1, noise=1.0):
    """Decisions with two to five actions; `worth` is a function of features."""
    random = np.random.default_rng(seed)
    sizes = random.integers(2, 6, DECISIONS)
    first = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    about = random.normal(size=(sizes.sum(), FEATURES)) * np.array([1, 5, 0.2, 1, 1, 1])
    about[:, 5] = np.repeat(random.normal(size=DECISIONS), sizes)  # a situation: the same for all actions
    luck = np.repeat(10 * random.normal(size=DECISIONS), sizes)  # of no action in particular
    y = worth(about) + luck + noise * random.normal(size=len(about))
    return Evidence(about.astype(np.float32), y, first, relevance(np.ones(len(about)), first))


def test_known_weights_are_found():
    known = np.array([1.0, -0.4, 5.0, 0.0, 0.0, 0.0])
    found = fit(simulated(lambda x: x @ known), hidden=1, share=50.0, decay=1e-3, rate=0.03, passes=60)
    around = 0.01 * np.eye(FEATURES)
    slopes = [float((found(step[None]) - found(-step[None]))[0]) / 0.02 for step in around]
    assert slopes[:5] == pytest.approx(known[:5], abs=0.2)


def test_a_hidden_layer_finds_what_depends_on_the_situation():
    def worth(x):
        return x[:, 0] * np.where(x[:, 5] > 0, 1.5, -1.5)

    seen, fresh = simulated(worth), simulated(worth, seed=2, noise=0.0)
    layers = [fit(seen, hidden=16, passes=60, rate=0.02, seed=seed) for seed in range(2)]
    both = mean_of(layers)
    scores = both(fresh.about)
    assert scores == pytest.approx((layers[0](fresh.about) + layers[1](fresh.about)) / 2)
    gained = fresh.centred(fresh.worth)
    found, possible = gained[fresh.best(scores)].mean(), gained[fresh.best(fresh.worth)].mean()
    assert found > 0.9 * possible


def test_relevance_sums_to_one_in_each_decision():
    first = np.array([0, 2])
    found = relevance(np.array([1.0, 3.0, 5.0, 5.0, 0.0]), first)
    assert found == pytest.approx([0.9 * 0.25 + 0.05, 0.9 * 0.75 + 0.05, 0.45 + 0.1 / 3, 0.45 + 0.1 / 3, 0.1 / 3])
    evidence = Evidence(np.zeros((5, 1)), np.arange(5.0), first, found)
    assert np.add.reduceat(found * evidence.centred(evidence.worth), first) == pytest.approx([0, 0])
    assert evidence.best(np.array([0, 1, 2, 2, 1])).tolist() == [1, 2]
