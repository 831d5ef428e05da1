"""Red fives: a dora each, wherever they lie, where the rules have them."""

from __future__ import annotations

import pytest
from scenario import changes, deal, discardable, held, play, until_turn

from janshi.rules.riichi.ruleset import TENHOU, TENHOU_NO_RED, Ruleset
from janshi.rules.riichi.table import Table


def red(table: Table) -> int:
    """Red fives counted in the first win."""
    assert table.result is not None
    return table.result.wins[0].report.red


def test_one_in_each_suit() -> None:
    table = deal({1: "123m406p340s22p56m"}, draws="7m", dora="7z")
    play(table, "0 tsumogiri", "1 ron")
    assert red(table) == 2
    assert changes(table) == (-3900, 3900, 0, 0)  # pinfu and two red fives: 3 han 30 fu


def test_the_winning_tile() -> None:
    table = deal({1: "123m456p789s22p67m"}, draws="0m", dora="7z")
    play(table, "0 tsumogiri", "1 ron")
    assert red(table) == 1


def test_a_self_drawn_winning_tile() -> None:
    table = deal({1: "123m456p789s22p67m"}, draws="? ? ? ? ? 0m", dora="7z")
    play(table, "0 tsumogiri", "1 tsumogiri")
    until_turn(table, 1)
    play(table, "1 tsumo")
    assert red(table) == 1


@pytest.mark.parametrize(("hand", "called", "call"), [("46m", "0m", "chi middle"), ("40m", "3m", "chi low red")])
def test_in_a_meld(hand: str, called: str, call: str) -> None:
    table = deal({1: hand + "234p567p77s67s1z"}, draws=f"{called} 8s", dora="7z")
    play(table, "0 tsumogiri", f"1 {call}", "1 discard 1z", "2 tsumogiri", "1 ron")
    assert red(table) == 1


def test_not_in_a_game_without_them() -> None:
    table = deal({1: "123m406p789s22p67m"}, draws="0m", dora="7z", rules=TENHOU_NO_RED)
    assert held(table, 1) == "12367m22456p789s"
    play(table, "0 tsumogiri", "1 ron")
    assert red(table) == 0


@pytest.mark.parametrize(("rules", "tiles"), [(TENHOU, "05m"), (TENHOU_NO_RED, "5m")])
def test_a_red_five_and_another_are_two_discards(rules: Ruleset, tiles: str) -> None:
    table = deal({0: "05m147p258s12345z"}, draws="6z", rules=rules)
    assert discardable(table, 0).startswith(tiles)
    play(table, "0 discard 5m")
    assert str(table.river(0)[0]) == "5m"
    assert held(table, 0).startswith("0m" if rules.red_fives else "5m")


def test_drawing_the_red_five() -> None:
    table = deal({0: "5m147p258s123456z"}, draws="0m")
    assert discardable(table, 0) == "5m147p258s123456z"
    play(table, "0 discard 5m")
    assert held(table, 0) == "0m147p258s123456z"


def test_drawing_a_plain_five_beside_the_red_one() -> None:
    table = deal({0: "0m147p258s123456z"}, draws="5m")
    assert discardable(table, 0) == "0m147p258s123456z"
    play(table, "0 tsumogiri")
    assert [str(discard) for discard in table.river(0)] == ["5m*"]
    assert held(table, 0) == "0m147p258s123456z"
