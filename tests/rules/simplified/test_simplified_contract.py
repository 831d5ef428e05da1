"""The simplified game keeps the contract: legal actions, conservation, views, threads, environments."""

from __future__ import annotations

import doctest
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from simplified_rig import complete_hands, legal_by_hand

from janshi.rules.batch import Batch
from janshi.rules.check import check_game
from janshi.rules.registry import game_names, make_game
from janshi.rules.simplified.distance import KIND_NAMES
from janshi.rules.simplified.game import SimplifiedGame
from janshi.rules.simplified.hidden import faults
from janshi.rules.simplified.playout import playout
from janshi.rules.simplified.policies import KernelPlayer
from janshi.rules.simplified.ruleset import PAPER, PRESETS, get_ruleset
from janshi.rules.simplified.state import RIVER
from janshi.rules.simplified.table import Table

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("preset", PRESETS)
def test_check_game_passes(preset: str) -> None:
    assert f"simplified/{preset}" in game_names()
    check_game(make_game(f"simplified/{preset}"))


def test_family_has_a_default() -> None:
    assert make_game("simplified").id == "simplified/paper-v1"


@pytest.mark.parametrize("preset", PRESETS)
def test_random_play_loses_nothing(preset: str) -> None:
    rules = get_ruleset(preset)
    batch = Batch(SimplifiedGame(rules), 512, seed=11)
    decisions = step = 0
    while decisions < 400_000:
        decisions += len(batch)
        batch.step(batch.random_actions())
        step += 1
        assert (batch.game.tile_counts(batch.states) == 3).all()
        assert batch.states.discards.max() <= RIVER - 3
        if step % 100 == 0:
            assert faults(batch.states, rules.sets) == []


@pytest.mark.parametrize(("preset", "games"), [("paper", 120), ("three_sets", 40)])
def test_legal_actions_beside_the_rules_in_words(preset: str, games: int) -> None:
    sets = get_ruleset(preset).sets
    complete = {left: complete_hands(left) for left in range(sets + 1)}
    player_of = KernelPlayer("random", seed=5)
    for seed in range(games):
        table = Table(seed, preset)
        while not table.over:
            for player in range(3):
                expected = legal_by_hand(table, player, complete[sets - len(table.melds(player))])
                assert set(table.legal_names(player)) == expected
            table.step({player: player_of(table, player) for player in table.asked})


def test_nobody_is_asked_in_vain() -> None:
    batch = Batch(make_game("simplified"), 256, seed=2)
    for _ in range(60):
        masks = batch.legal_masks()
        assert not (masks[:, :33].sum(axis=1) == 0).any()
        batch.step(batch.random_actions())


def test_views_count_seats_from_the_viewer() -> None:
    table = Table(seed=9)
    player_of = KernelPlayer("greedy")
    while not table.over:
        for player in range(3):
            view, oracle = table.view(player), table.oracle_view(player)
            assert (view.hand == table.state.hand[player]).all()
            assert (view.seat + view.actor) % 3 == table.actor
            assert (oracle.hands == np.roll(table.state.hand, -player, axis=0)).all()
            assert view.drawn == (table.state.drawn if player == table.actor else -1)
        table.step({player: player_of(table, player) for player in table.asked})
    assert (table.view(1).winner + 1) % 3 == table.state.winner


def play(policies: tuple[str, ...], games: int, threads: int = 1) -> np.ndarray:
    game = make_game("simplified")
    states = game.new_states(games)
    game.start(states, np.arange(games, dtype=np.uint64), game.new_context())
    playout(states, policies, seed=1, threads=threads)
    return states


def test_playouts_do_not_depend_on_threads() -> None:
    assert play(("random",) * 3, 100).tobytes() == play(("random",) * 3, 100, threads=2).tobytes()


def test_wins_are_frequent_and_all_scoring_hands_happen() -> None:
    states = play(("valued",) * 3, 1500)
    won = states["winner"] >= 0
    assert won.mean() > 0.95
    for bit in range(4):
        assert 0.04 < (states["win_kinds"][won] >> bit & 1).mean() < 0.3


def test_playing_for_points_beats_playing_for_speed_with_fewer_wins() -> None:
    seats = [play(tuple("valued" if p == seat else "greedy" for p in range(3)), 3000) for seat in range(3)]
    points = np.mean([states["scores"][:, seat] for seat, states in enumerate(seats)])
    wins = np.mean([(states["winner"] == seat).mean() for seat, states in enumerate(seats)])
    assert points > 0.05
    assert wins < 0.33


def test_bad_policies_are_refused() -> None:
    with pytest.raises(ValueError, match="'perfect'"):
        KernelPlayer("perfect")
    with pytest.raises(ValueError, match="3 policies"):
        playout(make_game("simplified").new_states(1), ("random",) * 4)


CODE = """
import hashlib
from janshi.rules.batch import Batch
from janshi.rules.registry import make_game
batch, digest = Batch(make_game("simplified"), 4, seed=7), hashlib.sha256()
for _ in range(60):
    digest.update(batch.states.tobytes() + batch.views().tobytes() + batch.oracle_views().tobytes())
    batch.step(batch.random_actions())
print(digest.hexdigest())
"""


def hashed(**settings: str) -> str:
    """Play a little in a process of its own and hash all states and views on the way."""
    environment = {**os.environ, **settings}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", CODE], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_plain_python_and_bounds_checks_agree() -> None:
    assert hashed() == hashed(NUMBA_DISABLE_JIT="1") == hashed(NUMBA_BOUNDSCHECK="1")


def test_pettingzoo_environment() -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test

    from janshi.adapters import aec

    env = aec.env("simplified/paper")
    api_test(env, num_cycles=300)
    env.reset(seed=7)
    assert env.unwrapped._states["hand"].tolist() == Table(seed=7)._states["hand"].tolist()


def test_gymnasium_environment() -> None:
    pytest.importorskip("gymnasium")
    from janshi.adapters import vector

    envs = vector.make("simplified/paper", num_envs=8)
    rng = np.random.default_rng(1)
    observations, _ = envs.reset(seed=1)
    finished = 0
    for _ in range(100):
        masks = observations["action_mask"]
        actions = (masks * (rng.random(masks.shape) + 1)).argmax(axis=1)
        observations, _, terminated, _, _ = envs.step(actions)
        finished += terminated.sum()
    assert finished > 20


@pytest.mark.parametrize("name", ["hand", "table"])
def test_docstring_examples_run(name: str) -> None:
    found = doctest.testmod(import_module(f"janshi.rules.simplified.{name}"))
    assert (found.failed, found.attempted > 0) == (0, True)


def test_page_tells_the_scores_of_the_rules() -> None:
    page = (ROOT / "docs" / "simplified.md").read_text(encoding="utf-8")
    for name, rule in zip(KIND_NAMES, ("honour_pung", "straight", "flush", "all_pungs")):
        assert f"| {name} | {getattr(PAPER, rule)} |" in page
