"""The network that puts a worth on options, in PyTorch; `agents/strategist/values.py` is its form for playing."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from janshi.agents.strategist.options import Options
from janshi.agents.strategist.values import LAYERS
from janshi.rules.game import Array

SMALLEST = 1e-2
"""Added to the spread of each number."""


class OptionNet(nn.Module):
    """Two hidden layers over the numbers of a row."""

    centre: Tensor
    spread: Tensor

    def __init__(self, numbers: int, width: int) -> None:
        super().__init__()
        self.register_buffer("centre", torch.zeros(numbers))
        self.register_buffer("spread", torch.ones(numbers))
        self.first, self.second, self.last = nn.Linear(numbers, width), nn.Linear(width, width), nn.Linear(width, 1)
        nn.init.zeros_(self.last.weight)

    def scale_by(self, rows: Array) -> None:
        """Standardise inputs by the mean and spread of some rows."""
        known = torch.from_numpy(rows.astype(np.float32))
        self.centre.copy_(known.mean(0))
        self.spread.copy_(known.std(0) + SMALLEST)

    def forward(self, rows: Tensor) -> Tensor:
        """The worth of rows (k, numbers): (k,), in points."""
        x = (rows - self.centre) / self.spread
        x = self.second(self.first(x).relu()).relu()
        return self.last(x).squeeze(1)

    def weights(self, scale: float = 1.0) -> dict[str, Array]:
        """The arrays of a file of `OptionValues`, with all worths scaled."""
        found = {"centre": self.centre, "spread": self.spread}
        for name in LAYERS:
            linear = getattr(self, name)
            found |= {f"{name}.weight": linear.weight.T, f"{name}.bias": linear.bias}
        arrays = {name: value.detach().numpy().copy() for name, value in found.items()}
        for part in ("weight", "bias"):
            arrays[f"{LAYERS[-1]}.{part}"] *= np.float32(scale)
        return arrays


@torch.no_grad()
def worths_of(network: OptionNet, rows: Array, piece: int = 1 << 17) -> Array:
    """The worth of rows, float32[k]."""
    parts = (torch.from_numpy(rows[a : a + piece].astype(np.float32)) for a in range(0, len(rows), piece))
    return np.concatenate([network(part).numpy() for part in parts])


def by_share(options: Options, column: int, sharpness: float, floor: float) -> Array:
    """Chances of options before anything is learned: by a power of their share of the best one's value."""
    return with_floor(options, sharpness * options.rows[:, column].astype(np.float64), floor)


def by_worth(options: Options, network: OptionNet, temperature: float, floor: float) -> Array:
    """Chances of options by their worth."""
    return with_floor(options, worths_of(network, options.rows).astype(np.float64) / temperature, floor)


def with_floor(options: Options, logits: Array, floor: float) -> Array:
    """Softmax within each decision, mixed with equal chances; float64[k]."""
    counts = np.diff(options.first)
    odds = np.exp(logits - np.repeat(np.maximum.reduceat(logits, options.first[:-1]), counts))
    soft: Any = odds / np.repeat(np.add.reduceat(odds, options.first[:-1]), counts)
    return np.asarray((1 - floor) * soft + np.repeat(floor / counts, counts))
