"""Games of our own players, to teach a value function how they play: as many as are wanted, in seconds."""

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
"""Players that take microseconds a decision."""
TABLES: Final = tuple(combinations_with_replacement(range(len(QUICK)), PLAYERS))
"""Who sits at a table: all mixtures of three players."""


def self_play(rules: str, games: int, seed: int, players: Sequence[str] = QUICK) -> PlayedGames:
    """So many games (or a few more) among players, at tables of all mixtures, each game on walls of its own."""
    each = -(-games // len(TABLES))
    return join_played([play_table(rules, number, each, seed, players) for number in range(len(TABLES))])


def play_table(rules: str, unit: int, games: int, seed: int, players: Sequence[str] = QUICK) -> PlayedGames:
    """Games at one table. Units of a seed take the tables in turn, each on walls that no other has."""
    table = TABLES[unit % len(TABLES)]
    plan = Plan(rules, tuple(players), (table,), games, seed, "independent", first_wall=unit * games)
    return games_of_match(plan, run_match(plan, options=Options(keep_actions=True)))
