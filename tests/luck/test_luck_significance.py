"""Tests of variances and means: the paper's own figures, scipy's, and samples whose truth is known."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from scipy import stats as scipy_stats

from janshi.luck.significance import (
    equivalence,
    equivalence_of,
    f_test,
    f_test_of,
    judge_player,
    normal_variance_ratio,
    paired_equivalence,
    pitman_morgan,
    variance_ratio,
    variance_ratio_bootstrap,
    weighted_ratio,
)

# Table 3 of Ogami et al.
X_MEAN, X_VARIANCE = 2.4955, 1.2386
Y_MEAN, Y_VARIANCE = 2.4959, 1.0673
GAMES = 33_664
ROUNDED = 0.002
"""Error of z, because the paper's means have four decimals."""


def ranks_and_adjusted(games: int, rng: np.random.Generator, left: float = 0.7) -> tuple[np.ndarray, np.ndarray]:
    """Ranks 1..4 and the same without some luck: y = x + L, where L has mean zero and goes against x."""
    skill, luck = rng.normal(0, 1, (2, games))
    x = 1.0 + np.searchsorted([-0.954, 0.0, 0.954], skill + luck)  # about a quarter each
    return x, x - (1 - left) * luck


# --- the paper


def test_f_test_of_the_paper():
    found = f_test(X_VARIANCE, Y_VARIANCE, GAMES)
    assert found.ratio == pytest.approx(0.8617, abs=5e-5)
    assert found.critical == pytest.approx(0.9822, abs=5e-5)
    assert found.significant
    assert found.p_value < 1e-30


@pytest.mark.parametrize(("delta", "told"), [(0.01, -1.159), (0.02, -2.367), (0.03, -3.576)])
def test_equivalence_of_the_paper(delta, told):
    found = equivalence(X_MEAN, Y_MEAN, X_VARIANCE, Y_VARIANCE, GAMES, delta)
    # by its table the mean of y is the larger one, so that the value it calls z1 is z2 by its equations
    assert found.z == found.z2 == pytest.approx(told, abs=ROUNDED)
    assert found.equivalent == (told < -1.6449)
    turned = equivalence(Y_MEAN, X_MEAN, Y_VARIANCE, X_VARIANCE, GAMES, delta)
    assert turned.z == turned.z1 == pytest.approx(found.z)


def test_the_largest_ratio_of_a_player_that_is_significant():
    assert f_test(1.0, 0.86, 500).critical == pytest.approx(scipy_stats.f.ppf(0.05, 499, 499))
    assert f_test(1.0, 0.86, 500).significant
    assert not f_test(1.0, 0.87, 500).significant


# --- by hand, and by scipy


def test_equivalence_by_hand():
    found = equivalence_of([1, 2, 3, 4], [2, 2, 3, 4], delta=0.5)  # means 2.5, 2.75; variances 5/3, 11/12
    error = sqrt((5 / 3 + 11 / 12) / 4)
    assert (found.z1, found.z2) == (pytest.approx(-0.75 / error), pytest.approx(-0.25 / error))
    assert found.p_value == pytest.approx(scipy_stats.norm.cdf(-0.25 / error))
    assert not found.equivalent


def test_paired_equivalence_is_two_t_tests():
    luck = np.random.default_rng(1).normal(0.02, 0.6, 900)
    found = paired_equivalence(luck, 0.08)
    below = scipy_stats.ttest_1samp(luck, 0.08, alternative="less").pvalue
    above = scipy_stats.ttest_1samp(luck, -0.08, alternative="greater").pvalue
    assert found.p_value == pytest.approx(max(below, above))
    assert found.difference == pytest.approx(luck.mean())


def test_pitman_morgan_by_scipy():
    x, y = ranks_and_adjusted(200, np.random.default_rng(2))
    found = pitman_morgan(x, y)
    r = scipy_stats.pearsonr(y - x, y + x, alternative="less")
    assert found.p_value == pytest.approx(r.pvalue, rel=1e-6)
    assert found.ratio == pytest.approx(y.var() / x.var())
    assert found.correlation == pytest.approx(scipy_stats.pearsonr(x, y).statistic)


def test_the_interval_for_normal_pairs_ends_where_pitman_morgan_begins_to_reject():
    rng = np.random.default_rng(3)
    x = rng.normal(size=60)
    y = 0.5 * x + rng.normal(0, 0.6, 60)
    found = normal_variance_ratio(x, y)
    for end in (found.low, found.high):
        against = scipy_stats.pearsonr(y - sqrt(end) * x, y + sqrt(end) * x)
        assert against.pvalue == pytest.approx(0.05, rel=1e-6)


def test_weighted_ratio_by_hand():
    x = [1, 2, 3, 1, 2, 3, 4, 5]
    y = [2, 2.5, 3, 1, 2, 3, 4, 5]  # variances 1 and 1/4 of three games; equal ones of five
    found = weighted_ratio(x, y, ["a"] * 3 + ["b"] * 5)
    assert found.value == pytest.approx(3 / 8 * 0.25 + 5 / 8)
    assert found.error == 0  # each y is a straight line of its x


# --- truth that is known


def test_intervals_of_ratios_hold_the_truth():
    rng = np.random.default_rng(4)
    big_x, big_y = ranks_and_adjusted(1_000_000, rng)
    truth = big_y.var() / big_x.var()
    held = {variance_ratio: 0, variance_ratio_bootstrap: 0}
    rounds = 200
    for i in range(rounds):
        x, y = ranks_and_adjusted(400, rng)
        for interval in held:
            more = {"repeats": 200, "seed": i} if interval is variance_ratio_bootstrap else {}
            found = interval(x, y, **more)
            held[interval] += found.low <= truth <= found.high
    for interval, count in held.items():
        assert 0.90 <= count / rounds <= 0.99, interval.__name__


def test_normal_pairs_too():
    rng, held, rounds = np.random.default_rng(5), 0, 400
    for _ in range(rounds):
        x = rng.normal(size=50)
        y = 0.8 * x + rng.normal(0, 0.3, 50)
        found = normal_variance_ratio(x, y)
        held += found.low <= 0.8**2 + 0.3**2 <= found.high
    assert 0.92 <= held / rounds <= 0.98


def test_games_of_one_wall_set_count_together():
    x, y = ranks_and_adjusted(300, np.random.default_rng(6))
    once, fourfold = (
        variance_ratio(x, y),
        variance_ratio(np.repeat(x, 4), np.repeat(y, 4), np.repeat(np.arange(300), 4)),
    )
    assert fourfold.value == pytest.approx(once.value, rel=1e-3)
    assert fourfold.half_width == pytest.approx(once.half_width, rel=0.02)
    assert fourfold.walls == 300


def test_pitman_morgan_sees_what_the_f_test_does_not():
    rng, found, rounds = np.random.default_rng(7), np.zeros(2), 200
    for _ in range(rounds):
        x, y = ranks_and_adjusted(150, rng, left=0.85)
        found += f_test_of(x, y).significant, pitman_morgan(x, y).p_value < 0.05
    assert found[1] / rounds > 0.95
    assert found[0] / rounds < 0.5


def test_tests_keep_their_level():
    """Equal variances are called unequal, and means at the border of delta equal, in one case of twenty."""
    rng, wrong, rounds = np.random.default_rng(8), np.zeros(2), 1000
    for _ in range(rounds):
        x = rng.normal(size=80)
        y = 0.6 * x + 0.8 * rng.normal(size=80)
        wrong[0] += pitman_morgan(x, y).p_value < 0.05
        wrong[1] += paired_equivalence(rng.normal(0.1, 0.3, 80), 0.1).equivalent
    assert (wrong / rounds < 0.07).all()
    assert (wrong / rounds > 0.03).all()


def test_the_paired_test_is_sharper():
    x, y = ranks_and_adjusted(3000, np.random.default_rng(9), left=0.85)
    found = judge_player("ann", x, y, delta=0.02)
    assert found.games == 3000
    assert found.luck.error < found.means.error / 4
    assert found.luck.equivalent
    assert not found.means.equivalent
    assert found.luck.difference == pytest.approx(found.means.difference)


def test_weighted_ratio_of_players_of_different_strength():
    """Ratios by player do not see the spread between players, which a mixed ratio does."""
    rng = np.random.default_rng(10)
    x, y = ranks_and_adjusted(4000, rng, left=0.5)
    who = np.arange(4000) % 4
    apart = weighted_ratio(x + 3 * who, y + 3 * who, who)
    assert apart.value == pytest.approx(variance_ratio(x, y).value, abs=0.02)
    assert apart.low < y.var() / x.var() < apart.high
    assert variance_ratio(x + 3 * who, y + 3 * who).value > apart.value + 0.1


# --- bad input


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: f_test(0, 1, 9), "variances must be positive"),
        (lambda: f_test(1, 1, 1), "two games"),
        (lambda: pitman_morgan([1, 2, 3, 4], [2, 3, 4, 5]), "differ by a constant"),
        (lambda: variance_ratio([1, 2, 3], [1, 2]), "each of the 3 games"),
        (lambda: variance_ratio([2, 2, 2], [1, 2, 3]), "all results are the same"),
        (lambda: variance_ratio([1, 2], [1, 2]), "at least 3"),
        (lambda: equivalence(1, 1, 1, 1, 9, 0), "must be positive"),
        (lambda: paired_equivalence([0.5, 0.5, 0.5], 0.1), "no spread"),
        (lambda: weighted_ratio([1, 2, 3], [1, 2, 4], ["a", "b"]), "as many players"),
    ],
)
def test_what_cannot_be_tested_is_refused(call, told):
    with pytest.raises(ValueError, match=told):
        call()
