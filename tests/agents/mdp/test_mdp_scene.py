"""The numbers of M in real positions: chances are chances, and turns are those that are played."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mdp_views import GAME, own_turn, played

from janshi.agents.base import Asked
from janshi.agents.mdp.agent import MDPAgent
from janshi.agents.mdp.process import HORIZON
from janshi.agents.mdp.scene import WISE, turns_of
from janshi.agents.registry import make_agent
from janshi.rules.batch import Batch
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.state import TURN
from janshi.rules.riichi.view import VIEW_DTYPE

AGENT = MDPAgent(GAME, hands=200)


def process_of(view: Any) -> tuple[Any, Any]:
    """The numbers of M and the bounds, as a decision notes them. The view must have no kan to weigh."""
    plain = np.array([view], VIEW_DTYPE)
    for action in (act.OPEN_KAN, *range(act.CONCEALED_KAN, act.TSUMO)):
        plain["legal"][0, action // act.HALF] &= ~(1 << action % act.HALF)
    AGENT.judge(plain)
    return AGENT._desk.process[0].copy(), AGENT._desk.space.bounds[0].copy()


def views() -> list[Any]:
    return [v for name in ("greedy", "careful") for v in played(name, 6) if v["riichi"][0] == 0][::4]


def test_chances_are_chances():
    for view in views():
        m, b = process_of(view)
        for name in ("lose", "any_lose", "other_win", "fold_lose", "fold_noten"):
            assert np.min(m[name]) >= 0, name
            assert np.max(m[name]) <= 1 + 1e-9, name
        assert np.min(m["given"]) >= 0
        assert ((m["given"] * b["left"]).sum(axis=2) <= 1 + 1e-6).all(), "an opponent discards one tile at a time"
        shares = b["left"] / max(1, b["unseen"])
        for name in ("lose", "lose_worth"):
            assert m[f"any_{name}"] == pytest.approx((m[name] * shares).sum(axis=2), abs=1e-9)


def test_worths_lie_between_those_of_all_outcomes():
    for view in views():
        m, _ = process_of(view)
        payoffs = AGENT.payoffs(np.array([view], VIEW_DTYPE))[0]
        ends = np.concatenate([np.ravel(payoffs[name]) for name in ("tsumo", "ron", "draw")])
        worths = [*m["other_worth"], *m["washout"].ravel(), float(m["fold_safe"])]
        for name in ("lose", "any_lose", "fold_lose"):
            known = m[name] > 1e-9
            worths += (m[f"{name}_worth"][known] / m[name][known]).tolist()
        assert ends.min() - 1e-6 <= min(worths)
        assert max(worths) <= ends.max() + 1e-6


def test_dangers_of_folding_lie_ahead_until_the_last_turn():
    for view in views():
        m, _ = process_of(view)
        last = max(1, int(m["turns"]) - 1)
        assert not m["fold_share"][last + 1 :].any()
        assert m["fold_share"][1] == pytest.approx(WISE) or not m["fold_share"].any()
        assert m["fold_share"][last] <= m["fold_share"][1] + 1e-9
        assert (m["fold_share"] >= 0).all()


def test_tiles_are_all_accounted_for():
    for view in views():
        _, b = process_of(view)
        assert b["root"].tolist() == view["hand"].tolist()
        assert (b["left"] + view["hand"] + view["seen"] == 4).all()
        assert b["unseen"] == b["left"].sum()
        hidden = sum(13 - 3 * int(n) for n in view["melds"][1:]) + (view["phase"] == TURN and view["actor"] != 0)
        dead = 14 - (view["indicators"] >= 0).sum()
        assert b["unseen"] == hidden + dead + int(view["left"]), "in the wall, the dead wall and other hands"


def test_genbutsu_are_no_danger_from_a_riichi():
    m, _ = process_of(own_turn("1478m258p36s5667z5m", ("1z9m8s", "9s2z5z3m7s8p2p6p", "1p3z4s"), riichi=(2,)))
    safe = m["lose"][0, 0, [26, 28, 31, 2, 24, 16, 10, 14]]
    assert safe.max() < 0.02
    assert m["lose"][0, 0, 4] > 3 * safe.max(), "the 5m is"


def test_turns_are_the_own_discards_until_the_wall_runs_out():
    """Nobody calls and nobody wins."""
    batch, player = Batch(GAME, 4, seed=3), make_agent("tsumogiri", GAME)
    promised: list[tuple[int, int, int, int]] = []  # table, player, discards made, turns to come
    seen_phases, kept = set(), 0
    for _ in range(400):
        views = batch.views()
        for i in range(len(views)):
            if views[i]["left"] < 4 * HORIZON - 4 and batch.states.honba[batch.tables[i]] == 0:
                seen_phases.add(bool(views[i]["phase"] == TURN))
                place = int(batch.tables[i]), int(batch.players[i])
                promised.append((*place, int(views[i]["discards"][0]), turns_of(views[i])))
        before = batch.states.copy()
        batch.step(player.act(Asked(GAME, views, np.zeros(len(views), np.uint64), batch.tables)))
        ended = np.flatnonzero(
            (batch.states.phase != before["phase"]) & (before["left"] == 0) & (batch.states.phase >= 3)
        )
        for table in ended:
            for t, p, made, turns in [x for x in promised if x[0] == table]:
                assert (
                    int(before["discards"][t, p]) + (before["actor"][t] == p and before["phase"][t] == TURN)
                    == made + turns
                )
                kept += 1
            promised = [x for x in promised if x[0] != table]
        if kept > 200:
            break
    assert kept > 200
    assert seen_phases == {True, False} or seen_phases == {True}


def test_riichi_only_while_the_wall_is_long_enough():
    for left, last in ((3, -1), (4, 0), (7, 0), (8, 1), (40, 9)):
        view = own_turn("234m567p34567s88p1z")
        view["left"] = left
        m, _ = process_of(view)
        assert m["last_riichi"] == last
        assert m["riichi"] == (last >= 0)
    poor = own_turn("234m567p34567s88p1z", scores=(900, 33_100, 33_000, 33_000))
    assert process_of(poor)[0]["riichi"] == 0
