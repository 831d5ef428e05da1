"""Shuffling what a player cannot see, to prove that views do not reveal it."""

from __future__ import annotations

from typing import Any

import numpy as np

from janshi.core.tiles import NUM_KINDS
from janshi.rules.guobiao.state import FIRST_FLOWER, PLAYERS


def tiles_in_hand(s: Any, player: int) -> list[int]:
    """The kinds of a concealed hand in order."""
    return [kind for kind in range(NUM_KINDS) for _ in range(int(s.hand[player, kind]))]


def hidden_places(s: Any) -> list[int]:
    """Places in the walls whose tiles nobody has seen."""
    size = int(s.wall_size)
    return [size * wall + i for wall in range(PLAYERS) for i in range(int(s.left[wall]))]


def shuffle_hidden(s: Any, player: int, seed: int) -> None:
    """Exchange at random the tiles of the walls and the other players' hands, in place.

    Hands get no flowers, and concealed kongs stay as they are: their four equal tiles cannot be exchanged one by one.
    """
    random = np.random.default_rng(seed)
    others = [p for p in range(PLAYERS) if p != player]
    places = [place for place in hidden_places(s) if s.wall[place] < FIRST_FLOWER]
    sizes = [len(tiles_in_hand(s, p)) for p in others]
    pool = [int(s.wall[place]) for place in places]
    for p in others:
        pool += tiles_in_hand(s, p)
    random.shuffle(pool)
    for place in places:
        s.wall[place] = pool.pop()
    for p, size in zip(others, sizes):
        s.hand[p, :] = 0
        for _ in range(size):
            s.hand[p, pool.pop()] += 1
    places = hidden_places(s)
    tiles = [int(s.wall[place]) for place in places]
    random.shuffle(tiles)
    for place, tile in zip(places, tiles):
        s.wall[place] = tile
