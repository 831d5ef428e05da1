"""The hand score model: what dealing a kind into an opponent would cost (Mizukami & Tsuruoka 2015).

There are two linear models over the same features. The paper's fits the natural logarithm of the payment by least
squares. Expected points do not follow from it (the mean of logarithms is not the logarithm of the mean), so a
multi-class logistic regression predicts a distribution over classes of payments, from 1,000 points to yakuman, 1.5
times as much for a dealer. Payments are those of a ron, without honba and sticks.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.tiles import NUM_KINDS
from janshi.features.hand_score import LAYOUT, MOST, VERSION, list_kind, list_opponent
from janshi.features.opponent import new_reading, read_opponent, read_table
from janshi.models.labels import OPPONENTS
from janshi.models.linear import add_margins, copy_row, margin, softmax
from janshi.models.store import load
from janshi.rules.riichi.state import PLAYERS

NAME: Final = "hand_score"
BOUNDS: Final = (1100, 1700, 2100, 2700, 3500, 4200, 5500, 6900, 7800, 9000, 14000, 20000, 28000)
"""Upper ends of the classes of payments to non-dealers; to a dealer they are 1.5 times as much."""
CLASSES: Final = len(BOUNDS) + 1


def class_of(payments: npt.NDArray[Any], dealer: npt.NDArray[np.bool_]) -> npt.NDArray[np.int32]:
    """The class of payments to dealers or non-dealers."""
    alike = np.where(dealer, payments / 1.5, payments)
    return np.searchsorted(np.array(BOUNDS), alike).astype(np.int32)


class HandScoreModel:
    """Payments to opponents, if they win on a kind."""

    def __init__(
        self,
        weights: npt.NDArray[np.float32],
        class_weights: npt.NDArray[np.float32],
        worth: npt.NDArray[np.float32],
        card: dict[str, Any] | None = None,
    ) -> None:
        self.weights = weights
        """Of the logarithm, float32[size]."""
        self.class_weights = class_weights
        """Of the classes, float32[size, CLASSES]."""
        self.worth = worth
        """Mean payment of each class to a non-dealer and a dealer, float32[2, CLASSES]."""
        self.card = card or {}

    @classmethod
    def load(cls, path: Path | None = None) -> Self:
        """Read weights: the shipped ones, or those in a file."""
        arrays, card = load(NAME, path, VERSION, LAYOUT.size)
        return cls(arrays["weights"], arrays["class_weights"].astype(np.float32), arrays["worth"], card)

    def predict(self, views: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
        """Expected payment to each opponent who wins on each kind, float32[m, 3, 34]."""
        out = np.zeros((len(views), OPPONENTS, NUM_KINDS), np.float32)
        classes = np.zeros((2, CLASSES), np.float32)
        predict_all(views, self.class_weights, self.worth, new_reading(), np.zeros(MOST, np.int32), classes, out)
        return out

    def distribution(self, views: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
        """The probability of each class of payment, float32[m, 3, 34, CLASSES]; `worth` has their points."""
        out = np.zeros((len(views), OPPONENTS, NUM_KINDS, CLASSES), np.float32)
        _distributions(views, self.class_weights, new_reading(), np.zeros(MOST, np.int32), out)
        return out

    def log_payment(self, views: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
        """The expected natural logarithm of the payment, float32[m, 3, 34]: the paper's model."""
        out = np.zeros((len(views), OPPONENTS, NUM_KINDS), np.float32)
        _logarithms(views, self.weights, new_reading(), np.zeros(MOST, np.int32), out)
        return out


@kernel
def predict_all(views: Any, weights: Any, worth: Any, reading: Any, features: Any, classes: Any, out: Any) -> None:
    """Write the expected payments of many views."""
    for i in range(len(views)):
        predict(views[i], weights, worth, reading[0], features, classes, out[i])


@kernel
def predict(v: Any, weights: Any, worth: Any, r: Any, features: Any, classes: Any, out: Any) -> None:
    """Write one view's expected payments into `out`, float32[3, 34].

    `r` (a reading), `features` int32[MOST] and `classes` float32[2, CLASSES] are scratch.
    """
    read_table(v, r)
    for player in range(1, PLAYERS):
        read_opponent(v, player, r)
        of_opponent(v, player, weights, worth, r, features, classes, out[player - 1])


@kernel
def of_opponent(v: Any, player: int, weights: Any, worth: Any, r: Any, features: Any, classes: Any, out: Any) -> None:
    """Write the expected payments to one opponent, given their reading, into `out`, float32[34]."""
    dealer = int(r.dealer)
    count = list_opponent(v, player, r, features)
    shared, own = classes[0], classes[1]
    shared[:] = 0
    add_margins(features, 0, count, weights, shared)
    for kind in range(NUM_KINDS):
        if (int(r.safe) >> kind) & 1:
            out[kind] = 0.0
            continue
        copy_row(shared, own)
        add_margins(features, count, list_kind(v, player, kind, r, features, count), weights, own)
        softmax(own)
        expected = np.float32(0)
        for j in range(len(own)):
            expected += own[j] * worth[dealer, j]
        out[kind] = expected


@kernel
def _distributions(views: Any, weights: Any, reading: Any, features: Any, out: Any) -> None:
    """Write the probabilities of the classes for many views."""
    r = reading[0]
    for i in range(len(views)):
        read_table(views[i], r)
        for player in range(1, PLAYERS):
            read_opponent(views[i], player, r)
            count = list_opponent(views[i], player, r, features)
            for kind in range(NUM_KINDS):
                own = out[i, player - 1, kind]
                end = list_kind(views[i], player, kind, r, features, count)
                add_margins(features, 0, end, weights, own)
                softmax(own)


@kernel
def _logarithms(views: Any, weights: Any, reading: Any, features: Any, out: Any) -> None:
    """Write the expected logarithms of payments for many views."""
    r = reading[0]
    for i in range(len(views)):
        read_table(views[i], r)
        for player in range(1, PLAYERS):
            read_opponent(views[i], player, r)
            count = list_opponent(views[i], player, r, features)
            for kind in range(NUM_KINDS):
                end = list_kind(views[i], player, kind, r, features, count)
                out[i, player - 1, kind] = margin(features, end, weights)
