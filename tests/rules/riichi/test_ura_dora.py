"""Ura dora: the indicators underneath, for winners in riichi only."""

from __future__ import annotations

from dataclasses import replace

from scenario import changes, deal, play, until_turn, won

from janshi.rules.riichi.ruleset import TENHOU, Ruleset
from janshi.rules.riichi.table import Table

PINFU_4M_7M = "123m456p789s22p56m"


def counted(table: Table) -> tuple[int, int, int]:
    """Dora, ura dora and red fives of the first win."""
    assert table.result is not None
    report = table.result.wins[0].report
    return report.dora, report.ura, report.red


def riichi_win(ura: str, rules: Ruleset = TENHOU) -> Table:
    """Seat 1 declares riichi and wins in the second round on seat 0's 7m."""
    table = deal({1: PINFU_4M_7M}, draws="1z 2z ? ? ? ? ? ? 7m", dora="7z", ura=ura, rules=rules)
    play(table, "0 tsumogiri", "1 riichi", "1 tsumogiri")
    until_turn(table, 1)
    play(table, "1 tsumogiri")
    until_turn(table, 0)
    play(table, "0 tsumogiri", "1 ron")
    return table


def test_with_riichi() -> None:
    table = riichi_win("1p")  # points to 2p, the pair
    assert counted(table) == (0, 2, 0)
    assert won(table) == {1: ("pinfu", "daburu riichi")}
    assert changes(table) == (-8000, 8000, 0, 0)  # the winner takes the own stick back


def test_an_indicator_that_points_elsewhere() -> None:
    assert counted(riichi_win("6z")) == (0, 0, 0)


def test_not_without_riichi() -> None:
    table = deal({1: PINFU_4M_7M}, draws="7m", dora="7z", ura="1p")
    play(table, "0 tsumogiri", "1 ron")
    assert counted(table) == (0, 0, 0)
    assert changes(table) == (-1000, 1000, 0, 0)


def test_not_where_it_is_not_played() -> None:
    assert counted(riichi_win("1p", replace(TENHOU, ura_dora=False))) == (0, 0, 0)


def test_only_under_indicators_that_are_shown() -> None:
    table = deal({1: PINFU_4M_7M}, draws="1z 2z ? ? ? ? ? ? 7m", dora="7z 6z", ura="6z 1p")
    play(table, "0 tsumogiri", "1 riichi", "1 tsumogiri")
    until_turn(table, 1)
    play(table, "1 tsumogiri")
    until_turn(table, 0)
    play(table, "0 tsumogiri", "1 ron")
    assert counted(table) == (0, 0, 0)


def test_under_a_kan_indicator_too() -> None:
    table = deal({1: PINFU_4M_7M, 2: "1111s258p"}, draws="1z 2z ? ? ? 7m", dora="7z 6z", ura="6z 1p")
    play(table, "0 tsumogiri", "1 riichi", "1 tsumogiri", "2 concealed kan 1s", "2 tsumogiri")
    until_turn(table, 1)
    play(table, "1 tsumo")
    assert counted(table) == (0, 2, 0)


def test_dora_ura_and_red_fives_add_up() -> None:
    table = deal({1: "123m406p789s22p56m"}, draws="1z 2z ? ? 7m", dora="1p", ura="5m")
    play(table, "0 tsumogiri", "1 riichi", "1 tsumogiri")
    until_turn(table, 0)
    play(table, "0 tsumogiri", "1 ron")
    assert counted(table) == (2, 1, 1)
    assert won(table) == {1: ("ippatsu", "pinfu", "daburu riichi")}
    assert changes(table) == (-16_000, 16_000, 0, 0)  # 8 han
