"""The `janshi` command. Every subcommand imports what it needs only when it runs, so that `--help` is instant."""

from __future__ import annotations

from typing import Annotated

import typer

from janshi.cli.arena import add_commands
from janshi.cli.benchmark import benchmark_bot
from janshi.cli.bots import bots
from janshi.cli.career import career
from janshi.cli.errors import user_errors
from janshi.cli.explain import explain
from janshi.cli.luck import luck
from janshi.cli.measure import measure
from janshi.cli.records import records
from janshi.cli.review import review
from janshi.cli.train import train
from janshi.cli.web import web
from janshi.show.compile_notice import notify_compiling

app = typer.Typer(
    help="An open laboratory for mahjong AI.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(records, name="records")
app.add_typer(career, name="career")
app.add_typer(bots, name="bot")
app.add_typer(train, name="train")
app.add_typer(measure, name="measure")
add_commands(app)
app.command(name="benchmark-bot")(benchmark_bot)
app.command()(explain)
app.command()(review)
app.command()(luck)
app.command()(web)


def _version(wanted: bool) -> None:
    """Print the version and stop."""
    if wanted:
        from janshi import __version__

        typer.echo(f"janshi {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """An open laboratory for mahjong AI."""


@app.command()
def watch(
    rules: Annotated[
        str, typer.Option(help="Rules: a riichi preset (see `janshi rules`), guobiao, simplified, or installed rules.")
    ] = "tenhou",
    players: Annotated[
        str,
        typer.Option(help="Agents: one for all seats, or one per seat, separated by commas (semicolons with options)."),
    ] = "",
    seed: Annotated[int | None, typer.Option(help="Seed of the walls; the same seed gives the same game.")] = None,
    pace: Annotated[
        float | None, typer.Option(min=0, help="Seconds per move; default 0.12, or 0 without a terminal.")
    ] = None,
    south: Annotated[bool, typer.Option("--south", help="Play East and South rounds instead of East only.")] = False,
    open_hands: Annotated[bool, typer.Option("--open/--closed", help="Show all hands, or only their backs.")] = True,
    letters: Annotated[bool, typer.Option("--letters", help="Write honours as 1z..7z, not 東南西北白發中.")] = False,
) -> None:
    """Watch agents play a whole game in the terminal."""
    from janshi.show.watch import WatchConfig, watch_game

    config = WatchConfig(rules, players, seed, pace, south, open_hands, letters)
    with user_errors("watch"):
        watch_game(config)


@app.command()
def hand(
    tiles: Annotated[
        str, typer.Argument(help='13 or 14 tiles, such as "123m406p789s1122z" or "234m406p6634s (777z)".')
    ],
    tsumo: Annotated[bool, typer.Option("--tsumo", help="Won by self-draw.")] = False,
    riichi: Annotated[bool, typer.Option("--riichi", help="In riichi.")] = False,
    seat: Annotated[str, typer.Option(help="Seat wind: E, S, W or N.")] = "E",
    round_wind: Annotated[str, typer.Option("--round", help="Round wind: E, S, W or N.")] = "E",
    dora: Annotated[str, typer.Option(help="Dora indicators.")] = "",
) -> None:
    """Show a riichi hand's shanten and useful tiles, or its score if it is complete (won on its last tile)."""
    from janshi.core.tiles import parse_tiles
    from janshi.rules.riichi.hand import Hand
    from janshi.show.hand import describe

    circumstances = {
        "tsumo": tsumo,
        "riichi": riichi,
        "seat_wind": seat,
        "round_wind": round_wind,
        "dora_indicators": dora,
    }
    with user_errors("hand"):
        notify_compiling()
        for option, wind in (("--seat", seat), ("--round", round_wind)):
            if not wind or wind[0].upper() not in "ESWN":
                raise ValueError(f"{option} is E, S, W or N, not {wind!r}")
        parse_tiles(dora)  # check them even if the hand is not complete
        typer.echo("\n".join(describe(Hand(tiles), circumstances)))


@app.command()
def rules() -> None:
    """List the riichi presets with every flag."""
    from rich.console import Console

    from janshi.show.rules import rules_grid

    Console(width=None if Console().is_terminal else 120).print(rules_grid())


def main() -> None:
    """Run the command line."""
    app()
