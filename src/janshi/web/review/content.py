"""What is uploaded: bounded, unpacked, of a known format; cheap checks before anything is parsed."""

from __future__ import annotations

import json
import re
import zlib
from typing import Final

from janshi.agents.explain import Phrase
from janshi.web.phrases import Impossible

MAX_BYTES: Final = 2 * 1024 * 1024
"""A game takes some ten kilobytes; more than this is refused, packed or not."""
DEEPEST: Final = 40
"""Brackets within brackets: records need about ten."""

KNOWN: Final = Phrase("Known are mjlog, tenhou.net/6 JSON, mjai lines and Botzone's text and match logs")

_GZIP: Final = b"\x1f\x8b"
_BRACKETS: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]')


class TooLarge(Impossible):
    """An upload beyond the bounds."""


class NotARecord(Impossible):
    """An upload that cannot be a recorded game."""


def unpack(content: bytes) -> str:
    """The text of an upload: gzip is unpacked up to the bound, UTF-8 decoded."""
    if len(content) > MAX_BYTES:
        raise TooLarge(_bound())
    if content[:2] == _GZIP:
        content = _gunzip(content)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        words = "this is not text: expected UTF-8, found something else at byte {place}. {known}"
        raise NotARecord(Phrase(words, {"place": wrong.start, "known": KNOWN})) from None
    if not text.strip():
        raise NotARecord("there is nothing in it: expected a recorded game")
    if "\x00" in text:
        raise NotARecord("this is not text: it holds zero bytes")
    return text


def _gunzip(content: bytes) -> bytes:
    """Unpack no more than the bound, so that a small file cannot become a huge one."""
    unpacker = zlib.decompressobj(wbits=31)
    try:
        text = unpacker.decompress(content, MAX_BYTES + 1)
    except zlib.error as broken:
        raise NotARecord(Phrase("gzip that cannot be unpacked ({problem})", {"problem": str(broken)})) from None
    if len(text) > MAX_BYTES:
        raise TooLarge(_bound())
    if not unpacker.eof:
        raise NotARecord("gzip that stops in the middle: the file is not whole")
    return text


def _bound() -> Phrase:
    size = f"{MAX_BYTES // 1024:,}"
    return Phrase("too large: a recorded game may have {limit} KiB, unpacked", {"limit": size})


def check_depth(text: str) -> None:
    """Refuse JSON that is nested deeper than any record."""
    if text.lstrip()[:1] not in ("{", "["):
        return
    depth = 0
    for found in _BRACKETS.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(found[0], 0)
        if depth > DEEPEST:
            raise NotARecord(Phrase("JSON nested more than {most} deep: no record is", {"most": DEEPEST}))


def find_format(text: str) -> str:
    """Name of a text's format: `mjlog`, `tenhou6`, `mjai`, `botzone` (text) or `botzone_log` (JSON)."""
    from janshi.records.botzone import log as botzone
    from janshi.records.botzone import text as botzone_text
    from janshi.records.formats import detect
    from janshi.records.model import RecordError

    if botzone_text.looks_like(text):
        return "botzone"
    if botzone.looks_like(text):
        return "botzone_log"
    try:
        return detect(text)
    except RecordError:
        raise NotARecord(_unknown(text)) from None


def _unknown(text: str) -> Phrase:
    """Why a text is of no known format, with a guess at what it is."""
    try:
        json.loads(text)
        return Phrase("this JSON is no record of a game. {known}", {"known": KNOWN})
    except (ValueError, RecursionError):
        words = "this is no record of a game: it begins with {start}. {known}"
        return Phrase(words, {"start": repr(text.strip()[:20]), "known": KNOWN})
