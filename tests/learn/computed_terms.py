"""Luck terms as a device computed them, and as they should be."""

from __future__ import annotations

import torch

from janshi.learn.luck_terms import Terms
from janshi.learn.outcome_values import terms


def computed_and_wanted(part: Terms, most: int = 256) -> tuple[torch.Tensor, torch.Tensor]:
    """Terms of the stored events by the device, and by the plain network on a CPU, which it stays on."""
    for _ in part.compute():
        pass
    part.device.synchronize()
    n = min(part.count, most)
    with torch.no_grad():
        values = part.network.cpu()(*(room[:n].cpu() for room in part.inputs))
    return part.found[:n].cpu(), terms(values, part.picked[:n].cpu(), part.weights[:n].cpu())
