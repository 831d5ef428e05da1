"""A game built from its answers: the table, what happened in each step, and taking moves back. No clock, no network.

A game is its rules, its seed and its answers, step by step; a *step* is the answers of all asked players, or the
dealing of the next hand. Playing the answers again gives the same game, which is how games survive a restart and how
moves are taken back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

import numpy as np

from janshi.core import rng
from janshi.rules.events import Event, EventStream
from janshi.rules.game import Game
from janshi.rules.registry import make_game
from janshi.web.reader import GAME_OVER, HAND_OVER, phase_of
from janshi.web.store import Answer

DEALS: Final = -1
"""The "seat" of the step that deals the next hand."""
STREAM: Final = 104
"""Separates the random words of agents in live games from those of the walls."""


@lru_cache(maxsize=64)
def game_of(rules: str, rounds: int = 0) -> Game:
    """The game of a name, with this many rounds if its rules offer a choice (0: the preset's)."""
    game = make_game(rules)
    if rounds and rounds != getattr(game.rules, "rounds", rounds):
        return type(game)(replace(game.rules, rounds=rounds))
    return game


def new_table(game: Game, seed: int, start: Mapping[str, Any] | None) -> Any:
    """The table of a game: its first hand, or a recorded hand with its wall and scores."""
    return game.family.new_table(seed, game.rules, **(start or {}))


class Play:
    """A table, and all the answers that led to its present state."""

    def __init__(self, game: Game, seed: int, start: Mapping[str, Any] | None = None) -> None:
        self.game, self.seed = game, seed
        self.table: Any = new_table(game, seed, start)
        self.table.game = game
        self.step = 0
        """Number of steps so far."""
        self.asked_before = [0] * game.players
        """How often each player has answered."""
        self.decisions = 0
        self.stream = EventStream(self.table)

    @property
    def phase(self) -> str:
        """`turn`, `reaction`, `hand_over` or `game_over`."""
        return phase_of(self.table)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.phase == GAME_OVER

    @property
    def between_hands(self) -> bool:
        """Whether the next hand waits to be dealt."""
        return self.phase == HAND_OVER

    @property
    def is_last_hand(self) -> bool:
        """Between hands: whether the game is over now."""
        after = self.table.copy()
        after.step()
        return bool(after.over)

    def word(self, seat: int) -> int:
        """The random word of an agent's decision: the same whenever the game comes to this point."""
        return int(rng.key(np.uint64(rng.key(np.uint64(self.seed), seat, STREAM)), self.step, self.decisions))

    def take(self, answers: Mapping[int, int]) -> list[Event]:
        """Make a step with the answers of all asked players (none between hands); returns all that happened."""
        asked = self.table.asked
        events = self.stream.step(answers if asked else None)
        for seat in asked:
            self.asked_before[seat] += 1
        self.decisions += len(asked)
        self.step += 1
        return events

    def replay(self, answers: Iterable[Answer]) -> dict[int, Answer]:
        """Make all complete steps of a list of answers; returns the answers of an incomplete last step."""
        steps: dict[int, dict[int, Answer]] = {}
        for answer in answers:
            steps.setdefault(answer.step, {})[answer.seat] = answer
        for number in sorted(steps):
            given = steps[number]
            if number != self.step:
                raise ValueError(f"step {self.step} of the game is missing")
            asked = set(self.table.asked) or {DEALS}
            if not asked <= set(given):
                return given
            self.take({} if DEALS in given else {seat: given[seat].action for seat in asked})
        return {}
