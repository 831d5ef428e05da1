"""Kernels that build walls, deal hands and draw tiles."""

from __future__ import annotations

from typing import Any

import numpy as np

from janshi.core import rng
from janshi.core._jit import kernel
from janshi.core.tiles import COPIES
from janshi.rules.guobiao.concealed import settle
from janshi.rules.guobiao.state import (
    FIRST_FLOWER,
    FLOWERS,
    NEW,
    NO_RESULT,
    NONE,
    PLAIN_TILES,
    PLAYERS,
    Context,
)

WIND_STREAM = 1
"""Separates the draw of the prevalent wind from those of the walls."""


@kernel
def tiles_in_play(c: Context) -> int:
    """How many tiles the rules play with."""
    return PLAIN_TILES + FLOWERS * int(c.rules.flowers)


@kernel
def build_wall(s: Any, c: Context) -> None:
    """Shuffle the wall of the present hand: keyed by the game's seed and the hand's number."""
    size = tiles_in_play(c)
    s.wall[:] = 0
    for i in range(size):
        s.wall[i] = i // COPIES if i < PLAIN_TILES else FIRST_FLOWER + i - PLAIN_TILES
    rng.shuffle(s.wall[:size], rng.key(s.seed, int(s.hand_number), 0))


@kernel
def clear_hand(s: Any) -> None:
    """Clear everything of the last hand except its result."""
    s.legal[:] = 0
    s.waits[:] = 0
    s.asked = 0
    s.hand[:] = 0
    s.flowers[:] = 0
    s.drawn = NONE
    s.after_kong = 0
    s.tile = NONE
    s.melds[:] = 0
    s.meld_type[:] = 0
    s.discards[:] = 0
    s.turns = 0
    s.seen[:] = 0
    s.deltas[:] = 0
    s.result = NO_RESULT
    s.winner = NONE
    s.loser = NONE
    s.win_fan = 0


@kernel
def set_walls(s: Any, c: Context) -> None:
    """Divide the wall: a quarter for each seat, or all of it as the first."""
    size = tiles_in_play(c)
    s.own_walls = c.rules.own_walls
    s.wall_size = size // PLAYERS if s.own_walls else size
    s.left[:] = s.wall_size if s.own_walls else 0
    s.left[0] = s.wall_size


@kernel
def wall_of(s: Any, player: int) -> int:
    """The wall a player draws from."""
    return player if s.own_walls else 0


@kernel
def left_for(s: Any, player: int) -> int:
    """How many tiles are left for a player to draw."""
    return int(s.left[wall_of(s, player)])


@kernel
def take_tile(s: Any, player: int) -> int:
    """Move the next tile that is not a flower into a player's hand; returns the tile, or NONE if the wall ran out.

    Flowers are set aside and replaced from the same wall.
    """
    wall = wall_of(s, player)
    while s.left[wall] > 0:
        s.left[wall] -= 1
        tile = int(s.wall[int(s.wall_size) * wall + int(s.left[wall])])
        if tile < FIRST_FLOWER:
            s.hand[player, tile] += 1
            return tile
        s.flowers[player] |= 1 << (tile - FIRST_FLOWER)
        s.after_kong = 0
    return NONE


@kernel
def deal_hand(s: Any, c: Context) -> None:
    """Deal the hand whose wall, dealer and wind are set: 13 tiles each, from the dealer on, four at a time and one."""
    clear_hand(s)
    set_walls(s, c)
    for step in range(4):
        for i in range(PLAYERS):
            for _ in range(1 if step == 3 else 4):
                take_tile(s, (int(s.dealer) + i) % PLAYERS)
    for player in range(PLAYERS):
        s.distance[player] = 0
        settle(s, player, c)


@kernel
def draw(s: Any, player: int, after_kong: bool) -> bool:
    """The player draws; False if there is no tile left to draw."""
    s.after_kong = after_kong
    s.drawn = take_tile(s, player)
    return s.drawn != NONE


@kernel
def reset_game(s: Any, seed: np.uint64, c: Context) -> None:
    """Set a table to the start of a game, before the first deal."""
    s.seed = seed
    s.scores[:] = 0
    s.hand_number = 0
    s.dealer = 0
    s.first_wind = 0
    if c.rules.any_wind:
        s.first_wind = np.int64(rng.key(s.seed, 0, WIND_STREAM) >> np.uint64(62))
    s.wind = s.first_wind
    s.decisions = 0
    s.stop_after_hand = 0
    clear_hand(s)
    s.phase = NEW
