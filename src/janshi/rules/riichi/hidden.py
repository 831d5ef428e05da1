"""Shuffling what a player cannot see, to prove that views do not reveal it."""

from __future__ import annotations

from typing import Any

import numpy as np

from janshi.core.tiles import COPIES, FIRST_RED, FIVE_M, NUM_KINDS, RANKS, id_to_tile, kind_of, tile_to_ids
from janshi.rules.riichi.deal import FIRST_INDICATOR, REPLACEMENT_PLACES
from janshi.rules.riichi.ruleset import Ruleset
from janshi.rules.riichi.state import PLAYERS


def tiles_in_hand(s: Any, player: int) -> list[int]:
    """The tiles (0..36) of a concealed hand, red fives first among their kind."""
    tiles = []
    for kind in range(NUM_KINDS):
        count = int(s.hand[player, kind])
        suit = kind // RANKS
        if kind == FIVE_M + RANKS * suit and suit < 3 and (int(s.reds[player]) >> suit) & 1:
            tiles.append(FIRST_RED + suit)
            count -= 1
        tiles += [kind] * count
    return tiles


def tile_in_wall(s: Any, place: int, rules: Ruleset) -> int:
    """The tile (0..36) at a place in the wall."""
    tile_id = int(s.wall[place])
    return id_to_tile(tile_id) if rules.red_fives else tile_id // COPIES


def hidden_places(s: Any) -> list[int]:
    """Places in the wall whose tiles nobody has seen."""
    shown = {FIRST_INDICATOR + 2 * i for i in range(int(s.indicators))}
    taken = set(REPLACEMENT_PLACES[: int(s.replacements)])
    return [i for i in range(int(s.next_draw) + 1) if i not in shown and i not in taken]


def any_id(tile: int, rules: Ruleset) -> int:
    """A tile id that reads as this tile."""
    return tile_to_ids(tile)[-1] if rules.red_fives else COPIES * tile


def put_hand(s: Any, player: int, tiles: list[int]) -> None:
    """Give a player a concealed hand."""
    s.hand[player, :] = 0
    for tile in tiles:
        s.hand[player, kind_of(tile)] += 1
    s.reds[player] = sum(1 << tile - FIRST_RED for tile in tiles if tile >= FIRST_RED)


def shuffle_hidden(s: Any, player: int, seed: int, rules: Ruleset) -> None:
    """Exchange at random the tiles of the wall and the other players' hands, in place."""
    others = [p for p in range(PLAYERS) if p != player]
    places = hidden_places(s)
    sizes = [len(tiles_in_hand(s, p)) for p in others]
    pool = [tile_in_wall(s, place, rules) for place in places]
    for p in others:
        pool += tiles_in_hand(s, p)
    np.random.default_rng(seed).shuffle(pool)
    for place in places:
        s.wall[place] = any_id(pool.pop(), rules)
    for p, size in zip(others, sizes):
        put_hand(s, p, [pool.pop() for _ in range(size)])
