"""Labels: what oracle views say a discard would cost, beside what the engine then allows and pays."""

from __future__ import annotations

import mixed_play
import numpy as np

from janshi.core.tiles import kind_of
from janshi.models.labels import payments
from janshi.rules.riichi.actions import RON, TSUMOGIRI
from janshi.rules.riichi.state import REACTION, RON_WIN, TURN


def discards():
    """(step, place in it, kind) of every discard."""
    for number, step in enumerate(mixed_play.played()[:-1]):
        for i in np.nonzero(step.hidden["phase"] == TURN)[0]:
            action = int(step.actions[i])
            if action <= TSUMOGIRI:
                tile = int(step.hidden["drawn"][i]) if action == TSUMOGIRI else action
                yield number, i, tile


def test_a_discard_is_paid_for_where_the_engine_allows_ron():
    steps = mixed_play.played()
    paid = [payments(step.hidden, 1) for step in steps]
    found = 0
    for number, i, tile in discards():
        table, viewer = steps[number].tables[i], int(steps[number].players[i])
        after = steps[number + 1]
        may_ron = {
            int(after.players[j])
            for j in np.nonzero(after.tables == table)[0]
            if after.hidden["phase"][j] == REACTION and mixed_play.may(after.hidden[j], RON)
        }
        costs = paid[number][i, :, kind_of(tile)]
        assert {(viewer + 1 + o) % 4 for o in range(3) if costs[o] > 0} == may_ron
        found += len(may_ron)
    assert found > 30


def test_payments_are_those_of_the_engine():
    """Of wins without riichi (ura-dora are drawn at random here) on tiles that are no red fives."""
    steps = mixed_play.played()
    compared = 0
    for number, i, tile in discards():
        if tile >= 34:
            continue
        table, viewer = steps[number].tables[i], int(steps[number].players[i])
        state = steps[number + 1].after[table]
        if state["result"] != RON_WIN or int(state["actor"]) != viewer or state["phase"] < 4:
            continue
        costs = payments(steps[number].hidden[i : i + 1], 1)[0, :, kind_of(tile)]
        for opponent in range(3):
            seat = (viewer + 1 + opponent) % 4
            if int(state["winners"]) >> seat & 1:
                if state["riichi"][seat]:
                    assert costs[opponent] >= 1300
                else:
                    assert costs[opponent] == state["win_points"][seat]
                    compared += 1
    assert compared > 3
