"""Attention: with the written-out form as reference for the kernels, which need a GPU."""

from __future__ import annotations

import pytest
import torch

from janshi.learn.attention import attend, attend_in_steps, kernels

TOKENS, HEADS, SIZE = 40, 3, 32


def example(positions: int, device: str = "cpu") -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Queries, keys and values; biases; and the gradient of the result."""
    torch.manual_seed(1)
    mixed = torch.randn(positions, TOKENS, 3 * HEADS * SIZE, device=device)
    places = torch.randn(HEADS, TOKENS, TOKENS, device=device)
    return mixed, places, torch.randn(positions, TOKENS, HEADS * SIZE, device=device)


def test_each_token_takes_a_mean_of_values_by_its_scores():
    mixed, places, _ = example(2)
    out = attend(mixed, places).view(2, TOKENS, HEADS, SIZE)
    q, k, v = mixed.view(2, TOKENS, 3, HEADS, SIZE).unbind(2)
    for position, token, head in ((0, 0, 0), (1, 39, 2)):
        scores = (q[position, token, head] * k[position, :, head]).sum(-1) / SIZE**0.5 + places[head, token]
        wanted = (scores.softmax(0)[:, None] * v[position, :, head]).sum(0)
        assert torch.allclose(out[position, token, head], wanted, atol=1e-5)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device here: the kernels need one")
def test_kernels_give_what_the_steps_give():
    assert kernels() is not None
    mixed, places, lost = example(131, "cuda")  # not a whole number of programs
    exact = [one.clone().requires_grad_() for one in (mixed, places)]
    wanted = attend_in_steps(*exact)
    wanted.backward(lost)
    half = [mixed.bfloat16().requires_grad_(), places.clone().requires_grad_()]
    found = attend(*half)
    assert found.dtype == torch.bfloat16
    found.backward(lost.bfloat16())
    pairs = [(found, wanted), *((one.grad, other.grad) for one, other in zip(half, exact))]
    for one, other in pairs:
        assert float((one.float() - other).norm() / other.norm()) < 0.02
