"""How commands report a user's mistake: in one line on standard error, without a traceback."""

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
"""Optional packages, and the extra of ours that installs each."""
MISTAKES = (ValueError, OSError, ImportError)
"""Errors a user can fix; any other is a bug of ours and keeps its traceback."""


@contextmanager
def user_errors(command: str, *others: type[Exception], interrupted: str = "interrupted") -> Iterator[None]:
    """Report a user's mistake in one line and exit with 2 (130 after Ctrl-C). `others` are further errors to catch."""
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
    """The message of an error; for a system error, the file and the reason without the number."""
    if isinstance(error, OSError) and error.strerror:
        what = error.strerror[:1].lower() + error.strerror[1:]
        return what if error.filename is None else f"{error.filename}: {what}"
    if isinstance(error, ModuleNotFoundError) and (package := str(error.name).partition(".")[0]) in EXTRAS:
        return missing(package)
    return str(error)


def missing(package: str) -> str:
    """How to install a missing package."""
    return f"{package} is needed, which is not installed: pip install 'janshi[{EXTRAS[package]}]'"


def need_packages(*packages: str) -> None:
    """Raise `ImportError` if a package is missing, before any work is done."""
    for package in packages:
        try:
            import_module(package)
        except ImportError:
            raise ImportError(missing(package)) from None
