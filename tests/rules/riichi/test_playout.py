"""Playouts inside the kernels: same seed same play, on any number of threads, from any position."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.rules.riichi.audit import audit_all
from janshi.rules.riichi.game import RiichiGame
from janshi.rules.riichi.playout import playout
from janshi.rules.riichi.ruleset import PRESETS, TENHOU, TENHOU_EAST, Ruleset
from janshi.rules.riichi.state import GAME_OVER, HAND_OVER
from janshi.rules.riichi.table import Table


def fresh(n: int, rules: Ruleset = TENHOU_EAST):
    game = RiichiGame(rules)
    states = game.new_states(n)
    game.start(states, np.arange(n, dtype=np.uint64), game.new_context())
    return states


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS.keys())
@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_whole_games_end_fairly(rules: Ruleset, policy: str) -> None:
    states, game = fresh(12, rules), RiichiGame(rules)
    playout(states, (policy,) * 4, seed=1, rules=rules)
    assert (states["phase"] == GAME_OVER).all()
    assert (states["scores"].sum(axis=1) == 100_000).all()
    assert (states["sticks"] == 0).all()
    assert np.allclose(game.rewards(states).sum(axis=1), 0, atol=1e-3)
    assert not audit_all(states, rules).any()


@pytest.mark.parametrize("threads", [2, 3, 7])
def test_threads_change_nothing(threads: int) -> None:
    one, many = fresh(7), fresh(7)
    policies = ("random", "greedy", "tsumogiri", "random")
    playout(one, policies, seed=4, rules=TENHOU_EAST)
    playout(many, policies, seed=4, threads=threads, rules=TENHOU_EAST)
    assert one.tobytes() == many.tobytes()


def test_seed_decides() -> None:
    one, two, other = fresh(4), fresh(4), fresh(4)
    for states, seed in ((one, 1), (two, 1), (other, 2)):
        playout(states, seed=seed, rules=TENHOU_EAST)
    assert one.tobytes() == two.tobytes()
    assert one.tobytes() != other.tobytes()


def test_hand_only_stops_at_its_end() -> None:
    states = fresh(20)
    playout(states, whole_game=False, rules=TENHOU_EAST)
    assert (states["phase"] == HAND_OVER).all()
    assert (states["hands"] == 1).all()


def test_playout_goes_on_from_any_position() -> None:
    table = Table(seed=11)
    rng = np.random.default_rng(0)
    for _ in range(30):
        table.step({player: rng.choice(table.legal_actions(player)) for player in table.asked} or None)
    rivers = [len(table.river(player)) for player in range(4)]
    states = np.repeat(table._states, 16).view(np.recarray)
    playout(states, ("greedy",) * 4, whole_game=False, rules=TENHOU)
    assert (states["phase"] == HAND_OVER).all()
    assert (states["discards"] >= rivers).all()
    assert [len(table.river(player)) for player in range(4)] == rivers


def test_greedy_beats_tsumogiri() -> None:
    states = fresh(60)
    playout(states, ("greedy", "tsumogiri", "tsumogiri", "tsumogiri"), seed=3, rules=TENHOU_EAST)
    assert states["scores"][:, 0].mean() > 35_000


def test_tsumogiri_never_wins_nor_calls() -> None:
    states = fresh(10)
    playout(states, ("tsumogiri",) * 4, whole_game=False, rules=TENHOU_EAST)
    assert (states["melds"] == 0).all()
    assert (states["winners"][states["result"] != 4] == 0).all()


def test_unknown_policy_and_wrong_number_are_refused() -> None:
    with pytest.raises(ValueError, match="no kernel policy is called 'clever'"):
        playout(fresh(1), ("clever",) * 4)
    with pytest.raises(ValueError, match="needs 4 policies, not 3"):
        playout(fresh(1), ("random",) * 3)
