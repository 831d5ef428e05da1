"""What the apprentice says a choice costs: zero for its own, more for rarer ones, nothing where nothing is at stake."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.agents.learned.apprentice import ApprenticeAgent
from janshi.agents.learned.losses import (
    DANGER,
    DISCARD,
    FEATURES,
    THREAT,
    WIN,
    ChoiceLosses,
    Position,
    features,
    joined,
    shares,
    shipped,
    situations,
)
from janshi.agents.learned.stakes import DRAW_END, NUM_ENDS, OWN_LOSSES, OWN_WINS, Stakes, stakes, typical_ends
from janshi.agents.loss import MOST, RANK, values_of
from janshi.core.tiles import parse_tiles
from janshi.luck.error_rate import decisions, error_rate, loss_of
from janshi.luck.games import games_of_records
from janshi.records.recorder import Recorder
from janshi.rules.registry import make_game
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.game import RiichiGame
from janshi.rules.riichi.policies import KernelPlayer
from janshi.rules.riichi.ruleset import TENHOU_EAST
from janshi.rules.riichi.table import Table
from janshi.rules.riichi.view import VIEW_DTYPE


@pytest.fixture(scope="module")
def played():
    table = Table(3, TENHOU_EAST)
    players = [KernelPlayer("greedy", i) for i in range(4)]
    recorder = Recorder(table, ("ann", "bob", "cid", "dee"))
    while not table.over:
        recorder.step({player: players[player](table, player) for player in table.asked})
    return games_of_records([recorder.record()])


@pytest.fixture(scope="module")
def views(played):
    (some,) = decisions(played, np.ones((1, 4), np.bool_))
    return some.views[:: max(len(some.views) // 40, 1)]


def position(chances: dict[int, float], *, drawn: int = -1, danger: dict[int, float] | None = None, spread=0.3):
    """One decision between actions with these probabilities."""
    policy, legal, dangers = np.zeros((1, 120)), np.zeros((1, 120), np.bool_), np.zeros((1, 34))
    for action, chance in chances.items():
        policy[0, action], legal[0, action] = np.log(chance), True
    for kind, chance in (danger or {}).items():
        dangers[0, kind] = chance
    at_stake = Stakes(np.array([spread]), np.array([0.8]), np.array([0.5]))
    return Position(policy, legal, np.array([drawn]), dangers, np.zeros((1, 3)), np.zeros((1, 4)), at_stake)


# --- losses


def test_a_gap_costs_its_logarithm_times_what_is_at_stake():
    (row,) = features(position({3: 0.8, 7: 0.1, 9: 0.1}))
    assert row[7, DISCARD] == pytest.approx(np.log(8) * 0.3)
    assert not row[3].any()
    assert not row[20].any()


def test_the_drawn_tile_and_its_twin_in_hand_are_one_choice():
    chances = {3: 0.3, act.TSUMOGIRI: 0.3, 7: 0.4}
    found = ChoiceLosses(np.ones(len(FEATURES))).losses(position(chances, drawn=3))[0]
    assert found[3] == found[act.TSUMOGIRI] == 0.0
    assert found[7] > 0
    at = position(chances, drawn=3)
    assert joined(shares(at.policy, at.legal), at.legal, at.drawn)[0, [3, 7]] == pytest.approx([0.6, 0.4])


def test_danger_above_that_of_the_best_costs_what_dealing_in_does():
    (row,) = features(position({3: 0.6, 7: 0.2, 9: 0.2}, danger={3: 0.02, 7: 0.12, 9: 0.01}))
    assert row[7, DANGER] == pytest.approx(0.1 * 0.5)
    assert row[9, DANGER] == 0.0


def test_a_red_five_is_as_dangerous_as_a_plain_one():
    red, plain = parse_tiles("0p")[0], parse_tiles("5p")[0]
    (row,) = features(position({3: 0.6, red: 0.2, plain: 0.2}, danger={plain: 0.3}))
    assert row[red, DANGER] == row[plain, DANGER] == pytest.approx(0.3 * 0.5)


def test_declining_a_win_costs_at_most_the_win():
    at = position({act.RON: 0.999999, act.PASS: 0.000001})
    assert situations(at)[0] == WIN
    assert features(at)[0, act.PASS, WIN] == pytest.approx(0.8, abs=1e-4)


def test_an_opponent_in_riichi_or_probably_tenpai_threatens():
    quiet = position({3: 0.5, 7: 0.5})
    assert situations(quiet)[0] == DISCARD
    assert situations(quiet._replace(riichi=np.array([[0, 0, 1, 0]])))[0] == THREAT
    assert situations(quiet._replace(riichi=np.array([[1, 0, 0, 0]])))[0] == DISCARD
    assert situations(quiet._replace(tenpai=np.array([[0.1, 0.6, 0.0]])))[0] == THREAT


def test_no_loss_exceeds_three_places():
    found = ChoiceLosses(np.full(len(FEATURES), 1e3)).losses(position({3: 0.99, 7: 0.01}))
    assert np.nanmax(found) == MOST[RANK]


def test_negative_weights_are_refused():
    with pytest.raises(ValueError, match="none of them negative"):
        ChoiceLosses(np.array([-1.0] * len(FEATURES)))


def test_the_weights_of_the_package_say_how_they_were_made():
    card = shipped().card
    assert {"fitted", "command", "data", "network", "value function", "target"} <= set(card)
    assert shipped().weights[DISCARD] > 0


# --- stakes


def test_ends_are_numbered_as_the_network_learned_them():
    examples = pytest.importorskip("janshi.learn.imitation.examples")
    assert (examples.DRAW_END, examples.ENDS) == (DRAW_END, NUM_ENDS)
    ends = typical_ends(dealer=1, honba=0)
    for winner in range(4):
        for loser in range(4):
            if winner != loser:
                (number,) = examples.ends(np.array([1 << winner]), np.array([loser]), np.array([0]))
                assert ends.winner[number] == winner
                assert ends.changes[number][loser] < 0
                assert (number in OWN_WINS) == (winner == 0)
                assert (number in OWN_LOSSES) == (loser == 0)


def test_little_is_at_stake_in_a_decided_game():
    view = np.zeros(2, VIEW_DTYPE)
    view["kyoku"], view["dealer"], view["seat"] = 7, 3, 0
    view["scores"] = [(90_000, 5_000, 3_000, 2_000), (26_000, 25_000, 25_000, 24_000)]
    found = stakes(view, np.full((2, NUM_ENDS), 0.05), make_game("riichi/tenhou").rules)
    assert found.spread[0] < 0.05 < 0.3 < found.spread[1]
    assert found.deal_in[1] > 0.5


# --- the agent


def test_the_agents_own_choice_loses_nothing_and_rarer_ones_something(views):
    agent = ApprenticeAgent(make_game("riichi/tenhou"))
    for found, explanation, action in zip(
        values_of(agent, views), agent.explain(views), agent.most_probable(agent.probabilities(views), views).tolist()
    ):
        assert found.unit == explanation.unit == RANK
        assert found.loss(action) == 0.0
        assert explanation.best.action == action
        assert all(0 <= found.loss(other) <= MOST[RANK] for other in found.values)
        assert {choice.action: choice.worth for choice in explanation.choices} == found.values
        assert -4 <= min(found.values.values()) <= max(found.values.values()) < 0


def test_values_do_not_depend_on_the_batch_or_on_the_temperature(views):
    game = make_game("riichi/tenhou")
    together = ApprenticeAgent(game).values(views)
    alone = [ApprenticeAgent(game, sample=True, temperature=3.0).values(views[i : i + 1])[0] for i in (0, 5)]
    assert [together[0], together[5]] == alone


def test_an_error_rate_by_the_apprentice_is_in_places(played):
    found = error_rate(played, "apprentice", "ann")
    assert found.unit == "places"
    assert found.overall.judged == found.overall.decisions > 20
    assert 0 < found.overall.rate.value < 0.05


def test_error_rates_ask_under_the_rules_of_the_game(played):
    """The network knows whether a game is an East game: the last hand decides earlier."""
    (some,) = decisions(played, np.array([[True, False, False, False]]))
    assert some.rules.rounds == 1
    agent = ApprenticeAgent(RiichiGame(some.rules))
    found = error_rate(played, "apprentice", "ann")
    for i in (3, 11):
        (values,) = agent.values(some.views[i : i + 1])
        assert found.judgements[i].loss == pytest.approx(
            loss_of(values, int(some.actions[i]), int(some.views["drawn"][i]))
        )
