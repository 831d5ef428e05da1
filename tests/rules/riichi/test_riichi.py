"""Riichi: who may declare it, and what may be discarded with it and after it."""

from __future__ import annotations

import pytest
from scenario import choices, deal, discardable, may, play, until_left, until_turn

from janshi.rules.riichi.ruleset import MAHJONG_SOUL, MLEAGUE, TENHOU, Ruleset

TENPAI = "123m456p789s22p56m"


def test_closed_and_tenpai() -> None:
    table = deal({0: TENPAI}, draws="1z")
    assert choices(table, 0) == {"riichi"}


def test_not_when_far_from_tenpai() -> None:
    assert not may(deal({0: "123m456p789s2p579m"}, draws="1z"), 0, "riichi")


def test_tenpai_by_the_draw() -> None:
    table = deal({0: "123m456p789s2p56m1z"}, draws="2p")
    assert may(table, 0, "riichi")
    play(table, "0 riichi")
    assert table.legal_names(0) == ["discard 1z"]


def test_not_with_an_open_hand() -> None:
    table = deal({1: "23m456p789s22p56m1z"}, draws="1m")
    play(table, "0 tsumogiri", "1 chi low", "1 discard 1z")
    until_turn(table, 1)
    assert table.state.waits[1] != 0
    assert not may(table, 1, "riichi")


def test_a_concealed_kan_does_not_hinder() -> None:
    table = deal({0: "1111m456p789s2p56m"}, draws="?", replacements="2p")
    play(table, "0 concealed kan 1m")
    assert may(table, 0, "riichi")


def test_seven_pairs_and_thirteen_orphans() -> None:
    assert may(deal({0: "1133m5577p2244s1z"}, draws="2z"), 0, "riichi")
    assert may(deal({0: "19m19p19s1234567z"}, draws="2m"), 0, "riichi")
    assert not may(deal({0: "1111m5577p2244s1z"}, draws="2z"), 0, "riichi")  # four of a kind are no two pairs


@pytest.mark.parametrize(
    ("rules", "points", "allowed"),
    [
        (TENHOU, 1000, True),
        (TENHOU, 900, False),
        (TENHOU, 0, False),
        (MAHJONG_SOUL, 900, False),
        (MAHJONG_SOUL, 1000, True),
        (MLEAGUE, 900, True),
        (MLEAGUE, -5000, True),
    ],
)
def test_a_thousand_points(rules: Ruleset, points: int, allowed: bool) -> None:
    table = deal({0: TENPAI}, draws="1z", scores=[points, 30_000, 30_000, 40_000 - points], rules=rules)
    assert may(table, 0, "riichi") == allowed


@pytest.mark.parametrize(
    ("rules", "left", "allowed"),
    [
        (TENHOU, 4, True),
        (TENHOU, 3, False),
        (TENHOU, 0, False),
        (MAHJONG_SOUL, 4, True),
        (MAHJONG_SOUL, 3, False),
        (MLEAGUE, 3, True),
        (MLEAGUE, 1, True),
        (MLEAGUE, 0, False),
    ],
)
def test_tiles_left(rules: Ruleset, left: int, allowed: bool) -> None:
    player = (69 - left) % 4
    table = deal({player: TENPAI}, last_draws="2z 2z 2z 2z 4z", rules=rules)
    until_left(table, left)
    assert table.actor == player
    assert may(table, player, "riichi") == allowed


def test_a_complete_hand_may_declare_with_any_discard() -> None:
    table = deal({0: TENPAI}, draws="4m")
    play(table, "0 riichi")
    assert choices(table, 0) == set()
    assert discardable(table, 0) == "12356m2456p789s"
    assert may(table, 0, "tsumogiri")


def test_only_the_tiles_that_keep_tenpai() -> None:
    table = deal({0: "123m456p789s22p57m"}, draws="8m")
    play(table, "0 riichi")
    assert table.legal_names(0) == ["discard 5m", "tsumogiri"]


def test_not_after_saying_riichi_may_one_win_or_kan() -> None:
    table = deal({0: "123m456p789s111z2p"}, draws="1z")
    assert choices(table, 0) == {"riichi", "concealed kan 1z"}
    play(table, "0 riichi")
    assert choices(table, 0) == set()


def test_a_red_five_and_another_may_both_go() -> None:
    table = deal({0: "123m406p789s56m11z"}, draws="5p")
    play(table, "0 riichi")
    assert discardable(table, 0) == "0p"
    assert may(table, 0, "tsumogiri")


def test_in_riichi_the_drawn_tile_goes() -> None:
    table = deal({0: TENPAI}, draws="1z ? ? ? 2z")
    play(table, "0 riichi", "0 tsumogiri")
    assert table.in_riichi(0)
    until_turn(table, 0)
    assert table.legal_names(0) == ["tsumogiri"]


def test_in_riichi_a_win_is_offered_not_forced() -> None:
    table = deal({0: TENPAI}, draws="1z ? ? ? 7m")
    play(table, "0 riichi", "0 tsumogiri")
    until_turn(table, 0)
    assert table.legal_names(0) == ["tsumogiri", "tsumo"]


def test_in_riichi_no_calls() -> None:
    table = deal({1: "123m456p789s33z56m"}, draws="? 1z 3z 8m 4m")
    play(table, "0 tsumogiri", "1 riichi", "1 tsumogiri", "2 tsumogiri")
    assert table.asked == (3,)  # 1 is not asked to pon 3z


def test_the_declaring_discard_is_marked() -> None:
    table = deal({0: TENPAI}, draws="1z")
    play(table, "0 riichi", "0 tsumogiri")
    assert [str(discard) for discard in table.river(0)] == ["1zr*"]


def test_it_cannot_be_declared_twice() -> None:
    table = deal({0: TENPAI}, draws="1z ? ? ? 2z")
    play(table, "0 riichi", "0 tsumogiri")
    until_turn(table, 0)
    assert not may(table, 0, "riichi")


def test_never_offered_when_the_only_wait_is_a_fifth_tile() -> None:
    # 666m 3333p: the single wait would be a fifth 3p
    table = deal({0: "666m3333p123s789s"}, draws="1z")
    play(table, "0 riichi")
    assert table.legal_names(0) == ["discard 3p"]  # not the 1z


def test_offered_on_a_wait_that_lies_all_in_ones_own_kan() -> None:
    table = deal({0: "7777m68m789s123p2z"}, draws="4z", replacements="2z")
    play(table, "0 concealed kan 7m", "0 riichi")
    assert table.legal_names(0) == ["discard 4z"]


def test_offered_though_others_hold_every_tile_of_the_wait() -> None:
    table = deal({0: "123m456p789s111p7z", 1: "777z"}, draws="1z")
    assert may(table, 0, "riichi")
