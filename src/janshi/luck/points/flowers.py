"""The luck of flowers in Guobiao: a flower adds a point to a win, and is replaced by another tile.

A player draws until the tile is not a flower. Each of these draws is a separate chance event: with F flowers among N
undrawn tiles, a flower comes with probability F / N. Its worth is a constant, so its luck is that constant times the
number of flowers drawn minus the expected number. If flowers could use up the wall, they count as zero: this is known
before the draw, and every other chain of draws ends with a tile that a decision follows.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from janshi.rules.game import Array

WORTH: Final = 0.4
"""Value of a flower in points: a player wins about a quarter of hands, and the extra fan is paid by one or three."""
FIELD: Final = "flowers"
FLOWERS: Final = 8


def counted(states: Array) -> Array:
    """Flowers that each player has set aside, int64[tables, players]."""
    return np.bitwise_count(states[FIELD].astype(np.uint16)).astype(np.int64)


def luck_of_flowers(states: Array, tables: Array, players: Array, before: Array) -> Array:
    """The luck of the flowers drawn before some draws, in points for the drawing player: float64[m].

    `before` is the number of flowers each player had set aside at the previous decision, int64[tables, players].
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
