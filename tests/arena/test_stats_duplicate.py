"""Differences of two contestants, and what duplicate walls were worth."""

from __future__ import annotations

from math import inf, isnan, sqrt

import numpy as np
import pytest

from janshi.arena.duplicate import difference, gain_bootstrap, gain_interval
from janshi.arena.known_truth import PERMUTATIONS, ROTATIONS, SAME_SEAT, coverage, simulate
from janshi.arena.stats import mean

REPEATS = 4000
STRENGTHS = (0.4, 0.1, -0.2, -0.3)
NAN = float("nan")


def test_difference_at_one_table_is_the_mean_of_the_differences():
    rng = np.random.default_rng(0)
    a, b, wall = rng.normal(size=40), rng.normal(size=40), np.repeat(np.arange(10), 4)
    got, expected = difference(a, b, wall), mean(a - b, wall)
    assert got.estimate.value == pytest.approx(expected.value)
    assert got.estimate.error == pytest.approx(expected.error)
    assert (got.a_games, got.b_games, got.estimate.games) == (40, 40, 40)


def test_difference_of_two_tables_by_hand():
    # walls 0, 1, 2; a: 1, 3, 5 (mean 3); b: 2, 2, 5 (mean 3); influences (-2 + 1)/3, (0 + 1)/3, (2 - 2)/3
    a, b = [1, NAN, 3, NAN, 5, NAN], [NAN, 2, NAN, 2, NAN, 5]
    got = difference(a, b, [0, 0, 1, 1, 2, 2])
    assert got.estimate.value == pytest.approx(0)
    assert got.estimate.error == pytest.approx(sqrt(1.5 * 2 / 9))
    assert (got.a_games, got.b_games, got.estimate.games) == (3, 3, 6)


def test_only_wall_sets_that_both_played_count():
    a, b = [1.0, 3, 5, 100, NAN], [2.0, 2, 5, NAN, 50]
    assert difference(a, b, range(5)).estimate == difference(a[:3], b[:3], range(3)).estimate


def test_games_on_walls_of_their_own_gain_nothing():
    rng = np.random.default_rng(1)
    got = difference(rng.normal(size=500), rng.normal(size=500), np.arange(500))
    assert got.gain == pytest.approx(1, abs=1e-9)
    assert got.effective_games == pytest.approx(500)


def test_copied_games_are_worth_one():
    rng = np.random.default_rng(2)
    a, b = np.repeat(rng.normal(size=2000), 5), np.repeat(rng.normal(size=2000), 5)
    got = difference(a, b, np.repeat(np.arange(2000), 5))
    assert got.gain == pytest.approx(1 / 5, rel=0.01)
    assert got.effective_games == pytest.approx(2000, rel=0.01)


def test_gain_as_theory_says():
    """Values wall + noise: one table of a and of b each per wall; the wall's part drops out of the difference."""
    rng = np.random.default_rng(3)
    walls, luck = 20_000, 0.7
    wall_part = rng.normal(0, sqrt(luck), walls)
    a, b = (wall_part + rng.normal(0, sqrt(1 - luck), walls) for _ in range(2))
    absent = np.full(walls, NAN)
    wall = np.tile(np.arange(walls), 2)
    got = difference(np.concatenate((a, absent)), np.concatenate((absent, b)), wall)
    assert got.gain == pytest.approx(1 / (1 - luck), rel=0.03)
    assert got.independent_error == pytest.approx(sqrt(2 / walls), rel=0.02)


def test_independent_error_is_that_of_games_dealt_out_to_wall_sets_at_random():
    match = simulate(1, 60, ROTATIONS, STRENGTHS, 0.6, seed=4)
    a, b = match.ranks[0, :, 0], match.ranks[0, :, 1]
    rng = np.random.default_rng(5)
    shuffled = [difference(a, b, rng.permutation(match.wall)).estimate.error ** 2 for _ in range(500)]
    assert difference(a, b, match.wall).independent_error ** 2 == pytest.approx(np.mean(shuffled), rel=0.03)


def test_independent_error_is_unbiased_with_few_wall_sets():
    match = simulate(REPEATS, 5, SAME_SEAT, (0, 0, 0, 0), 0.6, seed=6)
    a, b = match.ranks[:, :, 0], match.ranks[:, :, 1]
    found = [difference(a[r], b[r], match.wall).independent_error ** 2 for r in range(REPEATS)]
    # two different ranks of four: variance of the difference 2 (5/4) (1 + 1/3)
    assert np.mean(found) == pytest.approx(2 * 1.25 * 4 / 3 / 20, rel=0.02)


def test_gain_is_the_ratio_of_true_variances_of_rotation():
    duplicate = simulate(REPEATS, 50, ROTATIONS, STRENGTHS, 0.6, seed=7)
    single = simulate(REPEATS, 200, ROTATIONS[:1], STRENGTHS, 0.6, seed=8)
    spread = [np.var((m.ranks[:, :, 0] - m.ranks[:, :, 1]).mean(axis=1)) for m in (single, duplicate)]
    gains = [difference(duplicate.ranks[r, :, 0], duplicate.ranks[r, :, 1], duplicate.wall).gain for r in range(500)]
    assert np.median(gains) == pytest.approx(spread[0] / spread[1], rel=0.1)
    assert np.median(gains) > 1.5


@pytest.mark.parametrize(("seats", "walls"), [(ROTATIONS, 12), (SAME_SEAT, 12), (PERMUTATIONS, 10)])
def test_intervals_of_differences_cover(seats: np.ndarray, walls: int):
    match = simulate(REPEATS, walls, seats, STRENGTHS, 0.6, seed=9)
    truth = match.truth[0] - match.truth[2]
    a, b = match.ranks[:, :, 0], match.ranks[:, :, 2]
    assert 0.93 <= coverage(lambda r: difference(a[r], b[r], match.wall).estimate, truth, REPEATS) <= 0.97


def test_interval_of_the_gain_covers():
    large = simulate(1, 100_000, ROTATIONS, STRENGTHS, 0.6, seed=10)
    truth = difference(large.ranks[0, :, 0], large.ranks[0, :, 1], large.wall).gain
    match = simulate(REPEATS, 30, ROTATIONS, STRENGTHS, 0.6, seed=11)
    a, b = match.ranks[:, :, 0], match.ranks[:, :, 1]
    assert 0.925 <= coverage(lambda r: gain_interval(a[r], b[r], match.wall), truth, REPEATS) <= 0.97


def test_bootstrap_of_the_gain_agrees_with_the_jackknife():
    match = simulate(1, 1000, ROTATIONS, STRENGTHS, 0.6, seed=12)
    a, b = match.ranks[0, :, 0], match.ranks[0, :, 1]
    drawn, exact = gain_bootstrap(a, b, match.wall, repeats=1000, seed=1), gain_interval(a, b, match.wall)
    assert drawn.value == pytest.approx(exact.value)
    assert exact.value == pytest.approx(difference(a, b, match.wall).gain)
    assert (drawn.low, drawn.high) == pytest.approx((exact.low, exact.high), rel=0.03)


def test_no_spread_between_wall_sets_is_a_gain_without_bound():
    got = difference([1, 4, 2, 3] * 5, [4, 1, 3, 2] * 5, np.repeat(range(5), 4))
    assert got.gain == inf
    assert got.estimate.error == 0
    few = difference([1, 4, 2, 3] * 3, [4, 1, 3, 2] * 3, np.repeat(range(3), 4))
    assert few.gain == inf
    assert few.estimate.error == few.independent_error > 0
    same = difference([2, 2, 2], [1, 1, 1], range(3))
    assert isnan(same.gain)
    assert same.estimate.value == 1
    assert same.estimate.unknown


def test_equal_but_for_rounding_is_no_difference():
    a, b = [0.1 + 0.2, -0.3] * 5, [0.3, -0.1 - 0.2] * 5
    got = difference(a, b, np.repeat(range(5), 2)).estimate
    assert (got.value, got.error, got.p_value()) == (0.0, 0.0, 1.0)


def test_complaints_say_what_is_missing():
    with pytest.raises(ValueError, match="a difference needs results of at least 2 wall sets, got 0"):
        difference([1, 2, NAN, NAN], [NAN, NAN, 1, 2], [0, 1, 2, 3])
    with pytest.raises(ValueError, match="at least 10 wall sets, got 3"):
        gain_interval([1, 2, 3], [2, 3, 1], [0, 1, 2])
    with pytest.raises(ValueError, match="each of the 2 games"):
        difference([1, 2], [1, 2, 3], [0, 1])
