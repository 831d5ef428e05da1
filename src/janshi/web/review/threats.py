"""What models say about opponents in a position: who could win, and which tiles are dangerous."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol

import numpy as np

from janshi.agents.registry import make_agent
from janshi.core.tiles import NUM_KINDS, format_tiles
from janshi.rules.game import Array, Game

KIND_TEXTS: Final = tuple(format_tiles([kind]) for kind in range(NUM_KINDS))
DIGITS: Final = 4


class ThreatModels(Protocol):
    """Models of opponents for a family of rules."""

    def look(self, views: Any) -> dict[str, Any]:
        """The models' output for one view; see `seen`."""

    def ends(self, views: Any, game: Game) -> Mapping[str, float]:
        """How the hand ends for the player; see `Explanation.ends`."""


def seen(waiting: Array, winning: Array, riichi: list[bool]) -> dict[str, Any]:
    """Chances that opponents (from the player after) are tenpai, and that each kind deals in to each of them.

    `winning` are those if the opponent is tenpai, float[3, 34]; `any` is the chance to deal in to anybody.
    """
    dealing = waiting[:, None] * winning
    every = 1.0 - np.prod(1.0 - dealing, axis=0)
    return {
        "tenpai": [round(float(x), DIGITS) for x in waiting],
        "danger": [[round(float(x), DIGITS) for x in row] for row in dealing],
        "any": dict(zip(KIND_TEXTS, (round(float(x), DIGITS) for x in every))),
        "riichi": riichi,
    }


class RiichiThreats:
    """The networks of riichi."""

    def __init__(self) -> None:
        from janshi.models.network import shipped

        self._network = shipped()
        self._apprentice: Any = None

    def look(self, views: Any) -> dict[str, Any]:
        """Who is tenpai or in riichi, and which tiles are dangerous."""
        said = self._network.predict(views)[0]
        return seen(said["waiting"], said["winning"], [bool(x) for x in views["riichi"][0][1:]])

    def ends(self, views: Any, game: Game) -> Mapping[str, float]:
        """How the hand ends for the player, by the network of the apprentice."""
        if self._apprentice is None or self._apprentice.game.rules != game.rules:
            self._apprentice = make_agent("apprentice", game)
        (found,) = self._apprentice.explain(views)
        return found.ends  # type: ignore[no-any-return]


class GuobiaoThreats:
    """The models of Guobiao: tenpai means that the opponent could win on some discard, with eight fan."""

    def __init__(self) -> None:
        from janshi.models.guobiao_opponents import shipped

        self._models = shipped()

    def look(self, views: Any) -> dict[str, Any]:
        """Who could win, and which tiles are dangerous."""
        ready, wins = self._models.predict(views)
        return seen(ready[0], wins[0], [False] * len(ready[0]))

    def ends(self, views: Any, game: Game) -> Mapping[str, float]:
        """Nothing: the reviewer says it."""
        return {}
