"""A batch: decisions in order, threads that change nothing, actions that are refused."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.rules.batch import Batch, choose_evenly, game_seeds, mask_words
from janshi.rules.registry import game_names, make_game
from janshi.rules.riichi.table import Table


@pytest.fixture
def batch() -> Batch:
    return Batch(make_game("riichi/tenhou"), tables=8, seed=5)


def play(batch: Batch, steps: int) -> Batch:
    for _ in range(steps):
        batch.step(batch.random_actions())
    return batch


def test_game_names_make_games() -> None:
    assert [make_game(name).id for name in game_names()] == [f"{name}-v1" for name in game_names()]
    assert make_game("riichi").id == "riichi/tenhou-v1"


def test_every_table_starts_with_the_dealer_asked(batch: Batch) -> None:
    assert len(batch) == 8
    assert batch.tables.tolist() == list(range(8))
    assert batch.players.tolist() == [0] * 8


def test_decisions_are_listed_by_table_and_seat(batch: Batch) -> None:
    several = False
    for _ in range(300):
        asked = [(t, p) for t in range(8) for p in range(4) if batch.states["asked"][t] >> p & 1]
        assert list(zip(batch.tables.tolist(), batch.players.tolist())) == asked
        several = several or len(asked) != len(set(batch.tables.tolist()))
        batch.step(batch.random_actions())
    assert several, "two players of one table were never asked at once"


def test_masks_are_the_tables_legal_actions(batch: Batch) -> None:
    masks = batch.legal_masks()
    for table, player, mask in zip(batch.tables, batch.players, masks):
        single = Table(seed=int(game_seeds(5, 8)[table]))
        assert np.flatnonzero(mask).tolist() == single.legal_actions(int(player))


def test_batch_plays_as_single_tables_do() -> None:
    batch = Batch(make_game("riichi/tenhou_east"), tables=3, seed=9, restart=False)
    singles = [Table(seed=int(seed), rules="tenhou_east") for seed in game_seeds(9, 3)]
    while not batch.over.all():
        actions = batch.random_actions().copy()
        answers: list[dict[int, int]] = [{}, {}, {}]
        for table, player, action in zip(batch.tables, batch.players, actions):
            answers[table][int(player)] = int(action)
        for single, given in zip(singles, answers):
            if not single.over:
                single.step(given or None)
        batch.step(actions)
        assert [single.scores for single in singles] == batch.states["scores"].tolist()
    assert all(single.over for single in singles)


@pytest.mark.parametrize("threads", [2, 3, 8, 50])
def test_threads_change_nothing(threads: int) -> None:
    one, many = (play(Batch(make_game("riichi/tenhou"), 8, 5, n), 200) for n in (1, threads))
    assert one.states.tobytes() == many.states.tobytes()
    assert one.views().tobytes() == many.views().tobytes()
    assert one.oracle_views().tobytes() == many.oracle_views().tobytes()


def test_finished_games_wait_without_restart() -> None:
    batch = Batch(make_game("riichi/tenhou_east"), tables=4, seed=2, restart=False)
    while not batch.over.all():
        batch.step(batch.random_actions())
    assert len(batch) == 0
    rewards = batch.game.rewards(batch.states)
    assert np.allclose(rewards.sum(axis=1), 0, atol=1e-3)
    kept = batch.states.tobytes()
    batch.step(np.zeros(0, np.int64))
    assert batch.states.tobytes() == kept


def test_restart_begins_another_game() -> None:
    batch = Batch(make_game("riichi/tenhou_east"), tables=1, seed=2)
    while not batch.over.all():
        batch.step(batch.random_actions())
    seed = int(batch.states["seed"][0])
    batch.step(batch.random_actions())
    assert int(batch.states["seed"][0]) != seed
    assert batch.states["scores"][0].tolist() == [25_000] * 4
    assert batch.players.tolist() == [0]


# --- what a batch refuses


def test_illegal_action_is_named_and_changes_nothing(batch: Batch) -> None:
    play(batch, 10)
    actions = batch.random_actions().copy()
    actions[2] = int(np.flatnonzero(~batch.legal_masks()[2])[0])
    name = batch.game.action_names[actions[2]]
    before = batch.states.tobytes()
    with pytest.raises(
        ValueError, match=rf"illegal action {actions[2]} \({name}\) for player \d at table \d .*legal are"
    ):
        batch.step(actions)
    assert batch.states.tobytes() == before


@pytest.mark.parametrize("action", [-1, 120, 10**9, -(2**40)])
def test_action_out_of_range_is_refused(batch: Batch, action: int) -> None:
    actions = batch.random_actions().copy()
    actions[0] = action
    with pytest.raises(ValueError, match="no such action"):
        batch.step(actions)


def test_illegal_action_is_found_on_every_thread() -> None:
    for at in range(8):
        batch = Batch(make_game("riichi/tenhou"), tables=8, seed=5, threads=3)
        actions = batch.random_actions().copy()
        actions[at] = 119
        with pytest.raises(ValueError, match=f"at table {at} "):
            batch.step(actions)


@pytest.mark.parametrize("shape", [(0,), (7,), (9,), (8, 1)])
def test_wrong_number_of_actions_is_refused(batch: Batch, shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="one action for each of the 8 open decisions"):
        batch.step(np.zeros(shape, np.int64))


@pytest.mark.parametrize(("tables", "threads"), [(0, 1), (1, 0), (-3, 1)])
def test_empty_batch_is_refused(tables: int, threads: int) -> None:
    with pytest.raises(ValueError, match="at least one table and one thread"):
        Batch(make_game("riichi/tenhou"), tables=tables, threads=threads)


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.uint64])
def test_actions_of_any_integer_type_are_taken(batch: Batch, dtype: type) -> None:
    same = Batch(make_game("riichi/tenhou"), tables=8, seed=5)
    actions = batch.random_actions().copy()
    batch.step(actions.astype(dtype))
    same.step(actions)
    assert batch.states.tobytes() == same.states.tobytes()


def test_random_actions_are_even() -> None:
    masks = np.zeros((40_000, 10), np.bool_)
    masks[:, [1, 4, 9]] = True
    out = np.zeros(len(masks), np.int64)
    choose_evenly(mask_words(masks), np.uint64(7), 0, out)
    counts = np.bincount(out, minlength=10)
    assert counts[[0, 2, 3, 5, 6, 7, 8]].sum() == 0
    assert np.abs(counts[[1, 4, 9]] / len(out) - 1 / 3).max() < 0.01
