"""A career on disk: one folder with one SQLite file, and uploads that wait to be read.

A career is one person's collection of games. Several processes may use it at once (a server that shows it, a worker
that imports); every game is written in one transaction together with the progress of its upload, so an import that was
interrupted continues where it stopped, and nothing is counted twice.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import threading
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

DATABASE: Final = "career.sqlite"
WAITING: Final = "waiting"
"""The folder of uploads that have not been read."""
VERSION: Final = 1
"""Version of the tables and of the hands kept in them."""
MOST_PROBLEMS: Final = 1000
"""Files listed with their problem; further ones are only counted."""
LONGEST: Final = 300

LUCK_WAITS, LUCK_KNOWN, LUCK_IMPOSSIBLE = range(3)

TABLES: Final = """
create table game (
    id integer primary key, key text not null unique, name text not null, source text not null, format text not null,
    played text, added real not null, rounds integer not null, preset text not null, level integer, names text not null,
    scores text, hands integer not null, luck integer not null default 0, trained integer not null default 0,
    problem text not null default ''
);
create table record (game integer primary key references game (id) on delete cascade, content blob not null);
create table bytes (key text primary key) without rowid;
create table seat (
    game integer not null references game (id) on delete cascade, seat integer not null, name text not null,
    rank integer, score integer, won integer, points real, hands blob not null, luck blob, primary key (game, seat)
) without rowid;
create index seat_name on seat (name);
create table upload (
    id integer primary key, name text not null, file text not null, size integer not null, added real not null,
    done integer not null default 0, games integer not null default 0, duplicates integer not null default 0,
    problems integer not null default 0, read_bytes integer not null default 0, over integer not null default 0
);
create table problem (id integer primary key, upload integer not null, file text not null, what text not null);
create table review (
    number integer primary key, game integer not null, seat integer not null, review text not null default '',
    state text not null, reviewer text not null default '', losses text, why text not null default '',
    unique (game, seat)
);
create table setting (name text primary key, value text not null) without rowid;
"""


class CareerError(ValueError):
    """A career cannot be used, or would grow beyond its limits; the message says why."""


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


class Upload(NamedTuple):
    """A file, folder or archive that was given, and how far it has been read."""

    id: int
    name: str
    file: str
    size: int
    done: int
    """Number of its records that were read."""
    games: int
    duplicates: int
    problems: int
    read_bytes: int
    over: int


UPLOAD_COLUMNS: Final = ", ".join(Upload._fields)


class CareerStore:
    """The database of one career. Threads take turns."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = threading.RLock()
        self._db = sqlite3.connect(folder / DATABASE, check_same_thread=False, timeout=60, isolation_level=None)
        try:
            self._prepare()
        except sqlite3.DatabaseError as error:
            self._db.close()
            raise CareerError(f"the career in {folder} cannot be opened: {error}") from error

    def _prepare(self) -> None:
        for pragma in ("journal_mode = wal", "synchronous = normal", "foreign_keys = on", "busy_timeout = 60000"):
            self._db.execute(f"pragma {pragma}")
        with self._whole():
            (version,) = self._db.execute("pragma user_version").fetchone()
            if version not in (0, VERSION):
                raise CareerError(f"the career in {self.folder} is of version {version}; this Janshi reads {VERSION}")
            if version == 0:
                for statement in TABLES.split(";\n"):
                    self._db.execute(statement)
                self._db.execute(f"pragma user_version = {VERSION}")

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    @contextmanager
    def _whole(self) -> Iterator[sqlite3.Connection]:
        """One transaction that writes."""
        with self._lock:
            self._db.execute("begin immediate")
            try:
                yield self._db
                self._db.execute("commit")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("rollback")
                raise

    def read(self, text: str, values: Sequence[Any] = ()) -> list[Any]:
        """The rows of a query."""
        with self._lock:
            return self._db.execute(text, values).fetchall()

    # --- names

    def names(self) -> list[str]:
        """The names under which the person plays, in the order given."""
        rows = self.read("select value from setting where name = 'names'")
        return list(json.loads(rows[0][0])) if rows else []

    def set_names(self, names: Sequence[str]) -> None:
        """Say who the person is."""
        with self._whole() as db:
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
        """Store a game, and the progress of its upload; False if it was here already."""
        with self._whole() as db:
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
            self._step(db, upload, "games" if new else "duplicates")
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
        with self._whole() as db:
            db.execute("update game set luck = ?, trained = ? where id = ?", (LUCK_KNOWN, int(trained), game))
            rows = [(luck, game, seat) for seat, luck in enumerate(seats)]
            db.executemany("update seat set luck = ? where game = ? and seat = ?", rows)

    def set_no_luck(self, game: int, why: str) -> None:
        """Note that the luck of a game cannot be measured."""
        with self._whole() as db:
            db.execute("update game set luck = ?, problem = ? where id = ?", (LUCK_IMPOSSIBLE, why[:LONGEST], game))

    # --- uploads

    def add_upload(self, name: str, file: str, size: int) -> int:
        """Note a file in the folder of waiting uploads; returns its number."""
        with self._whole() as db:
            made = db.execute(
                "insert into upload (name, file, size, added) values (?, ?, ?, ?)",
                (name[:LONGEST], file, size, time.time()),
            )
            return int(made.lastrowid or 0)

    def next_upload(self) -> Upload | None:
        """The oldest upload that has not been read to its end."""
        rows = self.read(f"select {UPLOAD_COLUMNS} from upload where over = 0 order by id limit 1")
        return Upload(*rows[0]) if rows else None

    def add_duplicate(self, upload: int | None) -> None:
        """Count a record that is here already."""
        with self._whole() as db:
            self._step(db, upload, "duplicates")

    def add_problem(self, file: str, what: str, upload: int | None = None) -> None:
        """List a file that could not be read."""
        with self._whole() as db:
            (listed,) = db.execute("select count(*) from problem").fetchone()
            if listed < MOST_PROBLEMS:
                values = (upload or 0, file[-LONGEST:], what[:LONGEST])
                db.execute("insert into problem (upload, file, what) values (?, ?, ?)", values)
            self._step(db, upload, "problems")

    def _step(self, db: sqlite3.Connection, upload: int | None, what: str) -> None:
        if upload is not None:
            db.execute(f"update upload set done = done + 1, {what} = {what} + 1 where id = ?", (upload,))

    def note_bytes(self, upload: int, read: int) -> None:
        """Note how far an upload has been read."""
        with self._whole() as db:
            db.execute("update upload set read_bytes = ? where id = ?", (read, upload))

    def end_upload(self, upload: int) -> None:
        """Note that an upload has been read to its end; its file is deleted."""
        with self._whole() as db:
            row = db.execute("select file from upload where id = ?", (upload,)).fetchone()
            db.execute("update upload set over = 1, read_bytes = size where id = ?", (upload,))
        if row:
            (self.folder / WAITING / row[0]).unlink(missing_ok=True)

    def cancel_uploads(self) -> None:
        """Forget what waits to be read; games that were read stay."""
        for (id,) in self.read("select id from upload where over = 0"):
            self.end_upload(int(id))

    def clear_problems(self) -> None:
        """Empty the list of files that could not be read, and that of finished uploads."""
        with self._whole() as db:
            db.execute("delete from problem")
            db.execute("delete from upload where over = 1")

    def problems(self, most: int) -> list[tuple[str, str]]:
        """Files that could not be read, and why, the latest first."""
        return [tuple(row) for row in self.read("select file, what from problem order by id desc limit ?", (most,))]

    # --- settings and reviews

    def setting(self, name: str) -> str | None:
        """A setting, if it was made."""
        rows = self.read("select value from setting where name = ?", (name,))
        return str(rows[0][0]) if rows else None

    def set_setting(self, name: str, value: str) -> None:
        """Keep a setting."""
        with self._whole() as db:
            db.execute("insert or replace into setting values (?, ?)", (name, value))

    def queue_reviews(self, games: Sequence[tuple[int, int]]) -> int:
        """Note that games, each with a seat, are to be reviewed; returns how many were new."""
        with self._whole() as db:
            before = db.total_changes
            db.executemany("insert or ignore into review (game, seat, state) values (?, ?, 'queued')", list(games))
            return db.total_changes - before

    def set_review(
        self,
        game: int,
        seat: int,
        review: str,
        state: str,
        reviewer: str = "",
        losses: str | None = None,
        why: str = "",
    ) -> None:
        """Store the state of a game's review; a reviewer and losses that are known stay."""
        with self._whole() as db:
            db.execute("insert or ignore into review (game, seat, state) values (?, ?, ?)", (game, seat, state))
            db.execute(
                "update review set review = ?, state = ?, why = ?, losses = coalesce(?, losses),"
                " reviewer = case when ? = '' then reviewer else ? end where game = ? and seat = ?",
                (review, state, why[:LONGEST], losses, reviewer, reviewer, game, seat),
            )

    def drop_review(self, game: int, seat: int) -> None:
        """Forget a game's review."""
        with self._whole() as db:
            db.execute("delete from review where game = ? and seat = ?", (game, seat))

    def unqueue_reviews(self) -> None:
        """Forget all reviews that have not begun."""
        with self._whole() as db:
            db.execute("delete from review where state = 'queued'")

    # --- everything

    def delete_everything(self) -> None:
        """Delete all games, uploads and settings, and give their room back."""
        with self._whole() as db:
            for table in ("review", "seat", "record", "bytes", "game", "upload", "problem", "setting"):
                db.execute(f"delete from {table}")
        with self._lock:
            self._db.execute("vacuum")
            self._db.execute("pragma wal_checkpoint(truncate)")
        shutil.rmtree(self.folder / WAITING, ignore_errors=True)
