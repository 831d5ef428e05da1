"""Measures of models: AUC, the ordering of dangerous tiles, squared error, calibration, bootstrap intervals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.floating[Any]]
RESAMPLES: Final = 1000


class Figure(NamedTuple):
    """A measured value with its 95 % interval."""

    value: float
    low: float
    high: float
    examples: int

    def __str__(self) -> str:
        return f"{self.value:.3f} ({self.low:.3f} – {self.high:.3f})"


def auc(guesses: Floats, labels: npt.NDArray[np.bool_]) -> float:
    """Area under the curve: how often a positive is predicted higher than a negative, ties counting half."""
    order = np.argsort(guesses, kind="stable")
    _, first, counts = np.unique(guesses[order], return_index=True, return_counts=True)
    ranks = np.empty(len(guesses))
    ranks[order] = np.repeat(first + (counts + 1) / 2, counts)
    positives = int(labels.sum())
    negatives = len(labels) - positives
    if positives == 0 or negatives == 0:
        return float("nan")
    return float((ranks[labels].sum() - positives * (positives + 1) / 2) / (positives * negatives))


def auc_within(guesses: Floats, labels: npt.NDArray[np.bool_], groups: npt.NDArray[Any]) -> float:
    """How often a positive is predicted higher than a negative of the same group."""
    total = pairs = 0.0
    for group in np.unique(groups):
        inside = groups == group
        positives = int(labels[inside].sum())
        weight = positives * (int(inside.sum()) - positives)
        if weight:
            total += weight * auc(guesses[inside], labels[inside])
            pairs += weight
    return total / pairs if pairs else float("nan")


def safer_share(guesses: Floats, tiles: npt.NDArray[Any], winning: npt.NDArray[np.bool_]) -> float:
    """How well one hand's tiles are ordered: the share of other tiles that rank as safer than a winning one.

    `tiles` counts the tiles of each kind; ties count half; the mean over winning tiles.
    """
    bad, good = guesses[winning], guesses[~winning]
    bad_tiles, good_tiles = tiles[winning].astype(float), tiles[~winning].astype(float)
    safer = (good[None] < bad[:, None]) + 0.5 * (good[None] == bad[:, None])
    return float(bad_tiles @ safer @ good_tiles / (bad_tiles.sum() * good_tiles.sum()))


def bootstrap(
    measure: Callable[[npt.NDArray[np.int64]], float], clusters: npt.NDArray[Any], seed: int = 0, times: int = RESAMPLES
) -> Figure:
    """A measure of chosen examples, with an interval by bootstrap over whole clusters (games)."""
    order = np.argsort(clusters, kind="stable")
    _, first = np.unique(clusters[order], return_index=True)
    groups = np.split(order, first[1:])
    rng = np.random.default_rng(seed)
    values = []
    for _ in range(times):
        drawn = rng.integers(len(groups), size=len(groups))
        values.append(measure(np.concatenate([groups[i] for i in drawn])))
    low, high = (np.nan, np.nan) if np.isnan(values).all() else np.nanpercentile(values, [2.5, 97.5])
    return Figure(measure(np.arange(len(clusters))), float(low), float(high), len(clusters))


def calibration(guesses: Floats, happened: Floats, bins: int = 10) -> list[tuple[float, float, int]]:
    """Mean prediction, observed frequency and count in bins with equal numbers of examples."""
    parts = np.array_split(np.argsort(guesses, kind="stable"), bins)
    return [(float(guesses[p].mean()), float(happened[p].mean()), len(p)) for p in parts if len(p)]
