"""Watch a whole game: live in a terminal if its rules have a board, otherwise as plain lines."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from rich.console import Console

from janshi.show.families import SHOW_LAYER


@dataclass(frozen=True, slots=True)
class WatchConfig:
    """What to watch, and how."""

    rules: str = "tenhou"
    """A game's name, or the name of its family or preset."""
    players: str = ""
    """Agents of the seats; empty: the family's default."""
    seed: int | None = None
    pace: float | None = None
    south: bool = False
    open_hands: bool = True
    letters: bool = False


def watch_game(config: WatchConfig, console: Console | None = None) -> None:
    """Play one game and show it; raises `ValueError` if the rules or a player are unknown."""
    from janshi.rules.registry import find_family, spoken_name

    rules = spoken_name(config.rules)
    family = SHOW_LAYER.of(find_family(rules))
    seed = time.time_ns() % 1_000_000 if config.seed is None else config.seed
    config = replace(config, rules=rules, players=config.players or family.players, seed=seed)
    (family.watch or watch_plainly)(config, console or Console(highlight=False))


def watch_plainly(config: WatchConfig, console: Console) -> None:
    """Print a game as plain lines."""
    from janshi.rules.registry import make_game
    from janshi.show.plain import PlainShow

    assert config.seed is not None, "chosen by watch_game"
    for line in PlainShow(make_game(config.rules), config.players, config.seed).lines():
        print_lines(console, [line])
        time.sleep(config.pace or 0)


def print_lines(console: Console, lines: list[str]) -> None:
    """Print lines as they are: no wrapping, no markup."""
    for line in lines:
        console.print(line, soft_wrap=True, markup=False, highlight=False)
