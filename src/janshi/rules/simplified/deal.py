"""Kernels that build walls, deal, and move tiles."""

from __future__ import annotations

from typing import Any

import numpy as np

from janshi.core import rng
from janshi.core._jit import kernel
from janshi.rules.simplified.state import AFTER_DRAW, NO_RESULT, NONE, PLAYERS, REACTION, Context
from janshi.rules.simplified.tiles import COPIES, NUM_KINDS, NUM_TILES


@kernel
def build_wall(s: Any) -> None:
    """Shuffle the wall, keyed by the game's seed."""
    at = 0
    for kind in range(NUM_KINDS):
        for _ in range(COPIES):
            s.wall[at] = kind
            at += 1
    rng.shuffle(s.wall, rng.key(s.seed, 0, 0))


@kernel
def clear(s: Any) -> None:
    """Clear the last game except the wall and the seed."""
    s.legal[:] = 0
    s.code[:] = 0
    s.scores[:] = 0
    s.decisions = 0
    s.asked = 0
    s.answers[:] = 0
    s.hand[:] = 0
    s.drawn = NONE
    s.tile = NONE
    s.melds[:] = 0
    s.discards[:] = 0
    s.turns = 0
    s.seen[:] = 0
    s.result = NO_RESULT
    s.winner = NONE
    s.payer = NONE
    s.win_kinds = 0
    s.win_kongs = 0
    s.win_fan = 0


@kernel
def take(s: Any, player: int, kind: int) -> None:
    """Put a tile into a hand."""
    s.hand[player, kind] += 1
    s.code[player] += np.int32(1) << (2 * kind)


@kernel
def drop(s: Any, player: int, kind: int) -> None:
    """Take a tile out of a hand."""
    s.hand[player, kind] -= 1
    s.code[player] -= np.int32(1) << (2 * kind)


@kernel
def deal(s: Any, c: Context) -> None:
    """Deal the hands from the wall that is set, from seat 0 on, all tiles of a player at once."""
    clear(s)
    s.left = NUM_TILES
    for player in range(PLAYERS):
        for _ in range(3 * int(c.rules.sets) + 1):
            s.left -= 1
            take(s, player, int(s.wall[int(s.left)]))


@kernel
def draw(s: Any, player: int) -> None:
    """Draw the next tile."""
    s.left -= 1
    kind = int(s.wall[int(s.left)])
    take(s, player, kind)
    s.actor = player
    s.drawn = kind
    s.tile = NONE
    s.moment = AFTER_DRAW


@kernel
def lay_down(s: Any, player: int, meld_type: int, kind: int, called: int) -> None:
    """Add a meld, whose tiles have left the hand; `called` is the tile called from the actor, or NONE."""
    i = int(s.melds[player])
    s.meld_type[player, i] = meld_type
    s.meld_kind[player, i] = kind
    s.meld_tile[player, i] = called
    s.meld_from[player, i] = NONE if called == NONE else s.actor
    s.meld_order[player, i] = s.turns
    s.melds[player] = i + 1


@kernel
def put_in_river(s: Any, player: int, kind: int) -> None:
    """Discard a tile from the hand."""
    drop(s, player, kind)
    at = int(s.discards[player])
    s.river[player, at] = kind
    s.river_flags[player, at] = 0
    s.river_order[player, at] = s.turns
    s.discards[player] = at + 1
    s.turns += 1
    s.seen[kind] += 1
    s.tile = kind
    s.drawn = NONE
    s.phase = REACTION
