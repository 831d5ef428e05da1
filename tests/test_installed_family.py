"""A family of rules in a separate package: installed, found by its entry point, played everywhere.

The package is `examples/mini_mahjong`. Nothing in Janshi knows about it.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

Installed = dict[str, str]
"""The environment of a process that sees the package."""


def run(env: Installed, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *command], env=env, capture_output=True, text=True, timeout=900, check=False)


def python(env: Installed, code: str) -> str:
    done = run(env, "-c", code)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_it_is_found_and_keeps_the_contracts(mini_mahjong: Installed):
    """It is found by its entry point; the rules keep their contract; its agent and the plain ones keep theirs."""
    code = """
from janshi.agents.check import check_agent
from janshi.agents.registry import agent_names
from janshi.rules.check import check_game
from janshi.rules.registry import full_name, game_names, make_game
print(game_names()[-2:], full_name("mini"), make_game("mini").id)
for name in ("mini/quick", "mini/long"):
    check_game(make_game(name), tables=4, steps=80)
print(agent_names("mini"))
for agent in ("random", "tsumogiri", "mini_mahjong.agent.Collector"):
    check_agent(agent, make_game("mini"), tables=4, steps=40)
print("kept")
"""
    found, agents, kept = python(mini_mahjong, code).splitlines()
    assert found == "['mini/quick', 'mini/long'] mini/quick mini/quick-v1"
    assert (agents, kept) == ("['random', 'tsumogiri']", "kept")


def test_it_is_an_environment(mini_mahjong: Installed):
    pytest.importorskip("pettingzoo")
    code = """
from janshi.adapters import aec, vector
env = aec.env("mini", render_mode="ansi")
env.reset(seed=7)
rewards = dict.fromkeys(env.agents, 0.0)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    rewards[agent] += reward
    env.step(None if terminated or truncated else int(observation["action_mask"].argmax()))
assert sum(rewards.values()) == 0 and any(rewards.values()), rewards
print(env.render().splitlines()[0])
envs = vector.make("mini", num_envs=3)
observations, _ = envs.reset(seed=7)
for _ in range(30):
    observations, *_ = envs.step(observations["action_mask"].argmax(axis=1))
"""
    assert python(mini_mahjong, code).endswith("tiles left")


def test_it_is_watched_in_the_terminal(mini_mahjong: Installed):
    done = run(mini_mahjong, "-m", "janshi", "watch", "--rules", "mini", "--seed", "3")
    assert done.returncode == 0, done.stderr
    first, *course, result, scores = done.stdout.splitlines()
    assert first == "mini/quick rules, seed 3: random 1, random 2"
    assert course[0].startswith("  0 discard ")
    assert result.startswith("  player ")
    assert scores.startswith("Scores: random 1 ")


def test_it_is_played_in_matches(mini_mahjong: Installed, tmp_path: Path):
    """Its own player beats chance; what is counted comes from its record, and games are written as text."""
    store = str(tmp_path / "match")
    players = ("mini_mahjong.agent.Collector", "--vs", "random", "--rules", "mini")
    done = run(mini_mahjong, "-m", "janshi", "match", *players, "--walls", "40", "--out", store, "--quiet")
    assert done.returncode == 0, done.stderr
    code = f"""
from janshi.arena.store import MatchStore
from janshi.arena.summary import summarise
store = MatchStore({store!r})
lines = summarise(store.read(), store.plan).lines
print(lines[0].points.low > 0, 0.5 < lines[0].rates["win"].value < 1, lines[0].rates["self-draw"].value > 0)
"""
    assert python(mini_mahjong, code) == "True True True"
    replayed = run(mini_mahjong, "-m", "janshi", "replay", store, "0")
    assert replayed.returncode == 0, replayed.stderr
    assert replayed.stdout.startswith("players: ")
    assert "scores: [" in replayed.stdout


def test_a_family_that_cannot_be_loaded_harms_no_other(mini_mahjong: Installed, tmp_path: Path):
    broken = tmp_path / "broken-1.dist-info"
    broken.mkdir()
    (broken / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1\n")
    (broken / "entry_points.txt").write_text("[janshi.families]\nbroken = no_such_module:FAMILY\n")
    env = {**mini_mahjong, "PYTHONPATH": f"{tmp_path}:{mini_mahjong['PYTHONPATH']}"}
    done = run(env, "-c", "from janshi.rules.registry import families; print(*families())")
    assert done.stdout.split() == ["riichi", "guobiao", "simplified", "mini"]
    assert "the rules 'broken' cannot be loaded: No module named 'no_such_module'" in done.stderr
