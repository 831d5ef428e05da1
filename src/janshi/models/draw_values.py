"""Values of draws: the worth of each possible tile to every player, in points. Runs without PyTorch.

A small network over prospects (`features/prospects.py`), trained by `learn/prospect_values.py`, gives the value of the
position and the difference that a tile makes, with the same weights for all tiles. The players' values sum to zero.
They are U in the luck of a draw (`docs/luckfree.md`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from janshi.features.prospects import ProspectSet, choices_of, prospects_of, undrawn
from janshi.models.store import CARD, FOLDER, ModelError, save
from janshi.rules.game import Array
from janshi.rules.registry import find_family

FORMAT: Final = 3
DRAWS, ACTIONS = "draws", "actions"
"""Kinds of events."""
PIECE: Final = 2048
"""Draws whose values are computed at once."""
Values = Callable[[Array], Array]
"""U: the worth of each tile to each player in points, float[m, kinds, players], the drawing player first."""


def shipped_file(family: str, events: str = DRAWS) -> Path:
    """The shipped values of draws, or of actions."""
    return FOLDER / f"luckfree-{events}-{family}.npz"


class DrawValues:
    """The network of a file."""

    def __init__(self, weights: Mapping[str, Array], card: Mapping[str, Any], name: str = "") -> None:
        self.card = card
        self.name = f"{name} {card['rules']}, {card['hands']:,} hands"
        self._w, self._scale = weights, np.float32(card["scale"])
        self.players = len(weights["last.bias"])
        self._numbers = len(weights["centre"]) - weights["of_tile.weight"].shape[1]

    @classmethod
    def load(cls, path: Path) -> DrawValues:
        """Read a file; raises `ModelError`."""
        weights, card = read_weights(path)
        return cls(weights, card, path.stem)

    def __call__(self, prospects: Array) -> Array:
        """The worth of each tile to each player in points, the drawing player first: float32[m, kinds, players]."""
        w, n = self._w, self._numbers
        hands = (prospects["players"].reshape(len(prospects), -1) - w["centre"][:n]) / w["spread"][:n]
        tiles = (prospects["tiles"] - w["centre"][n:]) / w["spread"][n:]
        position = self._layer("position_last", _positive(self._layer("of_position", hands)))
        together = _positive(self._layer("of_hands", hands)[:, None] + tiles @ w["of_tile.weight"].T)
        values = position[:, None] + self._layer("last", _positive(self._layer("both", together)))
        return np.asarray((values - values.mean(2, keepdims=True)) / self._scale)

    def _layer(self, name: str, x: Array) -> Array:
        return np.asarray(x @ self._w[f"{name}.weight"].T + self._w[f"{name}.bias"])


def _positive(x: Array) -> Array:
    return np.maximum(x, 0.0)


def luck_and_worth(values: Values, prospects: Array) -> tuple[Array, Array]:
    """The luck of draws, and the worth of the positions before them, in points; the drawing player comes first."""
    luck, worth = [], []
    for a in range(0, len(prospects), PIECE):
        part = prospects[a : a + PIECE]
        counts = undrawn(part).astype(np.float64)
        worths = values(part)
        mean = np.einsum("mk,mkp->mp", counts / counts.sum(1, keepdims=True), worths)
        luck.append(worths[np.arange(len(part)), part["drawn"]] - mean)
        worth.append(mean)
    return np.concatenate(luck), np.concatenate(worth)


def write_weights(path: Path, weights: Mapping[str, Array], card: Mapping[str, Any]) -> None:
    """Write weights in float16 with a card: it must name rules, the prospects' version, width, scale and hands."""
    small = {name: value.astype(np.float16) for name, value in weights.items()}
    save(path, small, {"events": DRAWS, **card, "format": FORMAT})


def read_weights(path: Path) -> tuple[dict[str, Array], dict[str, Any]]:
    """Weights in float32 and the card of a file; raises `ModelError`."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            card = json.loads(stored[CARD].tobytes())
            weights = {name: stored[name].astype(np.float32) for name in stored.files if name != CARD}
    except FileNotFoundError:
        raise ModelError(f"there are no values of draws at {path}") from None
    except (KeyError, ValueError, OSError) as wrong:
        raise ModelError(f"{path} holds no values of draws") from wrong
    if card.get("events") not in (DRAWS, ACTIONS) or card.get("format") != FORMAT:
        found = f"values of {card.get('events')} in format {card.get('format')}"
        raise ModelError(f"{path} holds {found}; expected values of draws or actions in format {FORMAT}")
    known = seen_by(card).version
    if card["prospects"] != known:
        raise ModelError(f"{path} was trained on {card['prospects']}; this version has {known}: train it again")
    return weights, card


def seen_by(card: Mapping[str, Any]) -> ProspectSet:
    """The prospects that values with this card read."""
    family = find_family(card["rules"])
    found = choices_of(family) if card["events"] == ACTIONS else prospects_of(family)
    if found is None:
        raise ModelError(f"{family.name} has no prospects of actions")
    return found
