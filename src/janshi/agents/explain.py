"""What an agent thinks of a decision, in a form that any command can print.

An agent that can say why it plays as it does has a method `explain(views)`, which returns an `Explanation` for each
view.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from janshi.rules.game import Array


@dataclass(frozen=True, slots=True)
class Choice:
    """Something an agent thought of doing."""

    action: int
    name: str
    """The action in words, and how it is meant to go on if that is not plain."""
    numbers: Mapping[str, float]
    """What the agent makes of it: named numbers, the same names for all choices of an explanation."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """What an agent thinks of one decision."""

    choices: tuple[Choice, ...]
    """Best first."""
    tenpai: tuple[float, ...]
    """How likely each opponent is tenpai, in turn order from the player after; empty if the agent does not ask."""

    @property
    def best(self) -> Choice:
        """What the agent would do."""
        return self.choices[0]


@runtime_checkable
class Explains(Protocol):
    """An agent that can explain itself."""

    def explain(self, views: Array) -> list[Explanation]:
        """An explanation of each view's decision."""
