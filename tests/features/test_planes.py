"""Planes show the state from each player's side, and nothing that the player cannot know."""

from __future__ import annotations

import doctest
import os
import subprocess
import sys
import threading
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import slow_planes
import torch

from effort import effort
from janshi.features import planes
from janshi.rules.batch import Batch
from janshi.rules.registry import make_game

RULES = ("guobiao/botzone", "guobiao/match", "simplified/paper", "simplified/three_sets")


def encoder_of(rules):
    return planes.encoder(rules.partition("/")[0])


@cache
def positions(rules, tables=24, every=7, steps=180):
    """States of random play, every few steps: (states, tables, players), each player of each table."""
    game = make_game(rules)
    batch = Batch(game, tables, seed=11)
    kept = []
    for step in range(steps):
        if step % every == 0:
            kept.append(np.array(batch.states))
        batch.step(batch.random_actions(), check=False)
    states = np.concatenate(kept).view(np.recarray)
    places = np.repeat(np.arange(len(states)), game.players)
    return states, places, np.tile(np.arange(game.players), len(states))


@cache
def packed(rules):
    """Private and hidden inputs of the positions."""
    made = encoder_of(rules)
    states, tables, players = positions(rules)
    private = np.full((len(tables), made.private_bytes), 77, np.uint8)
    hidden = np.full((len(tables), made.hidden_bytes), 77, np.uint8)
    made.pack_states(states, tables, players, private, hidden)
    return private, hidden


def views_of(rules, states, tables, players):
    game = make_game(rules)
    out = np.zeros(len(tables), game.view_dtype)
    game.views(states, tables, players, out)
    return out


@pytest.mark.parametrize("rules", RULES)
def test_planes_tell_the_states_facts(rules):
    made = encoder_of(rules)
    states, tables, players = positions(rules)
    private, hidden = packed(rules)
    told = {**made.decode(made.expand_numpy(private)), **made.decode_hidden(made.expand_hidden_numpy(hidden))}
    facts = slow_planes.FACTS[made.name]
    for i in np.random.default_rng(1).permutation(len(tables))[: effort(500, 2000)]:
        expected = facts(states[int(tables[i])], int(players[i]))
        assert set(expected) == set(told)
        for name, fact in expected.items():
            assert np.array_equal(told[name][i], np.asarray(fact)), (name, i, told[name][i], fact)


@pytest.mark.parametrize("rules", RULES)
def test_views_give_the_same_private_records(rules):
    states, tables, players = positions(rules)
    assert np.array_equal(encoder_of(rules).pack_views(views_of(rules, states, tables, players)), packed(rules)[0])


@pytest.mark.parametrize("rules", RULES)
def test_hidden_tiles_leave_the_private_record_alone(rules):
    made, game = encoder_of(rules), make_game(rules)
    states, _, _ = positions(rules)
    changed = 0
    for i in range(0, len(states), 9):
        before, player = states[i : i + 1].copy(), i % game.players
        if game.is_over(before)[0]:
            continue
        after = before.copy()
        game.shuffle_hidden(after[0], player, i)
        records = []
        for state in (before, after):
            private = np.zeros((1, made.private_bytes), np.uint8)
            hidden = np.zeros((1, made.hidden_bytes), np.uint8)
            made.pack_states(state, np.zeros(1, np.int64), np.array([player]), private, hidden)
            records.append((private.tobytes(), hidden.tobytes()))
        assert records[0][0] == records[1][0]
        changed += records[0][1] != records[1][1]
    assert changed > 20


def test_every_encoder_is_checked_for_hidden_tiles():
    """Here those of RULES, `guobiao+plans` in test_plans.py, riichi's in test_riichi_inputs.py: add a new one there."""
    assert set(planes.encoder_names()) == {encoder_of(rules).name for rules in RULES} | {"guobiao+plans"}


@pytest.mark.parametrize("rules", RULES)
def test_torch_and_numpy_agree(rules):
    made = encoder_of(rules)
    private, hidden = (record[::5] for record in packed(rules))
    ours, theirs = made.expand_numpy(private), made.expand(torch.from_numpy(private))
    assert theirs.shape == (len(private), made.private_channels, made.rows, made.columns)
    assert theirs.is_contiguous(memory_format=torch.channels_last)
    assert np.array_equal(ours, theirs.numpy())
    assert np.array_equal(ours, made.expand(torch.from_numpy(private), torch.bfloat16).float().numpy())
    theirs = made.expand_hidden(torch.from_numpy(hidden))
    assert theirs.shape == (len(hidden), made.hidden_channels, made.rows, made.columns)
    assert np.array_equal(made.expand_hidden_numpy(hidden), theirs.numpy())


@pytest.mark.parametrize("rules", RULES)
def test_masks_are_the_games(rules):
    made, game = encoder_of(rules), make_game(rules)
    states, tables, players = positions(rules)
    masks = np.zeros((len(tables), game.num_actions), np.bool_)
    game.legal_masks(states, tables, players, masks)
    asked = (game.asked(states)[tables] >> players) & 1 == 1
    masks &= asked[:, None]
    private = packed(rules)[0]
    assert asked.any()
    assert not asked.all()
    assert np.array_equal(made.masks_numpy(private), masks)
    assert np.array_equal(made.masks(torch.from_numpy(private)).numpy(), masks)


def test_the_papers_channels():
    guobiao, simplified = planes.encoder("guobiao"), planes.encoder("simplified")
    assert (guobiao.paper_private_channels, guobiao.paper_hidden_channels) == (184, 112)
    names = guobiao.channel_names()
    starts = ("own hand", "chow", "called tile of a chow", "pong", "kong", "own concealed kong", "discard,", "discards")
    counts = [sum(name.startswith(start) for name in names[:184]) for start in starts]
    assert counts == [4, 16, 16, 16, 16, 4, 24 * 4, 4 * 4]
    hidden = guobiao.hidden_channel_names()[:112]
    counts = [sum(name.startswith(start) for name in hidden) for start in ("hand", "wall,", "walls")]
    assert counts == [12, 84, 16]
    for made in (guobiao, simplified):
        assert len(set(made.channel_names())) == made.private_channels
        assert len(set(made.hidden_channel_names())) == made.hidden_channels


@pytest.mark.parametrize("rules", ["guobiao/botzone", "simplified/paper"])
def test_the_wall_is_drawn_as_shown(rules):
    """The next player to draw gets the tile that the hidden planes show first."""
    made, game = encoder_of(rules), make_game(rules)
    batch = Batch(game, 64, seed=5)
    everybody = np.repeat(np.arange(64), game.players), np.tile(np.arange(game.players), 64)
    found = 0
    for _ in range(60):
        record = np.zeros((len(everybody[0]), made.hidden_bytes), np.uint8)
        made.pack_states(batch.states, *everybody, None, record)
        first = made.decode_hidden(made.expand_hidden_numpy(record))["wall"].reshape(64, game.players, game.players, -1)
        before = batch.states.copy()
        batch.step(batch.random_actions(), check=False)
        after = batch.states
        usual = (after.drawn >= 0) & (after.turns > before.turns) & (after.decisions > before.decisions)
        drew = (before.actor + 1) % game.players == after.actor
        for table in np.flatnonzero(usual & drew & (after.turns > 1)):
            actor = int(after.actor[table])
            if after.melds[table].sum() == before.melds[table].sum():
                for player in range(game.players):
                    assert first[table, player, (actor - player) % game.players, 0] == after.drawn[table]
                found += 1
    assert found > 200


def test_threads_write_their_own_rows():
    made = planes.encoder("guobiao")
    states, tables, players = positions("guobiao/botzone")
    private = np.zeros_like(packed("guobiao/botzone")[0])
    hidden = np.zeros_like(packed("guobiao/botzone")[1])
    bounds = np.linspace(0, len(tables), 5).astype(int)
    work = [
        threading.Thread(target=made.pack_states, args=(states, tables[a:b], players[a:b], private[a:b], hidden[a:b]))
        for a, b in pairwise(bounds)
    ]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
    assert np.array_equal(private, packed("guobiao/botzone")[0])
    assert np.array_equal(hidden, packed("guobiao/botzone")[1])


def test_wrong_arrays_are_refused():
    made = planes.encoder("simplified")
    states, tables, players = positions("simplified/paper")
    with pytest.raises(ValueError, match=r"uint8 array of shape \(3, 168\), not float32"):
        made.pack_states(states, tables[:3], players[:3], np.zeros((3, made.private_bytes), np.float32))
    with pytest.raises(ValueError, match=r"encoders for guobiao, guobiao\+plans, simplified"):
        planes.encoder("riichi")


def test_the_page_is_current_and_its_example_runs():
    root = Path(__file__).resolve().parent.parent.parent
    script = [sys.executable, "scripts/write_planes_table.py", "--check"]
    done = subprocess.run(script, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    example = doctest.testfile(str(root / "docs" / "features.md"), module_relative=False)
    assert (example.attempted > 5, example.failed) == (True, 0)
    assert doctest.testmod(planes).failed == 0


PLAIN = """
import sys
import numpy as np
from janshi.features.planes import encoder
from janshi.rules.registry import make_game

folder, rules = sys.argv[1:]
made, game = encoder(rules.partition("/")[0]), make_game(rules)
states = np.fromfile(f"{folder}/states", game.state_dtype).view(np.recarray)
tables, players = np.repeat(np.arange(len(states)), game.players), np.tile(np.arange(game.players), len(states))
private = np.zeros((len(tables), made.private_bytes), np.uint8)
hidden = np.zeros((len(tables), made.hidden_bytes), np.uint8)
made.pack_states(states, tables, players, private, hidden)
np.savez(f"{folder}/packed.npz", private, hidden)
"""


@pytest.mark.parametrize("rules", ["guobiao/match", "simplified/paper"])
def test_plain_python_packs_the_same(rules, tmp_path):
    game, every = make_game(rules), 16
    positions(rules)[0][::every].tofile(tmp_path / "states")
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", PLAIN, str(tmp_path), rules],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    with np.load(tmp_path / "packed.npz") as stored:
        for plain, ours in zip((stored[name] for name in stored.files), packed(rules)):
            rows = ours.reshape(-1, game.players, ours.shape[1])[::every]
            assert np.array_equal(plain, rows.reshape(plain.shape))
