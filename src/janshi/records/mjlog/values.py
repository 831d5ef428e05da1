"""Values of the attributes of mjlog tags: numbers, tiles, seats and scores, checked as they are read."""

from __future__ import annotations

import re
from typing import Final

from janshi.core.tiles import NUM_IDS
from janshi.records.meld_code import PLAYERS
from janshi.records.mjlog.writer import UNIT

Attributes = dict[str, str]

LONGEST_QUOTE: Final = 60
TILES: Final = {str(tile): tile for tile in range(NUM_IDS)}
"""Tile ids by their text."""
_SEATS: Final = {str(seat): seat for seat in range(PLAYERS)}
_WHOLE_NUMBERS: Final = re.compile(r"-?[0-9]{1,7}(?:,-?[0-9]{1,7})*")
_DECIMALS: Final = re.compile(r"-?[0-9]{1,7}(?:\.[0-9]{1,4})?(?:,-?[0-9]{1,7}(?:\.[0-9]{1,4})?)*")


class Fault(Exception):
    """A problem with the tag being read. An empty message means text that is not a tag."""


def shortened(text: str) -> str:
    """A quotation for messages."""
    return repr(text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}…")


def parse_numbers(attributes: Attributes, name: str, count: int | None = None) -> list[int]:
    """The whole numbers of an attribute; an absent one has none."""
    text = attributes.get(name)
    if not text:
        numbers = []
    elif _WHOLE_NUMBERS.fullmatch(text):
        numbers = [int(number) for number in text.split(",")]
    else:
        raise Fault(f"{name} is {shortened(text)}, expected whole numbers")
    if count is not None and len(numbers) != count:
        raise Fault(f"{name} has {len(numbers)} numbers, expected {count}")
    return numbers


def parse_natural(attributes: Attributes, name: str, count: int) -> list[int]:
    """Non-negative whole numbers."""
    numbers = parse_numbers(attributes, name, count)
    if min(numbers) < 0:
        raise Fault(f"{name} is {shortened(attributes[name])}, expected no negative number")
    return numbers


def parse_decimals(attributes: Attributes, name: str, count: int) -> tuple[float, ...]:
    """The numbers of an attribute."""
    text = attributes[name]
    if not _DECIMALS.fullmatch(text):
        raise Fault(f"{name} is {shortened(text)}, expected numbers")
    numbers = tuple(float(number) for number in text.split(","))
    if len(numbers) != count:
        raise Fault(f"{name} has {len(numbers)} numbers, expected {count}")
    return numbers


def parse_tiles(attributes: Attributes, name: str) -> tuple[int, ...]:
    """The tile ids of an attribute; an absent one has none."""
    text = attributes.get(name)
    if not text:
        return ()
    try:
        return tuple([TILES[tile] for tile in text.split(",")])
    except KeyError as wrong:
        raise Fault(f"{name} holds {shortened(wrong.args[0])}, expected tile ids 0 to {NUM_IDS - 1}") from None


def parse_tile(attributes: Attributes, name: str) -> int:
    """The one tile id of an attribute."""
    tiles = parse_tiles(attributes, name)
    if len(tiles) != 1:
        raise Fault(f"{name} is {shortened(attributes[name])}, expected one tile id")
    return tiles[0]


def parse_seat(attributes: Attributes, name: str) -> int:
    """A player's seat."""
    seat = _SEATS.get(attributes[name])
    if seat is None:
        raise Fault(f"{name} is {shortened(attributes[name])}, expected a seat 0 to {PLAYERS - 1}")
    return seat


def parse_scores(attributes: Attributes, name: str) -> tuple[int, ...]:
    """Four scores, written in hundreds."""
    return tuple(UNIT * score for score in parse_numbers(attributes, name, PLAYERS))
