"""An agent's view of a decision, in a form that any command can print.

An agent that can explain its play has a method `explain(views)`, which returns an `Explanation` for each view. It
contains English names and `Phrase`s rather than sentences, so that a display can translate them; names without a
translation are shown in English.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import nan
from typing import Final, Protocol, runtime_checkable

import numpy as np

from janshi.agents.base import Agent
from janshi.core.tiles import format_tiles, kind_of
from janshi.rules.game import Array
from janshi.rules.riichi.actions import TSUMOGIRI


@dataclass(frozen=True, slots=True)
class Phrase:
    """A piece of an explanation that can be translated: a pattern, and the values to put in it.

    >>> str(Phrase("waiting {tiles} ({count})", {"tiles": "3s 6s", "count": Phrase("{n} tiles", {"n": 8})}))
    'waiting 3s 6s (8 tiles)'
    """

    pattern: str
    """The English text, with names of values in braces; a translation uses the same names."""
    values: Mapping[str, int | str | Phrase] = field(default_factory=dict)
    """Numbers, tiles as people write them (`4p, 7p`), or phrases."""

    def __str__(self) -> str:
        return self.pattern.format(**self.values)


FOLD: Final = Phrase("then fold")


def discarding(tile: int) -> Phrase:
    """The discard that follows a call or riichi."""
    return Phrase("discard {tile}", {"tile": format_tiles([int(tile)])})


@dataclass(frozen=True, slots=True)
class Choice:
    """An action that an agent considered."""

    action: int
    name: str
    """The action in words."""
    numbers: Mapping[str, float]
    """The agent's figures for it, by name; all choices of an explanation have the same names."""
    then: tuple[Phrase, ...] = ()
    """What follows it, if that is not obvious."""
    worth: float = nan
    """Minus the expected final rank, or points, by the explanation's unit; NaN if not known."""
    experts: float = nan
    """How often experts choose the action, a probability; NaN if not known."""

    @property
    def words(self) -> str:
        """The action and how it continues, in English."""
        return ", ".join([self.name, *map(str, self.then)])


@dataclass(frozen=True, slots=True)
class Explanation:
    """An agent's assessment of one decision."""

    choices: tuple[Choice, ...]
    """Best first."""
    tenpai: tuple[float, ...]
    """How likely each opponent is tenpai, in turn order from the next player; empty if not estimated."""
    steps: tuple[Phrase, ...] = ()
    """How play continues after the best choice, step by step, if the agent provides it."""
    unit: str = ""
    """The unit of worths: `rank` or `points`; empty if the agent puts no value on choices."""
    ends: Mapping[str, float] = field(default_factory=dict)
    """How the hand may end for the player, as seen before the choice: the chances of `win`, `lose` (deal in), `draw`
    and `other` (another player wins in some other way); empty if not estimated."""

    @property
    def best(self) -> Choice:
        """What the agent would do."""
        return self.choices[0]

    @property
    def line(self) -> str:
        """The best choice and its steps in English; empty if there are none."""
        return "".join([self.best.words, *map(str, self.steps)]) if self.steps else ""


@runtime_checkable
class Explains(Protocol):
    """An agent that can explain itself."""

    def explain(self, views: Array) -> list[Explanation]:
        """An explanation of each view's decision."""


def explain_discards(
    agent: Agent,
    views: Array,
    names: Sequence[str],
    numbers: Array,
    tenpai: tuple[float, ...] = (),
    unit: str = "",
    experts: Array | None = None,
) -> Explanation:
    """Explain one riichi decision from figures for each discard, float64[34, names]; NaN means unknown.

    The chosen action comes first, then discards by their first figure, then all other legal actions. If a `unit` is
    given, the first figure is a discard's worth; `experts`, float64[34], is how often experts discard a kind.
    """
    best = agent.answer(views[0])
    drawn = int(views["drawn"][0])
    choices = []
    for action in np.flatnonzero(agent.game.masks_of_views(views)[0]).tolist():
        tile = drawn if action == TSUMOGIRI else action
        discards = action <= TSUMOGIRI and tile >= 0
        row = numbers[kind_of(tile)] if discards else np.full(len(names), np.nan)
        name = (
            f"tsumogiri {format_tiles([tile])}"
            if action == TSUMOGIRI and tile >= 0
            else agent.game.action_names[action]
        )
        worth = float(row[0]) if unit else nan
        often = float(experts[kind_of(tile)]) if discards and experts is not None else nan
        choices.append(Choice(action, name, dict(zip(names, map(float, row))), (), worth, often))
    first = {choice.action: next(iter(choice.numbers.values())) for choice in choices}
    order = {action: -np.inf if np.isnan(value) else value for action, value in first.items()}
    choices.sort(key=lambda choice: (choice.action != best, -order[choice.action]))
    return Explanation(tuple(choices), tenpai, unit=unit)
