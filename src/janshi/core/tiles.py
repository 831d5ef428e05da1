"""Tiles: 34 kinds, their red fives, and the ways people write them.

A *kind* is 0..33: 1-9 characters (m), 1-9 dots (p), 1-9 bamboo (s), then East South West North, White Green Red (z).
A *tile* is a kind or one of the three red fives (34, 35, 36), so 0..36. A *tile id* is one of the 136 physical tiles,
`4 * kind + copy`; the red fives are copy 0 of the fives, as on Tenhou.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
import numpy.typing as npt

from janshi.core.coded_error import CodedError

RANKS: Final = 9
SUITS: Final = 3
HONOURS: Final = 7
NUM_KINDS: Final = 34
NUM_TILES: Final = 37
NUM_IDS: Final = 136
COPIES: Final = 4

EAST: Final = 27
SOUTH: Final = 28
WEST: Final = 29
NORTH: Final = 30
WHITE: Final = 31
GREEN: Final = 32
RED_DRAGON: Final = 33

RED_5M: Final = 34
RED_5P: Final = 35
RED_5S: Final = 36
FIRST_RED: Final = 34
FIVE_M: Final = 4
FIVE_P: Final = 13
FIVE_S: Final = 22
RED_IDS: Final = (16, 52, 88)

NO_TILE: Final = 255
"""Means "no tile" in the unsigned byte fields of states and views."""


SUIT_LETTERS: Final = "mpsz"
HONOUR_NAMES: Final = ("E", "S", "W", "N", "P", "F", "C")
"""The honours as mjai writes them: the winds, then white (P), green (F) and red (C)."""
NAMES: Final = (
    *(f"{rank}{suit}" for suit in "mps" for rank in range(1, RANKS + 1)),
    *HONOUR_NAMES,
    *("5mr", "5pr", "5sr"),
)
"""mjai's name of every tile."""

_TILE_OF_NAME: Final = {name: tile for tile, name in enumerate(NAMES)}
_FIVES: Final = (FIVE_M, FIVE_P, FIVE_S)
_FIRST_UNICODE: Final = 0x1F000
_UNICODE_KINDS: Final = (
    *(EAST, SOUTH, WEST, NORTH, RED_DRAGON, GREEN, WHITE),  # Unicode puts the red dragon first
    *range(9),  # characters
    *range(18, 27),  # then bamboo
    *range(9, 18),  # then dots
)
_UNICODE_OF_KIND: Final = {kind: chr(_FIRST_UNICODE + i) for i, kind in enumerate(_UNICODE_KINDS)}
_KIND_OF_UNICODE: Final = {char: kind for kind, char in _UNICODE_OF_KIND.items()}
_VARIATION_SELECTORS: Final = "\ufe0e\ufe0f"


class TileError(CodedError):
    """An invalid tile or text of tiles."""


class Tile(int):
    """A tile as a number that prints as people write it: `3m`, `0p` for a red five, `7z`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return format_tiles([int(self)])

    __str__ = __repr__


def kind_of(tile: int) -> int:
    """The kind of a tile: a red five is a five."""
    _check_tile(tile)
    return tile if tile < FIRST_RED else _FIVES[tile - FIRST_RED]


def is_red(tile: int) -> bool:
    """Whether a tile is a red five."""
    return FIRST_RED <= tile < NUM_TILES


def red_of(kind: int) -> int | None:
    """The red five of a kind, or None if the kind is not a five."""
    return FIRST_RED + _FIVES.index(kind) if kind in _FIVES else None


def tile_name(tile: int) -> str:
    """Mjai's name: `5m`, `5mr` for the red one, `E` for East."""
    _check_tile(tile)
    return NAMES[tile]


def tile_from_name(name: str) -> int:
    """The tile with this mjai name; `1z`..`7z` are understood too."""
    tile = _TILE_OF_NAME.get(name)
    if tile is None and len(name) == 2 and name[1] == "z" and name[0] in "1234567":
        tile = EAST + int(name[0]) - 1
    if tile is None:
        raise TileError(f"{name!r} is not a tile: expected a name such as 1m, 5pr, 9s, E or C")
    return tile


def as_tile(tile: int | str) -> int:
    """A tile given as a number, as people write it (`0p`, `7z`) or by mjai's name (`5pr`, `C`)."""
    if not isinstance(tile, str):
        _check_tile(tile)
        return int(tile)
    if tile in _TILE_OF_NAME:
        return _TILE_OF_NAME[tile]
    tiles = parse_tiles(tile)
    if len(tiles) != 1:
        raise TileError("{text} is {count} tiles: expected one", "tile_not_one", text=repr(tile), count=len(tiles))
    return tiles[0]


def id_to_tile(tile_id: int) -> int:
    """The tile of one of Tenhou's 136 ids; copy 0 of a five is red."""
    if not 0 <= tile_id < NUM_IDS:
        raise TileError(f"{tile_id} is not a tile id: expected 0 to {NUM_IDS - 1}")
    return FIRST_RED + RED_IDS.index(tile_id) if tile_id in RED_IDS else tile_id // COPIES


def tile_to_ids(tile: int) -> tuple[int, ...]:
    """The ids of a tile: one for a red five, three for another five, else four."""
    kind = kind_of(tile)
    if is_red(tile):
        return (COPIES * kind,)
    first = 1 if kind in _FIVES else 0
    return tuple(range(COPIES * kind + first, COPIES * kind + COPIES))


def tiles_to_ids(tiles: Iterable[int]) -> list[int]:
    """Distinct ids for tiles, in order: each takes the lowest of its ids that is free."""
    taken: set[int] = set()
    ids = []
    for tile in tiles:
        free = [tile_id for tile_id in tile_to_ids(tile) if tile_id not in taken]
        if not free:
            raise TileError(f"too many tiles {tile_name(tile)}: there are only {len(tile_to_ids(tile))} ids for it")
        taken.add(free[0])
        ids.append(free[0])
    return ids


def tile_to_unicode(tile: int) -> str:
    """The Unicode character of a tile's kind, such as 🀇 (red fives have no character)."""
    return _UNICODE_OF_KIND[kind_of(tile)]


def to_unicode(tiles: Iterable[int]) -> str:
    """Tiles as Unicode characters; red fives lose their colour."""
    return "".join(map(tile_to_unicode, tiles))


def parse_tiles(text: str) -> list[int]:
    """The tiles a text writes, in its order: `123m406p77z` (0 is a red five), or Unicode tiles, or both."""
    tiles: list[int] = []
    waiting: list[tuple[int, int]] = []  # (position, digit) of the digits whose suit is still to come
    for position, char in enumerate(text):
        if char in "0123456789":
            waiting.append((position, int(char)))
        elif char in SUIT_LETTERS:
            if not waiting:
                raise _misread(text, position, TileError("expected digits before the suit letter", "digits_expected"))
            tiles += [_tile_of_digit(text, at, digit, char) for at, digit in waiting]
            waiting = []
        elif char in _KIND_OF_UNICODE and not waiting:
            tiles.append(_KIND_OF_UNICODE[char])
        elif waiting and not char.isspace():
            reason = TileError("expected a digit or one of the suit letters m, p, s, z", "suit_expected")
            raise _misread(text, position, reason)
        elif not char.isspace() and char not in _VARIATION_SELECTORS:
            raise _misread(
                text, position, TileError("expected a digit, a suit letter or a Unicode tile", "tile_expected")
            )
    if waiting:
        at, digit = waiting[-1]
        raise TileError(
            "the tiles {text} end after {digit} at position {place}: expected m, p, s or z",
            "suit_missing",
            text=repr(text),
            digit=digit,
            place=at + 1,
        )
    check_copies(tiles)
    return tiles


def format_tiles(tiles: Iterable[int]) -> str:
    """Tiles as `123m406p77z`, in the order given."""
    written = ""
    for tile in tiles:
        digit, letter = _digit_and_letter(tile)
        if written.endswith(letter):
            written = written[:-1]
        written += digit + letter
    return written


def sort_tiles(tiles: Iterable[int]) -> list[int]:
    """Tiles in the order people hold them, a red five before the other fives."""
    return sorted(tiles, key=lambda tile: (kind_of(tile), not is_red(tile)))


def counts34(tiles: Iterable[int]) -> npt.NDArray[np.uint8]:
    """How many tiles of each kind there are, uint8[34]."""
    counts = np.zeros(NUM_KINDS, np.uint8)
    for tile in tiles:
        counts[kind_of(tile)] += 1
    return counts


def check_copies(tiles: Iterable[int]) -> None:
    """Refuse five tiles of a kind, or two red fives of a suit."""
    tiles = list(tiles)
    for tile in sorted(set(tiles)):
        if is_red(tile) and tiles.count(tile) > 1:
            raise TileError(
                "{count} red fives {tile}: there is only one",
                "too_many_red",
                count=tiles.count(tile),
                tile=tile_name(tile),
            )
    for kind, count in enumerate(counts34(tiles)):
        if count > COPIES:
            raise TileError(
                "{count} tiles {tile}: there are only {most} of a kind",
                "too_many_alike",
                count=int(count),
                tile=format_tiles([kind]),
                most=COPIES,
            )


def _check_tile(tile: int) -> None:
    if not 0 <= tile < NUM_TILES:
        raise TileError(f"{tile} is not a tile: expected 0 to {NUM_TILES - 1}")


def _misread(text: str, position: int, problem: TileError) -> TileError:
    return TileError(
        "cannot read the tiles {text} at position {place}, {letter}: {problem}",
        "tiles_unreadable",
        text=repr(text),
        place=position + 1,
        letter=repr(text[position]),
        problem=problem,
    )


def _tile_of_digit(text: str, position: int, digit: int, letter: str) -> int:
    if letter == "z":
        if not 1 <= digit <= HONOURS:
            raise _misread(text, position, TileError("honours are 1z to 7z", "honours_end"))
        return EAST + digit - 1
    suit = SUIT_LETTERS.index(letter)
    return FIRST_RED + suit if digit == 0 else RANKS * suit + digit - 1


def _digit_and_letter(tile: int) -> tuple[str, str]:
    kind = kind_of(tile)
    digit = "0" if is_red(tile) else str(kind % RANKS + 1)
    return digit, SUIT_LETTERS[kind // RANKS]
