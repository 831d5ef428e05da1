"""Shuffling what a player cannot see, to prove that views do not tell it."""

from __future__ import annotations

from typing import Any

import numpy as np

from janshi.core.tiles import FIRST_RED, FIVE_M, NUM_KINDS, RANKS
from janshi.rules.riichi.audit import is_taken
from janshi.rules.riichi.concealed import drop, take, tile_of
from janshi.rules.riichi.deal import FIRST_INDICATOR
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


def hidden_places(s: Any) -> list[int]:
    """Places in the wall whose tiles nobody has seen."""
    shown = {FIRST_INDICATOR + 2 * i for i in range(int(s.indicators))}
    return [i for i in range(int(s.next_draw) + 1) if i not in shown and not is_taken(s, i)]


def any_id(tile: int) -> int:
    """A tile id that reads as this tile under rules with red fives."""
    if tile >= FIRST_RED:
        return 4 * (FIVE_M + RANKS * (tile - FIRST_RED))
    return 4 * tile + 1


def shuffle_hidden(s: Any, player: int, seed: int, rules: Ruleset) -> None:
    """Exchange at random the tiles of the wall and the other players' hands, in place."""
    others = [p for p in range(PLAYERS) if p != player]
    places = hidden_places(s)
    pool = [int(tile_of(int(s.wall[i]), int(rules.red_fives))) for i in places]
    hands = {p: tiles_in_hand(s, p) for p in others}
    for p in others:
        pool += hands[p]
        for tile in hands[p]:
            drop(s, p, tile)
    np.random.default_rng(seed).shuffle(pool)
    for place in places:
        s.wall[place] = any_id(pool.pop())
    for p in others:
        for _ in hands[p]:
            take(s, p, pool.pop())
