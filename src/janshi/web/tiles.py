"""Tiles and melds for the page: their texts, order and red fives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from janshi.core.tiles import FIRST_RED, FIVE_M, RANKS

UNKNOWN: Final = "?"
"""The text of a tile that the viewer may not know."""
NONE: Final = -1
"""No tile."""
FIVES: Final = tuple(FIVE_M + RANKS * suit for suit in range(3))
CHI, PON, OPEN_KAN, CONCEALED_KAN, ADDED_KAN = "chi", "pon", "open_kan", "concealed_kan", "added_kan"
"""The page's names of melds, those of riichi for all families."""


def tile_text(texts: Sequence[str], tile: int) -> str:
    """The text of a tile."""
    return texts[tile] if tile >= 0 else UNKNOWN


def hand_tiles(counts: Sequence[int], reds: int = 0) -> list[int]:
    """The tiles of a hand given by counts of kinds and a bit set of red fives, in order."""
    tiles: list[int] = []
    for kind, count in enumerate(counts):
        if not count:
            continue
        if reds and kind in FIVES and reds >> FIVES.index(kind) & 1:
            tiles.append(FIRST_RED + FIVES.index(kind))
            count -= 1
        tiles += [kind] * count
    return tiles


def meld_tiles(kind: str, low: int, red: int = 0, kan_size: int = 4) -> list[int]:
    """The tiles of a meld from its lowest kind; `red` is 1 if it holds a red five, 2 if that was added to a pon."""
    size = 3 if kind in (CHI, PON) else kan_size
    if low == NONE:
        return [NONE] * size
    tiles = [low, low + 1, low + 2] if kind == CHI else [low] * size
    if red:
        five = next(k for k in tiles if k in FIVES)
        tiles[3 if red == 2 else tiles.index(five)] = FIRST_RED + FIVES.index(five)
    return tiles if kind == ADDED_KAN else sort_by_kind(tiles)


def sort_by_kind(tiles: list[int]) -> list[int]:
    """Tiles in order, a red five before the other fives of its suit."""
    return sorted(tiles, key=lambda tile: FIVES[tile - FIRST_RED] - 0.5 if tile >= FIRST_RED else tile)
