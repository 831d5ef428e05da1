"""Kernels that play many riichi tables: answers in, open decisions out, with every draw and every end on the way.

A table is played on until somebody has a choice: forced answers are given at once, and when a hand or a game is over
the next begins. `table_notes.py` writes what happens into the records of `table_records.py`.
"""

from __future__ import annotations

from typing import Any

from janshi.core import rng
from janshi.core._jit import kernel
from janshi.features.riichi.knowledge import forget
from janshi.learn.riichi.table_notes import give, list_decisions, note_draw, note_result, note_ura
from janshi.learn.riichi.table_records import DECISIONS, DRAWS, ENDS, URA, Desk, Out
from janshi.records.rebuild import is_forced
from janshi.rules.masks import LEGAL_BITS
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.ending import next_hand, start_game
from janshi.rules.riichi.state import GAME_OVER, HAND_OVER, PLAYERS, Context


@kernel
def play_tables(
    states: Any,
    slots: Any,
    known: Any,
    offset: int,
    stride: int,
    seed: Any,
    first: Any,
    actions: Any,
    begin: bool,
    out: Out,
    desk: Desk,
    frames: Any,
    tables: Any,
) -> None:
    """Answer the open decisions of all tables and play each on to its next, or with `begin` start their games.

    `first`, int64[tables + 1], says where each table's decisions are among `actions`; it is read, then written anew.
    Tables are numbered from `offset`; the walls of a table's next game are `stride` further.
    """
    out.used[:] = 0
    at = 0
    for i in range(len(states)):
        s, slot = states[i], slots[i]
        c = Context(frames[int(slot.rules)].rules, tables[0], frames[0].win, frames[0].score)
        if begin:
            begin_game(s, slot, known[i], seed, out, desk, c)
        left = len(states) - i
        play_table(s, slot, known[i], offset + i, stride, seed, int(first[i]), actions, begin, left, out, desk, c)
        first[i] = at
        at = list_decisions(s, slot, offset + i, at, out, desk, c)
    first[len(states)] = at
    out.used[DECISIONS] = at


@kernel
def begin_game(s: Any, slot: Any, known: Any, seed: Any, out: Out, desk: Desk, c: Context) -> None:
    """Start a table's next game."""
    start_game(s, rng.key(seed, int(slot.wall), 0), c)
    begin_hand(s, slot, known, out, desk, c)


@kernel
def begin_hand(s: Any, slot: Any, known: Any, out: Out, desk: Desk, c: Context) -> None:
    """A hand has been dealt: note where it starts, and the dealer's first draw."""
    slot.draws = 0
    slot.scores[:] = s.scores
    slot.sticks = s.sticks
    forget(known)
    note_draw(s, slot, known, out, desk, c)


@kernel
def play_table(
    s: Any,
    slot: Any,
    known: Any,
    table: int,
    stride: int,
    seed: Any,
    at: int,
    actions: Any,
    answered: bool,
    left: int,
    out: Out,
    desk: Desk,
    c: Context,
) -> None:
    """Answer a table's open decisions with the actions from `at` on, and play on to the next open one.

    Stops early if the room for draws runs short; then nothing is open, and the next call plays on.
    """
    while s.phase != GAME_OVER:
        if s.phase == HAND_OVER:
            finish_hand(s, slot, known, table, stride, seed, out, desk, c)
            continue
        free = 0
        asked = int(s.asked)
        for player in range(PLAYERS):
            if (asked >> player) & 1:
                if is_forced(s, player):
                    desk.answers[player] = only_action(s, player)
                else:
                    free += 1
                    if not answered:
                        desk.answers[player] = actions[at]
                        at += 1
        if free and answered:
            return
        if free == 0 and short_of_room(left, out):
            return
        answered = True
        give_answers(s, slot, known, asked, out, desk, c)


@kernel
def short_of_room(left: int, out: Out) -> bool:
    """Whether only the draws and ends are left that the other tables may need."""
    need = left + 4
    return bool(
        out.used[DRAWS] + need > len(out.draws)
        or out.used[ENDS] + need > len(out.ends)
        or out.used[URA] + need + PLAYERS > len(out.ura)
    )


@kernel
def only_action(s: Any, player: int) -> int:
    """The single legal action of a player."""
    for word in range(2):
        bits = s.legal[player, word]
        for place in range(LEGAL_BITS):
            if (bits >> place) & 1:
                return LEGAL_BITS * word + place
    return act.PASS


@kernel
def give_answers(s: Any, slot: Any, known: Any, asked: int, out: Out, desk: Desk, c: Context) -> None:
    """Carry the answers out, and note the draw or the ura indicators that follow."""
    wins = False
    for player in range(PLAYERS):
        if (asked >> player) & 1 and s.riichi[player]:
            wins = wins or desk.answers[player] == act.TSUMO or desk.answers[player] == act.RON
    if wins:
        desk.states[0] = s
    draws, taken = int(s.next_draw), int(s.replacements)
    give(s, asked, desk.answers, c)
    if s.phase == HAND_OVER:
        if wins and c.rules.ura_dora:
            note_ura(s, slot, asked, out, desk, c)
    elif int(s.next_draw) != draws or int(s.replacements) != taken:
        note_draw(s, slot, known, out, desk, c)


@kernel
def finish_hand(
    s: Any, slot: Any, known: Any, table: int, stride: int, seed: Any, out: Out, desk: Desk, c: Context
) -> None:
    """Write how a hand ended, and begin the next hand or, if games are left, the next game."""
    e = out.ends[out.used[ENDS]]
    out.used[ENDS] += 1
    e.hand, e.game, e.wall, e.table, e.draws = slot.hand, slot.game, slot.wall, table, slot.draws
    e.start[:] = slot.scores
    e.start_sticks, e.rules = slot.sticks, slot.rules
    e.kyoku, e.honba = s.kyoku, s.honba
    note_result(s, e)
    next_hand(s, c)
    over = s.phase == GAME_OVER
    e.scores[:] = e.scores if not over else s.scores
    e.over = 1 if over else 0
    e.next_kyoku, e.next_honba = s.kyoku, s.honba
    slot.hand += 1
    if over:
        slot.game += 1
        slot.wall += stride
        if slot.game < slot.games:
            begin_game(s, slot, known, seed, out, desk, c)
    else:
        begin_hand(s, slot, known, out, desk, c)
