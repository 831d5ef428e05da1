"""What the arena needs to know about each family of rules: counters of hands, ranks, and the protocol of bots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from janshi.arena.results import HANDS, rank_points
from janshi.rules.game import Array, Game
from janshi.rules.layer import Layer


class Stage(Protocol):
    """A table that reports its game as events."""

    table: Any

    def step(self, answers: dict[int, int] | None) -> None:
        """Carry out the answers of all asked players, or deal the next hand."""

    def news(self) -> list[Any]:
        """The events since the last call."""


def count_hands(states: Array, playing: Array, out: Array) -> None:
    """Count finished hands and nothing else: this works for any game."""
    out[:, :, HANDS] += (playing & (states["asked"] == 0))[:, None]


def shared_ranks(game: Game, scores: Array, points: Array) -> Array:
    """Ranks from 1 by final points; players with equal points share the mean of their ranks."""
    return rank_points(points)


@dataclass(frozen=True, slots=True)
class ArenaFamily:
    """A family of rules as the arena sees it."""

    tally: Callable[[Array, Array, Array], None] = count_hands
    """Adds the counts of every table whose hand has just ended to `out`, int32[n, players, counters].

    It gets the states, where a hand was being played before the last step (bool[n]), and `out`.
    """
    ranks: Callable[[Game, Array, Array], Array] = shared_ranks
    """Ranks from 1, float32[n, players], of finished games: from the game, scores and final points."""
    stage: Callable[[Game, int, Sequence[str]], Stage] | None = None
    """Makes a table for bots at the start of a game, from a seed and the players' names; None if there are no bots."""
    by_rank: bool = False
    """Whether results without luck are ranks, not points."""
    fan: str = "fan"
    """The unit of a win's value."""


ARENA_LAYER: Final = Layer("arena", ArenaFamily())
