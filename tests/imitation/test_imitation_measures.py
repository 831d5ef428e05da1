"""Agreement with experts, counted on decisions made by hand."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from janshi.learn.imitation.batches import DeviceExamples
from janshi.learn.imitation.examples import TARGETS_DTYPE
from janshi.learn.imitation.measure import _auc, agreement_table, hidden_table, tile_of_discard
from janshi.rules.riichi import actions as act

ONE_M, FIVE_M, RED_FIVE_M = 0, 4, 34


def decision(done, said, legal, drawn=-1, **facts):
    return done, said, {done, said, *legal}, drawn, facts


CASES = [
    decision(ONE_M, ONE_M, [FIVE_M]),
    decision(ONE_M, FIVE_M, [], riichi=1),
    decision(act.TSUMOGIRI, ONE_M, [], drawn=ONE_M),  # the same tile: right as a discard, not as an action
    decision(RED_FIVE_M, FIVE_M, []),  # a red five is another tile
    decision(act.TSUMOGIRI, act.TSUMOGIRI, [], drawn=ONE_M, forced=1),
    decision(act.RIICHI, act.TSUMOGIRI, [], drawn=ONE_M, held_out=1),
    decision(ONE_M, FIVE_M, [act.RIICHI], last_hand=1),
    decision(act.CHI, act.CHI + 1, [act.PASS]),  # both call
    decision(act.PON, act.PASS, [act.CHI]),
    decision(act.PASS, act.PASS, [act.RON]),
]


def words(legal):
    return [sum(1 << action % act.HALF for action in legal if action // act.HALF == half) for half in (0, 1)]


@pytest.fixture(scope="module")
def table():
    facts = np.zeros(len(CASES), TARGETS_DTYPE)
    for row, (done, _, _, _, about) in zip(facts, CASES):
        row["action"] = done
        for name, value in about.items():
            row[name] = value
    legal = torch.tensor([words(legal) for _, _, legal, _, _ in CASES])
    drawn = torch.tensor([drawn for _, _, _, drawn, _ in CASES])
    examples = DeviceExamples(torch.zeros(len(CASES), 1), legal, drawn, {}, facts)
    said = {"action": np.array([said for _, said, *_ in CASES]), "log_chance": np.full(len(CASES), np.log(0.5))}
    return agreement_table(said, examples)


@pytest.mark.parametrize(
    ("name", "right", "of"),
    [
        ("all decisions", 3, 9),
        ("all decisions as actions", 2, 9),
        ("discards", 2, 5),
        ("discards as actions", 1, 5),
        ("discards, forced ones too", 3, 6),
        ("riichi possible", 0, 2),
        ("riichi, yes or no", 1, 2),
        ("chi possible", 0, 2),
        ("chi, yes or no", 2, 2),
        ("pon, yes or no", 0, 1),
        ("win possible", 1, 1),
        ("discards after a riichi", 0, 1),
        ("discards, no threat", 2, 4),
        ("all, last hand", 0, 1),
        ("all, held-out players", 0, 1),
    ],
)
def test_agreement(table, name, right, of):
    assert table[name] == {"share": pytest.approx(right / of), "decisions": of}


def test_perplexity_and_what_is_left_out(table):
    assert table["perplexity"] == {"share": pytest.approx(2.0), "decisions": 9}
    assert "kan possible" not in table


def test_tile_of_discard():
    actions = np.array([ONE_M, RED_FIVE_M, act.TSUMOGIRI, act.PASS, act.RIICHI])
    assert tile_of_discard(actions, np.full(5, 7)).tolist() == [ONE_M, RED_FIVE_M, 7, -1, -1]


def test_area_under_the_curve():
    assert _auc(np.array([0.1, 0.4, 0.35, 0.8]), np.array([False, False, True, True])) == pytest.approx(0.75)


def test_hidden_hands():
    facts = np.zeros(2, TARGETS_DTYPE)
    facts["waits"][0, 0], facts["value"][0, 0], facts["ranks"][:, 0] = 0b11, 16000, (0, 4)
    said = {
        "tenpai": np.array([[0.9, 0.1, 0.2], [0.3, 0.1, 0.95]]),
        "wait_auc": np.array([[0.8, -1, -1], [-1, -1, -1]]),
        "value": np.zeros((2, 3)),
        "ron_loss": np.array([0.1, 0.3]),
        "end_chance": np.log([0.5, 0.5]),
        "rank": np.array([[0.25, 0.25, 0.25, 0.25], [1, 0, 0, 0]]),
    }
    found = hidden_table(said, DeviceExamples(torch.zeros(2, 1), torch.zeros(2, 2), torch.zeros(2), {}, facts))
    assert found["tenpai AUC"] == pytest.approx(4 / 5)
    assert found["waits AUC"] == pytest.approx(0.8)
    assert found["hand value MSE (log)"] == pytest.approx(np.log(2) ** 2)
    assert found["ron log loss per kind"] == pytest.approx(0.2)
    assert found["end log loss"] == pytest.approx(np.log(2))
    assert found["own rank log loss"] == pytest.approx(np.log(4))
