"""Views: what one player may know, as a compact record; oracle views add the hidden hands.

Seats are relative: 0 is the viewer, 1 the player after, and so on. `hand` is the viewer's own; rivers and melds are
laid out as in the state, but the tile of another's concealed kong is hidden. Unused places hold -1 (no tile).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.melds import CONCEALED_KAN
from janshi.core.tiles import NUM_KINDS
from janshi.rules.guobiao.actions import WORDS
from janshi.rules.guobiao.deal import left_for
from janshi.rules.guobiao.state import MELDS, NONE, PLAYERS, RIVER

VIEW_FIELDS: list[Any] = [
    ("legal", np.int64, (WORDS,)),  # legal actions, 60 a word; 0 if the viewer is not asked
    ("waits", np.int64),  # kinds that complete the viewer's concealed hand, with any number of fan
    ("scores", np.int32, (PLAYERS,)),
    ("turns", np.int16),  # discards made by all
    ("left", np.int16, (PLAYERS,)),  # tiles left for each player to draw
    ("flowers", np.int16, (PLAYERS,)),  # bit sets
    ("river_order", np.int16, (PLAYERS, RIVER)),
    ("seat", np.int8),  # the viewer's absolute seat
    ("hand_number", np.int8),
    ("wind", np.int8),  # prevalent wind
    ("seat_wind", np.int8),  # the viewer's own
    ("dealer", np.int8),
    ("phase", np.int8),
    ("actor", np.int8),
    ("hand", np.int8, (NUM_KINDS,)),
    ("drawn", np.int8),  # the viewer's drawn tile
    ("after_kong", np.int8),  # it replaced a kong's
    ("tile", np.int8),  # the tile reacted to
    ("melds", np.int8, (PLAYERS,)),
    ("meld_type", np.int8, (PLAYERS, MELDS)),
    ("meld_kind", np.int8, (PLAYERS, MELDS)),
    ("meld_tile", np.int8, (PLAYERS, MELDS)),
    ("meld_from", np.int8, (PLAYERS, MELDS)),
    ("discards", np.int8, (PLAYERS,)),
    ("river", np.int8, (PLAYERS, RIVER)),
    ("river_flags", np.int8, (PLAYERS, RIVER)),
    ("seen", np.int8, (NUM_KINDS,)),  # tiles everybody sees: passed discards and open melds, without `tile`
]
VIEW_DTYPE = record_dtype(VIEW_FIELDS)

ORACLE_DTYPE = record_dtype(
    [
        ("all_waits", np.int64, (PLAYERS,)),
        ("hands", np.int8, (PLAYERS, NUM_KINDS)),
        ("all_meld_kind", np.int8, (PLAYERS, MELDS)),  # concealed kongs shown
        *VIEW_FIELDS,
    ]
)
"""A view with the hidden hands, which come first so that Numba does not take it for a longer view."""


@kernel
def look(s: Any, player: int, v: Any) -> None:
    """Write what `player` may know into a view."""
    look_at_game(s, player, v)
    look_at_own_hand(s, player, v)
    for kind in range(NUM_KINDS):
        v.seen[kind] = s.seen[kind]
    for other in range(PLAYERS):
        seat = (player + other) % PLAYERS
        v.scores[other] = s.scores[seat]
        v.left[other] = left_for(s, seat)
        v.flowers[other] = s.flowers[seat]
        look_at_melds(s, seat, other, player, v)
        look_at_river(s, seat, other, v)


@kernel
def look_at_game(s: Any, player: int, v: Any) -> None:
    """Write the state of the game and whose turn it is."""
    v.seat = player
    v.hand_number = s.hand_number
    v.wind = s.wind
    v.seat_wind = (player + PLAYERS - int(s.dealer)) % PLAYERS
    v.dealer = (int(s.dealer) + PLAYERS - player) % PLAYERS
    v.phase = s.phase
    v.actor = (int(s.actor) + PLAYERS - player) % PLAYERS
    v.turns = s.turns
    v.tile = s.tile
    asked = (int(s.asked) >> player) & 1
    for word in range(WORDS):
        v.legal[word] = s.legal[player, word] if asked else 0


@kernel
def look_at_own_hand(s: Any, player: int, v: Any) -> None:
    """Write the viewer's own hand and what follows from it."""
    mine = player == s.actor
    for kind in range(NUM_KINDS):
        v.hand[kind] = s.hand[player, kind]
    v.drawn = s.drawn if mine else NONE
    v.after_kong = s.after_kong if mine else 0
    v.waits = s.waits[player]


@kernel
def look_at_melds(s: Any, seat: int, other: int, player: int, v: Any) -> None:
    """Write one player's melds."""
    v.melds[other] = s.melds[seat]
    for i in range(MELDS):
        there = i < s.melds[seat]
        hidden = seat != player and s.meld_type[seat, i] == CONCEALED_KAN
        v.meld_type[other, i] = s.meld_type[seat, i] if there else 0
        v.meld_kind[other, i] = s.meld_kind[seat, i] if there and not hidden else NONE
        v.meld_tile[other, i] = s.meld_tile[seat, i] if there else NONE
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
        for kind in range(NUM_KINDS):
            v.hands[other, kind] = s.hand[seat, kind]
        for i in range(MELDS):
            v.all_meld_kind[other, i] = s.meld_kind[seat, i] if i < s.melds[seat] else NONE


@kernel
def write_views(states: Any, tables: Any, players: Any, out: Any) -> None:
    """Write a view for each (table, player)."""
    for i in range(len(tables)):
        look(states[tables[i]], players[i], out[i])


@kernel
def write_oracle_views(states: Any, tables: Any, players: Any, out: Any) -> None:
    """Write an oracle view for each (table, player)."""
    for i in range(len(tables)):
        look(states[tables[i]], players[i], out[i])
        look_behind(states[tables[i]], players[i], out[i])
