"""Games on disk, in SQLite: a game is its rules, its seed, who sits where, and all answers.

One thread owns the database and takes jobs from a queue. Jobs that wait are carried out in one transaction, so that
hundreds of games cost few commits; a job is done when its transaction is on disk, and only then is a move acknowledged.
The journal is a write-ahead log: whatever moment the server is killed at, all that was acknowledged is there.
"""

from __future__ import annotations

import asyncio
import json
import queue
import sqlite3
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

T = TypeVar("T")
Job = tuple[Callable[[sqlite3.Connection], Any], asyncio.AbstractEventLoop, "asyncio.Future[Any]"]
SCHEMA: Final = 1
MOST_JOBS: Final = 512
"""Jobs of one transaction."""
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
    """A database that cannot be used, and why."""


class Answer(NamedTuple):
    """One answer of one player, or (seat -1) the dealing of the next hand."""

    step: int
    seat: int
    action: int
    own: bool = False
    """A person chose it; else an agent, an auto-option or the clock did."""
    spent: float = 0.0
    """Seconds of the player's reserve that it took."""


@dataclass
class GameRow:
    """A game as it is kept."""

    id: str
    owner: str
    kind: str
    """`play`, `watch` or `replay`."""
    rules: str
    rounds: int
    seed: int
    setup: dict[str, Any]
    """Seats, names, keys, practice, time, auto-options; of a replay also its answers."""
    created: float = field(default_factory=time.time)
    changed: float = field(default_factory=time.time)
    over: bool = False
    summary: dict[str, Any] = field(default_factory=dict)
    """What lists of games show."""


class Store:
    """The database and its thread."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._db = open_database(path)
        self._thread = threading.Thread(target=self._work, name="janshi-store", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Finish all jobs and close the database."""
        self._jobs.put(None)
        self._thread.join()
        self._db.close()

    async def do(self, job: Callable[[sqlite3.Connection], T]) -> T:
        """Carry out a job in the database's thread; its changes are on disk when this returns."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._jobs.put((job, loop, future))
        return await future

    def _work(self) -> None:
        while (first := self._jobs.get()) is not None:
            jobs = [first]
            while len(jobs) < MOST_JOBS:
                try:
                    job = self._jobs.get_nowait()
                except queue.Empty:
                    break
                if job is None:
                    self._jobs.put(None)
                    break
                jobs.append(job)
            self._transaction(jobs)

    def _transaction(self, jobs: list[Job]) -> None:
        results: list[tuple[Any, BaseException | None]] = []
        try:
            self._db.execute("BEGIN")
            results = [self._one(job) for job, _, _ in jobs]
            self._db.execute("COMMIT")
        except sqlite3.Error as error:  # a full disk, for example: nothing of this transaction is kept
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            results = [(None, error)] * len(jobs)
        for (_, loop, future), (result, failure) in zip(jobs, results):
            if not loop.is_closed():
                loop.call_soon_threadsafe(_settle, future, result, failure)

    def _one(self, job: Callable[[sqlite3.Connection], Any]) -> tuple[Any, BaseException | None]:
        self._db.execute("SAVEPOINT job")
        try:
            result: Any = job(self._db)
            if isinstance(result, sqlite3.Cursor):  # its end in another thread would disturb the database
                result.close()
                result = None
        except Exception as error:
            self._db.execute("ROLLBACK TO job")
            self._db.execute("RELEASE job")
            return None, error
        self._db.execute("RELEASE job")
        return result, None

    # --- games

    async def add_game(self, row: GameRow) -> None:
        """Keep a new game."""
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
        """The games that a browser began, the latest first."""

        def read(db: sqlite3.Connection) -> list[GameRow]:
            found = db.execute("SELECT * FROM games WHERE owner = ? ORDER BY changed DESC LIMIT ?", (owner, most))
            return [_row(row) for row in found.fetchall()]

        return await self.do(read)

    async def unfinished(self) -> list[str]:
        """The games that are not over."""
        return await self.do(lambda db: [row[0] for row in db.execute("SELECT id FROM games WHERE over = 0")])

    async def delete_game(self, game: str) -> None:
        """Forget a game."""

        def drop(db: sqlite3.Connection) -> None:
            db.execute("DELETE FROM answers WHERE game = ?", (game,))
            db.execute("DELETE FROM games WHERE id = ?", (game,))

        await self.do(drop)

    # --- answers

    async def add_answers(self, game: str, answers: list[Answer]) -> None:
        """Keep answers of a game."""
        rows = [(game, a.step, a.seat, a.action, int(a.own), a.spent) for a in answers]
        await self.do(lambda db: db.executemany("INSERT OR REPLACE INTO answers VALUES (?,?,?,?,?,?)", rows))

    async def cut_answers(self, game: str, step: int) -> None:
        """Take back all answers from a step on; the game goes on."""

        def cut(db: sqlite3.Connection) -> None:
            db.execute("DELETE FROM answers WHERE game = ? AND step >= ?", (game, step))
            db.execute("UPDATE games SET over = 0 WHERE id = ?", (game,))

        await self.do(cut)

    async def note(self, game: str, setup: dict[str, Any], over: bool, summary: dict[str, Any]) -> None:
        """Keep where a game stands, for lists."""
        values = (json.dumps(setup), int(over), json.dumps(summary), time.time(), game)
        await self.do(
            lambda db: db.execute("UPDATE games SET setup=?, over=?, summary=?, changed=? WHERE id=?", values)
        )


def _settle(future: asyncio.Future[Any], result: Any, failure: BaseException | None) -> None:
    if future.done():
        return
    if failure is None:
        future.set_result(result)
    else:
        future.set_exception(failure)


def _row(found: tuple[Any, ...]) -> GameRow:
    id, created, changed, owner, kind, rules, rounds, seed, setup, over, summary = found
    place = (id, owner, kind, rules, rounds, int(seed), json.loads(setup))
    return GameRow(*place, created, changed, bool(over), json.loads(summary))


def open_database(path: Path) -> sqlite3.Connection:
    """Open a database, made if it is not there; one of another version is refused."""
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
