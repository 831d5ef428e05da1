"""Uploads of a career: those that wait, their progress, and files that could not be read."""

from __future__ import annotations

import sqlite3
import time
from typing import Final, NamedTuple

from janshi.career.database import LONGEST, MOST_PROBLEMS, WAITING, Database


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


class Uploads(Database):
    """The part of a career's database that is about uploads."""

    def add_upload(self, name: str, file: str, size: int) -> int:
        """Note a file in the folder of waiting uploads; returns its number."""
        with self.writing() as db:
            made = db.execute(
                "insert into upload (name, file, size, added) values (?, ?, ?, ?)",
                (name[:LONGEST], file, size, time.time()),
            )
            return int(made.lastrowid or 0)

    def next_upload(self) -> Upload | None:
        """The oldest upload that has not been read to its end."""
        rows = self.read(f"select {UPLOAD_COLUMNS} from upload where over = 0 order by id limit 1")
        return Upload(*rows[0]) if rows else None

    def is_waiting(self, upload: int) -> bool:
        """Whether an upload is still to be read; another process may have cancelled it."""
        return bool(self.read("select 1 from upload where id = ? and over = 0", (upload,)))

    def add_duplicate(self, upload: int | None) -> None:
        """Count a record that is here already."""
        with self.writing() as db:
            count_record(db, upload, "duplicates")

    def add_problem(self, file: str, what: str, upload: int | None = None) -> None:
        """List a file that could not be read."""
        with self.writing() as db:
            (listed,) = db.execute("select count(*) from problem").fetchone()
            if listed < MOST_PROBLEMS:
                values = (upload or 0, file[-LONGEST:], what[:LONGEST])
                db.execute("insert into problem (upload, file, what) values (?, ?, ?)", values)
            count_record(db, upload, "problems")

    def note_bytes(self, upload: int, read: int) -> None:
        """Note how far an upload has been read."""
        with self.writing() as db:
            db.execute("update upload set read_bytes = ? where id = ?", (read, upload))

    def end_upload(self, upload: int) -> None:
        """Note that an upload has been read to its end; its file is deleted."""
        with self.writing() as db:
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
        with self.writing() as db:
            db.execute("delete from problem")
            db.execute("delete from upload where over = 1")

    def problems(self, most: int) -> list[tuple[str, str]]:
        """Files that could not be read, and why, the latest first."""
        return [tuple(row) for row in self.read("select file, what from problem order by id desc limit ?", (most,))]


def is_open(db: sqlite3.Connection, upload: int) -> bool:
    """Whether an upload is still to be read: neither read to its end nor cancelled or deleted."""
    return db.execute("select 1 from upload where id = ? and over = 0", (upload,)).fetchone() is not None


def count_record(db: sqlite3.Connection, upload: int | None, what: str) -> None:
    """Count a record of an upload as one of `games`, `duplicates` or `problems`, within a transaction."""
    if upload is not None:
        db.execute(f"update upload set done = done + 1, {what} = {what} + 1 where id = ?", (upload,))
