"""From lists of active inputs to a network's first tokens.

A section's channels are padded to a multiple of eight, because GPUs are slow for matrices of other widths. Weights are
not padded; the added channels are always zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from janshi.features.riichi.layout import Section

ALIGNED: Final = 8


class Span(NamedTuple):
    """The range of a section's channels among the expanded ones, in plain numbers, which a compiled network needs."""

    first: int
    tokens: int
    width: int
    """Channels of each token, padding included."""

    @property
    def end(self) -> int:
        """The channel after the last."""
        return self.first + self.tokens * self.width


def spans_of(sections: Sequence[Section]) -> tuple[Span, ...]:
    """The spans of all sections, one after another."""
    spans, first = [], 0
    for section in sections:
        spans.append(Span(first, section.tokens, aligned(section.width)))
        first = spans[-1].end
    return tuple(spans)


def aligned(size: int) -> int:
    """The next multiple of eight."""
    return -(-size // ALIGNED) * ALIGNED


def channels_of(sections: Sequence[Section]) -> Tensor:
    """The expanded channel of each input, int64 (INPUTS + 1,). The last entry, for "no input", is a spare channel."""
    spans = spans_of(sections)
    parts = [
        span.first + np.arange(section.tokens)[:, None] * span.width + np.arange(section.width)
        for section, span in zip(sections, spans)
    ]
    return torch.from_numpy(np.concatenate([part.ravel() for part in parts] + [[spans[-1].end]]))


def expanded(
    inputs: Tensor, channels: Tensor, spans: Sequence[Span], strengths: Tensor | float, dtype: torch.dtype
) -> Tensor:
    """Active inputs (B, ROOM) as zeros and strengths, (B, all channels and some spare ones)."""
    active = torch.zeros(len(inputs), spans[-1].end + ALIGNED, dtype=dtype, device=inputs.device)
    return active.scatter_(1, channels[inputs], strengths)


def section_tokens(active: Tensor, span: Span, layer: nn.Linear) -> Tensor:
    """The tokens of one section, (B, tokens, D)."""
    part = active[:, span.first : span.end].reshape(len(active), span.tokens, span.width)
    return F.linear(part, F.pad(layer.weight, (0, span.width - layer.weight.shape[1])))


def first_tokens(active: Tensor, spans: Sequence[Span], layers: Iterable[nn.Linear]) -> Tensor:
    """The tokens of all sections, (B, T, D)."""
    return torch.cat([section_tokens(active, span, layer) for span, layer in zip(spans, layers)], 1)


def number_type(device: torch.device) -> torch.dtype:
    """The dtype of expanded inputs: half precision if products use it."""
    return torch.bfloat16 if torch.is_autocast_enabled(device.type) else torch.float32
