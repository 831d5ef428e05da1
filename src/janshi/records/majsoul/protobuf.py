"""Mahjong Soul's game records as the server sends them: see `janshi.records.majsoul.content`."""

from __future__ import annotations

from janshi.records.majsoul.sniff import looks_binary
from janshi.records.model import GameRecord


def looks_like(content: bytes) -> bool:
    """Whether bytes look like a record of Mahjong Soul."""
    return looks_binary(content)


def read(content: bytes, source: str = "") -> GameRecord:
    """Read a game; raises `RecordError`."""
    from janshi.records.majsoul.content import from_bytes
    from janshi.records.majsoul.reader import read_content

    return read_content(from_bytes(content, source), "majsoul_protobuf", source)
