"""Practice in SQLite: the box of every problem, all answers, and the results of drills, by browser."""

from __future__ import annotations

import sqlite3
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from janshi.web.practice.leitner import LEARNED, answered, next_day

SCHEMA: Final = """
create table if not exists card (
    owner text not null,
    problem text not null,
    box integer not null,
    due integer,
    primary key (owner, problem)
) without rowid;
create table if not exists answer (
    owner text not null,
    day integer not null,
    problem text not null,
    daily integer not null,
    right integer not null,
    loss real
);
create index if not exists answer_owner on answer (owner, day);
create table if not exists drill (
    owner text not null,
    day integer not null,
    kind text not null,
    right integer not null,
    answered integer not null,
    seconds integer not null
);
create index if not exists drill_owner on drill (owner, kind, day);
"""
MOST_ROWS: Final = 100_000
"""Answers and drills kept of one browser; later ones are not counted."""


@dataclass(frozen=True, slots=True)
class Card:
    """Where a problem is among the boxes."""

    box: int
    due: int | None
    """The day on which it is asked again, as a day number; None if it is learned."""


class PracticeStore:
    """What browsers have practised. Calls are short; threads take turns. Days are ordinals of dates."""

    def __init__(self, path: Path | str) -> None:
        self._lock = threading.Lock()
        self._db = sqlite3.connect(path, check_same_thread=False, timeout=30, isolation_level=None)
        self._db.execute("pragma journal_mode = wal")
        self._db.execute("pragma synchronous = normal")
        self._db.executescript(SCHEMA)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    def _do(self, text: str, values: tuple[Any, ...] = ()) -> list[Any]:
        with self._lock:
            return self._db.execute(text, values).fetchall()

    # --- problems

    def card(self, owner: str, problem: str) -> Card | None:
        """Where a problem is; None if it has never been answered."""
        rows = self._do("select box, due from card where owner = ? and problem = ?", (owner, problem))
        return Card(*rows[0]) if rows else None

    def answer(
        self, owner: str, problem: str, today: int, *, right: bool, loss: float | None, daily: bool = False
    ) -> Card:
        """Store an answer and move the problem to its new box; before its day, only a wrong answer moves it."""
        before = self.card(owner, problem)
        if before is not None and right and before.due is not None and before.due > today:
            card = before
        else:
            box = answered(before.box if before else 0, right)
            card = Card(box, next_day(box, today))
        self._do("insert or replace into card values (?, ?, ?, ?)", (owner, problem, card.box, card.due))
        if self._count("answer", owner) < MOST_ROWS:
            row = (owner, today, problem, int(daily), int(right), loss)
            self._do("insert into answer values (?, ?, ?, ?, ?, ?)", row)
        return card

    def due(self, owner: str, today: int) -> list[str]:
        """Problems due for repetition, longest overdue first."""
        rows = self._do(
            "select problem from card where owner = ? and due <= ? order by due, box, problem", (owner, today)
        )
        return [row[0] for row in rows]

    def known(self, owner: str) -> set[str]:
        """Problems that have been answered at least once."""
        return {row[0] for row in self._do("select problem from card where owner = ?", (owner,))}

    def drop(self, owner: str, problem: str) -> None:
        """Remove a problem that no longer exists."""
        self._do("delete from card where owner = ? and problem = ?", (owner, problem))

    def boxes(self, owner: str) -> list[int]:
        """How many problems are in each box; the last number counts those that are learned."""
        found = dict(self._do("select box, count(*) from card where owner = ? group by box", (owner,)))
        return [found.get(box, 0) for box in range(LEARNED + 1)]

    def daily_answer(self, owner: str, today: int) -> bool | None:
        """Whether the first answer to today's problem was right; None if there is none yet."""
        rows = self._do(
            "select right from answer where owner = ? and day = ? and daily = 1 order by rowid limit 1", (owner, today)
        )
        return bool(rows[0][0]) if rows else None

    def daily_days(self, owner: str) -> list[int]:
        """Days on which the daily problem was answered, newest first."""
        rows = self._do("select distinct day from answer where owner = ? and daily = 1 order by day desc", (owner,))
        return [row[0] for row in rows]

    def days(self, owner: str) -> list[tuple[int, int, int]]:
        """For each day with answers: the day, answers, right answers."""
        text = "select day, count(*), sum(right) from answer where owner = ? group by day order by day"
        return [(day, count, right) for day, count, right in self._do(text, (owner,))]

    # --- drills

    def add_drill(self, owner: str, kind: str, today: int, right: int, given: int, seconds: int) -> None:
        """Store the result of a drill."""
        if self._count("drill", owner) < MOST_ROWS:
            row = (owner, today, kind, right, given, seconds)
            self._do("insert into drill values (?, ?, ?, ?, ?, ?)", row)

    def drills(self, owner: str, kind: str, most: int) -> list[tuple[int, int, int, int]]:
        """The last drills of a kind, oldest first: day, right answers, answers, seconds."""
        text = (
            "select day, right, answered, seconds from drill where owner = ? and kind = ? order by rowid desc limit ?"
        )
        return [tuple(row) for row in reversed(self._do(text, (owner, kind, most)))]

    def forget(self, owner: str) -> None:
        """Delete everything of a browser."""
        for table in ("card", "answer", "drill"):
            self._do(f"delete from {table} where owner = ?", (owner,))

    def _count(self, table: str, owner: str) -> int:
        return int(self._do(f"select count(*) from {table} where owner = ?", (owner,))[0][0])
