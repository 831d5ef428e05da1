"""Fitting the deal-in model: hands put together, mixtures, and a whole small run on real games that is resumed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from janshi.core.tiles import counts34, parse_tiles
from janshi.fitting.deal_in.mixture import fit_logistic, fit_powers
from janshi.fitting.deal_in.parameters import less_one_set, put_together
from janshi.models.amounts import AMOUNTS
from janshi.models.deal_in import blocks

# --- hands put together


def counts(text):
    return counts34(parse_tiles(text)).astype(np.int64)


@pytest.mark.parametrize(
    ("hand", "group", "shape"),
    [
        ("23m456p77z", blocks.OPEN, blocks.TWO_SIDED),
        ("13m45677p", blocks.OPEN, blocks.CLOSED),
        ("12m456p77z", blocks.OPEN, blocks.EDGE),
        ("22m456p77z", blocks.PAIRED, None),
        ("2m456p777z", blocks.SINGLE, blocks.LONE),
        ("2345m777z", blocks.SINGLE, blocks.TWO_LONE),
        ("2233m777z", blocks.SINGLE, blocks.TWO_PAIRS),
        ("2223456m", blocks.SINGLE, blocks.MANY),
        ("456p777z6z", blocks.SINGLE, blocks.LONE_HONOUR),
    ],
)
def test_hands_are_put_together(hand, group, shape):
    reading = put_together(counts(hand))
    assert reading is not None
    _, suit, part, found = reading
    b = blocks.all_blocks()[0]
    assert found == group
    if shape is not None:
        assert b.form[part] == shape
    assert b.waits[part] != 0
    assert 0 <= suit <= 3


def test_what_is_not_tenpai_cannot_be_put_together():
    assert put_together(counts("2m456p57s7z")) is None
    assert put_together(counts("147m258p7z")) is None


def test_hands_less_one_set():
    found = [rest for rest, one in less_one_set(counts("123m456p77z23s"))]
    assert len(found) == 2
    assert all(rest.sum() == 7 for rest in found)


# --- mixtures


def test_logistic_regression_finds_its_weights():
    rng = np.random.default_rng(1)
    x = np.stack([np.ones(40_000), rng.normal(size=40_000), rng.normal(size=40_000)], axis=1)
    true = np.array([-1.0, 0.5, 1.5])
    y = rng.random(40_000) < 1 / (1 + np.exp(-(x @ true)))
    assert fit_logistic(x, y) == pytest.approx(true, abs=0.06)


def test_powers_find_the_better_distribution():
    rng = np.random.default_rng(2)
    good = rng.dirichlet(np.full(AMOUNTS, 2.0), 5000)
    bad = rng.dirichlet(np.full(AMOUNTS, 2.0), 5000)
    drawn = np.array([rng.choice(AMOUNTS, p=p) for p in good])
    power, other, _ = fit_powers(good, bad, np.eye(AMOUNTS)[drawn])
    assert power == pytest.approx(1, abs=0.15)
    assert other == pytest.approx(0, abs=0.1)


# --- a whole run


@pytest.fixture(scope="module")
def source(shared: Path, tmp_path_factory: pytest.TempPathFactory):
    pytest.importorskip("pyarrow", reason="data sets need pyarrow")
    from few_games import few_games

    return few_games(shared, tmp_path_factory, 30, 4)


def test_cases_are_of_their_role(source, tmp_path):
    from janshi.fitting.data import TESTING, TRAINING
    from janshi.fitting.deal_in.cases import find_cases, join

    for role in (TRAINING, TESTING):
        cases = join(list(find_cases(source, role, np.ones(4), 1, (0, 1))))
        assert len(cases.rows) > 100
        assert (source.test[cases.rows] == (role == TESTING)).all()
        melds = cases.views["melds"][np.arange(len(cases.rows)), cases.players]
        assert (cases.hands.sum(1) == 13 - 3 * melds).all()
        if role == TRAINING:
            assert not cases.unseen.any()


def test_training_goes_on_where_it_was(source, tmp_path):
    from janshi.fitting.deal_in.training import DealInConfig, train
    from janshi.models.deal_in.model import DealInModel, pack, unpack

    config = DealInConfig(shares=(1.0,) * 4, slices=2, rounds=1, hands=60, hand_rounds=1, mixed=(400,) * 4)
    told: list[str] = []
    weights = train(source, config, tmp_path, told.append)
    assert any("slice 2 of 2" in text for text in told)
    first = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    next(tmp_path.glob("hands-3-*.npy")).unlink()
    told.clear()
    again = train(source, config, tmp_path, told.append)
    assert not any("slice" in text for text in told)
    assert any(text.startswith("histograms") and "made before" in text for text in told)
    assert {path.name for path in tmp_path.iterdir()} == set(first)
    arrays = pack(weights)
    assert all(np.array_equal(array, pack(again)[name]) for name, array in arrays.items())
    model = DealInModel.unfitted("mixed")
    unpack(arrays, model.weights)
    assert all(np.isfinite(array).all() for array in arrays.values())
    assert model.weights["mix"].tobytes() == weights["mix"].tobytes()
