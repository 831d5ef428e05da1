"""Views: what one player may know, as a compact record; oracle views add the hidden hands.

Seats are relative: 0 is the viewer, 1 the player after, and so on. `hand` is the viewer's own; rivers and melds are
laid out as in the state. Unused places hold -1 (no tile).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.tiles import NUM_KINDS
from janshi.rules.riichi.concealed import tile_of
from janshi.rules.riichi.deal import FIRST_INDICATOR
from janshi.rules.riichi.state import INDICATORS, MELDS, NONE, PLAYERS, RIVER
from janshi.rules.riichi.winning import is_furiten

VIEW_FIELDS: list[Any] = [
    ("legal", np.int64, (2,)),  # legal actions, 60 a word; 0 if the viewer is not asked
    ("waits", np.int64),  # kinds the viewer's concealed hand waits for
    ("scores", np.int32, (PLAYERS,)),
    ("seat", np.int8),  # the viewer's absolute seat
    ("kyoku", np.int8),
    ("dealer", np.int8),
    ("honba", np.int8),
    ("sticks", np.int8),
    ("phase", np.int8),
    ("actor", np.int8),
    ("left", np.int8),
    ("turns", np.int8),  # discards made by all
    ("indicators", np.int8, (INDICATORS,)),  # dora indicators as tiles
    ("hand", np.int8, (NUM_KINDS,)),
    ("reds", np.int8),
    ("drawn", np.int8),  # the viewer's drawn tile
    ("tile", np.int8),  # the tile reacted to
    ("declaring", np.int8),
    ("furiten", np.int8),
    ("first_turn", np.int8),
    ("riichi", np.int8, (PLAYERS,)),
    ("ippatsu", np.int8, (PLAYERS,)),
    ("melds", np.int8, (PLAYERS,)),
    ("meld_type", np.int8, (PLAYERS, MELDS)),
    ("meld_kind", np.int8, (PLAYERS, MELDS)),
    ("meld_tile", np.int8, (PLAYERS, MELDS)),
    ("meld_from", np.int8, (PLAYERS, MELDS)),
    ("meld_red", np.int8, (PLAYERS, MELDS)),
    ("meld_order", np.int8, (PLAYERS, MELDS)),
    ("discards", np.int8, (PLAYERS,)),
    ("river", np.int8, (PLAYERS, RIVER)),
    ("river_flags", np.int8, (PLAYERS, RIVER)),
    ("river_order", np.int8, (PLAYERS, RIVER)),
    ("seen", np.int8, (NUM_KINDS,)),  # tiles everybody sees
]
VIEW_DTYPE = record_dtype(VIEW_FIELDS)

ORACLE_DTYPE = record_dtype(
    [
        ("all_waits", np.int64, (PLAYERS,)),
        ("hands", np.int8, (PLAYERS, NUM_KINDS)),
        ("all_reds", np.int8, (PLAYERS,)),
        ("all_furiten", np.int8, (PLAYERS,)),
        *VIEW_FIELDS,
    ]
)
"""A view with the hidden hands, which come first so that Numba does not take it for a longer view."""


@kernel
def look(s: Any, player: int, red_fives: int, v: Any) -> None:
    """Write what `player` may know into a view."""
    look_at_game(s, player, v)
    look_at_own_hand(s, player, v)
    for i in range(INDICATORS):
        v.indicators[i] = tile_of(s.wall[FIRST_INDICATOR + 2 * i], red_fives) if i < s.indicators else NONE
    for kind in range(NUM_KINDS):
        v.seen[kind] = s.seen[kind]
    for other in range(PLAYERS):
        seat = (player + other) % PLAYERS
        v.scores[other] = s.scores[seat]
        v.riichi[other] = s.riichi[seat]
        v.ippatsu[other] = s.ippatsu[seat]
        look_at_melds(s, seat, other, player, v)
        look_at_river(s, seat, other, v)


@kernel
def look_at_game(s: Any, player: int, v: Any) -> None:
    """Write the state of the game and whose turn it is."""
    v.seat = player
    v.kyoku = s.kyoku
    v.dealer = (int(s.kyoku) + PLAYERS - player) % PLAYERS
    v.honba = s.honba
    v.sticks = s.sticks
    v.phase = s.phase
    v.actor = (int(s.actor) + PLAYERS - player) % PLAYERS
    v.left = s.left
    v.turns = s.turns
    v.tile = s.tile
    asked = (int(s.asked) >> player) & 1
    v.legal[0] = s.legal[player, 0] if asked else 0
    v.legal[1] = s.legal[player, 1] if asked else 0


@kernel
def look_at_own_hand(s: Any, player: int, v: Any) -> None:
    """Write the viewer's own hand and what follows from it."""
    mine = player == s.actor
    for kind in range(NUM_KINDS):
        v.hand[kind] = s.hand[player, kind]
    v.reds = s.reds[player]
    v.drawn = s.drawn if mine else NONE
    v.declaring = s.declaring if mine else 0
    v.waits = s.waits[player]
    v.furiten = 1 if is_furiten(s, player) else 0
    v.first_turn = s.first_turn[player]


@kernel
def look_at_melds(s: Any, seat: int, other: int, player: int, v: Any) -> None:
    """Write one player's melds."""
    v.melds[other] = s.melds[seat]
    for i in range(MELDS):
        there = i < s.melds[seat]
        v.meld_type[other, i] = s.meld_type[seat, i] if there else 0
        v.meld_kind[other, i] = s.meld_kind[seat, i] if there else NONE
        v.meld_tile[other, i] = s.meld_tile[seat, i] if there else NONE
        v.meld_red[other, i] = s.meld_red[seat, i] if there else 0
        v.meld_order[other, i] = s.meld_order[seat, i] if there else 0
        source = int(s.meld_from[seat, i])
        v.meld_from[other, i] = (source + PLAYERS - player) % PLAYERS if there and source != NONE else NONE


@kernel
def look_at_river(s: Any, seat: int, other: int, v: Any) -> None:
    """Write one player's river."""
    length = int(s.discards[seat])
    v.discards[other] = length
    for i in range(RIVER):
        there = i < length
        v.river[other, i] = s.river[seat, i] if there else NONE
        v.river_flags[other, i] = s.river_flags[seat, i] if there else 0
        v.river_order[other, i] = s.river_order[seat, i] if there else 0


@kernel
def look_behind(s: Any, player: int, v: Any) -> None:
    """Add the hidden hands to an oracle view."""
    for other in range(PLAYERS):
        seat = (player + other) % PLAYERS
        v.all_waits[other] = s.waits[seat]
        v.all_reds[other] = s.reds[seat]
        v.all_furiten[other] = 1 if is_furiten(s, seat) else 0
        for kind in range(NUM_KINDS):
            v.hands[other, kind] = s.hand[seat, kind]


@kernel
def write_views(states: Any, tables: Any, players: Any, red_fives: int, out: Any) -> None:
    """Write a view for each (table, player)."""
    for i in range(len(tables)):
        look(states[tables[i]], players[i], red_fives, out[i])


@kernel
def write_oracle_views(states: Any, tables: Any, players: Any, red_fives: int, out: Any) -> None:
    """Write an oracle view for each (table, player)."""
    for i in range(len(tables)):
        look(states[tables[i]], players[i], red_fives, out[i])
        look_behind(states[tables[i]], players[i], out[i])
