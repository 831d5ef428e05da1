"""One tile, and rows of tiles, as coloured text.

Every tile is two cells wide, digits and suit letter or one honour character, so that rows line up:
`1m 5p 9s 東 白`. Suits differ by colour; a red five is written `0p`, white on red, readable without colour too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rich.text import Text

from janshi.core.tiles import EAST, FIRST_RED, RANKS

HONOUR_NAMES = "東南西北白發中"
SUIT_LETTERS = "mps"
IVORY = "on #f2ecd8"
TILE_CELLS = 2

_SUIT_COLOURS = ("#9a3412", "#1d4ed8", "#166534")
_HONOUR_COLOURS = ("#111111", "#111111", "#111111", "#111111", "#4b5563", "#166534", "#b91c1c")
_RED_STYLE = "bold white on #dc2626"
_BACK_STYLE = "#7c6f54 on #c8a24a"
_DIM_IVORY = "on #cdc7b3"


@dataclass(frozen=True, slots=True)
class TileStyle:
    """How tiles are written: honours as characters, or as `1z`..`7z` for terminals without them."""

    letters: bool = False

    def label(self, tile: int) -> str:
        """Write a tile (0..36) in two cells."""
        if tile >= FIRST_RED:
            return "0" + SUIT_LETTERS[tile - FIRST_RED]
        if tile >= EAST:
            return f"{tile - EAST + 1}z" if self.letters else HONOUR_NAMES[tile - EAST]
        suit, rank = divmod(tile, RANKS)
        return f"{rank + 1}{SUIT_LETTERS[suit]}"


KANJI = TileStyle()
LETTERS = TileStyle(letters=True)


def tile_text(tile: int, style: TileStyle = KANJI, *, dim: bool = False, mark: str = "") -> Text:
    """Draw one tile; `dim` greys its face, `mark` adds a rich style such as "underline"."""
    if tile >= FIRST_RED:
        look = "white on #9f4a4a" if dim else _RED_STYLE
    else:
        colour = _HONOUR_COLOURS[tile - EAST] if tile >= EAST else _SUIT_COLOURS[tile // RANKS]
        look = f"{colour} {_DIM_IVORY}" if dim else f"bold {colour} {IVORY}"
    return Text(style.label(tile), style=f"{look} {mark}".strip())


def back_text() -> Text:
    """Draw a tile face down."""
    return Text("▒▒", style=_BACK_STYLE)


def row(tiles: Iterable[int], style: TileStyle = KANJI) -> Text:
    """Draw tiles side by side, one cell apart."""
    return Text(" ").join(tile_text(tile, style) for tile in tiles)


def backs(count: int) -> Text:
    """Draw `count` tiles face down, one cell apart."""
    return Text(" ").join(back_text() for _ in range(count))
