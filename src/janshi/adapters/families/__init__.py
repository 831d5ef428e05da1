"""What environments need to know about a family of rules: who plays the seats that do not learn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from janshi.rules.batch import choose_evenly, mask_words
from janshi.rules.game import Array, Game
from janshi.rules.layer import Layer

RANDOM = "random"


class Opponents(Protocol):
    """Answers for many asked players at once."""

    def __call__(self, states: Array, tables: Array, players: Array, words: Array) -> Array:
        """An action for each (table, player), int64[m]; `words` is one random word for each, uint64[m]."""


class RandomOpponents:
    """Uniformly random legal actions, for every game."""

    def __init__(self, game: Game, names: Sequence[str]) -> None:
        if set(names) != {RANDOM}:
            raise ValueError(f"{game.id} has only {RANDOM!r} opponents, not {', '.join(names)}")
        self.game = game

    def __call__(self, states: Array, tables: Array, players: Array, words: Array) -> Array:
        """Draw legal actions."""
        actions = np.zeros(len(tables), np.int64)
        if len(tables):
            masks = np.zeros((len(tables), self.game.num_actions), np.bool_)
            self.game.legal_masks(states, tables, players, masks)
            choose_evenly(mask_words(masks), words[0], 0, actions)
        return actions


@dataclass(frozen=True, slots=True)
class AdaptersFamily:
    """A family of rules as environments see it."""

    opponents: Callable[[Game, Sequence[str]], Opponents] = RandomOpponents
    """Makes opponents from one name per seat."""


ADAPTERS_LAYER: Final = Layer("adapters", AdaptersFamily())
