"""Exchanging suits in packed inputs gives what the same hands with exchanged suits give."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.features.riichi.layout import NO_INPUT
from janshi.learn.imitation.examples import Selection, examples
from janshi.learn.imitation.network import suit_maps
from janshi.records.compact import CompactHands
from janshi.records.rebuild import STORED_DTYPE

IDS = 4


def exchanged(compact, order):
    """The same hands with suit s named order[s]."""
    _, actions, kinds, _ = suit_maps(order)
    hands = compact.hands.copy()
    ids = np.arange(IDS * 34).reshape(34, IDS)
    to = np.argsort(kinds)  # where each kind goes
    moved = np.zeros(IDS * 34, np.uint8)
    moved[ids.ravel()] = ids[to].ravel()
    hands["wall"] = moved[hands["wall"]]
    return CompactHands(hands, actions[compact.answers].astype(np.uint8), compact.facts, compact.sources, compact.rules)


@pytest.mark.parametrize("order", [(1, 0, 2), (2, 0, 1)])
def test_inputs_and_targets_follow_the_suits(compact_hands, order):
    inputs, actions, kinds, tiles = suit_maps(order)
    selection = Selection(seats="all")
    ours = [np.concatenate(parts) for parts in zip(*examples(compact_hands, selection))]
    theirs = [np.concatenate(parts) for parts in zip(*examples(exchanged(compact_hands, order), selection))]
    assert len(ours[0]) == len(theirs[0]) > 500
    assert np.array_equal(actions[ours[1]["action"]], theirs[1]["action"])
    mapped = np.sort(inputs[ours[0]["inputs"]], 1)
    assert np.array_equal(mapped, np.sort(theirs[0]["inputs"].astype(np.int64), 1))
    assert (mapped == NO_INPUT).any()
    drawn = ours[0]["drawn"].astype(np.int64)
    assert np.array_equal(np.where(drawn >= 0, tiles[drawn], -1), theirs[0]["drawn"])
    for name in ("waits", "rons"):
        bits = (ours[1][name][..., None] >> np.arange(34)) & 1
        assert np.array_equal(bits[..., kinds], (theirs[1][name][..., None] >> np.arange(34)) & 1)


def test_stored_hands_have_the_kernels_dtype(compact_hands):
    assert compact_hands.hands.dtype == STORED_DTYPE
