"""Shared by scripts that write figures into pages: date and machine, tables, text between two marks of a page."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

# --- when, where and how


def today() -> str:
    """The date, in UTC."""
    return f"{datetime.now(UTC):%Y-%m-%d}"


def processor() -> str:
    """The processor's name according to the system."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def this_machine() -> str:
    """Processor, cores and Python."""
    return f"{processor()}, {os.cpu_count()} cores, Python {platform.python_version()}"


def when_and_where() -> str:
    """Date and machine, for a sentence."""
    return f"{today()}, {this_machine()}"


def stamp(command: str, machine: str = "") -> str:
    """Date, machine (this one by default) and command, as a list."""
    return f"- Date: {today()}\n- Machine: {machine or this_machine()}\n- Command: `{command}`"


# --- tables


def table(head: Sequence[Any], rows: Sequence[Sequence[Any]], right: bool = False, tight: bool = False) -> str:
    """A table in Markdown; all columns except the first may be aligned right.

    `tight` writes the line below the head without spaces; the pages use both forms.
    """
    line = ["---", *["---:" if right else "---"] * (len(head) - 1)]
    below = f"|{'|'.join(line)}|" if tight else table_row(line)
    return "\n".join([table_row(head), below, *map(table_row, rows)])


def table_of_figures(head: Sequence[Any], rows: Sequence[Sequence[Any]]) -> str:
    """A table of figures: all columns except the first are aligned right."""
    return table(head, rows, right=True)


def table_row(cells: Sequence[Any]) -> str:
    """A line of a table."""
    return f"| {' | '.join(map(str, cells))} |"


# --- marks


def split_at_marks(text: str, begin: str, end: str, name: str) -> tuple[str, str, str]:
    """The text before, between and after two marks of a page, each of which must occur exactly once."""
    for mark in (begin, end):
        if (times := text.count(mark)) != 1:
            raise ValueError(f"{name}: expected the mark {mark} once, found it {times} times")
    before, rest = text.split(begin)
    if end not in rest:
        raise ValueError(f"{name}: expected the mark {end} behind {begin}")
    between, after = rest.split(end)
    return before, between, after


def put_between(text: str, begin: str, end: str, lines: str, name: str) -> str:
    """The text of a page with new lines between two marks."""
    before, _, after = split_at_marks(text, begin, end, name)
    return f"{before}{begin}\n{lines}\n{end}{after}"


def write_between(page: Path, begin: str, end: str, lines: str) -> None:
    """Replace the lines between two marks of a page atomically."""
    replace_page(page, put_between(page.read_text(encoding="utf-8"), begin, end, lines, page.name))


def replace_page(page: Path, text: str) -> None:
    """Write a page atomically."""
    new = page.with_name(f"{page.name}.new")
    new.write_text(text, encoding="utf-8")
    new.replace(page)
