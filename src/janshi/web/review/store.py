"""Reviews in the server's SQLite file: uploads, decisions as they are reviewed, quiz attempts."""

from __future__ import annotations

import json
import secrets
import sqlite3
import threading
import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from janshi.web.problems import Problem, ProblemText
from janshi.web.review.plans import Row
from janshi.web.review.shapes import DecisionText, ListedReview, LuckText

WAITING, THINKING, DONE, FAILED, CANCELLED = "waiting", "thinking", "done", "failed", "cancelled"
UNFINISHED: Final = (WAITING, THINKING)

LISTED: Final = (
    *("id", "created", "name", "format", "family", "agent", "seats", "state", "message", "total", "done", "worst"),
)
"""Columns that lists of reviews show."""

SCHEMA: Final = """
create table if not exists review (
    id text primary key,
    owner text not null,
    created real not null,
    name text not null,
    format text not null,
    family text not null,
    content blob not null,
    agent text not null,
    seats text not null,
    state text not null,
    message text not null default '',
    total integer not null,
    head blob not null,
    luck blob,
    problem text
);
create index if not exists review_owner on review (owner, created);
create table if not exists review_decision (
    review text not null references review (id) on delete cascade,
    number integer not null,
    hand integer not null,
    seat integer not null,
    turn integer not null,
    kind text not null,
    reaction integer not null,
    tag text not null,
    loss real,
    agreed integer not null,
    played text not null,
    best text not null,
    gap real,
    stake real,
    primary key (review, number)
) without rowid;
create table if not exists review_data (
    review text not null references review (id) on delete cascade,
    number integer not null,
    data blob not null,
    primary key (review, number)
);
create table if not exists review_quiz (
    id text primary key,
    review text not null references review (id) on delete cascade,
    seat integer not null,
    pick text not null,
    answers text not null default '{}'
);
"""


VERSION: Final = 3
"""Version of stored decisions: from 1 on, losses are always places or points; from 2 on, `rvr` has losses and the
`apprentice` chances after every choice; from 3 on, except after declining a win."""
RENEW: Final = (
    """
alter table review_decision add column gap real;
delete from review_decision;
delete from review_data;
update review set state = 'waiting' where state in ('done', 'thinking');
""",
    """
delete from review_decision where review in (select id from review where agent in ('rvr', 'apprentice'));
delete from review_data where review in (select id from review where agent in ('rvr', 'apprentice'));
update review set state = 'waiting' where state in ('done', 'thinking') and agent in ('rvr', 'apprentice');
""",
    """
delete from review_decision where review in (select id from review where agent = 'apprentice');
delete from review_data where review in (select id from review where agent = 'apprentice');
update review set state = 'waiting' where state in ('done', 'thinking') and agent = 'apprentice';
""",
)
"""By version: decisions that it stored and that are reviewed again."""


@dataclass(frozen=True, slots=True)
class Review:
    """A review without its decisions."""

    id: str
    owner: str
    created: float
    name: str
    format: str
    family: str
    agent: str
    seats: tuple[int, ...]
    state: str
    message: str
    problem: ProblemText | None
    """The message with its code and values; reviews of earlier versions have only the message."""
    total: int
    head: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Attempt:
    """Answers to the questions of a review."""

    id: str
    review: str
    seat: int
    pick: str
    answers: dict[int, int]


def pack(value: Any) -> bytes:
    """JSON, compressed."""
    return zlib.compress(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(), 6)


def unpack(packed: bytes) -> Any:
    """The value of packed JSON."""
    return json.loads(zlib.decompress(packed))


class ReviewStore:
    """All reviews of a server. Calls are short; threads take turns."""

    def __init__(self, path: Path | str) -> None:
        self._lock = threading.Lock()
        self._db = sqlite3.connect(path, check_same_thread=False, timeout=30, isolation_level=None)
        self._db.execute("pragma journal_mode = wal")
        self._db.execute("pragma synchronous = normal")
        self._db.execute("pragma foreign_keys = on")
        self._renew()

    def _renew(self) -> None:
        """Make the tables, or bring those of an older version up to date."""
        (version,) = self._db.execute("pragma user_version").fetchone()
        (tables,) = self._db.execute("select count(*) from sqlite_master where name = 'review_decision'").fetchone()
        if tables and version < VERSION:
            self._db.executescript(f"begin; {RENEW[version]} commit;")
        self._db.executescript(SCHEMA)
        if "problem" not in [row[1] for row in self._db.execute("pragma table_info(review)")]:  # an earlier version's
            self._db.execute("alter table review add column problem text")
        if "stake" not in [row[1] for row in self._db.execute("pragma table_info(review_decision)")]:
            self._db.execute("alter table review_decision add column stake real")
        self._db.execute(f"pragma user_version = {VERSION}")

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    def _do(self, text: str, values: Sequence[Any] = ()) -> list[Any]:
        with self._lock:
            return self._db.execute(text, values).fetchall()

    # --- reviews

    def add(
        self, owner: str, name: str, text: str, agent: str, seats: Sequence[int], head: dict[str, Any], total: int
    ) -> str:
        """Store an upload for review; returns the review's id, which cannot be guessed."""
        id = secrets.token_urlsafe(12)
        self._do(
            "insert into review (id, owner, created, name, format, family, content, agent, seats, state, total, head)"
            " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(id, owner, time.time(), name, head["format"], head["family"], zlib.compress(text.encode())),
                *(agent, json.dumps(list(seats)), WAITING, total, pack(head)),
            ),
        )
        return id

    def get(self, id: str) -> Review | None:
        """A review by its id."""
        rows = self._do(
            "select id, owner, created, name, format, family, agent, seats, state, message, problem, total, head"
            " from review where id = ?",
            (id,),
        )
        return _review(rows[0]) if rows else None

    def of_owner(self, owner: str, most: int = 200) -> list[ListedReview]:
        """A browser's reviews in short, newest first."""
        rows = self._do(
            "select id, created, name, format, family, agent, seats, state, message, total,"
            " (select count(*) from review_decision where review = id),"
            " (select max(loss) from review_decision where review = id)"
            " from review where owner = ? order by created desc limit ?",
            (owner, most),
        )
        found = [dict(zip(LISTED, row)) for row in rows]
        return [cast(ListedReview, {**row, "seats": json.loads(row["seats"])}) for row in found]

    def count(self) -> int:
        """How many reviews there are."""
        return int(self._do("select count(*) from review")[0][0])

    def used_by(self, owner: str) -> tuple[int, int]:
        """How many reviews a browser has, and the bytes of their records and decisions."""
        ((count, heads),) = self._do(
            "select count(*), coalesce(sum(length(content) + length(head) + coalesce(length(luck), 0)), 0)"
            " from review where owner = ?",
            (owner,),
        )
        ((decisions,),) = self._do(
            "select coalesce(sum(length(data)), 0) from review_data"
            " where review in (select id from review where owner = ?)",
            (owner,),
        )
        return int(count), int(heads) + int(decisions)

    def older_than(self, owner: str, keep: int) -> list[str]:
        """A browser's reviews that are not being worked on, without the newest `keep` of all its reviews."""
        rows = self._do("select id, state from review where owner = ? order by created desc", (owner,))
        return [id for id, state in rows[keep:] if state not in UNFINISHED]

    def text(self, id: str) -> str:
        """The record as it was uploaded."""
        return zlib.decompress(self._do("select content from review where id = ?", (id,))[0][0]).decode()

    def set_state(self, id: str, state: str, why: Problem | None = None) -> None:
        """Store the state of a review, and why it failed."""
        known = (None, "") if why is None else (json.dumps(why.as_json()), str(why))
        self._do("update review set state = ?, problem = ?, message = ? where id = ?", (state, *known, id))

    def unfinished(self) -> list[str]:
        """Unfinished reviews, oldest first."""
        return [row[0] for row in self._do("select id from review where state in (?, ?) order by created", UNFINISHED)]

    def delete(self, id: str) -> None:
        """Delete a review."""
        self._do("delete from review where id = ?", (id,))

    def luck(self, id: str) -> LuckText | None:
        """The luck of a reviewed game, if it has been measured."""
        rows = self._do("select luck from review where id = ?", (id,))
        return unpack(rows[0][0]) if rows and rows[0][0] is not None else None

    def set_luck(self, id: str, luck: LuckText) -> None:
        """Store the luck of a reviewed game."""
        self._do("update review set luck = ? where id = ?", (pack(luck), id))

    # --- decisions

    def add_decision(self, id: str, decision: dict[str, Any]) -> None:
        """Store a decision, in short and in full; an existing one is kept."""
        d, named = decision, {choice["action"]: choice["name"] for choice in decision["choices"]}
        row = (
            *(id, d["number"], d["hand"], d["seat"], d["turn"], d["kind"], d["reaction"], d["tag"], d["loss"]),
            *(d["agreed"], named[d["played"]], named[d["best"]], d["gap"], d.get("stake")),
        )
        whole = (id, d["number"], pack(d))
        with self._lock:
            self._db.execute("begin")
            self._db.execute("insert or ignore into review_data values (?, ?, ?)", whole)
            places = ", ".join("?" * len(row))
            self._db.execute(f"insert or ignore into review_decision values ({places})", row)
            self._db.execute("commit")

    def done(self, id: str) -> int:
        """Number of decisions that have been reviewed; all before it are done."""
        return int(self._do("select count(*) from review_decision where review = ?", (id,))[0][0])

    def rows(self, id: str, since: int = 0) -> list[Row]:
        """Decisions in short, in order."""
        rows = self._do(
            "select number, hand, seat, turn, kind, reaction, tag, loss, agreed, played, best, gap, stake"
            " from review_decision where review = ? and number >= ? order by number",
            (id, since),
        )
        return [
            Row(number, hand, seat, turn, kind, bool(reaction), tag, loss, bool(agreed), played, best, gap, stake)
            for number, hand, seat, turn, kind, reaction, tag, loss, agreed, played, best, gap, stake in rows
        ]

    def decision(self, id: str, number: int) -> DecisionText | None:
        """A decision in full."""
        rows = self._do("select data from review_data where review = ? and number = ?", (id, number))
        return unpack(rows[0][0]) if rows else None

    def decisions(self, id: str, first: int, count: int) -> list[DecisionText]:
        """Several decisions in full."""
        rows = self._do(
            "select data from review_data where review = ? and number >= ? order by number limit ?",
            (id, first, count),
        )
        return [unpack(row[0]) for row in rows]

    # --- quiz

    def begin_quiz(self, review: str, seat: int, pick: str) -> str:
        """Begin an attempt; returns its id."""
        id = secrets.token_urlsafe(12)
        self._do("insert into review_quiz (id, review, seat, pick) values (?, ?, ?, ?)", (id, review, seat, pick))
        return id

    def quiz(self, review: str, id: str) -> Attempt | None:
        """An attempt by its id."""
        rows = self._do("select seat, pick, answers from review_quiz where id = ? and review = ?", (id, review))
        if not rows:
            return None
        seat, pick, answers = rows[0]
        return Attempt(id, review, seat, pick, {int(n): a for n, a in json.loads(answers).items()})

    def set_answers(self, attempt: str, answers: dict[int, int]) -> None:
        """Store the answers of an attempt."""
        self._do("update review_quiz set answers = ? where id = ?", (json.dumps(answers), attempt))


def _review(row: Sequence[Any]) -> Review:
    id, owner, created, name, format, family, agent, seats, state, message, problem, total, head = row
    whose, why = tuple(json.loads(seats)), json.loads(problem) if problem else None
    return Review(id, owner, created, name, format, family, agent, whose, state, message, why, total, unpack(head))
