"""Winning on the replacement tile of a kan (rinshan)."""

from __future__ import annotations

from scenario import changes, choices, deal, play, until_turn, won

OPEN_9M = "999m123p456s7894s"  # with 9m melded: 123p 456s 789s and a single 4s


def test_after_an_open_kan() -> None:
    table = deal({2: OPEN_9M}, draws="9m", replacements="4s")
    play(table, "0 tsumogiri", "2 kan")
    assert "tsumo" in choices(table, 2)
    play(table, "2 tsumo")
    assert won(table) == {2: ("rinshan kaihou",)}
    assert changes(table) == (-700, -400, 1500, -400)  # 1 han 40 fu


def test_after_a_concealed_kan() -> None:
    table = deal({1: OPEN_9M}, draws="? 9m", replacements="4s")
    play(table, "0 tsumogiri", "1 concealed kan 9m", "1 tsumo")
    assert won(table) == {1: ("menzen tsumo", "rinshan kaihou")}


def test_after_an_added_kan() -> None:
    table = deal({1: "99m123p456s7894s1z"}, draws="9m ? ? ? 9m", replacements="4s")
    play(table, "0 tsumogiri", "1 pon", "1 discard 1z")
    until_turn(table, 1)
    play(table, "1 added kan 9m", "1 tsumo")
    assert won(table) == {1: ("rinshan kaihou",)}


def test_not_without_the_right_tile() -> None:
    table = deal({2: OPEN_9M}, draws="9m", replacements="1z")
    play(table, "0 tsumogiri", "2 kan")
    assert "tsumo" not in choices(table, 2)


def test_not_on_the_next_ordinary_draw() -> None:
    table = deal({2: OPEN_9M}, draws="9m ? ? ? 4s", replacements="1z")
    play(table, "0 tsumogiri", "2 kan", "2 tsumogiri")
    until_turn(table, 2)
    assert "tsumo" not in choices(table, 2)  # complete, but without a yaku


def test_not_by_ron_on_the_discard_after_a_kan() -> None:
    table = deal({2: "999m147p258s1234z", 3: "123m456p789s22p56m"}, draws="9m", replacements="7m")
    play(table, "0 tsumogiri", "2 kan", "2 tsumogiri", "3 ron")
    assert won(table) == {3: ("pinfu",)}


def test_after_a_second_kan() -> None:
    table = deal({2: "999m888p456s7s777z"}, draws="9m", replacements="8p 7s")
    play(table, "0 tsumogiri", "2 kan", "2 concealed kan 8p", "2 tsumo")
    assert won(table) == {2: ("rinshan kaihou", "chun")}


def test_the_thrower_of_the_kan_tile_is_not_liable() -> None:
    table = deal({2: OPEN_9M}, draws="9m", replacements="4s")
    play(table, "0 tsumogiri", "2 kan", "2 tsumo")
    assert changes(table)[1] == changes(table)[3] == -400
