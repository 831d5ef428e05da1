"""Mahjong Soul's own game records, decoded to JSON: see `janshi.records.majsoul.content`."""

from janshi.records.majsoul.sniff import looks_like
from janshi.records.model import GameRecord

__all__ = ["looks_like", "read"]


def read(text: str, source: str = "") -> GameRecord:
    """Read a game; raises `RecordError`."""
    from janshi.records.majsoul.content import from_text
    from janshi.records.majsoul.reader import read_content

    return read_content(from_text(text, source), "majsoul", source)
