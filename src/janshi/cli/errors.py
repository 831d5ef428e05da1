"""How commands tell a user's mistake: in one line on standard error, without a traceback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

import typer

EXTRAS = {
    "scipy": "arena",
    "openskill": "arena",
    "pyarrow": "records",
    "duckdb": "records",
    "torch": "learn",
    "ray": "cluster",
}
"""Packages that are installed on demand, and with which extra of ours."""
MISTAKES = (ValueError, OSError, ImportError)
"""What a user can do something about; anything else is a fault of ours and keeps its traceback."""


@contextmanager
def mistakes_told(command: str, *others: type[Exception], interrupted: str = "interrupted") -> Iterator[None]:
    """Tell a mistake in one line: exit code 2, and 130 for Ctrl-C. `others` are mistakes of this command."""
    mistakes: tuple[type[Exception], ...] = (*MISTAKES, *others)
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(f"janshi {command}: {interrupted}", err=True)
        raise typer.Exit(130) from None
    except mistakes as error:
        typer.echo(f"janshi {command}: {in_words(error)}", err=True)
        raise typer.Exit(2) from None


def in_words(error: Exception) -> str:
    """What an error says; of the system's own, the file and what is wrong with it, without its number."""
    if isinstance(error, OSError) and error.strerror:
        what = error.strerror[:1].lower() + error.strerror[1:]
        return what if error.filename is None else f"{error.filename}: {what}"
    if isinstance(error, ModuleNotFoundError) and (package := str(error.name).partition(".")[0]) in EXTRAS:
        return missing(package)
    return str(error)


def missing(package: str) -> str:
    """How to install a package that is not there."""
    return f"{package} is needed, which is not installed: pip install 'janshi[{EXTRAS[package]}]'"


def need_packages(*packages: str) -> None:
    """Refuse before any work what would fail after it; raises `ImportError`."""
    for package in packages:
        try:
            import_module(package)
        except ImportError:
            raise ImportError(missing(package)) from None
