"""Training the final rank model from the start of every hand and the end of its game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from janshi.features.final_rank import LAYOUT
from janshi.fitting.data import Source
from janshi.models.final_rank import learn_orders
from janshi.models.linear import START
from janshi.records.dataset import to_numpy
from janshi.rules.riichi.state import PLAYERS


class Situations(NamedTuple):
    """Standings of games before hands, and how the games ended."""

    scores: npt.NDArray[np.float64]
    kyoku: npt.NDArray[np.int64]
    honba: npt.NDArray[np.int64]
    sticks: npt.NDArray[np.int64]
    rounds: npt.NDArray[np.int64]
    ended: npt.NDArray[np.int64]
    """Final ranks by seat, from 0."""

    def take(self, chosen: npt.NDArray[Any]) -> Situations:
        """A selection, by a mask or by numbers."""
        return Situations(*(part[chosen] for part in self))


def rank_losses(chances: npt.NDArray[Any], ended: npt.NDArray[np.int64]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Log loss of ranks and squared error of expected ranks, means over the four players of each situation."""
    given = np.take_along_axis(chances, ended[:, :, None], 2)[:, :, 0]
    expected = chances @ np.arange(PLAYERS)
    return -np.log(np.maximum(given, 1e-9)).mean(1), ((expected - ended) ** 2).mean(1)


def situations(source: Source, hands: npt.NDArray[np.bool_]) -> tuple[Situations, npt.NDArray[np.int64]]:
    """The starts of the chosen hands (bool by row) whose games have an end, and their rows."""
    table = source.dataset.hands("scores", "kyoku", "honba", "sticks", "rounds", "ranks", "game")
    ended = np.array([ranks is not None for ranks in table.column("ranks").to_pylist()])
    rows = np.nonzero(hands & ended & ~source.disconnect)[0]
    chosen = table.take(rows)
    numbers = {
        name: to_numpy(chosen.column(name)) for name in ("scores", "kyoku", "honba", "sticks", "rounds", "ranks")
    }
    whole = {name: array.astype(np.int64) for name, array in numbers.items()}
    return Situations(
        numbers["scores"].astype(np.float64),
        whole["kyoku"],
        whole["honba"],
        whole["sticks"],
        whole["rounds"],
        whole["ranks"] - 1,
    ), rows


def train_final_rank(
    data: Situations, seed: int, rates: tuple[float, ...], decay: float, report: Callable[[str], None]
) -> npt.NDArray[np.float32]:
    """Learn from situations in random order, once for each rate; the mean of the last pass's weights, float32[size]."""
    weights, mean = np.zeros(LAYOUT.size, np.float32), np.zeros(LAYOUT.size)
    squares = np.full(LAYOUT.size, START, np.float32)
    rng = np.random.default_rng(seed)
    for number, rate in enumerate(rates):
        losses = []
        parts = np.array_split(rng.permutation(len(data.kyoku)), 50)
        for i, part in enumerate(parts):
            losses.append(learn_orders(*data.take(part), rate, decay, weights, squares))
            if number == len(rates) - 1:
                mean += (weights - mean) / (i + 1)
        report(f"final rank, pass {number + 1}: log loss of the order {np.mean(losses):.4f}")
    return mean.astype(np.float32)
