"""Planes of the simplified game: the equivalent of the paper's for three players, followed by ours.

A plane is 3 × 6: dots, bamboo, and East and Red in the last row; a place is a kind's number. Players are counted
from the viewer. A kong (three tiles laid down from the hand) is seen by all, so there are no concealed ones.
"""

from __future__ import annotations

import sys
from typing import Any, Final

import numpy as np

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.features.planes import CHOICE, COUNT, NO_TILE, RUN, SHARE, TILE, Group, PlaneSet, write_river
from janshi.rules.simplified.actions import NUM_ACTIONS
from janshi.rules.simplified.state import (
    AFTER_CALL,
    AFTER_KONG,
    CHI_MELD,
    KONG_MELD,
    MELDS,
    PLAYERS,
    PONG_MELD,
    TURN,
)
from janshi.rules.simplified.tiles import COPIES, NUM_KINDS, RANKS
from janshi.rules.simplified.view import VIEW_DTYPE, look

VERSION: Final = "simplified-planes-1"
ROWS: Final = 3
CELLS: Final = ROWS * RANKS
DISCARDS: Final = 12
"""Discards of a player that have their own plane."""
DRAWS: Final = 7
"""A third of the 21 tiles that are not dealt."""
HALVES: Final = 2
"""Counts of two players share a byte."""
MOST_LEFT: Final = 32

PRIVATE_DTYPE = record_dtype(
    [
        ("legal", np.int64),  # legal actions as bits, as in views
        ("hand", np.uint8, (CELLS,)),
        ("unseen", np.uint8, (CELLS,)),  # copies that the player sees nowhere
        ("river_counts", np.uint8, (HALVES, CELLS)),  # two players a byte
        ("chow", np.uint8, (PLAYERS, MELDS)),  # lowest kind, at the meld's place; NO_TILE elsewhere
        ("chow_tile", np.uint8, (PLAYERS, MELDS)),
        ("pong", np.uint8, (PLAYERS, MELDS)),
        ("kong", np.uint8, (PLAYERS, MELDS)),
        ("river", np.uint8, (PLAYERS, DISCARDS)),
        ("tile", np.uint8),  # reacted to
        ("drawn", np.uint8),
        ("last", np.uint8, (PLAYERS - 1,)),  # the other players' last discards
        ("actor", np.uint8),
        ("seat", np.uint8),  # 0 began
        ("after_call", np.uint8),
        ("after_kong", np.uint8),
        ("left", np.uint8),
        ("spare", np.uint8, (7,)),
    ]
)
HIDDEN_DTYPE = record_dtype(
    [
        ("hands", np.uint8, (HALVES, CELLS)),  # two players a byte; the player's own is left out
        ("wall_counts", np.uint8, (HALVES, CELLS)),
        ("wall", np.uint8, (PLAYERS, DRAWS)),  # in the order of drawing
        ("spare", np.uint8, (3,)),
    ]
)

_WHO: Final = ("own", "next", "before")
_OTHERS: Final = _WHO[1:]


def _numbered(who: tuple[str, ...], n: int) -> tuple[str, ...]:
    return tuple(f"{player} {i}" for player in who for i in range(1, n + 1))


_SLOTS: Final = _numbered(_WHO, MELDS)
_RIVERS: Final = _numbered(_WHO, DISCARDS)

PRIVATE: Final = (
    Group("own hand", "at least this many tiles in the hand, the drawn one included", "hand", COUNT, levels=COPIES),
    Group("chow", "the three tiles of a meld, at its place among the player's melds", "chow", RUN, _SLOTS),
    Group("called tile of a chow", "the one that came from the player before", "chow_tile", TILE, _SLOTS),
    Group("pong", "the kind of a meld", "pong", TILE, _SLOTS),
    Group("kong", "the kind of three tiles laid down from the hand", "kong", TILE, _SLOTS),
    Group("discard", "a player's first, second, ... discard, called away or not", "river", TILE, _RIVERS),
    Group("discards", "at least this many discards of a player", "river_counts", COUNT, _WHO, COPIES, nibbles=True),
    Group("tile reacted to", "the discard", "tile", TILE, paper=False),
    Group("drawn tile", "the player's own, on their turn", "drawn", TILE, paper=False),
    Group("last discard", "of each other player", "last", TILE, _OTHERS, paper=False),
    Group("actor", "whose turn it is, or whose tile", "actor", CHOICE, levels=PLAYERS, paper=False),
    Group("own seat", "0 began the game", "seat", CHOICE, levels=PLAYERS, paper=False),
    Group("actor has called", "ones if a discard is due without a draw", "after_call", SHARE, paper=False),
    Group("actor has laid a kong", "ones if a discard is due after a kong", "after_kong", SHARE, paper=False),
    Group("tiles left", "in the wall", "left", SHARE, levels=MOST_LEFT, paper=False),
    Group("unseen", "at least this many copies are nowhere in sight", "unseen", COUNT, levels=COPIES, paper=False),
)
HIDDEN: Final = (
    Group("hand", "at least this many in a hand", "hands", COUNT, _OTHERS, COPIES, nibbles=True, first_part=1),
    Group("wall", "the tiles a player would draw if nobody called", "wall", TILE, _numbered(_WHO, DRAWS), wall=True),
    Group(
        "walls",
        "at least this many would be drawn by a player",
        "wall_counts",
        COUNT,
        _WHO,
        COPIES,
        nibbles=True,
        wall=True,
    ),
)


# --- private inputs, from views alone


@kernel
def write_record(v: Any, r: Any) -> None:
    """Pack a view."""
    r.legal = v.legal
    for cell in range(CELLS):
        r.hand[cell] = 0
        r.unseen[cell] = 0
        for half in range(HALVES):
            r.river_counts[half, cell] = 0
    for kind in range(NUM_KINDS):
        r.hand[kind] = v.hand[kind]
        r.unseen[kind] = max(COPIES - int(v.seen[kind]) - int(v.hand[kind]), 0)
    for player in range(PLAYERS):
        write_melds(v, player, r)
        write_river(v, player, r)
    write_situation(v, r)


@kernel
def write_melds(v: Any, player: int, r: Any) -> None:
    """Pack a player's melds, each at its place."""
    for i in range(MELDS):
        type, kind = int(v.meld_type[player, i]), int(v.meld_kind[player, i]) & NO_TILE
        r.chow[player, i] = kind if type == CHI_MELD else NO_TILE
        r.chow_tile[player, i] = int(v.meld_tile[player, i]) & NO_TILE if type == CHI_MELD else NO_TILE
        r.pong[player, i] = kind if type == PONG_MELD else NO_TILE
        r.kong[player, i] = kind if type == KONG_MELD else NO_TILE


@kernel
def write_situation(v: Any, r: Any) -> None:
    """Pack whose turn it is and the tile in question."""
    r.tile = int(v.tile) & NO_TILE
    r.drawn = int(v.drawn) & NO_TILE
    r.actor = v.actor
    r.seat = v.seat
    r.after_call = 1 if v.phase == TURN and v.moment == AFTER_CALL else 0
    r.after_kong = 1 if v.phase == TURN and v.moment == AFTER_KONG else 0
    r.left = v.left
    for i in range(len(r.spare)):
        r.spare[i] = 0


@kernel
def write_views(views: Any, out: Any) -> None:
    """Write a private input for each view."""
    for i in range(len(views)):
        write_record(views[i], out[i])


@kernel
def write_private(states: Any, tables: Any, players: Any, scratch: Any, out: Any) -> None:
    """Write a private input for each (table, player), by way of a view."""
    v = scratch[0]
    for i in range(len(tables)):
        look(states[tables[i]], int(players[i]), v)
        write_record(v, out[i])


# --- hidden inputs


@kernel
def write_hidden_record(s: Any, player: int, r: Any) -> None:
    """Pack what a player cannot see: the others' hands, and what each would draw if nobody called again."""
    for cell in range(CELLS):
        for half in range(HALVES):
            r.hands[half, cell] = 0
            r.wall_counts[half, cell] = 0
    for other in range(PLAYERS):
        seat, one = (player + other) % PLAYERS, 1 << (4 * (other % 2))
        if other > 0:
            for kind in range(NUM_KINDS):
                r.hands[other // 2, kind] += one * int(s.hand[seat, kind])
        for i in range(DRAWS):
            r.wall[other, i] = NO_TILE
    for i in range(len(r.spare)):
        r.spare[i] = 0
    for turn in range(int(s.left)):
        tile = int(s.wall[int(s.left) - 1 - turn])
        other = (int(s.actor) + 1 + turn + PLAYERS - player) % PLAYERS
        if turn // PLAYERS < DRAWS:
            r.wall[other, turn // PLAYERS] = tile
        r.wall_counts[other // 2, tile] += 1 << (4 * (other % 2))


@kernel
def write_hidden(states: Any, tables: Any, players: Any, out: Any) -> None:
    """Write a hidden input for each (table, player)."""
    for i in range(len(tables)):
        write_hidden_record(states[tables[i]], int(players[i]), out[i])


PLANES: Final = PlaneSet(
    "simplified",
    VERSION,
    ROWS,
    RANKS,
    NUM_ACTIONS,
    VIEW_DTYPE,
    PRIVATE_DTYPE,
    HIDDEN_DTYPE,
    PRIVATE,
    HIDDEN,
    sys.modules[__name__],
)
