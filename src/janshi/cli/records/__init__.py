"""`janshi records …`: check, convert, import, count and show recorded games."""

from __future__ import annotations

import typer

from janshi.cli.records.convert import convert
from janshi.cli.records.dataset import compact, import_
from janshi.cli.records.show import show
from janshi.cli.records.stats import stats
from janshi.cli.records.validate import validate

records = typer.Typer(
    help=(
        "Recorded games: Tenhou mjlog, tenhou.net/6 JSON, mjai JSON lines and other formats of riichi, Botzone's text "
        "and match logs of Guobiao, plain or gzip; single files, folders, tar and zip archives. The format is detected "
        "from the content. Hands and events are counted from 1, seats from 0."
    ),
    no_args_is_help=True,
)
records.command()(validate)
records.command()(convert)
records.command("import")(import_)
records.command()(compact)
records.command()(stats)
records.command()(show)
