"""The network of opponents, which predicts waiting, winning tiles and payments; needs no learning library.

It reads each opponent as lists of features (`janshi.features.network`) and adds up rows of tables: one sum for the
whole opponent, one for each suit and one for the honours; the three suits share their weights. A trunk turns the sums
into a context. The context predicts whether the opponent is tenpai and what the hand may cost, and together with each
suit's sum it predicts the suit's nine kinds. The first two entries of the whole opponent's sum also go straight to the
outputs, so that the network can represent the linear waiting model exactly.

Kinds that furiten rules out have probability exactly zero, as in the linear model.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.tiles import NUM_KINDS, RANKS, SUITS
from janshi.features.network import (
    GLOBAL_MOST,
    GLOBAL_SIZE,
    HONOUR,
    HONOURS,
    SUIT,
    VERSION,
    honour_kind,
    list_global,
    list_honours,
    list_suit,
)
from janshi.features.opponent import RIICHI_STANCE, new_reading, read_opponent, read_table
from janshi.models.hand_score import CLASSES
from janshi.models.labels import OPPONENTS
from janshi.models.store import ModelError, load
from janshi.rules.riichi.state import PLAYERS

NAME: Final = "network"
WAITING, LOG_PAYMENT, LOG_MEAN = 0, 1, 2
"""Outputs for an opponent, followed by the classes of payments. For a kind: winning, and the same other two."""
WINNING: Final = WAITING
OUTPUTS: Final = 3
BATCH: Final = 128
"""Number of views evaluated at once."""
BLOCK: Final = 16
"""Widths are multiples of this, so that inner loops fill whole processor vectors."""
FARTHEST: Final = np.float32(16)
"""Outputs are clipped to plus or minus this."""

NETWORK_DTYPE: Final = record_dtype(
    [
        ("waiting", np.float32, (OPPONENTS,)),  # tenpai
        ("winning", np.float32, (OPPONENTS, NUM_KINDS)),  # could win on a kind, if tenpai
        ("payment", np.float32, (OPPONENTS, NUM_KINDS)),  # expected payment, if the kind is won on
        ("log_payment", np.float32, (OPPONENTS, NUM_KINDS)),  # expected natural logarithm of the payment
        ("classes", np.float32, (OPPONENTS, CLASSES)),  # how likely each class of payments is
    ]
)
"""The network's outputs for the three opponents of a view."""


class Sizes(NamedTuple):
    """The widths of a network's parts."""

    whole: int = 64
    """Sum of the whole opponent's list."""
    part: int = 16
    """Input of the trunk from a suit (or the honours)."""
    hidden: int = 48
    """Hidden layer from which the kinds of a suit (or the honours) are predicted."""
    context: int = 64
    head: int = 16
    """Hidden layer between the context and the outputs for the whole opponent."""


class Weights(NamedTuple):
    """The arrays of a network, float32; matrices are [inputs, outputs], with outputs padded to whole blocks."""

    global_table: Any  # [GLOBAL_SIZE, whole]
    suit_table: Any  # [SUIT.size, part + hidden]
    honour_table: Any  # [HONOUR.size, part + hidden]
    global_bias: Any
    suit_bias: Any
    honour_bias: Any
    trunk: Any  # [whole + 2 part, context]: the whole, the sum of the suits, the honours
    trunk_bias: Any
    branch: Any  # [context, head + 2 hidden]: for the head, suits, honours
    branch_bias: Any
    opponent: Any  # [head, OUTPUTS + CLASSES]
    opponent_bias: Any
    suit_own: Any  # [part, hidden]
    honour_own: Any
    suit_out: Any  # [hidden, OUTPUTS * RANKS]: nine for each output
    suit_out_bias: Any
    honour_out: Any  # [hidden, OUTPUTS * HONOURS]
    honour_out_bias: Any


def shapes(sizes: Sizes) -> dict[str, tuple[int, ...]]:
    """The shape of each array."""
    whole, part, hidden, context, head = sizes
    with_bias = {
        "trunk": (whole + 2 * part, context),
        "branch": (context, head + 2 * hidden),
        "opponent": (head, OUTPUTS + CLASSES),
        "suit_out": (hidden, OUTPUTS * RANKS),
        "honour_out": (hidden, OUTPUTS * HONOURS),
    }
    tables = {
        "global": (GLOBAL_SIZE, whole),
        "suit": (SUIT.size, part + hidden),
        "honour": (HONOUR.size, part + hidden),
    }
    found: dict[str, tuple[int, ...]] = {
        **{f"{name}_table": shape for name, shape in tables.items()},
        **with_bias,
        **{f"{name}_bias": shape[1:] for name, shape in (tables | with_bias).items()},
        "suit_own": (part, hidden),
        "honour_own": (part, hidden),
    }
    return {name: found[name] for name in Weights._fields}


class Scratch(NamedTuple):
    """Scratch space of the kernels. Not shared between threads."""

    reading: Any  # READING_DTYPE[1]
    features: Any  # int32[GLOBAL_MOST]
    joined: Any  # float32[whole + 2 part]
    context: Any  # float32[context]
    branch: Any  # float32[head + 2 hidden]
    opponent: Any  # float32[OUTPUTS + CLASSES], as `kinds` filled up to whole blocks
    suits: Any  # float32[4, part + hidden]: the suits and the honours
    kinds: Any  # float32[4, OUTPUTS * RANKS]: the suits and the honours
    places: Any  # int64[inputs]


def new_scratch(weights: Weights) -> Scratch:
    """Make scratch space for `predict`."""
    inputs, context = weights.trunk.shape
    widest = max(inputs, context, weights.suit_table.shape[1])
    return Scratch(
        new_reading(),
        np.zeros(GLOBAL_MOST, np.int32),
        np.zeros(inputs, np.float32),
        np.zeros(context, np.float32),
        np.zeros(len(weights.branch_bias), np.float32),
        np.zeros(len(weights.opponent_bias), np.float32),
        np.zeros((SUITS + 1, weights.suit_table.shape[1]), np.float32),
        np.zeros((SUITS + 1, len(weights.suit_out_bias)), np.float32),
        np.zeros(widest, np.int64),
    )


class OpponentNetwork:
    """The network that predicts for each opponent whether they are tenpai, on what, and for how much."""

    def __init__(self, weights: Weights, card: dict[str, Any] | None = None) -> None:
        self.weights = weights
        self.card = card or {}
        self._scratch = new_scratch(weights)

    @classmethod
    def load(cls, path: Path | None = None) -> Self:
        """Read weights: the shipped ones, or those in a file."""
        arrays, card = load(NAME, path, VERSION, GLOBAL_SIZE)
        return cls(unpack(arrays), card)

    @property
    def sizes(self) -> Sizes:
        """The widths of its parts."""
        w = self.weights
        (part, hidden), context = w.suit_own.shape, w.trunk.shape[1]
        return Sizes(w.global_table.shape[1], part, hidden, context, w.branch.shape[1] - 2 * hidden)

    def predict(self, views: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The network's output for many views, NETWORK_DTYPE[m]: like `predict_all`, but faster, a batch at a time."""
        out = np.zeros(len(views), NETWORK_DTYPE)
        for first in range(0, len(views), BATCH):
            self._predict(views[first : first + BATCH], out[first : first + BATCH])
        return out

    def _predict(self, views: npt.NDArray[Any], out: npt.NDArray[Any]) -> None:
        """Multiply matrices for all opponents of a batch at once, so that each matrix is read only once."""
        w, (_, part, hidden, _, head) = self.weights, self.sizes
        n = OPPONENTS * len(views)
        joined = np.empty((n, len(w.trunk)), np.float32)
        said = np.empty((n, len(w.opponent_bias)), np.float32)
        suits = np.empty((n, SUITS + 1, part + hidden), np.float32)
        safe, stances = np.empty(n, np.int64), np.empty(n, np.int8)
        read_all(views, w, self._scratch.reading, self._scratch.features, joined, suits, said, safe, stances)
        context = _relu(joined @ w.trunk, w.trunk_bias)
        branch = context @ w.branch + w.branch_bias
        said += np.maximum(branch[:, :head], 0) @ w.opponent
        own, inner = suits[:, :, :part], suits[:, :, part:]
        numbers = (own[:, :SUITS].reshape(-1, part) @ w.suit_own).reshape(n, SUITS, hidden)
        numbers += inner[:, :SUITS]
        numbers = _relu(numbers, branch[:, None, head : head + hidden]).reshape(-1, hidden)
        honours = own[:, SUITS] @ w.honour_own
        honours += inner[:, SUITS]
        honours = _relu(honours, branch[:, head + hidden :]) @ w.honour_out + w.honour_out_bias
        kinds = (numbers @ w.suit_out + w.suit_out_bias).reshape(n, SUITS, -1)
        finish_all(views, safe, stances, said, kinds, honours, out)


def _relu(values: Any, bias: Any) -> Any:
    """Add a bias and set negative values to zero, in place."""
    values += bias
    return np.maximum(values, 0, out=values)


@cache
def shipped() -> OpponentNetwork:
    """The shipped network, loaded once."""
    return OpponentNetwork.load()


def pack(weights: Weights) -> dict[str, npt.NDArray[Any]]:
    """Arrays in their stored form: half precision, with the first table under the name that all models use."""
    arrays = {name: np.asarray(array).astype(np.float16) for name, array in weights._asdict().items()}
    arrays["weights"] = arrays.pop("global_table")
    return arrays


def unpack(arrays: dict[str, npt.NDArray[Any]]) -> Weights:
    """Convert stored arrays to the form that kernels take."""
    named = {"global_table" if name == "weights" else name: array for name, array in arrays.items()}
    missing = [name for name in Weights._fields if name not in named]
    if missing:
        raise ModelError(f"the network's weights lack the array {missing[0]!r}: train it again")
    weights = Weights(*(_filled(named[name]) for name in Weights._fields))
    sizes = OpponentNetwork(weights).sizes
    for name, shape in shapes(sizes).items():
        if named[name].shape != shape:
            raise ModelError(f"the network's array {name!r} has shape {named[name].shape}, expected {shape}")
    for part, size in sizes._asdict().items():
        if size % BLOCK:
            raise ModelError(f"the network's part {part!r} has width {size}, expected a multiple of {BLOCK}")
    return weights


def _filled(array: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """Pad the last axis of an array to whole blocks."""
    room = -array.shape[-1] % BLOCK
    return np.ascontiguousarray(np.pad(array.astype(np.float32), [(0, 0)] * (array.ndim - 1) + [(0, room)]))


# --- kernels


@kernel
def predict_all(views: Any, weights: Weights, scratch: Scratch, out: Any) -> None:
    """Write the network's output for many views into NETWORK_DTYPE[m]."""
    for i in range(len(views)):
        predict(views[i], weights, scratch, out[i])


@kernel
def predict(v: Any, weights: Weights, scratch: Scratch, out: Any) -> None:
    """Write the network's output for one view: records of VIEW_DTYPE and NETWORK_DTYPE."""
    r = scratch.reading[0]
    read_table(v, r)
    for player in range(1, PLAYERS):
        read_opponent(v, player, r)
        of_opponent(v, player, weights, scratch, out)


@kernel
def of_opponent(v: Any, player: int, weights: Weights, scratch: Scratch, out: Any) -> None:
    """Write the network's output for one opponent, given their reading."""
    r, kinds = scratch.reading[0], scratch.kinds
    read_lists(v, player, weights, r, scratch.features, scratch.joined, scratch.suits, scratch.opponent)
    think(weights, scratch)
    for suit in range(SUITS + 1):
        tell_kinds(weights, scratch, suit)
    finish(v, player, int(r.safe), int(r.stance), scratch.opponent, kinds[:SUITS], kinds[SUITS], out)


@kernel
def read_all(
    views: Any,
    weights: Weights,
    reading: Any,
    features: Any,
    joined: Any,
    suits: Any,
    said: Any,
    safe: Any,
    stances: Any,
) -> None:
    """`read_lists` for all opponents of many views, with the inputs of the last step."""
    r = reading[0]
    for i in range(len(views)):
        read_table(views[i], r)
        for player in range(1, PLAYERS):
            n = OPPONENTS * i + player - 1
            read_opponent(views[i], player, r)
            read_lists(views[i], player, weights, r, features, joined[n], suits[n], said[n])
            safe[n], stances[n] = r.safe, r.stance


@kernel
def read_lists(
    v: Any, player: int, weights: Weights, r: Any, features: Any, joined: Any, suits: Any, said: Any
) -> None:
    """Add up the rows of all lists: the trunk's inputs, those of suits and honours, and the direct outputs."""
    whole, part = len(weights.global_bias), len(weights.suit_own)
    set_to(weights.global_bias, joined[:whole])
    add_rows(features, list_global(v, player, r, features), weights.global_table, joined[:whole])
    set_to(weights.opponent_bias, said)
    said[WAITING] += joined[WAITING]
    said[LOG_PAYMENT] += joined[LOG_PAYMENT]
    relu(joined[:whole])
    joined[whole:] = 0
    for suit in range(SUITS):
        own = suits[suit]
        set_to(weights.suit_bias, own)
        add_rows(features, list_suit(v, player, suit, r, features), weights.suit_table, own)
        relu(own[:part])
        add(own[:part], joined[whole : whole + part])
    own = suits[SUITS]
    set_to(weights.honour_bias, own)
    add_rows(features, list_honours(v, player, r, features), weights.honour_table, own)
    relu(own[:part])
    add(own[:part], joined[whole + part :])


@kernel
def think(weights: Weights, scratch: Scratch) -> None:
    """From the sums to the context, and from it to the outputs for the whole opponent."""
    head = len(weights.opponent)
    set_to(weights.trunk_bias, scratch.context)
    add_dense(scratch.joined, weights.trunk, scratch.places, scratch.context)
    relu(scratch.context)
    set_to(weights.branch_bias, scratch.branch)
    add_dense(scratch.context, weights.branch, scratch.places, scratch.branch)
    relu(scratch.branch[:head])
    add_dense(scratch.branch[:head], weights.opponent, scratch.places, scratch.opponent)


@kernel
def tell_kinds(weights: Weights, scratch: Scratch, suit: int) -> None:
    """Write the outputs of the kinds of a suit, or of the honours: all of the first output, then the others."""
    head, (part, hidden) = len(weights.opponent), weights.suit_own.shape
    own, kinds, places = scratch.suits[suit], scratch.kinds[suit], scratch.places
    honours = suit == SUITS
    first = head + hidden if honours else head
    add(scratch.branch[first : first + hidden], own[part:])
    add_dense(own[:part], weights.honour_own if honours else weights.suit_own, places, own[part:])
    relu(own[part:])
    set_to(weights.honour_out_bias if honours else weights.suit_out_bias, kinds)
    add_dense(own[part:], weights.honour_out if honours else weights.suit_out, places, kinds)


@kernel
def finish_all(views: Any, safe: Any, stances: Any, said: Any, kinds: Any, honours: Any, out: Any) -> None:
    """`finish` of all opponents of many views."""
    for i in range(len(views)):
        for player in range(1, PLAYERS):
            n = OPPONENTS * i + player - 1
            finish(views[i], player, int(safe[n]), int(stances[n]), said[n], kinds[n], honours[n], out[i])


@kernel
def finish(v: Any, player: int, safe: int, stance: int, said: Any, kinds: Any, honours: Any, out: Any) -> None:
    """Outputs of an opponent as probabilities and points; nothing is won on safe kinds."""
    other = player - 1
    winning, log_payment, payment = out.winning[other], out.log_payment[other], out.payment[other]
    for suit in range(SUITS):
        for rank in range(RANKS):
            kind = suit * RANKS + rank
            winning[kind] = kinds[suit, rank]
            log_payment[kind] = kinds[suit, RANKS + rank]
            payment[kind] = kinds[suit, 2 * RANKS + rank]
    for honour in range(HONOURS):
        kind = honour_kind(v, player, honour)
        winning[kind] = honours[honour]
        log_payment[kind] = honours[HONOURS + honour]
        payment[kind] = honours[2 * HONOURS + honour]
    base, mean = said[LOG_PAYMENT], said[LOG_MEAN]
    for kind in range(NUM_KINDS):
        may = np.float32(1 - ((safe >> kind) & 1))
        winning[kind] = may / (np.float32(1) + fast_exp(-winning[kind]))
        log_payment[kind] = may * (log_payment[kind] + base)
        payment[kind] = may * np.float32(1000) * fast_exp(payment[kind] + mean)
    out.waiting[other] = 1.0 if stance == RIICHI_STANCE else 1.0 / (1.0 + fast_exp(-said[WAITING]))
    tell_classes(said, out.classes[other])


@kernel
def tell_classes(said: Any, classes: Any) -> None:
    """How likely each class of payments is: the softmax of the last outputs of an opponent."""
    total, highest = np.float32(0), said[OUTPUTS]
    for j in range(1, CLASSES):
        highest = max(highest, said[OUTPUTS + j])
    for j in range(CLASSES):
        classes[j] = fast_exp(said[OUTPUTS + j] - highest)
        total += classes[j]
    for j in range(CLASSES):
        classes[j] /= total


@kernel
def fast_exp(x: Any) -> Any:
    """The exponential of a float32 between -16 and 16 to about five digits, without branches."""
    y = min(max(x, -FARTHEST), FARTHEST) * np.float32(0.0625)
    one = np.float32(1)
    t = one + y * np.float32(1 / 6)
    t = one + y * np.float32(1 / 5) * t
    t = one + y * np.float32(1 / 4) * t
    t = one + y * np.float32(1 / 3) * t
    t = one + y * np.float32(1 / 2) * t
    t = one + y * t
    t *= t
    t *= t
    t *= t
    return t * t


@kernel
def set_to(source: Any, out: Any) -> None:
    """Copy an array."""
    for j in range(len(out)):
        out[j] = source[j]


@kernel
def add(source: Any, out: Any) -> None:
    """Add an array to another."""
    for j in range(len(out)):
        out[j] += source[j]


@kernel
def relu(out: Any) -> None:
    """Set negative values to zero, in place."""
    for j in range(len(out)):
        out[j] = max(out[j], np.float32(0))


@kernel
def add_rows(features: Any, count: int, table: Any, out: Any) -> None:
    """Add the rows of the first `count` features to `out`, four at a time."""
    width, whole = len(out), count - count % 4
    for i in range(0, whole, 4):
        a, b, c, d = features[i], features[i + 1], features[i + 2], features[i + 3]
        one, two, three, four = table[a], table[b], table[c], table[d]
        for j in range(width):
            out[j] += (one[j] + two[j]) + (three[j] + four[j])
    for i in range(whole, count):
        add(table[features[i]], out)


@kernel
def add_dense(inputs: Any, matrix: Any, places: Any, out: Any) -> None:
    """Add `inputs @ matrix` to `out`; zero inputs are skipped, the others taken four at a time."""
    count = 0
    for i in range(len(inputs)):
        places[count] = i
        count += int(inputs[i] != 0)
    width, whole = len(out), count - count % 4
    for i in range(0, whole, 4):
        a, b, c, d = places[i], places[i + 1], places[i + 2], places[i + 3]
        p, q, s, t = inputs[a], inputs[b], inputs[c], inputs[d]
        one, two, three, four = matrix[a], matrix[b], matrix[c], matrix[d]
        for j in range(width):
            out[j] += (p * one[j] + q * two[j]) + (s * three[j] + t * four[j])
    for i in range(whole, count):
        p, one = inputs[places[i]], matrix[places[i]]
        for j in range(width):
            out[j] += p * one[j]
