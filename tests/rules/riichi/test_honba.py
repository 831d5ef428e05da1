"""Honba: 300 points a counter to the winner; when counters are added and cleared."""

from __future__ import annotations

from scenario import changes, deal, play, run_out, until_turn

WAITS_4M_7M = "123m456p789s22p56m"


def test_the_discarder_pays_all_of_it() -> None:
    table = deal({1: WAITS_4M_7M}, draws="7m", honba=2, dora="7z")
    play(table, "0 tsumogiri", "1 ron")
    assert changes(table) == (-1600, 1600, 0, 0)
    assert table.result.wins[0].points == 1000


def test_all_three_share_it_after_a_self_draw() -> None:
    table = deal({1: WAITS_4M_7M}, draws="? ? ? ? ? 7m", honba=2, dora="7z")
    play(table, "0 tsumogiri", "1 tsumogiri")
    until_turn(table, 1)
    play(table, "1 tsumo")
    assert changes(table) == (-700 - 200, 1500 + 600, -400 - 200, -400 - 200)
    assert table.result.wins[0].points == 1500


def test_a_dealers_win_adds_one() -> None:
    table = deal({0: WAITS_4M_7M}, draws="? 7m", honba=1)
    play(table, "0 tsumogiri", "1 tsumogiri", "0 ron")
    table.step()
    assert (table.round, table.honba) == (0, 2)


def test_anothers_win_clears_them() -> None:
    table = deal({1: WAITS_4M_7M}, draws="7m", honba=3)
    play(table, "0 tsumogiri", "1 ron")
    table.step()
    assert (table.round, table.honba) == (1, 0)


def test_a_draw_adds_one_whether_the_dealer_stays_or_not() -> None:
    for hands, round in (({}, 1), ({0: WAITS_4M_7M}, 0)):
        table = deal(hands, honba=3)
        run_out(table)
        table.step()
        assert (table.round, table.honba) == (round, 4)


def test_sticks_are_carried_over_until_someone_wins() -> None:
    table = deal({0: WAITS_4M_7M}, draws="1z")
    play(table, "0 riichi", "0 tsumogiri")
    run_out(table)
    table.step()
    assert table.sticks == 1
    run_out(table)
    table.step()
    assert table.sticks == 1


def test_the_winner_takes_carried_sticks() -> None:
    table = deal({1: WAITS_4M_7M}, draws="7m", sticks=3, dora="7z")
    play(table, "0 tsumogiri", "1 ron")
    assert changes(table) == (-1000, 4000, 0, 0)
    table.step()
    assert table.sticks == 0
