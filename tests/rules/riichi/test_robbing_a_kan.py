"""Robbing a kan (chankan): ron on the tile added to a pon; thirteen orphans on a concealed kan where allowed."""

from __future__ import annotations

import pytest
from scenario import changes, choices, deal, held, melded, pass_all, play, shown, until_turn, won

from janshi.rules.riichi.ruleset import MAHJONG_SOUL, MLEAGUE, TENHOU, Ruleset
from janshi.rules.riichi.table import Table

PONS_7M = "77m147p258s12345z"
WAITS_4M_7M = "123m456p789s22p56m"
NO_YAKU_7M = "123m456p789s22p68m"
ORPHANS_9S = "19m19p1s11234567z"


def added_kan(hand: str, **more: str) -> Table:
    """Seat 1 adds 7m to a pon while seat 3 holds `hand`."""
    table = deal({1: PONS_7M, 3: hand}, draws="7m ? ? ? 7m", **more)
    play(table, "0 tsumogiri", "1 pon", "1 discard 1z")
    until_turn(table, 1)
    play(table, "1 added kan 7m")
    return table


def test_the_added_tile_can_be_won_on() -> None:
    table = added_kan(NO_YAKU_7M)
    assert table.asked == (3,)
    assert choices(table, 3) == {"ron", "pass"}
    play(table, "3 ron")
    assert won(table) == {3: ("chankan",)}
    assert changes(table) == (0, -1300, 0, 1300)


def test_the_kan_is_then_not_made() -> None:
    table = added_kan(NO_YAKU_7M, dora="1p 2p")
    play(table, "3 ron")
    assert melded(table, 1) == "(777m)"
    assert shown(table) == "1p"


def test_if_all_pass_the_kan_is_made() -> None:
    table = added_kan(NO_YAKU_7M, replacements="7z")
    pass_all(table)
    assert melded(table, 1) == "(777+7m)"
    assert (table.asked, held(table, 1)) == ((1,), "147p258s23457z")


def test_a_tile_not_waited_for_cannot_be_robbed() -> None:
    table = added_kan("123m456p789s22p78p")
    assert table.asked == (1,)


def test_passing_makes_furiten_till_the_next_draw() -> None:
    table = deal({1: PONS_7M, 3: WAITS_4M_7M}, draws="7m ? ? ? 7m", replacements="4m")
    play(table, "0 tsumogiri", "1 pon, 3 pass", "1 discard 1z")
    until_turn(table, 1)
    play(table, "1 added kan 7m")
    assert choices(table, 3) == {"ron", "pass"}
    pass_all(table)
    play(table, "1 tsumogiri")  # 4m, also a wait
    assert 3 not in table.asked


def test_passing_in_riichi_makes_furiten_for_good() -> None:
    table = deal({1: PONS_7M, 3: WAITS_4M_7M}, draws="7m ? 1z ? 7m")
    play(table, "0 tsumogiri", "1 pon, 3 pass", "1 discard 2z", "2 tsumogiri", "3 riichi", "3 tsumogiri")
    until_turn(table, 1)
    play(table, "1 added kan 7m")
    assert choices(table, 3) == {"ron", "pass"}
    play(table, "3 pass", "1 tsumogiri", "2 tsumogiri", "3 tsumogiri")
    assert table.state.passed[3] == 2


def test_furiten_players_cannot_rob() -> None:
    table = deal({1: PONS_7M, 3: WAITS_4M_7M}, draws="7m ? 4m ? 7m")
    play(table, "0 tsumogiri", "1 pon, 3 pass", "1 discard 1z", "2 tsumogiri", "3 tsumogiri")  # 3 discards 4m
    until_turn(table, 1)
    play(table, "1 added kan 7m")
    assert table.asked == (1,)


def test_two_can_rob() -> None:
    table = deal({1: PONS_7M, 2: "456s123p789s33p68m", 3: NO_YAKU_7M}, draws="7m ? ? ? 7m")
    play(table, "0 tsumogiri", "1 pon", "1 discard 1z")
    until_turn(table, 1)
    play(table, "1 added kan 7m")
    assert table.asked == (2, 3)
    play(table, "2 ron, 3 ron")
    assert won(table) == {2: ("chankan",), 3: ("chankan",)}


def test_an_added_red_five_counts_as_one() -> None:
    table = deal({1: "55p147m258s12345z", 3: "123m456m789s22m46p"}, draws="5p ? ? ? 0p", dora="7z")
    play(table, "0 tsumogiri", "1 pon", "1 discard 1z")
    until_turn(table, 1)
    play(table, "1 added kan 5p", "3 ron")
    assert table.result.wins[0].report.red == 1
    assert changes(table) == (0, -2600, 0, 2600)  # chankan and a red five: 2 han 40 fu


def test_an_open_kan_cannot_be_robbed() -> None:
    table = deal({1: "777m147p258s1234z", 3: NO_YAKU_7M}, draws="7m")
    play(table, "0 tsumogiri")
    assert table.asked == (1,)  # no yaku for seat 3
    play(table, "1 kan")
    assert table.asked == (1,)


def concealed_kan(rules: Ruleset, hand: str = ORPHANS_9S) -> Table:
    """Seat 0 declares a concealed kan of 9s while seat 3 holds `hand`."""
    table = deal({0: "999s147m258p", 3: hand}, draws="9s", rules=rules)
    play(table, "0 concealed kan 9s")
    return table


def test_thirteen_orphans_rob_a_concealed_kan_where_allowed() -> None:
    table = concealed_kan(MAHJONG_SOUL)
    assert table.asked == (3,)
    assert choices(table, 3) == {"ron", "pass"}
    play(table, "3 ron")
    assert won(table) == {3: ("kokushi musou",)}
    assert changes(table) == (-32_000, 0, 0, 32_000)
    assert melded(table, 0) == ""


@pytest.mark.parametrize("rules", [TENHOU, MLEAGUE])
def test_not_elsewhere(rules: Ruleset) -> None:
    table = concealed_kan(rules)
    assert table.asked == (0,)
    assert melded(table, 0) == "[9999s]"


def test_no_other_hand_robs_a_concealed_kan() -> None:
    table = concealed_kan(MAHJONG_SOUL, "123m456p78s22p789p")
    assert table.asked == (0,)


def test_orphans_that_pass_a_concealed_kan_are_furiten() -> None:
    table = concealed_kan(MAHJONG_SOUL)
    pass_all(table)
    assert melded(table, 0) == "[9999s]"
    assert table.state.passed[3] == 1


def test_who_could_not_rob_the_concealed_kan_is_not_furiten() -> None:
    table = concealed_kan(TENHOU)
    assert table.state.passed[3] == 0
