"""Tenpai hands of opponents with melds, enumerated: the same as by brute force with the full scorer."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from known_views import kind, make_view

from janshi.core.tables import load_tables
from janshi.core.tiles import counts34, parse_tiles
from janshi.core.waits import waits_mask
from janshi.features.opponent import new_reading, read_opponent, read_table
from janshi.models.amounts import AMOUNTS, BASES
from janshi.models.deal_in.blocks import PARTS, TWO_PAIRS, TWO_SIDED, WAITS, all_blocks
from janshi.models.deal_in.enumeration import (
    enumerate_hands,
    new_enumerating,
    of_opponent,
)
from janshi.models.deal_in.scene import plain_prior
from janshi.models.labels import describe_ron
from janshi.rules.riichi.ruleset import TENHOU
from janshi.rules.riichi.score import score
from janshi.rules.riichi.state import FRAME_DTYPE
from janshi.rules.riichi.view import ORACLE_DTYPE, VIEW_DTYPE
from janshi.rules.riichi.yaku import SANANKOU, SANSHOKU_DOUKOU, SHOUSANGEN

RARE = 1 << SANSHOKU_DOUKOU | 1 << SANANKOU | 1 << SHOUSANGEN
"""Yaku that are not looked for."""


def some_view(unseen: str, melds: str, river: str = "1z9m", indicator: str = "9s", **more):
    """A view in which only some tiles are unseen, and no red five."""
    view = make_view(hand="123m456p789s1122z", rivers={1: river}, melds={1: melds}, indicator=indicator, **more)
    left = counts34(parse_tiles(unseen))
    view["seen"][0] = np.maximum(4 - left - view["hand"][0], 0)
    view["reds"] = 7
    return view


def read(view):
    reading = new_reading()
    read_table(view[0], reading[0])
    read_opponent(view[0], 1, reading[0])
    return reading[0]


def hands_of(left, size, first=0):
    """All hands of `left` tiles, each with the number of ways to draw it."""
    if size == 0:
        yield [], 1
        return
    for at in range(first, 34):
        for count in range(1, min(int(left[at]), size) + 1):
            for rest, ways in hands_of(left, size - count, at + 1):
                yield [at] * count + rest, ways * comb(int(left[at]), count)


def brute_force(view, reading):
    """Weight of all tenpai hands, and by kind of those that win on it, and their base points."""
    tables, frame = load_tables(), np.zeros(1, FRAME_DTYPE)
    frame["rules"] = TENHOU.record()
    hidden = np.zeros(1, ORACLE_DTYPE)
    for name in VIEW_DTYPE.names:
        hidden[name] = view[name]
    v, f, ura = hidden[0], frame[0], np.zeros(34, np.int64)
    melds = int(v.melds[1])
    total, won, points = 0, np.zeros(34), np.zeros(34)
    for tiles, ways in hands_of(reading.left, 13 - 3 * melds):
        counts = np.bincount(tiles, minlength=34).astype(np.uint8)
        waits = int(waits_mask(counts, melds, tables))
        if not waits:
            continue
        total += ways
        if waits & int(reading.safe):
            continue
        v.hands[1] = counts
        for at in range(34):
            if waits >> at & 1:
                describe_ron(v, 1, at, ura, f.win)
                score(f.win, f.rules, f.score)
                if f.score["base"] and int(f.score.yaku) & ~RARE:
                    won[at] += ways
                    points[at] += ways * int(f.score["base"])
    return total, won / total, points / np.maximum(won, 1)


SCENES = [
    ("2233445566m23s", "(555p) (234s)", {}),  # simples
    ("234m234567s1199p44z", "(234p) (678s)", {}),  # three colours, or nothing
    ("11122m88899p33344z", "(111p) (999s)", {}),  # triplets, outer tiles
    ("1223345567s4466z", "(123s) (777z)", {"indicator": "2s"}),  # half flush with dora
    ("123456789m1199p5z", "(123m) (789s)", {}),  # a full straight, outer sequences
    ("23445567p22334z66z", "(444s) (333z)", {"kyoku": 4, "dealer": 2}),  # winds by seat and round
    ("2334455667p88s55z", "(555s) (234p) (666m)", {"river": "4p2z"}),  # three melds, furiten
    ("1123p79s5567z", "(123s) (789m) (111z) (789p)", {"dealer": 1}),  # four
]


@pytest.mark.parametrize(("unseen", "melds", "more"), SCENES)
def test_as_by_brute_force(unseen, melds, more):
    view = some_view(unseen, melds, **more)
    reading = read(view)
    total, won, points = brute_force(view, reading)
    winning, base = np.zeros(34, np.float32), np.zeros((34, AMOUNTS), np.float32)
    e = new_enumerating()
    of_opponent(view[0], 1, reading, plain_prior()[0], e, winning, base)
    assert e.mass[0].total == pytest.approx(total)
    assert winning == pytest.approx(won, abs=1e-6)
    found = won > 0
    assert found.any()
    assert base.sum(1)[found] == pytest.approx(1, abs=1e-5)
    assert (base @ BASES)[found] == pytest.approx(points[found], rel=0.05)
    assert np.average((base @ BASES)[found], weights=won[found]) == pytest.approx(
        np.average(points[found], weights=won[found]), rel=0.02
    )


def test_blocks():
    b = all_blocks()[0]
    assert b.first[-1, -1, -1] == PARTS
    assert b.first_wait[-1] == WAITS
    assert {int(s) for s in np.unique(b.form)} == set(range(8))


def test_mass_by_class_adds_up():
    view = some_view("2233445566m23s", "(555p) (234s)")
    e = new_enumerating()
    enumerate_hands(view[0], 1, read(view), plain_prior()[0], e)
    m = e.mass[0]
    for part in (m.wait, m.yaku, m.furiten, m.let_go):
        assert part.sum() == pytest.approx(m.total)


def test_prior_weights_of_shapes():
    view = some_view("2233445566m23s", "(555p) (234s)")
    prior, e = plain_prior(), new_enumerating()
    before = np.zeros(34, np.float32)
    after, base = before.copy(), np.zeros((34, AMOUNTS), np.float32)
    reading = read(view)
    of_opponent(view[0], 1, reading, prior[0], e, before, base)
    shares = e.mass[0].wait / e.mass[0].total
    prior["wait"][:, :, TWO_SIDED] = 3
    prior["wait"][:, :, TWO_PAIRS] = 0
    of_opponent(view[0], 1, reading, prior[0], e, after, base)
    assert e.mass[0].wait[TWO_PAIRS] == 0
    assert e.mass[0].wait[TWO_SIDED] / e.mass[0].total > shares[TWO_SIDED]
    assert after[kind("2s")] < before[kind("2s")]


def test_one_meld():
    """One set drawn on its own: the probabilities of a hand that needs simples."""
    view = some_view("2233445566m234567s", "(555p)")
    winning, base = np.zeros(34, np.float32), np.zeros((34, AMOUNTS), np.float32)
    e = new_enumerating()
    of_opponent(view[0], 1, read(view), plain_prior()[0], e, winning, base)
    assert winning[kind("2m")] > 0
    assert winning[kind("1m")] == 0  # no yaku with it
    assert winning[kind("7z")] == 0
    assert 0 < winning.sum() < 4


@pytest.mark.parametrize("melds", ["(555z)", "(222p)", "(234p)", "(999m) (111z)", "(123m) (234p)"])
def test_lists_have_room_for_many_dora(melds):
    view = make_view(hand="1m", rivers={1: "4z"}, melds={1: melds}, indicator="4m")
    view["indicators"][0] = parse_tiles("4m3p6s4z7z")
    reading = read(view)
    e = new_enumerating()
    enumerate_hands(view[0], 1, reading, plain_prior()[0], e)
    assert e.lists[0].lost == 0
    assert e.mass[0].total > 0
