"""Atomic file writes (a file is complete or absent), and the user's data directory."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

TEMPORARY: Final = ".tmp"


def write_whole(file: Path, content: bytes) -> None:
    """Write a file under a temporary name, then rename it, so that nobody reads a partial file."""
    temporary = file.with_name(file.name + TEMPORARY)
    with temporary.open("wb") as out:
        out.write(content)
        out.flush()
        os.fsync(out.fileno())
    temporary.replace(file)


@contextmanager
def replacing(file: Path) -> Iterator[Path]:
    """A temporary name beside a file, with the same suffix, for libraries that write files themselves.

    At the end it is renamed to the file; after an error it is removed.
    """
    temporary = file.with_name(f".{os.getpid()}.{file.name}")
    try:
        yield temporary
        temporary.replace(file)
    finally:
        temporary.unlink(missing_ok=True)


def data_folder() -> Path:
    """The user's data directory: $JANSHI_DATA_DIR, or where the system keeps such things."""
    if given := os.environ.get("JANSHI_DATA_DIR"):
        return Path(given).expanduser()
    from platformdirs import user_data_path

    return user_data_path("janshi", appauthor=False)
