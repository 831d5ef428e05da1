"""Riichi on the common contract of rule sets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from janshi.core.tiles import NUM_TILES
from janshi.rules.events import Event
from janshi.rules.game import Array, Game
from janshi.rules.riichi import events
from janshi.rules.riichi.actions import ACTION_NAMES, RIICHI
from janshi.rules.riichi.audit import count_tiles
from janshi.rules.riichi.family import FAMILY
from janshi.rules.riichi.final import final_points
from janshi.rules.riichi.hidden import shuffle_hidden
from janshi.rules.riichi.ruleset import STICK, TENHOU, Ruleset
from janshi.rules.riichi.state import (
    GAME_OVER,
    PLAYERS,
    STATE_DTYPE,
    new_context,
)
from janshi.rules.riichi.stepping import start_tables, step_tables
from janshi.rules.riichi.view import ORACLE_DTYPE, VIEW_DTYPE, write_oracle_views, write_views


class RiichiGame(Game):
    """Four-player riichi mahjong under one `Ruleset`."""

    family = FAMILY
    players = PLAYERS
    action_names = ACTION_NAMES
    discards = RIICHI
    game_over = GAME_OVER
    state_dtype = STATE_DTYPE
    view_dtype = VIEW_DTYPE
    oracle_dtype = ORACLE_DTYPE

    def __init__(self, rules: Ruleset = TENHOU) -> None:
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

    def views(self, states: Array, tables: Array, players: Array, out: Array) -> None:
        """Write what each player may know."""
        write_views(states, tables, players, int(self.rules.red_fives), out)

    def oracle_views(self, states: Array, tables: Array, players: Array, out: Array) -> None:
        """Write views with the hidden hands added."""
        write_oracle_views(states, tables, players, int(self.rules.red_fives), out)

    def final_points(self, states: Array) -> Array:
        """Final points in thousands, uma and oka included."""
        return final_points(states["scores"], self.rules)

    def total_points(self, states: Array) -> Array:
        """All points, riichi sticks included."""
        return np.asarray(states["scores"].sum(1) + STICK * states["sticks"].astype(np.int64))

    def tile_counts(self, states: Array) -> Array:
        """Count all tiles (0..36, red fives apart): those still in the wall, hands, melds and uncalled discards."""
        out = np.zeros((len(states), NUM_TILES), np.int64)
        count_tiles(states, int(self.rules.red_fives), out)
        return out

    def shuffle_hidden(self, state: Any, player: int, seed: int) -> None:
        """Exchange tiles between the wall and the other players' hands at random."""
        shuffle_hidden(state, player, seed, self.rules)

    def deal_events(self, states: Array) -> list[Event]:
        """The events of the hand that has just been dealt."""
        return events.deal_events(states, self.rules)

    def step_events(self, before: Array, after: Array, answers: Mapping[int, int]) -> list[Event]:
        """The events of a step."""
        return events.step_events(before, after, answers, self.rules)

    def end_events(self, states: Array) -> list[Event]:
        """How the hand that is over ended."""
        return events.end_events(states, self.rules)
