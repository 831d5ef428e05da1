"""Exhaustive draw: who is tenpai, and what the others pay."""

from __future__ import annotations

import pytest
from scenario import changes, deal, ending, play, run_out, until_turn

from janshi.rules.riichi.table import Table

HANDS = {
    0: "123m456p789s22p56m",
    1: "345m678p123s99p78s",
    2: "234p789p123s44m56s",
    3: "789m234s678s33m45p",
}


def drawn_out(*players: int, **situation: object) -> Table:
    """A hand run out with these players tenpai."""
    table = deal({player: HANDS[player] for player in players}, **situation)
    run_out(table)
    assert ending(table) == "exhaustive draw"
    return table


@pytest.mark.parametrize(
    ("players", "expected"),
    [
        ((), (0, 0, 0, 0)),
        ((0,), (3000, -1000, -1000, -1000)),
        ((2,), (-1000, -1000, 3000, -1000)),
        ((0, 3), (1500, -1500, -1500, 1500)),
        ((1, 2), (-1500, 1500, 1500, -1500)),
        ((0, 1, 2), (1000, 1000, 1000, -3000)),
        ((1, 2, 3), (-3000, 1000, 1000, 1000)),
        ((0, 1, 2, 3), (0, 0, 0, 0)),
    ],
)
def test_three_thousand_in_all(players: tuple[int, ...], expected: tuple[int, ...]) -> None:
    table = drawn_out(*players)
    assert table.result.tenpai == players
    assert changes(table) == expected


def test_honba_and_sticks_do_not_matter() -> None:
    table = drawn_out(0, honba=4, sticks=2)
    assert changes(table) == (3000, -1000, -1000, -1000)
    assert table.sticks == 2


def test_a_riichi_stick_is_among_the_changes() -> None:
    table = deal({0: HANDS[0]}, draws="1z")
    play(table, "0 riichi", "0 tsumogiri")
    run_out(table)
    assert changes(table) == (2000, -1000, -1000, -1000)


def test_tenpai_without_a_yaku_counts() -> None:
    table = deal({1: "23m456p789s22p68m1z"}, draws="1m")
    play(table, "0 tsumogiri", "1 chi low", "1 discard 1z")
    run_out(table)
    assert table.result.tenpai == (1,)


def test_tenpai_in_furiten_counts() -> None:
    table = deal({0: HANDS[0]}, draws="7m")
    play(table, "0 tsumogiri")
    run_out(table)
    assert table.result.tenpai == (0,)


def test_a_fifth_tile_in_the_concealed_hand_is_no_wait() -> None:
    table = deal({0: "666m3333p123s789s"})
    run_out(table)
    assert table.result.tenpai == ()


def test_a_wait_all_in_ones_own_pon_and_hand_is_one() -> None:
    # 7z pon, a single 7z left over to wait with
    table = deal({1: "777z123m456p789s5m"}, draws="7z")
    play(table, "0 tsumogiri", "1 pon", "1 discard 5m")
    run_out(table)
    assert table.result.tenpai == (1,)


def test_a_wait_all_in_ones_own_concealed_kan_is_one() -> None:
    table = deal({0: "6666p57p123m789s2z"}, draws="3z", replacements="2z")
    play(table, "0 concealed kan 6p", "0 discard 3z")
    run_out(table)
    assert table.result.tenpai == (0,)


def test_a_wait_that_others_show_is_one() -> None:
    table = deal({0: "123m456p789s111s7z", 1: "77z1z"}, draws="? ? 7z")
    until_turn(table, 2)
    play(table, "2 tsumogiri", "1 pon", "1 discard 1z")
    run_out(table)
    assert table.result.tenpai == (0,)


def test_one_away_is_not_enough() -> None:
    table = deal({0: "123m456p789s2p568m"})
    run_out(table)
    assert table.result.tenpai == ()
