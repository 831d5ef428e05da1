"""Checked conversions between formats: the result replays, loses only what is listed, and is stable.

>>> len(walks_from("mjlog"))
14
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any, Final, NamedTuple

from janshi.records.formats import get_format
from janshi.records.losses import LOSSES, Loss, lost_by, without
from janshi.records.model import GameRecord, RecordError
from janshi.records.replay import replay_game

FORMATS: Final = tuple(LOSSES)
LONGEST: Final = 3
"""Conversions in a row: enough for every order of three formats, and to return from every other."""

Walk = tuple[str, ...]
"""Formats one after another, beginning with the one a record was read from."""


class Tried(NamedTuple):
    """A conversion along a walk."""

    walk: Walk
    problem: str
    """What went wrong; empty if nothing did."""


def walks_from(start: str, longest: int = LONGEST) -> list[Walk]:
    """Every walk of one to `longest` conversions with no format twice in a row; prefixes of a walk come before it."""
    grown: list[Walk] = [(start,)]
    walks: list[Walk] = []
    for _ in range(longest):
        grown = [(*walk, name) for walk in grown for name in FORMATS if name != walk[-1]]
        walks += grown
    return walks


def try_conversions(record: GameRecord, walks: Sequence[Walk]) -> Iterator[Tried]:
    """Convert a record along walks (each after its beginnings), and check every result."""
    converter = _Converter(record)
    reached: dict[Walk, GameRecord | None] = {walks[0][:1]: record}
    for walk in walks:
        before = reached.get(walk[:-1])
        reached[walk] = None
        if before is None:
            continue  # the walk's beginning has been reported
        try:
            converted = converter.convert(before, walk[-1])
        except RecordError as error:
            yield Tried(walk, f"refused: {error.place}: {error.problem}")
            continue
        reached[walk] = converted.record
        yield Tried(walk, converted.problem or converter.lost(converted.record, frozenset(lost_by(walk))))


class _Converted(NamedTuple):
    record: GameRecord
    problem: str
    """What is wrong with it, apart from losses on the way; empty if nothing is."""


class _Converter:
    """Converts one game. Many walks lead to the same text, which is read, replayed and compared once."""

    def __init__(self, record: GameRecord):
        self._original = record
        self._expected = _disagreements(record)
        self._texts: dict[tuple[int, str], str] = {}
        """Texts by the record (its identity; all records are kept) and the format."""
        self._read: dict[tuple[str, str], _Converted] = {}
        """By format and text."""
        self._without: dict[frozenset[Loss], GameRecord] = {}
        self._lost: dict[tuple[int, frozenset[Loss]], str] = {}

    def convert(self, record: GameRecord, format: str) -> _Converted:
        """A record written and read in a format, replayed, and written again."""
        text = self._write(record, format)
        if (format, text) not in self._read:
            converted = get_format(format).read(text, record.source)
            stable = self._write(converted, format) == text
            problem = self._replay(converted) if stable else "written again, the text differs"
            self._read[format, text] = _Converted(converted, problem)
        return self._read[format, text]

    def lost(self, converted: GameRecord, losses: frozenset[Loss]) -> str:
        """What was lost besides the losses; empty if nothing was."""
        if losses not in self._without:
            self._without[losses] = without(self._original, losses)
        if (id(converted), losses) not in self._lost:
            difference = first_difference(self._without[losses], without(converted, losses))
            self._lost[id(converted), losses] = f"lost: {difference}" if difference else ""
        return self._lost[id(converted), losses]

    def _write(self, record: GameRecord, format: str) -> str:
        if (id(record), format) not in self._texts:
            self._texts[id(record), format] = get_format(format).write(record)
        return self._texts[id(record), format]

    def _replay(self, converted: GameRecord) -> str:
        if _disagreements(converted) == self._expected:
            return ""
        return f"replayed: {'; '.join(map(str, replay_game(converted))) or 'no disagreement, expected some'}"


def _disagreements(record: GameRecord) -> list[tuple[int, str]]:
    return [(found.hand, found.invariant) for found in replay_game(record)]


def first_difference(ours: GameRecord, theirs: GameRecord) -> str:
    """The first field in which two records differ; empty if they are equal."""
    for i, (hand, other) in enumerate(zip(ours.hands, theirs.hands), 1):
        name = _first_field(hand, other)
        if name:
            return f"hand {i}, {name}"
    return _first_field(ours, theirs)


def _first_field(ours: Any, theirs: Any) -> str:
    return next((f.name for f in fields(ours) if getattr(ours, f.name) != getattr(theirs, f.name)), "")
