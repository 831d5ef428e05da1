"""What the terminal needs to know about a family of rules: its default player, and how a game is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from janshi.rules.layer import Layer

if TYPE_CHECKING:
    from rich.console import Console

    from janshi.show.watch import WatchConfig


def describe_result(table: Any, names: Sequence[str]) -> Iterable[str]:
    """How a hand ended, in the one line of the table's `result`; nothing if it has none."""
    result = getattr(table, "result", None)
    return () if result is None else (str(result),)


@dataclass(frozen=True, slots=True)
class ShowFamily:
    """A family of rules as the terminal sees it."""

    players: str = "random"
    """The agent of all seats by default."""
    result: Callable[[Any, Sequence[str]], Iterable[str]] = describe_result
    """Lines on how the last hand at a table ended, with the players' names."""
    watch: Callable[[WatchConfig, Console], None] | None = None
    """Shows a whole game, if not as plain lines."""


SHOW_LAYER: Final = Layer("show", ShowFamily())
