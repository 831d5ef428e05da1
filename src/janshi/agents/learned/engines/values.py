"""Values of choices in NumPy: one extra block on top of the network, with its own last layers."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.agents.learned.engines import Array
from janshi.agents.learned.engines.blocks import Blocks, normed
from janshi.agents.learned.engines.numpy import first_tokens, input_weights
from janshi.core.blas import one_blas_thread
from janshi.core.tiles import NUM_KINDS

CHOICES: Final = "choices."
"""Prefix of the arrays for the values of choices; a network trained only by imitation has none."""


def has_values(arrays: dict[str, Array]) -> bool:
    """Whether a network puts values on choices."""
    return f"{CHOICES}last" in arrays


class ValueEngine:
    """Computes the values of choices, with separate products for each position. Not thread-safe."""

    def __init__(self, arrays: dict[str, Array], card: dict[str, Any]) -> None:
        own = {name.removeprefix(CHOICES): array for name, array in arrays.items() if name.startswith(CHOICES)}
        count = int(card["config"]["blocks"])
        top = {f"{name}.{count}": array for name, array in own.items()}
        self._blocks = Blocks({**arrays, **top}, count + 1, int(card["config"]["heads"]))
        self._place, self._weights = arrays["place"], input_weights(arrays)
        names = ("tile", "question", "game")
        self._outputs = [np.ascontiguousarray(own["last"][:, None] * own[f"{name}_out"]) for name in names]
        self._biases = [own[f"{name}_out_bias"] for name in names]

    @one_blas_thread
    def scores(self, packed: Array) -> tuple[Array, Array, Array]:
        """Values of tile actions, of other actions, and of the position; the caller adds them."""
        x = first_tokens(packed, self._place, self._weights)
        self._blocks.apply(x)
        x = normed(x)
        parts = (x[:, :NUM_KINDS], x[:, -1:], x[:, -2:-1])
        tiles, question, value = (
            part @ weights + bias for part, weights, bias in zip(parts, self._outputs, self._biases)
        )
        return tiles, question[:, 0], value[:, 0]
