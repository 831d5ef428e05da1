"""`janshi career …`: a player's own games, the same that the app shows under My games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from janshi.cli.errors import need_packages, user_errors
from janshi.show.compile_notice import notify_compiling

if TYPE_CHECKING:
    from janshi.career.store import CareerStore

career = typer.Typer(
    help="Your own games: import them, compare your figures with houou players', export or delete everything.",
    no_args_is_help=True,
)
MOST_SHOWN = 10
Data = Annotated[
    Path | None,
    typer.Option(help="Directory of saved data; default $JANSHI_DATA_DIR or your data directory.", file_okay=False),
]


def _open(data: Path | None) -> CareerStore:
    from janshi.career.store import CareerStore
    from janshi.core.files import data_folder

    return CareerStore((data or data_folder()).expanduser() / "career")


@career.command("import")
def import_(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH", help="Files, folders and zip or tar archives.")],
    me: Annotated[list[str] | None, typer.Option(help="Your name in the records; give it again for others.")] = None,
    luck: Annotated[bool, typer.Option("--luck/--no-luck", help="Measure the luck of your games afterwards.")] = True,
    data: Data = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Import games in any format of `janshi records`; copies are recognised by the play, not by the file's name.

    An interrupted import continues when the command is run again. Exit code 1 if some files could not be read.
    """
    with user_errors("career import", interrupted="interrupted; run the command again to continue"):
        notify_compiling()
        need_packages("scipy")
        from janshi.career.importer import import_paths
        from janshi.show.progress import progress_bar

        store = _open(data)
        with progress_bar("importing", quiet) as show:
            done = import_paths(
                store,
                paths,
                report=lambda now: show(now.done_bytes / max(now.total_bytes, 1), f"{now.games:,} games"),
                problem=lambda file, what: typer.echo(f"left out: {file}: {what}", err=True),
            )
        typer.echo(f"{done.games:,} games imported, {done.duplicates:,} copies, {done.problems:,} could not be read")
        if me:
            _set_names(store, me)
        if luck and store.names():
            _measure(store, quiet)
        store.close()
    if done.problems:
        raise typer.Exit(1)


def _set_names(store: CareerStore, names: list[str]) -> None:
    for name in names:
        if not store.games_of(name):
            found = ", ".join(name for name, _ in store.players(MOST_SHOWN)) or "nobody"
            raise ValueError(f"no imported game has a player called {name!r}; the most frequent are {found}")
    store.set_names(list(dict.fromkeys(names)))


def _measure(store: CareerStore, quiet: bool) -> None:
    from janshi.career.luck import TOGETHER, measure_waiting
    from janshi.show.progress import progress_bar

    total, done = len(store.luck_waiting(-1)), 0
    with progress_bar("measuring luck", quiet) as show:
        while step := measure_waiting(store, most=TOGETHER):
            done += step
            show(done / max(total, 1), f"{done:,} of {total:,} games")


@career.command()
def show(
    me: Annotated[list[str] | None, typer.Option(help="Say who you are; give it again for other names.")] = None,
    data: Data = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: the figures of all seats and rounds.")] = False,
) -> None:
    """Show your rank with and without luck, your figures beside houou players', and your habits."""
    with user_errors("career show"):
        notify_compiling()
        need_packages("scipy")
        from rich.console import Console

        from janshi.career.games import own_games
        from janshi.show.career import as_data, print_career

        store = _open(data)
        if me:
            _set_names(store, me)
        names = store.names()
        if not names:
            found = ", ".join(f"{name} ({games})" for name, games in store.players(MOST_SHOWN)) or "no games yet"
            raise ValueError(f"say who you are with --me NAME; found: {found}")
        games = own_games(store, names)
        if not len(games):
            raise ValueError(f"no imported game has a player called {' or '.join(names)}")
        if as_json:
            import json

            data_ = {group: {k: e._asdict() for k, e in table.items()} for group, table in as_data(games).items()}
            text = json.dumps({"names": names, "games": len(games), "figures": data_}, ensure_ascii=False, indent=2)
            typer.echo(text.replace("NaN", "null"))
        else:
            print_career(games, names, Console(highlight=False))
        store.close()


@career.command()
def export(
    out: Annotated[Path, typer.Argument(help="The zip archive to write.", dir_okay=False)],
    data: Data = None,
) -> None:
    """Write everything into one archive: all records, and the figures as CSV and Parquet."""
    with user_errors("career export"):
        from janshi.career.export import export as write

        store = _open(data)
        typer.echo(f"wrote {out}: {write(store, out):,} records")
        store.close()


@career.command()
def delete(
    data: Data = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Delete all imported games and their figures."""
    with user_errors("career delete"):
        store = _open(data)
        count = store.count()
        if not yes and not typer.confirm(f"Delete all {count:,} games of this career?"):
            raise typer.Exit(1)
        store.delete_everything()
        typer.echo(f"{count:,} games deleted")
        store.close()
