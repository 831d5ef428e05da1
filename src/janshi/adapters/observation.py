"""A player's view as one flat array that learning code can read, with a name for every part of it."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from gymnasium import spaces

from janshi.rules.game import Array, Game

MASK = "action_mask"
OBSERVATION = "observation"
WORD_BITS = 64
LEFT_OUT = ("legal",)
"""Fields of a view that the action mask already covers."""


class Observer:
    """Turns views of a game (structured records) into rows of numbers, int32[m, size].

    The fields of the view come in the order of `game.view_dtype`, each flattened. Fields of 64 bits are bit sets and
    become 64 zeros and ones each, lowest bit first. `layout` gives the columns of each field:
    `observation[..., observer.layout["hand"]]`.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.layout: dict[str, slice] = {}
        at, low, high = 0, [], []
        for name in game.view_dtype.names or ():
            if name not in LEFT_OUT:
                columns, least, most = _columns(game.view_dtype[name])
                self.layout[name] = slice(at, at + columns)
                low += [least] * columns
                high += [most] * columns
                at += columns
        self.size = at
        box = spaces.Box(np.array(low, np.int32), np.array(high, np.int32), dtype=np.int32)
        mask = spaces.Box(0, 1, (game.num_actions,), np.int8)
        self.space = spaces.Dict({OBSERVATION: box, MASK: mask})

    def observe(self, states: Array, tables: Array, players: Array) -> Array:
        """What each player of (tables, players) may know, int32[m, size]."""
        views = np.zeros(len(tables), self.game.view_dtype)
        self.game.views(states, tables, players, views)
        return self.encode(views)

    def encode(self, views: Array) -> Array:
        """Write views as rows of numbers."""
        out = np.empty((len(views), self.size), np.int32)
        for name, columns in self.layout.items():
            values = np.ascontiguousarray(views[name]).reshape(len(views), -1)
            out[:, columns] = _bits(values) if values.dtype.itemsize * 8 == WORD_BITS else values
        return out

    def masks(self, states: Array, tables: Array, players: Array) -> Array:
        """The legal actions of asked players, int8[m, num_actions]."""
        out = np.zeros((len(tables), self.game.num_actions), np.bool_)
        self.game.legal_masks(states, tables, players, out)
        return out.view(np.int8)


def _columns(field: np.dtype[Any]) -> tuple[int, int, int]:
    """How many columns a field takes, and the lowest and highest value in them."""
    base, values = field.base, prod(field.shape)
    if base.itemsize * 8 == WORD_BITS:
        return values * WORD_BITS, 0, 1
    limits = np.iinfo(base)
    return values, max(int(limits.min), -(2**31)), min(int(limits.max), 2**31 - 1)


def _bits(words: Array) -> Array:
    """Spread words (64-bit, [m, k]) into bits, uint8[m, 64 * k], lowest first."""
    little = words.astype("<i8", copy=False).view(np.uint8)
    return np.unpackbits(little, axis=1, bitorder="little")


def asked_players(game: Game, states: Array, table: int = 0) -> list[int]:
    """The players asked at one table, in seat order."""
    bits = int(game.asked(states)[table])
    return [player for player in range(game.players) if bits >> player & 1]


def table_text(game: Game, states: Array, table: int = 0) -> str:
    """One table as text, all hands open, for spectators."""
    shown = game.family.new_table(0, game.rules)
    for name in game.state_dtype.names or ():
        shown.state[name] = states[table][name]
    return str(shown)
