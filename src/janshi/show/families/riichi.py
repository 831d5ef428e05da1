"""Riichi in the terminal: a board that is redrawn after every move, or each hand's course in plain lines."""

from __future__ import annotations

import textwrap
import time
from typing import Final

from rich.console import Console
from rich.live import Live

from janshi.show.board import WIDTH, board
from janshi.show.compile_notice import LOADING
from janshi.show.families import ShowFamily
from janshi.show.result import result_lines, result_panel, standing_lines, standing_panel
from janshi.show.riichi import RiichiShow, warm_up
from janshi.show.tiles import KANJI, LETTERS
from janshi.show.watch import WatchConfig, print_lines

DEFAULT_PACE = 0.12
RESULT_MOVES = 12
"""A hand's result stays for as long as this many moves."""


def watch(config: WatchConfig, console: Console) -> None:
    """Play one game and show it."""
    if console.is_terminal:
        with console.status(LOADING):
            show = _load(config)
        _watch_live(show, config, console)
    else:
        _watch_plain(_load(config), config, console)


def _load(config: WatchConfig) -> RiichiShow:
    """Set up the game and compile everything it needs."""
    warm_up(config.players)
    assert config.seed is not None, "chosen by watch_game"
    style = LETTERS if config.letters else KANJI
    options = {"south": config.south, "open_hands": config.open_hands}
    return RiichiShow(config.rules, config.players, config.seed, **options, style=style)


def _watch_live(show: RiichiShow, config: WatchConfig, console: Console) -> None:
    """Redraw the board after every move; results stay above it."""
    pace = DEFAULT_PACE if config.pace is None else config.pace
    console.print(show.title)
    with Live(board(show.picture(), show.style), console=console, auto_refresh=False, transient=True) as live:
        while not show.over:
            show.advance()
            if show.last_action:
                live.update(board(show.picture(), show.style), refresh=True)
                time.sleep(pace)
            for result in show.results():
                console.print(result_panel(result, show.style))
                time.sleep(RESULT_MOVES * pace)
    console.print(standing_panel(show.standing()))


def _watch_plain(show: RiichiShow, config: WatchConfig, console: Console) -> None:
    """Print each hand's course and result as plain lines."""
    print_lines(console, [show.title])
    head = ""
    course: list[str] = []
    while not show.over:
        head = head if course else show.hand_title()
        show.advance()
        course += show.notes()
        time.sleep(config.pace or 0)
        for result in show.results():
            moves = textwrap.wrap("  ".join(course), WIDTH, initial_indent="  ", subsequent_indent="  ")
            print_lines(console, [head, *moves, *result_lines(result)])
            course = []
    print_lines(console, standing_lines(show.standing()))


FAMILY: Final = ShowFamily(players="careful", watch=watch)
