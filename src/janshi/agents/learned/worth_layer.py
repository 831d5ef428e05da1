"""What choices are worth, learned by self-play: a second last layer for the policy of the apprentice's network.

The apprentice's last layer says how often experts choose an action. This one reads the same tokens and says what an
action is worth, in places of the final rank: its logit, times the worth of a logit, times the usual size of gains in
the position. `janshi.learn.riichi.improvement` fits it. One evaluation of the network gives both layers, whichever
engine computes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from janshi.agents.learned.engines import Array, Scores
from janshi.agents.learned.network import read_arrays
from janshi.models.store import ModelError, save

FORMAT: Final = "riichi worth layer 1"
SMALLEST: Final = 0.01
"""Smallest usual size of gains, in places."""
LONGEST: Final = 60.0
"""Largest logarithm of a squared size, against overflow."""
OWN: Final = {"tile": "tile", "question": "question", "size": "game"}
"""The arrays of the layer, and the sections of the network whose tokens they read."""


class WorthScores(NamedTuple):
    """The layer's outputs for some positions, by kind of tile and for the other actions; float32."""

    tiles: Array
    """[m, 34, 6]: logits of the actions of each kind of tile."""
    question: Array
    """[m, 14]: logits of the other actions."""
    unit: Array
    """[m]: places per logit."""


@dataclass(frozen=True)
class WorthLayer:
    """The layer's weights. The last row of each array is the bias."""

    tile: Array
    """float32[D + 1, 6]."""
    question: Array
    """float32[D + 1, 14]."""
    size: Array
    """float32[D + 1, 1]: the logarithm of the squared usual size."""
    card: dict[str, Any]
    """`network`: the digest of the network's file; `worth of a logit`, in usual sizes; how the layer was found."""

    @property
    def network(self) -> str:
        """The digest of the network that the layer belongs to."""
        return str(self.card["network"])

    def extended(self, arrays: dict[str, Array]) -> dict[str, Array]:
        """A network's arrays with further outputs for this layer."""
        out = dict(arrays)
        for own, section in OWN.items():
            layer = getattr(self, own)
            out[f"{section}_out"] = np.concatenate([arrays[f"{section}_out"], layer[:-1]], 1)
            out[f"{section}_out_bias"] = np.concatenate([arrays[f"{section}_out_bias"], layer[-1]])
        return out

    def split(self, scores: Scores) -> tuple[Scores, WorthScores]:
        """The outputs of an extended network: the network's own, and this layer's."""
        tiles, question, game = scores.tiles, scores.question, scores.game
        own = [width - getattr(self, name).shape[1] for name, width in zip(OWN, widths_of(tiles, question, game))]
        size = np.exp(0.5 * np.minimum(game[:, own[2]], LONGEST))
        unit = np.float32(self.card["worth of a logit"]) * np.maximum(size, np.float32(SMALLEST))
        plain = scores._replace(tiles=tiles[..., : own[0]], question=question[:, : own[1]], game=game[:, : own[2]])
        return plain, WorthScores(tiles[..., own[0] :], question[:, own[1] :], unit)

    def save(self, path: Path) -> None:
        """Write the layer in half precision."""
        arrays = {name: getattr(self, name).astype(np.float16) for name in OWN}
        save(path, arrays, {**self.card, "format": FORMAT})


def widths_of(*arrays: Array) -> list[int]:
    """The sizes of the last axes."""
    return [array.shape[-1] for array in arrays]


def read_layer(path: Path) -> WorthLayer:
    """Read a layer's file."""
    arrays, card = read_arrays(path, "layer", exporter="policy iteration")
    if card.get("format") != FORMAT:
        raise ModelError(f"{path} has the format {card.get('format')!r}; this version reads {FORMAT!r}")
    return WorthLayer(arrays["tile"], arrays["question"], arrays["size"], card)
