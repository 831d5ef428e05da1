"""Examples to learn from: feature lists of views, with labels from the oracle views."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.tiles import NUM_KINDS
from janshi.features import hand_score, waiting, winning_tile
from janshi.features.hand_score import list_kind, list_opponent
from janshi.features.opponent import RIICHI_STANCE, new_reading, read_opponent, read_table
from janshi.features.waiting import list_waiting
from janshi.features.winning_tile import list_winning
from janshi.models.labels import OPPONENTS


class Examples(NamedTuple):
    """Lists of features and their labels."""

    features: npt.NDArray[np.int32]
    """int32[n, most]: only the first `counts` of each row count."""
    counts: npt.NDArray[np.int32]
    labels: npt.NDArray[np.float32]
    """Tenpai or not, winning tile or not, payment."""
    places: npt.NDArray[np.int32]
    """View, opponent (0 to 2) and kind of each example, int32[n, 3]."""


def _room(examples: int, most: int) -> Examples:
    return Examples(
        np.zeros((examples, most), np.int32),
        np.zeros(examples, np.int32),
        np.zeros(examples, np.float32),
        np.zeros((examples, 3), np.int32),
    )


def _first(examples: Examples, count: int) -> Examples:
    features, counts, labels, places = examples
    return Examples(features[:count], counts[:count], labels[:count], places[:count])


def waiting_examples(views: npt.NDArray[Any], tenpai: npt.NDArray[np.bool_], wanted: npt.NDArray[np.bool_]) -> Examples:
    """An example for each wanted opponent (bool[n, 3]) without riichi."""
    out = _room(int(wanted.sum()), waiting.MOST)
    return _first(out, _list_waiting(views, tenpai, wanted, new_reading(), *out))


@kernel
def _list_waiting(
    views: Any, tenpai: Any, wanted: Any, reading: Any, features: Any, counts: Any, labels: Any, places: Any
) -> int:
    n, r = 0, reading[0]
    for i in range(len(views)):
        read_table(views[i], r)
        for other in range(OPPONENTS):
            if not wanted[i, other]:
                continue
            read_opponent(views[i], other + 1, r)
            if r.stance != RIICHI_STANCE:
                counts[n] = list_waiting(views[i], other + 1, r, features[n])
                labels[n] = tenpai[i, other]
                places[n, 0], places[n, 1] = i, other
                n += 1
    return n


def winning_examples(
    views: npt.NDArray[Any], payments: npt.NDArray[np.int32], wanted: npt.NDArray[np.bool_]
) -> Examples:
    """An example for each wanted opponent (bool[n, 3]; tenpai ones make sense) and kind that is not safe."""
    out = _room(int(wanted.sum()) * NUM_KINDS, winning_tile.MOST)
    return _first(out, _list_winning(views, payments, wanted, new_reading(), *out))


@kernel
def _list_winning(
    views: Any, payments: Any, wanted: Any, reading: Any, features: Any, counts: Any, labels: Any, places: Any
) -> int:
    n, r = 0, reading[0]
    for i in range(len(views)):
        read_table(views[i], r)
        for other in range(OPPONENTS):
            if not wanted[i, other]:
                continue
            read_opponent(views[i], other + 1, r)
            for kind in range(NUM_KINDS):
                if not (int(r.safe) >> kind) & 1:
                    counts[n] = list_winning(views[i], other + 1, kind, r, features[n])
                    labels[n] = payments[i, other, kind] > 0
                    places[n, 0], places[n, 1], places[n, 2] = i, other, kind
                    n += 1
    return n


def score_examples(views: npt.NDArray[Any], payments: npt.NDArray[np.int32], wanted: npt.NDArray[np.bool_]) -> Examples:
    """An example for each wanted opponent (bool[n, 3]) and kind that would be paid for; the label is the payment."""
    out = _room(int(((payments > 0) & wanted[:, :, None]).sum()), hand_score.MOST)
    return _first(out, _list_scores(views, payments, wanted, new_reading(), *out))


@kernel
def _list_scores(
    views: Any, payments: Any, wanted: Any, reading: Any, features: Any, counts: Any, labels: Any, places: Any
) -> int:
    n, r = 0, reading[0]
    for i in range(len(views)):
        read_table(views[i], r)
        for other in range(OPPONENTS):
            if not wanted[i, other]:
                continue
            read_opponent(views[i], other + 1, r)
            for kind in range(NUM_KINDS):
                if payments[i, other, kind] > 0:
                    count = list_opponent(views[i], other + 1, r, features[n])
                    counts[n] = list_kind(views[i], other + 1, kind, r, features[n], count)
                    labels[n] = payments[i, other, kind]
                    places[n, 0], places[n, 1], places[n, 2] = i, other, kind
                    n += 1
    return n
