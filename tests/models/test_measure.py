"""Measures, against slow ones and worked examples."""

from __future__ import annotations

import numpy as np

from janshi.fitting.evaluation import first_of_each
from janshi.fitting.measures import auc, auc_within, bootstrap, calibration, safer_share

RNG = np.random.default_rng(8)


def slow_auc(guesses, labels):
    good, bad = guesses[labels], guesses[~labels]
    return np.mean([(a > b) + 0.5 * (a == b) for a in good for b in bad])


def test_auc_with_ties():
    for _ in range(20):
        guesses, labels = RNG.integers(0, 6, 40).astype(float), RNG.random(40) < 0.4
        assert np.isclose(auc(guesses, labels), slow_auc(guesses, labels))
    assert np.isnan(auc(np.zeros(3), np.ones(3, bool)))


def test_auc_within_groups_does_not_reward_the_group():
    groups = np.repeat([0, 1], 200)
    labels = RNG.random(400) < np.where(groups == 1, 0.9, 0.1)
    assert auc(groups.astype(float), labels) > 0.85
    assert auc_within(groups.astype(float), labels, groups) == 0.5


def test_ordering_as_in_the_paper():
    """Fourteen tiles with two winning ones: six of the other twelve placed as safer give 0.5."""
    guesses = np.arange(14.0)
    winning = np.zeros(14, bool)
    winning[[6, 7]] = True
    assert safer_share(guesses, np.ones(14), winning) == 0.5


def test_ordering_counts_tiles_and_halves_ties():
    guesses, tiles = np.array([0.0, 0.1, 0.1, 0.3]), np.array([3, 1, 1, 1])
    assert safer_share(guesses, tiles, np.array([False, True, False, False])) == (3 + 0.5) / 5
    assert safer_share(guesses, tiles, np.array([False, False, False, True])) == 1
    random = [safer_share(RNG.random(10), np.ones(10), np.arange(10) < 2) for _ in range(2000)]
    assert abs(np.mean(random) - 0.5) < 0.02


def test_bootstrap_draws_whole_games():
    clusters = np.repeat(np.arange(50), 20)
    values = np.repeat(RNG.normal(size=50), 20)  # all examples of a game are equal
    figure = bootstrap(lambda chosen: float(values[chosen].mean()), clusters, times=300)
    assert figure.low < figure.value < figure.high
    assert 0.3 < figure.high - figure.low < 0.9  # 4 / sqrt(50), not 4 / sqrt(1000)


def test_calibration_of_true_probabilities():
    guesses = RNG.random(50_000)
    bins = calibration(guesses, (RNG.random(50_000) < guesses).astype(float))
    assert len(bins) == 10
    assert max(abs(a - b) for a, b, _ in bins) < 0.03


def test_sampling_takes_a_number_of_each_group():
    groups = np.array([5, 3, 5, 5, 3, 9])
    chosen = first_of_each(groups, np.array([0.3, 0.1, 0.2, 0.9, 0.5, 0.7]), 2)
    assert chosen.tolist() == [0, 1, 2, 4, 5]
