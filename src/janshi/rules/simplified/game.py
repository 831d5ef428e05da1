"""The simplified game on the common contract of rule sets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from janshi.rules.events import Event
from janshi.rules.game import Array, Game
from janshi.rules.simplified.actions import ACTION_NAMES
from janshi.rules.simplified.hidden import count_tiles, shuffle_hidden
from janshi.rules.simplified.ruleset import PAPER, Ruleset
from janshi.rules.simplified.state import GAME_OVER, PLAYERS, STATE_DTYPE, new_context
from janshi.rules.simplified.stepping import find_illegal, start_tables, step_tables, write_masks
from janshi.rules.simplified.tiles import NUM_KINDS
from janshi.rules.simplified.view import ORACLE_DTYPE, VIEW_DTYPE, write_oracle_views, write_views

VERSION = 1


class SimplifiedGame(Game):
    """Paper 4's three-player game under one `Ruleset`. A game is one hand."""

    players = PLAYERS
    action_names = ACTION_NAMES
    state_dtype = STATE_DTYPE
    view_dtype = VIEW_DTYPE
    oracle_dtype = ORACLE_DTYPE

    def __init__(self, rules: Ruleset = PAPER) -> None:
        self.rules = rules
        self.id = f"simplified/{rules.name}-v{VERSION}"

    def new_context(self) -> Any:
        """Rules and tables; nothing in them is written, so threads may share one."""
        return new_context(self.rules)

    def start(self, states: Array, seeds: Array, context: Any) -> None:
        """Begin a game on every table from its seed."""
        start_tables(states, seeds, *context)

    def step(self, states: Array, first: Array, actions: Array, restart: bool, context: Any) -> None:
        """Answer for all asked players."""
        step_tables(states, first, actions, restart, *context)

    def first_illegal(self, states: Array, first: Array, actions: Array) -> int:
        """Index of the first decision whose action is not legal, or -1."""
        return find_illegal(states, first, actions)

    def legal_masks(self, states: Array, tables: Array, players: Array, out: Array) -> None:
        """Write the legal actions of each decision."""
        write_masks(states, tables, players, out)

    def views(self, states: Array, tables: Array, players: Array, out: Array) -> None:
        """Write what each player may know."""
        write_views(states, tables, players, out)

    def oracle_views(self, states: Array, tables: Array, players: Array, out: Array) -> None:
        """Write views with the hidden hands added."""
        write_oracle_views(states, tables, players, out)

    def is_over(self, states: Array) -> Array:
        """Whether each table's game is over."""
        return np.asarray(states["phase"] == GAME_OVER)

    def rewards(self, states: Array) -> Array:
        """Points won and lost in finished games; they sum to zero."""
        points = states["scores"].astype(np.float32)
        return np.asarray(np.where(self.is_over(states)[:, None], points, np.float32(0)))

    def scores(self, states: Array) -> Array:
        """The players' points: all zero until the game ends."""
        return np.asarray(states["scores"])

    def total_points(self, states: Array) -> Array:
        """All points: zero."""
        return np.asarray(states["scores"].sum(1))

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
        from janshi.rules.simplified.events import deal_events

        return deal_events(states, self.rules)

    def step_events(self, before: Array, after: Array, answers: Mapping[int, int]) -> list[Event]:
        """The events of a step."""
        from janshi.rules.simplified.events import step_events

        return step_events(before, after, answers)

    def end_events(self, states: Array) -> list[Event]:
        """How the hand that is over ended."""
        from janshi.rules.simplified.events import end_events

        return end_events(states)
