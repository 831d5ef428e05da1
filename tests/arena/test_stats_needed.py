"""How many games are needed, checked by playing that many."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from janshi.arena.known_truth import ROTATIONS, simulate
from janshi.arena.sample_size import (
    Needed,
    needed_for_width,
    needed_to_detect,
    power_of,
    wall_deviation,
    walls_to_detect,
)
from janshi.arena.stats import Estimate, mean


def estimate(error: float, walls: int, games: int) -> Estimate:
    return Estimate(0.0, -1.0, 1.0, error, 0.95, walls, games)


def test_textbook_numbers():
    # n = ((1.960 + 0.842) / 0.5)² = 31.4 with a known spread; Student's test takes two more
    assert walls_to_detect(0.5, 1.0) == 34
    assert walls_to_detect(-0.5, 1.0) == 34
    assert walls_to_detect(0.01, 1.0) == pytest.approx(78_490, rel=1e-3)


def test_a_thousand_games_leave_seven_hundredths_of_average_rank():
    now = estimate(sqrt(1.25 / 1000), 1000, 1000)
    got = needed_for_width(now, 0.07)
    assert got.walls == pytest.approx(983, abs=2)
    assert (got.further_walls, got.further_games) == (0, 0)


def test_wanted_width_is_just_reached():
    now = estimate(0.1, 50, 200)
    got = needed_for_width(now, 0.05)
    assert got.games == 4 * got.walls
    assert got.further_games == 4 * (got.walls - 50)
    rng = np.random.default_rng(0)
    for walls, enough in ((got.walls, True), (got.walls - 1, False)):
        x = rng.normal(size=walls)
        x = (x - x.mean()) / x.std(ddof=1) * wall_deviation(now)
        assert (mean(x, np.arange(walls)).half_width <= 0.05) is enough


def test_least_number_has_the_power_and_one_less_has_not():
    for effect, power in ((0.2, 0.8), (0.7, 0.9), (2.0, 0.5), (0.03, 0.8)):
        walls = walls_to_detect(effect, 1.0, power)
        assert power_of(walls, effect, 1.0) >= power
        assert walls == 2 or power_of(walls - 1, effect, 1.0) < power


def test_power_in_simulated_matches():
    """Plan from one match of 100 wall sets, then play 4,000 of the planned size and count how often it shows."""
    strengths = (0.15, -0.15, 0.0, 0.0)
    pilot = simulate(1, 100, ROTATIONS, strengths, 0.5, seed=1)
    effect = pilot.truth[0] - pilot.truth[1]
    exact = simulate(1, 50_000, ROTATIONS, strengths, 0.5, seed=2)
    spread = wall_deviation(mean(exact.ranks[0, :, 0] - exact.ranks[0, :, 1], exact.wall))
    planned = needed_to_detect(mean(pilot.ranks[0, :, 0] - pilot.ranks[0, :, 1], pilot.wall), effect)
    assert planned.walls == pytest.approx(walls_to_detect(effect, spread), rel=0.3)
    walls = walls_to_detect(effect, spread)
    played = simulate(4000, walls, ROTATIONS, strengths, 0.5, seed=3)
    d = played.ranks[:, :, 0] - played.ranks[:, :, 1]
    seen = np.mean([mean(row, played.wall).high < 0 for row in d])
    assert seen == pytest.approx(0.8, abs=0.025)


def test_no_spread_needs_no_more():
    assert needed_to_detect(estimate(0.0, 5, 20), 0.1) == Needed(2, 8, 0, 0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: needed_for_width(estimate(0.1, 10, 10), 0), "must be positive"),
        (lambda: walls_to_detect(0, 1), "zero"),
        (lambda: walls_to_detect(0.1, 0), "must be positive"),
        (lambda: walls_to_detect(0.1, 1, power=80), "between 0 and 1"),
    ],
)
def test_complaints_say_what_was_expected(call, message):
    with pytest.raises(ValueError, match=message):
        call()
