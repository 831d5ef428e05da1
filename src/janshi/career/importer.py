"""Importing games into a career: any file, folder or archive that `records` reads.

A game counts if its record can be read. If the engine cannot follow it (a house rule, a damaged wall), its luck cannot
be measured, and the reason is stored with the game; the usual counts need only the record. Files that cannot be read
at all are listed with the reason, and the import continues. Botzone's Guobiao hands do not name players, so they
cannot belong to a career.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from typing import Final

from janshi.career.database import WAITING
from janshi.career.hands import count_hands
from janshi.career.identity import bytes_key, content_key, played_at
from janshi.career.store import CareerStore, Limits, NewGame, Seat
from janshi.career.uploads import Upload
from janshi.records.final_points import known_points
from janshi.records.follow import AGREED
from janshi.records.formats import format_names, read_any
from janshi.records.model import GameRecord, RecordError
from janshi.records.replay import compare_followed, follow_game
from janshi.records.sources import SourceFile, Sources
from janshi.records.stats import PLAYERS
from janshi.rules.riichi.family import FAMILY as RIICHI
from janshi.rules.riichi.final import ranks

MOST_HANDS: Final = 100
GAME_SECONDS: Final = 30
"""A record that takes longer to read is left out."""
EVERY: Final = 20
"""Games between updates of the progress in bytes."""
FULL: Final = "is left out: the career has as many games as it may keep"
FULL_BYTES: Final = "is left out: the career takes as much room as it may"


@dataclass
class Imported:
    """The outcome of an import: numbers of records."""

    games: int = 0
    duplicates: int = 0
    problems: int = 0
    done_bytes: int = 0
    total_bytes: int = 0

    @property
    def records(self) -> int:
        """Records seen so far."""
        return self.games + self.duplicates + self.problems


Report = Callable[[Imported], None]


def import_paths(
    store: CareerStore,
    paths: Iterable[str | Path],
    limits: Limits = Limits(),  # noqa: B008  (frozen)
    report: Report = lambda done: None,
    problem: Callable[[str, str], None] = lambda file, what: None,
) -> Imported:
    """Import all games under some paths; raises `ValueError` if a path does not exist.

    Running it again continues an import that was interrupted: files that are here already are recognised.
    """
    sources = Sources(paths)
    done, room = Imported(total_bytes=sources.total_bytes), _Room(store, limits)
    for file in sources:
        what = _take(store, file, None, room)
        done.games += what == "game"
        done.duplicates += what == "duplicate"
        if what not in ("game", "duplicate"):
            done.problems += 1
            problem(file.name, what)
        done.done_bytes = sources.done_bytes
        report(done)
    return done


def read_uploads(store: CareerStore, limits: Limits, beat: Callable[[], None] = lambda: None) -> None:
    """Read every waiting upload to its end; `beat` is called after each record."""
    while (upload := store.next_upload()) is not None:
        path = store.folder / WAITING / upload.file
        if path.exists():
            _read_upload(store, upload, path, _Room(store, limits), beat)
        else:
            store.add_problem(upload.name, "its file is gone: give it again", upload.id)
        store.end_upload(upload.id)


def _read_upload(store: CareerStore, upload: Upload, path: Path, room: _Room, beat: Callable[[], None]) -> None:
    sources = Sources([path])
    for number, file in enumerate(sources):
        if not store.is_waiting(upload.id):
            return
        if number >= upload.done:
            _take(store, _renamed(file, upload), upload.id, room)
            if number % EVERY == 0:
                store.note_bytes(upload.id, sources.done_bytes)
        beat()


def _renamed(file: SourceFile, upload: Upload) -> SourceFile:
    """A file under its original name, not the one its upload is stored under."""
    return SourceFile(file.name.replace(upload.file, upload.name, 1), file.content, file.problem)


def _take(store: CareerStore, file: SourceFile, upload: int | None, room: _Room) -> str:
    """Import one file; returns `game`, `duplicate`, or the problem."""
    key = bytes_key(file.content)
    if file.content and store.has_bytes(key):
        store.add_duplicate(upload)
        return "duplicate"
    try:
        room.check(file)
        with _time_limit(file.name):
            game = read_game(file, key)
    except RecordError as error:
        what = f"{error.place}: {error.problem}" if error.place else error.problem
    except MemoryError:
        what = "needs too much memory"
    except Exception as error:
        what = f"cannot be read ({type(error).__name__}: {error})"
    else:
        if not store.add_game(game, upload):
            return "duplicate"
        room.take(game)
        return "game"
    store.add_problem(file.name, what, upload)
    return what


class _Room:
    """The space left in a career, counted once and then kept up to date."""

    def __init__(self, store: CareerStore, limits: Limits) -> None:
        self.limits, self.games, self.bytes = limits, store.count(), store.record_bytes()

    def check(self, file: SourceFile) -> None:
        """Refuse another game if the career is full."""
        if 0 < self.limits.games <= self.games:
            raise RecordError(file.name, "", FULL)
        if 0 < self.limits.bytes <= self.bytes:
            raise RecordError(file.name, "", FULL_BYTES)

    def take(self, game: NewGame) -> None:
        """Count a new game."""
        self.games += 1
        self.bytes += len(game.content)


@contextmanager
def _time_limit(name: str) -> Iterator[None]:
    """Stop reading a record that takes too long, where the system has such an alarm."""

    def ring(_: int, __: FrameType | None) -> None:
        raise RecordError(name, "", f"takes longer than {GAME_SECONDS} s to read")

    if not hasattr(signal, "setitimer"):
        yield
        return
    try:
        before = signal.signal(signal.SIGALRM, ring)
    except ValueError:  # not the main thread
        yield
        return
    signal.setitimer(signal.ITIMER_REAL, GAME_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def read_game(file: SourceFile, key: str | None = None) -> NewGame:
    """A file as a game to be stored; raises `RecordError`."""
    if file.problem:
        raise RecordError(file.name, "", file.problem)
    record = read_any(file.content, file.name)
    if not isinstance(record, GameRecord):
        formats = ", ".join(format_names(RIICHI))
        raise RecordError(file.name, "", f"holds Guobiao hands of Botzone, which name no players; expected {formats}")
    _check(record)
    final, problem = _result(record)
    points = None if final is None else known_points(replace(record, final_scores=final))
    places = None if final is None else ranks(final)
    counted = count_hands(record)
    seats = tuple(
        Seat(
            record.names[seat] or "",
            None if places is None else int(places[seat]) + 1,
            None if final is None else int(final[seat]),
            None if final is None else int(final[seat]) - int(record.hands[0].scores[seat]),
            None if points is None else float(points[seat]),
            counted[seat].tobytes(),
        )
        for seat in range(PLAYERS)
    )
    rules = record.rules
    return NewGame(
        content_key(record),
        key or bytes_key(file.content),
        *(file.name.rpartition("/")[2], file.source, record.format, played_at(record), rules.rounds, rules.preset),
        *(rules.level, final, len(record.hands), problem, file.content, seats),
    )


def _check(record: GameRecord) -> None:
    if record.rules.players != PLAYERS or any(len(hand.deals) != PLAYERS for hand in record.hands):
        raise RecordError(record.source, "", f"has {record.rules.players} players, expected {PLAYERS}")
    if not record.hands:
        raise RecordError(record.source, "", "has no hand")
    if len(record.hands) > MOST_HANDS:
        raise RecordError(record.source, "", f"has {len(record.hands)} hands: at most {MOST_HANDS} make a game")


def _result(record: GameRecord) -> tuple[tuple[int, ...] | None, str]:
    """The final scores, if the game was finished, and why its luck cannot be measured; empty if it can."""
    recorded = record.final_scores if record.complete else None
    try:
        followed = follow_game(record)
    except RecordError as error:
        return recorded, error.problem
    for found in compare_followed(record, followed):
        if not found.explained:
            return recorded, f"{found.place}: {found.problem}"
    if (followed.outcomes["code"] != AGREED).any():
        return recorded, "it breaks off"
    last = followed.outcomes[-1]
    final = recorded or (tuple(last["scores"].tolist()) if last["over"] else None)
    return final, "" if final is not None else "it is unfinished, so nobody has a rank"
