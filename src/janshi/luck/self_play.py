"""Games of our own players, to teach a value function how they play: as many as are wanted, in seconds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from janshi.arena.match import run_match
from janshi.arena.plan import Plan
from janshi.arena.units import Options
from janshi.luck.games import PlayedGames
from janshi.luck.matches import games_of_match
from janshi.rules.riichi.ruleset import Ruleset

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
    """So many games (or a few more) among players, at tables of all mixtures."""
    walls = -(-games // len(TABLES))
    plan = Plan(rules, tuple(players), TABLES, walls=walls, seed=seed, seating="independent")
    return games_of_match(plan, run_match(plan, options=Options(keep_actions=True)))


def joined(parts: Sequence[PlayedGames]) -> PlayedGames:
    """Games of several origins as one."""
    hands, game, answers = [], [], []
    rules: list[Ruleset] = []
    at, first = 0, 0
    for part in parts:
        some = part.hands.copy()
        some["first"] += first
        some["rules"] += len(rules)
        hands.append(some)
        answers.append(part.answers)
        rules += part.rules
        game.append(part.game + at)
        at += len(part)
        first += len(part.answers)
    whole = np.concatenate(hands)
    whole["row"] = np.arange(len(whole))
    return PlayedGames(
        whole,
        np.concatenate(answers),
        np.concatenate(game).astype(np.int32),
        np.concatenate([part.ranks for part in parts]),
        np.concatenate([part.scores for part in parts]),
        rules,
        [names for part in parts for names in part.names],
        [source for part in parts for source in part.sources],
        [problem for part in parts for problem in part.problems],
    )
