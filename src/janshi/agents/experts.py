"""How often experts make each choice: probabilities from the values of models fitted to experts' choices."""

from __future__ import annotations

import numpy as np

from janshi.models.one_player import LEAST
from janshi.rules.game import Array


def softmax(values: Array) -> Array:
    """Softmax of values, float64[n]."""
    odds = np.exp(values - values.max())
    return np.asarray(odds / odds.sum())


def discard_chances(values: Array) -> Array:
    """How often experts who play only to win discard each kind, float64[34]; NaN for kinds that cannot be discarded.

    `values` come from the one-player model, which is fitted by softmax regression.
    """
    chances = np.full(len(values), np.nan)
    held = np.flatnonzero(values > LEAST)
    if len(held):
        chances[held] = softmax(values[held].astype(np.float64))
    return chances
