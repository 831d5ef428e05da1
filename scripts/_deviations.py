"""Shared by the scripts that fit models to Guobiao hands with random deviations."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np

from janshi.arena.stats import ratio
from janshi.rules.game import Array

COMMAND: Final = (
    "python scripts/measure_deviations.py --out FIT --hands 10000 && python scripts/measure_deviations.py --out TEST"
    " --hands 5000 --seed 2"
)


def pieces(folder: Path) -> Iterator[tuple[Array, Array]]:
    """Deviations and points of the hands in each file of a folder; hands are numbered across all files."""
    hands = 0
    for file in sorted(folder.glob("*.npz")):
        with np.load(file) as stored:
            found, points = stored["deviations"], stored["points"]
        found["game"] += hands
        hands += len(points)
        yield found, points


def calibration(chances: Array, happened: Array, hands: Array, bounds: tuple[float, ...]) -> list[list[str]]:
    """Rows of a table: predictions and observed frequencies by group, with intervals clustered by hand."""
    rows = []
    for low, high in pairwise(bounds):
        inside = (chances >= low) & (chances < high)
        if inside.sum() < 50:
            continue
        seen = ratio(happened[inside].astype(np.float64), np.ones(int(inside.sum())), hands[inside])
        interval = f"{100 * seen.value:.1f} ({100 * max(seen.low, 0):.1f} to {100 * seen.high:.1f})"
        name = f"{100 * low:g} to {100 * min(high, 1.0):g} %"
        rows.append([name, f"{int(inside.sum()):,}", f"{100 * chances[inside].mean():.1f}", interval])
    return rows


def log_loss(chances: Array, classes: Array) -> float:
    """Mean log loss of float[n, classes]."""
    return float(-np.log(np.maximum(chances[np.arange(len(classes)), classes], 1e-12)).mean())
