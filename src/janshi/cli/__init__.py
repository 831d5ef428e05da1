"""The `janshi` command, with one file for each group of subcommands."""

from janshi.cli.command import app, main

__all__ = ["app", "main"]
