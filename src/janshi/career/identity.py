"""Recognising records of the same game, and when a game was played."""

from __future__ import annotations

import hashlib
import re
from datetime import datetime
from typing import Any, Final

from janshi.records.ids import tiles_of_ids
from janshi.records.model import TENHOU_ID, GameRecord, Kind
from janshi.records.old_rules import date_of

_HOUR: Final = re.compile(r"(20\d{6})(\d\d)gm-")
_MAJSOUL: Final = re.compile(r"^(\d\d)(\d\d)(\d\d)-[0-9a-f]{8}-")
_WRITTEN: Final = re.compile(r"(20\d\d)[-/.](\d\d?)[-/.](\d\d?)(?:[ T](\d\d?):(\d\d))?")


def content_key(record: GameRecord) -> str:
    """A hash of the play: situations, deals and discards as tiles. Equal for all formats and names of files."""
    tile_of = tiles_of_ids(record.rules.red_fives)
    hashed = hashlib.sha256()
    for hand in record.hands:
        deals = [sorted(tile_of[tile] for tile in deal) for deal in hand.deals]
        discards = [(event.player, tile_of[event.tile]) for event in hand.events if event.kind == Kind.DISCARD]
        hashed.update(repr((hand.round, hand.honba, tuple(hand.scores), deals, discards)).encode())
    return hashed.hexdigest()[:32]


def bytes_key(content: bytes) -> str:
    """A hash of a file's content: equal files need not be read twice."""
    return hashlib.sha256(content).hexdigest()[:32]


def played_at(record: GameRecord) -> str | None:
    """When a game was played, as far as its record says: `2018-11-05`, or with the hour, `2018-11-05T14`.

    Tenhou's ids hold the hour (in Japan), Mahjong Soul's the day; tenhou.net/6 may have a date in its title.
    """
    named = TENHOU_ID.search(record.site_id)
    if named and date_of(record) is not None and (found := _HOUR.search(named[0])):
        day, hour = found.groups()
        return f"{day[:4]}-{day[4:6]}-{day[6:]}T{hour}"
    if found := _MAJSOUL.match(record.ref):
        return _checked(2000 + int(found[1]), int(found[2]), int(found[3]))
    for text in record.title:
        if found := _WRITTEN.search(str(text)):
            return _checked(*(int(part) for part in found.groups() if part is not None))
    return None


def _checked(*parts: Any) -> str | None:
    try:
        moment = datetime(*parts)
    except (TypeError, ValueError):
        return None
    return moment.strftime("%Y-%m-%d" if len(parts) == 3 else "%Y-%m-%dT%H")
