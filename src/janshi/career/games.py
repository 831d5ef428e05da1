"""A person's games as arrays: one entry per game, one per hand, and the luck of every measured hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from janshi.career.hands import HAND_DTYPE
from janshi.career.luck import LUCK_DTYPE
from janshi.career.store import CareerStore
from janshi.luck.types import PLACES, POINTS

Array = npt.NDArray[Any]


@dataclass(slots=True)
class OwnGames:
    """Games of one person in the order they were played; undated ones follow in the order they were imported."""

    id: Array
    """The career's number of each game, int64[n]."""
    seat: Array
    """The person's seat, int64[n]; seat 0 deals first."""
    rank: Array
    """From 1, float64[n]; NaN if the game was not finished."""
    score: Array
    """Final scores, float64[n]; NaN likewise."""
    won: Array
    """Points won or lost at the table, float64[n]; NaN likewise."""
    points: Array
    """Final points, float64[n]; NaN likewise."""
    rounds: Array
    played: list[str | None]
    names: list[str]
    """The files the games came from."""
    trained: Array
    """Whether the value function of luck was trained on the game, bool[n]."""
    hands: Array
    """HAND_DTYPE[h]."""
    game: Array
    """The game of each hand, int64[h]: a place in the arrays above."""
    luck: Array
    """LUCK_DTYPE[h]; NaN where it is not known."""

    def __len__(self) -> int:
        return len(self.id)

    def measured(self) -> Array:
        """Whether each game's luck is known, bool[n]."""
        known = np.ones(len(self), bool)
        known[self.game[np.isnan(self.luck["gain"][:, PLACES])]] = False
        return known & (np.bincount(self.game, minlength=len(self)) > 0)

    def luck_of_games(self) -> Array:
        """Luck of each game by source and measure, float64[n, sources, 2]; NaN where it is not known."""
        shape = self.luck["luck"].shape[1:]
        total = np.zeros((len(self), *shape))
        np.add.at(total, self.game, self.luck["luck"].astype(np.float64))
        return total

    def luckless_rank(self) -> Array:
        """Rank without luck, float64[n]: good luck lowered the rank, so it is added back."""
        return np.asarray(self.rank + self.luck_of_games()[:, :, PLACES].sum(1))

    def luckless_won(self) -> Array:
        """Points at the table less the luck in them, float64[n]."""
        return np.asarray(self.won - self.luck_of_games()[:, :, POINTS].sum(1))

    def pick(self, wanted: Array) -> OwnGames:
        """Some of the games, by a mask."""
        rows = np.flatnonzero(wanted)
        chosen = wanted[self.game]
        renumbered = np.cumsum(wanted) - 1
        return OwnGames(
            *(self.id[rows], self.seat[rows], self.rank[rows], self.score[rows], self.won[rows], self.points[rows]),
            self.rounds[rows],
            *([self.played[row] for row in rows], [self.names[row] for row in rows], self.trained[rows]),
            *(self.hands[chosen], renumbered[self.game[chosen]], self.luck[chosen]),
        )


COLUMNS: Final = (
    "game.id, seat.seat, seat.name, rank, score, won, points, rounds, played, game.name, trained, seat.hands, seat.luck"
)
"""What `_as_arrays` reads."""


def own_games(store: CareerStore, names: Sequence[str]) -> OwnGames:
    """All games of the person who plays under some names; in a game with several of them, the first name counts."""
    marks = ", ".join("?" * len(names))
    order = {name: place for place, name in enumerate(names)}
    rows = store.read(
        f"select {COLUMNS} from seat join game on seat.game = game.id where seat.name in ({marks})"
        " order by played is null, played, game.id",
        tuple(names),
    )
    best: dict[int, Any] = {}
    for row in rows:
        known = best.get(row[0])
        if known is None or order[row[2]] < order[known[2]]:
            best[row[0]] = row
    return _as_arrays(list(best.values()))


def all_seats(store: CareerStore) -> OwnGames:
    """Every seat of every game as if one person held them all, for figures of everybody."""
    return _as_arrays(store.read(f"select {COLUMNS} from seat join game on seat.game = game.id order by 1, 2"))


def _as_arrays(rows: Sequence[Any]) -> OwnGames:
    column = list(zip(*rows)) if rows else [()] * 13
    hands = np.frombuffer(b"".join(column[11]), HAND_DTYPE)
    sizes = [len(text) // HAND_DTYPE.itemsize for text in column[11]]
    unknown = np.full(1, np.nan, np.float32).tobytes() * (LUCK_DTYPE.itemsize // 4)
    luck = b"".join(text if text is not None else unknown * size for text, size in zip(column[12], sizes))
    rank, score, won, points = (np.array(column[place], np.float64) for place in (3, 4, 5, 6))
    return OwnGames(
        np.array(column[0], np.int64),
        np.array(column[1], np.int64),
        rank,
        score,
        won,
        points,
        np.array(column[7], np.int64),
        list(column[8]),
        list(column[9]),
        np.array(column[10], bool),
        hands,
        np.repeat(np.arange(len(rows)), sizes),
        np.frombuffer(luck, LUCK_DTYPE),
    )


def names_of(store: CareerStore, game: int) -> list[str]:
    """The names of a game's players, by seat."""
    rows = store.read("select names from game where id = ?", (game,))
    return list(json.loads(rows[0][0])) if rows else []
