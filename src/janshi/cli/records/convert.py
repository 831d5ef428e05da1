"""`janshi records convert`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from janshi.cli.errors import user_errors
from janshi.cli.records.games import games_text, hand_place, read_all
from janshi.show.compile_notice import notify_compiling

if TYPE_CHECKING:
    from janshi.records.botzone.model import HandRecord
    from janshi.records.model import GameRecord
    from janshi.records.sources import SourceFile
    from janshi.rules.family import Family


class Converted(NamedTuple):
    """The text of a converted game, or why there is none."""

    text: str
    problem: str = ""
    name: str = ""
    """The name of its file, if it is not that of the input."""


def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="A file, folder or archive.")],
    target: Annotated[
        str | None, typer.Argument(metavar="OUT", help="A file, or a folder for several games; by default stdout.")
    ] = None,
    to: Annotated[
        str | None,
        typer.Option("--to", help="mjlog, tenhou6, mjai; botzone, botzone_log; by default from OUT's ending."),
    ] = None,
) -> None:
    """Write games in another format.

    OUT's ending chooses the format (.mjlog or .xml, .json for tenhou6, .jsonl or .mjson for mjai; for Guobiao hands
    .txt for Botzone's text, .json for its match log), and .gz packs it. A folder or archive is converted game by game
    into the folder OUT, and so are several hands of a text into match logs. A game that cannot be converted is
    reported and left out (exit code 1). No partial files are left behind.
    """
    with user_errors("records convert"):
        notify_compiling()
        many = _is_many(Path(source))
        _check_target(source, target, many, to)
        bad: list[str] = []

        def refuse(file: SourceFile | None, what: str) -> None:
            bad.append(what)
            typer.echo(f"janshi records convert: {what}", err=True)

        written = 0
        for file, found in read_all([source], "converting", refuse):
            name = _format_for(found, file, target, many, to)
            if name == "botzone_log" and isinstance(found, list) and len(found) > 1 and not many:
                if to is None:
                    raise ValueError(f"{file.name} holds {len(found)} hands: name a folder and add --to botzone_log")
                _check_folder(f"{file.name} holds {len(found)} hands", target)
                many = True
            for made in _texts(file, found, name):
                if made.problem:
                    refuse(None, made.problem)
                    continue
                _write_game(made.text, _path(file, made, target, many, name))
                written += 1
        if many and not written and not bad:
            raise ValueError(f"{source} holds no recorded game")
        if many:
            typer.echo(f"{games_text(written)} written to {target}", err=True)
    if bad or not written:
        raise typer.Exit(1 if many else 2)


def _is_many(path: Path) -> bool:
    from janshi.records.sources import is_archive, is_large

    return path.is_dir() or is_archive(path) or is_large(path)


def _check_target(source: str, target: str | None, many: bool, to: str | None) -> None:
    """Refuse what cannot be right, before anything is read."""
    from janshi.records.formats import format_names, known_format

    if to is not None:
        known_format(to, format_names(writable=True))
    elif many:
        raise _unknown_format()
    if target is not None and Path(target).resolve() == Path(source).resolve():
        raise ValueError(f"{target} is the input: name another file or folder")
    if many:
        _check_folder(f"{source} holds several games", target)


def _check_folder(why: str, target: str | None) -> None:
    if target is None:
        raise ValueError(f"{why}: name a folder to write them to")
    if Path(target).is_file():
        raise ValueError(f"{why}: {target} is a file, expected a folder")


def _unknown_format(family: Family | None = None) -> ValueError:
    return ValueError(f"unknown format: add {_options(family)}")


def _options(family: Family | None = None) -> str:
    from janshi.records.formats import format_names

    *others, last = (f"--to {name}" for name in format_names(family, writable=True))
    return f"{', '.join(others)} or {last}"


def _holds(file: SourceFile, family: Family) -> str:
    from janshi.rules.guobiao.family import FAMILY as GUOBIAO

    return f"{file.name} holds {'Guobiao hands' if family == GUOBIAO else 'a riichi game'}"


def _format_for(
    found: GameRecord | list[HandRecord], file: SourceFile, target: str | None, many: bool, to: str | None
) -> str:
    """The format to write: the one named, or the one of OUT's ending; it must be one of the game's rules."""
    from janshi.records.formats import FORMATS, format_names
    from janshi.rules.guobiao.family import FAMILY as GUOBIAO
    from janshi.rules.riichi.family import FAMILY as RIICHI

    family = GUOBIAO if isinstance(found, list) else RIICHI
    names = format_names(family, writable=True)
    if to is not None:
        if to not in names:
            raise ValueError(f"{_holds(file, family)}, which can be written as {', '.join(names)}, not as {to}")
        return to
    endings = {ending: name for name in reversed(names) for ending in FORMATS[name].endings}
    ending = Path((target or "").lower().removesuffix(".gz")).suffix
    if not many and ending in endings:
        return endings[ending]
    if any(ending in known.endings for known in FORMATS.values()):
        raise ValueError(f"{_holds(file, family)}, which cannot be written as {ending}: add {_options(family)}")
    raise _unknown_format(family)


def _texts(file: SourceFile, found: GameRecord | list[HandRecord], name: str) -> Iterator[Converted]:
    """What is written for a file: one text, or a match log for each of its hands."""
    if name == "botzone_log" and isinstance(found, list):
        for number, hand in enumerate(found, 1):
            yield _log_of(file, number, hand)
        return
    from janshi.records.formats import get_format, get_hands_format

    try:
        if isinstance(found, list):
            yield Converted(get_hands_format(name).write_all(found))
        else:
            yield Converted(get_format(name).write(found))
    except ValueError as error:
        yield Converted("", str(error))


def _log_of(file: SourceFile, number: int, hand: HandRecord) -> Converted:
    from janshi.records.botzone.log import write

    name = re.sub(r"[^\w.-]", "_", hand.match)[:80] or str(number)
    try:
        return Converted(write(hand), name=name.lstrip(".") or str(number))
    except (ValueError, LookupError) as error:
        return Converted("", f"{hand_place(file, number, hand)}: cannot be written ({error})")


def _path(file: SourceFile, made: Converted, target: str | None, many: bool, format: str) -> Path | None:
    """Where to write a game; None for stdout."""
    if target is None:
        return None
    if not many and not Path(target).is_dir():
        return Path(target)
    from janshi.records.formats import FORMATS
    from janshi.records.sources import game_id

    inside = Path(file.name).parts[1:-1]
    return Path(target).joinpath(*inside) / ((made.name or game_id(file.name)) + FORMATS[format].endings[0])


def _write_game(text: str, path: Path | None) -> None:
    """Write a game whole or not at all."""
    import gzip

    from janshi.core.files import replacing

    if path is None:
        typer.echo(text)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    content = text.encode()
    with replacing(path) as temporary:
        temporary.write_bytes(gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)
