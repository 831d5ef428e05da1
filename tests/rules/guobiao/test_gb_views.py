"""Views: neither the others' hands nor the tile of a concealed kong is visible."""

from __future__ import annotations

from gb_scenario import deal, play

from janshi.core.melds import CONCEALED_KAN
from janshi.core.tiles import parse_tiles
from janshi.rules.guobiao.state import NONE


def test_a_concealed_kong_is_hidden_from_the_others():
    table = deal({0: "1111m147p258s123z"}, {0: "9p 9s"})
    play(table, "0 concealed kong 1m")
    own, other, oracle = table.view(0), table.view(1), table.oracle_view(1)
    assert own["meld_kind"][0, 0] == parse_tiles("1m")[0]
    assert (other["meld_type"][3, 0], other["meld_kind"][3, 0]) == (CONCEALED_KAN, NONE)
    assert oracle["all_meld_kind"][3, 0] == parse_tiles("1m")[0]


def test_seats_are_relative():
    table = deal({1: "123456789m22p45s"}, {0: "5z"}, wind=2)
    view = table.view(1)
    assert (view["seat"], view["seat_wind"], view["wind"], view["dealer"], view["actor"]) == (1, 1, 2, 3, 3)
    assert view["drawn"] == NONE
    assert view["left"].tolist() == [21, 21, 21, 20]
    assert sum(view["hand"]) == 13


def test_drawn_tile_is_shown_to_its_player_only():
    table = deal({}, {0: "5z"})
    assert table.view(0)["drawn"] == parse_tiles("5z")[0]
    assert table.view(2)["drawn"] == NONE


def test_table_prints():
    table = deal({0: "1111m147p258s123z"}, {0: "9p 9s"})
    play(table, "0 concealed kong 1m")
    assert str(table).splitlines()[0] == "East 1, 19 21 21 21 tiles left"
    assert "[1111m]" in str(table)
    assert repr(table) == "<Table guobiao/botzone: East 1, scores [0, 0, 0, 0]>"
