"""Hands to learn from, from any source: a match, Botzone's records, or a file of self-played hands."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from janshi.learn.warm_start import read_hands
from janshi.rules.game import Array, Game
from janshi.rules.stepper import Stepper

SELF_PLAYED: Final = ".npz"
PARTS: Final = 10_000
"""Walls are numbered modulo this to select a share of them."""
MIXING: Final = 2654435761
Report = Callable[[str], None]


@dataclass(frozen=True)
class PlayedHands:
    """Games of one rule set, often of one hand each: how they begin, and all answers."""

    game: Game
    begins: Array
    """Seeds, uint64[h], or first states, state_dtype[h]."""
    ends: Array
    """int64[h]: where each game's answers end and the next game's begin."""
    answers: Array
    walls: Array
    """int64[h]: games with the same number share a wall and are held out together."""
    seats: Array
    """int64[h]: bit sets of the players to learn from."""
    sources: tuple[str, ...]
    """The file or match that each game comes from."""

    def __len__(self) -> int:
        return len(self.ends)

    def tables(self, numbers: Array) -> Stepper:
        """Some games at their beginning."""
        if self.begins.dtype != np.uint64:
            return Stepper.of(self.game, self.begins[numbers].copy())
        stepper = Stepper(self.game, len(numbers))
        stepper.start(self.begins[numbers])
        return stepper

    def spans(self, numbers: Array) -> tuple[Array, Array]:
        """The start and end of some games' answers."""
        return np.concatenate([[0], self.ends])[numbers], self.ends[numbers]

    def share_of_walls(self, share: float, first: float = 0.0) -> Array:
        """Whether each game belongs to a share of the walls, bool[h]; shares with different starts do not overlap."""
        place = self.walls % PARTS * MIXING % PARTS
        return np.asarray((place >= first * PARTS) & (place < (first + share) * PARTS))

    def of_sources(self, names: tuple[str, ...]) -> Array:
        """Whether the name of each game's file, with or without its folder, begins with one of these, bool[h]."""
        found = [source.startswith(names) or source.rpartition("/")[2].startswith(names) for source in self.sources]
        return np.array(found, np.bool_)


def read_played(data: Path, game: Game, players: tuple[str, ...] = (), report: Report = print) -> list[PlayedHands]:
    """All hands in a path, by rule set.

    data: a match (`janshi match --out`), a file of `janshi train hands`, or Botzone's records in a file, a folder or an
    archive. A folder may hold files of all kinds.
    """
    if not data.exists():
        raise ValueError(f"there is no file or folder {data}")
    files = sorted(data.glob(f"*{SELF_PLAYED}")) if data.is_dir() else [data] * (data.suffix == SELF_PLAYED)
    found = [self_played(file, game) for file in files]
    if data.is_dir() or not found:
        found += recorded(data, game, players, report)
    if not sum(map(len, found)):
        raise ValueError(
            f"{data} holds no hands of {game.family.name}: expected a match, a file of `janshi train hands` or records"
        )
    return [hands for hands in found if len(hands)]


def self_played(file: Path, game: Game) -> PlayedHands:
    """The hands of a file written by `janshi train hands`, with the rules they were played by."""
    stored = read_hands(file)
    n = len(stored.seeds)
    everybody = np.full(n, (1 << game.players) - 1)
    ends = np.cumsum(stored.lengths, dtype=np.int64)
    return PlayedHands(game, stored.seeds, ends, stored.actions, np.arange(n), everybody, (file.name,) * n)


def recorded(data: Path, game: Game, players: tuple[str, ...], report: Report) -> list[PlayedHands]:
    """The games of a match, or the hands of Botzone's records, by rule set."""
    from janshi.arena.played import gather, is_match  # needs libraries of matches and records

    gathered = gather([data])
    for problem in gathered.problems[:3]:
        report(f"left out: {problem}")
    if len(gathered.problems) > 3:
        report(f"left out: {len(gathered.problems) - 3} more")
    match, found = is_match(data), []
    for some in gathered.games.values():
        if some.game.family != game.family:
            raise ValueError(f"{data} holds games of {some.game.family.name}, not {game.family.name}")
        seats = np.array([_seats(names, players) for names in some.names], np.int64)
        sources = tuple(data.name if match else source.partition("#")[0] for source in some.sources)
        walls = some.walls if match else [zlib.crc32(source.encode()) for source in some.sources]
        ends, answers = np.cumsum([len(given) for given in some.answers]), np.concatenate(some.answers)
        begins = np.concatenate(some.states)
        found.append(PlayedHands(some.game, begins, ends, answers, np.array(walls, np.int64), seats, sources))
    if players and not any(hands.seats.any() for hands in found):
        names = sorted({name for some in gathered.games.values() for seats in some.names for name in seats})
        raise ValueError(f"no player is called {', '.join(players)}; there are {', '.join(names)}")
    return found


def _seats(names: tuple[str, ...], players: tuple[str, ...]) -> int:
    """The bit set of some players' seats, or of all seats if no player is named."""
    return sum(1 << seat for seat, name in enumerate(names) if not players or name in players)
