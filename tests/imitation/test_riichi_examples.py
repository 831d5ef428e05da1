"""Which decisions become examples, and what is learned of how a hand ended."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from janshi.learn.imitation.batches import unpack_kinds, unpack_legal
from janshi.learn.imitation.examples import DRAW_END, FIRST_RON_END, Selection, ends, examples

TSUMO_BY_ME, TSUMO_BY_NEXT = 0, 1
RON_ME_FROM_NEXT = FIRST_RON_END
RON_NEXT_FROM_ME = FIRST_RON_END + 3 + 2  # winner 1, three seats on: the viewer


@pytest.mark.parametrize(
    ("winners", "loser", "viewer", "end"),
    [
        (0b0000, -1, 2, DRAW_END),
        (0b0100, -1, 2, TSUMO_BY_ME),
        (0b1000, -1, 2, TSUMO_BY_NEXT),
        (0b0001, -1, 3, TSUMO_BY_NEXT),
        (0b0001, 1, 0, RON_ME_FROM_NEXT),
        (0b0010, 0, 0, RON_NEXT_FROM_ME),
        (0b0010, 0, 1, FIRST_RON_END + 2),  # the viewer wins from three seats on
        (0b1010, 2, 2, RON_NEXT_FROM_ME),  # of two winners the first after the loser counts
        (0b1010, 2, 3, FIRST_RON_END + 2),
    ],
)
def test_ends_are_seen_from_the_viewer(winners, loser, viewer, end):
    assert ends(*(np.array([value], np.int64) for value in (winners, loser, viewer))).tolist() == [end]


def test_every_end_of_a_hand_has_a_number_of_its_own():
    cases = [(1 << seat, -1) for seat in range(4)]
    cases += [(1 << winner, loser) for winner in range(4) for loser in range(4) if winner != loser]
    winners, losers = (np.array(column, np.int64) for column in zip(*cases, (0, -1)))
    for viewer in range(4):
        found = ends(winners, losers, np.full(len(winners), viewer))
        assert len(set(found.tolist())) == len(cases) + 1
        assert found.max() < 20


def gathered(compact_hands, **choice):
    parts = list(examples(compact_hands, Selection(seats="all", **choice)))
    return tuple(np.concatenate(column) for column in zip(*parts))


def test_targets_hold_what_they_say(compact_hands):
    packed, targets = gathered(compact_hands, skip_forced=False, skip_unsure=False)
    legal = unpack_legal(torch.from_numpy(packed["legal"])).numpy()
    assert legal[np.arange(len(packed)), targets["action"]].all()
    assert np.array_equal(targets["forced"] == 1, legal.sum(1) == 1)
    assert (targets["rons"] & ~targets["waits"] == 0).all()  # who wins on a tile waits for it
    assert np.array_equal(targets["value"] > 0, targets["rons"] != 0)
    assert (targets["value"][targets["value"] > 0] >= 1000).all()
    known = targets["ranks"][(targets["ranks"] < 4).all(1)]
    assert (np.sort(known, 1) == np.arange(4)).all()
    assert (unpack_kinds(torch.from_numpy(targets["waits"])).sum(-1) <= 13).all()


def test_choices_leave_out_what_they_say(compact_hands):
    everything = gathered(compact_hands, skip_forced=False, skip_unsure=False)[1]
    free = gathered(compact_hands, skip_unsure=False)[1]
    assert len(free) == (everything["forced"] == 0).sum() < len(everything)
    test = gathered(compact_hands, split="test")[1]
    assert 0 < len(test) < len(free)
    with pytest.raises(ValueError, match="no pack is called nowhere"):
        gathered(compact_hands, packs=("nowhere",))
    with pytest.raises(ValueError, match="no hand is left"):
        gathered(compact_hands, share=0.0)


def test_threads_and_order_change_nothing_else(compact_hands):
    ours, theirs = (
        gathered(compact_hands),
        [np.concatenate(column) for column in zip(*examples(compact_hands, Selection(seats="all"), threads=2))],
    )
    assert all(np.array_equal(one, other) for one, other in zip(ours, theirs))
    shuffled = [targets for _, targets in examples(compact_hands, Selection(seats="all"), shuffle=3)]
    mixed = np.concatenate(shuffled)
    assert not np.array_equal(mixed["action"], ours[1]["action"])
    assert np.array_equal(np.sort(mixed["action"]), np.sort(ours[1]["action"]))
