"""The basic agents answer views exactly as the kernel policies answer states, over games of all rule sets."""

from __future__ import annotations

from importlib import import_module
from itertools import count
from typing import Any

import numpy as np
import pytest

from janshi.agents.base import Asked
from janshi.agents.registry import make_agent
from janshi.core import rng
from janshi.rules.batch import Batch, advance, choose_evenly, game_seeds, mask_words
from janshi.rules.game import Array, Game
from janshi.rules.registry import game_names, make_game
from janshi.rules.riichi import actions as riichi

TABLES = 12
STEPS = 200
"""Of games by other rules than a family's first, which are played to the end."""
BASIC = ("random", "tsumogiri", "greedy")


def answer_states(game: Game, policy: str, states: Array, tables: Array, players: Array, streams: Array) -> Array:
    """Ask the kernel policy about states, decision by decision; each stream holds one word to draw."""
    family = game.family.name
    policies: Any = import_module(f"janshi.rules.{family}.policies")
    number, context = policies.policy_number(policy), game.new_context()
    mind = (policies.new_mind(),) if family == "riichi" else ()
    return np.array(
        [
            policies.choose_at(states[t : t + 1], p, number, streams[i : i + 1].copy(), *mind, *context)
            for i, (t, p) in enumerate(zip(tables.tolist(), players.tolist()))
        ],
        np.int64,
    )


def play_to_the_end(batch: Batch, seed: int) -> Any:
    """Yield (streams, words) before each step; the caller sends actions, of which one in eight is put by chance."""
    base = game_seeds(seed, 1)
    while len(batch) or not batch.over.all():
        streams = rng_streams(base[0], len(batch))
        words = np.array([rng.draw_word(stream)[1] for stream in streams], np.uint64)
        actions = (yield streams, words).copy()
        batch.step(np.where(words % np.uint64(8) == 0, batch.random_actions(), actions))
        advance(base)


def rng_streams(base: np.uint64, n: int) -> Array:
    return np.array([rng.key(base, i, 7) for i in range(n)], np.uint64)


@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize("policy", BASIC)
def test_agent_plays_as_the_kernel_policy_does(name: str, policy: str):
    game = make_game(name)
    agent = make_agent(policy, game)
    batch = Batch(game, TABLES, seed=5, restart=False)
    play = play_to_the_end(batch, seed=9)
    streams, words = next(play)
    decisions, first = 0, game.id == make_game(game.family.name).id
    try:
        for _ in count() if first else range(STEPS):
            actions = agent.act(Asked(game, batch.views(), words, batch.tables))
            wanted = answer_states(game, policy, batch.states, batch.tables, batch.players, streams)
            np.testing.assert_array_equal(actions, wanted)
            decisions += len(actions)
            streams, words = play.send(actions)
    except StopIteration:
        pass
    assert batch.over.all() or not first
    assert decisions >= TABLES * game.players


@pytest.mark.parametrize("name", ["riichi", "guobiao", "simplified"])
def test_random_agent_draws_as_a_batch_does(name: str):
    game = make_game(name)
    agent = make_agent("random", game)
    batch = Batch(game, 64, seed=2)
    for step in range(40):
        base, n = np.uint64(1000 + step), len(batch)
        steps = np.arange(1, n + 1, dtype=np.uint64) * rng.GAMMA + base
        words = np.array([rng.mix(step) for step in steps], np.uint64)
        wanted = np.zeros(n, np.int64)
        choose_evenly(mask_words(batch.legal_masks()), base, 0, wanted)
        actions = agent.act(Asked(game, batch.views(), words, batch.tables))
        np.testing.assert_array_equal(actions, wanted)
        batch.step(actions)


@pytest.mark.parametrize("name", ["riichi", "guobiao", "simplified"])
def test_tsumogiri_never_wins_and_never_calls(name: str):
    game = make_game(name)
    agent = make_agent("tsumogiri", game)
    batch = Batch(game, 64, seed=3)
    for _ in range(200):
        views = batch.views()
        actions = agent.act(Asked(game, views, np.zeros(len(views), np.uint64), batch.tables))
        names = {game.action_names[a].split()[0] for a in set(actions.tolist())}
        assert names <= {"tsumogiri", "pass", "play", "discard"}
        batch.step(actions)
    assert (game.total_points(batch.states) == game.total_points(batch.states)[0]).all()


def test_greedy_takes_a_win_and_declares_riichi():
    game = make_game("riichi")
    agent = make_agent("greedy", game)
    batch = Batch(game, 128, seed=4)
    taken = set()
    for _ in range(150):
        asked = Asked(game, batch.views(), np.zeros(len(batch), np.uint64), batch.tables)
        actions = agent.act(asked)
        for action in (riichi.TSUMO, riichi.RON, riichi.RIICHI):
            offered = (
                asked.masks[:, action] & ~asked.masks[:, riichi.TSUMO]
                | (action == riichi.TSUMO) & asked.masks[:, action]
            )
            assert (actions[offered] == action).all()
            taken |= {action} if offered.any() else set()
        batch.step(actions)
    assert taken == {riichi.TSUMO, riichi.RON, riichi.RIICHI}


def test_one_view_is_answered_as_in_a_batch():
    game = make_game("riichi")
    agent = make_agent("greedy", game)
    batch = Batch(game, 8, seed=6)
    views = batch.views()
    together = agent.act(Asked(game, views, np.zeros(len(views), np.uint64), batch.tables))
    assert [agent.answer(view) for view in views] == together.tolist()
