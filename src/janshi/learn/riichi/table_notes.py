"""Kernels that record what happens at a riichi table: open decisions, draws, ura indicators and results.

A draw is recorded as inputs of the network for values of draws, from the position before the draw.
"""

from __future__ import annotations

from typing import Any

from janshi.core._jit import kernel
from janshi.features.riichi.knowledge import learn_hands
from janshi.features.riichi.open_hands import list_open
from janshi.features.riichi.packed import pack_view
from janshi.features.riichi.unseen_tiles import NUM_TILES, blank_indicator, fill_pool, id_of_tile
from janshi.learn.riichi.table_records import DRAWS, URA, Desk, GroupTable, Out
from janshi.records.rebuild import is_forced
from janshi.rules.riichi.apply import answer
from janshi.rules.riichi.concealed import drop, take, tile_of
from janshi.rules.riichi.deal import FIRST_INDICATOR
from janshi.rules.riichi.state import NONE, PLAYERS, RON_WIN, TSUMO_WIN, Context
from janshi.rules.riichi.view import look


@kernel
def list_decisions(table: GroupTable, at: int, out: Out, desk: Desk, c: Context) -> int:
    """Pack the open decisions of a table, starting at index `at`; returns the index after the last."""
    s, slot = table.state, table.slot
    asked = int(s.asked)
    for player in range(PLAYERS):
        if (asked >> player) & 1 and not is_forced(s, player):
            look(s, player, int(c.rules.red_fives), desk.looks[0])
            pack_view(desk.looks[0], c.rules, c.tables, desk.notes[0], out.packed[at])
            a = out.asked[at]
            a.hand, a.game, a.table, a.draws, a.seat = slot.hand, slot.game, table.number, slot.draws, player
            at += 1
    return at


@kernel
def note_draw(table: GroupTable, out: Out, desk: Desk, c: Context) -> None:
    """Write the draw just made, from the position before it; the table is unchanged."""
    s, slot = table.state, table.slot
    player, tile = int(s.actor), int(s.drawn)
    dead = s.from_dead_wall != 0
    drop(s, player, tile)
    s.left += 1
    d = out.draws[out.used[DRAWS]]
    out.used[DRAWS] += 1
    fill_pool(s, int(c.rules.red_fives), desk.pool)
    learn_hands(s, table.known, c)
    list_open(s, table.known, desk.pool, player, dead, d.inputs, c)
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


@kernel
def give(s: Any, asked: int, answers: Any, c: Context) -> None:
    """Give the engine the answers of all asked players."""
    for player in range(PLAYERS):
        if (asked >> player) & 1:
            answer(s, player, int(answers[player]), c)
