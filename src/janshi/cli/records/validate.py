"""`janshi records validate`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated

import typer

from janshi.cli.errors import user_errors
from janshi.cli.records.games import Paths, games_text, hand_place, read_all
from janshi.show.compile_notice import notify_compiling
from janshi.show.counts import counted

if TYPE_CHECKING:
    from janshi.records.botzone.model import HandRecord
    from janshi.records.model import GameRecord
    from janshi.records.sources import SourceFile


def validate(
    paths: Paths,
    explained: Annotated[
        bool, typer.Option("--explained", help="Also print disagreements that old rules or faulty records explain.")
    ] = False,
) -> None:
    """Replay games through the engine and print every disagreement.

    Exit code 0 if all agree, 1 if a game cannot be read or differs without an explanation.
    """
    bad: list[str] = []
    counts: Counter[str] = Counter()

    def refuse(file: SourceFile, what: str) -> None:
        bad.append(file.name)
        typer.echo(what)

    with user_errors("records validate"):
        notify_compiling()
        for file, found in read_all(paths, "validating", refuse):
            if isinstance(found, list):
                _validate_hands(file, found, counts)
            elif not _validate_game(found, counts, explained):
                bad.append(file.name)
    if not counts["games"] and not bad:
        typer.echo("janshi records validate: no recorded game was found", err=True)
        raise typer.Exit(2)
    typer.echo(
        f"{games_text(counts['games'])}, {counted(counts['hands'], 'hand')}: "
        f"{counted(counts['disagreements'], 'disagreement')}, {counts['explained']:,} explained; "
        f"{games_text(len(bad))} cannot be read"
    )
    raise typer.Exit(1 if bad or counts["disagreements"] else 0)


def _validate_game(record: GameRecord, counts: Counter[str], explained: bool) -> bool:
    """Replay a riichi game; False if that is impossible."""
    from janshi.records.model import RecordError
    from janshi.records.replay import replay_game

    counts.update(games=1, hands=len(record.hands))
    try:
        found = replay_game(record)
    except RecordError as error:
        typer.echo(str(error))
        return False
    for what in found:
        counts["explained" if what.explained else "disagreements"] += 1
        if explained or not what.explained:
            typer.echo(str(what))
    return True


def _validate_hands(file: SourceFile, hands: list[HandRecord], counts: Counter[str]) -> None:
    """Replay the Guobiao hands of a file, each a game on Botzone."""
    from janshi.records.botzone.replay import replay_any_way
    from janshi.records.model import RecordError

    counts.update(games=len(hands), hands=len(hands))
    for number, hand in enumerate(hands, 1):
        try:
            replay_any_way(hand)
        except RecordError as error:
            counts["disagreements"] += 1
            typer.echo(f"{hand_place(file, number, hand, error.place)}: {error.problem}")
