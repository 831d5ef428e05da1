"""Riichi tables on all cores: they take answers and return open decisions, draws and finished hands."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np

from janshi.learn.riichi.kernels import play_tables
from janshi.learn.riichi.table_records import (
    DECISIONS,
    DRAW_DTYPE,
    DRAWS,
    END_DTYPE,
    ENDS,
    SLOT_DTYPE,
    URA,
    URA_DTYPE,
    Group,
    new_desk,
    new_group,
    new_out,
)
from janshi.rules.game import Array
from janshi.rules.riichi.ruleset import TENHOU, TENHOU_EAST, Ruleset
from janshi.rules.riichi.state import GAME_OVER, STATE_DTYPE

MIXED: Final = (TENHOU_EAST, TENHOU)
"""East games and South games, table by table."""
ENDLESS: Final = 1 << 40
"""Number of games for a table that never stops."""
HANDS: Final = 1 << 32
"""Range of hand numbers of a table."""


@dataclass(frozen=True)
class Step:
    """What happened at all tables between the answers and the next decisions."""

    packed: Array
    """Open decisions, PACKED_DTYPE[m], table by table."""
    asked: Array
    """ASKED_DTYPE[m]."""
    draws: Array
    ends: Array
    ura: Array


def whole(array: Array) -> Array:
    """Records as blocks of bytes, which NumPy copies many times faster."""
    return np.ascontiguousarray(array).view(np.dtype((np.void, array.dtype.itemsize)))


def joined(parts: list[Array], dtype: np.dtype[Any]) -> Array:
    """Arrays of records, one after another."""
    return np.concatenate([whole(part) for part in parts]).view(dtype) if parts else np.zeros(0, dtype)


class Tables:
    """Many tables of whole games. Play does not depend on the number of threads."""

    def __init__(
        self,
        walls: Array,
        seed: int,
        *,
        stride: int,
        games: int = ENDLESS,
        rules: Sequence[Ruleset] = MIXED,
        which: Array | None = None,
        pool: ThreadPoolExecutor | None = None,
        threads: int = 1,
    ) -> None:
        """Tables whose first games have the given wall numbers; later games follow at `stride`.

        which: the rules of each table; by default, tables take the rules in turn.
        """
        n = len(walls)
        self.rules = list(rules)
        self._states, self._slots = np.zeros(n, STATE_DTYPE), np.zeros(n, SLOT_DTYPE)
        self._slots["hand"] = np.arange(n) * HANDS
        self._slots["wall"], self._slots["games"] = walls, games
        self._slots["rules"] = np.arange(n) % len(self.rules) if which is None else which
        bounds = np.linspace(0, n, min(threads, n) + 1).astype(np.int64).tolist()
        self._threads = [
            _Thread(new_group(self._states[a:b], self._slots[a:b], a, stride, seed, self.rules))
            for a, b in pairwise(bounds)
        ]
        self._pool = pool or (ThreadPoolExecutor(len(self._threads)) if len(self._threads) > 1 else None)

    def __len__(self) -> int:
        return len(self._states)

    def start(self) -> Step:
        """Begin the first games."""
        return self._play(np.zeros(0, np.int64), True)

    def step(self, actions: Array) -> Step:
        """Answer all open decisions, int64[m], and play on to the next."""
        return self._play(actions, False)

    @property
    def all_over(self) -> bool:
        """Whether every table has played all its games."""
        return bool((self._states["phase"] == GAME_OVER).all())

    def _play(self, actions: Array, begin: bool) -> Step:
        ends = np.cumsum([0, *(0 if begin else thread.open for thread in self._threads)]).tolist()
        jobs = [(thread, actions[a:b]) for thread, (a, b) in zip(self._threads, pairwise(ends))]
        if self._pool is None:
            done = [thread.play(some, begin) for thread, some in jobs]
        else:
            done = list(self._pool.map(lambda job: job[0].play(job[1], begin), jobs))
        return Step(*(joined(list(columns), columns[0].dtype) for columns in zip(*done)))


class _Thread:
    """The tables of one thread and its buffers."""

    def __init__(self, group: Group) -> None:
        self._group = group
        self._out, self._desk = new_out(len(group.states)), new_desk()

    @property
    def open(self) -> int:
        """The number of open decisions."""
        return int(self._group.first[-1])

    def play(self, actions: Array, begin: bool) -> tuple[Array, ...]:
        """Answer the open decisions and play on; returns the parts of a `Step` as views of the buffers."""
        out = self._out
        play_tables(self._group, actions, begin, out, self._desk)
        n = out.used
        return (
            out.packed[: n[DECISIONS]],
            out.asked[: n[DECISIONS]],
            out.draws[: n[DRAWS]],
            out.ends[: n[ENDS]],
            out.ura[: n[URA]],
        )


class Course:
    """What happened at tables, stored until the hands are over."""

    def __init__(self, draws: bool = True) -> None:
        """Without `draws`, only ends are stored."""
        self._all = draws
        self.draws: list[Array] = []
        self.ends: list[Array] = []
        self.ura: list[Array] = []
        self.waiting = 0
        """Draws that are kept."""

    def add(self, step: Step, first: int = 0) -> None:
        """Store what happened in a step; tables are numbered from `first`."""
        self.ends.append(renumbered(step.ends, first))
        if self._all:
            self.draws.append(renumbered(step.draws, first))
            self.ura.append(renumbered(step.ura, first))
            self.waiting += len(step.draws)

    def finished(self) -> tuple[Array, Array, Array]:
        """Draws, ends and ura indicators of finished hands; those of other hands stay."""
        ends, draws, ura = joined(self.ends, END_DTYPE), joined(self.draws, DRAW_DTYPE), joined(self.ura, URA_DTYPE)
        over = np.isin(draws["hand"], ends["hand"])
        self.ends, self.ura, self.draws = [], [], [whole(draws)[~over].view(DRAW_DTYPE)]
        self.waiting = len(self.draws[0])
        return whole(draws)[over].view(DRAW_DTYPE), ends, ura


def renumbered(records: Array, first: int) -> Array:
    """Renumber records of tables and their hands to start from `first`; unchanged if `first` is 0."""
    if first == 0:
        return records
    made = whole(records).copy().view(records.dtype)
    made["hand"] += first * HANDS
    if "table" in (records.dtype.names or ()):
        made["table"] += first
    return made
