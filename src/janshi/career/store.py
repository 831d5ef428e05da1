"""A career on disk. A career is one person's collection of games.

Every game is written in one transaction together with the progress of its upload, so an import that was interrupted
continues where it stopped, and nothing is counted twice.
"""

from __future__ import annotations

import json
import shutil
import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from janshi.career.database import LONGEST, WAITING
from janshi.career.reviews import Reviews
from janshi.career.uploads import Uploads, count_record, is_open

LUCK_WAITS, LUCK_KNOWN, LUCK_IMPOSSIBLE = range(3)
TABLE_NAMES: Final = ("review", "seat", "record", "bytes", "game", "upload", "problem", "setting")


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a career may become; 0 lifts a limit."""

    games: int = 0
    bytes: int = 0
    """Bytes of the records that were imported and of those that wait."""


class Seat(NamedTuple):
    """One seat of a game to be stored."""

    name: str
    rank: int | None
    """From 1; None if the game was not finished."""
    score: int | None
    """The final score."""
    won: int | None
    """Points won or lost at the table: the final score less the first one."""
    points: float | None
    """Final points, with uma and oka."""
    hands: bytes
    """HAND_DTYPE of every hand."""


class NewGame(NamedTuple):
    """A game to be stored."""

    key: str
    bytes_key: str
    name: str
    source: str
    format: str
    played: str | None
    rounds: int
    preset: str
    level: int | None
    scores: tuple[int, ...] | None
    hands: int
    problem: str
    """Why its luck cannot be measured; empty if it can."""
    content: bytes
    seats: tuple[Seat, ...]


class CareerStore(Uploads, Reviews):
    """Everything that a career keeps: names, games, luck, uploads, reviews. Threads take turns."""

    # --- names

    def names(self) -> list[str]:
        """The names under which the person plays, in the order given."""
        rows = self.read("select value from setting where name = 'names'")
        return list(json.loads(rows[0][0])) if rows else []

    def set_names(self, names: Sequence[str]) -> None:
        """Say who the person is."""
        with self.writing() as db:
            row = ("names", json.dumps(list(names), ensure_ascii=False))
            db.execute("insert or replace into setting values (?, ?)", row)

    def players(self, most: int, search: str = "") -> list[tuple[str, int]]:
        """Names found in the games with their number of games, the most frequent first."""
        pattern = "%" + search.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
        return [
            (name, int(games))
            for name, games in self.read(
                "select name, count(*) from seat where name != '' and name like ? escape '\\'"
                " group by name order by count(*) desc, name limit ?",
                (pattern, most),
            )
        ]

    def games_of(self, name: str) -> int:
        """Number of games of a name."""
        return int(self.read("select count(distinct game) from seat where name = ?", (name,))[0][0])

    # --- games

    def count(self) -> int:
        """Number of games."""
        return int(self.read("select count(*) from game")[0][0])

    def size(self) -> int:
        """Bytes of all records, those that wait included."""
        ((waiting,),) = self.read("select coalesce(sum(size), 0) from upload where over = 0")
        return self.record_bytes() + int(waiting)

    def record_bytes(self) -> int:
        """Bytes of the records of all games, compressed."""
        return int(self.read("select coalesce(sum(length(content)), 0) from record")[0][0])

    def has_bytes(self, key: str) -> bool:
        """Whether a file of the same content was imported."""
        return bool(self.read("select 1 from bytes where key = ?", (key,)))

    def add_game(self, game: NewGame, upload: int | None = None) -> bool:
        """Store a game, and the progress of its upload; False if it was here already, or its upload was cancelled."""
        with self.writing() as db:
            if upload is not None and not is_open(db, upload):
                return False
            names = json.dumps([seat.name for seat in game.seats], ensure_ascii=False)
            scores = None if game.scores is None else json.dumps(game.scores)
            row = (
                *(game.key, game.name, game.source, game.format, game.played, time.time(), game.rounds, game.preset),
                *(game.level, names, scores, game.hands, LUCK_IMPOSSIBLE if game.problem else LUCK_WAITS, game.problem),
            )
            made = db.execute(
                "insert or ignore into game (key, name, source, format, played, added, rounds, preset, level, names,"
                f" scores, hands, luck, problem) values ({', '.join('?' * len(row))})",
                row,
            )
            new = made.rowcount == 1
            db.execute("insert or ignore into bytes values (?)", (game.bytes_key,))
            if new:
                db.execute("insert into record values (?, ?)", (made.lastrowid, zlib.compress(game.content, 6)))
                db.executemany(
                    "insert into seat (game, seat, name, rank, score, won, points, hands)"
                    " values (?, ?, ?, ?, ?, ?, ?, ?)",
                    [(made.lastrowid, number, *seat) for number, seat in enumerate(game.seats)],
                )
            count_record(db, upload, "games" if new else "duplicates")
            return new

    def content(self, game: int) -> tuple[str, bytes] | None:
        """A game's file name and its record as it was imported."""
        rows = self.read("select name, content from game join record on game = id where id = ?", (game,))
        return (rows[0][0], zlib.decompress(rows[0][1])) if rows else None

    def luck_waiting(self, most: int) -> list[int]:
        """Games of the person whose luck has not been measured, the latest first."""
        names = self.names()
        marks = ", ".join("?" * len(names))
        rows = self.read(
            f"select distinct game from seat join game on game = id where seat.name in ({marks}) and game.luck = 0"
            " order by played desc, game desc limit ?",
            (*names, most),
        )
        return [int(row[0]) for row in rows]

    def set_luck(self, game: int, seats: Sequence[bytes], trained: bool) -> None:
        """Store the luck of a game's seats, and whether the value function was trained on the game."""
        with self.writing() as db:
            db.execute("update game set luck = ?, trained = ? where id = ?", (LUCK_KNOWN, int(trained), game))
            rows = [(luck, game, seat) for seat, luck in enumerate(seats)]
            db.executemany("update seat set luck = ? where game = ? and seat = ?", rows)

    def set_no_luck(self, game: int, why: str) -> None:
        """Note that the luck of a game cannot be measured."""
        with self.writing() as db:
            db.execute("update game set luck = ?, problem = ? where id = ?", (LUCK_IMPOSSIBLE, why[:LONGEST], game))

    # --- everything

    def delete_everything(self) -> None:
        """Delete all games, uploads and settings, and give their room back."""
        with self.writing() as db:
            for table in TABLE_NAMES:
                db.execute(f"delete from {table}")
        with self._lock:
            self._db.execute("vacuum")
            self._db.execute("pragma wal_checkpoint(truncate)")
        shutil.rmtree(self.folder / WAITING, ignore_errors=True)
