"""The PettingZoo environment: that library's own tests, and what ours promises beside."""

from __future__ import annotations

import doctest
import warnings

import numpy as np
import pytest

pytest.importorskip("pettingzoo")
from pettingzoo.test import api_test, render_test, seed_test

from janshi.adapters import aec
from janshi.rules.registry import game_names
from janshi.rules.riichi.table import Table


@pytest.fixture(autouse=True)
def _quiet():
    """PettingZoo warns of every observation that is not a bare array, though it prescribes a mask beside it."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Observation")
        yield


@pytest.mark.parametrize("rules", game_names())
def test_passes_the_api_test(rules: str) -> None:
    api_test(aec.env(rules), num_cycles=1500)


def test_passes_the_seed_test() -> None:
    seed_test(aec.env, num_cycles=500)


def test_passes_the_render_test() -> None:
    render_test(lambda render_mode: aec.env(render_mode=render_mode))


def play(env, choose) -> dict[str, float]:
    """Play to the end; what each agent was paid in all."""
    paid = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        paid[agent] += reward
        env.step(None if terminated or truncated else choose(agent, observation))
    return paid


def test_rewards_are_final_points_of_the_same_game_at_a_table() -> None:
    env, table = aec.env(), Table(seed=11)
    env.reset(seed=11)
    while not table.over:
        table.step({player: table.legal_actions(player)[0] for player in table.asked})
    paid = play(env, lambda _, observation: int(observation["action_mask"].argmax()))
    assert list(paid.values()) == pytest.approx(table.final_points().tolist())
    assert sum(paid.values()) == pytest.approx(0)


def test_observation_names_its_parts() -> None:
    env = aec.env()
    env.reset(seed=3)
    seen = env.observe("player_2")["observation"]
    layout = env.unwrapped.observer.layout
    table = Table(seed=3)
    view = table.view(2)
    assert seen[layout["hand"]].tolist() == view["hand"].tolist()
    assert seen[layout["scores"]].tolist() == [25000] * 4
    assert "legal" not in layout
    waits = seen[layout["waits"]]
    assert len(waits) == 64
    assert [k for k in range(64) if waits[k]] == [k for k in range(64) if int(view["waits"]) >> k & 1]


def test_only_who_is_to_act_has_a_mask() -> None:
    env = aec.env()
    env.reset(seed=3)
    masks = {agent: env.observe(agent)["action_mask"] for agent in env.agents}
    assert masks.pop(env.agent_selection).any()
    assert not any(mask.any() for mask in masks.values())


def test_answers_stay_hidden_until_all_have_come() -> None:
    """Players asked together see the same table, regardless of the answers before them."""
    env = aec.raw_env()
    rng = np.random.default_rng(1)
    found = 0
    for seed in range(20):
        env.reset(seed=seed)
        while not any(env.terminations.values()):
            others = env._pending[env._answered + 1 :]
            before = [env.observe(f"player_{seat}")["observation"] for seat in others]
            env.step(int(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))))
            if others:
                assert env.agent_selection == f"player_{others[0]}"
                after = [env.observe(f"player_{seat}")["observation"] for seat in others]
                assert all((a == b).all() for a, b in zip(before, after))
                found += 1
    assert found > 10


def test_illegal_action_ends_the_game_for_who_took_it() -> None:
    env = aec.env(illegal_reward=-7)
    env.reset(seed=1)
    observation, *_ = env.last()
    guilty = env.agent_selection
    env.step(int(observation["action_mask"].argmin()))
    assert play(env, lambda *_: pytest.fail("the game goes on"))[guilty] == -7


def test_bare_environment_refuses_illegal_actions_and_changes_nothing() -> None:
    env = aec.raw_env()
    env.reset(seed=1)
    before, wrong = env._states.tobytes(), int(env.observe(env.agent_selection)["action_mask"].argmin())
    for action in (wrong, -1, 120, None):
        with pytest.raises(ValueError, match=r"player_0 may not take action .* legal are: discard"):
            env.step(action)
    assert env._states.tobytes() == before


def test_render_shows_the_table() -> None:
    env = aec.env(render_mode="ansi")
    env.reset(seed=5)
    assert env.render() == str(Table(seed=5))


def test_example_in_the_module_runs() -> None:
    assert doctest.testmod(aec) == (0, 4)
