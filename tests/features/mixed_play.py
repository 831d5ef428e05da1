"""Positions from games of players who mostly play for speed and sometimes at random: riichi, melds and tenpai occur."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from janshi.rules.batch import Batch
from janshi.rules.registry import make_game
from janshi.rules.riichi.actions import HALF
from janshi.rules.riichi.policies import answer_views, new_mind, policy_number
from janshi.rules.riichi.state import TURN


class Played(NamedTuple):
    """Decisions of one step: oracle views, the players, the tables, what was answered, and the tables after it."""

    hidden: Any
    tables: Any
    players: Any
    actions: Any
    after: Any


@cache
def played(tables: int = 40, steps: int = 250, seed: int = 3) -> list[Played]:
    """Every decision of some tables, step by step."""
    game = make_game("riichi/tenhou")
    batch = Batch(game, tables=tables, seed=seed)
    rng = np.random.default_rng(seed)
    out = []
    for _ in range(steps):
        hidden = batch.oracle_views()
        views, actions = batch.views(), batch.random_actions().copy()
        greedy = np.zeros(len(batch), np.int64)
        words = rng.integers(2**63, size=len(batch)).astype(np.uint64)
        answer_views(views, policy_number("greedy"), words, greedy, new_mind(), game.new_context()[1])
        mixed = np.where(views["phase"] == TURN, 0.1, 0.4)  # calls are what greedy players never make
        actions = np.where(rng.random(len(batch)) < mixed, actions, greedy)
        tables_of, players = batch.tables.copy(), batch.players.copy()
        batch.step(actions)
        out.append(Played(hidden, tables_of, players, actions, np.array(batch.states)))
    return out


@cache
def positions(count: int = 1500, seed: int = 5) -> Any:
    """Oracle views of own turns, chosen at random."""
    hidden = np.concatenate([step.hidden for step in played()])
    own = hidden[(hidden["phase"] == TURN) & (hidden["actor"] == 0)]
    return own[np.random.default_rng(seed).permutation(len(own))[:count]]


def may(view: Any, action: int) -> bool:
    """Whether a view's player may answer so."""
    return bool(int(view["legal"][action // HALF]) >> action % HALF & 1)
