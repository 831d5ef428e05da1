"""The plan of a match: which games are played, by whom, at which seats and on which walls.

A *wall set* is a seed from which all walls of a game come (keyed by seed, round and honba). In a duplicate match each
wall set is played once for every *seating* of every *lineup*, so that all contestants get the same tiles. A game's
number determines the game: the plan is a pure function from numbers to games.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import permutations
from typing import Any, Final

import numpy as np

from janshi.core import rng
from janshi.rules.game import Array

WALLS, CHOICES = 101, 102
"""Separate the random streams of walls from those of players' choices."""
SEATINGS: Final = ("rotations", "permutations", "fixed", "independent")


@dataclass(frozen=True, slots=True)
class Planned:
    """One game of a plan."""

    number: int
    wall: int
    """Number of the wall set."""
    lineup: int
    seats: tuple[int, ...]
    """The contestant at each seat."""
    seed: int
    """Seed of the walls."""
    stream: int
    """Start of the stream of random words for the players' choices."""


@dataclass(frozen=True)
class Plan:
    """All games of a match."""

    rules: str
    """A game of the registry, `riichi/tenhou`."""
    contestants: tuple[str, ...]
    """Labels of agents or bots."""
    lineups: tuple[tuple[int, ...], ...]
    """The contestants at a table, by number, one per seat."""
    walls: int
    """How many wall sets each lineup plays."""
    seed: int = 0
    seating: str = "rotations"
    """On each wall set all `rotations` of each lineup are played, all its `permutations`, or only one game: `fixed`, as
    the lineup says, or `independent`, seats rotating from wall set to wall set, for a match that is not duplicate."""
    baseline: int | None = None
    """A lineup of copies of one contestant whose games measure the luck of the walls, not a contestant."""
    first_wall: int = 0
    """The first wall set; earlier ones are left to other matches."""

    def __post_init__(self) -> None:
        if self.seating not in SEATINGS:
            raise ValueError(f"seating must be one of {', '.join(SEATINGS)}, not {self.seating!r}")
        if self.walls < 1:
            raise ValueError(f"a match needs at least one wall set, not {self.walls}")
        if not self.lineups:
            raise ValueError("a match needs at least one lineup")
        for lineup in self.lineups:
            if not all(0 <= who < len(self.contestants) for who in lineup):
                raise ValueError(f"lineup {lineup} names a contestant that is not there")
        if self.baseline is not None and len(set(self.lineups[self.baseline])) != 1:
            raise ValueError("a baseline is a lineup of copies of one contestant")

    @cached_property
    def tables(self) -> tuple[tuple[int, tuple[tuple[int, ...], ...]], ...]:
        """The games on one wall set: the lineup of each and the seatings it takes in turn, one per wall set."""
        arrange = arrangements if self.seating == "permutations" else rotations
        found: list[tuple[int, tuple[tuple[int, ...], ...]]] = []
        for number, lineup in enumerate(self.lineups):
            if self.seating == "fixed":
                found.append((number, (lineup,)))
            elif self.seating == "independent":
                found.append((number, tuple(rotations(lineup))))
            else:
                found += [(number, (seats,)) for seats in arrange(lineup)]
        return tuple(found)

    def __len__(self) -> int:
        """How many games there are."""
        return self.walls * len(self.tables)

    def game(self, number: int) -> Planned:
        """The game with this number."""
        if not 0 <= number < len(self):
            raise IndexError(f"the plan has games 0 to {len(self) - 1}, not {number}")
        wall, place = divmod(number, len(self.tables))
        lineup, seatings = self.tables[place]
        seed = rng.key(np.uint64(self.seed % 2**64), wall + self.first_wall, WALLS)
        stream = rng.key(np.uint64(seed), place, CHOICES)
        return Planned(number, wall, lineup, seatings[wall % len(seatings)], int(seed), int(stream))

    def to_json(self) -> dict[str, Any]:
        """The plan as JSON data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Plan:
        """Read a plan from JSON."""
        lineups = tuple(tuple(lineup) for lineup in data["lineups"])
        return cls(**{**data, "contestants": tuple(data["contestants"]), "lineups": lineups})

    @cached_property
    def digest(self) -> str:
        """A short hash of everything that determines the games except their number: a match can be given more walls."""
        deciding = {key: value for key, value in self.to_json().items() if key != "walls"}
        return hashlib.sha256(json.dumps(deciding, sort_keys=True).encode()).hexdigest()[:16]


def rotations(lineup: Sequence[int]) -> list[tuple[int, ...]]:
    """The different rotations of a lineup around the table, starting with itself."""
    turned = [tuple(lineup[-turn:]) + tuple(lineup[:-turn]) for turn in range(len(lineup))]
    return list(dict.fromkeys(turned))


def arrangements(lineup: Sequence[int]) -> list[tuple[int, ...]]:
    """All different seatings of a lineup, starting with itself: 24 of four players, 6 of three."""
    return list(dict.fromkeys(permutations(lineup)))


def seat_array(games: Sequence[Planned]) -> Array:
    """The contestant at each seat of each game, int16[n, players]."""
    return np.array([game.seats for game in games], np.int16)
