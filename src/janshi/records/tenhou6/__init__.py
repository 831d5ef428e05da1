"""tenhou.net/6 JSON as a format of recorded games."""

from janshi.records.tenhou6.reader import looks_like, read
from janshi.records.tenhou6.writer import to_object, write

__all__ = ["looks_like", "read", "to_object", "write"]
