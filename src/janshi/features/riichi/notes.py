"""Facts about a view used by several tokens: tiles seen, dora, ranks, and what is safe against whom."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.tiles import COPIES, NUM_KINDS
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.concealed import kind_of
from janshi.rules.riichi.dora import dora_of
from janshi.rules.riichi.state import INDICATORS, NONE, PLAYERS, RIICHI_FLAG, TSUMOGIRI_FLAG

LISTED: Final = 1024
"""Space for an unsorted list. No position needs more: `tests/features/test_riichi_inputs.py` adds up the groups."""

NOTES_DTYPE: Final = record_dtype(
    [
        ("listed", np.uint16, (LISTED,)),  # active inputs as they are found
        ("safe", np.int64, (PLAYERS,)),  # kinds a player cannot win on
        ("passed", np.int64, (PLAYERS,)),  # kinds that passed since the player's last discard from the hand
        ("hand", np.uint8, (NUM_KINDS,)),
        ("visible", np.uint8, (NUM_KINDS,)),
        ("shanten", np.int8, (NUM_KINDS,)),
        ("useful", np.int16, (NUM_KINDS,)),
        ("dora", np.int8, (NUM_KINDS,)),
        ("rank", np.int8, (PLAYERS,)),
    ]
)
"""Scratch space of a thread."""


def new_notes() -> Any:
    """Scratch space for one thread."""
    return np.zeros(1, NOTES_DTYPE)


@kernel
def note_table(v: Any, notes: Any) -> None:
    """Write tiles seen, dora, ranks, and what is safe against whom."""
    for kind in range(NUM_KINDS):
        notes.hand[kind] = v.hand[kind]
        notes.visible[kind] = min(COPIES, int(v.seen[kind]) + int(v.hand[kind]))
        notes.dora[kind] = 0
    for i in range(INDICATORS):
        if v.indicators[i] != NONE:
            notes.dora[dora_of(kind_of(int(v.indicators[i])))] += 1
    for player in range(PLAYERS):
        notes.rank[player] = rank_of(v, player)
        note_safety(v, player, notes)


@kernel
def rank_of(v: Any, player: int) -> int:
    """A player's rank by points, 0 for first; with equal points, the earlier seat is ahead."""
    rank = 0
    mine, my_seat = int(v.scores[player]), (int(v.seat) + player) % PLAYERS
    for other in range(PLAYERS):
        points = int(v.scores[other])
        if points > mine or (points == mine and (int(v.seat) + other) % PLAYERS < my_seat):
            rank += 1
    return rank


@kernel
def note_safety(v: Any, player: int, notes: Any) -> None:
    """Write the kinds a player cannot win on, and those let go since the player last changed their hand."""
    own, passed = 0, 0
    riichi_order, change_order = 127, -1
    for i in range(int(v.discards[player])):
        own |= 1 << kind_of(int(v.river[player, i]))
        order = int(v.river_order[player, i])
        if int(v.river_flags[player, i]) & RIICHI_FLAG:
            riichi_order = order
        if not int(v.river_flags[player, i]) & TSUMOGIRI_FLAG:
            change_order = order
    since = own
    for other in range(PLAYERS):
        for i in range(int(v.discards[other])):
            order = int(v.river_order[other, i])
            if order > change_order:
                passed |= 1 << kind_of(int(v.river[other, i]))
            if v.riichi[player] and order > riichi_order:
                since |= 1 << kind_of(int(v.river[other, i]))
    notes.safe[player] = since
    notes.passed[player] = passed


@kernel
def wind_of(v: Any, player: int) -> int:
    """A player's wind, 0 East."""
    return (player + PLAYERS - int(v.dealer)) % PLAYERS


@kernel
def may(v: Any, action: int) -> bool:
    """Whether an action is legal."""
    return bool((int(v.legal[action // act.HALF]) >> (action % act.HALF)) & 1)
