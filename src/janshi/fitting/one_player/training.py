"""Learning one-player mahjong from experts' discards, by softmax regression or the averaged perceptron.

The perceptron (Collins 2002) goes through the positions one by one. If another candidate has a higher value than the
expert's, the expert's features are added to the weights and the other's are subtracted. The result is the mean of the
weights over all positions. Softmax regression instead moves the weights according to each candidate's probability.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from math import exp
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.shanten import count_bits
from janshi.core.tables import tables_array
from janshi.core.tiles import NUM_KINDS
from janshi.features import hand_pattern
from janshi.features.calls import LAYOUT as CALL_LAYOUT
from janshi.features.calls import MOST as CALL_MOST
from janshi.features.calls import list_call, look_before, new_calling
from janshi.features.discards import list_discard
from janshi.features.own_hand import MOST, new_situation, new_weighing, situate, weigh_hand
from janshi.fitting.roles import BY_SPLIT, TRAINING, Roles
from janshi.models.linear import START
from janshi.models.one_player import SIZE, may_call
from janshi.records.dataset import Dataset
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.concealed import kind_of
from janshi.rules.riichi.policies import allows, discardable, question_of_view
from janshi.rules.riichi.state import PLAYERS

Report = Callable[[str], None]
BATCH: Final = 1 << 14
CANDIDATES: Final = 14
PERCEPTRON, SOFTMAX = 0, 1
METHODS: Final = {"perceptron": PERCEPTRON, "softmax": SOFTMAX}


@dataclass(frozen=True)
class OnePlayerConfig:
    """Settings for learning one-player mahjong."""

    seed: int = 1
    """Seed for the order of hands and positions."""
    rates: tuple[float, ...] = (0.1, 0.04)
    """Rate of each pass over the games: Adagrad's for softmax; for the perceptron only the number of rates matters."""
    method: str = "softmax"
    """`softmax` or `perceptron`."""
    part: tuple[int, int] = (0, 1)
    """(i, n): every n-th shard of the data set."""

    def describe(self) -> dict[str, Any]:
        """The fields by name."""
        return asdict(self)


class Moves(NamedTuple):
    """Players' answers, with everything needed to choose among positions."""

    views: npt.NDArray[Any]
    """VIEW_DTYPE[n]."""
    actions: npt.NDArray[np.uint8]
    """What the player did."""
    won: npt.NDArray[np.bool_]
    """Whether the player won the hand."""

    def take(self, chosen: npt.NDArray[Any]) -> Moves:
        """A selection, by a mask or by numbers."""
        return Moves(*(part[chosen] for part in self))


def read_moves(
    dataset: Dataset, role: str, seed: int | None = None, part: tuple[int, int] = (0, 1), roles: Roles = BY_SPLIT
) -> Iterator[Moves]:
    """Yield all answers of the games with a role, in batches; in random order if a seed is given.

    Held-out players (`janshi.records.splits`) are left out of training. Raises `DatasetError` if no game has the role.
    """
    roles.need(dataset, role)
    winners, where = _winners(dataset), roles.where(role)
    seats = "seen" if role == TRAINING else "all"
    chosen: dict[str, Any] = {"seats": seats, "skip_forced": False, "shuffle": seed, "where": where, "part": part}
    for views, actions, info in dataset.decisions(BATCH, **chosen):
        yield Moves(views, actions, winners[info["hand"], info["player"]])


def _winners(dataset: Dataset) -> npt.NDArray[np.bool_]:
    """Who won each hand, bool[hands, 4]."""
    column = dataset.hands("winners").column("winners").combine_chunks()
    out = np.zeros((len(dataset), PLAYERS), np.bool_)
    out[column.value_parent_indices().to_numpy(), column.flatten().to_numpy()] = True
    return out


def threatened(views: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Whether an opponent is in riichi or has three melds."""
    return np.asarray(((views["riichi"][:, 1:] > 0) | (views["melds"][:, 1:] >= 3)).any(1))


def discarded(moves: Moves, declared: bool = False) -> npt.NDArray[np.int64]:
    """The kind that each player discarded; -1 for other actions, in riichi, or with only one kind to discard.

    declared: treat the discard of a riichi as a choice among all tiles of the hand, as before the declaration.
    Otherwise, hands that could declare riichi would be learned only from players who did not.
    """
    out = np.full(len(moves.views), -1, np.int64)
    _write_discarded(moves.views, moves.actions, declared, out)
    return out


@kernel
def _write_discarded(views: Any, actions: Any, declared: bool, out: Any) -> None:
    for i in range(len(views)):
        v, action = views[i], int(actions[i])
        q = question_of_view(v)
        if not q.turn or action > act.TSUMOGIRI or (q.riichi and not v.declaring):
            continue
        kinds = candidate_kinds(v) if declared else discardable(q)
        if count_bits(kinds) > 1:
            out[i] = kind_of(int(v.drawn) if action == act.TSUMOGIRI else action)


@kernel
def candidate_kinds(v: Any) -> int:
    """Bit set of the kinds that may be discarded, or could have been before the declaration of riichi."""
    kinds = discardable(question_of_view(v))
    if v.declaring:
        for kind in range(NUM_KINDS):
            kinds |= int(v.hand[kind] > 0) << kind
    return kinds


def called(moves: Moves) -> npt.NDArray[np.int64]:
    """The chi, pon, open kan or PASS of each player who was offered chi or pon; -1 for others and for wins."""
    out = np.full(len(moves.views), -1, np.int64)
    _write_called(moves.views, moves.actions, out)
    return out


@kernel
def _write_called(views: Any, actions: Any, out: Any) -> None:
    for i in range(len(views)):
        q = question_of_view(views[i])
        if not q.turn and may_call(q) and actions[i] != act.RON:
            out[i] = actions[i]


class Learner:
    """Weights being learned, and their means."""

    def __init__(self, size: int, method: str) -> None:
        if method not in METHODS:
            raise ValueError(f"no method of learning is called {method!r}: expected {' or '.join(METHODS)}")
        self.method = METHODS[method]
        self.weights = np.zeros(size, np.float32)
        self.squares = np.full(size, START, np.float32)
        self.means = np.zeros(size, np.float64)
        self.batches = self.positions = 0
        self.right: list[float] = []
        """Share of correct choices of each batch, before learning from it."""

    def add_to_means(self) -> None:
        """Fold the current weights into their running means."""
        self.batches += 1
        self.means += (self.weights - self.means) / self.batches

    def note(self, right: int, positions: int) -> None:
        """Record the number of correct choices in a batch."""
        self.positions += positions
        self.right.append(right / max(positions, 1))


class DiscardLearner(Learner):
    """Learns the values of discards."""

    def __init__(self, method: str) -> None:
        super().__init__(SIZE, method)

    def learn(self, views: npt.NDArray[Any], kinds: npt.NDArray[np.int64], rate: float) -> None:
        """Learn from the kinds that experts discarded."""
        state = (self.method, rate, self.weights, self.squares)
        scratch = (new_situation(), hand_pattern.maps(), tables_array(), new_weighing())
        lists = np.zeros((CANDIDATES, MOST), np.int32)
        self.note(learn_discards(views, kinds, *state, *scratch, lists), len(views))


class CallLearner(Learner):
    """Learns the values of calls."""

    def __init__(self, method: str) -> None:
        super().__init__(CALL_LAYOUT.size, method)

    def learn(self, views: npt.NDArray[Any], actions: npt.NDArray[np.int64], rate: float) -> None:
        """Learn from answers to offers of chi and pon."""
        state = (self.method, rate, self.weights, self.squares)
        scratch = (new_situation(), tables_array(), new_weighing(), new_calling())
        self.note(learn_calls(views, actions, *state, *scratch), len(views))


class OnePlayerTrainer:
    """Discards and calls, learned from the same games."""

    def __init__(self, config: OnePlayerConfig) -> None:
        self.config = config
        self.discards, self.calls = DiscardLearner(config.method), CallLearner(config.method)

    def run(self, dataset: Dataset, report: Report, roles: Roles = BY_SPLIT) -> None:
        """Go through the training games once for each rate; the result is the mean of the last pass's weights."""
        last = len(self.config.rates) - 1
        for number, rate in enumerate(self.config.rates):
            seed = 1000 * self.config.seed + number
            for i, moves in enumerate(read_moves(dataset, TRAINING, seed, self.config.part, roles)):
                self.learn(moves, rate)
                if number == last:
                    self.discards.add_to_means()
                    self.calls.add_to_means()
                if i % 50 == 49:
                    report(f"pass {number + 1}: {self.recent()}")

    def learn(self, moves: Moves, rate: float) -> None:
        """Learn from the moves of players who are probably trying to win."""
        wanted = ~threatened(moves.views) | moves.won
        kinds = discarded(moves, declared=True)
        chosen = wanted & (kinds >= 0)
        self.discards.learn(moves.views[chosen], kinds[chosen], rate)
        actions = called(moves)
        chosen = wanted & (actions >= 0) & (actions != act.OPEN_KAN)
        self.calls.learn(moves.views[chosen], actions[chosen], rate)

    def recent(self, batches: int = 50) -> str:
        """Share of correct choices in the last batches, as text."""
        words = (
            f"{learner.positions:,} {name}, {np.mean(learner.right[-batches:]):.4f} right"
            for name, learner in (("discards", self.discards), ("calls", self.calls))
        )
        return "; ".join(words)


@kernel
def learn_discards(
    views: Any,
    kinds: Any,
    method: int,
    rate: float,
    weights: Any,
    squares: Any,
    situation: Any,
    maps: Any,
    tables: Any,
    weighing: Any,
    lists: Any,
) -> int:
    """Learn from each discard in turn; returns how many had the highest value beforehand."""
    right = 0
    counts = np.zeros(CANDIDATES, np.int64)
    candidates = np.zeros(CANDIDATES, np.int64)
    values = np.zeros(CANDIDATES, np.float64)
    for i in range(len(views)):
        v, s, t, m, x = views[i], situation[0], tables[0], maps[0], weighing[0]
        situate(v, s)
        weigh_hand(v.hand, v.seen, s, t, x)
        number = best = expert = 0
        allowed = candidate_kinds(v)
        for kind in range(NUM_KINDS):
            if (allowed >> kind) & 1:
                counts[number] = list_discard(v.hand, kind, s, t, m, x, lists[number])
                candidates[number] = kind
                values[number] = signed_margin(lists[number], counts[number], weights)
                best = number if values[number] > values[best] else best
                expert = number if kind == kinds[i] else expert
                number += 1
        right += int(best == expert)
        learn_choice(lists, counts, values, number, best, expert, method, rate, weights, squares)
    return right


@kernel
def learn_choice(
    lists: Any,
    counts: Any,
    values: Any,
    number: int,
    best: int,
    expert: int,
    method: int,
    rate: float,
    weights: Any,
    squares: Any,
) -> None:
    """Learn from one choice among `number` candidates with these lists and values."""
    if method == PERCEPTRON:
        if best != expert:
            move(lists[expert], counts[expert], rate, weights)
            move(lists[best], counts[best], -rate, weights)
        return
    highest, total = values[best], 0.0
    for j in range(number):
        values[j] = exp(values[j] - highest)
        total += values[j]
    for j in range(number):
        gradient = values[j] / total - (1.0 if j == expert else 0.0)
        if abs(gradient) > 1e-4:
            descend(lists[j], counts[j], gradient, rate, weights, squares)


@kernel
def signed_margin(features: Any, count: int, weights: Any) -> float:
    """The sum of the weights of features; those with a minus sign are subtracted."""
    total = 0.0
    for i in range(count):
        feature = features[i]
        if feature >= 0:
            total += weights[feature]
        else:
            total -= weights[-1 - feature]
    return total


@kernel
def move(features: Any, count: int, step: float, weights: Any) -> None:
    """Add features, times a step, to the weights."""
    for i in range(count):
        feature = features[i]
        if feature >= 0:
            weights[feature] += step
        else:
            weights[-1 - feature] -= step


@kernel
def descend(features: Any, count: int, gradient: float, rate: float, weights: Any, squares: Any) -> None:
    """One step of Adagrad with a gradient that all features share."""
    square = gradient * gradient
    for i in range(count):
        feature = features[i]
        at = feature if feature >= 0 else -1 - feature
        squares[at] += square
        weights[at] -= rate * (gradient if feature >= 0 else -gradient) / np.sqrt(squares[at])


@kernel
def learn_calls(
    views: Any,
    actions: Any,
    method: int,
    rate: float,
    weights: Any,
    squares: Any,
    situation: Any,
    tables: Any,
    weighing: Any,
    calling: Any,
) -> int:
    """Learn from each answer in turn; returns how many had the highest value beforehand. Passing has value 0."""
    right = 0
    lists = np.zeros((act.OPEN_KAN - act.CHI + 1, CALL_MOST), np.int32)
    counts = np.zeros(len(lists), np.int64)
    values = np.zeros(len(lists), np.float64)
    for i in range(len(views)):
        v, s, t, x, c = views[i], situation[0], tables[0], weighing[0], calling[0]
        q = question_of_view(v)
        look_before(v, s, t, x, c)
        number, best, expert = 1, 0, 0
        for action in range(act.CHI, act.OPEN_KAN):
            if allows(q, action):
                counts[number] = list_call(v, action, s, t, x, c)
                lists[number] = c.list
                values[number] = signed_margin(lists[number], counts[number], weights)
                best = number if values[number] > values[best] else best
                expert = number if action == actions[i] else expert
                number += 1
        right += int(best == expert)
        learn_choice(lists, counts, values, number, best, expert, method, rate, weights, squares)
        values[0] = 0.0
    return right
