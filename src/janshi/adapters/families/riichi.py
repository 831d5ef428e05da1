"""Riichi's kernel policies as opponents of a single-agent environment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from janshi.adapters.families import AdaptersFamily
from janshi.core._jit import kernel
from janshi.rules.game import Array, Game
from janshi.rules.riichi.policies import Mind, choose, new_mind, policy_number
from janshi.rules.riichi.state import Context


class KernelOpponents:
    """A policy by name (`random`, `tsumogiri`, `greedy`) for each seat."""

    def __init__(self, game: Game, names: Sequence[str]) -> None:
        self.policies = np.array([policy_number(name) for name in names], np.int64)
        self._context, self._mind = game.new_context(), new_mind()

    def __call__(self, states: Array, tables: Array, players: Array, words: Array) -> Array:
        """Ask each player's policy."""
        actions = np.zeros(len(tables), np.int64)
        choose_all(states, tables, players, self.policies[players], words, actions, self._mind, *self._context)
        return actions


@kernel
def choose_all(
    states: Any, where: Any, players: Any, policies: Any, words: Any, out: Any, mind: Mind, frame: Any, tables: Any
) -> None:
    """Write the action of each asked player's policy into `out`; `words` are fresh random words, uint64."""
    c = Context(frame[0].rules, tables[0], frame[0].win, frame[0].score)
    for i in range(len(where)):
        out[i] = choose(states[where[i]], int(players[i]), int(policies[i]), words[i], c, mind)


FAMILY: Final = AdaptersFamily(KernelOpponents)
