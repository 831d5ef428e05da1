"""One model of a recorded Guobiao hand for all forms, and Botzone's names of tiles and fan.

Tiles are kinds (0..33); the flowers are 34..41. Seats are 0 to 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from janshi.core.tiles import EAST, GREEN, NUM_KINDS, RANKS, RED_DRAGON, WHITE
from janshi.records.model import RecordError

PLAYERS: Final = 4
FLOWERS: Final = 8
NO_TILE: Final = -1
TILE_NAMES: Final = (
    *(f"{letter}{rank}" for letter in "WBT" for rank in range(1, RANKS + 1)),
    *(f"F{wind}" for wind in range(1, 5)),
    *("J3", "J2", "J1"),  # white, green, red
    *(f"H{flower}" for flower in range(1, FLOWERS + 1)),
)
"""Botzone's name of every tile, by number."""
_TILES: Final = {name: tile for tile, name in enumerate(TILE_NAMES)}
assert (TILE_NAMES[WHITE], TILE_NAMES[GREEN], TILE_NAMES[RED_DRAGON], TILE_NAMES[EAST]) == ("J3", "J2", "J1", "F1")

OUR_NAMES: Final = {"嵌张": "坎张"}
"""Botzone's names of fan that differ from ours."""
BOTZONE_NAMES: Final = {ours: theirs for theirs, ours in OUR_NAMES.items()}


class Act(StrEnum):
    """What a player does, as the text form writes it."""

    DRAW = "Draw"
    PLAY = "Play"
    CHI = "Chi"
    PENG = "Peng"
    KONG = "Gang"
    CONCEALED_KONG = "AnGang"
    ADDED_KONG = "BuGang"
    FLOWER = "BuHua"
    HU = "Hu"


CLAIMS: Final = (Act.CHI, Act.PENG, Act.KONG, Act.HU)
"""What can be done with another player's discard."""


class Event(NamedTuple):
    """One event of a hand."""

    player: int
    act: Act
    tile: int = NO_TILE
    """The tile; for a chi the middle one of the sequence, for a hu on a self-draw, what the source says."""
    ignored: tuple[Event, ...] = ()
    """Claims of the same tile that this one overrode."""


@dataclass(frozen=True, slots=True)
class HandRecord:
    """One recorded hand."""

    match: str
    """Its name in the source."""
    wind: int
    """Prevalent wind, 0..3 = E S W N."""
    deals: tuple[tuple[int, ...], ...]
    """Each player's first 13 tiles, and the flowers that came between them."""
    events: tuple[Event, ...]
    scores: tuple[int, ...]
    fan: int | None = None
    """Fan of the win, flowers included; None if nobody won."""
    fans: tuple[tuple[str, int], ...] = ()
    """Botzone's name of each fan and how many times it counts."""
    penalised: int | None = None
    """Who called a false hu or acted illegally, which ended the hand."""
    wall: tuple[int, ...] = ()
    """All tiles of the walls, as the log's `initdata.walltiles` has them; empty if unknown."""

    @property
    def is_draw(self) -> bool:
        """Whether nobody won and nobody was penalised."""
        return self.fan is None and self.penalised is None

    @property
    def dealer(self) -> int:
        """Who drew first."""
        return self.events[0].player if self.events else 0


def parse_tile(name: str, source: str, place: str) -> int:
    """The tile with this name on Botzone."""
    try:
        return _TILES[name]
    except KeyError:
        raise RecordError(source, place, f"{name!r} is not a tile: expected a name such as W1, B9, T5, F1") from None


def is_flower(tile: int) -> bool:
    """Whether a tile is a flower."""
    return tile >= NUM_KINDS


def penalised_by(scores: tuple[int, ...]) -> int | None:
    """Who was penalised in a hand without a win, found from the scores."""
    loser = min(range(PLAYERS), key=lambda player: scores[player])
    return loser if scores[loser] < 0 else None
