"""Options: what a player sees of a decision, as numbers about the position and about each action it may choose.

A decision between several actions gets one row of numbers for each: first those about the position, the same in all
rows, then those about the option. All come from the view, so they hold nothing that the player cannot know. A win is
no option: it is always taken.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from janshi.agents.families import AGENTS_LAYER
from janshi.rules.family import Family
from janshi.rules.game import Array, Game


class Options(NamedTuple):
    """The options of some decisions, decision by decision and in the order of actions."""

    first: Array
    """Where each decision's rows begin, int64[m + 1]."""
    actions: Array
    """The action of each row, int64[k]."""
    rows: Array
    """float32[k, numbers]."""


Writer = Callable[[Array], Options]
"""Writes the options of some views: of every legal action but a win."""


@dataclass(frozen=True)
class OptionSet:
    """The options of a family of rules."""

    version: str
    """Changes whenever the meaning of a number changes; values are trained for one version."""
    about_position: tuple[str, ...]
    """Descriptions of the numbers about the position."""
    about_option: tuple[str, ...]
    """Descriptions of the numbers about an option."""
    share: str
    """The number about an option by which a new player chooses: the logarithm of its share of the best one's value."""
    win: int
    """The action that wins."""
    writer: Callable[[Game], Writer]
    """Makes a function that writes options in one game."""

    @property
    def numbers(self) -> tuple[str, ...]:
        """Descriptions of all numbers of a row."""
        return self.about_position + self.about_option


def options_of(family: Family) -> OptionSet:
    """The options of a family of rules; raises `ValueError` if it has none."""
    load = AGENTS_LAYER.of(family).options
    if load is None:
        raise ValueError(f"there are no options for {family.name}")
    found: OptionSet = load()
    return found


def settled(masks: Array, win: int) -> tuple[Array, Array]:
    """Actions that need no choice, and where one is needed: int64[m] and bool[m], from legal masks.

    A win is taken, and so is the only legal action.
    """
    wins = masks[:, win]
    return np.where(wins, win, masks.argmax(1)), (masks.sum(1) > 1) & ~wins


def best_of(options: Options, worths: Array) -> Array:
    """The action with the highest worth in each decision, the first of equals: int64[m]."""
    most = np.maximum.reduceat(worths, options.first[:-1])
    best = np.flatnonzero(worths == np.repeat(most, np.diff(options.first)))
    return np.asarray(options.actions[best[np.searchsorted(best, options.first[:-1])]])
