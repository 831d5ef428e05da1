"""Prospects: how far every hand is from winning before a draw, and what each possible tile would do to it.

A *prospect* is a record of bytes: some numbers about each player's hand, and some about each kind of tile, all known
before the draw. It does not depend on the tile that came or on the order of the wall, so values computed from it can
measure the luck of the draw (`learn/prospect_values.py`). Players are counted from the one who draws. Kernels write
prospects from states on the turn after the draw, with the drawn tile put back.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.features.families import FEATURES_LAYER
from janshi.features.packed import PackedEncoder
from janshi.rules.family import Family
from janshi.rules.game import Array, Game

MOST = 255
"""The largest number that a byte holds."""


Writer = Callable[[Array, Array, Array, Array], None]
"""Writes the prospects of (states, tables, players) into records."""


@dataclass(frozen=True)
class ProspectSet:
    """The prospects of a family of rules: for draws, or for choices, whose outcomes are actions instead of kinds."""

    version: str
    """Changes whenever the meaning of a number changes; values are trained for one version."""
    players: int
    kinds: int
    """Number of outcomes of an event: kinds of tiles, or actions."""
    about_players: tuple[str, ...]
    """Descriptions of the numbers about a player's hand."""
    about_tiles: tuple[str, ...]
    """Descriptions of the numbers about a kind. The last is the number of undrawn tiles, all 0 if no tile was drawn;
    for an action, whether it is legal, all 0 if there was no choice."""
    writer: Callable[[Game], Writer]
    """Makes a function that writes records of `dtype`. Decisions that do not follow a draw get zeros."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """A prospect, and the kind that came, which is not part of it."""
        return record_dtype(
            [
                ("players", np.uint8, (self.players, len(self.about_players))),
                ("tiles", np.uint8, (self.kinds, len(self.about_tiles))),
                ("drawn", np.uint8),
            ]
        )


def prospects_of(family: Family) -> ProspectSet:
    """The prospects of a family of rules; raises `ValueError` if it has none."""
    load = FEATURES_LAYER.of(family).prospects
    if load is None:
        raise ValueError(f"there are no prospects for {family.name}")
    found: ProspectSet = load()
    return found


def choices_of(family: Family) -> ProspectSet | None:
    """The prospects of a family's actions; None if it has none."""
    load = FEATURES_LAYER.of(family).choices
    return None if load is None else load()


class Prospects:
    """Writes prospects of one game, on any number of threads."""

    def __init__(self, game: Game, about: ProspectSet | None = None) -> None:
        """`about` defaults to the prospects of draws."""
        self.about = about or prospects_of(game.family)
        self.dtype = self.about.dtype
        self._game, self._own = game, threading.local()

    def write(self, states: Array, tables: Array, players: Array, out: Array) -> None:
        """Write a record of `dtype` for each decision (table, player); zeros for those that do not follow a draw."""
        if not hasattr(self._own, "write"):
            self._own.write = self.about.writer(self._game)
        self._own.write(states, tables, players, out)

    def of(self, states: Array, tables: Array, players: Array) -> Array:
        """The prospects of decisions, records of `dtype`."""
        out = np.zeros(len(tables), self.dtype)
        self.write(states, tables, players, out)
        return out


class WithProspects:
    """Wraps an encoder so that hidden inputs end with prospects of draws.

    With `choices`, prospects of actions come before them, if the family has any.
    """

    def __init__(self, inner: PackedEncoder, game: Game, choices: bool = False) -> None:
        of_actions = choices_of(game.family) if choices else None
        self.inner = inner
        self.parts = [Prospects(game, of_actions)] if of_actions else []
        self.parts.append(Prospects(game))
        self.name, self.version, self.num_actions = inner.name, inner.version, inner.num_actions
        self.private_bytes = inner.private_bytes
        self.hidden_bytes = inner.hidden_bytes + sum(part.dtype.itemsize for part in self.parts)
        self.pack_views, self.masks = inner.pack_views, inner.masks

    def pack_states(
        self, states: Array, tables: Array, players: Array, private_out: Array | None, hidden_out: Array | None = None
    ) -> None:
        """Write the records of (tables, players), prospects after the hidden ones."""
        if hidden_out is None:
            self.inner.pack_states(states, tables, players, private_out, None)
            return
        hidden = np.zeros((len(tables), self.inner.hidden_bytes), np.uint8)
        self.inner.pack_states(states, tables, players, private_out, hidden)
        hidden_out[:, : self.inner.hidden_bytes] = hidden
        at = self.inner.hidden_bytes
        for part in self.parts:
            records = part.of(states, tables, players)
            hidden_out[:, at : at + part.dtype.itemsize] = records.view(np.uint8).reshape(len(tables), -1)
            at += part.dtype.itemsize


def undrawn(prospects: Array) -> Array:
    """Number of tiles of each kind that could have come, uint8[m, kinds]; all 0 if no tile was drawn."""
    return np.asarray(prospects["tiles"][:, :, -1])


@kernel
def to_byte(value: float) -> int:
    """Clip a number to the range of a byte."""
    return max(0, min(MOST, int(value)))
