"""Whose turn it is, and who goes first when several want a discard: ron, then pon and kan, then chi."""

from __future__ import annotations

from scenario import choices, deal, discardable, ending, melded, play, until_turn, won

PINFU_4M_7M = "123m456p789s22p56m"
CHI_AND_PON = {1: "68m", 2: "77m", 3: PINFU_4M_7M}


def test_all_who_can_react_are_asked_at_once() -> None:
    table = deal(CHI_AND_PON, draws="7m")
    play(table, "0 tsumogiri")
    assert table.asked == (1, 2, 3)
    assert choices(table, 1) == {"chi middle", "pass"}
    assert choices(table, 2) == {"pon", "pass"}
    assert choices(table, 3) == {"ron", "pass"}


def test_who_can_do_nothing_is_not_asked() -> None:
    table = deal({2: "77m"}, draws="7m")
    play(table, "0 tsumogiri")
    assert table.asked == (2,)
    assert table.legal_actions(1) == []


def test_ron_goes_before_pon_and_chi() -> None:
    table = deal(CHI_AND_PON, draws="7m")
    play(table, "0 tsumogiri", "1 chi middle, 2 pon, 3 ron")
    assert won(table) == {3: ("pinfu",)}
    assert melded(table, 1) == melded(table, 2) == ""


def test_pon_goes_before_chi() -> None:
    table = deal(CHI_AND_PON, draws="7m")
    play(table, "0 tsumogiri", "1 chi middle, 2 pon")
    assert (melded(table, 1), melded(table, 2)) == ("", "(777m)")
    assert table.asked == (2,)


def test_kan_goes_before_chi() -> None:
    table = deal({1: "68m", 3: "777m"}, draws="7m")
    play(table, "0 tsumogiri", "1 chi middle, 3 kan")
    assert (melded(table, 1), melded(table, 3)) == ("", "(7777m)")


def test_chi_when_the_others_pass() -> None:
    table = deal(CHI_AND_PON, draws="7m")
    play(table, "0 tsumogiri", "1 chi middle")
    assert melded(table, 1) == "(678m)"
    assert table.asked == (1,)


def test_when_all_pass_the_next_player_draws() -> None:
    table = deal(CHI_AND_PON, draws="7m 1z")
    play(table, "0 tsumogiri", "1 pass, 2 pass, 3 pass")
    assert table.asked == (1,)
    assert table.drawn is not None


def test_after_a_pon_play_goes_on_from_the_caller() -> None:
    table = deal({3: "77m1z"}, draws="7m")
    play(table, "0 tsumogiri", "3 pon", "3 discard 1z")
    assert table.actor == 0
    assert table.tiles_left == 68


def test_a_caller_discards_without_drawing() -> None:
    table = deal({2: "77m" + "147p258s12345z"}, draws="7m")
    play(table, "0 tsumogiri", "2 pon")
    assert table.drawn is None
    assert table.tiles_left == 69
    assert choices(table, 2) == set()
    assert discardable(table, 2) == "147p258s12345z"


def test_the_hand_ends_with_the_win() -> None:
    table = deal(CHI_AND_PON, draws="7m")
    play(table, "0 tsumogiri", "3 ron")
    assert table.hand_over
    assert table.asked == ()
    assert ending(table) == "ron"


def test_play_passes_round_the_table() -> None:
    table = deal(round=3)
    order = []
    for player in (3, 0, 1, 2, 3):
        until_turn(table, player)
        order.append(table.actor)
        play(table, f"{player} tsumogiri")
    assert order == [3, 0, 1, 2, 3]
