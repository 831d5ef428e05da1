"""The luck of flowers in Guobiao: a flower is a point more of a win, and is replaced by another tile.

A player draws until the tile is no flower. Each of these draws is a chance event of its own: a flower comes with the
chance F / N, for F flowers among N undrawn tiles. Its worth is a constant, so its luck is that constant times how much
more often flowers came than they should have. Where flowers could use up a wall, they count nothing: this is known
before the draw, and every other chain of draws ends with a tile that a decision follows.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from janshi.rules.game import Array

WORTH: Final = 0.4
"""Points of a flower: about a quarter of hands are won, and one more fan is paid by one player or three."""
FIELD: Final = "flowers"
FLOWERS: Final = 8


def counted(states: Array) -> Array:
    """Flowers that each player has set aside, int64[tables, players]."""
    return np.bitwise_count(states[FIELD].astype(np.uint16)).astype(np.int64)


def luck_of_flowers(states: Array, tables: Array, players: Array, before: Array) -> Array:
    """The luck of the flowers that came before some draws, in points of the drawing player: float64[m].

    `before` are the flowers set aside by all players at the decision before, int64[tables, players].
    """
    now, left = counted(states)[tables], states["left"].astype(np.int64)[tables]
    own_walls = states["own_walls"][tables] == 1
    drawn = now[np.arange(len(tables)), players] - before[tables, players]
    flowers = FLOWERS - now.sum(1)  # undrawn, after the chain
    tiles = np.where(own_walls, left.sum(1), left[:, 0])
    own = np.where(own_walls, left[np.arange(len(tables)), players], left[:, 0])
    luck = -flowers / (tiles + 1.0)
    for earlier in range(1, int(drawn.max(initial=0)) + 1):  # the flower that came this many draws before the tile
        luck += np.where(earlier <= drawn, 1 - (flowers + earlier) / (tiles + 1.0 + earlier), 0.0)
    certain = own + 1 + drawn > flowers + drawn  # a wall longer than all flowers cannot be used up by them
    return np.asarray(WORTH * np.where(certain, luck, 0.0))


def shared(own: Array, players: int) -> Array:
    """Luck of the drawing player, float64[m], and the others', who pay it: float64[m, players], summing to zero."""
    rest = np.repeat(-own[:, None] / (players - 1), players, 1)
    rest[:, 0] = own
    return rest
