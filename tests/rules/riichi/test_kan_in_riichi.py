"""Concealed kan in riichi: of the drawn tile only, and only if the waits stay as they are."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scenario import choices, deal, melded, play, until_turn, won

from janshi.rules.riichi.ruleset import MAHJONG_SOUL, MLEAGUE, TENHOU, RiichiKan, Ruleset
from janshi.rules.riichi.table import Table


def riichi_then_draw(hand: str, drawn: str, rules: Ruleset = TENHOU, **more: str) -> Table:
    """Seat 0 declares riichi with `hand` and then draws `drawn`."""
    table = deal({0: hand}, draws=f"1z ? ? ? {drawn}", rules=rules, **more)
    play(table, "0 riichi", "0 tsumogiri")
    until_turn(table, 0)
    return table


@pytest.mark.parametrize("rules", [TENHOU, MAHJONG_SOUL, MLEAGUE])
def test_a_triplet_that_stands_alone(rules: Ruleset) -> None:
    table = riichi_then_draw("999m456p789s22p56m", "9m", rules)
    assert choices(table, 0) == {"concealed kan 9m"}


@pytest.mark.parametrize("rules", [TENHOU, MAHJONG_SOUL, MLEAGUE])
def test_honours(rules: Ruleset) -> None:
    table = riichi_then_draw("777z456p789s22p56m", "7z", rules)
    assert choices(table, 0) == {"concealed kan 7z"}


@pytest.mark.parametrize("rules", [TENHOU, MAHJONG_SOUL, MLEAGUE])
def test_not_if_a_wait_is_lost(rules: Ruleset) -> None:
    # 3334m waits for 2m, 4m and 5m; with 3333m melded for 4m only
    table = riichi_then_draw("123p456p789s3334m", "3m", rules)
    assert choices(table, 0) == set()


@pytest.mark.parametrize(("rules", "allowed"), [(TENHOU, True), (MAHJONG_SOUL, True), (MLEAGUE, False)])
def test_another_reading_of_the_hand(rules: Ruleset, allowed: bool) -> None:
    # 111222333m are three triplets or three sequences; the waits 3s and 6s stay the same
    table = riichi_then_draw("111222333m45s99p", "1m", rules)
    assert ("concealed kan 1m" in choices(table, 0)) == allowed


def test_only_the_tile_just_drawn() -> None:
    table = deal({0: "1111m23m456p78s22z"}, draws="1z ? ? ? 3z")
    assert "concealed kan 1m" in choices(table, 0)
    play(table, "0 riichi", "0 tsumogiri")
    until_turn(table, 0)
    assert choices(table, 0) == set()


def test_not_later_if_passed_up() -> None:
    table = deal({0: "999m456p789s22p56m"}, draws="1z ? ? ? 9m ? ? ? 8p")
    play(table, "0 riichi", "0 tsumogiri")
    until_turn(table, 0)
    play(table, "0 tsumogiri")
    until_turn(table, 0)
    assert choices(table, 0) == set()


def test_three_are_not_enough() -> None:
    assert choices(riichi_then_draw("99m456p789s23p567m", "9m"), 0) == set()


def test_never_where_the_rules_say_so() -> None:
    rules = replace(TENHOU, riichi_kan=RiichiKan.NEVER)
    assert choices(riichi_then_draw("999m456p789s22p56m", "9m", rules), 0) == set()


def test_the_riichi_goes_on() -> None:
    table = riichi_then_draw("999m456p789s22p56m", "9m", replacements="5z")
    play(table, "0 concealed kan 9m")
    assert melded(table, 0) == "[9999m]"
    assert table.legal_names(0) == ["tsumogiri"]


def test_win_on_the_replacement() -> None:
    table = riichi_then_draw("999m456p789s22p56m", "9m", replacements="7m")
    play(table, "0 concealed kan 9m", "0 tsumo")
    assert won(table) == {0: ("menzen tsumo", "rinshan kaihou", "daburu riichi")}


def test_the_waits_stay_after_the_kan() -> None:
    table = riichi_then_draw("999m456p789s22p56m", "9m", replacements="5z")
    before = int(table.state.waits[0])
    play(table, "0 concealed kan 9m", "0 tsumogiri")
    assert int(table.state.waits[0]) == before
