"""Means, ratios, rates and rank distributions, clustered by wall set."""

from __future__ import annotations

import runpy
from math import isnan, sqrt
from pathlib import Path

import numpy as np
import pytest

from janshi.arena.bootstrap import bootstrap, resampled
from janshi.arena.known_truth import PERMUTATIONS, ROTATIONS, SAME_SEAT, coverage, simulate, true_ranks
from janshi.arena.stats import (
    cluster_index,
    cluster_sums,
    mean,
    means,
    per_contestant,
    rank_counts,
    rank_distribution,
    rate,
    ratio,
    wall_means,
)

ROOT = Path(__file__).resolve().parents[2]
REPEATS = 4000
STRENGTHS = (0.4, 0.1, -0.2, -0.3)
NAN = float("nan")
T_2_975 = 4.302652729911275
"""97.5 % quantile of Student's t with 2 degrees of freedom."""


def covered(share: float) -> bool:
    return 0.93 <= share <= 0.97


# --- by hand


def test_mean_of_three_wall_sets_by_hand():
    # wall sums 3, 7, 5 of two games each; mean 2.5; residuals -2, 2, 0; variance 3/2 · 8 / 36
    got = mean([1, 2, 3, 4, 2, 3], [7, 7, 8, 8, 9, 9])
    assert (got.value, got.walls, got.games) == (2.5, 3, 6)
    assert got.error == pytest.approx(sqrt(1 / 3))
    assert got.high == pytest.approx(2.5 + T_2_975 * sqrt(1 / 3))
    assert got.half_width == pytest.approx(T_2_975 * sqrt(1 / 3))


def test_partly_played_wall_sets_and_absences_count_as_what_they_are():
    # sums 3 (of 2), 4 (of 1), 5 (of 2); mean 12/5; residuals -1.8, 1.6, 0.2
    got = mean([1, 2, NAN, 4, 2, 3, NAN], [0, 0, 1, 1, 2, 2, 3])
    assert (got.value, got.walls, got.games) == (2.4, 3, 5)
    assert got.error == pytest.approx(sqrt(1.5 * (1.8**2 + 1.6**2 + 0.2**2)) / 5)


def test_games_as_wall_sets_give_the_textbook_interval():
    x = np.random.default_rng(1).normal(2.5, 1.1, 50)
    got = mean(x, np.arange(50))
    assert got.value == pytest.approx(x.mean())
    assert got.error == pytest.approx(x.std(ddof=1) / sqrt(50))


def test_order_of_games_and_names_of_walls_do_not_matter():
    rng = np.random.default_rng(2)
    x, wall = rng.normal(size=60), np.repeat(np.arange(15), 4)
    shuffled = rng.permutation(60)
    a, b = mean(x, wall), mean(x[shuffled], 1000 - 7 * wall[shuffled])
    assert (a.value, a.error) == pytest.approx((b.value, b.error))


def test_ratio_by_hand():
    # fan 10 of 2 wins, 6 of 1, 0 of 0 (left out), 8 of 1: 24 / 4 = 6; residuals -2, 0, 2
    got = ratio([10, 6, 0, 8], [2, 1, 0, 1], [0, 1, 2, 3])
    assert (got.value, got.walls) == (6.0, 3)
    assert got.error == pytest.approx(sqrt(1.5 * 8) / 4)


def test_rate_stays_within_0_and_1():
    none = rate([0, 0, 0], [10, 12, 11], [0, 1, 2])
    assert (none.value, none.low) == (0.0, 0.0)
    assert 0 < none.high < 1
    every = rate([10, 12, 11], [10, 12, 11], [0, 1, 2])
    assert every.high == 1.0
    assert 0 < every.low < 1
    few = rate([1, 0, 0, 0], [10, 12, 11, 9], range(4))
    assert 0 <= few.low < few.value < few.high


def test_constant_results_leave_no_error_and_no_warning():
    got = mean([2.5] * 10, np.repeat(range(5), 2))
    assert (got.low, got.high, got.error) == (2.5, 2.5, 0.0)
    assert got.p_value(2.5) == 1.0
    assert got.p_value(2.0) == 2 / 2**5, "as likely as five heads or five tails: no certainty"
    one_in_four = rate([1, 0, 0, 0] * 5, np.ones(20), np.repeat(range(5), 4))
    assert one_in_four.low == pytest.approx(0.25)


def test_two_wall_sets_that_agree_are_no_certainty():
    got = mean([1, 3, 2, 2, 1, 1, 4, 2], np.repeat(range(2), 4))  # both sets have the mean 2
    independent = sqrt(8 / 7 * 8) / 8
    assert (got.value, got.error) == (2.0, pytest.approx(independent))
    assert got.low < 0 < 4 < got.high, "one degree of freedom reaches far"
    assert got.p_value(2.5) > 0.2
    share = rate([1, 0, 0, 0] * 2, np.ones(8), np.repeat(range(2), 4))
    assert share.low < 0.1 < 0.5 < share.high


def test_a_few_games_that_all_agree_say_nothing():
    got = mean([2, 2, 2, 2], [0, 0, 1, 1])
    assert got.value == 2
    assert got.unknown
    assert isnan(got.p_value(2.5))
    assert not mean([1, 2, 2, 2], [0, 0, 1, 1]).unknown


@pytest.mark.parametrize("walls", [2, 3, 4])
def test_intervals_of_few_wall_sets_cover(walls: int):
    match = simulate(REPEATS, walls, ROTATIONS, STRENGTHS, 0.5, seed=21)
    ranks = match.ranks[:, :, 0]
    share = coverage(lambda r: mean(ranks[r], match.wall), match.truth[0], REPEATS)
    assert 0.93 <= share <= 1.0  # 0.84 with two wall sets if agreement by chance counted as certainty


def test_p_value_agrees_with_the_interval():
    x = np.random.default_rng(3).normal(0.2, 1, 80)
    got = mean(x, np.arange(80), level=0.9)
    assert got.p_value(got.low) == pytest.approx(0.1)
    assert got.p_value(got.high) == pytest.approx(0.1)


# --- ranks and seats


def test_contestants_with_several_seats_and_shared_ranks():
    holders = np.array([[0, 1, 1, 1], [1, 0, 2, 1]])
    ranks = np.array([[1, 2, 3, 4], [1, 3, 3, 3]])
    values = per_contestant(ranks, holders, [0, 1, 2])
    np.testing.assert_allclose(values, [[1, 3, NAN], [3, 2, 3]])
    np.testing.assert_allclose(per_contestant(ranks, holders, [1], total=True), [[9], [4]])
    np.testing.assert_allclose(rank_counts(ranks, holders, 1, 4), [[0, 1, 1, 1], [1, 1 / 3, 1 / 3, 1 / 3]])
    np.testing.assert_allclose(rank_counts([[1.5, 1.5, 3, 4]], [[0, 1, 2, 3]], 0, 4), [[0.5, 0.5, 0, 0]])


def test_rank_distribution_sums_to_one_and_means_the_average_rank():
    match = simulate(1, 50, ROTATIONS, STRENGTHS, 0.5)
    ranks = match.ranks[0]
    holders = np.tile(np.arange(4), (len(ranks), 1))
    shares = rank_distribution(rank_counts(ranks, holders, 0, 4), match.wall)
    assert sum(s.value for s in shares) == pytest.approx(1)
    average = sum((k + 1) * s.value for k, s in enumerate(shares))
    assert average == pytest.approx(means(ranks, match.wall)[0].value)
    assert shares[0].value > shares[3].value


def test_wall_means_stop_before_the_first_wall_set_that_is_not_whole():
    values, wall = [1, 3, 2, 2, 4, 9, 9], [0, 0, 1, 1, 2, 3, 3]
    assert wall_means(values, wall).tolist() == [2, 2, 4, 9]
    assert wall_means(values, wall, complete=2).tolist() == [2, 2]
    assert wall_means([1, NAN], [0, 0], complete=2).tolist() == []


# --- complaints


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: mean([1, 2], [0, 0]), "at least 2 wall sets, got 1"),
        (lambda: mean([NAN, NAN], [0, 1]), "at least 2 wall sets, got 0"),
        (lambda: mean([1, 2], [0, 1], level=95), "between 0 and 1"),
        (lambda: mean([1, 2], [0, 1, 2]), "each of the 2 games"),
        (lambda: mean([[1, 2]], [0, 1]), "one number per game"),
        (lambda: means([1, 2], [0, 1]), "games, contestants"),
        (lambda: rate([3, 2], [1, 1], [0, 1]), "between 0 and 1"),
        (lambda: rank_counts([[1, 5]], [[0, 0]], 0, 4), "between 1 and 4"),
        (lambda: per_contestant([[1, 2]], [[0]], [0]), "games, seats"),
        (lambda: bootstrap([[1.0, 1.0]], lambda s: s[:, 0]), "at least 2 wall sets"),
    ],
)
def test_complaints_say_what_was_expected(call, message):
    with pytest.raises(ValueError, match=message):
        call()


# --- known truth


def test_true_average_ranks_agree_with_many_games():
    match = simulate(1, 40_000, ROTATIONS, STRENGTHS, 0.5, seed=11)
    for k, got in enumerate(means(match.ranks[0], match.wall)):
        assert abs(got.value - match.truth[k]) < 4 * got.error
    assert true_ranks([0, 0, 0, 0]) == pytest.approx([2.5] * 4)


@pytest.mark.parametrize("walls", [12, 40])
def test_intervals_cover_the_average_rank_where_naive_ones_fail(walls: int):
    match = simulate(REPEATS, walls, SAME_SEAT, STRENGTHS, 0.6, seed=walls)
    ranks, games = match.ranks[:, :, 0], np.arange(len(match.wall))
    assert covered(coverage(lambda r: mean(ranks[r], match.wall), match.truth[0], REPEATS))
    assert coverage(lambda r: mean(ranks[r], games), match.truth[0], REPEATS) < 0.85


def test_intervals_cover_under_rotation_where_naive_ones_are_too_wide():
    match = simulate(REPEATS, 30, ROTATIONS, STRENGTHS, 0.6, seed=5)
    ranks, games = match.ranks[:, :, 1], np.arange(len(match.wall))
    assert covered(coverage(lambda r: mean(ranks[r], match.wall), match.truth[1], REPEATS))
    assert coverage(lambda r: mean(ranks[r], games), match.truth[1], REPEATS) > 0.975


def test_intervals_cover_with_all_seatings():
    match = simulate(REPEATS, 15, PERMUTATIONS, STRENGTHS, 0.6, seed=6)
    assert covered(coverage(lambda r: mean(match.ranks[r, :, 0], match.wall), match.truth[0], REPEATS))


def test_intervals_cover_with_partly_played_wall_sets():
    match = simulate(REPEATS, 30, SAME_SEAT, STRENGTHS, 0.6, seed=7)
    lost = np.random.default_rng(8).random(match.ranks.shape[:2]) < 0.4
    ranks = np.where(lost, np.nan, match.ranks[:, :, 0])
    assert covered(coverage(lambda r: mean(ranks[r], match.wall), match.truth[0], REPEATS))


@pytest.mark.parametrize(("share", "walls"), [(0.22, 40), (0.05, 60)])
def test_rates_cover_with_luck_of_the_wall_and_games_of_unequal_length(share: float, walls: int):
    rng = np.random.default_rng(9)
    wall = np.repeat(np.arange(walls), 4)
    hands = rng.integers(4, 15, (REPEATS, len(wall)))
    luck = rng.beta(20 * share, 20 * (1 - share), (REPEATS, walls)).repeat(4, axis=1)
    wins = rng.binomial(hands, luck)
    assert covered(coverage(lambda r: rate(wins[r], hands[r], wall), share, REPEATS))


def test_bootstrap_agrees_with_the_formula_and_repeats_itself():
    match = simulate(1, 300, ROTATIONS, STRENGTHS, 0.5, seed=10)
    x = match.ranks[0, :, 0]
    index, walls = cluster_index(match.wall)
    sums = cluster_sums(np.column_stack((x, np.ones(len(x)))), index, walls)
    drawn = bootstrap(sums, lambda s: s[:, 0] / s[:, 1], repeats=4000, seed=1)
    exact = mean(x, match.wall)
    assert drawn.value == pytest.approx(exact.value)
    assert drawn.error == pytest.approx(exact.error, rel=0.06)
    assert (drawn.low, drawn.high) == pytest.approx((exact.low, exact.high), abs=0.2 * exact.error)
    assert drawn == bootstrap(sums, lambda s: s[:, 0] / s[:, 1], repeats=4000, seed=1)


def test_resampling_draws_as_many_wall_sets_as_there_are():
    totals = resampled(np.ones((37, 1)), repeats=50, seed=3)
    assert (totals == 37).all()


def test_the_script_behind_the_page_still_runs(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "scripts")
    script = runpy.run_path(str(ROOT / "scripts" / "write_statistics_table.py"))
    rows = [script["TABLES"][title][1][0](250) for title in list(script["TABLES"])[:2]]
    heads = [script["TABLES"][title][0] for title in list(script["TABLES"])[:2]]
    assert [len(row) for row in rows] == [len(head) for head in heads]
    assert rows[0][0] == "average rank"
    page = (ROOT / "docs" / "evaluation.md").read_text(encoding="utf-8")
    assert script["BEGIN"] in page
    for title, (head, _) in script["TABLES"].items():
        assert f"### {title}" in page
        assert f"| {' | '.join(head)} |" in page
