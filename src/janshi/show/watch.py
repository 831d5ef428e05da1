"""Watch a whole game: live in a terminal, as plain lines anywhere else."""

from __future__ import annotations

import textwrap
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.console import Console
from rich.live import Live

from janshi.show.board import WIDTH, board
from janshi.show.compile_notice import LOADING
from janshi.show.result import result_lines, result_panel, standing_lines, standing_panel
from janshi.show.tiles import KANJI, LETTERS

if TYPE_CHECKING:
    from janshi.show.riichi import RiichiShow

DEFAULT_PACE = 0.12
RESULT_MOVES = 12
"""A hand's result stays for as long as this many moves."""


@dataclass(frozen=True, slots=True)
class WatchConfig:
    """What to watch, and how."""

    rules: str = "tenhou"
    players: str = "careful"
    seed: int | None = None
    pace: float | None = None
    south: bool = False
    open_hands: bool = True
    letters: bool = False


def watch_game(config: WatchConfig, console: Console | None = None) -> None:
    """Play one game and show it; raises `ValueError` if the rules or a player are unknown."""
    console = console or Console(highlight=False)
    family = config.rules.partition("/")[0]
    if family == "simplified":
        raise ValueError(f"riichi presets and guobiao can be watched, not {config.rules!r}")
    if family == "guobiao":
        _watch_guobiao(config, console)
    elif console.is_terminal:
        with console.status(LOADING):
            show = _load(config)
        _watch_live(show, config, console)
    else:
        _watch_plain(_load(config), config, console)


def _load(config: WatchConfig) -> RiichiShow:
    """Set up the game; imports and compiles all that it needs."""
    from janshi.show.riichi import RiichiShow, warm_up

    warm_up(config.players)

    seed = time.time_ns() % 1_000_000 if config.seed is None else config.seed
    style = LETTERS if config.letters else KANJI
    return RiichiShow(config.rules, config.players, seed, south=config.south, open_hands=config.open_hands, style=style)


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
    _print_lines(console, [show.title])
    head = ""
    course: list[str] = []
    while not show.over:
        head = head if course else show.hand_title()
        show.advance()
        course += show.notes()
        time.sleep(config.pace or 0)
        for result in show.results():
            moves = textwrap.wrap("  ".join(course), WIDTH, initial_indent="  ", subsequent_indent="  ")
            _print_lines(console, [head, *moves, *result_lines(result)])
            course = []
    _print_lines(console, standing_lines(show.standing()))


def _watch_guobiao(config: WatchConfig, console: Console) -> None:
    """Print a Guobiao game as plain lines; it has no board yet."""
    from janshi.show.guobiao import GuobiaoShow

    seed = time.time_ns() % 1_000_000 if config.seed is None else config.seed
    for line in GuobiaoShow(config.rules, config.players, seed).lines():
        _print_lines(console, [line])
        time.sleep(config.pace or 0)


def _print_lines(console: Console, lines: list[str]) -> None:
    """Print lines as they are: no wrapping, no markup."""
    for line in lines:
        console.print(line, soft_wrap=True, markup=False, highlight=False)
