"""The wins within reach of a Guobiao hand: tiles missing to eight fan, mean fan, shares of fan, points."""

from __future__ import annotations

import pytest

from janshi.agents.search.reach import Reach, reach_of
from janshi.core.melds import PON, Meld
from janshi.core.tiles import parse_tiles
from janshi.rules.guobiao.hand import Hand

EAST = (0, 0)


def reach(tiles: str, seen: str = "", draws: int = 20, melds: tuple[Meld, ...] = ()) -> Reach:
    found = reach_of(Hand(tiles, melds), [int(tile) for tile in parse_tiles(seen)], EAST, draws)
    assert found is not None
    return found


def shares(found: Reach) -> dict[str, float]:
    return {fan.name: share for fan, share in found.shares}


def test_a_waiting_hand_misses_one_tile_and_has_its_fan():
    found = reach("123456789m55p78s")
    assert found.missing == 1
    assert shares(found)["pure straight"] > 0.9
    assert found.fan == pytest.approx(20, abs=1)  # pure straight 16, all chows 2, concealed hand 2


@pytest.mark.parametrize(
    ("tiles", "fan", "worth"),
    [
        ("1133557799m22p3s", "seven pairs", 24),
        ("19m19p19s1234567z", "thirteen orphans", 88),
        ("147m258p369s1234z", "lesser honours and knitted tiles", 12),
    ],
)
def test_special_shapes_are_in_reach(tiles: str, fan: str, worth: int):
    found = reach(tiles)
    assert shares(found)[fan] > 0.9
    assert found.fan == pytest.approx(worth, abs=1)


def test_tiles_that_are_gone_are_not_in_reach():
    free, gone = reach("123456789m55p78s"), reach("123456789m55p78s", seen="6666s999s")
    assert gone.points < free.points / 2
    assert reach("123456789m55p78s", draws=2).points < free.points


def test_melds_count():
    pung = Meld(PON, tuple(int(tile) for tile in parse_tiles("777z")))
    found = reach("123m456m789m1z", melds=(pung,))
    assert found.missing == 1
    assert "pung of dragons" in shares(found) or "dragon pung" in shares(found)
    assert shares(found)["pure straight"] > 0.5


def test_a_far_hand_names_the_tiles_missing_to_eight_fan():
    assert reach("159m2468p1357s12z").missing >= 5
