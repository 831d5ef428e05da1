"""mjai JSON lines as a format of recorded games."""

from janshi.records.mjai.reader import looks_like, read
from janshi.records.mjai.writer import write

__all__ = ["looks_like", "read", "write"]
