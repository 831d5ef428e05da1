"""`janshi luck`: how much luck there was in recorded games, and the results without it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from janshi.cli.errors import need_packages, user_errors
from janshi.show.compile_notice import notify_compiling

if TYPE_CHECKING:
    from rich.console import Console

    from janshi.arena.played import Gathered
    from janshi.luck.error_rate import ErrorRate
    from janshi.luck.games import PlayedGames
    from janshi.luck.summary import LuckSummary, PlayerLine
    from janshi.luck.types import ScoredGames
    from janshi.luck.value import ValueFunction

G = TypeVar("G", "PlayedGames", "Gathered")
TABLE_WIDTH = 160
FORMATS_HELP = (
    "Recorded games in any format (`janshi records`): files, folders, archives, or folders of data sets. Guobiao: "
    "Botzone's records. Guobiao and the simplified game: the directory of a match."
)
Html = Annotated[Path | None, typer.Option(help="Write an HTML page with curves of luck and ranks.", dir_okay=False)]
Players = Annotated[
    int | None,
    typer.Option(
        min=1, help="Report on at most this many players, those with most games.", show_default="20; all in JSON"
    ),
]
Judge = Annotated[
    str | None,
    typer.Option(
        metavar="AGENT", help="Also show error rates of decisions, judged by this agent: apprentice is recommended."
    ),
]
Fitted = Annotated[
    bool,
    typer.Option("--fitted", help="Multiply the luck of each source by a fitted coefficient; needs many games."),
]
Value = Annotated[Path | None, typer.Option(help="Use this value function instead of the shipped one.", dir_okay=False)]
Device = Annotated[
    str | None,
    typer.Option(help="Run the value function in PyTorch on this device, such as cuda; for many games."),
]


def luck(
    paths: Annotated[list[str], typer.Argument(metavar="PATH", help=FORMATS_HELP, show_default=False)],
    player: Annotated[str | None, typer.Option(help="Only this player's games, from their point of view.")] = None,
    html: Html = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Read at most this many games.")] = None,
    games: Annotated[int, typer.Option(min=0, help="List at most this many games one by one.")] = 20,
    players: Players = None,
    errors: Judge = None,
    fitted: Fitted = False,
    value: Value = None,
    workers: Annotated[int, typer.Option("--workers", "-j", min=1, help="Threads to score with.")] = 1,
    device: Device = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Separate luck from skill: rank, luck by source, rank without luck, the luckiest and unluckiest moments.

    Guobiao and the simplified game are measured in points.

    Exit code 0 if all games were scored, 1 if some were left out (they are named), 2 if nothing could be done.
    """
    with user_errors("luck"):
        notify_compiling()
        need_packages("scipy")
        from janshi.arena.played import in_points
        from janshi.luck.summary import MOST_PLAYERS, summarise

        most = players if players is not None or as_json else MOST_PLAYERS
        if in_points(paths):
            _refuse({"--html": html, "--errors": errors, "--fitted": fitted or None, "--device": device})
            complete = _points(paths, player, limit, value, most, as_json, games, quiet)
            raise typer.Exit(0 if complete else 1)
        _check_judge(errors)
        played, scored = _score(paths, player, limit, _measure(value, device), workers, quiet)
        summary = summarise(scored, player, fitted=fitted, most=most)
        judged = summary.players[: MOST_PLAYERS if players is None else players]
        opinions = _opinions(errors, played, judged, quiet)
        _write_page(html, summary, opinions)
        _print(summary, opinions, as_json, games)
        if html is not None and not as_json:
            typer.echo(f"wrote {html}")
    if scored.problems:
        raise typer.Exit(1)


def _check_judge(agent: str | None) -> None:
    """Reject a wrong name before the work."""
    if agent is not None:
        from janshi.luck.error_rate import judge

        judge(agent)


def _write_page(path: Path | None, summary: LuckSummary, opinions: list[ErrorRate]) -> None:
    if path is not None:
        from janshi.luck.report.page import write_luck_report

        write_luck_report(summary, path, opinions)


def _refuse(options: Mapping[str, object]) -> None:
    """Refuse options that only riichi games have."""
    for name, given in options.items():
        if given is not None:
            raise ValueError(f"{name} is for riichi games")


def _gather(read: Callable[..., G], paths: list[str], player: str | None, limit: int | None, quiet: bool) -> G:
    """Read the games; those left out are listed on stderr."""
    from janshi.show.progress import progress_bar

    with progress_bar("reading", quiet) as show:
        found = read(paths, player, limit, lambda games, share: show(share, f"{games:,} games"))
    for problem in found.problems:
        typer.echo(f"left out: {problem}", err=True)
    if not len(found):
        whose = "" if player is None else f" of a player called {player!r}"
        raise ValueError(f"no game{whose} could be read")
    return found


def _points(
    paths: list[str],
    player: str | None,
    limit: int | None,
    value: Path | None,
    most: int | None,
    as_json: bool,
    games: int,
    quiet: bool,
) -> bool:
    """Guobiao and the simplified game: points without luck. Whether all games were scored."""
    from janshi.arena.played import gather
    from janshi.luck.points.summary import as_data, score
    from janshi.models.draw_values import DrawValues
    from janshi.show.point_luck import print_point_luck
    from janshi.show.progress import progress_bar

    found = _gather(gather, paths, player, limit, quiet)
    values, total = None if value is None else DrawValues.load(value), len(found)
    with progress_bar("scoring", quiet) as show:
        watch = lambda done: show(done / total, f"{done:,} of {total:,} games")  # noqa: E731
        summary = score(found, values, player=player, most=most, watch=watch)
    if as_json:
        import json

        typer.echo(json.dumps(as_data(summary), ensure_ascii=False, indent=2))
    else:
        print_point_luck(summary, _console(), games)
    return not found.problems


def _measure(value: Path | None, device: str | None) -> ValueFunction:
    """The requested value function on the requested device."""
    from janshi.luck.value import ValueFunction, on_device, shipped

    return on_device(shipped() if value is None else ValueFunction.load(value), device)


def _score(
    paths: list[str], player: str | None, limit: int | None, measure: ValueFunction, workers: int, quiet: bool
) -> tuple[PlayedGames, ScoredGames]:
    """Read and score the games; those left out are listed on stderr."""
    from janshi.luck.measure import score_games
    from janshi.luck.sources import gather
    from janshi.show.progress import progress_bar

    played = _gather(gather, paths, player, limit, quiet)
    _warn_of_training(measure, played)
    hands = len(played.hands)
    with progress_bar("scoring", quiet) as show:
        scored = score_games(
            played, measure, threads=workers, watch=lambda done: show(done / hands, f"{done:,} of {hands:,} hands")
        )
    return played, scored


def _warn_of_training(measure: ValueFunction, played: PlayedGames) -> None:
    known = int(measure.knows(played).sum())
    if known:
        typer.echo(
            f"note: the value function was trained on {known:,} of these {len(played):,} games, where its luck may "
            "explain too much",
            err=True,
        )


def _opinions(agent: str | None, played: PlayedGames, players: list[PlayerLine], quiet: bool) -> list[ErrorRate]:
    """Error rates of some players, if an agent judges them."""
    if agent is None:
        return []
    from janshi.luck.error_rate import error_rate
    from janshi.show.progress import progress_bar

    named = {name for names in played.names for name in names}
    found = []
    for line in players:
        if line.name in named:
            with progress_bar(f"judging {line.name}", quiet) as show:
                found.append(error_rate(played, agent, line.name, report=lambda done, of: show(done / of, f"{done:,}")))
    return found


def _print(summary: LuckSummary, opinions: list[ErrorRate], as_json: bool, games: int) -> None:
    from janshi.show.luck import print_errors, print_luck

    if as_json:
        import json

        from janshi.luck.summary import as_data, errors_data

        data = as_data(summary)
        data["error rates"] = [errors_data(found) for found in opinions]
        typer.echo(json.dumps(data, ensure_ascii=False, indent=2))
        return
    console = _console()
    print_luck(summary, console, games)
    print_errors(opinions, console)


def _console() -> Console:
    from rich.console import Console

    return Console(width=None if Console().is_terminal else TABLE_WIDTH, highlight=False)
