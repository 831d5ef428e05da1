"""Tenhou's 16-bit code of a meld, both ways.

Counting from the lowest bit, bits 0 and 1 hold the seat the tile came from, counted from the caller (3 is the player on
the left, 0 the caller itself). What follows depends on the meld:

    chi            1 in bit 2, the copy (0..3) of each tile in bits 3-4, 5-6 and 7-8, 3 * run + called place from bit 10
    pon            1 in bit 3, the copy left out in bits 5-6, 3 * kind + called place from bit 9
    added kan      1 in bit 4, the added copy in bits 5-6, 3 * kind + called place (of the pon) from bit 9
    open kan       the called tile id from bit 8
    concealed kan  one of its tile ids from bit 8, seat 0

A run is numbered 7 * suit + lowest rank, both from 0; the called place counts within the tiles in ascending order.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from janshi.core.tiles import COPIES, NUM_IDS, NUM_KINDS, RANKS, SUITS
from janshi.records.model import Event, Kind

RUNS: Final = 7
"""Runs in a suit: 123 to 789."""
PLACES: Final = 3
"""Tiles of a chi or a pon, one of which was called."""
PLAYERS: Final = 4
LEFT: Final = 3

CHI_BIT, PON_BIT, ADDED_BIT, NORTH_BIT = 0x4, 0x8, 0x10, 0x20


@lru_cache(maxsize=1 << 16)
def decode_meld(code: int, player: int) -> Event:
    """The event of a meld code; raises ValueError for an invalid code.

    The tile of a concealed kan is not part of the event: `concealed_tile` returns the one that the code names.
    """
    source = (player + (code & 3)) % PLAYERS
    if code & CHI_BIT:
        event = _decode_chi(code, player, source)
    elif code & (PON_BIT | ADDED_BIT):
        event = _decode_triplet(code, player, source)
    else:
        event = _decode_kan(code, player, source)
    if encode_meld(event, called_place(code), concealed_tile(code)) != code:
        raise ValueError(f"{code} has bits that no meld has")
    return event


def _decode_chi(code: int, player: int, source: int) -> Event:
    run, place = divmod(code >> 10, PLACES)
    suit, rank = divmod(run, RUNS)
    if suit >= SUITS or code & 3 != LEFT:
        raise ValueError(f"{code} is not a chi of the left player's tile")
    first = COPIES * (suit * RANKS + rank)
    tiles = tuple(first + COPIES * i + (code >> 3 + 2 * i & 3) for i in range(PLACES))
    return Event(Kind.CHI, player, tiles[place], tiles[:place] + tiles[place + 1 :], source)


def _decode_triplet(code: int, player: int, source: int) -> Event:
    kind, place = divmod(code >> 9, PLACES)
    if kind >= NUM_KINDS or source == player:
        raise ValueError(f"{code} is not a pon of another player's tile")
    fourth = COPIES * kind + (code >> 5 & 3)
    tiles = tuple(tile for tile in range(COPIES * kind, COPIES * kind + COPIES) if tile != fourth)
    if code & PON_BIT:
        return Event(Kind.PON, player, tiles[place], tiles[:place] + tiles[place + 1 :], source)
    return Event(Kind.ADDED_KAN, player, fourth, tiles, source)


def _decode_kan(code: int, player: int, source: int) -> Event:
    tile = code >> 8
    if code & NORTH_BIT:
        raise ValueError(f"{code} sets a North aside, which only three players do")
    if tile >= NUM_IDS:
        raise ValueError(f"{code} is not a kan of a tile id below {NUM_IDS}")
    tiles = kan_tiles(tile)
    if source == player:
        return Event(Kind.CONCEALED_KAN, player, -1, tiles)
    return Event(Kind.OPEN_KAN, player, tile, tuple(other for other in tiles if other != tile), source)


def kan_tiles(tile: int) -> tuple[int, ...]:
    """All four tile ids of a tile's kind."""
    first = tile - tile % COPIES
    return tuple(range(first, first + COPIES))


def concealed_tile(code: int) -> int:
    """The tile id that the code of a concealed kan names."""
    return code >> 8


def called_place(code: int) -> int:
    """Which tile of the pon, in ascending order, was the called one, from the code of a pon or an added kan."""
    return (code >> 9) % PLACES


def encode_meld(event: Event, place: int = 0, named: int | None = None) -> int:
    """The code of a chi, pon or kan.

    An added kan does not say which tile of its pon was called: `place` does (see `called_place`). `named` is the tile
    that the code of a concealed kan names, its lowest by default.
    """
    kind = event.kind
    if kind == Kind.CONCEALED_KAN:
        return (min(event.tiles) if named is None else named) << 8
    relative = (event.source - event.player) % PLAYERS
    if kind == Kind.OPEN_KAN:
        return event.tile << 8 | relative
    if kind == Kind.ADDED_KAN:
        return _encode_triplet(event.tiles, event.tile, place, ADDED_BIT | relative)
    tiles = tuple(sorted((*event.tiles, event.tile)))
    place = tiles.index(event.tile)
    if kind == Kind.CHI:
        return _encode_chi(tiles, place, relative)
    if kind == Kind.PON:
        (fourth,) = set(kan_tiles(event.tile)) - set(tiles)
        return _encode_triplet(tiles, fourth, place, PON_BIT | relative)
    raise ValueError(f"an event of kind {kind} is not a meld")


def _encode_chi(tiles: tuple[int, ...], place: int, relative: int) -> int:
    suit, rank = divmod(tiles[0] // COPIES, RANKS)
    copies = sum(tile % COPIES << 3 + 2 * i for i, tile in enumerate(tiles))
    return (PLACES * (RUNS * suit + rank) + place) << 10 | copies | CHI_BIT | relative


def _encode_triplet(tiles: tuple[int, ...], fourth: int, place: int, low: int) -> int:
    return (PLACES * (tiles[0] // COPIES) + place) << 9 | fourth % COPIES << 5 | low
