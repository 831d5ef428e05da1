"""Kernels that build walls, deal hands and draw tiles."""

from __future__ import annotations

from typing import Any

import numpy as np

from janshi.core import rng
from janshi.core._jit import kernel
from janshi.core.tiles import NUM_IDS
from janshi.rules.riichi.concealed import settle, take, tile_of
from janshi.rules.riichi.state import NEW, NO_RESULT, NONE, PLAYERS, Context

DEAD_WALL = 14
REPLACEMENT_PLACES = (1, 0, 3, 2)
"""Places in the wall of the four replacement tiles, in the order they are drawn."""
FIRST_INDICATOR = 5
"""Dora indicators are at 5, 7, 9, 11, 13; the ura indicator is one place before each."""
FAR = 13
"""A distance that no hand has: the first `settle` of a hand looks shanten up."""


@kernel
def build_wall(s: Any) -> None:
    """Shuffle the wall of the present hand: keyed by the game's seed, the round and the honba."""
    for i in range(NUM_IDS):
        s.wall[i] = i
    rng.shuffle(s.wall, rng.key(s.seed, int(s.kyoku), int(s.honba)))


@kernel
def indicator_kind(s: Any, i: int) -> int:
    """The kind of the i-th dora indicator."""
    return int(np.int64(s.wall[FIRST_INDICATOR + 2 * i]) >> 2)


@kernel
def ura_kind(s: Any, i: int) -> int:
    """The kind of the i-th ura-dora indicator."""
    return int(np.int64(s.wall[FIRST_INDICATOR - 1 + 2 * i]) >> 2)


@kernel
def turn_indicator(s: Any, c: Context) -> None:
    """Show the next dora indicator, if the rules have kan dora (the first is always shown)."""
    if s.indicators > 0 and (not c.rules.kan_dora or s.indicators == PLAYERS + 1):
        return
    s.seen[indicator_kind(s, int(s.indicators))] += 1
    s.indicators += 1


@kernel
def clear_hand(s: Any) -> None:
    """Clear everything of the last hand except its result."""
    s.legal[:] = 0
    s.waits[:] = 0
    s.discarded[:] = 0
    s.banned = 0
    s.asked = 0
    s.replacements = 0
    s.indicators = 0
    s.pending_dora = 0
    s.hand[:] = 0
    s.reds[:] = 0
    s.drawn = NONE
    s.tile = NONE
    s.from_dead_wall = 0
    s.melds[:] = 0
    s.meld_type[:] = 0
    s.open_melds[:] = 0
    s.kans[:] = 0
    s.discards[:] = 0
    s.turns = 0
    s.seen[:] = 0
    s.riichi[:] = 0
    s.declaring = 0
    s.stick_due = 0
    s.ippatsu[:] = 0
    s.first_turn[:] = 1
    s.passed[:] = 0
    s.liable[:] = NONE
    s.deltas[:] = 0
    s.result = NO_RESULT
    s.winners = 0
    s.tenpai = 0


@kernel
def deal_tile(s: Any, player: int, c: Context) -> int:
    """Move the next live tile into a player's hand; returns the tile."""
    tile = tile_of(s.wall[int(s.next_draw)], c.rules.red_fives)
    s.next_draw -= 1
    take(s, player, tile)
    return tile


@kernel
def deal_hand(s: Any, c: Context) -> None:
    """Deal the hand whose wall, round, honba, sticks and scores are set: 4, 4, 4 and 1 tiles, from the dealer on."""
    clear_hand(s)
    s.hands += 1
    s.next_draw = NUM_IDS - 1
    dealer = int(s.kyoku) % PLAYERS
    for step in range(4):
        for i in range(PLAYERS):
            for _ in range(1 if step == 3 else 4):
                deal_tile(s, (dealer + i) % PLAYERS, c)
    s.left = NUM_IDS - DEAD_WALL - 13 * PLAYERS
    turn_indicator(s, c)
    for player in range(PLAYERS):
        s.distance[player] = 0
        settle(s, player, c)


@kernel
def draw_live(s: Any, player: int, c: Context) -> None:
    """Draw from the live wall."""
    s.drawn = deal_tile(s, player, c)
    s.left -= 1
    s.from_dead_wall = 0
    s.passed[player] &= 2


@kernel
def draw_replacement(s: Any, player: int, c: Context) -> None:
    """Draw after a kan: from the dead wall, which takes the last live tile in return."""
    tile = tile_of(s.wall[REPLACEMENT_PLACES[int(s.replacements)]], c.rules.red_fives)
    s.replacements += 1
    s.left -= 1
    take(s, player, tile)
    s.drawn = tile
    s.from_dead_wall = 1
    s.passed[player] &= 2


@kernel
def reset_game(s: Any, seed: np.uint64, c: Context) -> None:
    """Set a table to the start of a game, before the first deal."""
    s.seed = seed
    s.scores[:] = c.rules.starting_points
    s.kyoku = 0
    s.honba = 0
    s.sticks = 0
    s.hands = 0
    s.decisions = 0
    s.stop_after_hand = 0
    clear_hand(s)
    s.phase = NEW
