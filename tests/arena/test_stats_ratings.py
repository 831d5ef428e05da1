"""Ratings: openskill's in game order, and strengths of greatest likelihood with their errors."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
import pytest

from janshi.arena.ratings import openskill_ratings, plackett_luce

NAN = float("nan")
STRENGTHS = np.array([0.6, 0.25, 0.0, -0.25, -0.6])


def tournament(games: int, seed: int, players: int = 4) -> np.ndarray:
    """Ranks of games between `players` of five contestants, drawn by the Plackett-Luce model itself."""
    rng = np.random.default_rng(seed)
    results = STRENGTHS + rng.gumbel(size=(games, len(STRENGTHS)))
    absent = rng.permuted(np.tile(np.arange(len(STRENGTHS)), (games, 1)), axis=1) >= players
    ranks = 1.0 + np.argsort(np.argsort(-np.where(absent, -np.inf, results), axis=1), axis=1)
    return np.where(absent, NAN, ranks)


def log_likelihood(theta: np.ndarray, ranks: np.ndarray) -> float:
    """Slow and obvious: the winner among all, the second among the rest, and so on."""
    total = 0.0
    for game in ranks:
        order = [k for k in np.argsort(game) if not np.isnan(game[k])]
        for place in range(len(order) - 1):
            total += theta[order[place]] - log(sum(np.exp(theta[k]) for k in order[place:]))
    return total


def test_two_players_by_hand():
    # three wins of four: log odds log 3, halved to both sides; error of the log odds √(1/3 + 1/1)
    ranks = np.array([[1, 2], [1, 2], [2, 1], [1, 2]])
    first, second = plackett_luce(ranks)
    assert first.value == pytest.approx(log(3) / 2)
    assert second.value == pytest.approx(-log(3) / 2)
    assert first.error == pytest.approx(sqrt(4 / 3) / 2 * sqrt(4 / 3))  # with 4/3 for few games


def test_likelihood_is_greatest_at_the_answer():
    ranks = tournament(120, seed=1)
    theta = np.array([e.value for e in plackett_luce(ranks)])
    best = log_likelihood(theta, ranks)
    rng = np.random.default_rng(2)
    for _ in range(20):
        step = rng.normal(0, 0.05, 5)
        assert log_likelihood(theta + step, ranks) < best + 1e-9
    assert log_likelihood(theta + 1.0, ranks) == pytest.approx(best)


def test_intervals_of_strengths_cover():
    held = np.zeros(5)
    for seed in range(600):
        found = plackett_luce(tournament(120, seed=seed))
        held += [e.low <= s <= e.high for e, s in zip(found, STRENGTHS)]
    assert 0.93 <= held.mean() / 600 <= 0.97


def test_errors_grow_when_games_are_copies():
    ranks = tournament(200, seed=3)
    once = plackett_luce(ranks)
    copied = plackett_luce(np.repeat(ranks, 4, axis=0), np.repeat(np.arange(200), 4))
    naive = plackett_luce(np.repeat(ranks, 4, axis=0))
    assert [e.error for e in copied] == pytest.approx([e.error for e in once])
    assert naive[0].error == pytest.approx(once[0].error / 2, rel=0.01)


def test_order_of_games_does_not_matter_and_games_are_counted():
    ranks = tournament(300, seed=4)
    forward, backward = plackett_luce(ranks), plackett_luce(ranks[::-1])
    assert [e.value for e in forward] == pytest.approx([e.value for e in backward])
    assert [e.games for e in forward] == (~np.isnan(ranks)).sum(axis=0).tolist()


def test_shared_ranks_leave_equals_equal():
    ranks = np.array([[1.5, 1.5, 3], [1.5, 1.5, 3], [2, 3, 1], [3, 2, 1]])
    a, b, _ = plackett_luce(ranks)
    assert a.value == pytest.approx(b.value)


def test_both_ratings_put_the_players_in_order():
    ranks = tournament(1500, seed=5)
    ordinals = [r.ordinal for r in openskill_ratings(ranks)]
    strengths = [e.value for e in plackett_luce(ranks)]
    assert ordinals == sorted(ordinals, reverse=True)
    assert strengths == sorted(strengths, reverse=True)


def test_openskill_repeats_itself_and_surer_with_games():
    ranks = tournament(100, seed=6)
    first = openskill_ratings(ranks)
    assert first == openskill_ratings(ranks)
    assert first[0].sigma < openskill_ratings(ranks[:10])[0].sigma
    assert first[0].ordinal == pytest.approx(first[0].mu - 3 * first[0].sigma)
    assert [r.games for r in first] == (~np.isnan(ranks)).sum(axis=0).tolist()


def test_openskill_passes_over_games_of_one():
    alone = [[1, NAN, NAN], [NAN, NAN, NAN]]
    rated = openskill_ratings(alone)
    assert {r.games for r in rated} == {0}
    assert len({r.mu for r in rated}) == 1


TWO_PAIRS = [[1, 2, NAN, NAN], [2, 1, NAN, NAN], [NAN, NAN, 1, 2], [NAN, NAN, 2, 1]]
"""Contestants 0 and 1 never meet 2 and 3."""


@pytest.mark.parametrize(
    ("ranks", "message"),
    [
        ([[1, 2, 3]] * 5, "no finite strengths"),
        (TWO_PAIRS, r"never met: .*\[0, 1\]"),
        ([[1, 2]], "at least 2 wall sets"),
        ([1, 2], "games, contestants"),
    ],
)
def test_complaints_say_why_there_is_no_answer(ranks, message):
    with pytest.raises(ValueError, match=message):
        plackett_luce(ranks)
