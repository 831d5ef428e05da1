"""The `janshi` command, one file a group of subcommands."""

from janshi.cli.command import app, main

__all__ = ["app", "main"]
