"""Kernels that step, check and read whole arrays of tables."""

from __future__ import annotations

from typing import Any

from janshi.core._jit import kernel
from janshi.rules.guobiao.apply import answer, penalise
from janshi.rules.guobiao.deal import build_wall
from janshi.rules.guobiao.ending import proceed, set_place, start_game, start_hand
from janshi.rules.guobiao.state import NEW, PLAYERS, Context


@kernel
def start_tables(states: Any, seeds: Any, frame: Any, tables: Any) -> None:
    """Begin a game on every table."""
    c = Context(frame[0].rules, tables[0], frame[0].win, frame[0].score)
    for i in range(len(states)):
        start_game(states[i], seeds[i], c)


@kernel
def set_situation(
    states: Any, hand_number: int, first_wind: int, scores: Any, wall: Any, frame: Any, tables: Any
) -> None:
    """Set the situation of a started game, whose hand the next step deals; an empty wall is shuffled."""
    c = Context(frame[0].rules, tables[0], frame[0].win, frame[0].score)
    s = states[0]
    s.hand_number = hand_number
    s.first_wind = first_wind
    set_place(s)
    for player in range(PLAYERS):
        s.scores[player] = scores[player]
    build_wall(s, c)
    for i in range(len(wall)):
        s.wall[i] = wall[i]
    s.phase = NEW


@kernel
def step_tables(states: Any, first: Any, actions: Any, restart: bool, frame: Any, tables: Any) -> None:
    """Answer for all asked players of every table, or move the table on to its next hand or game."""
    c = Context(frame[0].rules, tables[0], frame[0].win, frame[0].score)
    for i in range(len(states)):
        step_table(states[i], int(first[i]), actions, restart, c)


@kernel
def step_table(s: Any, at: int, actions: Any, restart: bool, c: Context) -> None:
    """Answer for all asked players of one table with the actions from `at` on, in seat order."""
    if s.phase == NEW:
        start_hand(s, c)
        return
    asked = int(s.asked)
    if asked == 0:
        proceed(s, restart, c)
        return
    for player in range(PLAYERS):
        if (asked >> player) & 1:
            answer(s, player, int(actions[at]), c)
            at += 1


@kernel
def penalise_at(states: Any, table: int, player: int, frame: Any, tables: Any) -> None:
    """End one table's hand with a penalty for a player."""
    c = Context(frame[0].rules, tables[0], frame[0].win, frame[0].score)
    penalise(states[table], player, c)
