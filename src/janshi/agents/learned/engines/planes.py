"""Exported policies over planes in PyTorch, for thousands of tables at once on a GPU.

Packed inputs are copied to the device and expanded into planes there. As in `agents.learned.network`, sums are in
float32 and a convolution is one matrix product over the nine neighbours of each place. Answers differ from NumPy's
only by rounding, but their last bits may depend on the batch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from janshi.agents.learned.engines import Array
from janshi.agents.learned.engines.torch import find_device
from janshi.agents.learned.network import NEIGHBOURS, neighbours
from janshi.features.planes import Encoder

if TYPE_CHECKING:
    from torch import Tensor

MOST: Final = 1024
"""Positions computed together: larger batches are split to fit into a small device's memory."""


class TorchPolicy:
    """A policy on a PyTorch device: `cpu`, `cuda`, `cuda:1`."""

    def __init__(self, made: Encoder, arrays: dict[str, Array], card: dict[str, Any], device: str) -> None:
        self.encoder, self.card = made, card
        self._device = find_device(device)
        self._arrays = {name: self._put(array.astype(np.float32)) for name, array in arrays.items()}
        channels = arrays["stem"].shape[2]
        self._stem = self._arrays["stem"].reshape(-1, channels)
        self._blocks = self._arrays["blocks"].reshape(-1, 2, NEIGHBOURS * channels, channels)
        self._biases = self._arrays["blocks_bias"].reshape(-1, 2, channels)
        self._near = self._put(neighbours(made.rows, made.columns).ravel())

    def _put(self, array: Array) -> Tensor:
        import torch

        return torch.from_numpy(np.ascontiguousarray(array)).to(self._device)

    def logits(self, private: Array) -> Array:
        """Logits of all actions, legal or not, float32[m, num_actions], from uint8[m, private_bytes]."""
        import torch

        with torch.inference_mode():
            parts = [self._some(self._put(private[a : a + MOST])) for a in range(0, len(private), MOST)]
            return np.asarray(torch.cat(parts).cpu().numpy())

    def _some(self, private: Tensor) -> Tensor:
        import torch

        a = self._arrays
        planes = self.encoder.expand(private).permute(0, 2, 3, 1).flatten(1, 2)  # (m, cells, channels)
        y = self._beside(planes) @ self._stem + a["stem_bias"]
        for weights, bias in zip(self._blocks, self._biases):
            inner = self._beside(torch.relu(y)) @ weights[0] + bias[0]
            y = y + (self._beside(torch.relu(inner)) @ weights[1] + bias[1])
        z = torch.relu(torch.relu(y) @ a["neck"] + a["neck_bias"]).flatten(1)
        for name in ("first", "second"):
            z = torch.relu(z @ a[name] + a[f"{name}_bias"])
        return z @ a["last"] + a["last_bias"]

    def _beside(self, x: Tensor) -> Tensor:
        """The nine neighbours of each place side by side, (m, cells, 9 * channels); zeros off the board."""
        from torch.nn import functional as F

        padded = F.pad(x, (0, 0, 0, 1))  # the last row is for places off the board
        return padded[:, self._near].view(len(x), x.shape[1], -1)
