"""Several optimisers as one, with a common rate and moments that can be saved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import nn

BETAS = (0.9, 0.98)


class Optimisers:
    """Optimisers that step together."""

    def __init__(self, made: Sequence[torch.optim.Optimizer]) -> None:
        self._all = list(made)

    def zero_grad(self) -> None:
        """Forget all gradients."""
        for one in self._all:
            one.zero_grad(set_to_none=True)

    def step(self, rate: float) -> None:
        """One step at a learning rate."""
        for one in self._all:
            for group in one.param_groups:
                group["lr"] = rate
            one.step()

    def moments(self, kind: torch.dtype) -> list[dict[int, dict[str, Any]]]:
        """The moments of all optimisers, in a given dtype."""
        return [packed_moments(one, kind) for one in self._all]

    def load_moments(self, moments: list[dict[int, dict[str, Any]]]) -> None:
        """Restore saved moments."""
        if len(moments) != len(self._all):
            raise ValueError(f"the checkpoint has moments of {len(moments)} optimisers; expected {len(self._all)}")
        for one, kept in zip(self._all, moments):
            unpack_moments(one, kept)


def make_optimisers(net: nn.Module, rate: float, decay: float, muon: bool, device: torch.device) -> Optimisers:
    """AdamW, with weight decay for matrices and convolutions; with `muon`, Muon for the matrices of the blocks."""
    named = list(net.named_parameters())
    matrices = [(name, one) for name, one in named if one.ndim in (2, 4) and name != "place"]
    others = [one for name, one in named if one.ndim not in (2, 4) or name == "place"]
    inner = [one for name, one in matrices if muon and one.ndim == 2 and name.startswith("blocks.")]
    outer = [one for name, one in matrices if not any(one is other for other in inner)]
    groups = [{"params": outer, "weight_decay": decay}, {"params": others, "weight_decay": 0.0}]
    made: list[torch.optim.Optimizer] = [
        torch.optim.AdamW(groups, lr=rate, betas=BETAS, fused=device.type == "cuda"),
    ]
    if inner:
        made.append(torch.optim.Muon(inner, lr=rate, weight_decay=decay, adjust_lr_fn="match_rms_adamw"))
    return Optimisers(made)


def packed_moments(optimiser: torch.optim.Optimizer, kind: torch.dtype) -> dict[int, dict[str, Any]]:
    """An optimiser's moments, in a given dtype."""
    return {
        i: {name: value.to(kind) if value.ndim else value for name, value in kept.items()}
        for i, kept in optimiser.state_dict()["state"].items()
    }


def unpack_moments(optimiser: torch.optim.Optimizer, moments: dict[int, dict[str, Any]]) -> None:
    """Restore an optimiser's moments."""
    state = optimiser.state_dict()
    state["state"] = {
        i: {name: value.float() if value.ndim else value for name, value in kept.items()} for i, kept in moments.items()
    }
    optimiser.load_state_dict(state)
