"""The known formats of recorded games, detected from a record's content.

A format of riichi games reads one `GameRecord`; one of Guobiao hands reads a list of `botzone.model.HandRecord`.
`read_record` is for callers that need a riichi game, `read_any` for those that accept both.
"""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, cast

from janshi.records.model import GameRecord, RecordError
from janshi.rules.family import Family
from janshi.rules.guobiao.family import FAMILY as GUOBIAO
from janshi.rules.riichi.family import FAMILY as RIICHI

if TYPE_CHECKING:
    from janshi.records.botzone.model import HandRecord as GuobiaoHand

MAX_BYTES = 64 * 1024 * 1024
"""Larger files are refused: a game takes about ten kilobytes."""


@dataclass(frozen=True, slots=True)
class KnownFormat:
    """A format in the registry; its module is imported on first use."""

    module: str
    title: str
    """Its name for people."""
    endings: tuple[str, ...]
    """Endings of file names; the first is the one we write."""
    family: Family = RIICHI
    """The rules of its games."""
    hands: bool = False
    """Whether a file is a list of single hands, not a game; such a module is a `HandsFormat`."""
    binary: bool = False
    """Whether it is read from bytes, not from text; such a module is a `BinaryFormat`."""
    writes: bool = True
    """Whether it can also be written."""


FORMATS: Final = {
    "mjlog": KnownFormat("janshi.records.mjlog", "Tenhou mjlog", (".mjlog", ".xml")),
    "botzone": KnownFormat("janshi.records.botzone.text", "Botzone text", (".txt",), GUOBIAO, hands=True),
    "botzone_log": KnownFormat("janshi.records.botzone.log", "Botzone match log", (".json",), GUOBIAO, hands=True),
    "tenhou6": KnownFormat("janshi.records.tenhou6", "tenhou.net/6 JSON", (".json",)),
    "mjai": KnownFormat("janshi.records.mjai", "mjai JSON lines", (".jsonl", ".mjson", ".mjai")),
    "majsoul": KnownFormat("janshi.records.majsoul", "Mahjong Soul JSON", (".json",), writes=False),
    "majsoul_protobuf": KnownFormat(
        "janshi.records.majsoul.protobuf", "Mahjong Soul protobuf", (".pb", ".bin"), binary=True, writes=False
    ),
    "majiang": KnownFormat("janshi.records.majiang", "majiang JSON", (".json",), writes=False),
}
"""Formats by name, in the order in which a content is compared with them."""


class Format(Protocol):
    """What the module of a riichi format offers."""

    def looks_like(self, text: str) -> bool:
        """Whether a text looks like this format."""

    def read(self, text: str, source: str = "") -> GameRecord:
        """Read a game; raises `RecordError`."""

    def write(self, record: GameRecord) -> str:
        """Write a game; raises `RecordError` for what the format cannot hold."""


class BinaryFormat(Protocol):
    """What the module of a binary riichi format offers."""

    def looks_like(self, content: bytes) -> bool:
        """Whether a content looks like this format."""

    def read(self, content: bytes, source: str = "") -> GameRecord:
        """Read a game; raises `RecordError`."""


class HandsFormat(Protocol):
    """What the module of a Guobiao format offers."""

    def looks_like(self, text: str) -> bool:
        """Whether a text looks like this format."""

    def read_all(self, text: str, source: str = "") -> list[GuobiaoHand]:
        """Read every hand; raises `RecordError`."""

    def write_all(self, records: Iterable[GuobiaoHand]) -> str:
        """Write hands; raises `RecordError` for what the format cannot hold."""


def known_format(name: str, among: Iterable[str] = FORMATS) -> KnownFormat:
    """The registry's entry of a format."""
    if name not in among or name not in FORMATS:
        raise ValueError(f"no record format is called {name!r}; there are {', '.join(among)}")
    return FORMATS[name]


def format_names(family: Family | None = None, writable: bool = False) -> tuple[str, ...]:
    """The names of all formats, or of those of a family, or of those that can be written."""
    return tuple(
        name
        for name, known in FORMATS.items()
        if (family is None or known.family == family) and (known.writes or not writable)
    )


def get_format(name: str) -> Format:
    """Find a text format of riichi games by name."""
    riichi = tuple(name for name in format_names(RIICHI) if not FORMATS[name].binary)
    return cast(Format, import_module(known_format(name, riichi).module))


def get_binary_format(name: str) -> BinaryFormat:
    """Find a binary format of riichi games by name."""
    return cast(BinaryFormat, import_module(known_format(name).module))


def get_hands_format(name: str) -> HandsFormat:
    """Find a format of Guobiao hands by name."""
    return cast(HandsFormat, import_module(known_format(name, format_names(GUOBIAO)).module))


def unpacked(content: bytes, source: str = "") -> bytes:
    """A record's content: gzip is unpacked, more than `MAX_BYTES` refused."""
    if content[:2] == b"\x1f\x8b":
        try:
            content = gzip.GzipFile(fileobj=io.BytesIO(content)).read(MAX_BYTES + 1)
        except (OSError, EOFError, zlib.error) as broken:
            raise RecordError(source, "gzip", f"cannot be unpacked ({broken})") from broken
    if len(content) > MAX_BYTES:
        raise RecordError(source, "", f"is too large for one game: over {MAX_BYTES:,} bytes")
    return content


def decode(content: bytes, source: str = "") -> str:
    """The text of a record: gzip is unpacked, a byte order mark dropped, any encoding but UTF-8 refused."""
    try:
        return unpacked(content, source).decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise RecordError(source, f"byte {wrong.start}", "expected UTF-8 text") from wrong


def detect(text: str, source: str = "") -> str:
    """Name the format of a text."""
    for name, known in FORMATS.items():
        if not known.binary and _module(name).looks_like(text):
            return name
    if not text.strip():
        raise RecordError(source, "", "is empty, expected a recorded game")
    raise RecordError(source, "", f"is in no known format (known are {', '.join(FORMATS)})")


def detect_binary(content: bytes) -> str | None:
    """Name the binary format of an unpacked content; None if it looks like none."""
    binary = (name for name, known in FORMATS.items() if known.binary)
    return next((name for name in binary if get_binary_format(name).looks_like(content)), None)


def _module(name: str) -> Format | HandsFormat:
    return get_hands_format(name) if FORMATS[name].hands else get_format(name)


def read_any(content: bytes | str, source: str = "", format: str | None = None) -> GameRecord | list[GuobiaoHand]:
    """Read a riichi game, or all Guobiao hands of a file; the format is detected unless named."""
    if isinstance(content, bytes):
        content = unpacked(content, source)
        format = format or detect_binary(content)
        if format is not None and known_format(format).binary:
            return get_binary_format(format).read(content, source)
        content = decode(content, source)
    format = format or detect(content, source)
    if known_format(format).hands:
        return get_hands_format(format).read_all(content, source)
    return get_format(format).read(content, source)


def read_record(content: bytes | str, source: str = "", format: str | None = None) -> GameRecord:
    """Read a riichi game from its content; the format is detected unless named."""
    found = read_any(content, source, format)
    if not isinstance(found, GameRecord):
        raise RecordError(source, "", "holds Guobiao hands of Botzone, expected a riichi game")
    return found


def read_file(path: str | Path) -> GameRecord:
    """Read a riichi game from a file."""
    path = Path(path)
    return read_record(path.read_bytes(), str(path))
