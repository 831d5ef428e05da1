"""Scripts: the events of a recorded hand as rows of numbers that a kernel can follow.

A script is int16[n, 3]: one row (action, player, tile id) for every action of a player, in the record's order, with the
action numbers of `janshi.rules.riichi.actions`, and for every other visible event: a draw (`DRAW`), an
indicator turned (`TURNED`), a riichi stick paid (`PAID`). The wins of the result, a draw by nine terminals and the
three rons of a triple ron come at the end as actions.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from janshi.core.dtypes import record_dtype
from janshi.core.tiles import COPIES, FIRST_RED, NUM_IDS, id_to_tile
from janshi.records.model import HandRecord, Kind
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.state import INDICATORS, NONE, PLAYERS

DRAW: Final = act.NUM_ACTIONS
TURNED: Final = act.NUM_ACTIONS + 1
PAID: Final = act.NUM_ACTIONS + 2
COLUMNS: Final = 3
HAND_SIZE: Final = 13

TILES: Final = (
    tuple(tile_id // COPIES for tile_id in range(NUM_IDS)),
    tuple(id_to_tile(tile_id) for tile_id in range(NUM_IDS)),
)
"""The tile of every tile id, without and with red fives."""

HAND_DTYPE: Final = record_dtype(
    [
        ("first", np.int64),  # the hand's first row in the script
        ("end", np.int64),  # and the row after its last
        ("scores", np.int32, (PLAYERS,)),
        ("kyoku", np.int8),
        ("honba", np.int8),
        ("sticks", np.int8),
        ("seeded", np.int8),  # whether the wall is given; otherwise it is laid from what the record shows
        ("wall", np.uint8, (NUM_IDS,)),
        ("deals", np.uint8, (PLAYERS, HAND_SIZE)),
        ("indicator", np.uint8),
        ("ura", np.int16, (INDICATORS,)),  # ura indicators, NONE where the record does not show them
        ("seen", np.int16, (NUM_IDS,)),  # the wall as far as the record shows it; written by the kernel
    ]
)
"""A hand to follow: its situation, its wall or what is known of it, and the rows of its script."""

Wall = npt.NDArray[np.uint8]
_SILENT = (int(Kind.LEAVE), int(Kind.RETURN))
_SHOWN = {int(Kind.RIICHI): act.RIICHI, int(Kind.RIICHI_PAID): PAID}


def script_of(hand: HandRecord, red_fives: bool = True) -> npt.NDArray[np.int16]:
    """The script of a recorded hand."""
    return np.array(script_rows(hand, red_fives), np.int16).reshape(-1, COLUMNS)


def script_rows(hand: HandRecord, red_fives: bool = True) -> list[int]:
    """The script of a recorded hand as flat numbers."""
    tiles = TILES[red_fives]
    rows: list[int] = []
    for kind, player, tile, taken, _, tsumogiri in hand.events:
        if kind == 0:  # Kind.DRAW
            rows += (DRAW, player, tile)
        elif kind == 1:  # Kind.DISCARD
            rows += (act.TSUMOGIRI if tsumogiri else tiles[tile], player, tile)
        elif kind == 9:  # Kind.DORA
            rows += (TURNED, player, tile)
        elif kind in _SHOWN:
            rows += (_SHOWN[kind], player, tile)
        elif kind not in _SILENT:
            rows += (call_action(kind, tile, taken, tiles), player, tile)
    return rows + _result_rows(hand)


def call_action(kind: int, tile: int, taken: Sequence[int], tiles: Sequence[int]) -> int:
    """The action of a chi, pon or kan; `taken` are the ids from the caller's hand, `tiles` the tile of each id."""
    if kind == Kind.CONCEALED_KAN:
        return act.CONCEALED_KAN + taken[0] // COPIES
    if kind == Kind.ADDED_KAN:
        return act.ADDED_KAN + tile // COPIES
    if kind == Kind.OPEN_KAN:
        return act.OPEN_KAN
    red = any(tiles[tile_id] >= FIRST_RED for tile_id in taken)
    if kind == Kind.PON:
        return act.PON_RED if red else act.PON
    place = sum(tile_id < tile for tile_id in taken)
    return (act.CHI_RED if red else act.CHI) + place


def _result_rows(hand: HandRecord) -> list[int]:
    """The actions that ended the hand."""
    rows: list[int] = []
    for win in hand.wins:
        rows += (act.TSUMO if win.winner == win.loser else act.RON, win.winner, win.tile)
    if hand.draw is not None and hand.events:
        if hand.draw.kind == "nine terminals":
            drawer = next(e.player for e in reversed(hand.events) if e.kind == Kind.DRAW)
            rows += (act.NINE_TERMINALS, drawer, -1)
        elif hand.draw.kind == "triple ron":
            loser = next(e.player for e in reversed(hand.events) if e.player >= 0 and e.tile >= 0)
            for i in range(1, PLAYERS):
                rows += (act.RON, (loser + i) % PLAYERS, -1)
    return rows


def event_of_row(hand: HandRecord, row: int) -> int | None:
    """The index of a script row's event; None for a row of the result."""
    spoken = [i for i, event in enumerate(hand.events) if event.kind not in _SILENT]
    return spoken[row] if row < len(spoken) else None


def scripts_of(
    hands: Sequence[HandRecord], walls: Sequence[Wall] | None = None, red_fives: bool = True
) -> tuple[npt.NDArray[Any], npt.NDArray[np.int16]]:
    """Hands to follow and their scripts in one array: (HAND_DTYPE[h], int16[n, 3]).

    Without walls, the kernel lays them from what the records show.
    """
    out = np.zeros(len(hands), HAND_DTYPE)
    rows = array("h")
    places = []
    for hand in hands:
        first = len(rows) // COLUMNS
        rows.extend(array("h", script_rows(hand, red_fives)))
        places.append((first, len(rows) // COLUMNS, hand.round, hand.honba, hand.sticks, hand.dora))
    if hands:
        names = ("first", "end", "kyoku", "honba", "sticks", "indicator")
        for name, column in zip(names, zip(*places)):
            out[name] = column
        out["scores"] = [hand.scores for hand in hands]
        out["deals"] = [hand.deals for hand in hands]
        out["ura"] = [_ura(hand) for hand in hands]
    if walls is not None:
        out["wall"] = walls
        out["seeded"] = 1
    return out, np.frombuffer(rows, np.int16).reshape(-1, COLUMNS)


def _ura(hand: HandRecord) -> tuple[int, ...]:
    """The ura indicators a record shows, NONE for the others."""
    shown = max((win.ura for win in hand.wins), key=len, default=())
    return (*shown, *(NONE,) * (INDICATORS - len(shown)))
