"""Teachers: the average policy of finished networks on all examples, computed once, before a student learns from it.

Suits are permuted afterwards, so a teacher sees every example once and not once an epoch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import torch
from torch import Tensor

from janshi.learn.imitation.batches import DeviceExamples
from janshi.learn.imitation.network import RiichiNet
from janshi.rules.riichi.actions import NUM_ACTIONS

SIZE: Final = 16384


@torch.no_grad()
def average_policy(teachers: Sequence[RiichiNet], examples: DeviceExamples, device: torch.device) -> Tensor:
    """The mean of the teachers' probabilities for every example, float16 (N, 120)."""
    n, size, cuda = len(examples), min(SIZE, len(examples)), device.type == "cuda"
    found = torch.zeros(n, NUM_ACTIONS, dtype=torch.float16, device=device)
    asked = [torch.compile(one, dynamic=False) if cuda else one for one in teachers]
    for first in range(0, n, size):
        rows = torch.arange(size, device=device) + min(first, n - size)  # always as many: one shape to compile
        batch = examples.batch(rows)
        with torch.autocast(device.type, torch.bfloat16, enabled=cuda):
            logits = torch.stack([one(batch.inputs, batch.drawn).policy for one in asked])
        found[rows] = logits.masked_fill(~batch.legal, -torch.inf).softmax(2).mean(0).half()
    return found
