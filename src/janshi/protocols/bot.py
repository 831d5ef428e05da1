"""The contract of a player behind a protocol, and what is played for one who gives no usable answer.

A bot is told everything that happens at its table and asked for its actions. Whatever goes wrong with it, it raises
nothing but `BotFault`, and only from `ask`: a fault that is noticed earlier is kept until then. After a crash, a
time-out or a flood its process is gone and every further question of the game meets the same fault; the next game
starts a fresh one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Final

from janshi.agents.substitute import substitute_answer

FAULT_KINDS: Final = ("start", "crash", "timeout", "flood", "nonsense", "illegal")
"""Could not be started; died; took too long; wrote without end; wrote no message; wrote an action that is not legal."""
FATAL_KINDS: Final = ("start", "crash", "timeout", "flood")
"""Faults after which a bot plays no more in this game."""


class BotFault(Exception):
    """What a bot did wrong: `kind` is one of `FAULT_KINDS`, `message` says it in words."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind, self.message = kind, message


class Bot(ABC):
    """A player behind a protocol."""

    label: str
    """What it is called in results."""
    family: str
    """The family of rules it plays: `riichi` or `guobiao`."""
    seconds: float
    """How long it may take to answer."""

    @abstractmethod
    def begin(self, table: Any, seat: int, names: Sequence[str]) -> None:
        """A game starts at a seat of a table; a process that is needed and not there is started."""

    @abstractmethod
    def tell(self, events: list[dict[str, Any]]) -> None:
        """What has happened at the table since last told, all of it; the bot hides what its seat may not see.

        Takes no longer than the time limit.
        """

    @abstractmethod
    def ask(self, table: Any, seat: int) -> int:
        """An action number that is legal at the table for this seat; raises `BotFault`."""

    @abstractmethod
    def end(self, table: Any) -> None:
        """The game is over."""

    @abstractmethod
    def close(self) -> None:
        """No more games: frees what the bot holds and leaves no process behind."""


def substitute(table: Any, seat: int) -> int:
    """What is played for a bot without a usable answer: pass; else the drawn tile; else the last legal discard.

    In riichi the drawn tile goes by tsumogiri. The last case is a turn after a call.
    """
    if seat not in table.asked:
        raise ValueError(f"player {seat} is not asked")
    return substitute_answer(table.game, table.view(seat))
