"""Nine terminals: on one's first draw, before any call, a choice."""

from __future__ import annotations

import pytest
from scenario import changes, deal, ending, may, play, until_turn

from janshi.rules.riichi.ruleset import MAHJONG_SOUL, MLEAGUE, TENHOU, Ruleset

NINE = "19m19p19s123z5678m"
EIGHT = "19m19p19s12z34678m"


def test_the_dealers_first_draw() -> None:
    table = deal({0: NINE}, draws="5p")
    assert may(table, 0, "nine terminals")
    play(table, "0 nine terminals")
    assert ending(table) == "nine terminals"
    assert changes(table) == (0, 0, 0, 0)


def test_another_players_first_draw() -> None:
    table = deal({2: NINE}, draws="5p 5p 5p")
    play(table, "0 tsumogiri", "1 tsumogiri")
    assert may(table, 2, "nine terminals")


def test_nine_different_ones_are_needed() -> None:
    assert not may(deal({0: EIGHT}, draws="5p"), 0, "nine terminals")
    assert not may(deal({0: EIGHT}, draws="1z"), 0, "nine terminals")  # a second 1z is no ninth kind


def test_the_draw_may_be_the_ninth() -> None:
    assert may(deal({0: EIGHT}, draws="7z"), 0, "nine terminals")


def test_it_is_a_choice() -> None:
    table = deal({0: NINE}, draws="5p")
    play(table, "0 tsumogiri")
    assert not table.hand_over


def test_not_on_a_later_draw() -> None:
    table = deal({0: NINE}, draws="5p")
    play(table, "0 tsumogiri")
    until_turn(table, 0)
    assert not may(table, 0, "nine terminals")


def test_not_after_a_call() -> None:
    table = deal({2: NINE, 1: "55p"}, draws="5p")
    play(table, "0 tsumogiri", "1 pon")
    play(table, f"1 {table.legal_names(1)[0]}")
    until_turn(table, 2)
    assert not may(table, 2, "nine terminals")


def test_not_after_a_concealed_kan_of_another() -> None:
    table = deal({2: NINE, 1: "2222p"}, draws="5p")
    play(table, "0 tsumogiri", "1 concealed kan 2p", "1 tsumogiri")
    until_turn(table, 2)
    assert not may(table, 2, "nine terminals")


def test_not_after_ones_own_concealed_kan() -> None:
    table = deal({0: "1111m9m19p19s1234z"}, draws="5z", replacements="6z")
    assert may(table, 0, "nine terminals")
    play(table, "0 concealed kan 1m")
    assert not may(table, 0, "nine terminals")


def test_the_dealer_stays_and_a_honba_is_added() -> None:
    table = deal({2: NINE}, draws="5p 5p 5p", round=1, honba=1, sticks=1)
    until_turn(table, 2)
    play(table, "2 nine terminals")
    table.step()
    assert (table.round, table.honba, table.sticks) == (1, 2, 1)


@pytest.mark.parametrize(("rules", "allowed"), [(TENHOU, True), (MAHJONG_SOUL, True), (MLEAGUE, False)])
def test_presets(rules: Ruleset, allowed: bool) -> None:
    assert may(deal({0: NINE}, draws="5p", rules=rules), 0, "nine terminals") == allowed
