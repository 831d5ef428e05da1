"""Blessings of heaven and earth: winning by self-draw on the first, unbroken turn."""

from __future__ import annotations

from scenario import changes, deal, may, play, until_turn, won

TENPAI = "123m456p789s22p56m"


def test_heaven() -> None:
    table = deal({0: TENPAI}, draws="7m")
    play(table, "0 tsumo")
    assert won(table) == {0: ("tenhou",)}
    assert changes(table) == (48_000, -16_000, -16_000, -16_000)


def test_earth() -> None:
    table = deal({2: TENPAI}, draws="? ? 7m")
    until_turn(table, 2)
    play(table, "2 tsumo")
    assert won(table) == {2: ("chiihou",)}
    assert changes(table) == (-16_000, -8000, 32_000, -8000)


def test_the_dealer_of_another_round() -> None:
    table = deal({2: TENPAI}, draws="7m", round=2)
    play(table, "2 tsumo")
    assert won(table) == {2: ("tenhou",)}


def test_not_on_the_second_draw() -> None:
    table = deal({0: TENPAI}, draws="? ? ? ? 7m")
    play(table, "0 tsumogiri")
    until_turn(table, 0)
    play(table, "0 tsumo")
    assert won(table) == {0: ("menzen tsumo", "pinfu")}


def test_not_after_a_call() -> None:
    table = deal({2: TENPAI, 1: "99m1z"}, draws="9m 7m")
    play(table, "0 tsumogiri", "1 pon", "1 discard 1z", "2 tsumo")
    assert won(table) == {2: ("menzen tsumo", "pinfu")}


def test_not_after_anothers_concealed_kan() -> None:
    table = deal({2: TENPAI, 1: "9999m"}, draws="? ? 7m")
    play(table, "0 tsumogiri", "1 concealed kan 9m", "1 tsumogiri", "2 tsumo")
    assert won(table) == {2: ("menzen tsumo", "pinfu")}


def test_not_after_ones_own_concealed_kan() -> None:
    table = deal({0: "999m456p789s22p56m"}, draws="9m", replacements="7m")
    play(table, "0 concealed kan 9m", "0 tsumo")
    assert won(table) == {0: ("menzen tsumo", "rinshan kaihou")}


def test_no_blessing_by_ron() -> None:
    table = deal({1: "123m456p789s22p68m"}, draws="7m")
    play(table, "0 tsumogiri")
    assert not may(table, 1, "ron")
