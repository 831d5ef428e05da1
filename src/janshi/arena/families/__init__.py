"""What the arena needs to know of a family of rules: what is counted of its hands, ranks, and how bots are told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from janshi.arena.results import HANDS, rank_points
from janshi.rules.game import Array, Game
from janshi.rules.layer import Layer


class Stage(Protocol):
    """A table whose game is told."""

    table: Any

    def step(self, answers: dict[int, int] | None) -> None:
        """Carry out the answers of all asked players, or deal the next hand."""

    def news(self) -> list[Any]:
        """What has happened since last asked."""


def count_hands(states: Array, playing: Array, out: Array) -> None:
    """Count finished hands, and nothing else of them: what is known of any game."""
    out[:, :, HANDS] += (playing & (states["asked"] == 0))[:, None]


def shared_ranks(game: Game, scores: Array, points: Array) -> Array:
    """Ranks from 1 by final points; players with equal points share the mean of their ranks."""
    return rank_points(points)


@dataclass(frozen=True, slots=True)
class ArenaFamily:
    """A family of rules as the arena knows it."""

    tally: Callable[[Array, Array, Array], None] = count_hands
    """Adds to `out`, int32[n, players, counters], what happened at every table whose hand has just ended.

    It is given the states, where a hand was being played before the last step (bool[n]), and `out`.
    """
    ranks: Callable[[Game, Array, Array], Array] = shared_ranks
    """Ranks from 1, float32[n, players], of finished games: from the game, scores and final points."""
    stage: Callable[[Game, int, Sequence[str]], Stage] | None = None
    """A table at the start of a game, told to bots, from a seed and the players' names; None if there are no bots."""
    fan: str = "fan"
    """What the worth of a win is counted in."""


ARENA_LAYER: Final = Layer("arena", ArenaFamily())
