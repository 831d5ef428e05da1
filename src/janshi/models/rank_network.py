"""A recurrent variant of the final rank model: a small GRU that reads the game so far, hand by hand.

It starts from what the linear model says of the 24 orders in which a game may end, and adds what it learned to
each of them: the linear model knows how the game stands, the network also how it came to stand so.
Asked with NumPy only.

>>> from janshi.models.rank_network import ORDERS
>>> ORDERS.shape
(24, 4)
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.features.standing import HANDS_LEFT, MOST, hands_left
from janshi.models import final_rank
from janshi.models.final_rank import ORDERS, SOUTH_GAME, order_chances, rank_chances
from janshi.models.store import load
from janshi.rules.riichi.state import PLAYERS

NAME: Final = "rank_network"
VERSION: Final = 1
"""Changes when the meaning of an input does."""
INPUTS: Final = 3 * PLAYERS + HANDS_LEFT + 3
"""Scores, their changes in the last hand, the dealer; hands left; honba, sticks, South game."""


class RankWeights(NamedTuple):
    """The arrays of the network, float32; a GRU's three parts are reset, update and new."""

    weights: Any  # [INPUTS, 3 hidden]
    inner: Any  # [hidden, 3 hidden]
    bias: Any  # [3 hidden]
    inner_bias: Any  # [3 hidden]
    out: Any  # [hidden, 24]
    out_bias: Any  # [24]


class RankNetwork:
    """Probabilities of final ranks from the game so far."""

    def __init__(self, weights: RankWeights, card: dict[str, Any] | None = None) -> None:
        self.weights = weights
        self.card = card or {}

    @classmethod
    def load(cls, path: Path | None = None) -> Self:
        """Read weights: those shipped, or a file of your own."""
        arrays, card = load(NAME, path, VERSION, INPUTS)
        return cls(RankWeights(*(arrays[name].astype(np.float32) for name in RankWeights._fields)), card)

    def predict(
        self,
        scores: npt.ArrayLike,
        kyoku: npt.ArrayLike,
        honba: npt.ArrayLike,
        sticks: npt.ArrayLike,
        rounds: npt.ArrayLike = SOUTH_GAME,
    ) -> npt.NDArray[np.float32]:
        """How likely each player ends at each rank at every hand's start of one game, float32[hands, 4, 4].

        Takes all hands of the game so far, from its first on: scores int[hands, 4] by seat and so on.
        """
        points = np.asarray(scores, np.float64).reshape(-1, PLAYERS)
        numbers = [np.broadcast_to(np.asarray(x, np.int64), len(points)) for x in (kyoku, honba, sticks, rounds)]
        kyoku, honba, sticks, rounds = numbers
        logs = linear_logs(points, kyoku, honba, sticks, rounds) + self._added(
            inputs(points, kyoku, honba, sticks, rounds)
        )
        chances = np.exp(logs - logs.max(1, keepdims=True))
        chances /= chances.sum(1, keepdims=True)
        out = np.zeros((len(points), PLAYERS, PLAYERS), np.float32)
        _all_ranks(chances, out)
        return out

    def _added(self, steps: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """What the network adds to the margins of the orders, float32[hands, 24]."""
        w = self.weights
        hidden = np.zeros(len(w.inner), np.float32)
        out = np.zeros((len(steps), len(ORDERS)), np.float32)
        for i, step in enumerate(steps @ w.weights + w.bias):
            hidden = gru_step(step, hidden @ w.inner + w.inner_bias, hidden)
            out[i] = hidden @ w.out + w.out_bias
        return out


@cache
def shipped() -> RankNetwork:
    """The network shipped with the package, read once."""
    return RankNetwork.load()


def gru_step(given: Any, kept: Any, hidden: Any) -> Any:
    """One step of a gated recurrent unit (Cho et al. 2014, as PyTorch has it)."""
    (a, b, c), (x, y, z) = np.split(given, 3), np.split(kept, 3)
    reset, update = 1 / (1 + np.exp(-(a + x))), 1 / (1 + np.exp(-(b + y)))
    return (1 - update) * np.tanh(c + reset * z) + update * hidden


def inputs(scores: Any, kyoku: Any, honba: Any, sticks: Any, rounds: Any) -> npt.NDArray[np.float32]:
    """What the network reads of the hands of one game in their order, float32[hands, INPUTS]."""
    out = np.zeros((len(scores), INPUTS), np.float32)
    steps = np.arange(len(scores))
    out[:, :PLAYERS] = scores / 25000 - 1
    out[1:, PLAYERS : 2 * PLAYERS] = np.diff(scores, axis=0) / 10000
    out[steps, 2 * PLAYERS + kyoku % PLAYERS] = 1
    left = np.clip(PLAYERS * rounds - kyoku, 0, HANDS_LEFT - 1)
    out[steps, 3 * PLAYERS + left] = 1
    out[:, -3], out[:, -2], out[:, -1] = np.minimum(honba, 6) / 3, np.minimum(sticks, 6) / 3, rounds - 1
    return out


def linear_logs(scores: Any, kyoku: Any, honba: Any, sticks: Any, rounds: Any) -> npt.NDArray[np.float32]:
    """The logarithms of what the linear model says of each order, float32[n, 24]."""
    out = np.zeros((len(scores), len(ORDERS)))
    points = np.asarray(scores, np.float64)
    numbers = [np.ascontiguousarray(x, np.int64) for x in (kyoku, honba, sticks, rounds)]
    _linear_orders(points, numbers[0], numbers[1], numbers[2], numbers[3], final_rank.shipped().weights, out)
    return np.log(np.maximum(out, 1e-12)).astype(np.float32)


@kernel
def _linear_orders(scores: Any, kyoku: Any, honba: Any, sticks: Any, rounds: Any, weights: Any, out: Any) -> None:
    """Write the linear model's probabilities of the orders."""
    features, values = np.zeros(MOST, np.int32), np.zeros(MOST, np.float64)
    ranks, pairs = np.zeros((PLAYERS, PLAYERS), np.float64), np.zeros((PLAYERS, PLAYERS), np.float64)
    for i in range(len(scores)):
        left, dealer = hands_left(kyoku[i], rounds[i]), kyoku[i] % PLAYERS
        order_chances(scores[i], dealer, left, honba[i], sticks[i], weights, features, values, pairs, ranks, out[i])


@kernel
def _all_ranks(orders: Any, out: Any) -> None:
    """`rank_chances` of many situations."""
    for i in range(len(orders)):
        rank_chances(orders[i], out[i])
