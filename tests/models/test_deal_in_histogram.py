"""Histograms of closed opponents: structures, what rules them out, and how they are fitted."""

from __future__ import annotations

import numpy as np
import pytest
from known_views import kind, make_view

from janshi.core.tiles import counts34, parse_tiles
from janshi.features.opponent import new_reading, read_opponent, read_table
from janshi.fitting.deal_in.cases import Cases
from janshi.fitting.deal_in.parameters import fit_factors, fit_histograms, holds, observed_structures
from janshi.models.amounts import AMOUNTS
from janshi.models.deal_in import histogram as hi

RIVER = "1z9m1p9p8s4m3z6z"


def histograms():
    """All factors 1, one structure a hand, cheap payments."""
    out = np.zeros(1, hi.HISTOGRAMS_DTYPE)
    out["factors"] = out["number"] = 1
    out["amounts"][0, :, 0] = 1
    return out


def say(view, known=None):
    reading = new_reading()
    read_table(view[0], reading[0])
    read_opponent(view[0], 1, reading[0])
    winning, base = np.zeros(34, np.float32), np.zeros((34, AMOUNTS), np.float32)
    s = hi.new_structures()
    hi.of_opponent(view[0], 1, reading[0], (histograms() if known is None else known)[0], s, winning, base)
    return winning, base, s, reading[0]


def structure(type, tiles):
    """The number of a structure."""
    wanted = sorted(counts34(parse_tiles(tiles)).nonzero()[0].tolist())
    for i in range(hi.STRUCTURES):
        found, one, two = hi.tiles_of(i)
        if found == type and sorted({one, two} - {hi.NOTHING}) == wanted:
            return i
    raise AssertionError(tiles)


def test_structures_are_all_different():
    found = {hi.tiles_of(i) for i in range(hi.STRUCTURES)}
    assert len(found) == hi.STRUCTURES == 113
    assert hi.waits_of(*hi.tiles_of(structure(hi.TWO_SIDED, "45p"))) == (kind("3p"), kind("6p"))
    assert hi.waits_of(*hi.tiles_of(structure(hi.EDGE, "12s"))) == (kind("3s"), hi.NOTHING)
    assert hi.waits_of(*hi.tiles_of(structure(hi.EDGE, "89s"))) == (kind("7s"), hi.NOTHING)
    assert hi.waits_of(*hi.tiles_of(structure(hi.CLOSED, "79m"))) == (kind("8m"), hi.NOTHING)
    assert hi.waits_of(*hi.tiles_of(structure(hi.LONE, "7z"))) == (kind("7z"), hi.NOTHING)


def test_ways_and_what_rules_them_out():
    view = make_view(rivers={1: RIVER, 2: "2m3m7z7z2s2s5p1s6m"}, riichi={1: 6})
    winning, base, s, r = say(view)
    for tile in ("1z", "9m", "1p", "8s", "4m", "6z", "1s"):
        assert winning[kind(tile)] == 0
        assert (base[kind(tile)] == 0).all()
    assert s.ways[structure(hi.TWO_SIDED, "23m")] == 0  # 4m was discarded
    assert s.ways[structure(hi.TWO_SIDED, "78p")] == 0  # 9p was discarded
    left = [int(r.left[kind(tile)]) for tile in ("2p", "3p")]
    weights = s.ways / s.ways.sum()
    assert s.ways[structure(hi.TWO_SIDED, "45p")] > 0
    assert weights.sum() == pytest.approx(1)
    assert s.ways[structure(hi.CLOSED, "24p")] == left[0] * int(r.left[kind("4p")])
    assert s.ways[structure(hi.PAIR, "3p")] == left[1] * (left[1] - 1) / 2
    two_sided = s.ways[: 3 * hi.PER_SUIT].reshape(3, hi.PER_SUIT)[:, :6].sum()
    assert winning.sum() == pytest.approx((s.ways.sum() + two_sided) / s.ways.sum(), rel=1e-5)


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("123m456p78s11222z", [(hi.TWO_SIDED, "78s")]),
        ("123m456p77s11222z", [(hi.PAIR, "7s"), (hi.PAIR, "1z")]),
        ("123m456p1112223z", [(hi.LONE, "3z")]),
        ("123m456789p3345s", [(hi.LONE, "3s"), (hi.TWO_SIDED, "45s")]),
        ("1122m5566p3388s7z", [(hi.LONE, "7z")]),
        ("123m456p24s11222z", [(hi.CLOSED, "24s")]),
    ],
)
def test_structures_of_a_hand(hand, expected):
    counts = counts34(parse_tiles(hand)).astype(np.int8)
    kept = counts.copy()
    found = {i for i in range(hi.STRUCTURES) if holds(counts, i)}
    assert (counts == kept).all()
    expected = {structure(type, tiles) for type, tiles in expected}
    if hand.startswith("123m456789p"):
        assert structure(hi.TWO_SIDED, "45s") in found
    else:
        assert found == expected


def made_cases(count=400, seed=1):
    """Opponents in riichi who wait two-sided three times of four, and else for a pair."""
    rng = np.random.default_rng(seed)
    views, hands, payments = [], [], []
    for _ in range(count):
        two_sided = rng.random() < 0.75
        text = "123456m11222z34p" if two_sided else "123456m11222z99p"
        waits = ["2p", "5p"] if two_sided else ["9p", "1z"]
        views.append(make_view(hand="123s456s789s3377z", rivers={1: "4z9s6p"}, riichi={1: 2}))
        hands.append(counts34(parse_tiles(text)))
        paid = np.zeros(34, np.int32)
        paid[[kind(tile) for tile in waits]] = 3900
        payments.append(paid)
    size = np.arange(count)
    return Cases(
        np.concatenate(views),
        np.ones(count, np.int64),
        np.array(hands, np.int8),
        np.array(payments),
        size,
        np.zeros(count, np.bool_),
    )


def test_fitting_finds_what_was_observed():
    cases = made_cases()
    found = observed_structures(cases)
    assert found[:, structure(hi.TWO_SIDED, "34p")].mean() == pytest.approx(0.75, abs=0.06)
    told = []
    factors = fit_factors(cases, found, 8, told.append)
    assert len(told) == 8
    known = histograms()
    known["factors"][0] = factors
    _, _, s, _ = say(cases.views[:1], known)
    weights = s.ways / s.ways.sum()
    types = np.array([hi.tiles_of(i)[0] for i in range(hi.STRUCTURES)])
    share = found[:, types == hi.TWO_SIDED].sum() / found.sum()
    assert weights[types == hi.TWO_SIDED].sum() == pytest.approx(share, abs=0.05)
    assert weights[types == hi.LONE].sum() < 0.1


def test_fitted_numbers_and_payments():
    cases = made_cases()
    known = fit_histograms(cases, 6, lambda _: None)
    winning, base, _, _ = say(cases.views[:1], known)
    assert winning.sum() == pytest.approx(2, abs=0.15)  # every hand wins on two kinds
    at = kind("2p")
    assert base[at].sum() == pytest.approx(1, abs=1e-5)
    assert base[at].argmax() == 3  # 960 base points
