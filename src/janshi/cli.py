"""The `janshi` command. Every subcommand imports what it needs only when it runs, so that `--help` is instant."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(
    help="An open laboratory for mahjong AI.",
    no_args_is_help=True,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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
    rules: Annotated[str, typer.Option(help="Rules preset: see `janshi rules`.")] = "tenhou",
    players: Annotated[str, typer.Option(help="Built-in players, one for all seats or four with commas.")] = "greedy",
    seed: Annotated[int | None, typer.Option(help="Seed of the walls; the same seed gives the same game.")] = None,
    pace: Annotated[float | None, typer.Option(help="Seconds a move; default 0.12, and 0 without a terminal.")] = None,
    south: Annotated[bool, typer.Option("--south", help="Play East and South rounds instead of East only.")] = False,
    open_hands: Annotated[bool, typer.Option("--open/--closed", help="Show all hands, or their backs.")] = True,
    letters: Annotated[bool, typer.Option("--letters", help="Write honours as 1z..7z, not 東南西北白發中.")] = False,
) -> None:
    """Watch built-in players play a whole game in the terminal."""
    from janshi.show.watch import WatchConfig, watch_game

    config = WatchConfig(rules, players, seed, pace, south, open_hands, letters)
    try:
        watch_game(config)
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    except ValueError as error:
        typer.echo(f"janshi watch: {error}", err=True)
        raise typer.Exit(2) from None


def main() -> None:
    """Run the command line."""
    app()
