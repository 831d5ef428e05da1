"""`janshi review`: how often the players of a recorded game agree with an agent, or with any mjai program."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from janshi.cli.errors import user_errors
from janshi.show.compile_notice import notify_compiling

if TYPE_CHECKING:
    from rich.console import Console

    from janshi.luck.agreement import Compared
    from janshi.records.model import GameRecord

WIDTH = 120


def review(
    game: Annotated[str, typer.Argument(help="A recorded riichi game in any format (the first of an archive).")],
    by: Annotated[
        str,
        typer.Option(
            help="The reviewer: an agent with its options, or a program that speaks mjai, as in `janshi match`: "
            "'mjai:python bot.py', 'mjai,reply=always,seconds=10:./bot'."
        ),
    ] = "apprentice",
    player: Annotated[
        str | None, typer.Option(help="Only this player: a name, or a seat from 0 to 3.", show_default="all")
    ] = None,
    differences: Annotated[int, typer.Option(min=0, help="List at most this many differences.")] = 20,
    as_json: Annotated[bool, typer.Option("--json", help="Print every decision as JSON.")] = False,
) -> None:
    """Compare every decision of a game with a reviewer's answer: agreement only, no values.

    Values, losses and reasons are in the app's reviews (`janshi web`), error rates in `janshi luck --errors`.
    """
    with user_errors("review"):
        from rich.console import Console

        from janshi.luck.agreement import compare
        from janshi.records.sources import first_game

        notify_compiling()
        record = first_game(game)
        found = list(compare(record, by, _seats(record, player)))
    if as_json:
        typer.echo(json.dumps([_json(record, one) for one in found], ensure_ascii=False))
        return
    console = Console(width=None if Console().is_terminal else WIDTH, highlight=False)
    _print_agreement(record, found, by, console)
    _print_differences(record, found, differences, console)


def _seats(record: GameRecord, player: str | None) -> list[int]:
    """The seats of the players asked for."""
    names = [name or "" for name in record.names]
    if player is None:
        return list(range(len(names)))
    if player in names:
        return [names.index(player)]
    if player.isdecimal() and int(player) < len(names):
        return [int(player)]
    raise ValueError(f"no player is called {player!r}; players are {', '.join(filter(None, names)) or 'seats 0 to 3'}")


def _name(record: GameRecord, seat: int) -> str:
    return record.names[seat] or f"seat {seat}"


def _json(record: GameRecord, one: Compared) -> dict[str, Any]:
    return {
        "hand": one.hand + 1,
        "seat": one.seat,
        "name": _name(record, one.seat),
        "turn": one.turn,
        "kind": one.kind,
        "played": one.played_name,
        "reviewer": one.answer_name,
        "agreed": one.agreed,
    }


def _print_agreement(record: GameRecord, found: list[Compared], by: str, console: Console) -> None:
    from rich.table import Table

    kinds = list(dict.fromkeys(one.kind for one in found))
    table = Table(title=f"Agreement with {by}", title_justify="left", box=None)
    for name in ("player", "decisions", "agreement", *kinds):
        table.add_column(name, justify="left" if name == "player" else "right")
    for seat in sorted({one.seat for one in found}):
        own = [one for one in found if one.seat == seat]
        cells = [_share([one for one in own if one.kind == kind]) for kind in kinds]
        table.add_row(_name(record, seat), str(len(own)), _share(own), *cells)
    console.print(table)


def _share(some: list[Compared]) -> str:
    return f"{100 * sum(one.agreed for one in some) / len(some):.1f} %" if some else ""


def _print_differences(record: GameRecord, found: list[Compared], most: int, console: Console) -> None:
    from rich.table import Table

    differ = [one for one in found if not one.agreed]
    if not differ or not most:
        return
    table = Table(title=f"Differences ({min(most, len(differ))} of {len(differ)})", title_justify="left", box=None)
    for name in ("hand", "turn", "player", "played", "reviewer"):
        table.add_column(name, justify="right" if name in ("hand", "turn") else "left")
    for one in differ[:most]:
        table.add_row(str(one.hand + 1), str(one.turn), _name(record, one.seat), one.played_name, one.answer_name)
    console.print()
    console.print(table)
