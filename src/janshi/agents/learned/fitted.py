"""Models with a few fitted weights, and a card that describes the fit."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from janshi.models.store import load, save
from janshi.rules.game import Array


class Fitted:
    """Weights of some features, and their card."""

    name: ClassVar[str]
    """Name of the file in the package."""
    version: ClassVar[int]
    """Version of the features."""
    features: ClassVar[tuple[str, ...]]

    def __init__(self, weights: Array, card: dict[str, Any] | None = None) -> None:
        self.check(weights)
        self.weights = np.asarray(weights, np.float64)
        self.card = card or {}

    def check(self, weights: Array) -> None:
        """Raise `ValueError` for invalid weights. By default, there must be one non-negative weight per feature."""
        if len(weights) != len(self.features) or not (weights >= 0).all():
            raise ValueError(f"expected {len(self.features)} weights, none of them negative: {weights}")

    @classmethod
    def load(cls, path: Path | None = None) -> Self:
        """Read weights: the shipped ones, or those in a file."""
        arrays, card = load(cls.name, path, cls.version, len(cls.features))
        return cls(arrays["weights"], card)

    def save(self, path: Path) -> None:
        """Write the weights and their card."""
        save(path, {"weights": self.weights}, {**self.card, "feature version": self.version})
