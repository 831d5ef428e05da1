"""The value function: rows to values, the same with and without PyTorch; training that learns and continues."""

from __future__ import annotations

import json
from dataclasses import replace
from math import inf
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs PyTorch")

import torch

from janshi.agents.worths import labels_of
from janshi.luck.agent_styles import STYLED_WIDTH, style_of, with_styles
from janshi.luck.features import WIDTH
from janshi.luck.fitting.self_play import self_play
from janshi.luck.fitting.training import CriticConfig, CriticTrainer, ValueNetwork, Walker
from janshi.luck.fitting.variance import VarianceConfig, reduce_variance, variance_step
from janshi.luck.games import PlayedGames
from janshi.luck.measure import score_games
from janshi.luck.outcomes import gains_of_hands
from janshi.luck.torch_values import DeviceValue
from janshi.luck.types import PLACES
from janshi.luck.value import ValueFunction, fingerprints
from janshi.models.store import CARD, ModelError

SMALL = CriticConfig(wide=48, deep=32, joint=24, epochs=6, batch=256, rate=3e-3, draws=0.5)


@pytest.fixture(scope="module")
def games() -> PlayedGames:
    """Games to learn from."""
    return self_play("riichi/tenhou_east", 160, 1)


def small_network(seed: int = 1) -> ValueNetwork:
    torch.manual_seed(seed)
    return ValueNetwork(16, 16, 16)


def quiet(text: str) -> None:
    """Report nothing."""


def test_weights_go_to_numpy_and_back():
    network = small_network()
    other = small_network(2)
    other.take(network.weights())
    for one, two in zip(network.weights(), other.weights()):
        assert np.array_equal(one, two)


def test_values_are_the_same_with_pytorch_and_without(games: PlayedGames):
    """The variance of adjusted results, by the network with gradients and by scoring."""
    network = small_network()
    some = games.select(0, 12)
    gains = gains_of_hands(some)[:, PLACES]
    before, after = variance_step(network, some, np.arange(len(some.hands)), gains, False)
    luck = score_games(some, ValueFunction(network.weights())).luck_of_hands()[:, PLACES]
    assert before == pytest.approx(gains.var(0, ddof=1).mean(), rel=1e-4)
    assert after == pytest.approx((gains - luck).var(0, ddof=1).mean(), rel=1e-3)
    assert all(parameter.grad is not None for parameter in network.parameters())


def test_a_device_gives_the_same_luck(games: PlayedGames):
    value = ValueFunction(small_network().weights())
    some = games.select(0, 6)
    one, two = score_games(some, value), score_games(some, DeviceValue(value, "cpu"))
    assert np.abs(one.events["luck"][:, PLACES] - two.events["luck"][:, PLACES]).max() < 1e-5
    assert one.events["luck"][:, 1] == pytest.approx(two.events["luck"][:, 1], abs=0.1)


def test_a_value_function_may_know_who_plays(games: PlayedGames):
    """With zeros for styles in the first layer, values are as without styles; otherwise they depend on the players."""
    plain, styled = small_network(), ValueNetwork(16, 16, 16, STYLED_WIDTH)
    styled.take(plain.weights())
    some = games.select(0, 6)
    one = score_games(some, ValueFunction(plain.weights()))
    assert np.array_equal(score_games(some, ValueFunction(styled.weights())).events, one.events)
    with torch.no_grad():
        styled.first.weight[:, WIDTH:] = 1.0
    other = score_games(some, ValueFunction(styled.weights()))
    assert not np.allclose(other.events["luck"], one.events["luck"])
    gains = gains_of_hands(some)[:, PLACES]
    left = variance_step(styled, some, np.arange(len(some.hands)), gains, False)[1]
    assert left == pytest.approx((gains - other.luck_of_hands()[:, PLACES]).var(0, ddof=1).mean(), rel=1e-3)


def test_styles_are_in_turn_order():
    styles = np.array([[0, 1, 2, 3]], np.int8)
    row = with_styles(np.zeros((1, WIDTH), np.float32), styles, np.array([2]))[0, WIDTH:].reshape(4, -1)
    assert row.argmax(1).tolist() == [1, 2, 0, 0]
    assert row.sum(1).tolist() == [1, 1, 0, 1]
    assert style_of("careful:courage=2") == 1
    assert style_of("somebody") == 0


def test_labels_tell_how_hands_ended(games: PlayedGames):
    walker = Walker(games, 1.0, chunk=200)
    examples = walker.examples(1, 0)
    assert examples.who.min() >= 0
    assert examples.who.max() <= 16
    assert np.allclose(examples.amounts.sum(1), (examples.who != 16).astype(float), atol=1e-5)
    assert set(np.unique(examples.tenpai)) <= {0.0, 1.0}


def test_payments_become_amounts():
    from janshi.luck.walk import END_DTYPE
    from janshi.rules.riichi.state import EXHAUSTIVE_DRAW, NONE, RON_WIN

    ends = np.zeros(3, END_DTYPE)
    ends["result"] = RON_WIN, RON_WIN, EXHAUSTIVE_DRAW
    ends["winner"], ends["loser"], ends["points"] = (1, 0, NONE), (3, 2, NONE), (8000, 12000, 0)
    ends["tenpai"] = 0, 0, 5
    labels = labels_of(ends, np.zeros(3, np.int64))
    assert labels.who.tolist() == [7, 2, 16]
    mangan = labels.amounts[0].argmax()
    assert labels.amounts[:2].argmax(1).tolist() == [mangan, mangan], "8,000 of a non-dealer, 12,000 of the dealer"
    assert labels.tenpai.tolist() == [0, 0, 5]


def test_a_critic_learns_to_take_variance_out(games: PlayedGames, tmp_path: Path):
    trainer = CriticTrainer(SMALL, games, tmp_path)
    fresh = self_play("riichi/tenhou_east", 32, 77)
    gains = gains_of_hands(fresh)[:, PLACES]

    def left(network: ValueNetwork) -> float:
        luck = score_games(fresh, ValueFunction(network.weights())).luck_of_hands()[:, PLACES]
        return float(np.square(gains - luck).mean() / np.square(gains).mean())

    before = left(trainer.network)
    assert trainer.run(inf, quiet)
    after = left(trainer.network)
    assert after < min(before - 0.1, 0.8)


def test_a_run_goes_on_where_it_stopped(games: PlayedGames, tmp_path: Path):
    config = replace(SMALL, epochs=1)
    some = games.select(0, 40)

    def run(folder: Path, pieces: int) -> ValueNetwork:
        for _ in range(pieces):
            trainer = CriticTrainer(config, some, folder)
            trainer.walker = Walker(some, config.draws, chunk=60)
            trainer.total = 4
            trainer.run(0 if trainer.done == 4 else inf if pieces == 1 else 1e-9, quiet)
            while pieces > 1 and trainer.done < 2:
                list(trainer._learn_chunk())
                trainer.done += 1
                trainer.save()
        if trainer.done < trainer.total:
            trainer.run(inf, quiet)
        return trainer.network

    whole, parts = run(tmp_path / "a", 1), run(tmp_path / "b", 2)
    for one, two in zip(whole.weights(), parts.weights()):
        assert np.array_equal(one, two)


def test_a_run_with_other_settings_is_refused(games: PlayedGames, tmp_path: Path):
    CriticTrainer(SMALL, games, tmp_path).save()
    with pytest.raises(ValueError, match="other settings"):
        CriticTrainer(replace(SMALL, rate=1.0), games, tmp_path)


def test_algorithm_1_takes_the_variance_down(games: PlayedGames):
    network = small_network()
    chosen = np.arange(48)
    gains = gains_of_hands(games)[:48, PLACES]
    first = variance_step(network, games, chosen, gains, True)[1]
    network.zero_grad()
    assert reduce_variance(network, games.select(0, 12), VarianceConfig(batch=32, rate=3e-3, steps=8), quiet) == 8
    assert variance_step(network, games, chosen, gains, True)[1] < first


# --- frozen


def test_a_value_function_is_frozen_and_knows_its_games(games: PlayedGames, tmp_path: Path):
    some = games.select(0, 20)
    value = ValueFunction(small_network().weights(), {"version": "t"}, fingerprints(some))
    value.save(tmp_path / "v.npz")
    again = ValueFunction.load(tmp_path / "v.npz")
    assert again.name == value.name
    assert again.knows(games).tolist() == [True] * 20 + [False] * (len(games) - 20)


def test_a_changed_value_function_is_refused(tmp_path: Path):
    path = tmp_path / "v.npz"
    ValueFunction(small_network().weights()).save(path)
    with np.load(path) as stored:
        arrays = dict(stored)
    arrays["out_bias"] = arrays["out_bias"] + 1
    np.savez(path, **arrays)
    with pytest.raises(ModelError, match="changed since it was frozen"):
        ValueFunction.load(path)
    card = json.loads(arrays[CARD].tobytes())
    arrays[CARD] = np.frombuffer(json.dumps({**card, "feature version": 0}).encode(), np.uint8)
    np.savez(path, **arrays)
    with pytest.raises(ModelError, match="version 0"):
        ValueFunction.load(path)


def test_a_missing_or_broken_file_is_named(tmp_path: Path):
    with pytest.raises(ModelError, match=r"missing"):
        ValueFunction.load(tmp_path / "none.npz")
    (tmp_path / "text.npz").write_text("no weights")
    with pytest.raises(ModelError, match=r"text\.npz is not a value function"):
        ValueFunction.load(tmp_path / "text.npz")


def test_fingerprints_are_the_same_from_every_format(shared: Path):
    from janshi.luck.games import games_of_records
    from janshi.records.formats import get_format, read_file, read_record

    path = next((shared / "fixtures").rglob("*.mjlog"))
    record = read_file(path)
    other = read_record(get_format("tenhou6").write(record).encode(), "other.json")
    one, two = games_of_records([record]), games_of_records([other])
    assert len(one) == 1, one.problems
    assert fingerprints(one).tolist() == fingerprints(two).tolist()
