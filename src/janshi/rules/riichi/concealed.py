"""Kernels that move tiles in and out of a player's concealed hand, and keep track of its waits."""

from __future__ import annotations

from typing import Any

import numpy as np

from janshi.core._jit import kernel
from janshi.core.shanten import shanten
from janshi.core.tiles import COPIES, FIRST_RED, FIVE_M, RANKS
from janshi.core.waits import waits_mask
from janshi.rules.riichi.state import Context
from janshi.rules.riichi.win import CHI, PON


@kernel
def kind_of(tile: int) -> int:
    """The kind of a tile: a red five is a five."""
    if tile >= FIRST_RED:
        return FIVE_M + RANKS * (tile - FIRST_RED)
    return tile


@kernel
def tile_of(tile_id: int, red_fives: int) -> int:
    """The tile of a physical tile: copy 0 of a five is red where the rules have red fives."""
    kind = int(np.int64(tile_id) >> 2)
    if red_fives and tile_id & 3 == 0 and kind % RANKS == FIVE_M and kind < 27:
        return FIRST_RED + kind // RANKS
    return kind


@kernel
def take(s: Any, player: int, tile: int) -> None:
    """Put a tile into a concealed hand."""
    kind = kind_of(tile)
    s.hand[player, kind] += 1
    if tile >= FIRST_RED:
        s.reds[player] |= 1 << (tile - FIRST_RED)


@kernel
def drop(s: Any, player: int, tile: int) -> None:
    """Take a tile out of a concealed hand that holds it."""
    kind = kind_of(tile)
    s.hand[player, kind] -= 1
    if tile >= FIRST_RED:
        s.reds[player] &= 7 ^ (1 << (tile - FIRST_RED))


@kernel
def red_of(kind: int) -> int:
    """The red five of a kind, or -1 if the kind is not a five."""
    if kind < 27 and kind % RANKS == FIVE_M:
        return FIRST_RED + kind // RANKS
    return -1


@kernel
def holds_red(s: Any, player: int, kind: int) -> bool:
    """Whether the player's concealed hand holds the red five of a kind."""
    red = red_of(kind)
    return red >= 0 and (int(s.reds[player]) >> (red - FIRST_RED)) & 1 == 1


@kernel
def plain_count(s: Any, player: int, kind: int) -> int:
    """How many tiles of a kind, not counting the red five, the concealed hand holds."""
    count = int(s.hand[player, kind])
    if holds_red(s, player, kind):
        count -= 1
    return count


@kernel
def is_closed(s: Any, player: int) -> bool:
    """Whether the player has melded nothing but concealed kans."""
    return s.open_melds[player] == 0


@kernel
def in_meld(s: Any, player: int, meld: int, kind: int) -> int:
    """How many tiles of a kind one meld holds."""
    first = int(s.meld_kind[player, meld])
    if s.meld_type[player, meld] == CHI:
        return 1 if first <= kind <= first + 2 else 0
    if first != kind:
        return 0
    return 3 if s.meld_type[player, meld] == PON else COPIES


@kernel
def held_in_melds(s: Any, player: int, kind: int) -> int:
    """How many tiles of a kind the player's melds hold."""
    held = 0
    for meld in range(int(s.melds[player])):
        held += in_meld(s, player, meld, kind)
    return held


@kernel
def find_waits(s: Any, player: int, c: Context) -> int:
    """The kinds that complete a concealed hand of 13 - 3n tiles.

    A kind held four times among the concealed tiles is not a wait; melds and other visible tiles do not matter.
    """
    return int(np.int64(waits_mask(s.hand[player], int(s.melds[player]), c.tables)))


@kernel
def settle(s: Any, player: int, c: Context) -> None:
    """Update distance and waits once the concealed hand is back to 13 - 3n tiles.

    Exchanging one tile lowers shanten by at most one, so the true shanten is only looked up when the lower bound has
    come down to 1: the rules only need to know about tenpai and one step before it.
    """
    bound = int(s.distance[player]) - 1
    s.waits[player] = 0
    if bound <= 1:
        bound = int(shanten(s.hand[player], int(s.melds[player]), c.tables))
        if bound == 0:
            s.waits[player] = find_waits(s, player, c)
    s.distance[player] = bound
