"""The 42 tiles of the simplified game: 1-6 dots, 1-6 bamboo, East and Red, three of each.

A *kind* here is 0..13 in that order. Texts are those of the whole package: `123p456s17z`, East being 1z and Red 7z.
A hand is also a *code*: two bits a kind, so that a suit's six counts are 12 bits and index a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from janshi.core import tiles as core

RANKS: Final = 6
SUITS: Final = 2
NUM_KINDS: Final = 14
COPIES: Final = 3
NUM_TILES: Final = NUM_KINDS * COPIES
DOTS: Final = 0
BAMBOO: Final = 6
EAST: Final = 12
RED: Final = 13

SUIT_BITS: Final = 2 * RANKS
"""Bits of one suit in a code."""
SUIT_CODES: Final = 1 << SUIT_BITS
HONOUR_CODES: Final = 16

CORE_KINDS: Final = (
    *(core.RANKS + rank for rank in range(RANKS)),
    *(2 * core.RANKS + rank for rank in range(RANKS)),
    core.EAST,
    core.RED_DRAGON,
)
"""The package's number (0..33) of each kind."""


def parse_kinds(text: str) -> list[int]:
    """Read tiles as kinds of this game: `parse_kinds("12p7z") == [0, 1, 13]`."""
    kinds = []
    for tile in core.parse_tiles(text):
        if tile not in CORE_KINDS:
            name = core.format_tiles([tile])
            raise core.TileError(f"{name} is not in the simplified game: it has 1-6p, 1-6s, 1z and 7z")
        kinds.append(CORE_KINDS.index(tile))
    for kind in set(kinds):
        if kinds.count(kind) > COPIES:
            raise core.TileError(f"{kinds.count(kind)} tiles {format_kinds([kind])}: there are only {COPIES} of a kind")
    return kinds


def format_kinds(kinds: Iterable[int]) -> str:
    """Kinds as `12p7z`, in the order given."""
    return core.format_tiles([CORE_KINDS[kind] for kind in kinds])


def code_of(counts: Sequence[int]) -> int:
    """A hand's counts (14 numbers) as a code."""
    return sum(int(count) << 2 * kind for kind, count in enumerate(counts))
