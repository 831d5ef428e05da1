"""The final rank model: the chance of each player to finish at each rank, given the standings before a hand.

A multi-class logistic regression over the 24 orders in which a game may end (Kurita & Hoki 2021 use such probabilities
in equation (1), the value of a situation between hands). The margin of an order is a sum over its pairs (one player
finishing above the other) and over its players. So all players are treated alike, and the probabilities sum to 1 over
ranks and over players.

>>> from janshi.models.final_rank import FinalRankModel
>>> model = FinalRankModel.load()
>>> model.predict([[40000, 25000, 20000, 15000]], [7], [0], [0]).shape
(1, 4, 4)
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.features.final_rank import LAYOUT, MOST, VERSION, hands_left, list_pair, list_rank
from janshi.models.linear import softmax, step
from janshi.models.store import load
from janshi.rules.riichi.state import PLAYERS

NAME: Final = "final_rank"
ORDERS: Final = np.array(list(permutations(range(PLAYERS))), np.int64)
"""The 24 orders: the player at each rank."""
SOUTH_GAME: Final = 2


class FinalRankModel:
    """Probabilities of final ranks."""

    def __init__(self, weights: npt.NDArray[np.float32], card: dict[str, Any] | None = None) -> None:
        self.weights = weights
        self.card = card or {}

    @classmethod
    def load(cls, path: Path | None = None) -> Self:
        """Read weights: the shipped ones, or those in a file."""
        arrays, card = load(NAME, path, VERSION, LAYOUT.size)
        return cls(arrays["weights"], card)

    def predict(
        self,
        scores: npt.ArrayLike,
        kyoku: npt.ArrayLike,
        honba: npt.ArrayLike,
        sticks: npt.ArrayLike,
        rounds: npt.ArrayLike = SOUTH_GAME,
    ) -> npt.NDArray[np.float32]:
        """The chance of each player (by seat) to finish at each rank, float32[n, 4, 4].

        scores: int[n, 4] by seat; kyoku: 0 for East 1; rounds: 1 for East games, 2 for South games.
        """
        points = np.asarray(scores, np.float64).reshape(-1, PLAYERS)
        numbers = [np.broadcast_to(np.asarray(x, np.int64), len(points)) for x in (kyoku, honba, sticks, rounds)]
        out = np.zeros((len(points), PLAYERS, PLAYERS), np.float32)
        _predict_all(points, numbers[0], numbers[1], numbers[2], numbers[3], self.weights, out)
        return out

    def expected(self, chances: npt.NDArray[np.float32], payoff: npt.ArrayLike) -> npt.NDArray[np.float32]:
        """Equation (1): the expected payoff of each player, float32[n, 4], for the payoffs of the four ranks."""
        return np.asarray(chances @ np.asarray(payoff, np.float32), np.float32)


@cache
def shipped() -> FinalRankModel:
    """The shipped model, loaded once."""
    return FinalRankModel.load()


def predict(
    scores: npt.ArrayLike,
    kyoku: npt.ArrayLike,
    honba: npt.ArrayLike,
    sticks: npt.ArrayLike,
    rounds: npt.ArrayLike = SOUTH_GAME,
) -> npt.NDArray[np.float32]:
    """`FinalRankModel.predict` of the shipped model, float32[n, 4, 4]."""
    return shipped().predict(scores, kyoku, honba, sticks, rounds)


@kernel
def _predict_all(scores: Any, kyoku: Any, honba: Any, sticks: Any, rounds: Any, weights: Any, out: Any) -> None:
    """Write the probabilities of many situations."""
    features, values = np.zeros(MOST, np.int32), np.zeros(MOST, np.float64)
    margins, pairs = np.zeros(len(ORDERS), np.float64), np.zeros((PLAYERS, PLAYERS), np.float64)
    for i in range(len(scores)):
        left, dealer = hands_left(kyoku[i], rounds[i]), kyoku[i] % PLAYERS
        order_chances(scores[i], dealer, left, honba[i], sticks[i], weights, features, values, pairs, out[i], margins)
        rank_chances(margins, out[i])


@kernel
def order_chances(
    scores: Any,
    dealer: int,
    left: int,
    honba: int,
    sticks: int,
    weights: Any,
    features: Any,
    values: Any,
    pairs: Any,
    ranks: Any,
    out: Any,
) -> None:
    """Write the chance of each of the 24 orders, float64[24].

    `features` int32[MOST], `values` float64[MOST], `pairs` and `ranks` [4, 4] are scratch.
    """
    for one in range(PLAYERS):
        for other in range(PLAYERS):
            pairs[one, other] = 0.0
            if one != other:
                n = list_pair(scores, one, other, dealer, left, honba, sticks, features, values)
                pairs[one, other] = weigh(features, values, n, weights)
            n = list_rank(scores[one], other, left, features, values)
            ranks[one, other] = weigh(features, values, n, weights)
    for i in range(len(ORDERS)):
        out[i] = 0.0
        for rank in range(PLAYERS):
            out[i] += ranks[ORDERS[i, rank], rank]
            for below in range(rank + 1, PLAYERS):
                out[i] += pairs[ORDERS[i, rank], ORDERS[i, below]]
    softmax(out)


@kernel
def weigh(features: Any, values: Any, count: int, weights: Any) -> float:
    """The sum of values times weights."""
    total = 0.0
    for i in range(count):
        total += values[i] * weights[features[i]]
    return total


@kernel
def rank_chances(orders: Any, out: Any) -> None:
    """The chance of each player to finish at each rank, [4, 4], from the probabilities of the orders."""
    out[:] = 0
    for i in range(len(ORDERS)):
        for rank in range(PLAYERS):
            out[ORDERS[i, rank], rank] += orders[i]


@kernel
def learn_orders(
    scores: Any,
    kyoku: Any,
    honba: Any,
    sticks: Any,
    rounds: Any,
    ended: Any,
    rate: float,
    decay: float,
    weights: Any,
    squares: Any,
) -> float:
    """Learn from situations and the final ranks (int[n, 4] by seat, from 0); returns the mean log loss of the order."""
    features, values = np.zeros(MOST, np.int32), np.zeros(MOST, np.float64)
    margins, pairs = np.zeros(len(ORDERS), np.float64), np.zeros((PLAYERS, PLAYERS), np.float64)
    ranks = np.zeros((PLAYERS, PLAYERS), np.float64)
    loss = 0.0
    for i in range(len(scores)):
        left, dealer = hands_left(kyoku[i], rounds[i]), kyoku[i] % PLAYERS
        order_chances(scores[i], dealer, left, honba[i], sticks[i], weights, features, values, pairs, ranks, margins)
        loss -= np.log(max(true_order(margins, ended[i]), 1e-12))
        rank_chances(margins, ranks)
        pair_chances(margins, pairs)
        for one in range(PLAYERS):
            for other in range(PLAYERS):
                if one != other:
                    error = pairs[one, other] - (1.0 if ended[i, one] < ended[i, other] else 0.0)
                    n = list_pair(scores[i], one, other, dealer, left, honba[i], sticks[i], features, values)
                    for j in range(n):
                        step(weights, squares, features[j], error * values[j], rate, decay)
                error = ranks[one, other] - (1.0 if ended[i, one] == other else 0.0)
                n = list_rank(scores[i, one], other, left, features, values)
                for j in range(n):
                    step(weights, squares, features[j], error * values[j], rate, decay)
    return loss / max(len(scores), 1)


@kernel
def true_order(orders: Any, ended: Any) -> float:
    """The probability of the order in which a game ended."""
    for i in range(len(ORDERS)):
        same = True
        for rank in range(PLAYERS):
            same = same and ended[ORDERS[i, rank]] == rank
        if same:
            return orders[i]
    return 0.0


@kernel
def pair_chances(orders: Any, out: Any) -> None:
    """The chance of each player to finish above each other, [4, 4]."""
    out[:] = 0
    for i in range(len(ORDERS)):
        for rank in range(PLAYERS):
            for below in range(rank + 1, PLAYERS):
                out[ORDERS[i, rank], ORDERS[i, below]] += orders[i]
