"""Input of the value function: numbers for a table with all hands open, and for each tile that may come next.

Players are in turn order from the one about to draw. A table row describes each of the four hands, each pair of
players, and the table itself; a tile row describes what the tile means to the player who draws it and to the others.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.core._jit import kernel
from janshi.core.tiles import COPIES, EAST, FIRST_RED, NUM_KINDS, RANKS
from janshi.core.ukeire import ukeire_discards
from janshi.features.riichi.knowledge import is_value_honour
from janshi.features.riichi.unseen_tiles import NUM_TILES
from janshi.rules.riichi.concealed import kind_of
from janshi.rules.riichi.deal import indicator_kind
from janshi.rules.riichi.dora import dora_of
from janshi.rules.riichi.state import PLAYERS, Context

VERSION: Final = 1
"""Changes whenever the meaning of a number changes."""
SHANTENS: Final = 7
PLAYER: Final = 26 + SHANTENS
"""Numbers per player."""
PAIR: Final = 3
"""Numbers per ordered pair of players."""
TABLE: Final = 12
WIDTH: Final = PLAYERS * PLAYER + PLAYERS * (PLAYERS - 1) * PAIR + TABLE
"""Numbers per table."""
TILE: Final = 33
"""Numbers per possible tile."""


@kernel
def log_base(base: float) -> float:
    """Base points on a scale on which a mangan is 1 and 240 base points are about 0.2."""
    return float(np.log2(1.0 + base / 160.0) / np.log2(1.0 + 2000.0 / 160.0)) if base > 0 else 0.0


@kernel
def write_table(s: Any, known: Any, pool: Any, total: int, drawer: int, from_dead_wall: bool, x: Any) -> None:
    """Write the row of a table, float32[WIDTH]."""
    at = 0
    for turn in range(PLAYERS):
        at = write_player(s, known, pool, (drawer + turn) % PLAYERS, x, at)
    for turn in range(PLAYERS):
        for other in range(1, PLAYERS):
            one, two = (drawer + turn) % PLAYERS, (drawer + turn + other) % PLAYERS
            at = write_pair(s, known, one, two, x, at)
    riichis, tenpais = 0, 0
    for player in range(PLAYERS):
        riichis += 1 if s.riichi[player] else 0
        tenpais += 1 if known[player].shanten == 0 else 0
    x[at] = s.left / 70.0
    x[at + 1] = (int(s.left) // PLAYERS) / 17.0
    x[at + 2] = total / 84.0
    x[at + 3] = s.kyoku / 8.0
    x[at + 4] = 1.0 if s.kyoku >= 7 else 0.0
    x[at + 5] = min(int(s.honba), 8) / 4.0
    x[at + 6] = min(int(s.sticks), 6) / 3.0
    x[at + 7] = riichis / 2.0
    x[at + 8] = tenpais / 2.0
    x[at + 9] = 1.0 if from_dead_wall else 0.0
    x[at + 10] = 1.0 if s.indicators > 0 else 0.0
    x[at + 11] = max(0, int(s.indicators) - 1) / 2.0


@kernel
def write_player(s: Any, known: Any, pool: Any, player: int, x: Any, at: int) -> int:
    """Write the numbers of one hand from place `at`; returns the place after them."""
    k = known[player]
    useful, kinds, waits, wait_kinds = 0, 0, 0, 0
    tsumo, ron, tsumo_tiles, ron_tiles, held = 0.0, 0.0, 0, 0, 0
    for kind in range(NUM_KINDS):
        if (int(k.useful) >> kind) & 1:
            left = int(pool[kind]) + red_left(pool, kind)
            useful += left
            kinds += 1 if left else 0
            if (int(k.waits) >> kind) & 1:
                waits += left
                wait_kinds += 1 if left else 0
                others = others_hold(s, player, kind)
                held += others
                if k.tsumo[kind] > 0:
                    tsumo += left * log_base(float(k.tsumo[kind]))
                    tsumo_tiles += left
                if k.ron[kind] > 0:
                    ron += (left + others) * log_base(float(k.ron[kind]))
                    ron_tiles += left + others
    shanten = min(int(k.shanten), SHANTENS - 1)
    for i in range(SHANTENS):
        x[at + i] = 1.0 if i == shanten else 0.0
    at += SHANTENS
    x[at] = s.scores[player] / 25000.0 - 1.0
    x[at + 1] = rank_of(s, player) / 3.0
    x[at + 2] = 1.0 if player == s.kyoku % PLAYERS else 0.0
    x[at + 3] = 1.0 if s.riichi[player] else 0.0
    x[at + 4] = 1.0 if s.ippatsu[player] and s.riichi[player] else 0.0
    x[at + 5] = 1.0 if s.open_melds[player] == 0 else 0.0
    x[at + 6] = s.melds[player] / 4.0
    x[at + 7] = useful / 20.0
    x[at + 8] = kinds / 10.0
    x[at + 9] = waits / 6.0
    x[at + 10] = wait_kinds / 3.0
    x[at + 11] = held / 3.0
    x[at + 12] = tsumo_tiles / 6.0
    x[at + 13] = ron_tiles / 6.0 if not k.furiten else 0.0
    x[at + 14] = tsumo / tsumo_tiles if tsumo_tiles else 0.0
    x[at + 15] = ron / ron_tiles if ron_tiles and not k.furiten else 0.0
    x[at + 16] = 1.0 if k.furiten and k.shanten == 0 else 0.0
    x[at + 17] = (int(k.dora) + int(k.reds)) / 3.0
    x[at + 18] = k.reds / 2.0
    x[at + 19] = k.triplets / 2.0
    x[at + 20] = k.honour_pairs / 2.0
    x[at + 21] = k.outer / 7.0
    x[at + 22] = max(0, int(k.flush) - 6) / 8.0
    x[at + 23] = k.pairs / 4.0
    x[at + 24] = s.discards[player] / 18.0
    x[at + 25] = safe_tiles(s, player) / 5.0
    return at + PLAYER - SHANTENS


@kernel
def red_left(pool: Any, kind: int) -> int:
    """Number of red fives of a kind in the pool."""
    return int(pool[FIRST_RED + kind // RANKS]) if kind < EAST and kind % RANKS == 4 else 0


@kernel
def others_hold(s: Any, player: int, kind: int) -> int:
    """Number of tiles of a kind concealed in the other players' hands."""
    count = 0
    for other in range(PLAYERS):
        if other != player:
            count += int(s.hand[other, kind])
    return count


@kernel
def rank_of(s: Any, player: int) -> int:
    """Number of players ahead."""
    ahead = 0
    for other in range(PLAYERS):
        if s.scores[other] > s.scores[player] or (s.scores[other] == s.scores[player] and other < player):
            ahead += 1
    return ahead


@kernel
def safe_tiles(s: Any, player: int) -> int:
    """Number of concealed tiles that every other player in riichi has discarded; 0 if nobody is in riichi."""
    safe, anybody = -1, False
    for other in range(PLAYERS):
        if other != player and s.riichi[other]:
            safe &= int(s.discarded[other])
            anybody = True
    if not anybody:
        return 0
    count = 0
    for kind in range(NUM_KINDS):
        if (safe >> kind) & 1:
            count += int(s.hand[player, kind])
    return count


@kernel
def write_pair(s: Any, known: Any, one: int, two: int, x: Any, at: int) -> int:
    """Write how one player's hand relates to another's: tiles the other waits for, and tiles safe against them."""
    k = known[two]
    deadly, safe, base = 0, 0, 0.0
    for kind in range(NUM_KINDS):
        count = int(s.hand[one, kind])
        if count:
            if k.ron[kind] > 0 and not k.furiten:
                deadly += count
                base = max(base, float(k.ron[kind]))
            if (int(s.discarded[two]) >> kind) & 1:
                safe += count
    x[at] = deadly / 2.0
    x[at + 1] = safe / 6.0
    x[at + 2] = log_base(base)
    return at + PAIR


@kernel
def write_tiles(s: Any, known: Any, pool: Any, drawer: int, scratch: Any, tiles: Any, c: Context) -> None:
    """Write the rows of all tiles that the drawer may draw, float32[37, TILE]; rows of others are left zero."""
    for tile in range(NUM_TILES):
        tiles[tile, :] = 0.0
        if pool[tile] > 0:
            write_tile(s, known, drawer, tile, tiles[tile])
            write_prospect(s, known, pool, drawer, tile, scratch, tiles[tile], c)


@kernel
def write_prospect(s: Any, known: Any, pool: Any, drawer: int, tile: int, scratch: Any, x: Any, c: Context) -> None:
    """Write the number of useful tiles of the drawer's hand after drawing a tile and discarding the best one."""
    kind = kind_of(tile)
    x[31] = (int(pool[kind]) + red_left(pool, kind) - 1) / 3.0
    if s.riichi[drawer]:
        return
    hand, visible, useful = scratch.hand, scratch.visible, int(known[drawer].useful)
    now, best = 0, 0
    for other in range(NUM_KINDS):
        left = int(pool[other]) + red_left(pool, other)
        hand[other] = s.hand[drawer, other]
        visible[other] = COPIES - left
        now += left if (useful >> other) & 1 else 0
    hand[kind] += 1
    visible[kind] += 1
    ukeire_discards(hand, int(s.melds[drawer]), visible, c.tables, scratch.shantens, scratch.counts)
    for other in range(NUM_KINDS):
        best = max(best, int(scratch.counts[other]))
    x[29] = best / 20.0
    x[30] = (best - now) / 10.0


@kernel
def write_tile(s: Any, known: Any, drawer: int, tile: int, x: Any) -> None:
    """Write the effect of drawing one tile, float32[TILE]."""
    k, kind = known[drawer], kind_of(tile)
    locked = 1.0 if s.riichi[drawer] else 0.0
    win = k.tsumo[kind] > 0
    x[0] = 1.0
    x[1] = 1.0 if win else 0.0
    x[2] = log_base(float(k.tsumo[kind]))
    x[3] = 1.0 if (int(k.useful) >> kind) & 1 else 0.0
    x[4] = dora_count(s, kind) / 2.0
    x[5] = 1.0 if tile >= FIRST_RED else 0.0
    for other in range(1, PLAYERS):
        player = (drawer + other) % PLAYERS
        o = known[player]
        deadly = o.ron[kind] > 0 and not o.furiten
        x[5 + other] = 1.0 if deadly else 0.0
        x[8 + other] = log_base(float(o.ron[kind])) if deadly else 0.0
        x[11 + other] = locked if deadly and not win else 0.0
        x[14 + other] = 1.0 if s.riichi[player] and (int(s.discarded[player]) >> kind) & 1 else 0.0
        x[17 + other] = 1.0 if s.hand[player, kind] >= 2 and (int(o.useful) >> kind) & 1 else 0.0
    after = known[(drawer + 1) % PLAYERS]
    x[21] = 1.0 if kind < EAST and (int(after.useful) >> kind) & 1 else 0.0
    x[22] = s.hand[drawer, kind] / 2.0
    x[23] = neighbours(s, drawer, kind) / 4.0
    x[24] = 1.0 if kind >= EAST else 0.0
    x[25] = 1.0 if kind < EAST and (kind % RANKS == 0 or kind % RANKS == RANKS - 1) else 0.0
    x[26] = 1.0 if kind >= EAST and is_value_honour(s, drawer, kind) else 0.0
    x[27] = locked
    x[28] = 1.0 if (int(s.discarded[drawer]) >> kind) & 1 else 0.0
    x[32] = 1.0 if k.shanten == 1 and (int(k.useful) >> kind) & 1 else 0.0


@kernel
def dora_count(s: Any, kind: int) -> int:
    """Number of dora that a tile of a kind counts for."""
    count = 0
    for i in range(int(s.indicators)):
        if dora_of(indicator_kind(s, i)) == kind:
            count += 1
    return count


@kernel
def neighbours(s: Any, player: int, kind: int) -> int:
    """Tiles in the hand that could make a run with a kind."""
    if kind >= EAST:
        return 0
    count, rank = 0, kind % RANKS
    for step in range(-2, 3):
        if step != 0 and 0 <= rank + step < RANKS:
            count += min(1, int(s.hand[player, kind + step]))
    return count
