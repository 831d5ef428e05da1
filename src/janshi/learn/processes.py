"""Several processes that learn together, started by `torchrun`: each plays its own tables, and all share gradients.

Every process has the same networks and takes the same steps: gradients are averaged before each step (`average`), so n
processes with batches of b learn the same as one process with batches of n · b. The processes first agree on counts
that determine the number of steps and on statistics that determine what is used. They communicate through
`torch.distributed`: NCCL between GPUs, gloo between CPUs. A single process does none of this.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Any

import numpy as np
import torch
import torch.distributed as dist
from torch import Tensor, nn

from janshi.core import rng
from janshi.rules.game import Array

PROCESSES = 204
"""Separates the walls of different processes."""


class World:
    """The processes that learn together, seen from one of them."""

    def __init__(self, rank: int = 0, size: int = 1, device: torch.device | None = None) -> None:
        self.rank, self.size = rank, size
        self._device = device or torch.device("cpu")

    @property
    def first(self) -> bool:
        """Whether this process writes files and reports."""
        return self.rank == 0

    def seed(self, seed: int) -> int:
        """The seed of this process's walls and choices: the run's own for the first."""
        return seed if self.first else int(rng.key(np.uint64(seed % 2**64), self.rank, PROCESSES))

    # --- agreeing

    def _reduced(self, values: Any, how: Any) -> Array:
        """Numbers of all processes combined, float64."""
        found = np.atleast_1d(np.asarray(values, np.float64))
        if self.size == 1:
            return found
        there = torch.from_numpy(found.copy()).to(self._device)
        dist.all_reduce(there, how)
        return there.cpu().numpy()

    def least(self, value: float) -> float:
        """The smallest of all processes' numbers."""
        return float(self._reduced(value, dist.ReduceOp.MIN)[0]) if self.size > 1 else value

    def most(self, value: float) -> float:
        """The largest of all processes' numbers."""
        return float(self._reduced(value, dist.ReduceOp.MAX)[0]) if self.size > 1 else value

    def total(self, values: Any) -> Array:
        """The sums of all processes' numbers, float64."""
        return self._reduced(values, dist.ReduceOp.SUM)

    def mean(self, value: float) -> float:
        """The mean of all processes' numbers."""
        return float(self.total(value)[0]) / self.size if self.size > 1 else value

    def any(self, flag: bool) -> bool:
        """Whether a flag is set in any process."""
        return self.most(float(flag)) > 0

    def standardised(self, values: Array) -> Array:
        """Standardise values by the mean and spread over all processes."""
        if self.size == 1:
            return np.asarray((values - values.mean()) / (values.std() + 1e-8))
        exact = values.astype(np.float64)
        count, total, squares = self.total([len(exact), exact.sum(), np.square(exact).sum()])
        mean = total / count
        spread = max(squares / count - mean**2, 0.0) ** 0.5
        return np.asarray((values - mean) / (spread + 1e-8), np.float32)

    # --- gradients and weights

    def average(self, network: nn.Module) -> None:
        """Replace a network's gradient by the mean of all processes' gradients."""
        if self.size > 1:
            parts = [value.grad for value in network.parameters() if value.grad is not None]
            whole = torch.cat([part.reshape(-1) for part in parts])
            dist.all_reduce(whole, dist.ReduceOp.SUM)
            whole /= self.size
            for part, mean in zip(parts, torch.split(whole, [part.numel() for part in parts])):
                part.copy_(mean.view_as(part))

    def share_weights(self, network: nn.Module) -> None:
        """Copy the first process's weights to all others."""
        if self.size > 1:
            for value in network.state_dict().values():
                if isinstance(value, Tensor):
                    there = value.contiguous().to(self._device)
                    dist.broadcast(there, 0)
                    value.copy_(there)


@cache
def world() -> World:
    """The processes that `torchrun` started, or this process alone."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1 or "RANK" not in os.environ:
        return World()
    gpu = torch.cuda.is_available()
    if gpu:
        torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")))
    dist.init_process_group("nccl" if gpu else "gloo")
    return World(dist.get_rank(), dist.get_world_size(), torch.device("cuda") if gpu else None)


def leave() -> None:
    """Disconnect from the other processes at the end of a run."""
    if world().size > 1 and dist.is_initialized():
        dist.barrier()
        dist.destroy_process_group()
