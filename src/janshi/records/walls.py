"""The wall of a recorded hand: from Tenhou's seed, or from what the record shows of it.

Walls are uint8[136] of tile ids in the layout of the engine, which is Tenhou's: dealing goes from place 135 downwards
(four tiles to each player, dealer first, three times over, then one each), draws follow from place 83, and the last
fourteen places are the dead wall with replacement tiles at 1, 0, 3, 2, dora indicators at 5, 7, 9, 11, 13 and the ura
indicators one place before each.

Tenhou publishes how it shuffles. A game's seed makes a Mersenne Twister (mt19937ar, `init_by_array`), and every hand of
the game, in the order of play, takes from it

1. 288 words of 32 bits, as 1,152 bytes with the lowest byte first;
2. which are cut into nine blocks of 128 bytes, each replaced by its SHA-512 digest: 576 bytes, read as 144 words;
3. the wall begins as 0, 1, .. 135; for i from 0 to 134, place i is swapped with place i + word[i] % (136 - i);
4. words 135 and 136, modulo 6, are the dice (0 to 5 for the faces 1 to 6).

There have been three kinds of seeds, each named before its first comma:

    mt19937ar-sha512-n288-base64  `SHUFFLE seed`: 624 words, lowest byte first, in base64
    mt19937ar-sha512-n288         `SHUFFLE seed` in early 2010: words in hexadecimal, with commas
    mt19937ar                     `INIT shuffle` in 2009, one for every hand: eight words in hexadecimal; the hand takes
                                  its 137 words straight from the Twister, without steps 1 and 2

Of the two older kinds, the upper and the lower tile of each pair in the dead wall changed places later: the first
indicator was shuffled to place 4 and the first replacement tile to place 0. `tenhou_walls` swaps them, so that all
walls have the engine's layout. (Found from the 2009 and 2010 records, where with this every known tile agrees.)
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from janshi.core.tiles import NAMES, NUM_IDS
from janshi.records.ids import tiles_of_ids
from janshi.records.model import GameRecord, HandRecord, Kind, RecordError
from janshi.rules.riichi.deal import DEAD_WALL, FIRST_INDICATOR, REPLACEMENT_PLACES
from janshi.rules.riichi.events import BLOCKS

Wall = npt.NDArray[np.uint8]

BASE64_KIND: Final = "mt19937ar-sha512-n288-base64"
HEX_KIND: Final = "mt19937ar-sha512-n288"
PLAIN_KIND: Final = "mt19937ar"

PLAYERS: Final = 4
FIRST_DRAW: Final = NUM_IDS - 1 - PLAYERS * sum(BLOCKS)
INDICATORS: Final = tuple(range(FIRST_INDICATOR, DEAD_WALL, 2))
URA: Final = tuple(place - 1 for place in INDICATORS)
KANS: Final = (Kind.OPEN_KAN, Kind.CONCEALED_KAN, Kind.ADDED_KAN)

WORD: Final = np.dtype("<u4")
SEED_WORDS: Final = 624
HASHED_WORDS: Final = 288
BLOCK_BYTES: Final = 128
DIE_SIDES: Final = 6


class SeededWall(NamedTuple):
    """A wall made from a seed."""

    wall: Wall
    """uint8[136]"""
    dice: tuple[int, int]
    """0 to 5 for the faces 1 to 6."""


def tenhou_walls(seed: str, hands: int) -> list[SeededWall]:
    """Walls and dice of a game's first hands from its `SHUFFLE seed`; raises `RecordError` for other kinds of seeds."""
    kind, _, text = seed.partition(",")
    if kind == BASE64_KIND:
        words = _base64_words(text)
    elif kind == HEX_KIND:
        words = _hexadecimal_words(text)
    else:
        raise RecordError("", "seed", f"is of kind {kind[:40]!r}, expected {BASE64_KIND} or {HEX_KIND}")
    twister = np.random.RandomState(words)  # seeded by an array, this is mt19937ar's init_by_array
    walls = [_shuffled(_hashed(twister.bytes(HASHED_WORDS * WORD.itemsize))) for _ in range(hands)]
    return walls if kind == BASE64_KIND else [_modern(seeded) for seeded in walls]


def tenhou_wall_2009(shuffle: str) -> SeededWall:
    """The wall and dice of one hand from its `INIT shuffle` of 2009."""
    kind, _, text = shuffle.partition(",")
    if kind != PLAIN_KIND:
        raise RecordError("", "shuffle", f"is of kind {kind[:40]!r}, expected {PLAIN_KIND}")
    twister = np.random.RandomState(_hexadecimal_words(text))
    needed = NUM_IDS + 1
    return _modern(_shuffled(np.frombuffer(twister.bytes(needed * WORD.itemsize), WORD)))


def seeded_walls(record: GameRecord) -> list[SeededWall] | None:
    """The wall of every hand of a record, None if it has no seeds.

    A record that starts in the middle of a game gives None too: the number of earlier hands is unknown.
    """
    if record.hands and (record.hands[0].round or record.hands[0].honba):
        return None
    if record.seed:
        return tenhou_walls(record.seed, len(record.hands))
    shuffles = [hand.extra.get("shuffle") for hand in record.hands]
    if not all(isinstance(shuffle, str) for shuffle in shuffles):
        return None
    return [tenhou_wall_2009(str(shuffle)) for shuffle in shuffles]


def known_walls(record: GameRecord) -> list[SeededWall] | None:
    """The wall of every hand of a record; None if it has no seeds, or seeds of an unknown kind."""
    try:
        return seeded_walls(record)
    except RecordError:
        return None


def _base64_words(text: str) -> npt.NDArray[np.uint32]:
    try:
        content = base64.b64decode(text, validate=True)
    except ValueError as wrong:
        raise RecordError("", "seed", f"is not a base64 text ({wrong})") from wrong
    if len(content) != SEED_WORDS * WORD.itemsize:
        raise RecordError("", "seed", f"has {len(content)} bytes, expected {SEED_WORDS * WORD.itemsize}")
    return np.frombuffer(content, WORD).astype(np.uint32)


def _hexadecimal_words(text: str) -> npt.NDArray[np.uint32]:
    try:
        return np.array([int(word, 16) for word in text.split(",")], np.uint32)
    except (ValueError, OverflowError) as wrong:
        raise RecordError("", "seed", "expected hexadecimal words of 32 bits with commas between them") from wrong


def _hashed(content: bytes) -> npt.NDArray[np.uint32]:
    """Step 2: the digests of all blocks as words."""
    blocks = (content[i : i + BLOCK_BYTES] for i in range(0, len(content), BLOCK_BYTES))
    return np.frombuffer(b"".join(hashlib.sha512(block).digest() for block in blocks), WORD)


def _shuffled(words: npt.NDArray[np.uint32]) -> SeededWall:
    """Steps 3 and 4."""
    wall = list(range(NUM_IDS))
    numbers: list[int] = words.tolist()
    for i in range(NUM_IDS - 1):
        j = i + numbers[i] % (NUM_IDS - i)
        wall[i], wall[j] = wall[j], wall[i]
    return SeededWall(np.array(wall, np.uint8), (numbers[NUM_IDS - 1] % DIE_SIDES, numbers[NUM_IDS] % DIE_SIDES))


def _modern(seeded: SeededWall) -> SeededWall:
    """The same wall with the pairs of the dead wall as they have lain since 2010. Writes in place."""
    pairs = seeded.wall[:DEAD_WALL].reshape(-1, 2)
    pairs[:] = pairs[:, ::-1].copy()
    return seeded


# What a record shows --------------------------------------------------------------------------------------------------


class Seen(NamedTuple):
    """A tile that a record shows, and where in the wall it must have been."""

    place: int
    tile: int
    what: str


def dealt_places(dealer: int) -> list[list[int]]:
    """For each player the thirteen places of the wall that the deal takes, in order."""
    places: list[list[int]] = [[] for _ in range(PLAYERS)]
    place = NUM_IDS - 1
    for block in BLOCKS:
        for i in range(PLAYERS):
            player = (dealer + i) % PLAYERS
            places[player] += range(place, place - block, -1)
            place -= block
    return places


def seen_tiles(hand: HandRecord) -> Iterator[Seen]:
    """Every tile of the wall that a record shows: deal, draws, replacement tiles, indicators, ura indicators."""
    for player, places in enumerate(dealt_places(hand.dealer)):
        for place, tile in zip(places, hand.deals[player]):
            yield Seen(place, tile, f"deal of player {player}")
    yield from _seen_in_play(hand)
    for win in hand.wins:
        yield from _row("indicator at the win", INDICATORS, win.dora)
        yield from _row("ura indicator", URA, win.ura)


def _seen_in_play(hand: HandRecord) -> Iterator[Seen]:
    indicators = [hand.dora, *(event.tile for event in hand.events if event.kind == Kind.DORA)]
    yield from _row("indicator", INDICATORS, indicators)
    live, kans, after_kan = FIRST_DRAW, 0, False
    for event in hand.events:
        if event.kind in KANS:
            after_kan = True
        elif event.kind == Kind.DRAW:
            if after_kan and kans < len(REPLACEMENT_PLACES):
                yield Seen(REPLACEMENT_PLACES[kans], event.tile, f"replacement tile {kans + 1}")
                kans += 1
            elif after_kan or live < DEAD_WALL + kans:
                raise RecordError("", "wall", f"tile {event.tile} is drawn, expected no draw: no tile is left")
            else:
                yield Seen(live, event.tile, f"draw {FIRST_DRAW - live + 1} of player {event.player}")
                live -= 1
            after_kan = False


def _row(what: str, places: Sequence[int], tiles: Sequence[int]) -> Iterator[Seen]:
    if len(tiles) > len(places):
        raise RecordError("", "wall", f"{len(tiles)} tiles for {what}, expected at most {len(places)}")
    for number, (place, tile) in enumerate(zip(places, tiles), 1):
        yield Seen(place, tile, f"{what} {number}")


def wall_from_record(hand: HandRecord) -> tuple[Wall, npt.NDArray[np.bool_]]:
    """A wall that replays a recorded hand: uint8[136], and bool[136], which of its places the record shows.

    The unknown places hold the remaining tile ids in ascending order. Raises `RecordError` if no wall fits.
    """
    wall = np.zeros(NUM_IDS, np.uint8)
    known = np.zeros(NUM_IDS, np.bool_)
    place_of: dict[int, int] = {}
    for place, tile, what in seen_tiles(hand):
        if known[place] and wall[place] != tile:
            raise RecordError("", "wall", f"{what}: tile {tile} at place {place}, expected {wall[place]}")
        if place_of.setdefault(tile, place) != place:
            raise RecordError("", "wall", f"{what}: tile {tile} at place {place}, expected it at {place_of[tile]}")
        wall[place] = tile
        known[place] = True
    wall[~known] = np.setdiff1d(np.arange(NUM_IDS), wall[known])
    return wall, known


def check_wall(hand: HandRecord, wall: Wall, red_fives: bool = True) -> str | None:
    """Describe the first tile of a record that is not where the wall has it; None if all are.

    A tile that differs is named before a mere copy of the same tile.
    """
    tile_of = tiles_of_ids(red_fives)
    seen = [(found, int(wall[found.place])) for found in seen_tiles(hand) if wall[found.place] != found.tile]
    seen.sort(key=lambda pair: tile_of[pair[0].tile] == tile_of[pair[1]])
    for (place, tile, what), other in seen:
        ours, theirs = (f"{NAMES[tile_of[id_]]} (id {id_})" for id_ in (tile, other))
        return f"{what}: the record has {ours}, the wall {theirs} at place {place}"
    return None
