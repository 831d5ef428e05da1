"""The contract of a player behind a protocol, and the substitute for one that gives no usable answer.

A bot receives everything that happens at its table and is asked for its actions. Whatever goes wrong, it raises only
`BotFault`, and only from `ask`: earlier faults are kept until then, and a fault after the last question is returned by
`end`. After a crash, a time-out or a flood, its process is gone and every further question of the game raises the same
fault; the next game starts a new process.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Final

from janshi.agents.substitute import substitute_answer

FAULT_KINDS: Final = ("start", "crash", "timeout", "flood", "nonsense", "illegal")
"""Could not be started; died; took too long; wrote endlessly; wrote no valid message; wrote an illegal action."""
FATAL_KINDS: Final = ("start", "crash", "timeout", "flood")
"""Faults after which a bot is out of the game."""


class BotFault(Exception):
    """What a bot did wrong: `kind` is one of `FAULT_KINDS`, `message` describes it.

    `input` is what the bot had been sent, by which its author can repeat the fault; None if the protocol keeps no
    such thing.
    """

    def __init__(self, kind: str, message: str, input: dict[str, Any] | None = None) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind, self.message, self.input = kind, message, input


class Bot(ABC):
    """A player behind a protocol."""

    label: str
    """Its name in results."""
    family: str
    """The family of rules it plays: `riichi` or `guobiao`."""
    seconds: float
    """How long it may take to answer."""

    @abstractmethod
    def begin(self, table: Any, seat: int, names: Sequence[str]) -> None:
        """A game starts at a seat of a table; the process is started if it is needed and not running."""

    @abstractmethod
    def tell(self, events: list[dict[str, Any]]) -> None:
        """Take all events at the table since the last call; the bot hides what its seat may not see.

        Takes no longer than the time limit.
        """

    @abstractmethod
    def ask(self, table: Any, seat: int) -> int:
        """An action number that is legal at the table for this seat; raises `BotFault`."""

    @abstractmethod
    def end(self, table: Any) -> BotFault | None:
        """The game is over; returns what the bot did wrong after its last question."""

    def leave(self) -> None:
        """Tell the bot that the substitute plays the rest of the game: it gets no more events or questions."""
        return

    def check_start(self) -> None:
        """Raise `ValueError` if the bot's program cannot be started."""
        return

    @abstractmethod
    def close(self) -> None:
        """No more games: free all resources and leave no process behind."""


def substitute(table: Any, seat: int) -> int:
    """The action for a bot without a usable answer: pass, else discard the drawn tile, else the last legal discard.

    In riichi the drawn tile is a tsumogiri. The last case is a turn after a call.
    """
    if seat not in table.asked:
        raise ValueError(f"player {seat} is not asked")
    return substitute_answer(table.game, table.view(seat))
