"""What the terminal needs to know of a family of rules: who plays where nobody is named, and how a game is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from janshi.rules.layer import Layer

if TYPE_CHECKING:
    from rich.console import Console

    from janshi.show.watch import WatchConfig


def tell_result(table: Any, names: Sequence[str]) -> Iterable[str]:
    """How a hand ended, as the table's `result` says it in one line; nothing where a table has none."""
    result = getattr(table, "result", None)
    return () if result is None else (str(result),)


@dataclass(frozen=True, slots=True)
class ShowFamily:
    """A family of rules as the terminal knows it."""

    players: str = "random"
    """The agent at all seats where nobody is named."""
    result: Callable[[Any, Sequence[str]], Iterable[str]] = tell_result
    """How the hand that has just ended at a table ended, in lines, with the players' names."""
    watch: Callable[[WatchConfig, Console], None] | None = None
    """Shows a whole game, if not by plain lines."""


SHOW_LAYER: Final = Layer("show", ShowFamily())
