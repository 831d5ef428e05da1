"""Sequential tests: by hand, batch by batch, and their error rates in simulated matches."""

from __future__ import annotations

import doctest
from math import log

import numpy as np
import pytest

from janshi.arena import sprt
from janshi.arena.known_truth import ROTATIONS, simulate, sprt_rates
from janshi.arena.sample_size import walls_to_detect
from janshi.arena.sprt import Sprt, expected_walls, log_likelihood_ratio

REPEATS = 8000
SLACK = 0.007
"""Three standard errors of a share of 5 % in this many repeats."""


def test_llr_by_hand():
    # mean 0.75, variance 0.1875 (by n): H0 leaves 0.75, H1 0.25 about its own mean
    test = Sprt(0.0, 1.0, least=4).update([1, 1, 1, 0])
    assert test.llr == pytest.approx(4 / 2 * log(0.75 / 0.25))
    assert test.bounds == pytest.approx((log(0.05 / 0.95), log(0.95 / 0.05)))
    assert test.decision == "continue"


def test_llr_is_near_the_textbook_one_for_small_effects():
    n, x, s2, m0, m1 = 10_000, 0.012, 1.0, 0.0, 0.02
    textbook = n * (m1 - m0) * (x - (m0 + m1) / 2) / s2
    assert log_likelihood_ratio(n, x, s2, m0, m1) == pytest.approx(textbook, rel=1e-3)


def test_hypotheses_change_places_with_the_sign():
    x = np.random.default_rng(0).normal(0.1, 1, 50)
    assert Sprt(0.0, 0.3).update(x).llr == pytest.approx(-Sprt(0.3, 0.0).update(x).llr)
    assert Sprt(2.5, 2.4).update(2.5 + x).llr == pytest.approx(Sprt(0.0, 0.1).update(-x).llr)


def test_batches_do_not_change_the_state():
    x = np.random.default_rng(1).normal(0.1, 1, 200)
    whole, parts = Sprt(0.0, 0.2).update(x), Sprt(0.0, 0.2)
    for batch in np.split(x, [1, 7, 7, 60]):
        parts = parts.update(batch)
    assert (parts.count, parts.mean, parts.squares) == pytest.approx((whole.count, whole.mean, whole.squares))
    assert parts.llr == pytest.approx(whole.llr)
    running = log_likelihood_ratio(200, x.mean(), x.var(), 0.0, 0.2)
    assert whole.llr == pytest.approx(float(running))


def test_state_by_state_agrees_with_the_simulation_of_whole_paths():
    paths = np.random.default_rng(2).normal(0.1, 1, (60, 400))
    ends = []
    for path in paths:
        test = Sprt(0.0, 0.2)
        for value in path:
            test = test.update([value])
            if test.decision != "continue":
                break
        ends.append((test.decision, test.count))
    got = sprt_rates(Sprt(0.0, 0.2), paths)
    assert got.accept_h1 == pytest.approx(np.mean([d == "accept H1" for d, _ in ends]))
    assert got.undecided == pytest.approx(np.mean([d == "continue" for d, _ in ends]))
    assert got.walls == pytest.approx(np.mean([n for _, n in ends]))


def test_no_decision_from_few_wall_sets_and_decisions_stay():
    clear = Sprt(0.0, 1.0, least=30).update([1.0, 1.1] * 14)
    assert clear.llr > clear.bounds[1]
    assert clear.decision == "continue"
    decided = clear.update([1.0, 1.1])
    assert decided.decision == "accept H1"
    assert decided.update([-1.0] * 500).decision == "accept H1"
    assert Sprt(0.0, 1.0).update([0.0, 0.1] * 20).decision == "accept H0"


def test_values_without_spread_decide():
    assert Sprt(0.0, 1.0).update([1.0] * 30).decision == "accept H1"
    assert Sprt(0.0, 1.0).update([0.5] * 30).decision == "continue"
    assert Sprt(0.0, 1.0).llr == 0.0


@pytest.mark.parametrize(("alpha", "beta"), [(0.05, 0.05), (0.05, 0.1)])
def test_error_rates_and_length_of_tests_on_normal_values(alpha: float, beta: float):
    test = Sprt(0.0, 0.25, alpha, beta)
    rng = np.random.default_rng(3)
    fixed = walls_to_detect(0.25, 1.0, power=1 - beta, level=1 - 2 * alpha)
    for truth in (test.m0, test.m1):
        got = sprt_rates(test, rng.normal(truth, 1, (REPEATS, 800)))
        assert got.undecided < 0.002
        wrong, allowed = (got.accept_h1, alpha) if truth == test.m0 else (got.accept_h0, beta)
        assert wrong <= allowed + SLACK
        assert got.walls < 0.75 * fixed
        assert got.walls == pytest.approx(expected_walls(test, truth, 1.0), rel=0.15)


def test_error_rates_on_rank_differences_of_rotated_wall_sets():
    """H0: equal; H1: the true difference of the stronger pair. Values are discrete means of four games."""
    equal = simulate(2000, 450, ROTATIONS, (0.0,) * 4, 0.5, seed=4)
    better = simulate(2000, 450, ROTATIONS, (0.1, -0.1, 0.0, 0.0), 0.5, seed=5)
    m1 = float(better.truth[0] - better.truth[1])
    test = Sprt(0.0, m1)
    for match, wrong in ((equal, "accept_h1"), (better, "accept_h0")):
        values = (match.ranks[:, :, 0] - match.ranks[:, :, 1]).reshape(2000, 450, 4).mean(axis=2)
        got = sprt_rates(test, values)
        assert getattr(got, wrong) <= 0.05 + 0.015
        assert got.undecided < 0.02


def test_between_the_hypotheses_it_takes_longest():
    test = Sprt(0.0, 0.2)
    lengths = [expected_walls(test, mean, 1.0) for mean in (0.0, 0.1, 0.2)]
    assert lengths[1] > lengths[0] == pytest.approx(lengths[2])
    assert expected_walls(test, 0.1, 1.0) == pytest.approx(expected_walls(test, 0.1 + 1e-4, 1.0), rel=0.01)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Sprt(1.0, 1.0), "must differ"),
        (lambda: Sprt(0.0, 1.0, alpha=0.0), "between 0 and 0.5"),
        (lambda: Sprt(0.0, 1.0, least=1), "at least 2"),
        (lambda: Sprt(0.0, 1.0).update([1.0, float("nan")]), "finished wall sets only"),
        (lambda: expected_walls(Sprt(0.0, 1.0), 0.0, 0.0), "must be positive"),
    ],
)
def test_complaints_say_what_was_expected(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_docstring_example_runs():
    found = doctest.testmod(sprt)
    assert found.attempted > 0
    assert found.failed == 0
