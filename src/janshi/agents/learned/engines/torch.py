"""The network in PyTorch, for thousands of tables at once on a GPU.

The lists of active inputs are copied to the device and expanded there. In float32, answers differ from NumPy's only by
rounding, but their last bits may depend on the batch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from janshi.agents.learned.engines import Array, Scores
from janshi.agents.learned.engines.blocks import neighbours
from janshi.core.tiles import NUM_KINDS
from janshi.features.riichi import layout as at
from janshi.rules.riichi.state import PLAYERS

if TYPE_CHECKING:
    import torch
    from torch import Tensor

MOST: Final = 4096
"""Positions computed together: larger batches are split to fit into a small device's memory."""


class TorchEngine:
    """Computes the network on a PyTorch device: `cpu`, `cuda`, `cuda:1`."""

    def __init__(self, arrays: dict[str, Array], card: dict[str, Any], device: str) -> None:
        self._device = find_device(device)
        self._heads, self._blocks = int(card["config"]["heads"]), int(card["config"]["blocks"])
        self._arrays = {name: self._put(array) for name, array in arrays.items()}
        self._ups, self._downs = (self._put(neighbours(by)) for by in (-1, 1))

    def _put(self, array: Array) -> Tensor:
        import torch

        return torch.from_numpy(np.ascontiguousarray(array, np.float32)).to(self._device)

    def scores(self, packed: Array) -> Scores:
        """The network's numbers for packed positions."""
        import torch

        with torch.inference_mode():
            parts = [self._some(packed[first : first + MOST]) for first in range(0, len(packed), MOST)]
            return Scores(*(torch.cat(part).cpu().numpy() for part in zip(*parts)))

    def _some(self, packed: Array) -> tuple[Tensor, ...]:
        import torch

        width = int(packed["count"].max())
        inputs = torch.from_numpy(packed["inputs"][:, :width].astype(np.int32)).to(self._device, non_blocking=True)
        x = self._tokens(inputs.long())
        for i in range(self._blocks):
            x = self._block(i, x)
        x = self._normed(x, self._arrays["last"])
        rows = (x[:, :NUM_KINDS], x[:, NUM_KINDS : NUM_KINDS + PLAYERS], x[:, -2], x[:, -1])
        names = ("tile", "player", "game", "question")
        a = self._arrays
        return tuple(row @ a[f"{name}_out"] + a[f"{name}_out_bias"] for name, row in zip(names, rows))

    def _tokens(self, inputs: Tensor) -> Tensor:
        """The tokens before the first block, (m, T, D)."""
        import torch

        active = torch.zeros(len(inputs), at.INPUTS + 1, device=self._device)
        active.scatter_(1, inputs, 1.0)
        parts = [
            active[:, section.first : section.end].view(-1, section.tokens, section.width)
            @ self._arrays[f"{section.name}_in"]
            for section in at.SECTIONS
        ]
        return torch.cat(parts, 1) + self._arrays["place"]

    def _block(self, i: int, x: Tensor) -> Tensor:
        import torch
        from torch.nn import functional as F

        a = {name: self._arrays[f"{name}.{i}"] for name in BLOCK}
        m, tokens, width = x.shape
        mixed = self._normed(x, a["before_attention"]) @ a["query_key_value"]
        q, k, v = mixed.view(m, tokens, 3, self._heads, -1).permute(2, 0, 3, 1, 4)
        attended = F.scaled_dot_product_attention(q, k, v, attn_mask=a["places"])
        x = x + attended.transpose(1, 2).reshape(m, tokens, width) @ a["joined"]
        y, part = self._normed(x, a["before_inner"]), width // 4
        y = torch.cat([self._ups @ y[..., :part], self._downs @ y[..., part : 2 * part], y[..., 2 * part :]], -1)
        hidden = F.relu(y @ a["first"] + a["first_bias"]).square()
        return x + (hidden @ a["second"] + a["second_bias"])

    def _normed(self, x: Tensor, scale: Tensor) -> Tensor:
        from torch.nn import functional as F

        return F.rms_norm(x, (x.shape[-1],), scale)


BLOCK: Final = (
    "before_attention",
    "query_key_value",
    "places",
    "joined",
    "before_inner",
    "first",
    "first_bias",
    "second",
    "second_bias",
)


def find_device(name: str) -> torch.device:
    """A device by name; raises `ValueError` if PyTorch or the device is not available."""
    try:
        import torch
    except ImportError:
        raise ValueError("engine=torch needs PyTorch: pip install 'janshi[learn]'") from None
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise ValueError(f"there is no device {name!r}: {str(error).splitlines()[0]}") from None
    return device
