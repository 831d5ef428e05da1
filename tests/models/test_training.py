"""Training on some real games: what is learned from, and that it is the same every time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("pyarrow", reason="data sets need pyarrow")

from few_games import few_games

from janshi.fitting import evaluation
from janshi.fitting.data import TESTING, TRAINING, Source
from janshi.fitting.final_rank import situations, train_final_rank
from janshi.fitting.opponents import FULL, Trainer, TrainingConfig
from janshi.records.splits import is_held_out

CONFIG = TrainingConfig(rates=(0.1, 0.05))


@pytest.fixture(scope="module")
def source(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Source:
    """Forty games to train on, ten of the test pack."""
    return few_games(shared, tmp_path_factory, 40, 10)


@pytest.fixture(scope="module")
def trainer(source: Source) -> Trainer:
    trainer = Trainer(CONFIG)
    trainer.run(source, lambda text: None)
    return trainer


def test_the_test_pack_is_never_learned_from(source):
    packs = source.dataset.hands("source").column("source").to_pylist()
    assert all(("houou-2022" in pack) == test for pack, test in zip(packs, source.test))
    assert not (source.train & source.test).any()
    trained = np.concatenate([positions.hands for positions in source.positions(TRAINING, 1)])
    assert source.train[trained].all()
    tested = np.concatenate([positions.hands for positions in source.positions(TESTING)])
    assert source.test[tested].all()


def test_held_out_players_are_unseen(source):
    names = source.dataset.hands("names").column("names").to_pylist()
    assert not any(is_held_out(name) for name in source.seen_players)
    for row, marks in zip(names, source.unseen):
        for name, unseen in zip(row, marks):
            assert unseen == (name not in source.seen_players)
    for positions in source.positions(TRAINING, 1):
        rows, seats = positions.hands, positions.views["seat"]
        for i in range(0, len(rows), 501):
            after = names[rows[i]][(int(seats[i]) + 1) % 4]
            assert positions.unseen[i, 0] == (after not in source.seen_players)


def test_learning_lowers_the_loss(trainer):
    sure = np.log(2)
    for learner, less in ((trainer.waiting, 0.35 * sure), (trainer.winning, 0.4 * sure)):
        assert learner.losses[-1] < less
    assert trainer.score.losses[-1] < 0.6
    assert trainer.classes.losses[-1] < np.log(14)
    assert (np.diff(trainer.classes.worth[0]) > 0).sum() > 8
    assert trainer.positions > 5000


def test_variants_know_less(trainer):
    weights = trainer.waiting.means
    assert np.count_nonzero(weights["turn only"]) < 25
    assert np.count_nonzero(weights["without melds"]) < np.count_nonzero(weights[FULL])


def test_the_same_seed_gives_the_same_weights(source, trainer):
    again = Trainer(CONFIG)
    again.run(source, lambda text: None)
    assert np.array_equal(again.waiting.weights[FULL], trainer.waiting.weights[FULL])
    assert np.array_equal(again.winning.means[FULL], trainer.winning.means[FULL])
    assert np.array_equal(again.classes.weights, trainer.classes.weights)


def test_final_rank_learns(source):
    data, rows = situations(source, source.train)
    assert source.train[rows].all()
    assert (np.sort(data.ended, axis=1) == np.arange(4)).all()
    reports: list[str] = []
    train_final_rank(data, 1, (0.1, 0.05, 0.02), 1e-6, reports.append)
    losses = [float(report.split()[-1]) for report in reports]
    assert losses[-1] < losses[0] < np.log(24)


def test_samples(source):
    samples = evaluation.draw_samples(source, 1)
    hands = int(source.test.sum())
    counts = np.unique(samples.waiting.positions.hands, return_counts=True)[1]
    assert counts.max() == 2
    assert hands < counts.sum() <= 2 * hands
    assert (samples.waiting.of_opponent("riichi") == 0).all()
    for sample in (samples.winning, samples.score):
        of_hand = np.unique(sample.positions.hands, return_counts=True)[1]
        assert of_hand.max() == 2
        assert of_hand.sum() == len(sample.kinds)
        assert sample.positions.tenpai[sample.wanted()].all()
    for i, opponent in enumerate(samples.winning.opponents):
        held = samples.winning.positions.views["hand"][i] > 0
        costs = samples.winning.positions.payments[i, opponent] > 0
        assert (held & costs).any()
        assert (held & ~costs).any()
    lists = evaluation.winning_lists(samples.winning)
    truth = evaluation.orderings(samples.winning, lists, lists.labels.astype(float))
    assert (truth == 1).all()  # who knows the waits orders all tiles right


def test_deal_ins_that_happened(source):
    """Payments of the sample are those of the record; the model's label may differ by ura-dora and red fives."""
    samples = evaluation.draw_samples(source, 1)
    results = source.dataset.hands("result").column("result").to_pylist()
    assert len(samples.paid) > 10
    assert all(results[row] == "ron" for row in samples.deal_ins.positions.hands)
    at = (np.arange(len(samples.paid)), samples.deal_ins.opponents, samples.deal_ins.kinds)
    labels = samples.deal_ins.positions.payments[at]
    riichi = samples.deal_ins.of_opponent("riichi") > 0
    assert (labels > 0).all()
    assert (labels[~riichi] <= samples.paid[~riichi]).all()
    assert np.mean(labels[~riichi] == samples.paid[~riichi]) > 0.8
