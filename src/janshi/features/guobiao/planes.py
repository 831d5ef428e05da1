"""Planes of Guobiao: the paper's 184 private and 112 hidden ones, and ours after them.

A plane is 4 × 9: characters, dots, bamboo, and the seven honours in the last row; a place is a kind's number. Players
are counted from the viewer. The first 24 discards of a river have their own planes; the counts include all.
"""

from __future__ import annotations

import sys
from typing import Any, Final

import numpy as np

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.melds import ADDED_KAN, CHI, CONCEALED_KAN, OPEN_KAN, PON
from janshi.core.tiles import COPIES, EAST, NUM_KINDS, RANKS
from janshi.features.planes import CHOICE, COUNT, FLAG, NO_TILE, RUN, SHARE, TILE, Group, PlaneSet, write_river
from janshi.rules.guobiao.actions import NUM_ACTIONS, WORDS
from janshi.rules.guobiao.state import FIRST_FLOWER, KONG_REACTION, MELDS, NONE, PLAYERS
from janshi.rules.guobiao.view import VIEW_DTYPE, look

VERSION: Final = "guobiao-planes-1"
ROWS: Final = 4
CELLS: Final = ROWS * RANKS
DISCARDS: Final = 24
"""Discards of a player that have their own plane."""
DRAWS: Final = 21
"""Tiles of a player's wall that have one: 34 less the 13 dealt."""
HALVES: Final = PLAYERS // 2
"""Counts of two players share a byte."""
MOST_LEFT: Final = 32
"""More tiles left in a wall than this are encoded as this many."""

PRIVATE_DTYPE = record_dtype(
    [
        ("legal", np.int64, (WORDS,)),  # legal actions, 60 a word, as in views
        ("hand", np.uint8, (CELLS,)),
        ("unseen", np.uint8, (CELLS,)),  # copies that the player sees nowhere
        ("river_counts", np.uint8, (HALVES, CELLS)),  # two players a byte
        ("chow", np.uint8, (PLAYERS, MELDS)),  # lowest kind, at the meld's place; NO_TILE elsewhere
        ("chow_tile", np.uint8, (PLAYERS, MELDS)),
        ("pong", np.uint8, (PLAYERS, MELDS)),
        ("kong", np.uint8, (PLAYERS, MELDS)),
        ("concealed", np.uint8, (MELDS,)),
        ("river", np.uint8, (PLAYERS, DISCARDS)),
        ("tile", np.uint8),  # reacted to
        ("drawn", np.uint8),
        ("wind", np.uint8),  # kinds of the prevalent and the seat wind
        ("seat_wind", np.uint8),
        ("last", np.uint8, (PLAYERS - 1,)),  # the other players' last discards
        ("actor", np.uint8),
        ("robbing", np.uint8),  # a tile added to a kong is reacted to
        ("after_kong", np.uint8),
        ("left", np.uint8, (PLAYERS,)),
        ("concealed_kongs", np.uint8, (PLAYERS - 1,)),  # how many the others have
        ("spare", np.uint8, (3,)),
    ]
)
HIDDEN_DTYPE = record_dtype(
    [
        ("hands", np.uint8, (HALVES, CELLS)),  # two players a byte; the player's own is left out
        ("wall_counts", np.uint8, (HALVES, CELLS)),
        ("waits", np.uint8, (CELLS,)),  # bit set of the players whose hand the kind completes
        ("wall", np.uint8, (PLAYERS, DRAWS)),  # in the order of drawing
        ("concealed", np.uint8, (PLAYERS - 1, MELDS)),
        ("spare", np.uint8, (4,)),
    ]
)

_WHO: Final = ("own", "next", "across", "before")
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
    Group("kong", "the kind of an exposed or added kong", "kong", TILE, _SLOTS),
    Group("own concealed kong", "its kind", "concealed", TILE, _numbered(("own",), MELDS)),
    Group("discard", "a player's first, second, ... discard, called away or not", "river", TILE, _RIVERS),
    Group("discards", "at least this many discards of a player", "river_counts", COUNT, _WHO, COPIES, nibbles=True),
    Group("tile reacted to", "the discard, or the tile added to a kong", "tile", TILE, paper=False),
    Group("drawn tile", "the player's own, on their turn", "drawn", TILE, paper=False),
    Group("prevalent wind", "its kind", "wind", TILE, paper=False),
    Group("seat wind", "the player's own", "seat_wind", TILE, paper=False),
    Group("last discard", "of each other player", "last", TILE, _OTHERS, paper=False),
    Group(
        "actor",
        "whose turn it is, or whose tile: 0 the player, 1 the next, ...",
        "actor",
        CHOICE,
        levels=PLAYERS,
        paper=False,
    ),
    Group("tile is added to a kong", "ones if it is, so that it may be robbed", "robbing", SHARE, paper=False),
    Group("drawn after a kong", "ones if it replaces a kong's tile", "after_kong", SHARE, paper=False),
    Group("tiles left", f"in a player's wall, at most {MOST_LEFT}", "left", SHARE, _WHO, MOST_LEFT, paper=False),
    Group("concealed kongs", "how many each other player has", "concealed_kongs", SHARE, _OTHERS, MELDS, paper=False),
    Group("unseen", "at least this many copies are nowhere in sight", "unseen", COUNT, levels=COPIES, paper=False),
)
HIDDEN: Final = (
    Group("hand", "at least this many in a hand", "hands", COUNT, _OTHERS, COPIES, nibbles=True, first_part=1),
    Group(
        "wall", "the first, second, ... tile that a player is to draw", "wall", TILE, _numbered(_WHO, DRAWS), wall=True
    ),
    Group(
        "walls",
        "at least this many are still to be drawn by a player",
        "wall_counts",
        COUNT,
        _WHO,
        COPIES,
        nibbles=True,
        wall=True,
    ),
    Group("concealed kong", "its kind", "concealed", TILE, _numbered(_OTHERS, MELDS), paper=False),
    Group("waits", "kinds that complete a player's hand, with any number of fan", "waits", FLAG, _WHO, paper=False),
)


# --- private inputs, from views alone


@kernel
def write_record(v: Any, r: Any) -> None:
    """Pack a view."""
    for word in range(WORDS):
        r.legal[word] = v.legal[word]
    for cell in range(CELLS):
        r.hand[cell] = 0
        r.unseen[cell] = 0
        for half in range(HALVES):
            r.river_counts[half, cell] = 0
    for kind in range(NUM_KINDS):
        r.hand[kind] = v.hand[kind]
    for player in range(PLAYERS):
        write_melds(v, player, r)
        write_river(v, player, r)
        r.left[player] = min(int(v.left[player]), MOST_LEFT)
    write_situation(v, r)
    write_unseen(v, r)


@kernel
def write_melds(v: Any, player: int, r: Any) -> None:
    """Pack a player's melds, each at its place; the kinds of others' concealed kongs are unknown."""
    hidden = 0
    for i in range(MELDS):
        type, kind = int(v.meld_type[player, i]), int(v.meld_kind[player, i]) & NO_TILE
        chow, concealed = type == CHI, type == CONCEALED_KAN
        r.chow[player, i] = kind if chow else NO_TILE
        r.chow_tile[player, i] = int(v.meld_tile[player, i]) & NO_TILE if chow else NO_TILE
        r.pong[player, i] = kind if type == PON else NO_TILE
        r.kong[player, i] = kind if type in (OPEN_KAN, ADDED_KAN) else NO_TILE
        hidden += 1 if concealed else 0
        if player == 0:
            r.concealed[i] = kind if concealed else NO_TILE
    if player > 0:
        r.concealed_kongs[player - 1] = hidden


@kernel
def write_situation(v: Any, r: Any) -> None:
    """Pack whose turn it is, the tile in question and the winds."""
    r.tile = int(v.tile) & NO_TILE
    r.drawn = int(v.drawn) & NO_TILE
    r.wind = EAST + int(v.wind)
    r.seat_wind = EAST + int(v.seat_wind)
    r.actor = v.actor
    r.robbing = 1 if v.phase == KONG_REACTION else 0
    r.after_kong = v.after_kong
    for i in range(len(r.spare)):
        r.spare[i] = 0


@kernel
def write_unseen(v: Any, r: Any) -> None:
    """Pack the number of copies of each kind that the player has not seen."""
    for kind in range(NUM_KINDS):
        r.unseen[kind] = max(COPIES - int(v.seen[kind]) - int(v.hand[kind]), 0)
    own = v.actor == 0 and v.phase == KONG_REACTION  # then it is still in the hand
    if v.tile != NONE and not own and r.unseen[int(v.tile)] > 0:  # seen by all, but not yet counted as such
        r.unseen[int(v.tile)] -= 1
    for i in range(MELDS):
        if r.concealed[i] != NO_TILE:
            r.unseen[int(r.concealed[i])] = 0


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
    """Pack what a player cannot see: the others' hands and concealed kongs, the walls, winning tiles."""
    for cell in range(CELLS):
        r.waits[cell] = 0
        for half in range(HALVES):
            r.hands[half, cell] = 0
            r.wall_counts[half, cell] = 0
    for other in range(PLAYERS):
        seat = (player + other) % PLAYERS
        for i in range(DRAWS):
            r.wall[other, i] = NO_TILE
        if other > 0:
            write_hidden_hand(s, seat, other, r)
        if s.waits[seat] != 0:
            for kind in range(NUM_KINDS):
                r.waits[kind] |= ((int(s.waits[seat]) >> kind) & 1) << other
    for i in range(len(r.spare)):
        r.spare[i] = 0
    if s.own_walls:
        write_own_walls(s, player, r)
    else:
        write_common_wall(s, player, r)


@kernel
def write_hidden_hand(s: Any, seat: int, other: int, r: Any) -> None:
    """Pack another player's hand and concealed kongs."""
    half, shift = other // 2, 4 * (other % 2)
    for kind in range(NUM_KINDS):
        r.hands[half, kind] |= int(s.hand[seat, kind]) << shift
    for i in range(MELDS):
        there = i < s.melds[seat] and s.meld_type[seat, i] == CONCEALED_KAN
        r.concealed[other - 1, i] = s.meld_kind[seat, i] if there else NO_TILE


@kernel
def write_draw(r: Any, other: int, place: int, tile: int) -> None:
    """Pack a tile that a player is to draw."""
    if place < DRAWS:
        r.wall[other, place] = tile
    r.wall_counts[other // 2, tile] += 1 << (4 * (other % 2))


@kernel
def write_own_walls(s: Any, player: int, r: Any) -> None:
    """Pack each player's own wall, flowers left out."""
    for other in range(PLAYERS):
        seat, place = (player + other) % PLAYERS, 0
        first = int(s.wall_size) * seat
        for at in range(first + int(s.left[seat]) - 1, first - 1, -1):
            tile = int(s.wall[at])
            if tile < FIRST_FLOWER:
                write_draw(r, other, place, tile)
                place += 1


@kernel
def write_common_wall(s: Any, player: int, r: Any) -> None:
    """Pack what each player would draw if nobody called again, flowers left out."""
    drawing = int(s.actor) if s.phase == KONG_REACTION else int(s.actor) + 1
    turn = 0
    for at in range(int(s.left[0]) - 1, -1, -1):
        tile = int(s.wall[at])
        if tile < FIRST_FLOWER:
            other = (drawing + turn + PLAYERS - player) % PLAYERS
            write_draw(r, other, turn // PLAYERS, tile)
            turn += 1


@kernel
def write_hidden(states: Any, tables: Any, players: Any, out: Any) -> None:
    """Write a hidden input for each (table, player)."""
    for i in range(len(tables)):
        write_hidden_record(states[tables[i]], int(players[i]), out[i])


PLANES: Final = PlaneSet(
    "guobiao",
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
