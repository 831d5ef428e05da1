"""The winning tile model: which kinds a tenpai opponent could win on (Mizukami & Tsuruoka 2015).

There is a logistic regression for each of the 34 kinds; the suits share their weights, and so do mirrored ranks. Kinds
that furiten rules out have probability exactly zero: the opponent's own discards, and tiles passed since riichi or
since the opponent's last discard. The tile that a view reacts to counts as passed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.tiles import NUM_KINDS
from janshi.features.opponent import new_reading, read_opponent, read_table
from janshi.features.winning_tile import LAYOUT, MOST, VERSION, list_winning
from janshi.models.labels import OPPONENTS
from janshi.models.linear import logistic, margin
from janshi.models.store import load
from janshi.rules.riichi.state import PLAYERS

NAME: Final = "winning_tile"


class WinningTileModel:
    """Probabilities that opponents, if tenpai, win on a kind."""

    def __init__(self, weights: npt.NDArray[np.float32], card: dict[str, Any] | None = None) -> None:
        self.weights = weights
        self.card = card or {}

    @classmethod
    def load(cls, path: Path | None = None) -> Self:
        """Read weights: the shipped ones, or those in a file."""
        arrays, card = load(NAME, path, VERSION, LAYOUT.size)
        return cls(arrays["weights"], card)

    def predict(self, views: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
        """The chance that each opponent, if tenpai, could win on each kind, float32[m, 3, 34]."""
        out = np.zeros((len(views), OPPONENTS, NUM_KINDS), np.float32)
        predict_all(views, self.weights, new_reading(), np.zeros(MOST, np.int32), out)
        return out


@kernel
def predict_all(views: Any, weights: Any, reading: Any, features: Any, out: Any) -> None:
    """Write the probabilities of many views."""
    for i in range(len(views)):
        predict(views[i], weights, reading[0], features, out[i])


@kernel
def predict(v: Any, weights: Any, r: Any, features: Any, out: Any) -> None:
    """Write one view's probabilities into `out`, float32[3, 34]; `r` (a reading) and `features` are scratch."""
    read_table(v, r)
    for player in range(1, PLAYERS):
        read_opponent(v, player, r)
        of_opponent(v, player, weights, r, features, out[player - 1])


@kernel
def of_opponent(v: Any, player: int, weights: Any, r: Any, features: Any, out: Any) -> None:
    """Write the probabilities of one opponent, given their reading, into `out`, float32[34]."""
    for kind in range(NUM_KINDS):
        if (int(r.safe) >> kind) & 1:
            out[kind] = 0.0
        else:
            out[kind] = logistic(margin(features, list_winning(v, player, kind, r, features), weights))
