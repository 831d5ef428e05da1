"""The one-player agent: keeps the contract, wins when it can, never folds, beats greedy players."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.agents.base import Asked
from janshi.agents.check import check_agent
from janshi.agents.registry import make_agent
from janshi.arena.match import run_match
from janshi.arena.plan import Plan
from janshi.arena.results import CALLS, HANDS, RIICHIS, WINS
from janshi.rules.batch import Batch
from janshi.rules.registry import make_game
from janshi.rules.riichi import actions as act

GAME = make_game("riichi/tenhou")


@pytest.mark.parametrize("rules", ["riichi/tenhou", "riichi/mahjong_soul", "riichi/tenhou_no_red"])
def test_keeps_the_contract(rules):
    assert check_agent("one_player", make_game(rules), tables=6, steps=120).decisions > 300


def answers(agent, views):
    return agent.act(Asked(GAME, views, np.zeros(len(views), np.uint64), np.zeros(len(views), np.int64)))


def test_takes_every_win_and_stays_in_riichi():
    agent, batch = make_agent("one_player", GAME), Batch(GAME, tables=40, seed=2)
    wins = 0
    for _ in range(400):
        views = batch.views()
        masks = GAME.masks_of_views(views)
        given = answers(agent, views)
        win = masks[:, act.TSUMO] | masks[:, act.RON]
        assert np.isin(given[win], (act.TSUMO, act.RON)).all()
        wins += int(win.sum())
        batch.step(given)
    assert wins > 20


def test_calls_only_if_it_may():
    agent, batch = make_agent("one_player:calling=no", GAME), Batch(GAME, tables=30, seed=3)
    for _ in range(200):
        given = answers(agent, batch.views())
        assert not ((given >= act.CHI) & (given <= act.OPEN_KAN)).any()
        batch.step(given)


def test_beats_greedy_players():
    plan = Plan("riichi/tenhou_east", ("one_player", "greedy"), ((0, 1, 1, 1),), walls=40, seed=11)
    results = run_match(plan)
    mine = results.seats == 0
    totals = results.counters[mine].sum(0), results.counters[~mine].sum(0)
    assert results.ranks[mine].mean() < 2.45
    assert totals[0][WINS] / totals[0][HANDS] > totals[1][WINS] / totals[1][HANDS] + 0.04
    assert totals[0][CALLS] > 0.15 * totals[0][HANDS]
    assert totals[0][RIICHIS] > 0.15 * totals[0][HANDS]
