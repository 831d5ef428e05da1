"""Views: what one player may know, as a compact record; oracle views add the hidden hands.

Seats are relative: 0 is the viewer, 1 the player after, 2 the player before. Unused places hold -1 (no tile).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.rules.simplified.state import MELDS, NONE, PLAYERS, RIVER
from janshi.rules.simplified.tiles import NUM_KINDS

VIEW_FIELDS: list[Any] = [
    ("legal", np.int64),  # legal actions as bits; 0 if the viewer is not asked
    ("scores", np.int32, (PLAYERS,)),
    ("seat", np.int8),  # the viewer's absolute seat
    ("phase", np.int8),
    ("actor", np.int8),
    ("left", np.int8),
    ("turns", np.int8),  # discards made by all
    ("moment", np.int8),
    ("hand", np.int8, (NUM_KINDS,)),
    ("drawn", np.int8),  # the viewer's drawn tile
    ("tile", np.int8),  # the discard reacted to
    ("melds", np.int8, (PLAYERS,)),
    ("meld_type", np.int8, (PLAYERS, MELDS)),
    ("meld_kind", np.int8, (PLAYERS, MELDS)),
    ("meld_tile", np.int8, (PLAYERS, MELDS)),
    ("meld_from", np.int8, (PLAYERS, MELDS)),
    ("meld_order", np.int8, (PLAYERS, MELDS)),
    ("discards", np.int8, (PLAYERS,)),
    ("river", np.int8, (PLAYERS, RIVER)),
    ("river_flags", np.int8, (PLAYERS, RIVER)),
    ("river_order", np.int8, (PLAYERS, RIVER)),
    ("seen", np.int8, (NUM_KINDS,)),  # tiles everybody sees
    ("result", np.int8),
    ("winner", np.int8),
    ("payer", np.int8),
    ("win_kinds", np.int8),
    ("win_fan", np.int8),
]
VIEW_DTYPE = record_dtype(VIEW_FIELDS)

ORACLE_DTYPE = record_dtype([("hands", np.int8, (PLAYERS, NUM_KINDS)), *VIEW_FIELDS])
"""A view with the hidden hands, which come first so that Numba does not take it for a longer view."""


@kernel
def relative(seat: int, player: int) -> int:
    """A seat as `player` counts seats, or NONE."""
    return NONE if seat == NONE else (seat + PLAYERS - player) % PLAYERS


@kernel
def look(s: Any, player: int, v: Any) -> None:
    """Write what `player` may know into a view."""
    v.seat = player
    v.phase = s.phase
    v.actor = relative(int(s.actor), player)
    v.left = s.left
    v.turns = s.turns
    v.moment = s.moment
    v.tile = s.tile
    v.drawn = s.drawn if player == s.actor else NONE
    v.legal = s.legal[player] if (int(s.asked) >> player) & 1 else 0
    v.result = s.result
    v.winner = relative(int(s.winner), player)
    v.payer = relative(int(s.payer), player)
    v.win_kinds = s.win_kinds
    v.win_fan = s.win_fan
    for kind in range(NUM_KINDS):
        v.hand[kind] = s.hand[player, kind]
        v.seen[kind] = s.seen[kind]
    for other in range(PLAYERS):
        seat = (player + other) % PLAYERS
        v.scores[other] = s.scores[seat]
        look_at_melds(s, seat, other, player, v)
        look_at_river(s, seat, other, v)


@kernel
def look_at_melds(s: Any, seat: int, other: int, player: int, v: Any) -> None:
    """Write one player's melds."""
    v.melds[other] = s.melds[seat]
    for i in range(MELDS):
        there = i < s.melds[seat]
        v.meld_type[other, i] = s.meld_type[seat, i] if there else 0
        v.meld_kind[other, i] = s.meld_kind[seat, i] if there else NONE
        v.meld_tile[other, i] = s.meld_tile[seat, i] if there else NONE
        v.meld_order[other, i] = s.meld_order[seat, i] if there else 0
        v.meld_from[other, i] = relative(int(s.meld_from[seat, i]), player) if there else NONE


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
def write_views(states: Any, tables: Any, players: Any, out: Any) -> None:
    """Write a view for each (table, player)."""
    for i in range(len(tables)):
        look(states[tables[i]], int(players[i]), out[i])


@kernel
def write_oracle_views(states: Any, tables: Any, players: Any, out: Any) -> None:
    """Write an oracle view for each (table, player)."""
    for i in range(len(tables)):
        s, player = states[tables[i]], int(players[i])
        look(s, player, out[i])
        for other in range(PLAYERS):
            for kind in range(NUM_KINDS):
                out[i].hands[other, kind] = s.hand[(player + other) % PLAYERS, kind]
