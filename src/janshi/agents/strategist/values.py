"""The worth of options: a small network over the numbers about them. Runs without PyTorch.

Two hidden layers and one output, in points of the hand, the same for all options of a decision but for an unknown
constant: only differences within a decision mean anything. One row is computed at a time, in a kernel, so that an
answer does not depend on the other decisions of a batch.
"""

from __future__ import annotations

import json
import zipfile
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from janshi.core._jit import kernel
from janshi.models.store import CARD, FOLDER, ModelError, save
from janshi.rules.game import Array

FORMAT: Final = "option values 1"
LAYERS: Final = ("first", "second", "last")


def shipped_file(family: str) -> Path:
    """The shipped values of a family of rules."""
    return FOLDER / f"strategist-{family}.npz"


class Network(NamedTuple):
    """The network's arrays, float32; weights are inputs × outputs."""

    centre: Array
    scale: Array
    first: Array
    first_bias: Array
    second: Array
    second_bias: Array
    last: Array
    last_bias: Array


class OptionValues:
    """The network of a file."""

    def __init__(self, weights: dict[str, Array], card: dict[str, Any]) -> None:
        """`weights`: `centre`, `spread`, and for each layer its `weight` (inputs × outputs) and `bias`."""
        self.card = card
        w = {name: np.ascontiguousarray(value, np.float32) for name, value in weights.items()}
        layers = [w[f"{layer}.{part}"] for layer in LAYERS for part in ("weight", "bias")]
        self._arrays = Network(w["centre"], 1 / w["spread"], *layers)

    def __call__(self, rows: Array) -> Array:
        """The worth of each row, float32[k]."""
        out = np.zeros(len(rows), np.float32)
        evaluate(rows, self._arrays, out)
        return out


@kernel
def evaluate(rows: Array, net: Network, out: Array) -> None:
    """Evaluate the network row by row."""
    x = np.zeros(len(net.centre), np.float32)
    one, two = np.zeros(len(net.first_bias), np.float32), np.zeros(len(net.second_bias), np.float32)
    for n in range(len(rows)):
        for i in range(len(x)):
            x[i] = (rows[n, i] - net.centre[i]) * net.scale[i]
        layer(x, net.first, net.first_bias, one)
        layer(one, net.second, net.second_bias, two)
        total = net.last_bias[0]
        for i in range(len(two)):
            total += two[i] * net.last[i, 0]
        out[n] = total


@kernel
def layer(x: Array, weight: Array, bias: Array, out: Array) -> None:
    """A layer of rectified units."""
    for j in range(len(bias)):
        out[j] = bias[j]
    for i in range(len(x)):
        if x[i] != 0:
            for j in range(len(bias)):
                out[j] += x[i] * weight[i, j]
    for j in range(len(bias)):
        out[j] = max(out[j], np.float32(0))


def write_values(path: Path, weights: dict[str, Array], card: dict[str, Any]) -> None:
    """Write weights with a card: it must name the rules and the version of the options."""
    save(path, {name: value.astype(np.float32) for name, value in weights.items()}, {**card, "format": FORMAT})


def read_values(path: Path, version: str) -> OptionValues:
    """The values of a file, made for this version of the options; raises `ModelError`."""
    stamp = path.stat().st_mtime_ns if path.is_file() else 0
    values = _read(path, stamp)
    if values.card["options"] != version:
        found = values.card["options"]
        raise ModelError(f"{path} was trained on {found}; these rules have {version}: train it again")
    return values


@lru_cache(maxsize=8)
def _read(path: Path, stamp: int) -> OptionValues:
    """A file's values, cached until it changes."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            card = json.loads(stored[CARD].tobytes())
            weights = {name: stored[name] for name in stored.files if name != CARD}
    except FileNotFoundError:
        raise ModelError(f"there are no values of options at {path}") from None
    except (KeyError, ValueError, OSError, zipfile.BadZipFile) as wrong:
        raise ModelError(f"{path} holds no values of options") from wrong
    if card.get("format") != FORMAT:
        raise ModelError(f"{path} has the format {card.get('format')!r}; expected {FORMAT!r}")
    return OptionValues(weights, card)
