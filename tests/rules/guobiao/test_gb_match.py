"""The 16-hand match: four rounds, the deal passes after every hand, one common wall, flowers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from janshi.rules.guobiao.policies import KernelPlayer
from janshi.rules.guobiao.ruleset import MATCH, Ruleset
from janshi.rules.guobiao.table import Table


def test_sixteen_hands():
    table = Table(seed=4, rules="match")
    players = [KernelPlayer(name, 1) for name in ("greedy", "discard", "greedy", "random")]
    places, summed = [(table.wind, table.dealer)], np.zeros(4, int)
    while not table.over:
        if table.hand_over:
            assert table.result is not None
            summed += table.result.changes
            table.step()
            places += [] if table.over else [(table.wind, table.dealer)]
        else:
            table.step({player: players[player](table, player) for player in table.asked})
    assert places == [(wind, dealer) for wind in range(4) for dealer in range(4)]
    assert table.scores == summed.tolist()
    assert sum(table.scores) == 0


def test_common_wall():
    table = Table(seed=1, rules=replace(MATCH, flowers=False))
    assert table.tiles_left == [83] * 4
    wall = table.state["wall"][:136].tolist()
    order = wall[::-1]
    first = [*order[0:4], *order[16:20], *order[32:36], order[48], order[52]]
    assert table.hand(0) == sorted(first)


def test_flowers_are_replaced_at_once():
    table = Table(seed=2, rules="match")
    flowers = sum(len(table.flowers(player)) for player in range(4))
    assert flowers > 0
    assert table.tiles_left[0] == 144 - 53 - flowers
    assert [len(table.hand(player)) for player in range(4)] == [14, 13, 13, 13]


def test_seat_winds_follow_the_deal():
    table = Table(seed=2, rules="match", hand_number=6)
    assert (table.round_name, table.dealer, table.view(2)["seat_wind"], table.view(1)["seat_wind"]) == (
        "South 3",
        2,
        0,
        3,
    )


def test_wind_of_a_single_hand_comes_from_the_seed():
    assert {Table(seed=seed).wind for seed in range(40)} == {0, 1, 2, 3}
    assert Table(seed=1, wind=3).wind == 3


def test_wrong_situations_are_refused():
    with pytest.raises(ValueError, match="wind must be from 0 to 3"):
        Table(wind=4)
    with pytest.raises(ValueError, match="a wall has 136 tiles"):
        Table(wall=[0])
    with pytest.raises(ValueError, match="each kind four times"):
        Table(wall=[0] * 136)
    with pytest.raises(ValueError, match="sum to zero"):
        Table(scores=[1, 0, 0, 0])
    with pytest.raises(ValueError, match="1 to 100 hands"):
        Ruleset(hands=0)
