"""The storage of a career: a folder with an SQLite file and the uploads that wait to be read.

Several processes may use it at once (a server that shows it, a worker that imports).
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

DATABASE: Final = "career.sqlite"
WAITING: Final = "waiting"
"""The folder of uploads that have not been read."""
VERSION: Final = 1
"""Version of the tables and of the hands kept in them."""
MOST_PROBLEMS: Final = 1000
"""Files listed with their problem; further ones are only counted."""
LONGEST: Final = 300

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


class Database:
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
        with self.writing():
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
    def writing(self) -> Iterator[sqlite3.Connection]:
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

    def setting(self, name: str) -> str | None:
        """A setting, if it was made."""
        rows = self.read("select value from setting where name = ?", (name,))
        return str(rows[0][0]) if rows else None

    def set_setting(self, name: str, value: str) -> None:
        """Keep a setting."""
        with self.writing() as db:
            db.execute("insert or replace into setting values (?, ?)", (name, value))
