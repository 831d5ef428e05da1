"""What options really lose, by evidence that the values were not fitted to.

Options are grouped by the loss that is predicted for them. The gains of all decisions are regressed on the groups of
the chosen options, less their mean over all options by their chances: since options are drawn at random, the
coefficients are what options of a group lose on average, compared with the best ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from janshi.agents.strategist.options import Options
from janshi.learn.strategist.evidence import Evidence
from janshi.learn.strategist.fitting import TO_JUDGE
from janshi.rules.game import Array


class Group(NamedTuple):
    """Options with similar predicted losses."""

    low: float
    high: float
    chosen: int
    """How often such an option was played."""
    predicted: float
    """Mean predicted loss of those, in points."""
    found: float
    """What they lost."""
    error: float
    """Standard error."""


class Slope(NamedTuple):
    """Points lost for each predicted one."""

    value: float
    error: float


def losses_of(options: Options, worths: Array) -> Array:
    """The predicted loss of each row against the best of its decision, float64[k]."""
    most = np.maximum.reduceat(worths, options.first[:-1])
    return (np.repeat(most, np.diff(options.first)) - worths).astype(np.float64)


def centred(evidence: Evidence, columns: Array) -> Array:
    """Columns of the chosen rows, less their mean over each decision's options: float64[d, n] from float64[k, n]."""
    means = np.add.reduceat(evidence.chances[:, None] * columns, evidence.options.first[:-1])
    return columns[evidence.chosen] - means


def groups_of(evidence: Evidence, worths: Array, bounds: Sequence[float]) -> list[Group]:
    """What options lose by group of predicted loss; the bounds begin above zero, which is the best options' own."""
    losses = losses_of(evidence.options, worths)
    inside = np.stack([(losses > low) & (losses <= high) for low, high in pairwise(bounds)], 1)
    found, errors = _regressed(centred(evidence, inside.astype(np.float64)), evidence)
    played, rows = inside[evidence.chosen], losses[evidence.chosen]
    return [
        Group(low, high, int(own.sum()), float(rows[own].mean()), -float(value), float(error))
        for (low, high), own, value, error in zip(pairwise(bounds), played.T, found, errors)
        if own.any()
    ]


def slope_of(evidence: Evidence, worths: Array) -> Slope:
    """Points lost for each point of predicted loss."""
    found, errors = _regressed(centred(evidence, losses_of(evidence.options, worths)[:, None]), evidence)
    return Slope(-float(found[0]), float(errors[0]))


def _regressed(columns: Array, evidence: Evidence) -> tuple[Array, Array]:
    """Coefficients of least squares and their standard errors."""
    inverse = np.linalg.pinv(columns.T @ columns)
    gains = evidence.gains[:, TO_JUDGE].astype(np.float64)
    found = inverse @ (columns.T @ gains)
    left = gains - columns @ found
    return found, np.sqrt(np.diag(inverse) * left.var())
