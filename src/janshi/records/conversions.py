"""Conversions from format to format, each checked: the result replays, loses only what is listed, and is stable.

>>> len(walks_from("mjlog"))
14
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any, Final, NamedTuple

from janshi.records.formats import get_format
from janshi.records.losses import LOSSES, lost_by, without
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
    """Every walk of one to `longest` conversions, no format twice in a row; a walk comes after its beginnings."""
    grown: list[Walk] = [(start,)]
    walks: list[Walk] = []
    for _ in range(longest):
        grown = [(*walk, name) for walk in grown for name in FORMATS if name != walk[-1]]
        walks += grown
    return walks


def try_conversions(record: GameRecord, walks: Sequence[Walk]) -> Iterator[Tried]:
    """Convert a record along walks (each after its beginnings), and check every result."""
    expected = _disagreements(record)
    reached: dict[Walk, GameRecord | None] = {walks[0][:1]: record}
    for walk in walks:
        before = reached.get(walk[:-1])
        reached[walk] = None
        if before is None:
            continue  # the walk's beginning has been reported
        try:
            converted, problem = _converted(before, walk[-1])
        except RecordError as error:
            yield Tried(walk, f"refused: {error.place}: {error.problem}")
            continue
        reached[walk] = converted
        yield Tried(walk, problem or _check(record, converted, walk, expected))


def _converted(record: GameRecord, format: str) -> tuple[GameRecord, str]:
    """A record written and read in a format; the problem if it is not written the same way again."""
    module = get_format(format)
    text = module.write(record)
    converted = module.read(text, record.source)
    return converted, "" if module.write(converted) == text else "written again, the text differs"


def _disagreements(record: GameRecord) -> list[tuple[int, str]]:
    return [(found.hand, found.invariant) for found in replay_game(record)]


def _check(record: GameRecord, converted: GameRecord, walk: Walk, expected: list[tuple[int, str]]) -> str:
    found = _disagreements(converted)
    if found != expected:
        return f"replayed: {'; '.join(map(str, replay_game(converted))) or 'no disagreement, expected some'}"
    losses = lost_by(walk)
    difference = first_difference(without(record, losses), without(converted, losses))
    return f"lost: {difference}" if difference else ""


def first_difference(ours: GameRecord, theirs: GameRecord) -> str:
    """The first field in which two records differ; empty if they are equal."""
    for i, (hand, other) in enumerate(zip(ours.hands, theirs.hands), 1):
        name = _first_field(hand, other)
        if name:
            return f"hand {i}, {name}"
    return _first_field(ours, theirs)


def _first_field(ours: Any, theirs: Any) -> str:
    return next((f.name for f in fields(ours) if getattr(ours, f.name) != getattr(theirs, f.name)), "")
