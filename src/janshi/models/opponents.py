"""All three models of opponents together, reading each opponent only once, for players that look ahead.

>>> from janshi.models.opponents import OpponentModels
>>> models = OpponentModels.load()
>>> models.weights.dtype.names
('waiting', 'winning', 'classes', 'worth')
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.tiles import NUM_KINDS
from janshi.features import hand_score as score_features
from janshi.features import waiting as waiting_features
from janshi.features import winning_tile as winning_features
from janshi.features.opponent import new_reading, read_opponent, read_table
from janshi.models import hand_score, waiting, winning_tile
from janshi.models.hand_score import CLASSES, HandScoreModel
from janshi.models.labels import OPPONENTS
from janshi.models.waiting import WaitingModel
from janshi.models.winning_tile import WinningTileModel
from janshi.rules.riichi.state import PLAYERS

OPPONENTS_DTYPE: Final = record_dtype(
    [
        ("waiting", np.float32, (OPPONENTS,)),  # tenpai
        ("winning", np.float32, (OPPONENTS, NUM_KINDS)),  # could win on a kind, if tenpai
        ("payment", np.float32, (OPPONENTS, NUM_KINDS)),  # expected payment, if the kind is won on
    ]
)
"""The models' output for the three opponents of a view."""

WEIGHTS_DTYPE: Final = record_dtype(
    [
        ("waiting", np.float32, (waiting_features.LAYOUT.size,)),
        ("winning", np.float32, (winning_features.LAYOUT.size,)),
        ("classes", np.float32, (score_features.LAYOUT.size, CLASSES)),
        ("worth", np.float32, (2, CLASSES)),
    ]
)
"""The weights of the three models, as kernels take them."""

MOST: Final = max(waiting_features.MOST, winning_features.MOST, score_features.MOST)


class Scratch(NamedTuple):
    """Scratch space of the kernels. Not shared between threads."""

    reading: Any  # READING_DTYPE[1]
    features: Any  # int32[MOST]
    classes: Any  # float32[2, CLASSES]


def new_scratch() -> Scratch:
    """Make scratch space for `predict`."""
    return Scratch(new_reading(), np.zeros(MOST, np.int32), np.zeros((2, CLASSES), np.float32))


class Said(NamedTuple):
    """The models' output for many views."""

    waiting: npt.NDArray[np.float32]
    """The chance that each opponent is tenpai, float32[m, 3]."""
    winning: npt.NDArray[np.float32]
    """The chance that each could win on each kind if tenpai, float32[m, 3, 34]."""
    payment: npt.NDArray[np.float32]
    """The cost of such a win, float32[m, 3, 34], without honba and sticks."""

    @property
    def dealing_in(self) -> npt.NDArray[np.float32]:
        """The chance that discarding each kind deals into each opponent, float32[m, 3, 34]."""
        return self.waiting[:, :, None] * self.winning

    @property
    def expected_loss(self) -> npt.NDArray[np.float32]:
        """Expected cost of discarding each kind in points, float32[m, 34]."""
        return np.asarray((self.dealing_in * self.payment).sum(1), np.float32)


class OpponentModels:
    """The waiting, winning tile and hand score models together."""

    def __init__(self, waiting: WaitingModel, winning: WinningTileModel, score: HandScoreModel) -> None:
        self.weights = np.zeros(1, WEIGHTS_DTYPE)
        """For kernels: one record of WEIGHTS_DTYPE."""
        self.weights["waiting"][0] = waiting.weights
        self.weights["winning"][0] = winning.weights
        self.weights["classes"][0] = score.class_weights
        self.weights["worth"][0] = score.worth

    @classmethod
    def load(cls) -> Self:
        """The models shipped with the package."""
        return cls(WaitingModel.load(), WinningTileModel.load(), HandScoreModel.load())

    def predict(self, views: npt.NDArray[Any]) -> Said:
        """The models' output for many views."""
        out = np.zeros(len(views), OPPONENTS_DTYPE)
        predict_all(views, self.weights, new_scratch(), out)
        return Said(*(np.ascontiguousarray(out[name]) for name in Said._fields))


@cache
def shipped() -> OpponentModels:
    """The shipped models, loaded once."""
    return OpponentModels.load()


@kernel
def predict_all(views: Any, weights: Any, scratch: Scratch, out: Any) -> None:
    """Write the models' output for many views into OPPONENTS_DTYPE[m]."""
    for i in range(len(views)):
        predict(views[i], weights[0], scratch, out[i])


@kernel
def predict(v: Any, weights: Any, scratch: Scratch, out: Any) -> None:
    """Write the models' output for one view: records of VIEW_DTYPE, WEIGHTS_DTYPE and OPPONENTS_DTYPE."""
    r, features = scratch.reading[0], scratch.features
    read_table(v, r)
    for player in range(1, PLAYERS):
        other = player - 1
        read_opponent(v, player, r)
        out.waiting[other] = waiting.of_opponent(v, player, weights.waiting, r, features)
        winning_tile.of_opponent(v, player, weights.winning, r, features, out.winning[other])
        hand_score.of_opponent(
            v, player, weights.classes, weights.worth, r, features, scratch.classes, out.payment[other]
        )
