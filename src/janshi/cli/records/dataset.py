"""`janshi records import` and `janshi records compact`: data sets made from recorded games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from janshi.cli.errors import user_errors
from janshi.cli.records.games import Paths, games_text
from janshi.show.compile_notice import notify_compiling
from janshi.show.progress import progress_bar

if TYPE_CHECKING:
    from janshi.records.importer import Progress


def import_(
    paths: Paths,
    out: Annotated[
        str, typer.Option("--out", help="Folder of the data set: a new one, or that of an import to continue.")
    ],
    workers: Annotated[int | None, typer.Option(min=1, help="Processes; by default one per core.")] = None,
) -> None:
    """Make a data set (Parquet, one row per hand) from games, each replayed through the engine.

    Run the same command again to continue an interrupted import. Games that cannot be read or that the engine
    disagrees with are left out and listed in OUT/errors.jsonl. See docs/datasets.md for the columns. Exit code 1 if
    no game could be kept.
    """
    import time

    with user_errors("records import"):
        notify_compiling()
        from janshi.records.importer import import_records

        start = time.perf_counter()
        with progress_bar("importing") as show:

            def report(progress: Progress) -> None:
                speed = progress.games / (time.perf_counter() - start)
                words = f"{progress.games:,} games, {speed:,.0f} games/s, {progress.errors:,} left out"
                show(progress.done_bytes / max(progress.total_bytes, 1), words)

            try:
                done = import_records(paths, out, workers, report=report)
            except KeyboardInterrupt:
                typer.echo(f"interrupted: run the same command again to continue in {out}", err=True)
                raise typer.Exit(130) from None
        typer.echo(
            f"{games_text(done.games)}, {done.hands:,} hands, {done.decisions:,} decisions in {out}; "
            f"{games_text(done.errors)} left out"
            + (f" (see {Path(out) / 'errors.jsonl'})" if done.errors else "")
            + (f", {done.duplicates:,} duplicates" if done.duplicates else "")
            + (f"; {done.resumed:,} of {done.units:,} units were done before" if done.resumed else "")
        )
    if not done.games:
        raise typer.Exit(1)


def compact(
    data: Annotated[Path, typer.Argument(help="A data set made by `janshi records import`.", file_okay=False)],
    out: Annotated[Path, typer.Argument(help="The file to write, such as houou.hands.", dir_okay=False)],
) -> None:
    """Write a riichi data set as one small training file: draws, answers and situations only."""
    from janshi.records.compact import write_compact
    from janshi.records.dataset import Dataset

    with user_errors("records compact"):
        dataset = Dataset(data)
        size = write_compact(dataset, out)
        typer.echo(f"wrote {len(dataset):,} hands to {out}: {size / 1e6:.1f} MB")
