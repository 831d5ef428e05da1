"""Games on disk, in SQLite: a game is its rules, its seed, who sits where, and all answers.

The journal is a write-ahead log, and a commit only appends to it: about ten microseconds, so that moves are stored
before they are acknowledged, without another thread. The slow part, writing the log into the database and waiting for
the disk, happens in a separate thread. Even if the server is killed, everything that was acknowledged is there.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

log = logging.getLogger("janshi.web")
T = TypeVar("T")
SCHEMA: Final = 1
CHECKPOINT: Final = 5.0
"""Seconds after which the log is written into the database."""
TABLES: Final = """
CREATE TABLE games (
    id TEXT PRIMARY KEY, created REAL NOT NULL, changed REAL NOT NULL, owner TEXT NOT NULL, kind TEXT NOT NULL,
    rules TEXT NOT NULL, rounds INTEGER NOT NULL, seed TEXT NOT NULL, setup TEXT NOT NULL, over INTEGER NOT NULL,
    summary TEXT NOT NULL
);
CREATE INDEX games_of_owner ON games (owner, changed);
CREATE TABLE answers (
    game TEXT NOT NULL, step INTEGER NOT NULL, seat INTEGER NOT NULL, action INTEGER NOT NULL, own INTEGER NOT NULL,
    spent REAL NOT NULL, PRIMARY KEY (game, step, seat)
) WITHOUT ROWID;
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""


class StoreError(ValueError):
    """A database cannot be used; the message says why."""


class Answer(NamedTuple):
    """One answer of one player, or (seat -1) the dealing of the next hand."""

    step: int
    seat: int
    action: int
    own: bool = False
    """Whether a person chose it; else an agent, an auto-option or the clock did."""
    spent: float = 0.0
    """Seconds of the player's reserve that it took."""


@dataclass
class GameRow:
    """A stored game."""

    id: str
    owner: str
    kind: str
    """`play`, `watch` or `replay`."""
    rules: str
    rounds: int
    seed: int
    setup: dict[str, Any]
    """Seats, names, keys, practice, time, auto-options; for a replay also its answers."""
    created: float = field(default_factory=time.time)
    changed: float = field(default_factory=time.time)
    over: bool = False
    summary: dict[str, Any] = field(default_factory=dict)
    """What lists of games show."""


class Store:
    """The database. Its methods are for the event loop's thread only."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._db = open_database(path)
        self._db.execute("PRAGMA wal_autocheckpoint = 0")
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._tidy, name="janshi-store", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Write everything into the database and close it."""
        self._closing.set()
        self._thread.join()
        self._db.close()

    def _tidy(self) -> None:
        """Write the log into the database from time to time; writers need not wait for it."""
        with_own = sqlite3.connect(self.path, isolation_level=None)
        while not self._closing.wait(CHECKPOINT):
            try:
                with_own.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
            except sqlite3.Error as error:
                log.warning("the log of %s could not be tidied up: %s", self.path, error)
        with_own.close()

    async def do(self, job: Callable[[sqlite3.Connection], T]) -> T:
        """Run a job in one transaction; its changes are stored when this returns."""
        self._db.execute("BEGIN")
        try:
            result = job(self._db)
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise
        return result

    # --- games

    async def add_game(self, row: GameRow) -> None:
        """Store a new game."""
        values = (
            *(row.id, row.created, row.changed, row.owner, row.kind, row.rules, row.rounds, str(row.seed)),
            *(json.dumps(row.setup), int(row.over), json.dumps(row.summary)),
        )
        await self.do(lambda db: db.execute(f"INSERT INTO games VALUES ({','.join('?' * len(values))})", values))

    async def game(self, game: str) -> tuple[GameRow, list[Answer]] | None:
        """A game with all its answers, or None."""

        def read(db: sqlite3.Connection) -> tuple[GameRow, list[Answer]] | None:
            found = db.execute("SELECT * FROM games WHERE id = ?", (game,)).fetchone()
            if found is None:
                return None
            rows = db.execute(
                "SELECT step, seat, action, own, spent FROM answers WHERE game = ? ORDER BY step, seat", (game,)
            )
            return _row(found), [
                Answer(step, seat, action, bool(own), spent) for step, seat, action, own, spent in rows
            ]

        return await self.do(read)

    async def games_of(self, owner: str, most: int = 100) -> list[GameRow]:
        """The games that a browser started, the latest first."""

        def read(db: sqlite3.Connection) -> list[GameRow]:
            found = db.execute("SELECT * FROM games WHERE owner = ? ORDER BY changed DESC LIMIT ?", (owner, most))
            return [_row(row) for row in found.fetchall()]

        return await self.do(read)

    async def count_games(self, owner: str) -> int:
        """How many games a browser has started and not deleted."""
        found = await self.do(lambda db: db.execute("SELECT count(*) FROM games WHERE owner = ?", (owner,)).fetchone())
        return int(found[0])

    async def unfinished(self) -> list[str]:
        """The games that are not over."""
        return await self.do(lambda db: [row[0] for row in db.execute("SELECT id FROM games WHERE over = 0")])

    async def delete_game(self, game: str) -> None:
        """Delete a game."""

        def drop(db: sqlite3.Connection) -> None:
            db.execute("DELETE FROM answers WHERE game = ?", (game,))
            db.execute("DELETE FROM games WHERE id = ?", (game,))

        await self.do(drop)

    # --- answers

    async def add_answers(self, game: str, answers: list[Answer]) -> None:
        """Store answers of a game."""
        rows = [(game, a.step, a.seat, a.action, int(a.own), a.spent) for a in answers]
        await self.do(lambda db: db.executemany("INSERT OR REPLACE INTO answers VALUES (?,?,?,?,?,?)", rows))

    async def cut_answers(self, game: str, step: int) -> None:
        """Take back all answers from a step on; the game continues."""

        def cut(db: sqlite3.Connection) -> None:
            db.execute("DELETE FROM answers WHERE game = ? AND step >= ?", (game, step))
            db.execute("UPDATE games SET over = 0 WHERE id = ?", (game,))

        await self.do(cut)

    async def note(self, game: str, setup: dict[str, Any], over: bool, summary: dict[str, Any]) -> None:
        """Store the state of a game for lists."""
        values = (json.dumps(setup), int(over), json.dumps(summary), time.time(), game)
        await self.do(
            lambda db: db.execute("UPDATE games SET setup=?, over=?, summary=?, changed=? WHERE id=?", values)
        )


def _row(found: tuple[Any, ...]) -> GameRow:
    id, created, changed, owner, kind, rules, rounds, seed, setup, over, summary = found
    place = (id, owner, kind, rules, rounds, int(seed), json.loads(setup))
    return GameRow(*place, created, changed, bool(over), json.loads(summary))


def open_database(path: Path) -> sqlite3.Connection:
    """Open a database, creating it if necessary; one of another version is refused."""
    try:
        db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version == 0:
            db.executescript(f"BEGIN; {TABLES} PRAGMA user_version = {SCHEMA}; COMMIT;")
        elif version != SCHEMA:
            raise StoreError(f"{path} is of version {version}, and this Janshi reads version {SCHEMA}")
        return db
    except sqlite3.Error as error:
        raise StoreError(f"the database {path} cannot be opened: {error}") from error
