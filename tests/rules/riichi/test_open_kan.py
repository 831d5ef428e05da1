"""Open kan: the fourth tile called from anyone's discard, and a replacement drawn."""

from __future__ import annotations

import pytest
from scenario import choices, deal, format_tiles, held, melded, play

from janshi.core.melds import ACROSS, LEFT, RIGHT

REST = "147p258s1234z"


@pytest.mark.parametrize(("player", "source"), [(1, LEFT), (2, ACROSS), (3, RIGHT)])
def test_from_anyone(player: int, source: int) -> None:
    table = deal({player: "999m" + REST}, draws="9m", replacements="7z")
    play(table, "0 tsumogiri")
    assert choices(table, player) == {"pon", "kan", "pass"}
    play(table, f"{player} kan")
    (meld,) = table.melds(player)
    assert (meld.in_words(), meld.called, meld.source) == ("open kan 9999m", 8, source)
    assert held(table, player) == "147p258s12347z"
    assert format_tiles([table.drawn]) == "7z"
    assert table.asked == (player,)


def test_three_tiles_are_needed() -> None:
    table = deal({2: "99m" + REST}, draws="9m")
    play(table, "0 tsumogiri")
    assert choices(table, 2) == {"pon", "pass"}


def test_it_takes_a_tile_from_the_live_wall() -> None:
    table = deal({2: "999m" + REST}, draws="9m")
    play(table, "0 tsumogiri")
    assert table.tiles_left == 69
    play(table, "2 kan")
    assert table.tiles_left == 68
    play(table, "2 tsumogiri")
    assert (table.actor, table.tiles_left) == (3, 67)


def test_the_red_five_goes_with_the_rest() -> None:
    for hand, tile in (("055p", "5p"), ("555p", "0p")):
        table = deal({2: hand + "19m19s123456z"}, draws=tile)
        play(table, "0 tsumogiri", "2 kan")
        assert melded(table, 2) == "(0555p)"


def test_replacements_come_in_order() -> None:
    table = deal({2: "999m888p" + "258s1234z"}, draws="9m 8p", replacements="5z 6z")
    play(table, "0 tsumogiri", "2 kan")
    assert format_tiles([table.drawn]) == "5z"
    play(table, "2 tsumogiri", "3 tsumogiri", "2 kan")
    assert format_tiles([table.drawn]) == "6z"


def test_another_kan_may_follow_at_once() -> None:
    table = deal({2: "999m8888p" + "258s123z"}, draws="9m")
    play(table, "0 tsumogiri", "2 kan")
    assert choices(table, 2) == {"concealed kan 8p"}


def test_the_hand_is_open() -> None:
    table = deal({2: "999m123p456s7897s"}, draws="9m", replacements="1z")
    play(table, "0 tsumogiri", "2 kan")
    assert "riichi" not in choices(table, 2)


def test_no_kan_of_a_discard_in_riichi() -> None:
    table = deal({1: "999m456p789s2256p"}, draws="1z ? 1z ? 9m", dora="8s")
    play(table, "0 tsumogiri", "1 riichi", "1 tsumogiri", "2 tsumogiri", "3 tsumogiri", "0 tsumogiri")
    assert table.actor == 1
    assert melded(table, 1) == ""
