"""Numbers of things as text."""

from __future__ import annotations


def counted(count: int, what: str) -> str:
    """A number of things.

    >>> counted(1, "hand"), counted(1136, "hand")
    ('1 hand', '1,136 hands')
    """
    return f"1 {what}" if count == 1 else f"{count:,} {what}s"
