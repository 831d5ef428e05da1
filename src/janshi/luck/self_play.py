"""Games of our own players, to teach a value function how they play: as many as are wanted, in seconds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from janshi.arena.match import run_match
from janshi.arena.plan import Plan
from janshi.arena.units import Options
from janshi.luck.games import PlayedGames, join_played
from janshi.luck.matches import games_of_match

QUICK: Final = ("careful", "greedy", "one_player")
"""Players that take microseconds a decision."""
TABLES: Final = (
    (0, 0, 0, 0),
    (0, 0, 1, 1),
    (0, 1, 1, 1),
    (1, 1, 1, 1),
    (0, 1, 2, 2),
    (0, 0, 1, 2),
    (2, 2, 2, 2),
    (0, 0, 2, 2),
)
"""Who sits at a table."""


def self_play(rules: str, games: int, seed: int, players: Sequence[str] = QUICK) -> PlayedGames:
    """So many games (or a few more) among players, at tables of all mixtures, each game on walls of its own."""
    each = -(-games // len(TABLES))
    parts = []
    for number, table in enumerate(TABLES):
        plan = Plan(rules, tuple(players), (table,), each, seed, "independent", first_wall=number * each)
        parts.append(games_of_match(plan, run_match(plan, options=Options(keep_actions=True))))
    return join_played(parts)
