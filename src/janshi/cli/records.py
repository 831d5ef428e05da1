"""`janshi records …`: check, convert, import, count and show recorded games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from janshi.cli.errors import user_errors
from janshi.show.compile_notice import notify_compiling

if TYPE_CHECKING:
    from rich.console import Console

    from janshi.records.describe import HandStory, Step
    from janshi.records.importer import Progress
    from janshi.records.model import GameRecord
    from janshi.records.sources import SourceFile
    from janshi.records.stats import Estimate, Stats, Tally

records = typer.Typer(
    help=(
        "Recorded games: Tenhou mjlog, tenhou.net/6 JSON and mjai JSON lines, plain or gzip; single files, folders, "
        "tar and zip archives. The format is detected from the content."
    ),
    no_args_is_help=True,
)

Paths = Annotated[list[str], typer.Argument(metavar="PATH", help="Files, folders or archives with recorded games.")]
TABLE_WIDTH = 140


def _errors_console() -> Console:
    from rich.console import Console

    return Console(stderr=True, highlight=False)


@contextmanager
def _bar(title: str, total: float) -> Iterator[Callable[[float, str], None]]:
    """A progress bar on stderr, in a terminal only; yields a function (done, words)."""
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[words]}"),
    )
    console = _errors_console()
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task(title, total=total or None, words="")
        yield lambda done, words: progress.update(task, completed=done, words=words)


def _read_all(paths: Iterable[str], title: str, refuse: Callable[[SourceFile, str], None]) -> Iterator[GameRecord]:
    """Read all games with a progress bar; files that cannot be read go to `refuse`."""
    import time

    from janshi.records.formats import read_record
    from janshi.records.model import RecordError
    from janshi.records.sources import Sources

    sources = Sources(paths)
    games, start = 0, time.perf_counter()
    with _bar(title, sources.total_bytes) as show:
        for file in sources:
            try:
                if file.problem:
                    raise RecordError(file.name, "", file.problem)
                record = read_record(file.content, file.name)
            except RecordError as error:
                refuse(file, str(error))
                continue
            yield record
            games += 1
            show(sources.done_bytes, f"{games:,} games, {games / (time.perf_counter() - start):,.0f} games/s")


def _games(count: int) -> str:
    """A number of games as text."""
    return "1 game" if count == 1 else f"{count:,} games"


# --- validate


@records.command()
def validate(
    paths: Paths,
    explained: Annotated[
        bool, typer.Option("--explained", help="Also print disagreements that old rules or faulty records explain.")
    ] = False,
) -> None:
    """Replay games through the engine and print every disagreement.

    Exit code 0 if all agree, 1 if a game cannot be read or differs without an explanation.
    """
    from janshi.records.model import RecordError
    from janshi.records.replay import replay_game

    bad: list[str] = []
    counts = {"games": 0, "hands": 0, "explained": 0, "disagreements": 0}

    def refuse(file: SourceFile, what: str) -> None:
        bad.append(file.name)
        typer.echo(what)

    with user_errors("records validate"):
        notify_compiling()
        for record in _read_all(paths, "validating", refuse):
            counts["games"] += 1
            counts["hands"] += len(record.hands)
            try:
                found = replay_game(record)
            except RecordError as error:
                bad.append(record.source)
                typer.echo(str(error))
                continue
            for what in found:
                counts["explained" if what.explained else "disagreements"] += 1
                if explained or not what.explained:
                    typer.echo(str(what))
    if not counts["games"] and not bad:
        typer.echo("janshi records validate: no recorded game was found", err=True)
        raise typer.Exit(2)
    typer.echo(
        f"{_games(counts['games'])}, {counts['hands']:,} hands: {counts['disagreements']:,} disagreements, "
        f"{counts['explained']:,} explained; {_games(len(bad))} cannot be read"
    )
    raise typer.Exit(1 if bad or counts["disagreements"] else 0)


# --- convert


@records.command()
def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="A file, folder or archive.")],
    target: Annotated[
        str | None, typer.Argument(metavar="OUT", help="A file, or a folder for several games; by default stdout.")
    ] = None,
    to: Annotated[
        str | None, typer.Option("--to", help="mjlog, tenhou6 or mjai; by default from OUT's ending.")
    ] = None,
) -> None:
    """Write games in another format.

    OUT's ending chooses the format (.mjlog or .xml, .json for tenhou6, .jsonl or .mjson for mjai), and .gz packs it.
    A folder or archive is converted game by game into the folder OUT. A game that cannot be converted is reported and
    left out (exit code 1). No partial files are left behind.
    """
    from janshi.records.formats import RIICHI, format_names, get_format, known_format

    with user_errors("records convert"):
        notify_compiling()
        many = _is_many(Path(source))
        name = to or _format_by_name(target, many)
        known_format(name, format_names(RIICHI, writable=True))
        if target is not None and Path(target).resolve() == Path(source).resolve():
            raise ValueError(f"{target} is the input: name another file or folder")
        if many and target is None:
            raise ValueError(f"{source} holds several games: name a folder to write them to")
        if many and target is not None and Path(target).is_file():
            raise ValueError(f"{source} holds several games: {target} is a file, expected a folder")
        bad: list[str] = []

        def refuse(file: Any, what: str) -> None:
            bad.append(what)
            typer.echo(f"janshi records convert: {what}", err=True)

        written = 0
        for record in _read_all([source], "converting", refuse):
            try:
                text = get_format(name).write(record)
            except ValueError as error:
                refuse(None, str(error))
                continue
            _write_game(text, _target(record, target, many, name))
            written += 1
        if many and not written and not bad:
            raise ValueError(f"{source} holds no recorded game")
        if many:
            typer.echo(f"{_games(written)} written to {target}", err=True)
    if bad or not written:
        raise typer.Exit(1 if many else 2)


def _is_many(path: Path) -> bool:
    from janshi.records.sources import is_archive

    return path.is_dir() or is_archive(path)


def _format_by_name(target: str | None, many: bool) -> str:
    from janshi.records.formats import FORMATS, RIICHI, format_names

    names = format_names(RIICHI, writable=True)
    endings = {ending: name for name in reversed(names) for ending in FORMATS[name].endings}
    ending = Path((target or "").lower().removesuffix(".gz")).suffix
    if many or ending not in endings:
        *others, last = (f"--to {name}" for name in names)
        raise ValueError(f"unknown format: add {', '.join(others)} or {last}")
    return endings[ending]


def _target(record: GameRecord, target: str | None, many: bool, format: str) -> Path | None:
    if target is None:
        return None
    if not many and not Path(target).is_dir():
        return Path(target)
    from janshi.records.formats import FORMATS
    from janshi.records.sources import game_id

    inside = Path(record.source).parts[1:-1]
    return Path(target).joinpath(*inside) / (game_id(record.source) + FORMATS[format].endings[0])


def _write_game(text: str, path: Path | None) -> None:
    """Write a game whole or not at all."""
    import gzip
    import os

    if path is None:
        typer.echo(text)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    content = text.encode()
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


# --- import


@records.command("import")
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
        with _bar("importing", 1) as show:

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
            f"{_games(done.games)}, {done.hands:,} hands, {done.decisions:,} decisions in {out}; "
            f"{_games(done.errors)} left out"
            + (f" (see {Path(out) / 'errors.jsonl'})" if done.errors else "")
            + (f", {done.duplicates:,} duplicates" if done.duplicates else "")
            + (f"; {done.resumed:,} of {done.units:,} units were done before" if done.resumed else "")
        )
    if not done.games:
        raise typer.Exit(1)


# --- stats


@records.command()
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


@records.command()
def stats(
    paths: Paths,
    player: Annotated[str | None, typer.Option(help="Only this player.")] = None,
    min_games: Annotated[
        int | None, typer.Option("--min-games", min=1, help="List every player with at least this many games.")
    ] = None,
    level: Annotated[str | None, typer.Option(help="Only this Tenhou table: general, upper, tokujou, houou.")] = None,
    length: Annotated[str | None, typer.Option(help="Only East or only South games.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON with all intervals.")] = False,
) -> None:
    """Show win, deal-in, riichi, call and draw rates, average wins and losses, and ranks with 95 % intervals.

    Rates have Wilson intervals; intervals of averages are clustered by game.
    """
    from janshi.records.stats import Stats

    skipped: list[str] = []
    with user_errors("records stats"):
        notify_compiling()
        wanted = _wanted(level, length)
        counted = Stats()
        for record in _read_all(paths, "counting", lambda file, what: skipped.append(what)):
            if wanted(record):
                counted.add(record)
        for what in skipped[:10]:
            typer.echo(f"left out: {what}", err=True)
        if len(skipped) > 10:
            typer.echo(f"left out: {len(skipped) - 10:,} more", err=True)
        if not counted.overall.games:
            raise ValueError("no recorded game was found" if level is length is None else "no such game was found")
        if player is not None and player not in counted.players:
            raise ValueError(f"no player called {player!r} in {counted.overall.games:,} games")
        _print_stats(counted, player, min_games, as_json)


def _wanted(level: str | None, length: str | None) -> Callable[[GameRecord], bool]:
    from janshi.records.describe import LEVELS

    if level is not None and level not in LEVELS:
        raise ValueError(f"no table is called {level!r}; there are {', '.join(LEVELS)}")
    if length is not None and length.lower() not in ("east", "south"):
        raise ValueError(f"games are East or South, not {length!r}")
    rounds = {None: None, "east": 1, "south": 2}[length.lower() if length else None]
    number = None if level is None else LEVELS.index(level)
    return lambda record: number in (None, record.rules.level) and rounds in (None, record.rules.rounds)


def _print_stats(counted: Stats, player: str | None, min_games: int | None, as_json: bool) -> None:
    import json

    from janshi.records.stats import as_data

    tallies: dict[str, Tally] = {"all players": counted.overall}
    if player is not None:
        tallies = {player: counted.players[player]}
    elif min_games is not None:
        tallies.update(counted.named(min_games))
    if as_json:
        typer.echo(json.dumps({name: as_data(tally) for name, tally in tallies.items()}, ensure_ascii=False, indent=2))
    elif len(tallies) == 1:
        _print_one(*next(iter(tallies.items())))
    else:
        _print_many(tallies)


def _console() -> Console:
    from rich.console import Console

    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=TABLE_WIDTH)


def _print_one(name: str, tally: Tally) -> None:
    """One player (or all) as a table: one row per figure."""
    from rich.table import Table
    from rich.text import Text

    from janshi.records.stats import RATES

    title = Text(f"{name}: {_games(tally.games)}, {tally.hands:,} hands")
    table = Table(title=title, title_justify="left", show_edge=False)
    for heading in ("", "value", "95 % interval", "of"):
        table.add_column(heading, justify="left" if not heading else "right")
    for label, estimate in tally.estimates().items():
        if tally.seats > 1 and "rank" in label:
            continue
        form = _percent if label in RATES else _plain
        known = estimate.number > 0 and estimate.low == estimate.low
        interval = f"{form(estimate.low)} – {form(estimate.high)}" if known else ""
        table.add_row(label, form(estimate.value), interval, f"{estimate.number:,}")
    _console().print(table)


COLUMNS = {
    "win": "win rate",
    "deal-in": "deal-in rate",
    "riichi": "riichi rate",
    "call": "call rate",
    "draw": "draw rate",
    "win value": "average win by hand value",
    "loss": "average deal-in loss by score change",
    "rank": "average rank",
}


def _print_many(tallies: dict[str, Tally]) -> None:
    """Several players, one row each, with ± half the interval."""
    from rich.text import Text

    from janshi.records.stats import RATES
    from janshi.show.columns import fitting_table

    console = _console()
    rows: list[list[str | Text]] = []
    for name, tally in tallies.items():
        estimates = tally.estimates()
        cells = [_with_half(estimates[label], _percent if label in RATES else _plain) for label in COLUMNS.values()]
        rows.append([Text(name), f"{tally.games:,}", *cells])
    console.print(fitting_table(["player", "games", *COLUMNS], rows, console.width))


def _with_half(estimate: Estimate, form: Callable[[float], str]) -> str:
    """A value with ± half its interval, if there is one."""
    half = (estimate.high - estimate.low) / 2
    return (form(estimate.value) if isnan(half) else f"{form(estimate.value)} ±{form(half)}").replace(" %", "")


def _percent(value: float) -> str:
    return "–" if value != value else f"{100 * value:.2f} %"


def _plain(value: float) -> str:
    return "–" if value != value else f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3f}"


# --- show


@records.command()
def show(
    path: Annotated[str, typer.Argument(metavar="FILE", help="A recorded game (the first of an archive).")],
    hand: Annotated[int | None, typer.Option(help="Number of the hand, from 1; by default all hands.")] = None,
    player: Annotated[int | None, typer.Option(min=0, max=3, help="Show only this seat's hand, 0 to 3.")] = None,
    letters: Annotated[bool, typer.Option("--letters", help="Write honours as 1z..7z, not 東南西北白發中.")] = False,
) -> None:
    """Print a game turn by turn: hands, draws, discards, calls, and the result with its yaku."""
    with user_errors("records show"):
        notify_compiling()
        from janshi.records.describe import game_title, hand_story
        from janshi.records.sources import first_game

        record = first_game(path)
        if hand is not None and not 1 <= hand <= len(record.hands):
            raise ValueError(f"{path} has hands 1 to {len(record.hands)}, not {hand}")
        console = _console()
        console.print(game_title(record), markup=False, soft_wrap=True)
        for number in range(len(record.hands)) if hand is None else [hand - 1]:
            console.print()
            _print_story(console, hand_story(record, number), player, letters)


def _print_story(console: Console, story: HandStory, player: int | None, letters: bool) -> None:
    """Tiles in colour in a terminal, plain lines elsewhere."""
    from janshi.records.describe import story_lines

    if not console.is_terminal:
        for line in story_lines(story, player):
            console.print(line, markup=False, soft_wrap=True)
        return
    from rich.text import Text

    console.print(Text(story.title, style="bold"))
    for seat in range(len(story.names)):
        console.print(Text(f"  {seat} {story.seat(seat)} {story.scores[seat]:,}"))
    for step in story.steps:
        console.print(_step_text(story, step, player, letters), soft_wrap=True)
    for line in story.result:
        console.print(line, markup=False, soft_wrap=True)


def _step_text(story: HandStory, step: Step, player: int | None, letters: bool) -> Any:
    from rich.text import Text

    from janshi.show.tiles import KANJI, LETTERS, row, tile_text

    style = LETTERS if letters else KANJI
    said = Text(f"  {step.words} ", style="bold" if step.words not in ("discards",) else "")
    if step.tile is not None:
        said.append_text(tile_text(step.tile, style))
    said.append(step.mark, "dim")
    if step.player < 0:
        return said
    head = Text(f"{step.turn:>4}  {story.winds[step.player]:<5} ")
    if player is not None and step.player != player:
        return head + said
    held = row(step.hand, style)
    if step.drawn is not None:
        held = Text.assemble(held, "  ", tile_text(step.drawn, style))
    return Text.assemble(head, held, "  ", " ".join(step.melds), said)
