"""The waiting model: the chance that each opponent is tenpai (Mizukami & Tsuruoka 2015: logistic regression).

>>> from janshi.models.waiting import WaitingModel
>>> model = WaitingModel.load()
>>> model.weights.dtype
dtype('float32')
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.features.opponent import RIICHI_STANCE, new_reading, read_opponent, read_table
from janshi.features.waiting import LAYOUT, MOST, VERSION, list_waiting
from janshi.models.labels import OPPONENTS
from janshi.models.linear import logistic, margin
from janshi.models.store import load
from janshi.rules.riichi.state import PLAYERS

NAME: Final = "waiting"


class WaitingModel:
    """Probabilities that opponents are tenpai."""

    def __init__(self, weights: npt.NDArray[np.float32], card: dict[str, Any] | None = None) -> None:
        self.weights = weights
        self.card = card or {}

    @classmethod
    def load(cls, path: Path | None = None) -> Self:
        """Read weights: the shipped ones, or those in a file."""
        arrays, card = load(NAME, path, VERSION, LAYOUT.size)
        return cls(arrays["weights"], card)

    def predict(self, views: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
        """The chance that each opponent, in turn order, is tenpai, float32[m, 3]; 1 in riichi."""
        out = np.zeros((len(views), OPPONENTS), np.float32)
        predict_all(views, self.weights, new_reading(), np.zeros(MOST, np.int32), out)
        return out


@kernel
def predict_all(views: Any, weights: Any, reading: Any, features: Any, out: Any) -> None:
    """Write the probabilities of many views."""
    for i in range(len(views)):
        predict(views[i], weights, reading[0], features, out[i])


@kernel
def predict(v: Any, weights: Any, r: Any, features: Any, out: Any) -> None:
    """Write one view's probabilities into `out`, float32[3]; `r` (a reading) and `features` int32[MOST] are scratch."""
    read_table(v, r)
    for player in range(1, PLAYERS):
        read_opponent(v, player, r)
        out[player - 1] = of_opponent(v, player, weights, r, features)


@kernel
def of_opponent(v: Any, player: int, weights: Any, r: Any, features: Any) -> float:
    """How likely one opponent, given their reading, is tenpai."""
    if r.stance == RIICHI_STANCE:
        return 1.0
    return logistic(margin(features, list_waiting(v, player, r, features), weights))
