"""`janshi bot`: our agents as bots for other people's servers."""

from __future__ import annotations

import typer

bots = typer.Typer(help="Our agents as bots: they speak mjai or Botzone's protocol.", no_args_is_help=True)
