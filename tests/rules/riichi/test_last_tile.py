"""The last tile: haitei, houtei, and no calls after it."""

from __future__ import annotations

from scenario import choices, deal, ending, play, until_left, until_turn, won

# Seat 1 draws the last tile when nobody has called.
NO_YAKU_7M = "123m456p789s22p68m"


def test_haitei_is_a_yaku_of_its_own() -> None:
    table = deal({2: "23m456p789s22p68m1z"}, draws="? 1m", last_draws="7m")
    play(table, "0 tsumogiri", "1 tsumogiri", "2 chi low", "2 discard 1z")
    until_left(table, 0)
    assert table.actor == 2
    play(table, "2 tsumo")
    assert won(table) == {2: ("haitei",)}


def test_not_one_tile_earlier() -> None:
    table = deal({1: "23m456p789s22p68m1z"}, draws="1m", last_draws="7m ?")
    play(table, "0 tsumogiri", "1 chi low", "1 discard 1z")
    until_left(table, 1)
    assert (table.actor, choices(table, 1)) == (1, set())


def test_houtei_is_a_yaku_of_its_own() -> None:
    table = deal({0: "777m", 3: NO_YAKU_7M}, last_draws="7m")
    until_left(table, 0)
    play(table, "1 tsumogiri")
    assert choices(table, 3) == {"ron", "pass"}
    play(table, "3 ron")
    assert won(table) == {3: ("houtei",)}


def test_no_houtei_on_the_discard_before() -> None:
    table = deal({0: "777m", 3: NO_YAKU_7M}, last_draws="7m ?")
    until_left(table, 1)
    play(table, "0 tsumogiri")
    assert 3 not in table.asked


def test_the_last_discard_cannot_be_called() -> None:
    hands = {2: "68m", 3: "777m"}
    table = deal(hands, last_draws="7m")
    until_left(table, 0)
    play(table, "1 tsumogiri")
    assert table.hand_over
    assert ending(table) == "exhaustive draw"


def test_the_discard_before_it_can() -> None:
    table = deal({1: "68m", 3: "77m"}, last_draws="7m ?")
    until_left(table, 1)
    play(table, "0 tsumogiri")
    assert choices(table, 1) == {"chi middle", "pass"}
    assert choices(table, 3) == {"pon", "pass"}


def test_the_last_draw_goes_to_whom_calls_leave_it() -> None:
    table = deal({3: "77m1z"}, last_draws="7m ?")
    until_left(table, 1)
    play(table, "0 tsumogiri", "3 pon", "3 discard 1z")
    assert (table.actor, table.tiles_left) == (0, 0)


def test_rinshan_on_the_last_tile_is_no_haitei() -> None:
    table = deal({0: "999m456p789s22p68m"}, last_draws="9m ?", replacements="7m")
    until_left(table, 1)
    play(table, "0 concealed kan 9m")
    assert table.tiles_left == 0
    play(table, "0 tsumo")
    assert won(table) == {0: ("menzen tsumo", "rinshan kaihou")}


def test_the_discard_after_that_kan_is_the_last() -> None:
    table = deal({0: "999m147p258s", 1: "7m", 2: NO_YAKU_7M, 3: "77m"}, last_draws="9m ?", replacements="7m")
    until_left(table, 1)
    play(table, "0 concealed kan 9m", "0 tsumogiri")
    assert table.asked == (2,)
    play(table, "2 ron")
    assert won(table) == {2: ("houtei",)}


def test_haitei_with_ippatsu() -> None:
    table = deal({1: "123m456p789s22p68m"}, last_draws="3z ? ? ? 7m")
    until_left(table, 4)
    play(table, "1 riichi", "1 tsumogiri")
    until_turn(table, 1)
    play(table, "1 tsumo")
    assert won(table) == {1: ("menzen tsumo", "riichi", "ippatsu", "haitei")}
