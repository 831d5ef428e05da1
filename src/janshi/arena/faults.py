"""Faults of players: what went wrong in a game, counted by seat and kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from janshi.arena.results import Results

KINDS: Final = ("start", "crash", "timeout", "flood", "nonsense", "illegal")
"""Kinds of faults: could not be started; raised an error or died; too slow; endless output; invalid message; illegal
action."""
LONGEST: Final = 1000
"""Characters kept of a message."""


def first_with_input(results: Results) -> tuple[int, dict[str, Any]] | None:
    """The game and row of the first fault of a match that includes what the bot had been sent."""
    for game, rows in zip(results.game.tolist(), results.faults):
        for row in rows:
            if "requests" in row:
                return game, row
    return None


class FaultLog:
    """The faults of one game."""

    def __init__(self) -> None:
        self._found: dict[tuple[int, str], dict[str, Any]] = {}

    def add(self, seat: int, kind: str, message: str, input: Mapping[str, Any] | None = None) -> None:
        """Record a fault: for each kind and seat, count faults and keep the first message and the bot's input."""
        row = self._found.get((seat, kind))
        if row is None:
            row = {"seat": seat, "kind": kind, "count": 1, "message": message[:LONGEST]}
            self._found[seat, kind] = {**row, **(input or {})}
        else:
            row["count"] += 1

    def rows(self) -> list[dict[str, Any]]:
        """All faults, in the order in which they first occurred."""
        return list(self._found.values())
