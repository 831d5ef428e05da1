"""Tenhou's mjlog XML as a format of recorded games."""

from janshi.records.mjlog.reader import looks_like, read
from janshi.records.mjlog.writer import write

__all__ = ["looks_like", "read", "write"]
