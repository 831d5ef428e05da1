"""`janshi explain`: an agent's assessment of a position."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from janshi.cli.errors import user_errors
from janshi.show.compile_notice import notify_compiling

if TYPE_CHECKING:
    from janshi.records.positions import Position


def explain(
    what: Annotated[
        str,
        typer.Argument(help='14 tiles, such as "123m406p789s1122z5m", or a recorded game (the first of an archive).'),
    ],
    agent: Annotated[str, typer.Option(help="The agent to ask, with its options.")] = "apprentice",
    hand: Annotated[int, typer.Option(min=1, help="For a record: the hand, counted from 1.")] = 1,
    player: Annotated[int, typer.Option(min=0, max=3, help="For a record: the seat, 0 to 3.")] = 0,
    turn: Annotated[int, typer.Option(min=1, help="For a record: the player's turn, counted from 1.")] = 1,
    seat: Annotated[str, typer.Option(help="For tiles: the seat wind, E, S, W or N.")] = "E",
    round_wind: Annotated[str, typer.Option("--round", help="For tiles: the round wind.")] = "E",
    dora: Annotated[str, typer.Option(help="For tiles: the dora indicator; random by default.")] = "",
    seed: Annotated[int, typer.Option(help="For tiles: seed of the random indicator and earlier discards.")] = 0,
) -> None:
    """Show how an agent rates each choice: chance to win and to deal in, points, rank, danger, tenpai."""
    from rich.console import Console

    from janshi.agents.explain import Explains
    from janshi.agents.registry import make_agent
    from janshi.show.explain import print_explanation

    with user_errors("explain"):
        notify_compiling()
        position = _position(what, hand, player, turn, seat, round_wind, dora, seed)
        thinker = make_agent(agent, position.table.game)
        if not isinstance(thinker, Explains):
            raise ValueError(f"agent {agent!r} cannot explain itself; {', '.join(_explaining())} can")
        (explanation,) = thinker.explain(position.views())
    console = Console(width=None if Console().is_terminal else 140, highlight=False)
    print_explanation(position.table, position.player, explanation, console, position.answer)


def _position(
    what: str, hand: int, player: int, turn: int, seat: str, round_wind: str, dora: str, seed: int
) -> Position:
    from janshi.core.tiles import TileError, parse_tiles
    from janshi.records.positions import Position, position_of_record, table_of_hand
    from janshi.records.sources import first_game

    if Path(what).exists():
        return position_of_record(first_game(what), hand, player, turn)
    try:
        parse_tiles(what)
    except TileError as error:
        raise ValueError(f"{what} is neither a file nor a list of tiles: {error}") from None
    table = table_of_hand(what, seat=seat, round_wind=round_wind, dora=dora, seed=seed % 2**64)
    return Position(table, table.actor)


def _explaining() -> list[str]:
    from janshi.agents.registry import agent_names, load_agent

    return [name for name in agent_names("riichi") if hasattr(load_agent(name), "explain")]
