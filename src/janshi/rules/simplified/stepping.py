"""Kernels that step, check and read whole arrays of tables."""

from __future__ import annotations

from typing import Any

from janshi.core._jit import kernel
from janshi.rules.simplified.apply import answer, begin, proceed, start_game
from janshi.rules.simplified.state import PLAYERS, Context


@kernel
def start_tables(states: Any, seeds: Any, rules: Any, shapes: Any) -> None:
    """Begin a game on every table."""
    c = Context(rules[0], shapes[0])
    for i in range(len(states)):
        start_game(states[i], seeds[i], c)


@kernel
def start_from_wall(states: Any, wall: Any, rules: Any, shapes: Any) -> None:
    """Begin a game on the first table from a given order of tiles."""
    c = Context(rules[0], shapes[0])
    states[0].wall[:] = wall
    begin(states[0], c)


@kernel
def step_tables(states: Any, first: Any, actions: Any, restart: bool, rules: Any, shapes: Any) -> None:
    """Answer for all asked players of every table, or move the table on to its next game."""
    c = Context(rules[0], shapes[0])
    for i in range(len(states)):
        s, at = states[i], int(first[i])
        asked = int(s.asked)
        if asked == 0:
            proceed(s, restart, c)
            continue
        for player in range(PLAYERS):
            if (asked >> player) & 1:
                answer(s, player, int(actions[at]), c)
                at += 1
