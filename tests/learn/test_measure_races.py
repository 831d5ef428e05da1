"""What `scripts/measure_races.py` and `scripts/measure_foresight.py` find."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

import measure_foresight
import measure_races
from janshi.agents.base import Asked
from janshi.agents.registry import make_agent
from janshi.rules.batch import Batch
from janshi.rules.game import Game
from janshi.rules.guobiao import actions as act
from janshi.rules.registry import make_game


def test_the_search_model_wins_more_races_and_earlier_than_greed() -> None:
    greed, search = (measure_races.race(name, 60) for name in ("greedy", "search:most=500"))
    for results, won, turns in (greed, search):
        assert ((results > 0) == won).all()
        assert (turns[won] <= 21).all()
    assert search[1].sum() > greed[1].sum() + 5
    assert search[0].mean() > greed[0].mean()
    told = measure_races.row("search", search, greed[0])
    assert f"{100 * search[1].mean():.1f} %" in told


def test_coming_draws_are_those_that_come() -> None:
    batch = Batch(make_game("guobiao/botzone"), tables=8, seed=4, restart=False)
    seen = 0
    for _ in range(60):
        tables = np.repeat(np.arange(8), 4)
        players = np.tile(np.arange(4), 8)
        before, left = measure_foresight.coming_draws(batch.states, tables, players), batch.states.left.copy()
        batch.step(batch.random_actions())
        for table in np.flatnonzero((batch.states.drawn >= 0) & (batch.states.after_kong == 0)):
            actor = int(batch.states.actor[table])
            if batch.states.left[table, actor] == left[table, actor] - 1 and not batch.over[table]:
                assert before[4 * table + actor, 0] == batch.states.drawn[table]
                seen += 1
    assert seen > 100


def test_who_knows_the_draws_wins_more_than_a_fourth() -> None:
    points, won = measure_foresight.play("draws", 8, "greedy", 500)
    assert points.shape == won.shape == (8, 4)
    assert won.mean() > 0.4
    assert points.mean() > 0


def test_who_knows_the_danger_deals_in_only_where_nothing_is_safe() -> None:
    game = make_game("guobiao/botzone")
    batch, agent = Batch(game, tables=64, seed=9, restart=False), make_agent("search:most=300", game)
    context, saved = game.new_context(), 0
    while len(batch):
        views, players = batch.views(), batch.players.copy()
        turns = np.flatnonzero(batch.legal_masks()[:, act.PLAY : act.PLAY + 34].any(1))
        states, legal = batch.states[batch.tables[turns]], batch.legal_masks()[turns].astype(float)
        if len(turns):
            saved += _check_safe(game, states, players[turns], legal, context)
        none = np.zeros(len(batch), np.int64)
        batch.step(agent.act(Asked(game, views, none.astype(np.uint64), none)))
    assert saved > 20


def _check_safe(game: Game, states: Any, players: Any, legal: Any, context: Any) -> int:
    """Make the first legal discards safe; how many were not, and are."""
    wished = legal[:, act.PLAY : act.PLAY + 34].argmax(1) + act.PLAY
    actions, before = wished.copy(), states.tobytes()
    measure_foresight.make_safe(game, states, players, actions, legal, context)
    bad, still = (measure_foresight.in_danger(game, states, players, a, context) for a in (wished, actions))
    assert states.tobytes() == before
    assert (actions[~bad] == wished[~bad]).all()
    assert (actions[still] == wished[still]).all()
    for i in np.flatnonzero(still):
        others = np.flatnonzero(legal[i, act.PLAY : act.PLAY + 34]) + act.PLAY
        many, same = np.repeat(states[i : i + 1], len(others)), np.repeat(players[i], len(others))
        assert measure_foresight.in_danger(game, many, same, others, context).all()
    return int((bad & ~still).sum())
