"""Attention between a few dozen tokens with a learned bias for each pair of places.

On a GPU in half precision it is one kernel forwards and one backwards (Triton): a position's scores fit into a
multiprocessor's registers, so they never reach memory. Elsewhere it is written out in separate products, which is also
the reference for the kernels.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import torch
from torch import Tensor

HALVES: Final = (torch.bfloat16, torch.float16)
TOGETHER: Final = 64
"""Positions that one program of the kernels works through, one after another."""
FEW: Final = 16
"""The same forwards where there are few positions, so that all multiprocessors have work."""
MANY: Final = 4096
"""Positions from which on there is work for all multiprocessors anyway."""


def attend(mixed: Tensor, places: Tensor) -> Tensor:
    """Attention from queries, keys and values (B, T, 3 * W), and biases (H, T, T), to (B, T, W)."""
    if mixed.is_cuda and mixed.dtype in HALVES and kernels() is not None:
        return torch.ops.janshi.attend(mixed.contiguous(), places.contiguous())
    return attend_in_steps(mixed, places)


def attend_in_steps(mixed: Tensor, places: Tensor) -> Tensor:
    """The same in separate products."""
    b, t, width = mixed.shape
    heads = len(places)
    q, k, v = mixed.view(b, t, 3, heads, -1).permute(2, 0, 3, 1, 4)  # (B, H, T, D) each
    scores = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5 + places.to(q.dtype)  # (B, H, T, T)
    attended = scores.float().softmax(-1).to(v.dtype) @ v
    return attended.transpose(1, 2).reshape(b, t, width // 3)


@cache
def kernels() -> Any:
    """The compiled kernels' module, or None where Triton is not installed."""
    try:
        from janshi.learn.attention import gpu
    except ImportError:
        return None
    return gpu


@torch.library.custom_op("janshi::attend", mutates_args=())
def attend_at_once(mixed: Tensor, places: Tensor) -> Tensor:
    """`attend` by the forward kernel."""
    b, t, width = mixed.shape
    out = mixed.new_empty(b, t, width // 3)
    kernels().forward(mixed, places, out, TOGETHER if b >= MANY else FEW)
    return out


@torch.library.custom_op("janshi::attend_back", mutates_args=())
def attend_back(mixed: Tensor, places: Tensor, lost: Tensor) -> tuple[Tensor, Tensor]:
    """Gradients of `attend`, from the gradient of its result: those of `mixed` and of `places`."""
    found = torch.empty_like(mixed)
    parts = places.new_empty(-(-len(mixed) // TOGETHER), *places.shape, dtype=torch.float32)
    kernels().backward(mixed, places, lost, found, parts, TOGETHER)
    return found, parts.sum(0).to(places.dtype)


@attend_at_once.register_fake
def _(mixed: Tensor, places: Tensor) -> Tensor:
    b, t, width = mixed.shape
    return mixed.new_empty(b, t, width // 3)


@attend_back.register_fake
def _(mixed: Tensor, places: Tensor, lost: Tensor) -> tuple[Tensor, Tensor]:
    return torch.empty_like(mixed), torch.empty_like(places)


def _keep(ctx: Any, inputs: tuple[Tensor, Tensor], output: Tensor) -> None:
    ctx.save_for_backward(*inputs)


def _back(ctx: Any, lost: Tensor) -> tuple[Tensor, Tensor]:
    return torch.ops.janshi.attend_back(*ctx.saved_tensors, lost.contiguous())


attend_at_once.register_autograd(_back, setup_context=_keep)
