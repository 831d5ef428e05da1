"""The network in NumPy and kernels."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.agents.learned.engines import Array, Scores
from janshi.agents.learned.engines.blocks import Blocks, normed
from janshi.core._jit import kernel
from janshi.core.blas import one_blas_thread
from janshi.core.tiles import NUM_KINDS
from janshi.features.riichi import layout as at
from janshi.rules.riichi.state import PLAYERS

SECTIONS: Final = ("tile", "player", "game", "question")


class NumpyEngine:
    """Computes the network on one core. Answers do not depend on the batch, to the last bit. Not thread-safe."""

    def __init__(self, arrays: dict[str, Array], card: dict[str, Any]) -> None:
        self._place = arrays["place"]
        self._weights = input_weights(arrays)
        self._blocks = Blocks(arrays, int(card["config"]["blocks"]), int(card["config"]["heads"]))
        self._outputs = [np.ascontiguousarray(arrays["last"][:, None] * arrays[f"{name}_out"]) for name in SECTIONS]
        self._biases = [arrays[f"{name}_out_bias"] for name in SECTIONS]

    @one_blas_thread
    def scores(self, packed: Array) -> Scores:
        """The network's numbers for packed positions."""
        x = first_tokens(packed, self._place, self._weights)
        self._blocks.apply(x)
        x = normed(x)
        parts = (x[:, :NUM_KINDS], x[:, NUM_KINDS : NUM_KINDS + PLAYERS], x[:, -2:-1], x[:, -1:])
        tiles, players, game, question = (
            part @ weights + bias for part, weights, bias in zip(parts, self._outputs, self._biases)
        )
        return Scores(tiles, players, game[:, 0], question[:, 0])


def input_weights(arrays: dict[str, Array]) -> Array:
    """The weights of all channels of all sections, one after another, (channels, D)."""
    return np.concatenate([arrays[f"{name}_in"] for name in SECTIONS])


def first_tokens(packed: Array, place: Array, weights: Array) -> Array:
    """The tokens of positions before the first block, float32[m, T, D]."""
    x = np.repeat(place[None], len(packed), 0)
    add_inputs(packed["inputs"], packed["count"], weights, x)
    return x


TILE_INPUTS: Final = at.TILE_SECTION.end
TILE_WIDTH: Final = at.TILE_SECTION.width
PLAYER_INPUTS: Final = at.PLAYER_SECTION.end
PLAYER_WIDTH: Final = at.PLAYER_SECTION.width
GAME_INPUTS: Final = at.GAME_SECTION.end
GAME_WIDTH: Final = at.GAME_SECTION.width


@kernel
def add_inputs(inputs: Any, counts: Any, weights: Any, x: Any) -> None:
    """Add the weights of the active inputs to their tokens; `weights` holds those of all sections."""
    for p in range(len(inputs)):
        for i in range(int(counts[p])):
            number = int(inputs[p, i])
            if number < TILE_INPUTS:
                token, row = number // TILE_WIDTH, number % TILE_WIDTH
            elif number < PLAYER_INPUTS:
                rest = number - TILE_INPUTS
                token, row = NUM_KINDS + rest // PLAYER_WIDTH, TILE_WIDTH + rest % PLAYER_WIDTH
            elif number < GAME_INPUTS:
                token, row = NUM_KINDS + PLAYERS, TILE_WIDTH + PLAYER_WIDTH + number - PLAYER_INPUTS
            else:
                token = NUM_KINDS + PLAYERS + 1
                row = TILE_WIDTH + PLAYER_WIDTH + GAME_WIDTH + number - GAME_INPUTS
            added, weight = x[p, token], weights[row]
            for d in range(len(weight)):
                added[d] += weight[d]
