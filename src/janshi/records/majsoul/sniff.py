"""Recognising Mahjong Soul's records, without loading what reads them."""

from __future__ import annotations

import re
from typing import Final

SNIFFED: Final = 1 << 18
"""How far a record's first message is looked for; heads with many decorations come first."""
_NAMED: Final = re.compile(r'"name"\s*:\s*"\.?(lq\.)?(Record[A-Z]|GameDetailRecords)')
_HEAD: Final = re.compile(r'"head"\s{0,9}:\s{0,9}\{')
_DATA: Final = re.compile(r'"(data|records?|actions|data_url|dataUrl)"\s{0,9}:')
"""The outermost fields: a record without messages is one too, and its error should say so."""
_ENCODED: Final = re.compile(r'"data"\s*:\s*"[A-Za-z0-9+/]{80}')
_BYTES: Final = (0x0A, 0x10, 0x12, 0x1A, 0x22)
"""First bytes of the messages that a file can hold: fields 1 to 4 of bytes, or a version."""


def looks_like(text: str) -> bool:
    """Whether a text looks like a record as JSON."""
    start = text[:SNIFFED].lstrip()
    named = _NAMED.search(start) or _ENCODED.search(start) or (_HEAD.search(start) and _DATA.search(start))
    return start[:1] in ("{", "[") and bool(named)


def looks_binary(content: bytes) -> bool:
    """Whether bytes look like a record as protobuf."""
    return content[:1] != b"" and content[0] in _BYTES and b"lq.Record" in content[:SNIFFED]
