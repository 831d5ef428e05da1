"""Golden playthroughs of all families as games to be played again: a table, and the answers of each step."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from janshi.rules.events import Event, EventStream
from janshi.rules.one_table import OneTable

HERE = Path(__file__).parent
sys.path += [str(HERE / family) for family in ("riichi", "guobiao", "simplified")]


class Playthrough(NamedTuple):
    """A playthrough: where it stands, its table at the beginning, and the answers by name."""

    name: str
    table: OneTable
    answers: list[dict[int, str]]

    def events(self) -> Iterator[list[Event]]:
        """What happens, step by step, from the deal to the end of the answers; hands that follow are dealt."""
        stream = EventStream(self.table)
        yield stream.opening
        for given in self.answers:
            yield stream.step(given)
            if not self.table.asked and not self.table.over:
                yield stream.step()

    def all_events(self) -> list[Event]:
        """All that happens."""
        return [event for events in self.events() for event in events]


def riichi(stem: str) -> Playthrough:
    from golden import regenerate

    _, setup, answers = regenerate.read(_text("riichi", stem))
    return Playthrough(f"riichi {stem}", setup.table(), answers)


def guobiao(stem: str) -> Playthrough:
    import gb_golden

    _, rules, seed, hand, answers = gb_golden.read(_text("guobiao", stem))
    return Playthrough(f"guobiao {stem}", gb_golden.start(rules, seed, hand), answers)


def simplified(stem: str) -> Playthrough:
    from test_simplified_golden import read

    from janshi.rules.simplified.table import Table

    rules, seed, answers = read(_text("simplified", stem))
    return Playthrough(f"simplified {stem}", Table(seed, rules), answers)


FAMILIES: dict[str, Any] = {"riichi": riichi, "guobiao": guobiao, "simplified": simplified}


def stems(family: str) -> list[str]:
    """The names of a family's playthroughs."""
    return sorted(path.stem for path in (HERE / family / "golden").glob("*.txt"))


def playthroughs(family: str) -> list[Playthrough]:
    """All playthroughs of a family."""
    return [FAMILIES[family](stem) for stem in stems(family)]


def _text(family: str, stem: str) -> str:
    return (HERE / family / "golden" / f"{stem}.txt").read_text(encoding="utf-8")
