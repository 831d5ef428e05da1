"""The known formats, detected from a record's content."""

from __future__ import annotations

import gzip
import io
import zlib
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from janshi.records.model import GameRecord, RecordError

MAX_BYTES = 64 * 1024 * 1024
"""Larger files are refused: a game takes about ten kilobytes."""

FORMATS = {"mjlog": "janshi.records.mjlog", "tenhou6": "janshi.records.tenhou6", "mjai": "janshi.records.mjai"}
"""Format names and the modules that read and write them."""


class Format(Protocol):
    """What a format module offers."""

    def looks_like(self, text: str) -> bool:
        """Whether a text looks like this format."""

    def read(self, text: str, source: str = "") -> GameRecord:
        """Read a game; raises `RecordError`."""

    def write(self, record: GameRecord) -> str:
        """Write a game; raises `RecordError` for what the format cannot hold."""


def get_format(name: str) -> Format:
    """Find a format by name."""
    if name not in FORMATS:
        raise ValueError(f"no record format is called {name!r}; there are {', '.join(FORMATS)}")
    return cast(Format, import_module(FORMATS[name]))


def decode(content: bytes, source: str = "") -> str:
    """The text of a record: gzip is unpacked, a byte order mark dropped, any encoding but UTF-8 refused."""
    if content[:2] == b"\x1f\x8b":
        try:
            content = gzip.GzipFile(fileobj=io.BytesIO(content)).read(MAX_BYTES + 1)
        except (OSError, EOFError, zlib.error) as broken:
            raise RecordError(source, "gzip", f"cannot be unpacked ({broken})") from broken
    if len(content) > MAX_BYTES:
        raise RecordError(source, "", f"is too large for one game: over {MAX_BYTES:,} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise RecordError(source, f"byte {wrong.start}", "expected UTF-8 text") from wrong


def detect(text: str, source: str = "") -> str:
    """Name the format of a text."""
    for name in FORMATS:
        if get_format(name).looks_like(text):
            return name
    if not text.strip():
        raise RecordError(source, "", "is empty, expected a recorded game")
    raise RecordError(source, "", f"is in no known format (known are {', '.join(FORMATS)})")


def read_record(content: bytes | str, source: str = "", format: str | None = None) -> GameRecord:
    """Read a game from its content; the format is detected unless named."""
    text = decode(content, source) if isinstance(content, bytes) else content
    return get_format(format or detect(text, source)).read(text, source)


def read_file(path: str | Path) -> GameRecord:
    """Read a game from a file."""
    path = Path(path)
    return read_record(path.read_bytes(), str(path))
