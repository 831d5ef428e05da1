"""Simulated matches with known true values, and how often the statistics find them.

A player's result in a game is strength + luck of the seat on this wall + chance of the game, both normal; the best
gets rank 1. The wall's share of the variance is the same whenever the wall is replayed. One seat's luck and chance
together have variance 1, so the better of two players is ahead with probability Φ(difference / √2), and the
average rank is exact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations
from math import sqrt
from typing import Final

import numpy as np
import numpy.typing as npt

from janshi.arena.sprt import Sprt, log_likelihood_ratio
from janshi.arena.stats import Estimate, Floats, Numbers

SEATS: Final = 4
ROTATIONS: Final = np.array([[(k + r) % SEATS for k in range(SEATS)] for r in range(SEATS)])
"""Seat of contestant k in the r-th game of a wall set."""
PERMUTATIONS: Final = np.array(list(permutations(range(SEATS))))
SAME_SEAT: Final = np.tile(np.arange(SEATS), (SEATS, 1))
"""Four games of a wall set, everybody always in the same seat."""


@dataclass(frozen=True, slots=True)
class Matches:
    """Many simulated matches of the same contestants."""

    ranks: Floats
    """(repeats, games, contestants)"""
    wall: npt.NDArray[np.intp]
    """(games,)"""
    truth: Floats
    """Average rank of each contestant."""


def true_ranks(strengths: Numbers) -> Floats:
    """Average ranks: 1 + the sum of the probabilities that each other player is ahead."""
    from scipy.special import ndtr

    s = np.asarray(strengths, np.float64)
    ahead = ndtr((s[None, :] - s[:, None]) / sqrt(2))
    return np.asarray(1 + ahead.sum(axis=1) - 0.5)


def simulate(
    repeats: int, walls: int, seats: npt.NDArray[np.intp], strengths: Numbers, luck: float, seed: int = 0
) -> Matches:
    """Play matches of `walls` wall sets, each with the seatings (games, contestants); `luck` is the wall's share."""
    rng = np.random.default_rng(seed)
    of_wall = rng.standard_normal((repeats, walls, SEATS))[:, :, seats] * sqrt(luck)
    chance = rng.standard_normal(of_wall.shape) * sqrt(1 - luck)
    results = np.asarray(strengths, np.float64) + of_wall + chance
    ranks = 1 + np.argsort(np.argsort(-results, axis=3), axis=3)
    wall = np.repeat(np.arange(walls), len(seats))
    return Matches(ranks.reshape(repeats, -1, seats.shape[1]).astype(np.float64), wall, true_ranks(strengths))


def coverage(estimates: Callable[[int], Estimate], truth: float, repeats: int) -> float:
    """How often the interval contains the true value; `estimates` returns the estimate of the r-th repeat."""
    found = 0
    for r in range(repeats):
        estimate = estimates(r)
        found += estimate.low <= truth <= estimate.high
    return found / repeats


@dataclass(frozen=True, slots=True)
class SprtRates:
    """The outcomes of a sequential test over many runs."""

    accept_h0: float
    accept_h1: float
    undecided: float
    walls: float
    """Average number of wall sets at the end."""


def sprt_rates(test: Sprt, values: Floats) -> SprtRates:
    """Run a fresh test on each row of (repeats, wall sets), looking after every wall set."""
    count = np.arange(1, values.shape[1] + 1)
    mean = np.cumsum(values, axis=1) / count
    variance = np.maximum(np.cumsum(values**2, axis=1) / count - mean**2, 0)
    llr = log_likelihood_ratio(count, mean, variance, test.m0, test.m1)
    low, high = test.bounds
    outside = ((llr <= low) | (llr >= high)) & (count >= test.least)
    ended = outside.any(axis=1)
    last = np.where(ended, outside.argmax(axis=1), values.shape[1] - 1)
    final = llr[np.arange(len(values)), last]
    h1 = float((ended & (final >= high)).mean())
    return SprtRates(float(ended.mean()) - h1, h1, float(1 - ended.mean()), float(last.mean() + 1))
