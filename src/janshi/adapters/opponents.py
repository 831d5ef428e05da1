"""Who plays the other seats of a single-agent environment: any game's random players, and what a game has besides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from janshi.rules.batch import choose_evenly, mask_words
from janshi.rules.game import Array, Game

RANDOM = "random"


class Opponents(Protocol):
    """Answers for many asked players at once."""

    def __call__(self, states: Array, tables: Array, players: Array, words: Array) -> Array:
        """An action for each (table, player), int64[m]; `words` are as many random words, uint64[m]."""


class RandomOpponents:
    """They take any legal action, evenly: for every game."""

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


def _riichi(game: Any, names: Sequence[str]) -> Opponents:
    from janshi.adapters.riichi_opponents import KernelOpponents

    return KernelOpponents(game, names)


FAMILIES: dict[str, Callable[[Any, Sequence[str]], Opponents]] = {"riichi": _riichi}
"""Families of rules that have players of their own; others have random ones."""


def make_opponents(game: Game, names: str | Sequence[str]) -> Opponents:
    """Opponents of a game by name: one name for all seats, or one for each."""
    wanted = [names] * game.players if isinstance(names, str) else list(names)
    if len(wanted) != game.players:
        raise ValueError(f"opponents are one name, or one for each of the {game.players} seats, not {names!r}")
    return FAMILIES.get(game.id.partition("/")[0], RandomOpponents)(game, wanted)
