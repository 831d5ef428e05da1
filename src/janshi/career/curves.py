"""A person's results over time: means with intervals over all games so far, and over the latest ones."""

from __future__ import annotations

from math import sqrt
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from janshi.records.stats import Z

MOST: Final = 120
"""Points of a curve."""
FIRST: Final = 10
"""Games before the first point, since a mean over fewer is meaningless."""
SHARE: Final = 10
"""The latest games are a tenth of all, but at least `LEAST` and at most `LARGEST`."""
LEAST: Final = 50
LARGEST: Final = 500

Array = npt.NDArray[Any]


class Point(NamedTuple):
    """A mean after some games, with its 95 % interval."""

    game: int
    """Number of games played, those without a value included."""
    value: float
    low: float
    high: float


def places(games: int, first: int = FIRST) -> list[int]:
    """Numbers of games at which a curve has points: evenly spaced, the last game included."""
    if games < first:
        return []
    return sorted({round(at) for at in np.linspace(first, games, min(MOST, games - first + 1))})


def so_far(values: Array) -> list[Point]:
    """The mean of all games up to each point; values that are not known (NaN) are left out."""
    return _means(values, None)


def window(games: int) -> int:
    """How many of the latest games a moving mean takes."""
    return min(max(LEAST, games // SHARE), LARGEST)


def latest(values: Array) -> list[Point]:
    """The mean of the latest games at each point, as soon as there are enough."""
    return _means(values, window(len(values)))


def _means(values: Array, width: int | None) -> list[Point]:
    known = ~np.isnan(values)
    filled = np.where(known, values, 0.0)
    counts, sums, squares = (np.concatenate(([0.0], np.cumsum(part))) for part in (known, filled, filled**2))
    found = []
    for at in places(len(values), width or FIRST):
        begin = 0 if width is None else at - width
        n, total, square = (float(part[at] - part[begin]) for part in (counts, sums, squares))
        if n >= FIRST:
            mean = total / n
            error = Z * sqrt(max(square / n - mean * mean, 0.0) * n / (n - 1) / n)
            found.append(Point(at, mean, mean - error, mean + error))
    return found


def running_total(values: Array) -> list[tuple[int, float]]:
    """The sum of all games up to each point."""
    sums = np.cumsum(np.nan_to_num(values))
    return [(at, float(sums[at - 1])) for at in places(len(values), 1)]
