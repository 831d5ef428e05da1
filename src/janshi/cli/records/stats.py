"""`janshi records stats`."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import isnan
from typing import TYPE_CHECKING, Annotated, Any

import typer

from janshi.cli.errors import user_errors
from janshi.cli.records.games import Paths, console, games_text, read_all
from janshi.show.compile_notice import notify_compiling

if TYPE_CHECKING:
    from rich.text import Text

    from janshi.records.botzone.stats import Tally as GuobiaoTally
    from janshi.records.model import GameRecord
    from janshi.records.stats import Estimate, Stats, Tally

MOST_FANS = 10


def stats(
    paths: Paths,
    player: Annotated[str | None, typer.Option(help="Only this player.")] = None,
    min_games: Annotated[
        int | None, typer.Option("--min-games", min=1, help="List every player with at least this many games.")
    ] = None,
    level: Annotated[str | None, typer.Option(help="Only this Tenhou table: general, upper, tokujou, houou.")] = None,
    length: Annotated[str | None, typer.Option(help="Only East or only South games.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON with all intervals.")] = False,
) -> None:
    """Show win, deal-in, riichi, call and draw rates, average wins and losses, and ranks with 95 % intervals.

    Rates have Wilson intervals; intervals of averages are clustered by game. Guobiao hands are counted apart, with
    the fan that won most often; Botzone's records name no players.
    """
    from janshi.records.botzone.stats import Tally as GuobiaoTally
    from janshi.records.stats import Stats

    skipped: list[str] = []
    with user_errors("records stats"):
        notify_compiling()
        wanted = _wanted(level, length)
        counted, guobiao = Stats(), GuobiaoTally()
        for _, found in read_all(paths, "counting", lambda file, what: skipped.append(what)):
            if isinstance(found, list):
                for hand in found:
                    guobiao.add(hand)
            elif wanted(found):
                counted.add(found)
        for what in skipped[:10]:
            typer.echo(f"left out: {what}", err=True)
        if len(skipped) > 10:
            typer.echo(f"left out: {len(skipped) - 10:,} more", err=True)
        _check(counted, guobiao, player, level is not None or length is not None)
        _print_stats(counted, guobiao, player, min_games, as_json)


def _check(counted: Stats, guobiao: GuobiaoTally, player: str | None, selected: bool) -> None:
    """Refuse an empty selection."""
    riichi = counted.overall.games
    if player is not None and guobiao.sums["hands"] and not riichi:
        raise ValueError("Botzone's records name no players: leave out --player")
    if not riichi and (selected or not guobiao.sums["hands"]):
        raise ValueError("no such game was found" if selected else "no recorded game was found")
    if player is not None and player not in counted.players:
        raise ValueError(f"no player called {player!r} in {riichi:,} games")


def _wanted(level: str | None, length: str | None) -> Callable[[GameRecord], bool]:
    from janshi.records.describe import LEVELS

    if level is not None and level not in LEVELS:
        raise ValueError(f"no table is called {level!r}; there are {', '.join(LEVELS)}")
    if length is not None and length.lower() not in ("east", "south"):
        raise ValueError(f"games are East or South, not {length!r}")
    rounds = {None: None, "east": 1, "south": 2}[length.lower() if length else None]
    number = None if level is None else LEVELS.index(level)
    return lambda record: number in (None, record.rules.level) and rounds in (None, record.rules.rounds)


def _print_stats(
    counted: Stats, guobiao: GuobiaoTally, player: str | None, min_games: int | None, as_json: bool
) -> None:
    from janshi.records.botzone.stats import as_data as guobiao_data
    from janshi.records.stats import as_data

    tallies: dict[str, Tally] = {"all players": counted.overall} if counted.overall.games else {}
    if player is not None:
        tallies = {player: counted.players[player]}
    elif min_games is not None:
        tallies.update(counted.named(min_games))
    with_guobiao = bool(guobiao.sums["hands"]) and player is None
    if as_json:
        data: dict[str, Any] = {name: as_data(tally) for name, tally in tallies.items()}
        data |= {"guobiao": guobiao_data(guobiao)} if with_guobiao else {}
        typer.echo(json.dumps(data, ensure_ascii=False, indent=2))
        return
    if len(tallies) == 1:
        _print_one(*next(iter(tallies.items())))
    elif tallies:
        _print_many(tallies)
    if with_guobiao:
        _print_guobiao(guobiao)


def _print_one(name: str, tally: Tally) -> None:
    """One player (or all) as a table: one row per figure."""
    from janshi.records.stats import RATES

    figures = tally.estimates()
    if tally.seats > 1:
        figures = {label: estimate for label, estimate in figures.items() if "rank" not in label}
    _print_figures(f"{name}: {games_text(tally.games)}, {tally.hands:,} hands", figures, RATES)


def _print_guobiao(tally: GuobiaoTally) -> None:
    """Guobiao hands: rates, averages, and the fan that won most often."""
    from janshi.records.botzone.stats import RATES

    _print_figures(f"Guobiao, all seats: {tally.sums['hands']:,} hands", tally.estimates(), RATES)
    if tally.fans:
        most = ", ".join(f"{name} {wins:,}" for name, wins in tally.fans.most_common(MOST_FANS))
        console().print(f"Fan in most wins: {most}", markup=False, soft_wrap=True)


def _print_figures(title: str, figures: dict[str, Estimate], rates: Any) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title), title_justify="left", show_edge=False)
    for heading in ("", "value", "95 % interval", "of"):
        table.add_column(heading, justify="left" if not heading else "right")
    for label, estimate in figures.items():
        form = _percent if label in rates else _plain
        known = estimate.number > 0 and estimate.low == estimate.low
        interval = f"{form(estimate.low)} – {form(estimate.high)}" if known else ""
        table.add_row(label, form(estimate.value), interval, f"{estimate.number:,}")
    console().print(table)


COLUMNS = {
    "win": "win rate",
    "deal-in": "deal-in rate",
    "riichi": "riichi rate",
    "call": "call rate",
    "draw": "draw rate",
    "win value": "average win by hand value",
    "loss": "average deal-in loss by score change",
    "rank": "average rank",
}


def _print_many(tallies: dict[str, Tally]) -> None:
    """Several players, one row each, with ± half the interval."""
    from rich.text import Text

    from janshi.records.stats import RATES
    from janshi.show.columns import fitting_table

    screen = console()
    rows: list[list[str | Text]] = []
    for name, tally in tallies.items():
        estimates = tally.estimates()
        cells = [_with_half(estimates[label], _percent if label in RATES else _plain) for label in COLUMNS.values()]
        rows.append([Text(name), f"{tally.games:,}", *cells])
    screen.print(fitting_table(["player", "games", *COLUMNS], rows, screen.width))


def _with_half(estimate: Estimate, form: Callable[[float], str]) -> str:
    """A value with ± half its interval, if there is one."""
    half = (estimate.high - estimate.low) / 2
    return (form(estimate.value) if isnan(half) else f"{form(estimate.value)} ±{form(half)}").replace(" %", "")


def _percent(value: float) -> str:
    return "–" if value != value else f"{100 * value:.2f} %"


def _plain(value: float) -> str:
    return "–" if value != value else f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3f}"
