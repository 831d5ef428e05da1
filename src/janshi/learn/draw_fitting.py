"""Fitting values of draws to recorded hands, on a CPU in minutes; thousands of hands are enough.

Values learn to forecast the result of a hand after each of its draws. Every second pass, the targets are updated with
the current values: the result minus the luck of later draws has the same expectation and varies less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from torch import Tensor

from janshi.features.prospects import Prospects, undrawn
from janshi.learn.outcome_values import terms
from janshi.learn.prospect_values import ProspectValues
from janshi.learn.slots import turned
from janshi.learn.variance import Share, Squares, squared_distances
from janshi.learn.warm_start import Recorded
from janshi.rules.game import Array, Game
from janshi.rules.stepper import Stepper

PIECE: Final = 4096
"""Batch size for computing the values of draws."""
RENEWED: Final = 2
"""Passes between updates of the targets."""


class DrawnHands(NamedTuple):
    """The draws of hands, hand by hand and in the order of play, and how the hands ended."""

    prospects: Array  # records [d]
    hand: Array  # int64[d]
    player: Array  # int64[d], who drew
    scores: Array  # float64[h, players], in points

    def part(self, first: int, end: int) -> DrawnHands:
        """Hands `first` to `end` (not included)."""
        a, b = np.searchsorted(self.hand, [first, end])
        return DrawnHands(self.prospects[a:b], self.hand[a:b] - first, self.player[a:b], self.scores[first:end])

    def chosen(self, wanted: Array) -> DrawnHands:
        """The selected hands, bool[h]."""
        there, number = wanted[self.hand], np.cumsum(wanted) - 1
        return DrawnHands(
            self.prospects[there], number[self.hand[there]], self.player[there], self.scores[np.asarray(wanted)]
        )


def draws_of(game: Game, hands: Recorded) -> DrawnHands:
    """Replay recorded hands and write the prospects of all their draws."""
    prospects, tables = Prospects(game), Stepper(game, len(hands.seeds))
    tables.start(hands.seeds.astype(np.uint64))
    at, ends = np.cumsum(hands.lengths) - hands.lengths, hands.actions.astype(np.int64)
    found: list[tuple[Array, Array, Array]] = []
    while len(tables):
        table, player = tables.tables.copy(), tables.players.copy()
        records = prospects.of(tables.states, table, player)
        there = undrawn(records).any(1)
        found.append((records[there], table[there], player[there]))
        tables.step(ends[at[table] + _places(table)])
        at += np.bincount(table, minlength=len(at))
    records, hand, player = (np.concatenate(parts) for parts in zip(*found))
    order = np.argsort(hand, kind="stable")
    return DrawnHands(records[order], hand[order], player[order], hands.scores.astype(np.float64))


def _places(tables: Array) -> Array:
    """The index of each open decision among those of its table; tables are in order."""
    return np.arange(len(tables)) - np.searchsorted(tables, tables)


def join(parts: Sequence[DrawnHands]) -> DrawnHands:
    """Hands of several records together."""
    before = np.cumsum([0, *(len(part.scores) for part in parts)])
    return DrawnHands(
        np.concatenate([part.prospects for part in parts]),
        np.concatenate([part.hand + first for part, first in zip(parts, before)]),
        np.concatenate([part.player for part in parts]),
        np.concatenate([part.scores for part in parts]),
    )


# --- luck, and results without it


@torch.no_grad()
def luck_of(network: ProspectValues, drawn: DrawnHands, scale: float) -> Array:
    """The luck of draws by seat in points, float64[d, players]."""
    found = []
    for a in range(0, len(drawn.prospects), PIECE):
        rows = as_bytes(drawn.prospects[a : a + PIECE])
        found.append(terms(network(rows), network.drawn(rows), network.chances(rows)).double().numpy())
    return turned(np.concatenate(found), -drawn.player) / scale


def as_bytes(prospects: Array) -> Tensor:
    """Records as networks' inputs, uint8[m, bytes]."""
    return torch.from_numpy(np.ascontiguousarray(prospects).view(np.uint8).reshape(len(prospects), -1))


def share_left(drawn: DrawnHands, luck: Array) -> Share:
    """The remaining share of the variance of hands' results without the luck of their draws."""
    total = np.zeros_like(drawn.scores)
    np.add.at(total, drawn.hand, luck)
    return Squares([squared_distances(drawn.scores - total)], [squared_distances(drawn.scores)]).share()


def returns_after(drawn: DrawnHands, luck: Array) -> Array:
    """The result minus the luck of later draws, for each draw: float64[d, players] by seat, in points."""
    sums = np.concatenate([np.zeros((1, luck.shape[1])), np.cumsum(luck, 0)])
    ends = np.searchsorted(drawn.hand, np.arange(len(drawn.scores)), "right")
    later = sums[ends[drawn.hand]] - sums[1:]
    return np.asarray(drawn.scores[drawn.hand] - later)


# --- fitting


def fit(
    network: ProspectValues,
    drawn: DrawnHands,
    scale: float,
    *,
    passes: int = 8,
    batch: int = 2048,
    rate: float = 2e-3,
    seed: int = 0,
    report: Callable[[int, float], None] = lambda passed, loss: None,
) -> None:
    """Train values on draws; `report` is called after each pass with its number and the mean loss."""
    rows = as_bytes(drawn.prospects)
    network.scale_by(rows)
    optimiser = torch.optim.Adam(network.parameters(), rate)
    random, steps = np.random.default_rng(seed), passes * (len(rows) // batch)
    targets = drawn.scores[drawn.hand]
    done = 0
    for passed in range(passes):
        if passed and passed % RENEWED == 0:
            targets = returns_after(drawn, luck_of(network, drawn, scale))
        wanted = torch.from_numpy(scale * turned(targets, drawn.player)).float()
        losses = []
        for at in _batches(random, len(rows), batch):
            optimiser.param_groups[0]["lr"] = rate * (1 - done / max(steps, 1)) + rate / 100
            losses.append(_step(network, optimiser, rows[at], wanted[at]))
            done += 1
        report(passed + 1, float(np.mean(losses)))


def _batches(random: np.random.Generator, n: int, batch: int) -> Iterator[Array]:
    order = random.permutation(n)
    for a in range(0, n - batch + 1, batch):
        yield order[a : a + batch]


def _step(network: ProspectValues, optimiser: Any, rows: Tensor, targets: Tensor) -> float:
    """One step of Adam on the values of the drawn tiles."""
    loss = (network.of_picked(rows, network.drawn(rows)) - targets).square().sum(1).mean()
    optimiser.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    optimiser.step()
    return float(loss.detach())
