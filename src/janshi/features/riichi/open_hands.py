"""Kernels that list the inputs of the network for values of draws; `open_layout.py` defines them.

`list_open` reads a table before the next player has drawn. From the wall, it reads only the visible dora indicators,
so that nothing about the order of the undrawn tiles can leak in.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.core._jit import kernel
from janshi.core.melds import CHI, PON
from janshi.core.tiles import EAST, FIRST_RED, NUM_KINDS, RANKS, SUITS
from janshi.features.riichi import layout
from janshi.features.riichi import open_layout as at
from janshi.rules.riichi.concealed import kind_of
from janshi.rules.riichi.deal import indicator_kind
from janshi.rules.riichi.dora import dora_of
from janshi.rules.riichi.state import PLAYERS, RIICHI_FLAG, Context

ROOM: Final = 640
"""Space for the active inputs of a position: about 250 are active in games; any that do not fit are left out."""
BASES: Final = np.array(at.BASES, np.int64)
COUNTS: Final = np.array(at.COUNTS, np.int64)
SCORES: Final = np.array(layout.SCORES, np.int64)
TILE_WIDTH: Final = at.TILE_SECTION.width
PLAYER_FIRST: Final = at.PLAYER_SECTION.first
PLAYER_WIDTH: Final = at.PLAYER_SECTION.width
GAME_FIRST: Final = at.GAME_SECTION.first
QUESTION_FIRST: Final = at.QUESTION_SECTION.first
NO_INPUT: Final = at.NO_INPUT
LEAST_FLUSH: Final = 9


@kernel
def list_open(s: Any, known: Any, pool: Any, drawer: int, dead: bool, out: Any, c: Context) -> int:
    """List the active inputs, uint16[ROOM], padded with NO_INPUT; returns how many are active.

    `known` are the facts about all hands (KNOWN_DTYPE[4], by seat), `pool` counts the unseen tiles, int16[37].
    """
    n = 0
    for kind in range(NUM_KINDS):
        n = list_kind(s, kind, pool, drawer, out, n)
    for other in range(PLAYERS):
        seat = (drawer + other) % PLAYERS
        n = list_hand(s, seat, other, known[seat], out, n)
        n = list_shown(s, seat, other, out, n)
        n = list_player(s, seat, other, known[seat], pool, out, n)
    n = list_game(s, out, n, c)
    if dead:
        n = add(out, n, QUESTION_FIRST + at.REPLACEMENT)
    out[n:] = NO_INPUT
    return n


@kernel
def add(out: Any, n: int, number: int) -> int:
    """Add an input if there is space."""
    if n >= ROOM:
        return n
    out[n] = number
    return n + 1


@kernel
def tile(out: Any, n: int, kind: int, channel: int) -> int:
    """Add a channel of a tile token."""
    return add(out, n, kind * TILE_WIDTH + channel)


@kernel
def seat_input(out: Any, n: int, player: int, channel: int) -> int:
    """Add a channel of a player token."""
    return add(out, n, PLAYER_FIRST + player * PLAYER_WIDTH + channel)


@kernel
def game_input(out: Any, n: int, channel: int) -> int:
    """Add a channel of the game token."""
    return add(out, n, GAME_FIRST + channel)


# --- tiles


@kernel
def list_kind(s: Any, kind: int, pool: Any, drawer: int, out: Any, n: int) -> int:
    """Unseen copies, dora and winds of a kind."""
    left, red = int(pool[kind]), 0
    if kind < EAST and kind % RANKS == RANKS // 2:
        red = int(pool[FIRST_RED + kind // RANKS])
    n = tile(out, n, kind, at.POOL + left + red)
    if red:
        n = tile(out, n, kind, at.POOL_RED)
    dora = 0
    for i in range(int(s.indicators)):
        dora += int(dora_of(indicator_kind(s, i)) == kind)
    if dora:
        n = tile(out, n, kind, at.DORA + min(dora, 3) - 1)
    if EAST <= kind < EAST + PLAYERS:
        wind, dealer = kind - EAST, int(s.kyoku) % PLAYERS
        n = tile(out, n, kind, at.SEAT_WIND + (dealer + wind + PLAYERS - drawer) % PLAYERS)
        if wind == (int(s.kyoku) // PLAYERS) % PLAYERS:
            n = tile(out, n, kind, at.ROUND_WIND)
    return n


@kernel
def list_hand(s: Any, seat: int, other: int, k: Any, out: Any, n: int) -> int:
    """A player's concealed tiles, useful tiles, and the tiles they win on."""
    for kind in range(NUM_KINDS):
        held = int(s.hand[seat, kind])
        if held:
            n = tile(out, n, kind, at.HELD + 4 * other + held - 1)
        if (int(k.useful) >> kind) & 1:
            n = tile(out, n, kind, at.USEFUL + other)
        if k.tsumo[kind] > 0:
            n = tile(out, n, kind, at.TSUMO + other)
        if k.ron[kind] > 0 and not k.furiten:
            for i in range(len(BASES)):
                if k.ron[kind] >= BASES[i]:
                    n = tile(out, n, kind, at.RON + len(BASES) * other + i)
    for suit in range(SUITS):
        if (int(s.reds[seat]) >> suit) & 1:
            n = tile(out, n, RANKS * suit + RANKS // 2, at.HELD_RED + other)
    return n


@kernel
def list_shown(s: Any, seat: int, other: int, out: Any, n: int) -> int:
    """A player's melds and discards, and the tiles passed since their riichi."""
    for i in range(int(s.melds[seat])):
        kind, meld = int(s.meld_kind[seat, i]), int(s.meld_type[seat, i])
        if meld == CHI:
            for step in range(3):
                n = tile(out, n, kind + step, at.MELDED + 3 * other)
        else:
            n = tile(out, n, kind, at.MELDED + 3 * other + (1 if meld == PON else 2))
    passed = passed_since_riichi(s, seat)
    for kind in range(NUM_KINDS):
        if (int(s.discarded[seat]) >> kind) & 1:
            n = tile(out, n, kind, at.DISCARDED + other)
        if (passed >> kind) & 1:
            n = tile(out, n, kind, at.PASSED + other)
    return n


@kernel
def passed_since_riichi(s: Any, seat: int) -> int:
    """Bit set of the kinds that others discarded after a player's riichi; 0 without one."""
    if s.riichi[seat] == 0:
        return 0
    said, passed = -1, 0
    for i in range(int(s.discards[seat])):
        if int(s.river_flags[seat, i]) & RIICHI_FLAG:
            said = int(s.river_order[seat, i])
    for player in range(PLAYERS):
        for i in range(int(s.discards[player])):
            if player != seat and int(s.river_order[player, i]) > said:
                passed |= 1 << kind_of(int(s.river[player, i]))
    return passed


# --- players and the game


@kernel
def at_least(number: int, thresholds: Any, player: int, channel: int, out: Any, n: int) -> int:
    """Add a channel for each threshold that a number reaches."""
    for i in range(len(thresholds)):
        if number >= thresholds[i]:
            n = seat_input(out, n, player, channel + i)
    return n


@kernel
def list_player(s: Any, seat: int, other: int, k: Any, pool: Any, out: Any, n: int) -> int:
    """A player's standing, and their hand in numbers."""
    rank, useful, wins, best = 0, 0, 0, 0
    for player in range(PLAYERS):
        mine, theirs = int(s.scores[seat]), int(s.scores[player])
        rank += int(theirs > mine or (theirs == mine and player < seat))
    for kind in range(NUM_KINDS):
        left = int(pool[kind])
        if kind < EAST and kind % RANKS == RANKS // 2:
            left += int(pool[FIRST_RED + kind // RANKS])
        useful += left if (int(k.useful) >> kind) & 1 else 0
        wins += left if k.tsumo[kind] > 0 else 0
        best = max(best, int(k.ron[kind]))
    n = at_least(int(s.scores[seat]), SCORES, other, at.POINTS, out, n)
    n = at_least(useful, COUNTS, other, at.USEFUL_LEFT, out, n)
    n = at_least(wins, COUNTS, other, at.WINS_LEFT, out, n)
    n = at_least(best, BASES, other, at.VALUE, out, n)
    n = seat_input(out, n, other, at.RANK + rank)
    n = seat_input(out, n, other, at.WIND + (seat + PLAYERS - int(s.kyoku) % PLAYERS) % PLAYERS)
    if s.riichi[seat]:
        n = seat_input(out, n, other, at.RIICHI + int(s.riichi[seat]) - 1)
        if s.ippatsu[seat]:
            n = seat_input(out, n, other, at.IPPATSU)
    if s.open_melds[seat]:
        n = seat_input(out, n, other, at.OPEN)
    if k.furiten:
        n = seat_input(out, n, other, at.FURITEN)
    n = seat_input(out, n, other, at.SHANTEN + min(max(int(k.shanten), 0), 7))
    n = seat_input(out, n, other, at.MELDS + int(s.melds[seat]))
    n = seat_input(out, n, other, at.HELD_DORA + min(int(k.dora) + int(k.reds), 6))
    n = seat_input(out, n, other, at.TRIPLETS + min(int(k.triplets), 3))
    n = seat_input(out, n, other, at.HONOUR_PAIRS + min(int(k.honour_pairs), 3))
    if k.flush >= LEAST_FLUSH:
        n = seat_input(out, n, other, at.FLUSH + min(int(k.flush) - LEAST_FLUSH, 5))
    n = seat_input(out, n, other, at.PAIRS + min(int(k.pairs), 7))
    n = seat_input(out, n, other, at.OUTER + min(int(k.outer) // 2, 7))
    return seat_input(out, n, other, at.DISCARDS + min(int(s.discards[seat]) // 3, 7))


@kernel
def list_game(s: Any, out: Any, n: int, c: Context) -> int:
    """Tiles left, hands left, honba, sticks and riichi."""
    n = game_input(out, n, at.LEFT + min(int(s.left) // 4, 18))
    if s.left < 8:
        n = game_input(out, n, at.LAST + max(int(s.left), 0))
    left = max(PLAYERS * int(c.rules.rounds) - int(s.kyoku), 0)
    n = game_input(out, n, at.HANDS_LEFT + min(left, 8))
    n = game_input(out, n, at.HONBA + min(int(s.honba), 3))
    n = game_input(out, n, at.STICKS + min(int(s.sticks), 4))
    riichi = 0
    for player in range(PLAYERS):
        riichi += int(s.riichi[player] != 0)
    n = game_input(out, n, at.IN_RIICHI + riichi)
    return game_input(out, n, at.INDICATORS + max(int(s.indicators), 1) - 1)
