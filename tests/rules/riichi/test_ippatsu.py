"""Ippatsu: winning within one round of one's riichi that no call or kan has broken."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scenario import deal, pass_all, play, until_turn, won

from janshi.rules.riichi.ruleset import TENHOU
from janshi.rules.riichi.table import Table

TENPAI = "123m456p789s22p56m"


def riichi_by_0(draws: str, hands: dict[int, str] | None = None, **more: object) -> Table:
    """Seat 0 declares riichi in the second round, so that it is no double riichi; `draws` follow it."""
    table = deal({0: TENPAI} | (hands or {}), draws="1z ? ? ? 2z " + draws, **more)
    play(table, "0 tsumogiri")
    until_turn(table, 0)
    play(table, "0 riichi", "0 tsumogiri")
    return table


def test_on_the_own_next_draw() -> None:
    table = riichi_by_0("? ? ? 7m")
    until_turn(table, 0)
    play(table, "0 tsumo")
    assert won(table) == {0: ("menzen tsumo", "riichi", "ippatsu", "pinfu")}


@pytest.mark.parametrize("draws", ["7m", "? 7m", "? ? 7m"])
def test_on_any_discard_before_it(draws: str) -> None:
    table = riichi_by_0(draws)
    for player in range(1, 1 + len(draws.split())):
        play(table, f"{player} tsumogiri")
    play(table, "0 ron")
    assert won(table) == {0: ("riichi", "ippatsu", "pinfu")}


def test_not_on_the_discard_after_ones_own() -> None:
    table = riichi_by_0("? ? ? ? 7m")
    until_turn(table, 0)
    play(table, "0 tsumogiri", "1 tsumogiri", "0 ron")
    assert won(table) == {0: ("riichi", "pinfu")}


def test_not_on_the_draw_after_that() -> None:
    table = riichi_by_0("? ? ? ? ? ? ? 7m")
    until_turn(table, 0)
    play(table, "0 tsumogiri")
    until_turn(table, 0)
    play(table, "0 tsumo")
    assert won(table) == {0: ("menzen tsumo", "riichi", "pinfu")}


@pytest.mark.parametrize(
    ("hand", "call"),
    [("99m1z", "2 pon"), ("78m1z", "2 chi high"), ("999m1z", "2 kan")],
)
def test_a_call_breaks_it(hand: str, call: str) -> None:
    table = riichi_by_0("9m 7m", {2: hand})
    play(table, "1 tsumogiri", call, "2 tsumogiri" if call == "2 kan" else "2 discard 1z", "3 tsumogiri", "0 ron")
    assert won(table) == {0: ("riichi", "pinfu")}


def test_a_call_of_the_declaring_discard_breaks_it() -> None:
    table = deal({0: TENPAI, 2: "22z1z"}, draws="1z ? ? ? 2z 7m")
    play(table, "0 tsumogiri")
    until_turn(table, 0)
    play(table, "0 riichi", "0 tsumogiri", "2 pon", "2 discard 1z", "3 tsumogiri", "0 ron")
    assert won(table) == {0: ("riichi", "pinfu")}


def test_a_concealed_kan_breaks_it() -> None:
    table = riichi_by_0("? 7m", {1: "9999m"})
    play(table, "1 concealed kan 9m", "1 tsumogiri", "2 tsumogiri", "0 ron")
    assert won(table) == {0: ("riichi", "pinfu")}


def test_an_own_concealed_kan_breaks_it() -> None:
    table = riichi_by_0("? ? ? 1m", {0: "111m456p789s22p56m"}, replacements="7m")
    until_turn(table, 0)
    play(table, "0 concealed kan 1m", "0 tsumo")
    assert won(table) == {0: ("menzen tsumo", "riichi", "rinshan kaihou")}


def added_kan() -> Table:
    """Seat 1 adds 7m to a pon in the round of seat 3's riichi, which waits for 4m and 7m."""
    table = deal({3: TENPAI, 1: "77m258s12345z"}, draws="7m ? 6z ? ? ? 7z ? 7m", replacements="4m")
    play(table, "0 tsumogiri", "1 pon", "1 discard 1z", "2 tsumogiri", "3 tsumogiri")
    until_turn(table, 3)
    play(table, "3 riichi", "3 tsumogiri", "0 tsumogiri", "1 added kan 7m")
    return table


def test_a_robbed_kan_does_not_break_it() -> None:
    table = added_kan()
    play(table, "3 ron")
    assert won(table) == {3: ("riichi", "ippatsu", "chankan", "pinfu")}


def test_a_kan_that_is_not_robbed_does() -> None:
    table = added_kan()
    assert table.state.ippatsu[3] == 1
    pass_all(table)
    assert table.state.ippatsu[3] == 0


def test_another_riichi_does_not_break_it() -> None:
    table = riichi_by_0("3z 7m", {1: "345s789p345s55z12p"})
    play(table, "1 riichi", "1 tsumogiri", "2 tsumogiri", "0 ron")
    assert won(table) == {0: ("riichi", "ippatsu", "pinfu")}


def test_not_where_it_is_not_played() -> None:
    table = riichi_by_0("7m", rules=replace(TENHOU, ippatsu=False))
    play(table, "1 tsumogiri", "0 ron")
    assert won(table) == {0: ("riichi", "pinfu")}
