"""The error rate of Kume et al. from an agent's values, against a slow count of the same."""

from __future__ import annotations

from math import isnan, nan

import numpy as np
import pytest
from opinionated import value

from janshi.agents.explain import Choice, Explanation
from janshi.agents.loss import ActionValues, action_values
from janshi.luck.error_rate import (
    CALLING,
    DECLARING,
    DISCARDING,
    KINDS,
    WINNING,
    Judgement,
    error_rate,
    judge,
    kind_of_decision,
    loss_of,
    summed,
)
from janshi.luck.games import games_of_records
from janshi.records.model import GameRecord
from janshi.records.recorder import Recorder
from janshi.records.replay import Replay, rules_of
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.policies import KernelPlayer
from janshi.rules.riichi.ruleset import TENHOU_EAST
from janshi.rules.riichi.table import Table


def record(seed: int, names: tuple[str, ...]) -> GameRecord:
    table = Table(seed, TENHOU_EAST)
    players = [KernelPlayer("greedy", seed + i) for i in range(4)]
    recorder = Recorder(table, names)
    while not table.over:
        recorder.step({player: players[player](table, player) for player in table.asked})
    return recorder.record()


@pytest.fixture(scope="module")
def records():
    return [record(1, ("ann", "bob", "cid", "dee")), record(2, ("bob", "eve", "ann", "fay"))]


def told(*rows: tuple[int, float]) -> ActionValues:
    choices = (Choice(action, "", {"score": 9.0}, (), value) for action, value in rows)
    return action_values(Explanation(tuple(choices), (), unit="rank"))


# --- one decision, by hand


def test_loss_is_the_best_value_less_the_value_of_what_was_played():
    assert loss_of(told((3, 0.5), (7, 0.2), (act.TSUMOGIRI, -0.1)), 7, drawn=9) == pytest.approx(0.3)
    assert loss_of(told((3, 0.5), (7, 0.2)), 3, drawn=9) == 0.0


def test_the_best_is_the_greatest_value_even_if_the_agent_would_play_something_else():
    assert loss_of(told((3, 0.2), (7, 0.5)), 3, drawn=9) == pytest.approx(0.3)
    assert told((3, 0.2), (7, 0.5)).best == 7


def test_ways_of_going_on_count_as_the_best_of_them():
    assert loss_of(told((3, 0.5), (act.RIICHI, 0.1), (act.RIICHI, 0.4)), act.RIICHI, 9) == pytest.approx(0.1)


def test_twins_share_their_value():
    # the drawn 5p (13), the red one (35) and one from the hand are one discard to an agent that lists kinds
    listed = told((3, 0.5), (13, 0.2))
    assert loss_of(listed, act.TSUMOGIRI, drawn=13) == pytest.approx(0.3)
    assert loss_of(listed, 35, drawn=9) == pytest.approx(0.3)


def test_what_has_no_value_is_not_judged():
    assert isnan(loss_of(told((3, 0.5), (act.PON, nan)), act.PON, 9))
    assert isnan(loss_of(told((act.PASS, nan), (act.PON, nan)), act.PASS, 9))
    assert isnan(loss_of(told((act.RIICHI, nan), (3, 0.5)), 3, 9))  # the agent would do what it has no value for
    assert isnan(loss_of(told((3, 0.5)), act.OPEN_KAN, 9))


def test_kinds_of_decisions():
    def kind(*actions: int) -> int:
        legal = np.zeros(act.NUM_ACTIONS, np.bool_)
        legal[list(actions)] = True
        return kind_of_decision(legal)

    assert kind(3, 7, act.TSUMOGIRI) == DISCARDING
    assert kind(3, act.TSUMOGIRI, act.RIICHI) == DECLARING
    assert kind(act.PASS, act.PON) == CALLING
    assert kind(act.PASS, act.PON, act.RON) == kind(3, act.TSUMO) == WINNING
    assert KINDS[kind(3, act.CONCEALED_KAN + 4)] == "kan or not"
    assert KINDS[kind(3, act.NINE_TERMINALS)] == "nine terminals or not"


def test_means_by_hand():
    rows = [(0, 0.0), (0, 0.3), (1, 0.1), (1, nan)]
    found = summed([Judgement(game, 0, 0, 0, 0, 3, 3, loss) for game, loss in rows])
    assert (found.decisions, found.judged) == (4, 3)
    assert found.rate.value == pytest.approx(0.4 / 3)
    assert found.agreed.value == pytest.approx(1 / 3)
    assert 0 <= found.agreed.low < found.agreed.high <= 1
    nothing = summed([])
    assert isnan(nothing.rate.value)


# --- games


def slow_losses(game: GameRecord, seat: int) -> list[float]:
    """All losses of a seat by `Opinion`, by stepping through the hands."""
    found = []
    for hand in game.hands:
        for table, answers in Replay(hand, rules_of(game)):
            if seat in answers and len(table.legal_actions(seat)) > 1:
                if answers[seat] == act.PASS and any(a != act.PASS for a in answers.values()):
                    continue  # greedy players call nothing: another won first
                drawn = table.drawn if table.drawn is not None and table.actor == seat else -1
                values = [value(a, drawn) for a in table.legal_actions(seat)]
                known = [v for v in values if v == v]
                if known and value(answers[seat], drawn) == value(answers[seat], drawn):
                    found.append(max(known) - value(answers[seat], drawn))
    return found


def test_error_rate_of_recorded_games(records):
    done = []
    found = error_rate(games_of_records(records), "opinionated.Opinion", "ann", report=lambda *told: done.append(told))
    slow = slow_losses(records[0], 0) + slow_losses(records[1], 2)
    assert found.overall.judged == len(slow) > 100
    assert found.overall.rate.value == pytest.approx(np.mean(slow))
    assert found.overall.agreed.value == pytest.approx(np.mean(np.array(slow) < 1e-9))
    total = found.overall.decisions
    assert done == [(i, total) for i in range(1, total + 1)]
    assert (found.name, found.unit) == ("ann", "points")
    assert sum(kind.decisions for kind in found.kinds.values()) == found.overall.decisions
    assert found.kinds["win or not"].rate.value == 0
    worst = found.worst(3)
    assert worst[0].loss == pytest.approx(max(slow))
    assert {j.game for j in found.judgements} == {0, 1}


def test_real_agents_judge(records):
    found = error_rate(games_of_records(records[:1]), "careful", "dee")
    assert found.unit == "points"
    assert found.kinds["discard"].judged == found.kinds["discard"].decisions
    assert found.overall.rate.value > 0
    assert isnan(found.overall.rate.low)  # one game has no spread


def test_agents_that_cannot_judge_or_be_judged_are_named(records):
    with pytest.raises(ValueError, match="agent 'greedy' puts no value on choices; careful"):
        judge("greedy")
    with pytest.raises(ValueError, match="no player is called 'zoe' in 2 games"):
        error_rate(games_of_records(records), "careful", "zoe")
