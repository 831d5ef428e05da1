"""The board: four seats below one another, each with its hand, melds and river.

Drawn for a terminal of 80 columns and 24 lines while rivers hold at most eighteen tiles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from janshi.show.tiles import KANJI, TILE_CELLS, TileStyle, back_text, backs, row, tile_text

if TYPE_CHECKING:
    from janshi.show.picture import BoardPicture, MeldPicture, RiverTile, SeatPicture

WIDTH = 80
RIVER_ROW = 6
RIVER_ROWS = 3
RIVER_CELLS = RIVER_ROW * (TILE_CELLS + 1)
WIND_CHARACTERS = {"East": "東", "South": "南", "West": "西", "North": "北"}


def board(picture: BoardPicture, style: TileStyle = KANJI) -> RenderableType:
    """Draw a table: a header line, four seats, the last action."""
    parts: list[RenderableType] = [_header(picture, style)]
    parts += [_seat(seat, style) for seat in picture.seats]
    parts.append(Text(f" {picture.last_action}", style="italic", no_wrap=True))
    return Group(*parts)


def _header(picture: BoardPicture, style: TileStyle) -> RenderableType:
    """The header line: round, honba, sticks, tiles left, dora indicators."""
    left = Text.assemble(
        " ",
        (picture.round_name, "bold"),
        f"   honba {picture.honba}   riichi sticks {picture.sticks}   tiles left {picture.tiles_left:>2}   dora ",
    )
    return left + row(picture.dora_indicators, style)


def _seat(seat: SeatPicture, style: TileStyle) -> RenderableType:
    """A seat: hand above melds on the left, river on the right."""
    grid = Grid.grid(padding=(0, 1))
    grid.add_column(width=WIDTH - RIVER_CELLS - 6, no_wrap=True)
    grid.add_column(width=RIVER_CELLS, no_wrap=True)
    hand = Group(hand_text(seat, style), Text(), melds_text(seat.melds, style))
    grid.add_row(hand, river_text(seat.river, style))
    return Panel(
        grid,
        title=_seat_title(seat, style),
        title_align="left",
        box=box.HEAVY if seat.active else box.ROUNDED,
        border_style="yellow" if seat.active else "dim",
        width=WIDTH,
        padding=(0, 1),
    )


def _seat_title(seat: SeatPicture, style: TileStyle) -> Text:
    """The seat's wind, name, score and riichi marker."""
    wind = seat.wind if style.letters else f"{WIND_CHARACTERS[seat.wind]} {seat.wind}"
    title = Text.assemble((wind, "bold"), "  ", (seat.name, "cyan"), f"  {seat.score:,}")
    if seat.riichi:
        title.append("  ● RIICHI", "bold red")
    return title


def hand_text(seat: SeatPicture, style: TileStyle = KANJI) -> Text:
    """Draw the concealed tiles, the drawn tile set apart."""
    text = backs(len(seat.hand)) if seat.face_down else row(seat.hand, style)
    if seat.drawn is None:
        return text
    return Text.assemble(text, "  ", back_text() if seat.face_down else tile_text(seat.drawn, style))


def melds_text(melds: tuple[MeldPicture, ...], style: TileStyle = KANJI) -> Text:
    """Draw melds side by side, newest last."""
    return Text("  ").join(meld_text(meld, style) for meld in melds)


def meld_text(meld: MeldPicture, style: TileStyle = KANJI) -> Text:
    """Draw a meld: the taken tile underlined, a concealed kan with its outer tiles face down."""
    last = len(meld.tiles) - 1
    drawn = [
        back_text()
        if meld.concealed and i in (0, last)
        else tile_text(tile, style, mark="underline" if i == meld.taken else "")
        for i, tile in enumerate(meld.tiles)
    ]
    return Text(" ").join(drawn)


def river_text(river: tuple[RiverTile, ...], style: TileStyle = KANJI) -> Text:
    """Draw a river in rows of six, at least three rows high.

    Tiles discarded as drawn are dimmed, the riichi tile carries a red bar, tiles called away are struck through.
    """
    parts = [river[i : i + RIVER_ROW] for i in range(0, len(river), RIVER_ROW)]
    rows = [Text("").join(_river_tile(tile, style) for tile in part) for part in parts]
    rows += [Text()] * (RIVER_ROWS - len(rows))
    return Text("\n").join(rows)


def _river_tile(tile: RiverTile, style: TileStyle) -> Text:
    """One discard with the cell after it, which carries the riichi mark."""
    text = tile_text(tile.tile, style, dim=tile.tsumogiri, mark="strike" if tile.called else "")
    return Text.assemble(text, ("▌", "bold red") if tile.riichi else " ")
