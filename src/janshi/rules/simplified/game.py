"""The simplified game on the common contract of rule sets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from janshi.rules.events import Event
from janshi.rules.game import Array, Game
from janshi.rules.simplified import events
from janshi.rules.simplified.actions import ACTION_NAMES, KONG
from janshi.rules.simplified.family import FAMILY
from janshi.rules.simplified.hidden import count_tiles, shuffle_hidden
from janshi.rules.simplified.ruleset import PAPER, Ruleset
from janshi.rules.simplified.state import GAME_OVER, PLAYERS, STATE_DTYPE, new_context
from janshi.rules.simplified.stepping import start_tables, step_tables
from janshi.rules.simplified.tiles import NUM_KINDS, format_kinds
from janshi.rules.simplified.view import ORACLE_DTYPE, VIEW_DTYPE, write_oracle_views, write_views


class SimplifiedGame(Game):
    """Paper 4's three-player game under one `Ruleset`. A game is one hand."""

    family = FAMILY
    players = PLAYERS
    action_names = ACTION_NAMES
    discards = KONG
    tile_texts = tuple(format_kinds([kind]) for kind in range(NUM_KINDS))
    game_over = GAME_OVER
    state_dtype = STATE_DTYPE
    view_dtype = VIEW_DTYPE
    oracle_dtype = ORACLE_DTYPE

    def __init__(self, rules: Ruleset = PAPER) -> None:
        super().__init__(rules)

    def new_context(self) -> Any:
        """Rules and tables; nothing in them is written, so threads may share one."""
        return new_context(self.rules)

    def start(self, states: Array, seeds: Array, context: Any) -> None:
        """Begin a game on every table from its seed."""
        start_tables(states, seeds, *context)

    def step(self, states: Array, first: Array, actions: Array, restart: bool, context: Any) -> None:
        """Answer for all asked players."""
        step_tables(states, first, actions, restart, *context)

    def views(self, states: Array, tables: Array, players: Array, out: Array) -> None:
        """Write what each player may know."""
        write_views(states, tables, players, out)

    def oracle_views(self, states: Array, tables: Array, players: Array, out: Array) -> None:
        """Write views with the hidden hands added."""
        write_oracle_views(states, tables, players, out)

    def tile_counts(self, states: Array) -> Array:
        """Count all tiles by kind: those in the wall, hands, melds and uncalled discards."""
        out = np.zeros((len(states), NUM_KINDS), np.int64)
        count_tiles(states, out)
        return out

    def shuffle_hidden(self, state: Any, player: int, seed: int) -> None:
        """Exchange tiles between the wall and the other players' hands at random."""
        shuffle_hidden(state, player, seed)

    def deal_events(self, states: Array) -> list[Event]:
        """The events of the hand that has just been dealt."""
        return events.deal_events(states, self.rules)

    def step_events(self, before: Array, after: Array, answers: Mapping[int, int]) -> list[Event]:
        """The events of a step."""
        return events.step_events(before, after, answers)

    def end_events(self, states: Array) -> list[Event]:
        """How the hand that is over ended."""
        return events.end_events(states)
