"""Conversions of other records besides the packs, in every format we read: for `conversions.py`."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

from _page import table_of_figures
from janshi.records.botzone.model import HandRecord
from janshi.records.botzone.replay import replay_any_way
from janshi.records.conversions import try_conversions, walks_from
from janshi.records.formats import FORMATS, get_hands_format, read_any
from janshi.records.model import GameRecord, RecordError
from janshi.records.sources import SourceFile, Sources

NO_RESULT = "a hand without result"
TEXT_AND_LOG = ("botzone", "botzone_log")
HAND_WALKS = (2 * TEXT_AND_LOG, 2 * TEXT_AND_LOG[::-1])


@dataclass
class Found:
    """Records of one format and their conversions."""

    games: int = 0
    right: int = 0
    cut: int = 0
    """Conversions refused because the record ends within a hand."""
    wrong: list[str] = field(default_factory=list)


@dataclass
class Others:
    """All records, by format, and files that cannot be read."""

    formats: dict[str, Found] = field(default_factory=dict)
    unreadable: list[str] = field(default_factory=list)

    def of(self, format: str) -> Found:
        """The records of a format."""
        return self.formats.setdefault(format, Found())


def convert_others(paths: list[Path]) -> Others:
    """Convert every record under some paths along all walks from its format."""
    others, there = Others(), [path for path in paths if path.exists()]
    for file in Sources(there) if there else ():
        try:
            found = read_any(file.content, file.name)
        except RecordError as error:
            others.unreadable.append(str(error))
            continue
        if isinstance(found, GameRecord):
            _convert_game(found, file, others.of(found.format))
        else:
            for hand in found:
                _convert_hand(hand, others)
    return others


def _convert_game(record: GameRecord, file: SourceFile, found: Found) -> None:
    found.games += 1
    for walk, problem in try_conversions(record, walks_from(record.format)):
        if not problem:
            found.right += 1
        elif NO_RESULT in problem:
            found.cut += 1
        else:
            found.wrong.append(f"`{file.name}` {' → '.join(walk)}: {problem}")


def _convert_hand(hand: HandRecord, others: Others) -> None:
    """Convert a Guobiao hand back and forth; the text format loses only the walls."""
    for walk in HAND_WALKS:
        start = _through(hand, walk[0])
        found = others.of(walk[0])
        found.games += 1
        now = start
        for name in walk[1:]:
            now = _through(now, name)
            replay_any_way(now)
            if replace(now, wall=()) == replace(start, wall=()):
                found.right += 1
            else:
                found.wrong.append(f"`{hand.match}` {' → '.join(walk)}: differs")


def _through(hand: HandRecord, format: str) -> HandRecord:
    module = get_hands_format(format)
    (again,) = module.read_all(module.write_all([hand]), hand.match)
    return again


def section(others: Others) -> list[str]:
    """Lines of the page."""
    rows = [
        [FORMATS[name].title, *(f"{figure:,}" for figure in (found.games, found.right, found.cut, len(found.wrong)))]
        for name, found in others.formats.items()
    ]
    wrong = Counter(line for found in others.formats.values() for line in found.wrong)
    return [
        "## Other records",
        "",
        "Fixtures of other projects, games of majiang-ai, a real record of Mahjong Soul, and hands of Botzone's data",
        "set (read as text and as logs), along every walk of one to three conversions from their own formats.",
        "",
        table_of_figures(["format read", "games", "right", "cut short: refused", "wrong"], rows),
        "",
        *[f"- cannot be read: {line}" for line in others.unreadable],
        *[f"- wrong: {line}" for line in wrong],
        "",
    ]
