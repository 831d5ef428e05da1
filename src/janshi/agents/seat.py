"""An agent in a seat of one table, for watching and for playing with people."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.agents.registry import make_agent
from janshi.core import rng
from janshi.rules.game import Game

STREAM: Final = 103
"""Separates the random words of seated agents from those of the walls."""


class SeatedAgent:
    """An agent that plays at a table: `player(table, seat)` returns its answer. The same seed gives the same play."""

    def __init__(self, label: str, game: Game, seat: int, seed: int = 0) -> None:
        self.agent = make_agent(label, game)
        self.seat = seat
        self._stream = np.uint64(rng.key(np.uint64(seed % 2**64), seat, STREAM))
        if self.agent.stateful:
            self.agent.begin(np.zeros(1, np.int64), np.array([seat]))

    def __call__(self, table: Any, player: int) -> int:
        """Answer for a player who is asked."""
        stream, word = rng.draw_word(self._stream)
        self._stream = np.uint64(stream)
        return self.agent.answer(table.view(player), int(word))


def read_labels(players: str, seats: int) -> list[str]:
    """Agents' labels from one for all seats, or one for each, with semicolons or (if none has options) commas."""
    mark = ";" if ";" in players or ":" in players else ","
    labels = [label.strip() for label in players.split(mark)]
    labels = labels * seats if len(labels) == 1 else labels
    if len(labels) != seats:
        raise ValueError(f"players are one name, or one for each of the {NUMBERS[seats]} seats, not {players!r}")
    return labels


NUMBERS: Final = {2: "two", 3: "three", 4: "four"}
