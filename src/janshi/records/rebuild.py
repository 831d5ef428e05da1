"""Kernels that rebuild a hand's decisions from its wall and answers, as views of the players asked.

A hand's answers are stored in the order in which the engine asks (players asked together by seat), so replaying them on
the same wall gives every position. Nothing else needs to be stored.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.tiles import NUM_IDS
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.apply import answer
from janshi.rules.riichi.ending import start_hand
from janshi.rules.riichi.legal import is_legal
from janshi.rules.riichi.state import HAND_OVER, NEW, PLAYERS, REACTION, Context
from janshi.rules.riichi.view import look, look_behind

STORED_DTYPE: Final = record_dtype(
    [
        ("row", np.int64),  # the hand's row in the data set
        ("first", np.int64),  # its first answer
        ("scores", np.int32, (PLAYERS,)),
        ("decisions", np.int32),  # how many answers it has
        ("kyoku", np.int8),
        ("honba", np.int8),
        ("sticks", np.int8),
        ("rules", np.int8),  # which of the frames holds its rules
        ("seats", np.int8),  # bit set of the players whose decisions are wanted
        ("held_out", np.int8),  # bit set of the players held out of training
        ("wall", np.uint8, (NUM_IDS,)),
    ]
)
"""A hand of a data set."""

INFO_DTYPE: Final = record_dtype(
    [
        ("hand", np.int64),  # row of the hand in the data set
        ("index", np.int16),  # number of the decision in its hand
        ("player", np.int8),
        ("turn", np.int8),  # discards made by all players before it
        ("held_out", np.bool_),  # the player is held out of training
        ("forced", np.bool_),  # there was nothing to choose
        ("sure", np.bool_),  # the record shows what the player wanted
    ]
)
"""The origin of a decision."""


class Room(NamedTuple):
    """Where decisions are written, one after the other."""

    views: Any
    """VIEW_DTYPE or ORACLE_DTYPE[m]."""
    hidden: Any
    """The same array if it holds oracle views, else None."""
    actions: Any
    """uint8[m]."""
    infos: Any
    """INFO_DTYPE[m]."""


# How answers to a discard rank
CHI_RANK, PON_RANK, RON_RANK = 1, 2, 3

_CHI_BITS: Final = ((1 << act.PON) - 1) ^ ((1 << act.CHI) - 1)
_PON_BITS: Final = ((1 << (act.OPEN_KAN + 1)) - 1) ^ ((1 << act.PON) - 1)


@kernel
def rebuild_hands(
    hands: Any,
    answers: Any,
    at: int,
    skip_forced: bool,
    skip_unsure: bool,
    out: Room,
    states: Any,
    frame: Any,
    tables: Any,
) -> int:
    """Write the selected decisions of many hands, starting at index `at`; returns the index after the last.

    STORED_DTYPE[h], uint8[n]. Stops at a hand whose answers the engine rejects: -1 - i.
    """
    for i in range(len(hands)):
        c = Context(frame[int(hands[i].rules)].rules, tables[0], frame[0].win, frame[0].score)
        at = rebuild(states[0], hands[i], answers, at, skip_forced, skip_unsure, out, c)
        if at < 0:
            return -1 - i
    return at


@kernel
def rebuild(s: Any, h: Any, answers: Any, at: int, skip_forced: bool, skip_unsure: bool, out: Room, c: Context) -> int:
    """Write the wanted decisions of one hand; -1 if the engine rejects its answers."""
    begin(s, h, c)
    given, end = int(h.first), int(h.first) + int(h.decisions)
    while s.phase < HAND_OVER:
        asked = int(s.asked)
        rank = heard_rank(s, asked, answers, given, end)
        if rank < 0:
            return -1
        next_given = given
        for player in range(PLAYERS):
            if (asked >> player) & 1:
                forced = is_forced(s, player)
                sure = is_sure(s, player, int(answers[next_given]), rank)
                if (int(h.seats) >> player) & 1 and not (skip_forced and forced) and (sure or not skip_unsure):
                    out.actions[at] = answers[next_given]
                    out.infos[at].forced = forced
                    out.infos[at].sure = sure
                    write_info(s, h, player, next_given, out.infos[at])
                    write_view(s, player, out.views, out.hidden, at, c)
                    at += 1
                next_given += 1
        for player in range(PLAYERS):
            if (asked >> player) & 1:
                answer(s, player, int(answers[given]), c)
                given += 1
    return at if given == end else -1


@kernel
def begin(s: Any, h: Any, c: Context) -> None:
    """Put the hand on the table and deal."""
    s.kyoku = h.kyoku
    s.honba = h.honba
    s.sticks = h.sticks
    s.scores[:] = h.scores
    s.wall[:] = h.wall
    s.stop_after_hand = 0
    s.decisions = 0
    s.phase = NEW
    start_hand(s, c)


@kernel
def give_answers(s: Any, answers: Any, given: int, end: int, c: Context) -> int:
    """Give the answers of all players who are asked; returns the place after them, -1 if one is missing or illegal."""
    asked = int(s.asked)
    for player in range(PLAYERS):
        if (asked >> player) & 1:
            if given >= end or not is_legal(s, player, int(answers[given])):
                return -1
            answer(s, player, int(answers[given]), c)
            given += 1
    return given


@kernel
def heard_rank(s: Any, asked: int, answers: Any, given: int, end: int) -> int:
    """The rank of the answer that takes priority, 0 if all pass; -1 if an answer is missing or not legal."""
    rank = 0
    for player in range(PLAYERS):
        if (asked >> player) & 1:
            if given >= end or not is_legal(s, player, int(answers[given])):
                return -1
            rank = max(rank, rank_of(int(answers[given])))
            given += 1
    return rank


@kernel
def rank_of(action: int) -> int:
    """How an answer to a discard ranks among others; 0 for a pass."""
    if action == act.PASS:
        return 0
    if action == act.RON:
        return RON_RANK
    return CHI_RANK if action < act.PON else PON_RANK


@kernel
def is_forced(s: Any, player: int) -> bool:
    """Whether a player has only one legal action."""
    low, high = s.legal[player, 0], s.legal[player, 1]
    if low == 0:
        return bool(high & (high - 1) == 0)
    return bool(high == 0 and low & (low - 1) == 0)


@kernel
def is_sure(s: Any, player: int, action: int, rank: int) -> bool:
    """Whether the record shows what a player wanted.

    A pass is not sure if another player's call overrode one that this player could have made.
    """
    if s.phase != REACTION or action != act.PASS:
        return True
    lowest = RON_RANK
    if s.legal[player, 0] & _CHI_BITS:
        lowest = CHI_RANK
    elif s.legal[player, 0] & _PON_BITS:
        lowest = PON_RANK
    return rank <= lowest


@kernel
def write_info(s: Any, h: Any, player: int, given: int, info: Any) -> None:
    """Write the origin of a decision."""
    info.hand = h.row
    info.index = given - int(h.first)
    info.player = player
    info.turn = s.turns
    info.held_out = (int(h.held_out) >> player) & 1 == 1


@kernel
def write_view(s: Any, player: int, views: Any, hidden: Any, at: int, c: Context) -> None:
    """Write what a player may know and, for oracle views, the hidden hands."""
    look(s, player, int(c.rules.red_fives), views[at])
    if hidden is not None:
        look_behind(s, player, hidden[at])
