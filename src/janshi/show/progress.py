"""A progress bar for commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress_bar(title: str, quiet: bool = False, total: float = 1.0) -> Iterator[Callable[[float, str], None]]:
    """A progress bar on stderr, in a terminal only; yields a function of the work done and some words.

    A `total` of 0 means that the amount of work is unknown.
    """
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[words]}"),
    )
    console = Console(stderr=True, highlight=False)
    with Progress(*columns, console=console, disable=quiet or not console.is_terminal) as progress:
        task = progress.add_task(title, total=total or None, words="")
        yield lambda done, words: progress.update(task, completed=done, words=words)
