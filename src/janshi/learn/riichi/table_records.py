"""Records of what happens at riichi tables (decisions, draws, ends, ura indicators), and the memory for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from janshi.core.dtypes import record_dtype
from janshi.core.tables import tables_array
from janshi.features.riichi.knowledge import KNOWN_DTYPE
from janshi.features.riichi.notes import NOTES_DTYPE
from janshi.features.riichi.open_hands import ROOM
from janshi.features.riichi.packed import PACKED_DTYPE
from janshi.features.riichi.unseen_tiles import NUM_TILES
from janshi.rules.riichi.ruleset import Ruleset
from janshi.rules.riichi.state import FRAME_DTYPE, PLAYERS, STATE_DTYPE
from janshi.rules.riichi.view import VIEW_DTYPE

DECISIONS, DRAWS, ENDS, URA = range(4)
SPARE: Final = 256
"""Space of a thread for draws and ends, beyond what every table needs at least."""

SLOT_DTYPE: Final = record_dtype(
    [
        ("hand", np.int64),  # number of the hand, different for all hands of a run of tables
        ("wall", np.int64),  # number of the game's walls
        ("game", np.int64),  # games begun before this one
        ("games", np.int64),  # games to play in all
        ("scores", np.int32, (PLAYERS,)),  # at the start of the hand
        ("draws", np.int16),  # in this hand so far
        ("sticks", np.int8),  # at the start of the hand
        ("rules", np.int8),  # which of the rules
    ]
)
"""Information about a table besides its state."""

ASKED_DTYPE: Final = record_dtype(
    [
        ("hand", np.int64),
        ("game", np.int64),
        ("table", np.int32),
        ("draws", np.int16),  # draws of the hand before the decision, at least one
        ("seat", np.int8),
    ]
)
"""An open decision."""

DRAW_DTYPE: Final = record_dtype(
    [
        ("hand", np.int64),
        ("scores", np.int32, (PLAYERS,)),
        ("number", np.int16),  # of the hand's draws
        ("seat", np.int8),  # who draws
        ("tile", np.int8),  # what came
        ("sticks", np.int8),
        ("rules", np.int8),
        ("kyoku", np.int8),
        ("honba", np.int8),
        ("pool", np.uint8, (NUM_TILES,)),  # what could have come
        ("inputs", np.uint16, (ROOM,)),
    ]
)
"""A draw: the position before it, as listed by `open_hands`, and the drawn tile."""

END_DTYPE: Final = record_dtype(
    [
        ("hand", np.int64),
        ("game", np.int64),
        ("wall", np.int64),
        ("table", np.int32),
        ("start", np.int32, (PLAYERS,)),  # scores before the hand
        ("scores", np.int32, (PLAYERS,)),  # after it; sticks left at the end of a game go to the leader
        ("points", np.int32),  # of the largest win, without honba and sticks
        ("draws", np.int16),
        ("start_sticks", np.int8),
        ("sticks", np.int8),
        ("rules", np.int8),
        ("kyoku", np.int8),
        ("honba", np.int8),
        ("next_kyoku", np.int8),
        ("next_honba", np.int8),
        ("over", np.int8),  # the game is over
        ("stays", np.int8),  # the dealer stays
        ("result", np.int8),
        ("winner", np.int8),
        ("loser", np.int8),
        ("tenpai", np.int8),
        ("winners", np.int8),
        ("riichi", np.int8),  # bit set of the players in riichi
        ("opened", np.int8),  # bit set of the players with an open hand
    ]
)
"""How a hand ended."""

URA_DTYPE: Final = record_dtype(
    [
        ("hand", np.int64),
        ("scores", np.int32, (NUM_TILES, PLAYERS)),  # after the win with each tile as the indicator
        ("tile", np.int8),
        ("weight", np.float32, (NUM_TILES,)),
    ]
)
"""An ura indicator that was turned: the scores after the win with it, and with every other possible tile."""


class Group(NamedTuple):
    """The tables of a thread."""

    states: Any  # STATE_DTYPE[n]
    slots: Any  # SLOT_DTYPE[n]
    known: Any  # KNOWN_DTYPE[n, 4]
    first: Any  # int64[n + 1]: where each table's open decisions are among all of them
    offset: int  # number of the first table
    stride: int  # from the walls of a table's game to those of its next
    seed: Any  # uint64, of the walls
    frames: Any  # FRAME_DTYPE[rules]
    tables: Any  # the shanten tables, an array of one


class GroupTable(NamedTuple):
    """One table of a group."""

    state: Any  # STATE_DTYPE
    slot: Any  # SLOT_DTYPE
    known: Any  # KNOWN_DTYPE[4]
    number: int
    stride: int
    seed: Any


class Out(NamedTuple):
    """A thread's output: decisions, draws, ends, ura indicators, and their numbers (int64[4])."""

    packed: Any  # PACKED_DTYPE
    asked: Any  # ASKED_DTYPE
    draws: Any  # DRAW_DTYPE
    ends: Any  # END_DTYPE
    ura: Any  # URA_DTYPE
    used: Any


class Desk(NamedTuple):
    """Scratch space of a thread."""

    states: Any  # STATE_DTYPE[2]: a table before its last answers, and one to try things on
    looks: Any  # VIEW_DTYPE[1]
    notes: Any  # NOTES_DTYPE[1]
    pool: Any  # int16[37]
    answers: Any  # int64[4]


def new_group(states: Any, slots: Any, offset: int, stride: int, seed: int, rules: Sequence[Ruleset]) -> Group:
    """A group of the given tables, numbered from `offset`; nothing is known about their hands yet."""
    n = len(states)
    known = np.zeros((n, PLAYERS), KNOWN_DTYPE)
    known["melds"] = -1
    frames = np.zeros(len(rules), FRAME_DTYPE)
    for i, one in enumerate(rules):
        frames["rules"][i] = one.record()[0]
    first = np.zeros(n + 1, np.int64)
    return Group(states, slots, known, first, offset, stride, np.uint64(seed % 2**64), frames, tables_array())


def new_out(tables: int) -> Out:
    """Buffers for one step of `tables` tables."""
    return Out(
        np.zeros((PLAYERS - 1) * tables, PACKED_DTYPE),
        np.zeros((PLAYERS - 1) * tables, ASKED_DTYPE),
        np.zeros(4 * tables + SPARE, DRAW_DTYPE),
        np.zeros(2 * tables + SPARE, END_DTYPE),
        np.zeros(2 * tables + SPARE, URA_DTYPE),
        np.zeros(4, np.int64),
    )


def new_desk() -> Desk:
    """Scratch space for one thread."""
    return Desk(
        np.zeros(2, STATE_DTYPE),
        np.zeros(1, VIEW_DTYPE),
        np.zeros(1, NOTES_DTYPE),
        np.zeros(NUM_TILES, np.int16),
        np.zeros(PLAYERS, np.int64),
    )
