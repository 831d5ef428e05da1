"""Furiten: no ron on one's own discards' tiles, nor after passing one up."""

from __future__ import annotations

from scenario import choices, deal, may, pass_all, play, until_turn, won

WAITS_4M_7M = "123m456p789s22p56m"
YAKU_ON_4S_ONLY = "234m567m888p33p23s"  # waits for 1s (nothing) and 4s (tanyao)


# --- by one's own discards


def test_an_own_discard_of_the_waited_tile() -> None:
    table = deal({0: WAITS_4M_7M}, draws="7m 7m")
    play(table, "0 tsumogiri", "1 tsumogiri")
    assert not may(table, 0, "ron")


def test_an_own_discard_of_another_wait() -> None:
    table = deal({0: WAITS_4M_7M}, draws="4m 7m")
    play(table, "0 tsumogiri", "1 tsumogiri")
    assert not may(table, 0, "ron")


def test_without_it_the_ron_is_there() -> None:
    table = deal({0: WAITS_4M_7M}, draws="1z 7m")
    play(table, "0 tsumogiri", "1 tsumogiri")
    assert choices(table, 0) == {"ron", "pass"}


def test_a_discard_that_was_called_away_still_counts() -> None:
    table = deal({0: WAITS_4M_7M, 2: "77m"}, draws="7m 4m")
    play(table, "0 tsumogiri", "2 pon")
    play(table, f"2 {table.legal_names(2)[0]}", "3 tsumogiri")  # 4m
    assert not may(table, 0, "ron")


def test_it_lasts_over_later_turns() -> None:
    table = deal({0: WAITS_4M_7M}, draws="7m ? ? ? ? 4m")
    play(table, "0 tsumogiri")
    until_turn(table, 0)
    play(table, "0 tsumogiri", "1 tsumogiri")
    assert not may(table, 0, "ron")


def test_a_win_by_self_draw_is_allowed() -> None:
    table = deal({0: WAITS_4M_7M}, draws="7m ? ? ? 4m")
    play(table, "0 tsumogiri")
    until_turn(table, 0)
    play(table, "0 tsumo")
    assert won(table) == {0: ("menzen tsumo", "pinfu")}


def test_it_goes_when_the_waits_change() -> None:
    # after 7m is gone the hand comes to wait for 1s and 4s
    table = deal({0: "123m456p789s22p6m2s"}, draws="7m ? ? ? 3s 1s")
    play(table, "0 tsumogiri")
    until_turn(table, 0)
    play(table, "0 discard 6m", "1 tsumogiri")
    assert choices(table, 0) == {"ron", "pass"}


def test_it_comes_when_the_waits_change() -> None:
    # 7m was discarded before the hand waited for it
    table = deal({0: "123m456p789s22p5m1z"}, draws="7m ? ? ? 6m 4m")
    play(table, "0 tsumogiri")
    until_turn(table, 0)
    play(table, "0 discard 1z", "1 tsumogiri")
    assert not may(table, 0, "ron")


# --- by passing, till the next draw


def test_passing_a_win() -> None:
    table = deal({3: WAITS_4M_7M}, draws="7m 4m 7m")
    play(table, "0 tsumogiri")
    assert choices(table, 3) == {"ron", "pass"}
    pass_all(table)
    play(table, "1 tsumogiri")
    assert not may(table, 3, "ron")
    play(table, "2 tsumogiri")
    assert not may(table, 3, "ron")


def test_it_ends_with_ones_own_draw() -> None:
    table = deal({3: WAITS_4M_7M}, draws="7m ? ? 1z 4m")
    play(table, "0 tsumogiri", "3 pass", "1 tsumogiri", "2 tsumogiri", "3 tsumogiri", "0 tsumogiri")
    assert choices(table, 3) == {"ron", "pass"}


def test_a_self_drawn_win_after_passing() -> None:
    table = deal({3: WAITS_4M_7M}, draws="7m ? ? 4m")
    play(table, "0 tsumogiri", "3 pass", "1 tsumogiri", "2 tsumogiri")
    assert may(table, 3, "tsumo")


def test_a_waited_tile_without_a_yaku_counts_too() -> None:
    table = deal({3: YAKU_ON_4S_ONLY}, draws="1s 4s ? 1z 4s")
    play(table, "0 tsumogiri")
    assert not may(table, 3, "ron")
    play(table, "1 tsumogiri")
    assert not may(table, 3, "ron")
    play(table, "2 tsumogiri", "3 tsumogiri", "0 tsumogiri")
    assert choices(table, 3) == {"ron", "pass"}


def test_no_yaku_no_ron_but_ron_on_the_other_wait() -> None:
    table = deal({3: YAKU_ON_4S_ONLY}, draws="4s")
    play(table, "0 tsumogiri", "3 ron")
    assert won(table) == {3: ("tanyao",)}


def test_it_ends_with_a_call_of_ones_own() -> None:
    # waits for 2m, 5m, 8m; after a pon of 8s and the discard of 3m for 4m and 7m
    table = deal({2: "234p567p88s34567m"}, draws="5m 8s 7m")
    play(table, "0 tsumogiri", "2 pass", "1 tsumogiri", "2 pon", "2 discard 3m", "3 tsumogiri")
    assert choices(table, 2) == {"ron", "pass"}


def test_calling_the_winning_tile_instead_of_ron() -> None:
    # shanpon of 8p and 8s: a pon of 8p is a choice against the win
    table = deal({2: "234m567m88p88s345p"}, draws="8p")
    play(table, "0 tsumogiri")
    assert choices(table, 2) == {"ron", "pon", "pass"}


# --- in riichi


def test_passing_in_riichi_lasts_to_the_end() -> None:
    table = deal({3: WAITS_4M_7M}, draws="? ? ? 1z 7m ? ? ? 4m ? ? ? 7m")
    until_turn(table, 3)
    play(table, "3 riichi", "3 tsumogiri", "0 tsumogiri")
    assert choices(table, 3) == {"ron", "pass"}
    pass_all(table)
    for _ in range(2):  # 4m, then 7m
        until_turn(table, 0)
        play(table, "0 tsumogiri")
        assert not may(table, 3, "ron")


def test_a_self_drawn_win_in_riichi_furiten() -> None:
    table = deal({3: WAITS_4M_7M}, draws="? ? ? 1z 7m ? ? 4m")
    until_turn(table, 3)
    play(table, "3 riichi", "3 tsumogiri", "0 tsumogiri", "3 pass")
    until_turn(table, 3)
    play(table, "3 tsumo")
    assert won(table) == {3: ("menzen tsumo", "ippatsu", "pinfu", "daburu riichi")}


def test_passing_up_a_self_drawn_win_in_riichi() -> None:
    table = deal({3: WAITS_4M_7M}, draws="? ? ? 1z ? ? ? 7m 4m")
    until_turn(table, 3)
    play(table, "3 riichi", "3 tsumogiri")
    until_turn(table, 3)
    play(table, "3 tsumogiri", "0 tsumogiri")
    assert not may(table, 3, "ron")


def test_riichi_in_discard_furiten_may_only_draw() -> None:
    table = deal({0: WAITS_4M_7M}, draws="7m ? ? ? 1z 4m ? ? 7m")
    play(table, "0 tsumogiri")
    until_turn(table, 0)
    play(table, "0 riichi", "0 tsumogiri", "1 tsumogiri")
    assert not may(table, 0, "ron")
    until_turn(table, 0)
    assert may(table, 0, "tsumo")


def test_all_thirteen_waits_of_the_orphans() -> None:
    table = deal({0: "19m19p19s1234567z"}, draws="7z 1m")
    play(table, "0 tsumogiri", "1 tsumogiri")
    assert not may(table, 0, "ron")
