"""How many more games are needed for an interval of a given width, or to detect a difference of a given size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, sqrt
from typing import Final

from janshi.arena.stats import LEVEL, Estimate, t_quantile

POWER: Final = 0.8
LEAST: Final = 2


@dataclass(frozen=True, slots=True)
class Needed:
    """What a match needs in total, and what is still missing."""

    walls: int
    games: int
    further_walls: int
    further_games: int


def wall_deviation(estimate: Estimate) -> float:
    """Standard deviation of one wall set's value, from the estimate's error."""
    return estimate.error * sqrt(estimate.walls)


def _known_deviation(estimate: Estimate) -> float:
    if estimate.unknown:
        raise ValueError(f"{estimate.walls} wall sets are too few to know their spread")
    return wall_deviation(estimate)


def needed_for_width(estimate: Estimate, half_width: float) -> Needed:
    """Wall sets and games until the interval is at most `half_width` to either side.

    Solves t(W - 1) · s / √W <= half_width for the least W, where s is the spread of wall sets so far, at the
    estimate's own level and number of games per wall set.
    """
    if half_width <= 0:
        raise ValueError(f"the wanted half width must be positive, got {half_width}")
    deviation = _known_deviation(estimate)

    def narrow(walls: int) -> bool:
        return t_quantile(estimate.level, walls) * deviation <= half_width * sqrt(walls)

    return _needed(estimate, _least(narrow))


def needed_to_detect(estimate: Estimate, effect: float, power: float = POWER, level: float = LEVEL) -> Needed:
    """Wall sets and games until a true difference of `effect` is detected with the given power.

    Detected means that the two-sided t-test at 1 - level rejects "no difference", in the right direction.
    """
    deviation = _known_deviation(estimate)
    if deviation == 0:
        return _needed(estimate, LEAST)
    return _needed(estimate, walls_to_detect(effect, deviation, power, level))


def walls_to_detect(effect: float, deviation: float, power: float = POWER, level: float = LEVEL) -> int:
    """Wall sets needed to detect a true effect, from the standard deviation of one wall set's value."""
    if effect == 0:
        raise ValueError("no number of games detects a difference of zero: give the smallest effect that matters")
    if deviation <= 0:
        raise ValueError(f"the standard deviation of wall-set values must be positive, got {deviation}")
    if not 0 < power < 1:
        raise ValueError(f"the power lies between 0 and 1, such as 0.8; got {power}")
    return _least(lambda walls: power_of(walls, effect, deviation, level) >= power)


def power_of(walls: int, effect: float, deviation: float, level: float = LEVEL) -> float:
    """Probability that a t-test over this many wall sets detects a true effect, by the noncentral t distribution."""
    from scipy.special import nctdtr, ndtr

    shift = abs(effect) / deviation * sqrt(walls)
    quantile = t_quantile(level, walls)
    if walls > 10_000:  # the two agree to five digits long before
        return float(ndtr(shift - quantile))
    return 1 - float(nctdtr(walls - 1, shift, quantile))


def _least(enough: Callable[[int], bool]) -> int:
    """Smallest number of wall sets that is enough; `enough` is monotonic."""
    high = LEAST
    while not enough(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if middle >= LEAST and enough(middle) else (middle, high)
    return max(high, LEAST)


def _needed(estimate: Estimate, walls: int) -> Needed:
    """Convert to games by the match's games per wall set so far."""
    per_wall = estimate.games / estimate.walls
    further = max(walls - estimate.walls, 0)
    return Needed(walls, ceil(walls * per_wall), further, ceil(further * per_wall))
