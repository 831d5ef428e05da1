"""Games between our own players to train a value function on: thousands in seconds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import Final

from janshi.arena.match import run_match
from janshi.arena.plan import Plan
from janshi.arena.units import Options
from janshi.luck.games import PlayedGames, join_played
from janshi.luck.matches import games_of_match
from janshi.rules.riichi.state import PLAYERS

QUICK: Final = ("careful", "greedy", "one_player")
"""Players that decide in microseconds."""
TABLES: Final = tuple(combinations_with_replacement(range(len(QUICK)), PLAYERS))
"""Players of each kind of table: all mixtures of three players."""


def self_play(rules: str, games: int, seed: int, players: Sequence[str] = QUICK) -> PlayedGames:
    """At least `games` games at tables of all mixtures, each game on its own walls."""
    each = -(-games // len(TABLES))
    return join_played([play_table(rules, number, each, seed, players) for number in range(len(TABLES))])


def play_table(rules: str, unit: int, games: int, seed: int, players: Sequence[str] = QUICK) -> PlayedGames:
    """Games at one table. Units of a seed take the tables in turn, each on its own walls."""
    table = TABLES[unit % len(TABLES)]
    plan = Plan(rules, tuple(players), (table,), games, seed, "independent", first_wall=unit * games)
    return games_of_match(plan, run_match(plan, options=Options(keep_actions=True)))
