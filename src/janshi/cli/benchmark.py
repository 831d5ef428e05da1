"""Measuring a bot against the ladder on the command line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from janshi.cli.errors import need_packages, user_errors

if TYPE_CHECKING:
    from janshi.luck.benchmark.run import Progress

BOT_HELP = (
    "The bot: 'mjai:COMMAND', 'mjai-tcp:PORT', majiang, or an agent (see `janshi agents`). A bot's options come before "
    "the colon: 'mjai,name=bold,seconds=5:python bot.py'."
)


def benchmark_bot(
    bot: Annotated[str, typer.Argument(help=BOT_HELP, show_default=False)],
    within: Annotated[
        float, typer.Option("--within", help="Play until the rating is known to ± this many points.")
    ] = 25.0,
    against: Annotated[
        str, typer.Option(help="Three opponents from the ladder, separated by commas.")
    ] = "casual,regular,apprentice",
    most: Annotated[int, typer.Option("--walls", "-n", help="Maximum number of wall sets, of four games each.")] = 500,
    south: Annotated[bool, typer.Option("--south", help="Play East and South rounds instead of East only.")] = False,
    seed: Annotated[int, typer.Option(help="Seed of walls and choices: the same seed gives the same match.")] = 0,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Directory to keep the games in; run again to continue.", file_okay=False, show_default=False
        ),
    ] = None,
    page: Annotated[Path | None, typer.Option(help="The report; by default report.html in the directory.")] = None,
    workers: Annotated[int, typer.Option("--workers", "-j", min=1, help="Processes to play on.")] = 1,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print only the result.")] = False,
) -> None:
    """Rate a riichi bot: games against our ladder on duplicate walls, until its rating is known, and a report."""
    from janshi.arena.contestants import shown_name
    from janshi.luck.benchmark.report import rating_text, write_benchmark
    from janshi.luck.benchmark.run import benchmark_bot as run

    folder = out or Path(f"benchmark-{_as_file(bot)}")
    again = f"interrupted; run the same command again to continue ({folder})"
    with user_errors("benchmark-bot", interrupted=again):
        need_packages("scipy", "pyarrow")
        done = run(
            bot,
            folder / "match",
            within=within,
            opponents=tuple(filter(None, against.split(","))),
            most=most,
            rules="riichi/tenhou" if south else "riichi/tenhou_east",
            seed=seed,
            workers=workers,
            watch=None if quiet else _watch,
        )
        place = page or folder / "report.html"
        write_benchmark(done, folder / "match", place, within)
    whole = done.rating.whole
    typer.echo(f"{shown_name(bot)}: rating {rating_text(done.rating)} ({len(done.results):,} games; greedy has 1000)")
    typer.echo(f"with the opponents' own errors: {whole.low:.0f} to {whole.high:.0f}")
    if done.faults:
        typer.echo(f"the bot failed in {done.faults} games: see the report")
    if not done.known:
        typer.echo(f"not yet known to ± {within:g}: continue with more --walls")
    typer.echo(f"report: {place}")


def _watch(progress: Progress) -> None:
    """One line for each look."""
    from janshi.luck.benchmark.report import rating_text

    typer.echo(f"{len(progress.results):,} games: rating {rating_text(progress.rating)}", err=True)


def _as_file(bot: str) -> str:
    """A name for a bot's directory: its own name, or what is left of its command."""
    from janshi.arena.contestants import shown_name

    return re.sub(r"[^A-Za-z0-9]+", "-", shown_name(bot)).strip("-")[:40] or "bot"
