"""What the processes say of recorded discards is what the player itself sees."""

from __future__ import annotations

import numpy as np
import pytest
from mdp_views import GAME, own_turn, played
from slow_mdp import distance, kind

from janshi.agents.mdp.agent import MDPAgent
from janshi.agents.mdp.scene import WISE
from janshi.fitting.scenarios.features import ProcessChances
from janshi.rules.game import Array
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.state import TURN
from janshi.rules.riichi.view import VIEW_DTYPE

HANDS = 1500
CHANCES = ProcessChances(GAME.rules, HANDS)


def turns() -> Array:
    views = np.concatenate([played("greedy", 5), played("careful", 6)])
    return views[(views["phase"] == TURN) & (views["declaring"] == 0) & (views["riichi"][:, 0] == 0)]


def first_discards(views: Array) -> Array:
    """For each view the lowest kind that may be discarded."""
    return np.array([int(np.flatnonzero(view["hand"])[0]) for view in views])


def test_numbers_are_chances_and_shanten():
    views = turns()
    kinds = first_discards(views)
    numbers = CHANCES.numbers(views, kinds, np.zeros(len(views), np.bool_))
    known = ~np.isnan(numbers[:, 0])
    assert known.mean() > 0.5
    assert numbers[known, :3].min() >= 0
    assert numbers[known, :3].max() <= 1
    for view, k, row in zip(views[known], kinds[known], numbers[known]):
        after = np.array(view["hand"], np.int64)
        after[k] -= 1
        before = max(0, distance(tuple(int(n) for n in view["hand"]), int(view["melds"][0])))
        wanted = max(0, distance(tuple(int(n) for n in after), int(view["melds"][0])))
        assert row[3] == wanted or row[3] > before, "its shanten, or more than the set reaches"


def test_they_are_what_the_player_sees():
    """Of hands that the player values by scenarios, with as many hands in its sets."""
    agent, compared = MDPAgent(GAME, hands=HANDS, inclusive=0, reach=8), 0
    for view in turns()[::3]:
        found = agent.judge(np.array([view], VIEW_DTYPE))
        plain = found[(found["settled"] == 0) & (found["riichi"] == 0)]
        if distance(tuple(int(n) for n in view["hand"]), int(view["melds"][0])) == 0 or not plain["win"].any():
            continue
        views = np.array([view] * len(plain), VIEW_DTYPE)
        numbers = CHANCES.numbers(views, plain["kind"].astype(np.int64), np.zeros(len(plain), np.bool_))
        assert numbers[:, 0] == pytest.approx(plain["win"], abs=1e-9)
        assert numbers[:, 1] == pytest.approx(plain["tenpai"], abs=1e-9)
        assert WISE * numbers[:, 2] == pytest.approx(plain["fold_lose"], abs=1e-9)
        compared += 1
    assert compared > 5


def test_nearer_hands_win_more_and_are_tenpai_more_often():
    hands = ("234m567p34567s88p1z", "234m567p3467s88p9m1z", "234m57p3467s88p9m12z", "24m57p3467s88p9m123z")
    views = np.array([own_turn(hand) for hand in hands], VIEW_DTYPE)
    numbers = CHANCES.numbers(views, np.full(4, kind("1z")), np.zeros(4, np.bool_))
    assert numbers[:, 3].tolist() == [0, 1, 2, 3]
    assert (np.diff(numbers[:, 0]) < 0).all()
    assert (np.diff(numbers[:, 1]) < 0).all()


def test_riichi_is_a_discard_of_its_own():
    views = np.array([own_turn("234m567p34567s88p1z", more=(act.RIICHI,))] * 2, VIEW_DTYPE)
    numbers = CHANCES.numbers(views, np.full(2, kind("1z")), np.array([False, True]))
    assert not np.isnan(numbers).any()
    missing = CHANCES.numbers(views[:1], np.array([kind("9s")]), np.array([False]))
    assert np.isnan(missing).all(), "nothing is said of a tile that is not held"
