"""What opponents may hold in Guobiao."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.core.melds import CHI
from janshi.core.tiles import parse_tiles
from janshi.models.guobiao_opponents import (
    READY,
    WINS,
    GuobiaoOpponents,
    beside,
    elsewhere,
    ready_features,
    seen_in,
    shipped,
    straights,
    ways_to_wait,
    win_features,
)
from janshi.rules.registry import make_game
from janshi.rules.stepper import Stepper

GAME = make_game("guobiao")


def kind(tile: str) -> int:
    """The kind of a tile, such as `"3m"`."""
    return int(parse_tiles(tile)[0])


def kinds(tiles: str):
    """A count for one opponent of one view, float[1, 1, 34]."""
    out = np.zeros((1, 1, 34))
    for tile in parse_tiles(tiles):
        out[0, 0, tile] += 1
    return out


@pytest.fixture(scope="module")
def views():
    """Views of some hands played at random."""
    tables, found, rng = Stepper(GAME, 8), [], np.random.default_rng(3)
    tables.start(np.arange(8, dtype=np.uint64))
    for _ in range(60):
        found.append(tables.views().copy())
        legal = GAME.masks_of_views(found[-1])
        tables.step(np.array([rng.choice(np.flatnonzero(row)) for row in legal]))
    return np.concatenate(found)


def test_counts_agree_with_the_views(views):
    s = seen_in(views)
    assert (s.rivers.sum(2) == views["discards"][:, 1:]).all()
    assert (s.late.sum(2) == np.minimum(views["discards"][:, 1:], 4)).all()
    assert (s.chows.sum(2) + s.pungs.sum(2) + s.hidden == s.melds).all()
    assert ((s.unseen >= 0) & (s.unseen <= 4)).all()
    chows = (views["meld_type"][:, 1:] == CHI) & (np.arange(4) < views["melds"][:, 1:, None])
    assert (s.chows.sum(2) == chows.sum(2)).all()


def test_what_others_discard_after_an_opponent_was_let_pass(views):
    s, some = seen_in(views), 0
    for i, view in enumerate(views):
        orders = [
            (int(view["river_order"][player, place]), player, int(view["river"][player, place]))
            for player in range(4)
            for place in range(view["discards"][player])
        ]
        for opponent in range(3):
            own = [order for order, player, _ in orders if player == opponent + 1]
            after = {tile for order, player, tile in orders if own and order > max(own) and player != opponent + 1}
            assert set(np.flatnonzero(s.passed[i, opponent]).tolist()) == after
            some += len(after)
    assert some


def test_kinds_beside_others():
    assert beside(kinds("5m") > 0, 1)[0, 0, [kind("4m"), kind("6m"), kind("5m")]].tolist() == [1, 1, 0]
    assert beside(kinds("9m") > 0, 1)[0, 0, kind("1p")] == 0  # suits do not touch
    assert beside(kinds("28s") > 0, 3)[0, 0, kind("5s")] == 2


def test_ways_to_wait_in_a_sequence():
    unseen = np.full((1, 34), 4.0)
    found = ways_to_wait(unseen)[0]
    assert [found[kind(tile)] for tile in ("1m", "2m", "3m", "9s", "1z")] == [1, 2, 3, 1, 0]
    unseen[0, kind("2m")] = 0
    assert ways_to_wait(unseen)[0, kind("1m")] == 0
    assert ways_to_wait(unseen)[0, kind("3m")] == 1


def test_straights_and_the_same_set_in_other_suits():
    assert straights(kinds("1m4m"))[0, 0, [kind("8m"), kind("2m"), kind("8p")]].tolist() == [2, 1, 0]
    assert elsewhere(kinds("3m"), 3)[0, 0, [kind("3p"), kind("5s"), kind("6p"), kind("4m")]].tolist() == [1, 1, 0, 0]
    assert elsewhere(kinds("3m"), 1)[0, 0, [kind("3p"), kind("4p")]].tolist() == [1, 0]


def test_features_have_names(views):
    s = seen_in(views[:5])
    assert ready_features(s).shape == (5, 3, len(READY))
    assert win_features(s).shape == (5, 3, 34, len(WINS))


def test_predictions_are_chances_and_melds_raise_them(views):
    ready, wins = shipped().predict(views)
    assert ready.shape == (len(views), 3)
    assert wins.shape == (len(views), 3, 34)
    for found in (ready, wins):
        assert ((found >= 0) & (found <= 1)).all()
    first, later = views["discards"].sum(1) < 4, views["melds"][:, 1:] >= 2
    assert later.any()
    assert ready[later].mean() > 5 * ready[first].mean()


def test_a_kind_whose_four_tiles_are_seen_is_almost_safe(views):
    unseen = seen_in(views).unseen
    _, wins = shipped().predict(views)
    gone, there = (np.repeat((unseen == n)[:, None], 3, 1) for n in (0, 3))
    assert wins[gone].mean() < wins[there].mean()


def test_weights_can_be_stored(tmp_path):
    shipped().save(tmp_path / "some.npz")
    again = GuobiaoOpponents.load(tmp_path / "some.npz")
    assert (again.ready == shipped().ready).all()
    assert (again.wins == shipped().wins).all()
    assert "hands" in again.card["data"]
