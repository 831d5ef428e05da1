"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

TEMPORARY: Final = ".tmp"


def write_whole(file: Path, content: bytes) -> None:
    """Write a file under another name, then rename it, so that nobody ever reads half of it."""
    temporary = file.with_name(file.name + TEMPORARY)
    with temporary.open("wb") as out:
        out.write(content)
        out.flush()
        os.fsync(out.fileno())
    temporary.replace(file)
