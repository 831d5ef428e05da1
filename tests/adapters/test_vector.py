"""The Gymnasium environments: that library's own checks, and what ours promises beside."""

from __future__ import annotations

import doctest
import warnings

import numpy as np
import pytest

pytest.importorskip("gymnasium")
import gymnasium
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import vector as wrappers

from janshi.adapters import vector
from janshi.rules.riichi.state import GAME_OVER

NAME = "janshi.adapters.vector:Janshi-v1"


def random_legal(observations, rng: np.random.Generator) -> np.ndarray:
    masks = observations["action_mask"]
    return (masks * (rng.random(masks.shape) + 1)).argmax(axis=1)


def run(envs, steps: int, seed: int = 1):
    """Random-legal play; yields what every step gave."""
    rng = np.random.default_rng(seed)
    observations, _ = envs.reset(seed=seed)
    for _ in range(steps):
        stepped = envs.step(random_legal(observations, rng))
        observations = stepped[0]
        yield stepped


def test_single_table_passes_the_env_checker() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(NAME, opponents="tsumogiri").unwrapped)


def test_single_table_plays_under_the_passive_checker() -> None:
    env = gymnasium.make(NAME, opponents="greedy", render_mode="ansi")
    observation, _ = env.reset(seed=3)
    terminated, steps, reward = False, 0, 0.0
    while not terminated:
        observation, reward, terminated, _, info = env.step(int(observation["action_mask"].argmax()))
        steps += 1
    assert steps > 50
    assert info["scores"].sum() % 1000 == 0
    assert reward != 0
    assert "East" in env.render() or "South" in env.render() or "West" in env.render()


def test_observations_fit_their_spaces() -> None:
    envs = vector.make(num_envs=5)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    observations, _ = envs.reset(seed=1)
    assert observations in envs.observation_space
    for observations, rewards, terminated, truncated, _ in run(envs, 200):
        assert observations in envs.observation_space
        assert rewards.shape == terminated.shape == truncated.shape == (5,)
        assert (observations["action_mask"].any(axis=1) != terminated).all()
        assert not truncated.any()


def test_agrees_with_gymnasiums_own_vector_of_single_tables() -> None:
    """The same interface as `SyncVectorEnv` over single tables: spaces, dtypes, autoreset."""
    ours = vector.make(num_envs=3, opponents="tsumogiri")
    theirs = gymnasium.make_vec(NAME, num_envs=3, vectorization_mode="sync", opponents="tsumogiri")
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    assert ours.metadata["autoreset_mode"] == theirs.metadata["autoreset_mode"]
    for mine, other in zip(run(ours, 20), run(theirs, 20)):
        for name in mine[0]:
            assert mine[0][name].dtype == other[0][name].dtype
            assert mine[0][name].shape == other[0][name].shape
        assert [part.dtype for part in mine[1:4]] == [part.dtype for part in other[1:4]]


def test_works_under_gymnasiums_vector_wrappers() -> None:
    envs = wrappers.RecordEpisodeStatistics(gymnasium.make_vec(NAME, num_envs=16))
    finished = [info["episode"]["r"][done] for *_, done, _, info in run(envs, 400) if done.any()]
    assert len(np.concatenate(finished)) >= 16


def test_reward_comes_at_the_end_of_the_game() -> None:
    envs = vector.make(num_envs=16, seat=2)
    ended = 0
    for _, rewards, terminated, _, infos in run(envs, 400):
        assert (rewards[~terminated] == 0).all()
        if terminated.any():
            ended += int(terminated.sum())
            assert (envs._states["phase"][terminated] == GAME_OVER).all()
            assert infos["_scores"].tolist() == terminated.tolist()
            points = envs.game.rewards(envs._states)[terminated]
            assert rewards[terminated].tolist() == points[:, 2].tolist()
            assert np.allclose(points.sum(axis=1), 0, atol=1e-3)
    assert ended >= 16


def test_ended_table_begins_anew_at_the_next_step_for_any_action() -> None:
    envs = vector.make(num_envs=8)
    before = np.zeros(8, bool)
    rng, seen = np.random.default_rng(1), 0
    observations, _ = envs.reset(seed=1)
    for _ in range(400):
        actions = np.where(before, 999, random_legal(observations, rng))
        observations, rewards, terminated, _, _ = envs.step(actions)
        assert not terminated[before].any()
        assert (rewards[before] == 0).all()
        if before.any():
            seen += 1
            assert (envs._states["hands"][before] <= 2).all()
        before = terminated
    assert seen > 3


def test_seed_decides_everything() -> None:
    def trace(seed: int) -> list[int]:
        return [int(observations["observation"].sum()) for observations, *_ in run(vector.make(num_envs=4), 60, seed)]

    assert trace(5) == trace(5)
    assert trace(5) != trace(6)


def test_seat_changes_from_game_to_game_or_stays() -> None:
    envs = vector.make(num_envs=4)
    envs.reset(seed=1)
    assert envs.seats.tolist() == [0, 1, 2, 3]
    envs = vector.make(num_envs=4, seat=3)
    envs.reset(seed=1)
    assert envs.seats.tolist() == [3] * 4
    assert set(envs.observer.observe(envs._states, np.arange(4), envs.seats)[:, envs.observer.layout["seat"]].flat) == {
        3
    }


def test_dealer_chooses_the_first_discard() -> None:
    envs = vector.make(num_envs=1, seat=0)
    observations, _ = envs.reset(seed=1)
    assert observations["observation"][0, envs.observer.layout["turns"]].tolist() == [0]


def test_illegal_action_ends_the_game_or_raises() -> None:
    envs = vector.make(num_envs=2, illegal_reward=-7)
    observations, _ = envs.reset(seed=1)
    legal = observations["action_mask"].argmax(axis=1)
    observations, rewards, terminated, _, _ = envs.step([observations["action_mask"][0].argmin(), legal[1]])
    assert (rewards.tolist(), terminated.tolist()) == ([-7, 0], [True, False])
    assert not observations["action_mask"][0].any()
    _, rewards, terminated, _, _ = envs.step([0, observations["action_mask"][1].argmax()])
    assert (rewards.tolist(), terminated.tolist()) == ([0, 0], [False, False])
    strict = vector.make(num_envs=2, illegal_reward=None)
    strict.reset(seed=1)
    with pytest.raises(ValueError, match="action 500 is not legal at table 0; legal are: discard"):
        strict.step([500, 500])


def test_stronger_opponents_win() -> None:
    """A random player loses more to greedy players than to those who never win."""

    def mean(opponents: str) -> float:
        steps = run(vector.make(num_envs=32, opponents=opponents), 250)
        return float(np.mean(np.concatenate([rewards[done] for _, rewards, done, *_ in steps])))

    assert mean("greedy") < mean("tsumogiri") - 10


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"opponents": "strong"}, "no kernel policy is called 'strong'"),
        ({"opponents": ["greedy"]}, "one for each of the 4 seats"),
        ({"seat": 4}, "seats are 0 to 3, not 4"),
        ({"num_envs": 0}, "at least one table"),
        ({"rules": "poker"}, "no rules are called 'poker'"),
    ],
)
def test_bad_options_are_refused(options, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        vector.make(**options)


def test_any_game_has_random_opponents() -> None:
    from janshi.adapters.families import RandomOpponents
    from janshi.rules.registry import make_game

    envs = vector.make(num_envs=4)
    envs._opponents = RandomOpponents(make_game("riichi"), ["random"])
    assert sum(1 for _ in run(envs, 100)) == 100
    with pytest.raises(ValueError, match="only 'random' opponents"):
        RandomOpponents(make_game("riichi"), ["greedy"])


def test_example_in_the_module_runs() -> None:
    assert doctest.testmod(vector) == (0, 5)
