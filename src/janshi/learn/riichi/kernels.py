"""Kernels that play many riichi tables: they take answers and return open decisions, with all draws and ends.

A table is played until somebody has a choice: forced answers are given at once, and after a hand or a game the next
one begins. `table_notes.py` writes what happens into the records of `table_records.py`.
"""

from __future__ import annotations

from typing import Any

from janshi.core import rng
from janshi.core._jit import kernel
from janshi.features.riichi.knowledge import forget
from janshi.learn.riichi.table_notes import give, list_decisions, note_draw, note_result, note_ura
from janshi.learn.riichi.table_records import DECISIONS, DRAWS, ENDS, URA, Desk, Group, GroupTable, Out
from janshi.records.rebuild import is_forced
from janshi.rules.masks import LEGAL_BITS
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.ending import next_hand, start_game
from janshi.rules.riichi.state import GAME_OVER, HAND_OVER, PLAYERS, Context


@kernel
def play_tables(group: Group, actions: Any, begin: bool, out: Out, desk: Desk) -> None:
    """Answer the open decisions of all tables and play each to its next one; with `begin`, start their games.

    `group.first` is where each table's decisions begin in `actions`; it is read and then updated.
    """
    out.used[:] = 0
    at = 0
    n = len(group.states)
    for i in range(n):
        slot = group.slots[i]
        table = GroupTable(group.states[i], slot, group.known[i], group.offset + i, group.stride, group.seed)
        c = Context(group.frames[int(slot.rules)].rules, group.tables[0], group.frames[0].win, group.frames[0].score)
        if begin:
            begin_game(table, out, desk, c)
        play_table(table, actions[group.first[i] : group.first[i + 1]], begin, n - i, out, desk, c)
        group.first[i] = at
        at = list_decisions(table, at, out, desk, c)
    group.first[n] = at
    out.used[DECISIONS] = at


@kernel
def begin_game(table: GroupTable, out: Out, desk: Desk, c: Context) -> None:
    """Start a table's next game."""
    start_game(table.state, rng.key(table.seed, int(table.slot.wall), 0), c)
    begin_hand(table, out, desk, c)


@kernel
def begin_hand(table: GroupTable, out: Out, desk: Desk, c: Context) -> None:
    """Note the start of a hand that was just dealt, and the dealer's first draw."""
    s, slot = table.state, table.slot
    slot.draws = 0
    slot.scores[:] = s.scores
    slot.sticks = s.sticks
    forget(table.known)
    note_draw(table, out, desk, c)


@kernel
def play_table(table: GroupTable, actions: Any, answered: bool, left: int, out: Out, desk: Desk, c: Context) -> None:
    """Answer a table's open decisions with `actions` and play to its next one.

    Stops early if the space for draws runs low; then no decision is open, and the next call continues.
    """
    s, at = table.state, 0
    while s.phase != GAME_OVER:
        if s.phase == HAND_OVER:
            finish_hand(table, out, desk, c)
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
        give_answers(table, asked, out, desk, c)


@kernel
def short_of_room(left: int, out: Out) -> bool:
    """Whether only the space for draws and ends reserved for the other tables is left."""
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
def give_answers(table: GroupTable, asked: int, out: Out, desk: Desk, c: Context) -> None:
    """Carry the answers out, and note the draw or the ura indicators that follow."""
    s = table.state
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
            note_ura(s, table.slot, asked, out, desk, c)
    elif int(s.next_draw) != draws or int(s.replacements) != taken:
        note_draw(table, out, desk, c)


@kernel
def finish_hand(table: GroupTable, out: Out, desk: Desk, c: Context) -> None:
    """Write how a hand ended, and begin the next hand or, if games are left, the next game."""
    s, slot = table.state, table.slot
    e = out.ends[out.used[ENDS]]
    out.used[ENDS] += 1
    e.hand, e.game, e.wall, e.table, e.draws = slot.hand, slot.game, slot.wall, table.number, slot.draws
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
        slot.wall += table.stride
        if slot.game < slot.games:
            begin_game(table, out, desk, c)
    else:
        begin_hand(table, out, desk, c)
