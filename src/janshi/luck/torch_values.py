"""The value function in PyTorch: the same values as `luck.network`, with gradients or on a GPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from janshi.agents.worths import DRAWS, TURNED, Worths
from janshi.learn.riichi.end_values import end_values
from janshi.luck.types import MEASURES, Array
from janshi.luck.value import ValueFunction
from janshi.models.amounts import AMOUNTS
from janshi.rules.riichi.state import PLAYERS


def values_of(out: Tensor, player: Array, worth: Worths, standing: Any) -> Tensor:
    """`luck.network.values` of outputs [n, t, OUTPUTS]: [n, t, measures, 4]."""
    n, t = out.shape[:2]
    m = len(MEASURES) * PLAYERS
    seats = torch.from_numpy(TURNED[player]).to(out.device)
    at = torch.from_numpy(np.asarray(standing, np.int64)).to(out.device)
    wins = torch.from_numpy(worth.wins.reshape(-1, PLAYERS, PLAYERS, AMOUNTS, m)).to(out.device)
    draws = torch.from_numpy(worth.draws.reshape(-1, DRAWS, m)).to(out.device)
    return end_values(out, seats, wins, draws, at).view(n, t, len(MEASURES), PLAYERS)


class DeviceValue(ValueFunction):
    """A value function on a device such as `cuda`, for measuring the luck of very many games."""

    def __init__(self, value: ValueFunction, device: str) -> None:
        super().__init__(value.weights, value.card, value.trained)
        self.device = device
        self._on_device = [torch.from_numpy(array).to(device) for array in self.weights]

    def _trunk(self, rows: Array) -> Tensor:
        first, first_bias, second, second_bias, join, join_bias, *_ = self._on_device
        hidden = torch.relu(torch.from_numpy(rows).to(self.device) @ first + first_bias)
        hidden = torch.relu(hidden @ second + second_bias)
        return hidden @ join + join_bias

    def after_draws(self, rows: Array, tiles: Array, player: Array, worth: Worths, standing: Array) -> Array:
        """Values after each tile that may be drawn."""
        tile, out, out_bias = self._on_device[-3:]
        with torch.inference_mode():
            joined = self._trunk(rows)[:, None] + torch.from_numpy(tiles).to(self.device) @ tile
            return np.asarray(values_of(torch.relu(joined) @ out + out_bias, player, worth, standing).cpu())

    def of_tables(self, rows: Array, player: Array, worth: Worths, standing: Array) -> Array:
        """Values of tables before a draw."""
        out, out_bias = self._on_device[-2:]
        n, t, width = rows.shape
        with torch.inference_mode():
            outputs = torch.relu(self._trunk(rows.reshape(n * t, width))) @ out + out_bias
            return np.asarray(values_of(outputs.view(n, t, -1), player, worth, standing).cpu())
