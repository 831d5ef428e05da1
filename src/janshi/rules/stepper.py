"""Tables stepped together, and the decisions open on them: the core of everything that plays many tables at once.

>>> from janshi.rules.registry import make_game
>>> from janshi.rules.stepper import Stepper
>>> tables = Stepper(make_game("simplified"), 3)
>>> tables.start(np.arange(3, dtype=np.uint64))
>>> len(tables), tables.tables.tolist(), tables.players.tolist()
(3, [0, 1, 2], [0, 0, 0])

Batches, matches, self-play, evaluation and recorded hands differ in who answers and in what they remember. What they
share is here: who is asked, in which order, on which threads, and which tables have just ended.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from janshi.core._jit import kernel
from janshi.rules.game import Array, Game


class Stepper:
    """An array of tables. Their open decisions are listed table by table and in seat order.

    `states` are the tables' records, `asked` the bit sets of the players asked at each, and `ended` marks the tables
    where the last step left nobody asked.
    """

    def __init__(
        self, game: Game, tables: int, *, threads: int = 1, pool: ThreadPoolExecutor | None = None, group: int = 1
    ) -> None:
        """Make blank tables. Threads get whole groups of `group` tables; a `pool` may be shared with others."""
        self.game = game
        self.states = game.new_states(tables)
        self._make_lists(tables)
        groups = tables // group
        bounds = np.linspace(0, groups, min(threads, groups) + 1).astype(np.int64) * group
        self.parts: list[tuple[int, int]] = list(zip(bounds[:-1].tolist(), bounds[1:].tolist()))
        """First table and past the last table of each thread."""
        self.contexts = [game.new_context() for _ in self.parts]
        self._pool = pool or (ThreadPoolExecutor(len(self.parts) - 1) if len(self.parts) > 1 else None)

    def _make_lists(self, tables: int) -> None:
        self.asked, self.ended = np.zeros(tables, np.int64), np.zeros(tables, np.bool_)
        self._first = np.zeros(tables + 1, np.int64)
        self._tables, self._players = (np.zeros(tables * self.game.players, np.int64) for _ in range(2))
        self._listed = False

    @classmethod
    def of(cls, game: Game, states: Array, context: Any = None) -> Stepper:
        """Tables that are being played already, stepped in place; they may share another's context."""
        made = cls(game, 0)
        made.states, made.parts, made.contexts = states, [(0, len(states))], [context or game.new_context()]
        made._make_lists(len(states))
        made.asked[:] = game.asked(states)
        return made

    # --- open decisions

    def __len__(self) -> int:
        """How many decisions are open."""
        return int(self.first[-1])

    @property
    def first(self) -> Array:
        """Where each table's decisions begin, int64[tables + 1]."""
        if not self._listed:
            list_asked(self.asked, self._first, self._tables, self._players)
            self._listed = True
        return self._first

    @property
    def tables(self) -> Array:
        """The table of each open decision, int64[len(self)]."""
        return self._tables[: len(self)]

    @property
    def players(self) -> Array:
        """The player of each open decision, int64[len(self)]."""
        return self._players[: len(self)]

    def views(self, rows: Array | slice = slice(None)) -> Array:
        """What the players of some open decisions may know, as a new array of view records."""
        tables, players = self.tables[rows], self.players[rows]
        out = np.zeros(len(tables), self.game.view_dtype)
        self.game.views(self.states, tables, players, out)
        return out

    # --- playing

    def start(self, seeds: Array, places: Array | None = None) -> None:
        """Begin games from their seeds (uint64), at all tables or at some places."""
        if places is None:
            self.each(lambda part, a, b: self._begin(part, self.states[a:b], seeds[a:b], np.arange(a, b)))
            self.asked[:] = self._asks(self.states, np.arange(len(self.states)))
        else:
            fresh = self.game.new_states(len(places))
            self._begin(0, fresh, seeds, places)
            whole(self.states)[places] = whole(fresh)
            self.asked[places] = self._asks(fresh, places)
        self._listed = False

    def step(self, actions: Array, restart: bool = False) -> None:
        """Answer every open decision. Where nobody is asked, the next hand begins or, with `restart`, the next game.

        Actions, int64[len(self)], are trusted to be legal.
        """
        first = self.first
        self.each(lambda part, a, b: self._step(part, a, b, first, actions, restart))
        self._listed = False

    def go_on(self, asked: Array) -> None:
        """Continue from states that were overwritten, such as those of a checkpoint."""
        self.asked[:], self._listed = asked, False

    def keep(self, places: Array) -> None:
        """Drop all other tables. Only for tables of one thread."""
        self.states = whole(self.states)[places].view(self.game.state_dtype)
        self.asked, self.ended, self._listed = self.asked[places], self.ended[places], False
        self._first, self.parts = self._first[: len(places) + 1], [(0, len(places))]

    def _step(self, part: int, a: int, b: int, first: Array, actions: Array, restart: bool) -> None:
        states = self.states[a:b]
        self._answer(part, a, b, first[a : b + 1], actions, restart)
        note_asked(self._asks(states, slice(a, b)), self.asked[a:b], self.ended[a:b])

    # --- what a subclass may override

    def _begin(self, part: int, states: Array, seeds: Array, places: Array) -> None:
        """Begin games in fresh states for the tables at `places`."""
        self.game.start(states, seeds, self.contexts[part])

    def _answer(self, part: int, a: int, b: int, first: Array, actions: Array, restart: bool) -> None:
        """Carry out the answers of tables a to b."""
        self.game.step(self.states[a:b], first, actions, restart, self.contexts[part])

    def _asks(self, states: Array, places: Any) -> Array:
        """Bit sets of the players asked in the states of the tables at `places`."""
        return self.game.asked(states)

    # --- threads

    def each(self, work: Callable[[int, int, int], Any]) -> list[Any]:
        """Do work(part, first table, past last table) for all parts, on the threads there are."""
        if self._pool is None or len(self.parts) == 1:
            return [work(i, *part) for i, part in enumerate(self.parts)]
        others = [self._pool.submit(work, i, *self.parts[i]) for i in range(1, len(self.parts))]
        return [work(0, *self.parts[0]), *(other.result() for other in others)]

    def over_decisions(self, work: Callable[[int, int], Any]) -> None:
        """Do work(first, past last) over the open decisions of each part."""
        first = self.first
        self.each(lambda _, a, b: work(int(first[a]), int(first[b])))


def whole(states: Array) -> Array:
    """States as blocks of bytes, which NumPy copies many times faster than records with fields."""
    return states.view(np.dtype((np.void, states.dtype.itemsize)))


@kernel
def list_asked(asked: Array, first: Array, tables: Array, players: Array) -> None:
    """Write (table, player) of every asked player, and how many stand before each table, int64[n + 1]."""
    at = 0
    for i in range(len(asked)):
        first[i] = at
        bits, player = asked[i], 0
        while bits:
            if bits & 1:
                tables[at] = i
                players[at] = player
                at += 1
            bits >>= 1
            player += 1
    first[len(asked)] = at


@kernel
def note_asked(now: Array, asked: Array, ended: Array) -> None:
    """Update who is asked now, and mark the tables where nobody is any more."""
    for i in range(len(now)):
        bits = int(now[i])
        ended[i] = bits == 0 and asked[i] != 0
        asked[i] = bits
