"""Luck in points in the terminal: game by game and player by player (Guobiao, the simplified game)."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from janshi.luck.points.measure import SOURCES
from janshi.luck.points.summary import PointGame, PointMoment, PointPlayer, PointSummary
from janshi.luck.summary import short_source
from janshi.show.columns import figures_table, fitting_table
from janshi.show.luck import (
    MOST_GAMES,
    TOO_FEW,
    adjusted_cells,
    luck_text,
    print_extremes,
    variance_interval,
)
from janshi.show.match import short_name


def print_point_luck(found: PointSummary, console: Console, most_games: int = MOST_GAMES) -> None:
    """Everything about the scored games."""
    for game in found.games[:most_games]:
        _print_game(game, found.player, console)
    if len(found.games) > most_games:
        console.print(f"… and {len(found.games) - most_games:,} more games (--games N prints more)")
    if len(found.games) > 1:
        console.print(_players_table(found, console.width))
        console.print(_pooled_words(found))
    if found.others:
        console.print(f"… and {found.others:,} more players (--players N shows more, --player NAME one)")
    console.print(f"Luck measured by: {', '.join(found.values)}")


def _print_game(game: PointGame, player: str | None, console: Console) -> None:
    """One game: the table, and its luckiest and unluckiest draws."""
    heads = ("player", "points", *SOURCES, "luck", "points without luck")
    table = figures_table(heads, Text(short_source(game.source)))
    for seat in sorted(game.seats, key=lambda seat: -seat.points):
        if player in (None, seat.name):
            lucks = (luck_text(seat.luck[source], 1) for source in SOURCES)
            table.add_row(
                Text(short_name(seat.name)),
                f"{seat.points:+g}",
                *lucks,
                luck_text(seat.total, 1),
                f"{seat.adjusted:+.1f}",
            )
    console.print(table)
    lucky, unlucky = (
        [_moment_text(moment) for moment in moments if player in (None, moment.name)]
        for moments in (game.lucky, game.unlucky)
    )
    print_extremes(lucky, unlucky, console)
    console.print()


def _moment_text(moment: PointMoment) -> Text:
    """`seat 2: drew 5p, +21.4 points`."""
    return Text.assemble(f"{short_name(moment.name)}: {moment.words}, ", luck_text(moment.luck, 1), " points")


def _players_table(found: PointSummary, width: int) -> Table:
    title = f"In total: {len(found.games):,} games; points and luck a game"
    heads = ("player", "seats held", "points", "points without luck", "luck", *SOURCES, "variance", "a game is worth")
    return fitting_table(heads, [_player_cells(line) for line in found.players], width, title)


def _player_cells(line: PointPlayer) -> list[Text | str]:
    return [Text(short_name(line.name)), f"{line.seats:,}", *adjusted_cells(line.points, 2)]


def _pooled_words(found: PointSummary) -> str:
    """How much less points vary without luck, over all seats."""
    pooled = found.pooled
    return f"Variance of points without luck, all seats: {TOO_FEW if pooled.few else variance_interval(pooled)}"
