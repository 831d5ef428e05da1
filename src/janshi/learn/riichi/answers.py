"""Networks that answer positions during play: compiled for a few batch sizes, each replayed as a CUDA graph.

A GPU finishes a small network faster than the host can launch its hundred kernels. So batches are padded to one of a
few sizes; each size is compiled once, recorded, and from then on started by a single call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import torch
from torch import Tensor

from janshi.learn.device import Replayed
from janshi.learn.riichi.networks import forward_on

SIZES: Final = (1024, 2048, 3072, 4096)
"""Batch sizes on a GPU."""
Read = Callable[[Any], tuple[Tensor, ...]]
"""Selects the needed outputs of a network; the rest need not be computed."""


def policy_of(out: Any) -> tuple[Tensor]:
    """Selects the logits of a policy network."""
    return (out.policy,)


class Answers:
    """A network that answers any number of positions; in half precision on a GPU."""

    def __init__(self, net: Callable[..., Any], device: torch.device, compiled: bool, read: Read = policy_of) -> None:
        """`compiled` is whether to compile and record the network on a GPU."""
        self._device, self._net, self._read, self._recorded = device, net, read, compiled
        self._forward = forward_on(device, self._asked, compiled)
        self._sizes: dict[int, _Size] = {}

    def _asked(self, inputs: Tensor, drawn: Tensor) -> tuple[Tensor, ...]:
        return self._read(self._net(inputs.long(), drawn.long()))

    @torch.no_grad()
    def __call__(self, inputs: Tensor, drawn: Tensor) -> tuple[Tensor, ...]:
        """Maps inputs int16 (n, ROOM) and drawn tiles int16 (n,) to the selected outputs, (n, …) each."""
        if self._device.type != "cuda":
            return tuple(self._forward(inputs, drawn))
        starts = range(0, len(drawn), SIZES[-1])
        parts = [self._sized(inputs[a : a + SIZES[-1]], drawn[a : a + SIZES[-1]]) for a in starts]
        return tuple(torch.cat(columns) for columns in zip(*parts))

    def _sized(self, inputs: Tensor, drawn: Tensor) -> tuple[Tensor, ...]:
        size = next(size for size in SIZES if size >= len(drawn))
        if size not in self._sizes:
            self._sizes[size] = _Size(self._forward, size, inputs, drawn, self._recorded)
        return self._sizes[size](inputs, drawn)


class _Size:
    """A network for one batch size on a GPU: fixed tensors that the recorded work reads and writes."""

    def __init__(self, forward: Any, size: int, inputs: Tensor, drawn: Tensor, recorded: bool) -> None:
        self._forward = forward
        self._inputs, self._drawn = inputs.new_zeros(size, inputs.shape[1]), drawn.new_zeros(size)
        self._out: tuple[Tensor, ...] = ()
        self._work = Replayed(self._answer, None, recorded)

    def _answer(self) -> None:
        with torch.autocast("cuda", torch.bfloat16, cache_enabled=False):
            self._out = self._forward(self._inputs, self._drawn)

    def __call__(self, inputs: Tensor, drawn: Tensor) -> tuple[Tensor, ...]:
        n = len(drawn)
        self._inputs[:n], self._drawn[:n] = inputs, drawn
        self._work()
        return tuple(one[:n].clone() for one in self._out)
