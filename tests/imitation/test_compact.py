"""A compact file gives back every decision of its data set."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.learn.imitation.examples import Selection, examples
from janshi.records.compact import gather, read_compact
from janshi.records.dataset import Dataset, DatasetError


def decisions(hands):
    packed, targets = zip(*examples(hands, Selection(seats="all")))
    return np.concatenate(packed), np.concatenate(targets)


def test_every_decision_comes_back(small_dataset, compact_file):
    whole, read = gather(Dataset(small_dataset)), read_compact(compact_file)
    for ours, theirs in zip(decisions(whole), decisions(read)):
        assert len(ours) > 500
        assert np.array_equal(ours, theirs)
    assert read.sources == whole.sources
    assert np.array_equal(read.facts, whole.facts)
    assert read.answers.flags.writeable, "kernels would be compiled again for constants"


def test_it_is_small(small_dataset, compact_file):
    assert compact_file.stat().st_size < 200 * len(Dataset(small_dataset)) + 2000


def test_walls_are_whole(compact_hands):
    assert np.array_equal(np.sort(compact_hands.hands["wall"], 1), np.tile(np.arange(136), (len(compact_hands), 1)))


@pytest.mark.parametrize("cut", [0, 10, 2000, -3])
def test_damaged_files_are_named(compact_file, tmp_path, cut):
    damaged = tmp_path / "damaged.hands"
    damaged.write_bytes(compact_file.read_bytes()[:cut])
    with pytest.raises(DatasetError, match=r"damaged\.hands"):
        read_compact(damaged)


def test_missing_files_and_other_versions_are_named(compact_file, tmp_path):
    with pytest.raises(DatasetError, match=r"nothing\.hands cannot be read"):
        read_compact(tmp_path / "nothing.hands")
    other = tmp_path / "other.hands"
    other.write_bytes(compact_file.read_bytes().replace(b'"version": 1', b'"version": 9', 1))
    with pytest.raises(DatasetError, match=r"other\.hands has version 9, expected 1"):
        read_compact(other)
