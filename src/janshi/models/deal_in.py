"""Dealing in: how likely an opponent who is tenpai wins on a discard, and for how much (Kurita & Hoki 2021, eq. 20).

P(h, payment | tenpai) for every opponent and kind, as a probability of winning and a distribution of base points, told
by one of several methods:

- `linear`: the winning tile and hand score models (Mizukami & Tsuruoka 2015) behind the same interface.

How likely the opponent is tenpai at all is the waiting model's answer (`models.waiting`).

>>> from janshi.models.deal_in import DealInModel
>>> DealInModel.load("linear").method
'linear'
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.records import record_dtype
from janshi.core.tiles import NUM_KINDS
from janshi.features import hand_score as score_features
from janshi.features import winning_tile as winning_features
from janshi.features.hand_score import list_kind, list_opponent
from janshi.features.reading import new_reading, read_opponent, read_table
from janshi.models import winning_tile
from janshi.models.amounts import AMOUNTS, BASES, RON_SHARES, shares
from janshi.models.hand_score import CLASSES, HandScoreModel
from janshi.models.labels import OPPONENTS
from janshi.models.linear import add_margins, softmax
from janshi.models.store import ModelError
from janshi.models.winning_tile import WinningTileModel
from janshi.rules.riichi.state import PLAYERS

LINEAR: Final = "linear"
METHODS: Final = (LINEAR,)
DEFAULT: Final = LINEAR

DEAL_IN_DTYPE: Final = record_dtype(
    [
        ("winning", np.float32, (OPPONENTS, NUM_KINDS)),  # can win on a kind, if tenpai
        ("base", np.float32, (OPPONENTS, NUM_KINDS, AMOUNTS)),  # distribution of base points, if the kind is won on
    ]
)
"""What the model says about the three opponents of a view."""

WEIGHTS_DTYPE: Final = record_dtype(
    [
        ("winning", np.float32, (winning_features.LAYOUT.size,)),
        ("classes", np.float32, (score_features.LAYOUT.size, CLASSES)),
        ("amounts", np.float32, (2, CLASSES, AMOUNTS)),  # classes of payments as amounts, to a non-dealer and a dealer
        ("method", np.int8),
    ]
)
"""All that the model knows, as kernels take it."""

MOST: Final = max(winning_features.MOST, score_features.MOST)


class Scratch(NamedTuple):
    """Scratch space of the kernels. Not shared between threads."""

    reading: Any  # READING_DTYPE[1]
    features: Any  # int32[MOST]
    classes: Any  # float32[2, CLASSES]


def new_scratch() -> Scratch:
    """Make scratch space for `predict`."""
    return Scratch(new_reading(), np.zeros(MOST, np.int32), np.zeros((2, CLASSES), np.float32))


class Said(NamedTuple):
    """What the model says about many views."""

    winning: npt.NDArray[np.float32]
    """How likely opponents could win on each kind if tenpai, float32[m, 3, 34]."""
    base: npt.NDArray[np.float32]
    """How many base points they would win, float32[m, 3, 34, AMOUNTS]: a distribution over `amounts.BASES`.

    All zero where the kind is exactly safe."""

    def payment(self, views: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
        """Expected payment, float32[m, 3, 34], without honba and sticks and before rounding."""
        dealer = views["dealer"][:, None] == np.arange(1, PLAYERS)
        share = np.where(dealer, RON_SHARES[1], RON_SHARES[0])
        return np.asarray((self.base @ BASES) * share[:, :, None], np.float32)


class DealInModel:
    """How likely tenpai opponents win on discards, and for how much, by one method."""

    def __init__(self, method: str, winning: WinningTileModel, score: HandScoreModel) -> None:
        if method not in METHODS:
            raise ModelError(f"no method {method!r} of the deal-in model: expected one of {', '.join(METHODS)}")
        self.method = method
        self.weights = np.zeros(1, WEIGHTS_DTYPE)
        """For kernels: one record of WEIGHTS_DTYPE."""
        self.weights["method"] = METHODS.index(method)
        self.weights["winning"][0] = winning.weights
        self.weights["classes"][0] = score.class_weights
        for dealer, share in enumerate(RON_SHARES):
            self.weights["amounts"][0, dealer] = shares(score.worth[dealer] / share)

    @classmethod
    def load(cls, method: str = DEFAULT) -> Self:
        """The model shipped with the package."""
        return cls(method, WinningTileModel.load(), HandScoreModel.load())

    def predict(self, views: npt.NDArray[Any]) -> Said:
        """What the model says about many views."""
        out = np.zeros(len(views), DEAL_IN_DTYPE)
        predict_all(views, self.weights, new_scratch(), out)
        return Said(*(np.ascontiguousarray(out[name]) for name in Said._fields))


@cache
def shipped(method: str = DEFAULT) -> DealInModel:
    """The model shipped with the package, read once."""
    return DealInModel.load(method)


@kernel
def predict_all(views: Any, weights: Any, scratch: Scratch, out: Any) -> None:
    """Write what the model says about many views into DEAL_IN_DTYPE[m]."""
    for i in range(len(views)):
        predict(views[i], weights[0], scratch, out[i])


@kernel
def predict(v: Any, weights: Any, scratch: Scratch, out: Any) -> None:
    """Write what the model says about one view: records of VIEW_DTYPE, WEIGHTS_DTYPE and DEAL_IN_DTYPE."""
    r = scratch.reading[0]
    read_table(v, r)
    for player in range(1, PLAYERS):
        read_opponent(v, player, r)
        say_linear(v, player, weights, r, scratch, out.winning[player - 1], out.base[player - 1])


@kernel
def say_linear(v: Any, player: int, weights: Any, r: Any, scratch: Scratch, winning: Any, base: Any) -> None:
    """Write what the linear models say about one opponent, already read: float32[34], float32[34, AMOUNTS]."""
    features, shared, own = scratch.features, scratch.classes[0], scratch.classes[1]
    winning_tile.of_opponent(v, player, weights.winning, r, features, winning)
    count = list_opponent(v, player, r, features)
    shared[:] = 0
    add_margins(features, 0, count, weights.classes, shared)
    amounts = weights.amounts[int(r.dealer)]
    for kind in range(NUM_KINDS):
        base[kind, :] = 0
        if (int(r.safe) >> kind) & 1:
            continue
        own[:] = shared
        add_margins(features, count, list_kind(v, player, kind, r, features, count), weights.classes, own)
        softmax(own)
        for j in range(CLASSES):
            for a in range(AMOUNTS):
                base[kind, a] += own[j] * amounts[j, a]
