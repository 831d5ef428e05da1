"""Four winds: all four first discards one and the same wind."""

from __future__ import annotations

import pytest
from scenario import changes, deal, ending, play, until_turn

from janshi.rules.riichi.ruleset import MAHJONG_SOUL, MLEAGUE, TENHOU, Ruleset
from janshi.rules.riichi.table import Table


def first_discards(draws: str, rules: Ruleset = TENHOU, **more: object) -> Table:
    """Each player discards the first draw."""
    table = deal(draws=draws, rules=rules, **more)
    play(table, "0 tsumogiri", "1 tsumogiri", "2 tsumogiri", "3 tsumogiri")
    return table


@pytest.mark.parametrize("wind", ["1z", "2z", "3z", "4z"])
def test_every_wind(wind: str) -> None:
    table = first_discards(f"{wind} {wind} {wind} {wind}")
    assert ending(table) == "four winds"
    assert changes(table) == (0, 0, 0, 0)


def test_not_dragons_nor_terminals() -> None:
    assert not first_discards("5z 5z 5z 5z").hand_over
    assert not first_discards("1m 1m 1m 1m").hand_over


def test_not_different_winds() -> None:
    assert not first_discards("1z 1z 1z 2z").hand_over


def test_not_in_the_second_round() -> None:
    table = deal(draws="6m 6m 6m 6m 1z 1z 1z 1z")
    for _ in range(2):
        play(table, "0 tsumogiri", "1 tsumogiri", "2 tsumogiri", "3 tsumogiri")
    assert not table.hand_over


def test_not_after_a_call() -> None:
    # seat 2 calls seat 0's 5m, so that seat 1 has not discarded when four others have
    table = deal({0: "1z", 2: "55m1z", 3: "1z", 1: "1z"}, draws="5m")
    play(table, "0 tsumogiri", "2 pon", "2 discard 1z", "3 discard 1z", "0 discard 1z", "1 discard 1z")
    assert not table.hand_over


def test_not_after_a_concealed_kan() -> None:
    table = deal({0: "1z", 1: "2222p1z", 2: "1z", 3: "1z"})
    play(table, "0 discard 1z", "1 concealed kan 2p", "1 discard 1z", "2 discard 1z", "3 discard 1z")
    assert not table.hand_over


def test_a_riichi_before_it_keeps_its_stick_on_the_table() -> None:
    table = deal({0: "123m456p789s22p56m"}, draws="1z 1z 1z 1z")
    play(table, "0 riichi", "0 tsumogiri", "1 tsumogiri", "2 tsumogiri", "3 tsumogiri")
    assert ending(table) == "four winds"
    assert changes(table) == (-1000, 0, 0, 0)
    assert table.sticks == 1


def test_the_dealer_stays() -> None:
    table = deal(draws="1z 1z 1z 1z", round=2, honba=1)
    for player in (2, 3, 0, 1):
        until_turn(table, player)
        play(table, f"{player} tsumogiri")
    table.step()
    assert (table.round, table.honba) == (2, 2)


@pytest.mark.parametrize(("rules", "ends"), [(TENHOU, True), (MAHJONG_SOUL, True), (MLEAGUE, False)])
def test_presets(rules: Ruleset, ends: bool) -> None:
    assert first_discards("1z 1z 1z 1z", rules).hand_over == ends
