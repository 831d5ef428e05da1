"""Guobiao on the common contract of rule sets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from janshi.rules.events import Event
from janshi.rules.game import Array, Game
from janshi.rules.guobiao import events
from janshi.rules.guobiao.actions import ACTION_NAMES, CHI
from janshi.rules.guobiao.audit import count_tiles
from janshi.rules.guobiao.family import FAMILY
from janshi.rules.guobiao.hidden import shuffle_hidden
from janshi.rules.guobiao.ruleset import BOTZONE, Ruleset
from janshi.rules.guobiao.state import ALL_KINDS, GAME_OVER, HAND_OVER, PLAYERS, STATE_DTYPE, new_context
from janshi.rules.guobiao.stepping import penalise_at, start_tables, step_tables
from janshi.rules.guobiao.view import ORACLE_DTYPE, VIEW_DTYPE, write_oracle_views, write_views


class GuobiaoGame(Game):
    """Chinese standard mahjong under one `Ruleset`."""

    family = FAMILY
    players = PLAYERS
    action_names = ACTION_NAMES
    discards = CHI
    game_over = GAME_OVER
    state_dtype = STATE_DTYPE
    view_dtype = VIEW_DTYPE
    oracle_dtype = ORACLE_DTYPE

    def __init__(self, rules: Ruleset = BOTZONE) -> None:
        super().__init__(rules)

    def new_context(self) -> Any:
        """Rules, tables and scratch space for one thread."""
        return new_context(self.rules)

    def start(self, states: Array, seeds: Array, context: Any) -> None:
        """Begin a game on every table from its seed."""
        start_tables(states, seeds, *context)

    def step(self, states: Array, first: Array, actions: Array, restart: bool, context: Any) -> None:
        """Answer for all asked players."""
        step_tables(states, first, actions, restart, *context)

    def penalise(self, states: Array, table: int, player: int, context: Any) -> None:
        """End a table's hand because `player` called a false hu or answered illegally: -30, each other +10.

        Legal masks never offer a false hu. A platform that lets programs answer freely, such as Botzone, calls this for
        an answer that `first_illegal` refuses.
        """
        if states["phase"][table] in (HAND_OVER, GAME_OVER):
            raise ValueError(f"no hand is being played at table {table}")
        if not 0 <= player < PLAYERS:
            raise ValueError(f"{player} is not a seat: expected 0 to {PLAYERS - 1}")
        penalise_at(states, table, player, *context)

    def views(self, states: Array, tables: Array, players: Array, out: Array) -> None:
        """Write what each player may know."""
        write_views(states, tables, players, out)

    def oracle_views(self, states: Array, tables: Array, players: Array, out: Array) -> None:
        """Write views with the hidden hands added."""
        write_oracle_views(states, tables, players, out)

    def tile_counts(self, states: Array) -> Array:
        """Count all tiles (34 kinds and eight flowers): in the walls, hands, melds, set aside and discarded."""
        out = np.zeros((len(states), ALL_KINDS), np.int64)
        count_tiles(states, out)
        return out

    def shuffle_hidden(self, state: Any, player: int, seed: int) -> None:
        """Exchange tiles between the walls and the other players' hands at random."""
        shuffle_hidden(state, player, seed)

    def deal_events(self, states: Array) -> list[Event]:
        """The events of the hand that has just been dealt."""
        return events.deal_events(states)

    def step_events(self, before: Array, after: Array, answers: Mapping[int, int]) -> list[Event]:
        """The events of a step."""
        return events.step_events(before, after, answers)

    def end_events(self, states: Array) -> list[Event]:
        """How the hand that is over ended."""
        return events.end_events(states)
