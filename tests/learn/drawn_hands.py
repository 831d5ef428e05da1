"""Hands stepped together with every draw noted, for tests of returns without luck."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import torch

from janshi.features.before_draw import BeforeDraw
from janshi.features.planes import Encoder, encoder
from janshi.rules.game import Array, Game
from janshi.rules.stepper import Stepper

Choose = Callable[[Array, int], Array]
"""Actions from legal masks, bool[m, actions], and the number of the step."""


class Drawn(NamedTuple):
    """Draws at tables: positions before them, what came, and the number of tiles of each kind that could come."""

    table: Array  # int64[m]
    player: Array  # int64[m]
    position: Array  # uint8[m, bytes], everything that a network of terms sees
    tile: Array  # int64[m]
    counts: Array  # float32[m, cells]
    step: int


def own_turns(game: Game, tables: Stepper) -> Array:
    """Numbers of the open decisions in which passing is not allowed."""
    return np.flatnonzero(~game.masks_of_views(tables.views())[:, -1])


def open_draws(game: Game, planes: Encoder, tables: Stepper, step: int = 0) -> Drawn:
    """The draws that the open decisions follow."""
    rows = own_turns(game, tables)
    at, players = tables.tables[rows], tables.players[rows]
    private = np.zeros((len(rows), planes.private_bytes), np.uint8)
    hidden = np.zeros((len(rows), planes.hidden_bytes), np.uint8)
    planes.pack_states(tables.states, at, players, private, hidden)
    before = BeforeDraw(planes)
    found = before(torch.from_numpy(private), torch.from_numpy(hidden))
    seen = np.unique(before.plain.wall_free_probes.source)
    there = found.counts.sum(1).numpy() > 0
    position = np.concatenate([found.private.numpy(), hidden[:, seen]], 1)
    return Drawn(
        at[there], players[there], position[there], found.drawn.numpy()[there], found.counts.numpy()[there], step
    )


def play(game: Game, tables: Stepper, choose: Choose) -> list[Drawn]:
    """Play all tables to the end of their hands; every draw but those before the first decisions is listed."""
    planes, found, step = encoder(game.family.name), [], 0
    while len(tables):
        tables.step(choose(game.masks_of_views(tables.views()), step))
        step += 1
        if len(tables):
            found.append(open_draws(game, planes, tables, step))
    return found


def luck(drawn: Drawn, values: Any) -> Array:
    """The luck of draws by seat, float64[m, players], by values float64[m, cells, players] of the seats."""
    counts = drawn.counts.astype(np.float64)
    share = counts / counts.sum(1, keepdims=True)
    return np.asarray(values[np.arange(len(drawn.tile)), drawn.tile] - np.einsum("mk,mkp->mp", share, values))
