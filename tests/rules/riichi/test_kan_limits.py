"""When no kan is possible: after the fourth, and with no live tile left to move into the dead wall."""

from __future__ import annotations

import pytest
from scenario import choices, deal, play, until_left, until_turn

from janshi.rules.riichi.ruleset import MLEAGUE, TENHOU, Ruleset
from janshi.rules.riichi.table import Table

FOUR_KANS = {0: "1111m2222m1111p2p"}


@pytest.fixture
def four_kans() -> Table:
    """Seat 0 has made four kans; seats 1 to 3 hold more."""
    hands = FOUR_KANS | {1: "9999m99p", 2: "999s", 3: "7777z"}
    table = deal(hands, draws="2p 9s 9p", replacements="2p 2p 5z 6z")
    play(table, "0 concealed kan 1m", "0 concealed kan 2m", "0 concealed kan 1p", "0 concealed kan 2p")
    return table


def test_four_kans_by_one_player_and_play_goes_on(four_kans: Table) -> None:
    play(four_kans, "0 tsumogiri")
    assert not four_kans.hand_over
    assert four_kans.actor == 1


def test_no_fifth_kan_of_any_sort(four_kans: Table) -> None:
    play(four_kans, "0 tsumogiri")
    assert choices(four_kans, 1) <= {"nine terminals"}
    play(four_kans, "1 tsumogiri")
    assert choices(four_kans, 2) == {"pon", "pass"}
    until_turn(four_kans, 3)
    assert choices(four_kans, 3) <= {"nine terminals"}


def test_no_fifth_added_kan(four_kans: Table) -> None:
    play(four_kans, "0 tsumogiri", "1 tsumogiri", "2 pass", "2 tsumogiri", "1 pon")
    assert choices(four_kans, 1) == set()


@pytest.mark.parametrize("rules", [TENHOU, MLEAGUE])
def test_no_kan_after_the_last_draw(rules: Ruleset) -> None:
    table = deal({0: "9999m", 1: "9999p"}, last_draws="? ?", rules=rules)
    until_left(table, 1)
    assert (table.actor, choices(table, 0)) == (0, {"concealed kan 9m"})
    play(table, "0 tsumogiri")
    assert (table.actor, table.tiles_left, choices(table, 1)) == (1, 0, set())


def test_a_kan_with_one_tile_left_takes_it() -> None:
    table = deal({0: "9999m"})
    until_left(table, 1)
    play(table, "0 concealed kan 9m")
    assert table.tiles_left == 0
    play(table, "0 tsumogiri")
    assert table.hand_over


def test_an_open_kan_needs_a_live_tile() -> None:
    table = deal({2: "999m147p258s1234z"}, last_draws="9m ?")
    until_left(table, 1)
    play(table, "0 tsumogiri")
    assert choices(table, 2) == {"pon", "kan", "pass"}
    table = deal({2: "999m147p258s1234z"}, last_draws="9m")
    until_left(table, 0)
    play(table, "1 tsumogiri")
    assert table.hand_over


def test_an_added_kan_with_one_tile_left() -> None:
    table = deal({2: "99m147p258s12345z"}, draws="9m", last_draws="9m ?")
    play(table, "0 tsumogiri", "2 pon", "2 discard 1z")
    until_left(table, 1)
    assert (table.actor, choices(table, 2)) == (2, {"added kan 9m"})


def test_no_added_kan_with_none_left() -> None:
    table = deal({2: "99m147p258s12345z"}, draws="? 9m", last_draws="9m")
    play(table, "0 tsumogiri", "1 tsumogiri", "2 pon", "2 discard 1z")
    until_left(table, 0)
    assert (table.actor, choices(table, 2)) == (2, set())
