"""Who deals next: the dealer stays after winning, after a draw in tenpai and after an abortive draw."""

from __future__ import annotations

from scenario import deal, play, run_out, until_turn

PINFU_4M_7M = "123m456p789s22p56m"


def test_the_dealer_stays_after_winning() -> None:
    table = deal({2: PINFU_4M_7M}, draws="? 7m", round=2)
    play(table, "2 tsumogiri", "3 tsumogiri", "2 ron")
    table.step()
    assert (table.round, table.dealer, table.honba) == (2, 2, 1)


def test_the_dealer_stays_after_winning_by_self_draw() -> None:
    table = deal({0: PINFU_4M_7M}, draws="? ? ? ? 7m")
    play(table, "0 tsumogiri")
    until_turn(table, 0)
    play(table, "0 tsumo")
    table.step()
    assert (table.round, table.honba) == (0, 1)


def test_the_deal_moves_on_after_another_wins() -> None:
    table = deal({1: PINFU_4M_7M}, draws="7m")
    play(table, "0 tsumogiri", "1 ron")
    table.step()
    assert (table.round, table.dealer, table.honba) == (1, 1, 0)
    assert table.asked == (1,)


def test_the_dealer_stays_when_tenpai_at_a_draw() -> None:
    table = deal({0: PINFU_4M_7M})
    run_out(table)
    table.step()
    assert (table.round, table.honba) == (0, 1)


def test_the_deal_moves_on_when_the_dealer_is_not_tenpai() -> None:
    table = deal({1: PINFU_4M_7M})
    run_out(table)
    table.step()
    assert (table.round, table.honba) == (1, 1)


def test_east_4_is_followed_by_south_1() -> None:
    table = deal({1: PINFU_4M_7M}, draws="7m", round=3)
    play(table, "3 tsumogiri", "1 ron")
    table.step()
    assert (table.round_name, table.dealer) == ("South 1", 0)


def test_scores_are_carried_on() -> None:
    table = deal({1: PINFU_4M_7M}, draws="7m", dora="7z")
    play(table, "0 tsumogiri", "1 ron")
    table.step()
    assert table.scores == [24_000, 26_000, 25_000, 25_000]
