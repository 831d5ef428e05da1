"""Hands stepped together with every draw noted, for tests of returns without luck."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from janshi.features.prospects import Prospects
from janshi.rules.game import Array, Game
from janshi.rules.stepper import Stepper

Choose = Callable[[Array, int], Array]
"""Actions from legal masks, bool[m, actions], and the number of the step."""
TURN = 1
SEEN = ("melds", "meld_type", "meld_kind", "river", "discards", "seen", "actor", "left")
"""Fields of a state that say, with the hands, what a position is before a draw."""


class Drawn(NamedTuple):
    """Draws at tables: positions before them, what came, and the number of tiles of each kind that could come."""

    table: Array  # int64[m]
    player: Array  # int64[m]
    position: Array  # uint8[m, bytes], everything about the position before the draw
    tile: Array  # int64[m]
    counts: Array  # float64[m, kinds]
    step: int
    prospects: Array  # records [m]


def undrawn_places(game: Game, state: Array) -> Array:
    """Places of the tiles that nobody has drawn."""
    if game.players == 3:
        return np.arange(int(state["left"]))
    size = int(state["wall_size"])
    return np.concatenate([player * size + np.arange(int(state["left"][player])) for player in range(4)])


def is_fresh(game: Game, state: Array, player: int) -> bool:
    """Whether a decision follows a draw: on the player's own turn, but not after a call or, simplified, a kong."""
    drew = state["phase"] == TURN and state["actor"] == player and state["drawn"] >= 0
    return bool(drew and (game.players == 4 or state["moment"] == 2))


def open_draws(game: Game, prospects: Prospects, tables: Stepper, step: int = 0) -> Drawn:
    """The draws that the open decisions follow, found from states alone."""
    at, players = tables.tables.copy(), tables.players.copy()
    fresh = np.array([is_fresh(game, tables.states[t], p) for t, p in zip(at, players)], np.bool_)
    at, players = at[fresh], players[fresh]
    states, kinds = tables.states[at], prospects.about.kinds
    tile = states["drawn"].astype(np.int64)
    hands, rows = states["hand"].copy(), np.arange(len(at))
    hands[rows, players, tile] -= 1
    counts = np.zeros((len(at), kinds))
    for i, state in enumerate(states):
        wall = state["wall"][undrawn_places(game, state)]
        counts[i] = np.bincount(wall[wall < kinds], minlength=kinds)
    counts[rows, tile] += 1
    parts = [hands, *(np.ascontiguousarray(states[name]) for name in SEEN)]
    sizes = [int(np.prod(part.shape[1:], dtype=int)) * part.itemsize for part in parts]
    position = np.concatenate([part.view(np.uint8).reshape(len(at), n) for part, n in zip(parts, sizes)], 1)
    return Drawn(at, players, position, tile, counts, step, prospects.of(tables.states, at, players))


def play(game: Game, tables: Stepper, choose: Choose) -> list[Drawn]:
    """Play all tables to the end of their hands; every draw but those before the first decisions is listed."""
    prospects, found, step = Prospects(game), [], 0
    while len(tables):
        tables.step(choose(game.masks_of_views(tables.views()), step))
        step += 1
        if len(tables):
            found.append(open_draws(game, prospects, tables, step))
    return found


def luck(drawn: Drawn, values: Any) -> Array:
    """The luck of draws by seat, float64[m, players], by values float64[m, kinds, players] of the seats."""
    share = drawn.counts / drawn.counts.sum(1, keepdims=True)
    return np.asarray(values[np.arange(len(drawn.tile)), drawn.tile] - np.einsum("mk,mkp->mp", share, values))
