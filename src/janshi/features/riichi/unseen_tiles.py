"""The pool: all tiles that nobody holds or has seen, from which the next chance event comes.

Given all hands, melds, rivers and indicators, the rest of the wall, including the dead wall, is in random order. So the
next tile drawn or turned is equally likely to be any copy in the pool.
"""

from __future__ import annotations

from typing import Any, Final

from janshi.core._jit import kernel
from janshi.core.tiles import COPIES, FIRST_RED, FIVE_M, NUM_KINDS, RANKS, SUITS
from janshi.rules.riichi.concealed import held_in_melds, kind_of, tile_of
from janshi.rules.riichi.deal import FIRST_INDICATOR
from janshi.rules.riichi.dora import dora_of
from janshi.rules.riichi.state import PLAYERS

NUM_TILES: Final = NUM_KINDS + SUITS
"""Distinct tiles: 34 kinds, and the three red fives."""


@kernel
def fill_pool(s: Any, red_fives: int, pool: Any) -> int:
    """Count the pool by tile, int16[37]; returns the total. The drawn tile is in its player's hand."""
    total = 0
    for kind in range(NUM_KINDS):
        left = COPIES - int(s.seen[kind])
        for player in range(PLAYERS):
            left -= int(s.hand[player, kind])
        pool[kind] = left
        total += left
    gone = reds_gone(s, red_fives)
    for suit in range(SUITS):
        here = 1 if red_fives and (gone >> suit) & 1 == 0 else 0
        pool[FIRST_RED + suit] = here
        pool[FIVE_M + RANKS * suit] -= here
    return total


@kernel
def reds_gone(s: Any, red_fives: int) -> int:
    """Bit set of the suits whose red five is in a hand, a meld, a river or among the indicators."""
    gone = 0
    for player in range(PLAYERS):
        gone |= int(s.reds[player])
        for meld in range(int(s.melds[player])):
            if s.meld_red[player, meld] != 0:
                gone |= 1 << (int(s.meld_kind[player, meld]) // RANKS)
        for i in range(int(s.discards[player])):
            if s.river[player, i] >= FIRST_RED:
                gone |= 1 << (int(s.river[player, i]) - FIRST_RED)
    for i in range(int(s.indicators)):
        tile = tile_of(s.wall[FIRST_INDICATOR + 2 * i], red_fives)
        if tile >= FIRST_RED:
            gone |= 1 << (tile - FIRST_RED)
    return gone


@kernel
def id_of_tile(tile: int, red_fives: int) -> int:
    """A physical copy of this tile: copy 0 of a red five, copy 1 of any other."""
    if tile >= FIRST_RED:
        return COPIES * (FIVE_M + RANKS * (tile - FIRST_RED))
    return COPIES * tile + 1


@kernel
def blank_indicator(s: Any, winners: int) -> int:
    """An indicator of a kind that no winner holds or wins on."""
    for indicator in range(NUM_KINDS):
        kind = dora_of(indicator)
        held = 1 if kind == kind_of(int(s.tile)) else 0
        for player in range(PLAYERS):
            if (winners >> player) & 1:
                held += int(s.hand[player, kind]) + held_in_melds(s, player, kind)
        if held == 0:
            return indicator
    return 0
