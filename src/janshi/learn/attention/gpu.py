"""Attention as two Triton kernels, for a GPU.

A program owns one head and some examples. It holds an example's queries, keys, values and scores in registers; tokens
are padded to a power of two, with biases of minus infinity for the padding. The backward kernel recomputes the scores
and sums the gradient of the biases over its examples.
"""

# mypy: ignore-errors

from __future__ import annotations

import torch
import triton
import triton.language as tl


@triton.jit
def _bias(places, head, rows, columns, T: tl.constexpr):
    """Biases of a head, (P, P): minus infinity for padding."""
    inside = (rows[:, None] < T) & (columns[None, :] < T)
    bias = tl.load(places + head * T * T + rows[:, None] * T + columns[None, :], mask=inside, other=0.0)
    return tl.where(columns[None, :] < T, bias.to(tl.float32), float("-inf"))


@triton.jit
def _shares(q, k, bias, scale):
    """Attention weights of each token over all tokens, (P, P)."""
    scores = tl.dot(q, tl.trans(k)) * scale + bias
    odds = tl.exp(scores - tl.max(scores, 1)[:, None])
    return odds / tl.sum(odds, 1)[:, None]


@triton.jit
def _forward(
    mixed,
    places,
    out,
    positions,
    scale,
    T: tl.constexpr,
    W: tl.constexpr,
    D: tl.constexpr,
    P: tl.constexpr,
    TOGETHER: tl.constexpr,
):
    first, head = tl.program_id(0) * TOGETHER, tl.program_id(1)
    rows, columns, width = tl.arange(0, P), tl.arange(0, P), tl.arange(0, D)
    here = (rows < T)[:, None]
    bias = _bias(places, head, rows, columns, T)
    for i in range(TOGETHER):
        if first + i < positions:
            at = (first + i).to(tl.int64) * T * 3 * W + rows[:, None] * 3 * W + head * D + width[None, :]
            q = tl.load(mixed + at, mask=here, other=0.0)
            k = tl.load(mixed + at + W, mask=here, other=0.0)
            v = tl.load(mixed + at + 2 * W, mask=here, other=0.0)
            attended = tl.dot(_shares(q, k, bias, scale).to(v.dtype), v)
            to = (first + i).to(tl.int64) * T * W + rows[:, None] * W + head * D + width[None, :]
            tl.store(out + to, attended.to(v.dtype), mask=here)


@triton.jit
def _backward(
    mixed,
    places,
    lost,
    found,
    parts,
    positions,
    scale,
    T: tl.constexpr,
    W: tl.constexpr,
    D: tl.constexpr,
    P: tl.constexpr,
    TOGETHER: tl.constexpr,
):
    first, head = tl.program_id(0) * TOGETHER, tl.program_id(1)
    rows, columns, width = tl.arange(0, P), tl.arange(0, P), tl.arange(0, D)
    here = (rows < T)[:, None]
    bias = _bias(places, head, rows, columns, T)
    total = tl.zeros((P, P), tl.float32)
    for i in range(TOGETHER):
        if first + i < positions:
            at = (first + i).to(tl.int64) * T * 3 * W + rows[:, None] * 3 * W + head * D + width[None, :]
            q = tl.load(mixed + at, mask=here, other=0.0)
            k = tl.load(mixed + at + W, mask=here, other=0.0)
            v = tl.load(mixed + at + 2 * W, mask=here, other=0.0)
            to = (first + i).to(tl.int64) * T * W + rows[:, None] * W + head * D + width[None, :]
            g = tl.load(lost + to, mask=here, other=0.0)
            shares = _shares(q, k, bias, scale)
            wanted = tl.dot(g, tl.trans(v))
            steps = shares * (wanted - tl.sum(shares * wanted, 1)[:, None])  # (P, P), of the scores
            total += steps
            small = steps.to(q.dtype)
            tl.store(found + at, (tl.dot(small, k) * scale).to(q.dtype), mask=here)
            tl.store(found + at + W, (tl.dot(tl.trans(small), q) * scale).to(q.dtype), mask=here)
            tl.store(found + at + 2 * W, tl.dot(tl.trans(shares.to(g.dtype)), g).to(q.dtype), mask=here)
    inside = (rows[:, None] < T) & (columns[None, :] < T)
    to = (tl.program_id(0) * (W // D) + head) * T * T + rows[:, None] * T + columns[None, :]
    tl.store(parts + to, total, mask=inside)


def _shape(mixed: torch.Tensor, places: torch.Tensor, together: int):
    """Grid, arguments and constants of both kernels."""
    b, t, width = mixed.shape
    heads, width = len(places), width // 3
    size = width // heads
    if size & (size - 1) or size < 16:
        raise ValueError(f"a head needs a power of two of numbers, at least 16, not {size}")
    padded = max(triton.next_power_of_2(t), 16)
    constants = {"T": t, "W": width, "D": size, "P": padded, "TOGETHER": together}
    return (triton.cdiv(b, together), heads), (b, size**-0.5), constants


def forward(mixed: torch.Tensor, places: torch.Tensor, out: torch.Tensor, together: int) -> None:
    """Write attention into `out`."""
    grid, numbers, constants = _shape(mixed, places, together)
    _forward[grid](mixed, places, out, *numbers, **constants)


def backward(
    mixed: torch.Tensor,
    places: torch.Tensor,
    lost: torch.Tensor,
    found: torch.Tensor,
    parts: torch.Tensor,
    together: int,
) -> None:
    """Write the gradient of `mixed` into `found`, and that of `places` into `parts`, one for each group."""
    grid, numbers, constants = _shape(mixed, places, together)
    _backward[grid](mixed, places, lost, found, parts, *numbers, **constants)
