"""What actions are worth in Guobiao, in points, by a small network over their features; runs without PyTorch.

The worth of an action is linear in its features plus a hidden layer: w · x + v · relu(A z + b), with z the features in
their usual sizes. Only differences within a decision mean anything.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, Self

import numpy as np

from janshi.agents.weigher.features import FEATURES, VERSION
from janshi.models.store import load, save
from janshi.rules.game import Array

NAME: Final = "weigher"


class Worths:
    """Weights, and a card that says how they were made."""

    def __init__(
        self, weights: Array, hidden: Array | None = None, last: Array | None = None, card: dict[str, Any] | None = None
    ) -> None:
        """`weights` float[F]; `hidden` float[H, F + 1], its last column added always; `last` float[H]."""
        if weights.shape != (len(FEATURES),):
            raise ValueError(f"expected {len(FEATURES)} weights: {weights.shape}")
        self.weights = np.asarray(weights, np.float64)
        self.hidden = np.zeros((0, len(FEATURES) + 1)) if hidden is None else np.asarray(hidden, np.float64)
        self.last = np.zeros(len(self.hidden)) if last is None else np.asarray(last, np.float64)
        self.card = card or {}

    def __call__(self, about: Array) -> Array:
        """The worth of actions from their features, float64[n]."""
        hidden = np.maximum(about @ self.hidden[:, :-1].T + self.hidden[:, -1], 0.0)
        return np.asarray(about @ self.weights + hidden @ self.last)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the weights in a file."""
        arrays, card = load(NAME, path, VERSION, len(FEATURES))
        return cls(arrays["weights"], arrays["hidden"], arrays["last"], card)

    def save(self, path: Path) -> None:
        """Write the weights in single precision, and their card."""
        arrays = {"weights": self.weights, "hidden": self.hidden, "last": self.last}
        small = {name: array.astype(np.float32) for name, array in arrays.items()}
        save(path, small, {**self.card, "feature version": VERSION})
