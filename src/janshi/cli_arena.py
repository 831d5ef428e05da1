"""Matches, tournaments, reports and the list of agents on the command line."""

from __future__ import annotations

import typer


def add_commands(app: typer.Typer) -> None:
    """Add the arena's commands to the program."""
