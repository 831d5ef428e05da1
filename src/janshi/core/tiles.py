"""Tiles: 34 kinds, their red fives, and the ways people write them.

A *kind* is 0..33: 1-9 characters (m), 1-9 dots (p), 1-9 bamboo (s), then East South West North, White Green Red (z).
A *tile* is a kind or one of the three red fives (34, 35, 36), so 0..36. A *tile id* is one of the 136 physical tiles,
`4 * kind + copy`; the red fives are copy 0 of the fives, as on Tenhou.
"""

from __future__ import annotations

from typing import Final

RANKS: Final = 9
SUITS: Final = 3
HONOURS: Final = 7
NUM_KINDS: Final = 34
NUM_TILES: Final = 37
NUM_IDS: Final = 136
COPIES: Final = 4

EAST: Final = 27
SOUTH: Final = 28
WEST: Final = 29
NORTH: Final = 30
WHITE: Final = 31
GREEN: Final = 32
RED_DRAGON: Final = 33

RED_5M: Final = 34
RED_5P: Final = 35
RED_5S: Final = 36
FIRST_RED: Final = 34
FIVE_M: Final = 4
FIVE_P: Final = 13
FIVE_S: Final = 22
RED_IDS: Final = (16, 52, 88)

NO_TILE: Final = 255
"""Stands for "no tile" in the unsigned byte fields of states and views."""
