"""Dealing in: how likely a tenpai opponent is to win on a discard, and for how much (Kurita & Hoki 2021, eq. 20).

P(h, payment | tenpai) for every opponent and kind, as a probability of winning and a distribution of base points, by
one of three methods:

- `paper`: histograms for closed opponents (`histogram`), enumerated hands for those with melds (`enumeration`), as in
  the paper;
- `linear`: the winning tile and hand score models (Mizukami & Tsuruoka 2015) behind the same interface;
- `mixed`: a regression on the results of both.

The chance that the opponent is tenpai at all comes from the waiting model (`models.waiting`).

>>> from janshi.models.deal_in.model import DealInModel
>>> DealInModel.load("linear").method
'linear'
"""

from __future__ import annotations

from functools import cache
from math import log
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.tiles import NUM_KINDS
from janshi.features import hand_score as score_features
from janshi.features import waiting as waiting_features
from janshi.features import winning_tile as winning_features
from janshi.features.hand_score import list_kind, list_opponent
from janshi.features.opponent import CLOSED_STANCE, new_reading, read_opponent, read_table
from janshi.models import waiting, winning_tile
from janshi.models.amounts import AMOUNTS, BASES, RON_SHARES, shares
from janshi.models.deal_in import enumeration, histogram
from janshi.models.deal_in.scene import PRIOR_DTYPE
from janshi.models.hand_score import CLASSES, HandScoreModel
from janshi.models.labels import OPPONENTS
from janshi.models.linear import add_margins, copy_row, logistic, softmax
from janshi.models.store import ModelError, load
from janshi.models.waiting import WaitingModel
from janshi.models.winning_tile import WinningTileModel
from janshi.rules.riichi.state import PLAYERS

NAME: Final = "deal_in"
VERSION: Final = 1
"""Changes whenever the meaning of a weight changes."""

PAPER, LINEAR, MIXED = 0, 1, 2
METHODS: Final = ("paper", "linear", "mixed")
DEFAULT: Final = "mixed"
NEAR: Final = 0.05
"""Below this chance of tenpai, the mixed method uses only the linear models for opponents with melds, to save time."""

DEAL_IN_DTYPE: Final = record_dtype(
    [
        ("winning", np.float32, (OPPONENTS, NUM_KINDS)),  # can win on a kind, if tenpai
        ("base", np.float32, (OPPONENTS, NUM_KINDS, AMOUNTS)),  # distribution of base points, if the kind is won on
    ]
)
"""The model's output for the three opponents of a view."""

MIX_GROUPS: Final = 5
"""Riichi, closed, one meld, two melds, more."""
LEAST: Final = 1e-3
"""Lower bound on probabilities before their logarithms are mixed."""
MIX_FEATURES: Final = 4
"""Inputs: constant, log-odds of the paper's method and of the linear one, whether the paper's is below LEAST."""

MIX_DTYPE: Final = record_dtype(
    [
        ("winning", np.float32, (MIX_GROUPS, MIX_FEATURES)),
        ("paper", np.float32, (MIX_GROUPS,)),  # power of the paper's distribution of base points
        ("linear", np.float32, (MIX_GROUPS,)),
        ("amounts", np.float32, (MIX_GROUPS, AMOUNTS)),
    ]
)
"""Weights for mixing the results of two methods."""

WEIGHTS_DTYPE: Final = record_dtype(
    [
        ("winning", np.float32, (winning_features.LAYOUT.size,)),
        ("classes", np.float32, (score_features.LAYOUT.size, CLASSES)),
        ("amounts", np.float32, (2, CLASSES, AMOUNTS)),  # classes of payments as amounts, to a non-dealer and a dealer
        ("waiting", np.float32, (waiting_features.LAYOUT.size,)),
        ("histograms", histogram.HISTOGRAMS_DTYPE),
        ("prior", PRIOR_DTYPE),
        ("mix", MIX_DTYPE),
        ("method", np.int64),
        ("near", np.float64),  # hands are enumerated for opponents with melds who are tenpai with this chance
    ]
)
"""All weights of the model, as kernels read them."""

MOST: Final = max(waiting_features.MOST, winning_features.MOST, score_features.MOST)


class Scratch(NamedTuple):
    """Scratch space of the kernels. Not shared between threads."""

    reading: Any  # READING_DTYPE[1]
    features: Any  # int32[MOST]
    classes: Any  # float32[2, CLASSES]
    winning: Any  # float32[34]: what the linear method says
    base: Any  # float32[34, AMOUNTS]
    structures: histogram.Structures
    enumerating: enumeration.Enumerating


def new_scratch() -> Scratch:
    """Make scratch space for `predict`."""
    return Scratch(
        new_reading(),
        np.zeros(MOST, np.int32),
        np.zeros((2, CLASSES), np.float32),
        np.zeros(NUM_KINDS, np.float32),
        np.zeros((NUM_KINDS, AMOUNTS), np.float32),
        histogram.new_structures(),
        enumeration.new_enumerating(),
    )


class Said(NamedTuple):
    """The model's output for many views."""

    winning: npt.NDArray[np.float32]
    """The chance that each opponent, if tenpai, can win on each kind, float32[m, 3, 34]."""
    base: npt.NDArray[np.float32]
    """How many base points they would win, float32[m, 3, 34, AMOUNTS]: a distribution over `amounts.BASES`.

    All zero where the kind is exactly safe."""

    def payment(self, views: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
        """Expected payment, float32[m, 3, 34], without honba and sticks and before rounding."""
        dealer = views["dealer"][:, None] == np.arange(1, PLAYERS)
        share = np.where(dealer, RON_SHARES[1], RON_SHARES[0])
        return np.asarray((self.base @ BASES) * share[:, :, None], np.float32)


class DealInModel:
    """Predicts by one method how likely tenpai opponents are to win on discards, and for how much."""

    def __init__(self, method: str, models: tuple[WaitingModel, WinningTileModel, HandScoreModel]) -> None:
        if method not in METHODS:
            raise ModelError(f"no method {method!r} of the deal-in model: expected one of {', '.join(METHODS)}")
        self.method = method
        self.card: dict[str, Any] = {}
        self.weights = np.zeros(1, WEIGHTS_DTYPE)
        """For kernels: one record of WEIGHTS_DTYPE."""
        wait, winning, score = models
        self.weights["method"] = METHODS.index(method)
        self.weights["near"] = NEAR
        self.weights["waiting"][0] = wait.weights
        self.weights["winning"][0] = winning.weights
        self.weights["classes"][0] = score.class_weights
        for dealer, share in enumerate(RON_SHARES):
            self.weights["amounts"][0, dealer] = shares(score.worth[dealer] / share)

    @classmethod
    def load(cls, method: str = DEFAULT, path: Path | None = None) -> Self:
        """The shipped model, or one in a file."""
        model = cls.unfitted(method)
        arrays, model.card = load(NAME, path, VERSION, histogram.LAYOUT.size)
        unpack(arrays, model.weights)
        return model

    @classmethod
    def unfitted(cls, method: str = DEFAULT) -> Self:
        """The shipped linear models, with everything else still unknown."""
        return cls(method, (WaitingModel.load(), WinningTileModel.load(), HandScoreModel.load()))

    def predict(self, views: npt.NDArray[Any]) -> Said:
        """The model's output for many views."""
        out = np.zeros(len(views), DEAL_IN_DTYPE)
        predict_all(views, self.weights, new_scratch(), out)
        return Said(*(np.ascontiguousarray(out[name]) for name in Said._fields))

    def predict_opponents(self, views: npt.NDArray[Any], players: npt.NDArray[Any]) -> Said:
        """The model's output for one opponent of each view: float32[m, 34] and float32[m, 34, AMOUNTS]."""
        winning = np.zeros((len(views), NUM_KINDS), np.float32)
        base = np.zeros((len(views), NUM_KINDS, AMOUNTS), np.float32)
        predict_opponents(views, players, self.weights, new_scratch(), winning, base)
        return Said(winning, base)


PACKED: Final = ("histograms", "prior", "mix")


def pack(weights: npt.NDArray[Any]) -> dict[str, npt.NDArray[np.float32]]:
    """The fitted numbers as arrays for a file; `weights` are the factors of the histograms."""
    fields = {f"{part}.{name}": weights[part][name][0] for part in PACKED for name in _names(part)}
    return {"weights" if name == "histograms.factors" else name: np.array(f) for name, f in fields.items()}


def unpack(arrays: dict[str, npt.NDArray[Any]], weights: npt.NDArray[Any]) -> None:
    """Copy a file's arrays into weights."""
    for part in PACKED:
        for name in _names(part):
            full = f"{part}.{name}"
            weights[part][name][0] = arrays["weights" if full == "histograms.factors" else full]


def _names(part: str) -> list[str]:
    """Fields of a part of the weights, without alignment gaps."""
    return [name for name in WEIGHTS_DTYPE[part].names or () if not name.startswith("gap")]


@cache
def shipped(method: str = DEFAULT) -> DealInModel:
    """The shipped model, loaded once."""
    return DealInModel.load(method)


@kernel
def predict_all(views: Any, weights: Any, scratch: Scratch, out: Any) -> None:
    """Write the model's output for many views into DEAL_IN_DTYPE[m]."""
    for i in range(len(views)):
        predict(views[i], weights[0], scratch, out[i])


@kernel
def predict(v: Any, weights: Any, scratch: Scratch, out: Any) -> None:
    """Write the model's output for one view: records of VIEW_DTYPE, WEIGHTS_DTYPE and DEAL_IN_DTYPE."""
    r = scratch.reading[0]
    read_table(v, r)
    for player in range(1, PLAYERS):
        read_opponent(v, player, r)
        say(v, player, weights, r, scratch, out["winning"][player - 1], out["base"][player - 1])


@kernel
def predict_opponents(views: Any, players: Any, weights: Any, scratch: Scratch, winning: Any, base: Any) -> None:
    """Write the model's output for one opponent (1 to 3) of each view: float32[m, 34], float32[m, 34, AMOUNTS]."""
    r = scratch.reading[0]
    for i in range(len(views)):
        read_table(views[i], r)
        read_opponent(views[i], players[i], r)
        say(views[i], players[i], weights[0], r, scratch, winning[i], base[i])


@kernel
def say(v: Any, player: int, weights: Any, r: Any, scratch: Scratch, winning: Any, base: Any) -> None:
    """Write the model's output for one opponent, given their reading: float32[34], float32[34, AMOUNTS]."""
    if weights.method == LINEAR or (weights.method == MIXED and is_far(v, player, weights, r, scratch)):
        say_linear(v, player, weights, r, scratch, winning, base)
        return
    say_paper(v, player, weights, r, scratch, winning, base)
    if weights.method == MIXED:
        say_linear(v, player, weights, r, scratch, scratch.winning, scratch.base)
        group = mix_group(r)
        for kind in range(NUM_KINDS):
            mix(weights.mix, group, scratch.winning[kind], scratch.base[kind], winning, base, kind)


@kernel
def is_far(v: Any, player: int, weights: Any, r: Any, scratch: Scratch) -> bool:
    """Whether an opponent with melds is so unlikely to be tenpai that enumerating hands is not worth the time."""
    if r.stance <= CLOSED_STANCE:
        return False
    return waiting.of_opponent(v, player, weights.waiting, r, scratch.features) < weights.near


@kernel
def say_paper(v: Any, player: int, weights: Any, r: Any, scratch: Scratch, winning: Any, base: Any) -> None:
    """Write the paper method's output for one opponent, given their reading: float32[34], float32[34, AMOUNTS]."""
    if r.stance <= CLOSED_STANCE:
        histogram.of_opponent(v, player, r, weights.histograms, scratch.structures, winning, base)
    else:
        enumeration.of_opponent(v, player, r, weights.prior, scratch.enumerating, winning, base)


@kernel
def mix_group(r: Any) -> int:
    """The mixing weights for an opponent."""
    return min(int(r.stance), MIX_GROUPS - 1)


@kernel
def log_odds(chance: float) -> float:
    """Log-odds of a probability, which is raised to LEAST if smaller."""
    chance = min(max(chance, LEAST), 1.0 - LEAST)
    return log(chance / (1.0 - chance))


@kernel
def mix(m: Any, group: int, linear: float, linear_base: Any, winning: Any, base: Any, kind: int) -> None:
    """Mix the paper's result for a kind (in `winning` and `base`, which are overwritten) with the linear one."""
    paper = float(winning[kind])
    if linear == 0.0:  # genbutsu
        winning[kind] = 0.0
        base[kind, :] = 0.0
        return
    w = m["winning"][group]
    x = w[0] + w[1] * log_odds(paper) + w[2] * log_odds(float(linear)) + w[3] * int(paper < LEAST)
    winning[kind] = logistic(x)
    own = base[kind]
    if paper == 0.0:
        copy_row(linear_base, own)
        return
    for a in range(AMOUNTS):
        own[a] = m.paper[group] * log(own[a] + LEAST) + m.linear[group] * log(linear_base[a] + LEAST)
        own[a] += m.amounts[group, a]
    softmax(own)


@kernel
def say_linear(v: Any, player: int, weights: Any, r: Any, scratch: Scratch, winning: Any, base: Any) -> None:
    """Write the linear models' output for one opponent, given their reading: float32[34], float32[34, AMOUNTS]."""
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
        copy_row(shared, own)
        add_margins(features, count, list_kind(v, player, kind, r, features, count), weights.classes, own)
        softmax(own)
        for j in range(CLASSES):
            for a in range(AMOUNTS):
                base[kind, a] += own[j] * amounts[j, a]
