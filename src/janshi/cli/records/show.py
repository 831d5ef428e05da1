"""`janshi records show`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from janshi.cli.errors import user_errors
from janshi.cli.records.games import console
from janshi.show.compile_notice import notify_compiling

if TYPE_CHECKING:
    from rich.console import Console

    from janshi.records.describe import HandStory, Step


def show(
    path: Annotated[str, typer.Argument(metavar="FILE", help="A recorded game (the first of an archive).")],
    hand: Annotated[int | None, typer.Option(help="Number of the hand, from 1; by default all hands.")] = None,
    player: Annotated[int | None, typer.Option(min=0, max=3, help="Show only this seat's hand, 0 to 3.")] = None,
    letters: Annotated[bool, typer.Option("--letters", help="Write honours as 1z..7z, not 東南西北白發中.")] = False,
) -> None:
    """Print a game turn by turn: hands, draws, discards, calls, and the result with its yaku or fan.

    Each line begins with the number of its event, as messages count them; a draw is the event before its discard.
    """
    with user_errors("records show"):
        notify_compiling()
        from janshi.records.describe import game_title, hand_story
        from janshi.records.sources import first_found

        found = first_found(path)
        hands = found if isinstance(found, list) else found.hands
        if hand is not None and not 1 <= hand <= len(hands):
            raise ValueError(f"{path} has hands 1 to {len(hands)}, not {hand}")
        screen = console()
        if not isinstance(found, list):
            screen.print(game_title(found), markup=False, soft_wrap=True)
        for number in range(1, len(hands) + 1) if hand is None else [hand]:
            if isinstance(found, list):
                _print_guobiao(screen, found, number, player)
            else:
                screen.print()
                _print_story(screen, hand_story(found, number - 1), player, letters)


def _print_guobiao(screen: Console, hands: list[Any], number: int, player: int | None) -> None:
    from janshi.records.botzone.describe import hand_lines

    for line in hand_lines(hands[number - 1], number, player):
        screen.print(line, markup=False, soft_wrap=True)
    screen.print()


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
    number = "" if step.event is None else step.event
    if step.player < 0:
        return Text(f"{number:>4}") + said
    head = Text(f"{number:>4}  {story.winds[step.player]:<5} ")
    if player is not None and step.player != player:
        return head + said
    held = row(step.hand, style)
    if step.drawn is not None:
        held = Text.assemble(held, "  ", tile_text(step.drawn, style))
    return Text.assemble(head, held, "  ", " ".join(step.melds), said)
