"""Many tables of one game, stepped together: the fast way to play.

>>> from janshi.rules.batch import Batch
>>> from janshi.rules.registry import make_game
>>> batch = Batch(make_game("riichi/tenhou"), tables=64, seed=1)
>>> batch.legal_masks().shape == (len(batch), 120)
True
>>> batch.step(batch.random_actions())

Each `step` answers every open decision. A table whose hand or game has just ended asks nobody, so that its result
can be read; the next `step` moves it on to its next hand or, with `restart`, its next game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from janshi.core import rng
from janshi.core._jit import kernel
from janshi.rules.game import Array, Game
from janshi.rules.stepper import Stepper

WORD = 8
"""Masks are padded to whole words of eight actions."""
_ONES = np.uint64(0x0101010101010101)
_TOP_BYTE = np.uint64(56)


class Batch:
    """An array of tables and the decisions open on them.

    `tables` and `players` name the open decisions, table by table and in seat order.
    """

    def __init__(self, game: Game, tables: int, seed: int = 0, threads: int = 1, restart: bool = True) -> None:
        if tables < 1 or threads < 1:
            raise ValueError(f"a batch needs at least one table and one thread, not {tables} and {threads}")
        self.game = game
        self.restart = restart
        self.stepper = Stepper(game, tables, threads=threads)
        self.stepper.start(game_seeds(seed, tables))
        self._rng = game_seeds(seed, 1)
        most = tables * game.players
        self._words = np.zeros((most, -(-game.num_actions // WORD)), np.uint64)
        self._masks = self._words.view(np.bool_)[:, : game.num_actions]
        self._actions = np.zeros(most, np.int64)

    def __len__(self) -> int:
        """How many decisions are open."""
        return len(self.stepper)

    @property
    def states(self) -> Any:
        """The tables' records, with fields as attributes: `batch.states.scores`."""
        return self.stepper.states.view(np.recarray)

    @property
    def tables(self) -> Array:
        """The table of each open decision."""
        return self.stepper.tables

    @property
    def players(self) -> Array:
        """The player of each open decision."""
        return self.stepper.players

    @property
    def over(self) -> Array:
        """Which tables' games are over."""
        return self.game.is_over(self.stepper.states)

    def legal_masks(self) -> Array:
        """The legal actions of each open decision, bool[len(self), num_actions]; overwritten by the next call."""
        return self._written(self.game.legal_masks, self._masks[: len(self)])

    def views(self) -> Array:
        """What each asked player may know, as a new array of the game's view records."""
        return self._written(self.game.views, np.zeros(len(self), self.game.view_dtype)).view(np.recarray)

    def oracle_views(self) -> Array:
        """Views with hidden hands, as a new array of the game's oracle view records."""
        return self._written(self.game.oracle_views, np.zeros(len(self), self.game.oracle_dtype)).view(np.recarray)

    def _written(self, write: Callable[[Array, Array, Array, Array], None], out: Array) -> Array:
        """Let the game write a record for every open decision, on all threads."""
        states, tables, players = self.stepper.states, self.tables, self.players
        self.stepper.over_decisions(lambda a, b: write(states, tables[a:b], players[a:b], out[a:b]))
        return out

    def random_actions(self) -> Array:
        """A uniformly random legal action for each open decision; overwritten by the next call."""
        states, tables, players = self.stepper.states, self.tables, self.players
        actions, masks, word = self._actions[: len(self)], self._masks, self._rng[0]

        def choose(a: int, b: int) -> None:
            self.game.legal_masks(states, tables[a:b], players[a:b], masks[a:b])
            choose_evenly(self._words[a:b], word, a, actions[a:b])

        self.stepper.over_decisions(choose)
        advance(self._rng)
        return actions

    def step(self, actions: Array, check: bool = True) -> None:
        """Answer every open decision; with `check`, an illegal action raises `ValueError` and nothing is changed."""
        actions = np.asarray(actions)
        if actions.shape != (len(self),):
            raise ValueError(
                f"step needs one action for each of the {len(self)} open decisions, not shape {actions.shape}"
            )
        if actions.dtype != np.int64:
            actions = actions.astype(np.int64)
        if check:
            self._refuse_illegal(actions)
        self.stepper.step(actions, self.restart)

    def _refuse_illegal(self, actions: Array) -> None:
        tables = self.stepper
        at = self.game.first_illegal(tables.states, tables.first, actions)  # faster than waking other threads
        if at >= 0:
            names = self.game.action_names
            action = int(actions[at])
            name = names[action] if 0 <= action < len(names) else "no such action"
            legal = [names[a] for a in np.flatnonzero(self.legal_masks()[at])]
            raise ValueError(
                f"illegal action {action} ({name}) for player {self.players[at]} at table {self.tables[at]} "
                f"(decision {at}); legal are: {', '.join(legal)}"
            )


def game_seeds(seed: int, n: int) -> Array:
    """Seeds of the games at `n` tables: hashed from the batch's seed and the table's number."""
    return np.array([rng.key(np.uint64(seed % 2**64), table, 0) for table in range(n)], np.uint64)


def mask_words(masks: Array) -> Array:
    """Masks, bool[m, actions], as `choose_evenly` reads them: uint64[m, words]."""
    words = np.zeros((len(masks), -(-masks.shape[1] // WORD)), np.uint64)
    words.view(np.bool_)[:, : masks.shape[1]] = masks
    return words


@kernel
def advance(state: Array) -> None:
    """Advance a random stream kept in an array of one word."""
    state[0] = rng.mix(state[0] + rng.GAMMA)


@kernel
def sum_bytes(word: np.uint64) -> int:
    """The sum of a word's eight bytes (below 256)."""
    return int(np.int64((word * _ONES) >> _TOP_BYTE))


@kernel
def choose_evenly(masks: Array, base: np.uint64, offset: int, out: Array) -> None:
    """Draw one of the actions allowed by each mask; decision i's random word is hashed from `base` and `offset + i`.

    Masks are read eight actions at a time: uint64[m, words], a byte for each action.
    """
    for i in range(len(masks)):
        count = 0
        for w in range(masks.shape[1]):
            count += sum_bytes(masks[i, w])
        word = rng.mix(base + rng.GAMMA * np.uint64(offset + i + 1))
        skip = int(np.int64(((word >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32)))
        out[i] = nth_action(masks[i], skip)


@kernel
def nth_action(mask: Array, skip: int) -> int:
    """The allowed action that comes after `skip` other allowed ones."""
    w = 0
    while skip >= sum_bytes(mask[w]):
        skip -= sum_bytes(mask[w])
        w += 1
    word = mask[w]
    for _ in range(skip):
        word &= word - np.uint64(1)
    action = WORD * w
    while word & np.uint64(1) == np.uint64(0):
        word >>= np.uint64(WORD)
        action += 1
    return action
