"""The end of a hand and of a game: wins, score changes, standings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from janshi.show.board import WIDTH, melds_text
from janshi.show.tiles import KANJI, TileStyle, row, tile_text

if TYPE_CHECKING:
    from janshi.show.picture import ResultPicture, StandingPicture, WinPicture


def result_panel(picture: ResultPicture, style: TileStyle = KANJI) -> RenderableType:
    """Draw the end of a hand: each win with its yaku, or the draw, then the score changes."""
    parts: list[RenderableType] = []
    for win in picture.wins:
        parts += [_win(win, picture.names, style), Text()]
    if picture.draw:
        parts += [_draw(picture), Text()]
    parts.append(_changes(picture))
    return Panel(
        Group(*parts),
        title=Text(picture.title, style="bold"),
        title_align="left",
        border_style="green",
        width=WIDTH,
        padding=(0, 1),
    )


def _win(win: WinPicture, names: tuple[str, ...], style: TileStyle) -> RenderableType:
    """One win: headline, tiles, yaku with han, value."""
    grid = Grid.grid(padding=(0, 2))
    for name, han in win.yaku:
        grid.add_row(Text(f"  {name}"), Text(han, justify="right"))
    parts: list[RenderableType] = [Text(headline(win, names), style="bold"), _shown(win, style)]
    if win.ura_indicators:
        parts.append(Text.assemble("ura indicators ", row(win.ura_indicators, style)))
    return Group(*parts, grid, Text(f"  {win.value}", style="bold yellow"))


def headline(win: WinPicture, names: tuple[str, ...]) -> str:
    """Say who won how: "South greedy wins by ron from West random"."""
    how = "by tsumo" if win.tsumo else f"by ron from {names[win.source]}"
    return f"{names[win.player]} wins {how}"


def _shown(win: WinPicture, style: TileStyle) -> Text:
    """The winning hand: concealed tiles, winning tile, melds."""
    tiles = Text.assemble(row(win.hand, style), "  ", tile_text(win.win_tile, style))
    return Text.assemble(tiles, "   ", melds_text(win.melds, style)) if win.melds else tiles


def _draw(picture: ResultPicture) -> Text:
    """A draw's name, and who was tenpai."""
    text = Text(picture.draw, style="bold")
    if picture.tenpai:
        text.append(f"   tenpai: {', '.join(picture.names[p] for p in picture.tenpai)}", "not bold")
    return text


def _changes(picture: ResultPicture) -> RenderableType:
    """One row per player: score change and new score."""
    grid = Grid.grid(padding=(0, 2))
    grid.add_column()
    grid.add_column(justify="right")
    grid.add_column(justify="right")
    for name, change, score in zip(picture.names, picture.changes, picture.scores):
        look = "green" if change > 0 else "red" if change < 0 else "dim"
        grid.add_row(Text(name), Text(signed(change), style=look), f"{score:,}")
    return grid


def standing_panel(picture: StandingPicture) -> RenderableType:
    """Draw the final standing, best player first."""
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False)
    grid.add_column("rank", justify="right")
    grid.add_column("player")
    grid.add_column("score", justify="right")
    grid.add_column("final points", justify="right")
    for rank, name, score, points in picture.rows:
        grid.add_row(str(rank), name, f"{score:,}", f"{points:+.1f}", style="bold" if rank == 1 else "")
    return Panel(grid, title=Text("Final standing", style="bold"), title_align="left", width=WIDTH)


def result_lines(picture: ResultPicture) -> list[str]:
    """The end of a hand as plain lines, for logs and pipes."""
    lines = []
    for win in picture.wins:
        yaku = ", ".join(f"{name} {han}".strip() for name, han in win.yaku)
        lines.append(f"  {headline(win, picture.names)}: {win.value} ({yaku})")
    if picture.draw:
        tenpai = ", ".join(picture.names[p] for p in picture.tenpai)
        lines.append(f"  {picture.draw}" + (f", tenpai: {tenpai}" if tenpai else ""))
    moved = (f"{n} {s:,} ({signed(c)})" for n, c, s in zip(picture.names, picture.changes, picture.scores))
    lines.append(f"  scores: {', '.join(moved)}")
    return lines


def standing_lines(picture: StandingPicture) -> list[str]:
    """The final standing as plain lines."""
    return ["Final standing"] + [
        f"  {rank}. {name} {score:,} ({points:+.1f})" for rank, name, score, points in picture.rows
    ]


def signed(change: int) -> str:
    """Write a score change with its sign: "+3,900", "-1,000", "0"."""
    return f"{change:+,}" if change else "0"
