"""Uploads: size limits, unpacking, recognising the format; cheap checks before anything is parsed."""

from __future__ import annotations

import json
import re
import zlib
from typing import Final

from janshi.records.majsoul.sniff import looks_binary
from janshi.web.problems import Impossible, Problem, problem

MAX_BYTES: Final = 2 * 1024 * 1024
"""A game takes about ten kilobytes; more than this is refused, packed or not."""
DEEPEST: Final = 40
"""Maximum depth of nesting: records need about ten."""

KNOWN: Final = problem("formats_known")

_GZIP: Final = b"\x1f\x8b"
_BRACKETS: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]')


class TooLarge(Impossible):
    """An upload beyond the bounds."""


class NotARecord(Impossible):
    """An upload that cannot be a recorded game."""


def unpack(content: bytes) -> str:
    """The text of an upload: gzip is unpacked up to the bound, UTF-8 decoded, Mahjong Soul's protobuf put into JSON."""
    if len(content) > MAX_BYTES:
        raise TooLarge(_bound())
    if content[:2] == _GZIP:
        content = _gunzip(content)
    if looks_binary(content):
        from janshi.records.majsoul.content import text_of_bytes

        return text_of_bytes(content)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise NotARecord("upload_not_text", place=wrong.start, known=KNOWN) from None
    if not text.strip():
        raise NotARecord("upload_empty")
    if "\x00" in text:
        raise NotARecord("upload_has_zero_bytes")
    return text


def _gunzip(content: bytes) -> bytes:
    """Unpack no more than the bound, so that a small file cannot become a huge one."""
    unpacker = zlib.decompressobj(wbits=31)
    try:
        text = unpacker.decompress(content, MAX_BYTES + 1)
    except zlib.error as broken:
        raise NotARecord("gzip_unreadable", problem=str(broken)) from None
    if len(text) > MAX_BYTES:
        raise TooLarge(_bound())
    if not unpacker.eof:
        raise NotARecord("gzip_cut_short")
    return text


def _bound() -> Problem:
    return problem("upload_too_large", limit=f"{MAX_BYTES // 1024:,}")


def check_depth(text: str) -> None:
    """Refuse JSON that is nested deeper than any record."""
    if text.lstrip()[:1] not in ("{", "["):
        return
    depth = 0
    for found in _BRACKETS.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(found[0], 0)
        if depth > DEEPEST:
            raise NotARecord("upload_too_deep", most=DEEPEST)


def find_format(text: str) -> str:
    """Name of a text's format: one of `janshi.records.formats`."""
    from janshi.records.formats import detect
    from janshi.records.model import RecordError

    try:
        return detect(text)
    except RecordError:
        raise NotARecord(_unknown(text)) from None


def _unknown(text: str) -> Problem:
    """Why a text is of no known format, with a guess at what it is."""
    try:
        json.loads(text)
        return problem("json_not_a_record", known=KNOWN)
    except (ValueError, RecursionError):
        return problem("text_not_a_record", start=repr(text.strip()[:20]), known=KNOWN)
