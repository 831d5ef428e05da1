"""Raw and adjusted ranks of a match: duplicate walls and luck together, on matches whose truth is known."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.arena.plan import Plan
from janshi.arena.results import Results, empty_results
from janshi.luck.match_luck import adjust_results
from janshi.luck.types import ScoredGames

WALL, PLAY, REST = 0.7, 0.7, 0.4
"""Spread of what a wall brings a seat, of luck that differs from game to game, and of what nobody sees."""
TOLD = 0.6


def played(plan: Plan, skill: tuple[float, ...], rng: np.random.Generator) -> tuple[Results, np.ndarray]:
    """Games of a plan with luck in places, float64[games, 2, 4]."""
    games = [plan.game(number) for number in range(len(plan))]
    results = empty_results(4)
    results.game = np.arange(len(plan))
    results.wall = np.array([game.wall for game in games])
    results.lineup = np.array([game.lineup for game in games])
    results.seats = np.array([game.seats for game in games], np.int16)
    walls = rng.normal(0, WALL, (plan.walls, 4))[results.wall]
    luck = walls + rng.normal(0, PLAY, walls.shape)
    luck -= luck.mean(1, keepdims=True)
    standing = np.array(skill)[results.seats] + luck + rng.normal(0, REST, luck.shape)
    results.ranks = (1 + (standing[:, None, :] > standing[:, :, None]).sum(2)).astype(np.float32)
    shape = (len(plan), 4)
    results.seed, results.scores = np.zeros(len(plan), np.uint64), np.zeros(shape, np.int32)
    results.points, results.counters = np.zeros(shape), np.zeros((*shape, 11), np.int32)
    results.decisions, results.seconds = np.zeros(shape, np.int32), np.zeros(shape, np.float32)
    results.faults, results.actions = [[] for _ in games], [None] * len(plan)
    told = np.stack((TOLD * luck, 8000 * TOLD * luck), axis=1)
    return results, told


def plan_of(walls: int, seating: str = "rotations") -> Plan:
    return Plan("riichi/tenhou", ("new", "old"), ((0, 1, 1, 1),), walls, seating=seating)


@pytest.mark.parametrize("seating", ["rotations", "independent"])
def test_both_estimates_are_unbiased_and_cover_and_the_spread_of_matches_is_as_stated(seating):
    rng, skill, rounds = np.random.default_rng(1), (0.3, 0.0), 120
    big = plan_of(20_000, seating)
    results, luck = played(big, skill, rng)
    truth = {line.contestant: line.raw.value for line in adjust_results(results, big, luck).contestants}
    plan = plan_of(40, seating)
    values, errors, held = [], [], np.zeros(2)
    for _ in range(rounds):
        results, luck = played(plan, skill, rng)
        new = adjust_results(results, plan, luck).contestants[0]
        both = (new.raw, new.adjusted)
        values.append([found.value for found in both])
        errors.append([found.error for found in both])
        held += [found.low <= truth[0] <= found.high for found in both]
    means, spread = np.mean(values, 0), np.std(values, 0, ddof=1)
    assert np.abs(means - truth[0]).max() < 4 * spread.max() / np.sqrt(rounds)
    assert np.allclose(spread, np.sqrt(np.mean(np.square(errors), 0)), rtol=0.2)
    assert ((held / rounds >= 0.9) & (held / rounds <= 0.99)).all()
    assert spread[1] < 0.75 * spread[0]


def test_pairs_and_games_saved():
    plan = plan_of(150)
    results, luck = played(plan, (0.3, 0.0), np.random.default_rng(2))
    found = adjust_results(results, plan, luck, "value 1")
    (pair,) = found.pairs
    new, old = found.contestants
    assert (found.games, found.walls, found.left_out, found.value) == (600, 150, 0, "value 1")
    assert pair.raw.estimate.value == pytest.approx(new.raw.value - old.raw.value)
    assert pair.adjusted.estimate.value == pytest.approx(new.adjusted.value - old.adjusted.value)
    assert new.adjusted.value == pytest.approx(new.raw.value + new.luck, abs=1e-6)
    assert new.luck + 3 * old.luck == pytest.approx(0, abs=1e-9)
    assert pair.worth > 1.5
    assert pair.gain == pytest.approx(pair.raw.gain * pair.worth)
    assert found.games_saved(pair) == pytest.approx((pair.worth - 1) * 600)


def test_games_without_luck_and_those_of_the_baseline_are_left_out():
    plan = Plan("riichi/tenhou", ("new", "old"), ((0, 1, 1, 1), (1, 1, 1, 1)), 30, baseline=1)
    results, luck = played(plan, (0.3, 0.0), np.random.default_rng(3))
    luck[0] = np.nan
    found = adjust_results(results, plan, luck)
    assert (found.games, found.left_out) == (119, 1)
    with pytest.raises(ValueError, match="luck must be"):
        adjust_results(results, plan, luck[:5])
    one = plan_of(1)
    results, luck = played(one, (0.0, 0.0), np.random.default_rng(4))
    with pytest.raises(ValueError, match="at least 2 wall sets"):
        adjust_results(results, one, luck)


def test_scored_games_must_be_those_of_the_match():
    from simulated import simulate

    plan = plan_of(5)
    results, _ = played(plan, (0.0, 0.0), np.random.default_rng(5))
    scored: ScoredGames = simulate(20, np.random.default_rng(6))
    found = adjust_results(results, plan, scored.luck_of_games(), scored.value)
    luck = scored.luck_of_games()[:, 0]
    mine = results.seats == 0
    assert found.contestants[0].luck == pytest.approx(luck[mine].mean())
    assert found.value == "simulated"
    with pytest.raises(ValueError, match=r"luck must be \(20, 2, 4\)"):
        adjust_results(results, plan, simulate(19, np.random.default_rng(6)).luck_of_games())
