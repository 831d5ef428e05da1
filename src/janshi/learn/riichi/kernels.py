"""Kernels that play many riichi tables: answers in, open decisions out, with every draw and every end on the way.

A table is played on until somebody has a choice: forced answers are given at once, and when a hand or a game is over
the next begins. Every draw is noted as the network that values draws reads it, from the position before the draw.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from janshi.core import rng
from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.features.riichi.knowledge import KNOWN_DTYPE, forget, learn_hands
from janshi.features.riichi.notes import NOTES_DTYPE
from janshi.features.riichi.open_hands import ROOM, list_open
from janshi.features.riichi.packed import PACKED_DTYPE, pack_view
from janshi.features.riichi.unseen_tiles import NUM_TILES, blank_indicator, fill_pool, id_of_tile
from janshi.records.rebuild import is_forced
from janshi.rules.masks import LEGAL_BITS
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.apply import answer
from janshi.rules.riichi.concealed import drop, take, tile_of
from janshi.rules.riichi.deal import FIRST_INDICATOR
from janshi.rules.riichi.ending import next_hand, start_game
from janshi.rules.riichi.state import (
    GAME_OVER,
    HAND_OVER,
    NONE,
    PLAYERS,
    RON_WIN,
    STATE_DTYPE,
    TSUMO_WIN,
    Context,
)
from janshi.rules.riichi.view import VIEW_DTYPE, look

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
"""What a table needs to know about itself besides its state."""

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
"""A draw: the position before it, as `open_hands` lists it, and what came."""

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
"""An ura indicator that was turned: what it did to the scores, and what each other tile would have done."""


class Out(NamedTuple):
    """What a thread writes: decisions, draws, ends, ura indicators, and how many of each (int64[4])."""

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


DECISIONS, DRAWS, ENDS, URA = range(4)
SPARE: Final = 256
"""Draws and ends that a thread has room for besides those that every table surely needs."""


def new_out(tables: int) -> Out:
    """Room for what `tables` tables do in one step."""
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


def new_known(tables: int) -> Any:
    """Facts about the hands of some tables, nothing known yet."""
    known = np.zeros((tables, PLAYERS), KNOWN_DTYPE)
    known["melds"] = -1
    return known


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
def give(s: Any, asked: int, answers: Any, c: Context) -> None:
    """Give the engine the answers of all asked players."""
    for player in range(PLAYERS):
        if (asked >> player) & 1:
            answer(s, player, int(answers[player]), c)


@kernel
def list_decisions(s: Any, slot: Any, table: int, at: int, out: Out, desk: Desk, c: Context) -> int:
    """Pack the open decisions of a table from place `at` on; returns the place after the last."""
    asked = int(s.asked)
    for player in range(PLAYERS):
        if (asked >> player) & 1 and not is_forced(s, player):
            look(s, player, int(c.rules.red_fives), desk.looks[0])
            pack_view(desk.looks[0], c.rules, c.tables, desk.notes[0], out.packed[at])
            a = out.asked[at]
            a.hand, a.game, a.table, a.draws, a.seat = slot.hand, slot.game, table, slot.draws, player
            at += 1
    return at


@kernel
def note_draw(s: Any, slot: Any, known: Any, out: Out, desk: Desk, c: Context) -> None:
    """Write the draw just made, from the position before it; the table is left as it was."""
    player, tile = int(s.actor), int(s.drawn)
    dead = s.from_dead_wall != 0
    drop(s, player, tile)
    s.left += 1
    d = out.draws[out.used[DRAWS]]
    out.used[DRAWS] += 1
    fill_pool(s, int(c.rules.red_fives), desk.pool)
    learn_hands(s, known, c)
    list_open(s, known, desk.pool, player, dead, d.inputs, c)
    for other in range(NUM_TILES):
        d.pool[other] = desk.pool[other]
    d.hand, d.number, d.seat, d.tile = slot.hand, slot.draws, player, tile
    d.scores[:] = s.scores
    d.sticks, d.rules, d.kyoku, d.honba = s.sticks, slot.rules, s.kyoku, s.honba
    slot.draws += 1
    s.left -= 1
    take(s, player, tile)


@kernel
def note_ura(s: Any, slot: Any, asked: int, out: Out, desk: Desk, c: Context) -> None:
    """Write, for each ura indicator in turn, the scores after the win with every tile it could have been.

    Later indicators are left blank: they point to a kind that no winner holds.
    """
    before, tried = desk.states[0], desk.states[1]
    reds, shown = int(c.rules.red_fives), int(before.indicators)
    total = fill_pool(before, reds, desk.pool)
    blank = blank_indicator(before, int(s.winners))
    for i in range(shown):
        place = FIRST_INDICATOR - 1 + 2 * i
        came = tile_of(before.wall[place], reds)
        u = out.ura[out.used[URA]]
        out.used[URA] += 1
        u.hand, u.tile = slot.hand, came
        for tile in range(NUM_TILES):
            u.weight[tile] = desk.pool[tile] / total
            u.scores[tile, :] = s.scores
            if desk.pool[tile] > 0:
                desk.states[1] = before
                tried.wall[place] = id_of_tile(tile, reds)
                for later in range(i + 1, shown):
                    tried.wall[FIRST_INDICATOR - 1 + 2 * later] = id_of_tile(blank, reds)
                give(tried, asked, desk.answers, c)
                u.scores[tile, :] = tried.scores
        desk.pool[came] -= 1
        total -= 1


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


@kernel
def note_result(s: Any, e: Any) -> None:
    """Write the result of the hand that is over, before the next begins."""
    e.scores[:] = s.scores
    e.sticks, e.result, e.tenpai, e.winners = s.sticks, s.result, s.tenpai, s.winners
    e.winner, e.loser, e.points, e.stays = NONE, NONE, 0, s.dealer_stays
    riichi, opened = 0, 0
    for player in range(PLAYERS):
        riichi |= int(s.riichi[player] != 0) << player
        opened |= int(s.open_melds[player] != 0) << player
    e.riichi, e.opened = riichi, opened
    if s.result == TSUMO_WIN or s.result == RON_WIN:
        for player in range(PLAYERS):
            if (int(s.winners) >> player) & 1 and s.win_points[player] > e.points:
                e.points = s.win_points[player]
                e.winner = player
        e.loser = s.actor
