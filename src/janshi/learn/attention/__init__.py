"""Attention between a few dozen tokens with a learned bias for each pair of positions.

On a GPU in half precision, the forward and the backward pass are one Triton kernel each: the scores of one example fit
into a multiprocessor's registers, so they never reach memory. Elsewhere it is computed in separate products, which are
also the reference for the kernels.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import torch
from torch import Tensor

HALVES: Final = (torch.bfloat16, torch.float16)
TOGETHER: Final = 64
"""Examples that one kernel program processes, one after another."""
FEW: Final = 16
"""The same for the forward pass of a small batch, so that all multiprocessors have work."""
MANY: Final = 4096
"""Batch size from which all multiprocessors have work anyway."""


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
    """The module with the compiled kernels, or None if Triton is not installed."""
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
    """Gradients of `attend` with respect to `mixed` and `places`, from the gradient of its result."""
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
