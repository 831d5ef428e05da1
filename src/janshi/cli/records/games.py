"""Reading recorded games for the commands: their paths, with progress, and the files that cannot be read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from janshi.show.counts import counted
from janshi.show.progress import progress_bar

if TYPE_CHECKING:
    from rich.console import Console

    from janshi.records.botzone.model import HandRecord
    from janshi.records.model import GameRecord
    from janshi.records.sources import SourceFile

Paths = Annotated[list[str], typer.Argument(metavar="PATH", help="Files, folders or archives with recorded games.")]
TABLE_WIDTH = 140


def console() -> Console:
    """The console to print to; wide where there is no terminal."""
    from rich.console import Console

    found = Console(highlight=False)
    return found if found.is_terminal else Console(highlight=False, width=TABLE_WIDTH)


def read_all(
    paths: Iterable[str], title: str, refuse: Callable[[SourceFile, str], None]
) -> Iterator[tuple[SourceFile, GameRecord | list[HandRecord]]]:
    """Read all games, or the Guobiao hands of a file, with a progress bar; what cannot be read goes to `refuse`."""
    import time

    from janshi.records.formats import read_any
    from janshi.records.model import RecordError
    from janshi.records.sources import Sources

    sources = Sources(paths)
    games, start = 0, time.perf_counter()
    with progress_bar(title, total=sources.total_bytes) as show:
        for file in sources:
            try:
                if file.problem:
                    raise RecordError(file.name, "", file.problem)
                found = read_any(file.content, file.name)
            except RecordError as error:
                refuse(file, str(error))
                continue
            yield file, found
            games += len(found) if isinstance(found, list) else 1
            show(sources.done_bytes, f"{games:,} games, {games / (time.perf_counter() - start):,.0f} games/s")


def games_text(count: int) -> str:
    """A number of games as text."""
    return counted(count, "game")


def hand_place(file: SourceFile, number: int, hand: HandRecord, place: str = "") -> str:
    """Where a Guobiao hand, or a place in it, is: `games.txt: hand 3 (61602cb4), event 14`; hands count from 1."""
    name = f" ({hand.match})" if hand.match else ""
    return f"{file.name}: hand {number}{name}" + (f", {place}" if place else "")
