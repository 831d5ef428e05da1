"""When the game ends: the last hand, the leading dealer's stop, the extra round."""

from __future__ import annotations

import pytest
from scenario import deal, play, run_out

from janshi.rules.riichi.ruleset import MAHJONG_SOUL, MLEAGUE, TENHOU, TENHOU_EAST, Ruleset
from janshi.rules.riichi.table import Table

PINFU_4M_7M = "123m456p789s22p56m"
EAST_4, SOUTH_3, SOUTH_4, WEST_1, WEST_4 = 3, 6, 7, 8, 11
# South 4 and West 4 are dealt by seat 3, West 1 by seat 0


def non_dealer_wins(round: int, scores: list[int], rules: Ruleset = TENHOU) -> Table:
    """The seat after the dealer wins 1,000 points from the dealer."""
    dealer, winner = round % 4, (round + 1) % 4
    table = deal({winner: PINFU_4M_7M}, draws="7m", dora="7z", round=round, scores=scores, rules=rules)
    play(table, f"{dealer} tsumogiri", f"{winner} ron")
    table.step()
    return table


def dealer_wins(round: int, scores: list[int], rules: Ruleset = TENHOU) -> Table:
    """The dealer wins 1,500 points from the next seat."""
    dealer, other = round % 4, (round + 1) % 4
    table = deal({dealer: PINFU_4M_7M}, draws="? 7m", dora="7z", round=round, scores=scores, rules=rules)
    play(table, f"{dealer} tsumogiri", f"{other} tsumogiri", f"{dealer} ron")
    table.step()
    return table


def drawn(round: int, scores: list[int], dealer_tenpai: bool, rules: Ruleset = TENHOU) -> Table:
    """An exhaustive draw with the dealer tenpai (3,000 points) or nobody."""
    table = deal({round % 4: PINFU_4M_7M} if dealer_tenpai else {}, round=round, scores=scores, rules=rules)
    run_out(table)
    table.step()
    return table


# --- the last hand


@pytest.mark.parametrize("rules", [TENHOU, MAHJONG_SOUL, MLEAGUE])
def test_the_deal_passes_on_and_someone_has_the_target(rules: Ruleset) -> None:
    assert non_dealer_wins(SOUTH_4, [29_000, 24_000, 23_000, 24_000], rules).over


@pytest.mark.parametrize(("rules", "over"), [(TENHOU, False), (MAHJONG_SOUL, False), (MLEAGUE, True)])
def test_nobody_has_the_target(rules: Ruleset, over: bool) -> None:
    table = non_dealer_wins(SOUTH_4, [28_900, 24_000, 23_000, 24_100], rules)
    assert table.over == over
    assert over or table.round_name == "West 1"


def test_not_before_the_last_hand() -> None:
    table = non_dealer_wins(SOUTH_3, [10_000, 10_000, 10_000, 70_000])
    assert (table.over, table.round) == (False, SOUTH_4)


def test_an_east_game_ends_with_east_4() -> None:
    assert non_dealer_wins(EAST_4, [29_000, 24_000, 23_000, 24_000], TENHOU_EAST).over
    assert non_dealer_wins(EAST_4, [28_000, 24_000, 24_000, 24_000], TENHOU_EAST).round_name == "South 1"
    assert not non_dealer_wins(EAST_4, [29_000, 24_000, 23_000, 24_000], TENHOU).over


def test_sticks_on_the_table_do_not_count_for_the_target() -> None:
    table = deal(round=SOUTH_4, scores=[29_500, 23_500, 23_000, 23_000], sticks=1)
    run_out(table)
    table.step()
    assert not table.over


# --- the leading dealer stops


def test_the_winning_dealer_who_leads_with_the_target() -> None:
    assert dealer_wins(SOUTH_4, [23_000, 23_000, 25_500, 28_500]).over


def test_the_winning_dealer_who_leads_without_the_target() -> None:
    table = dealer_wins(SOUTH_4, [24_000, 24_000, 23_600, 28_400])
    assert (table.over, table.round, table.honba) == (False, SOUTH_4, 1)


def test_the_winning_dealer_who_does_not_lead() -> None:
    table = dealer_wins(SOUTH_4, [10_000, 10_000, 41_000, 39_000])
    assert (table.over, table.round, table.honba) == (False, SOUTH_4, 1)


def test_a_tie_with_an_earlier_seat_is_no_lead() -> None:
    table = dealer_wins(SOUTH_4, [10_000, 35_000, 21_500, 33_500])
    assert table.scores[1] == table.scores[3] == 35_000
    assert not table.over


def test_a_tie_with_a_later_seat_is_a_lead() -> None:
    table = dealer_wins(WEST_1, [33_500, 11_500, 35_000, 20_000])
    assert table.scores == [35_000, 10_000, 35_000, 20_000]
    assert table.over


def test_tenpai_at_the_draw_is_enough() -> None:
    assert drawn(SOUTH_4, [24_000, 24_000, 24_000, 28_000], dealer_tenpai=True).over
    table = drawn(SOUTH_4, [24_100, 24_000, 25_000, 26_900], dealer_tenpai=True)
    assert (table.over, table.round) == (False, SOUTH_4)


def test_before_the_last_hand_the_dealer_goes_on() -> None:
    assert not dealer_wins(SOUTH_3, [10_000, 10_000, 50_000, 30_000]).over


def test_mahjong_soul_as_tenhou() -> None:
    assert dealer_wins(SOUTH_4, [23_000, 23_000, 25_500, 28_500], MAHJONG_SOUL).over


def test_mleague_dealers_go_on() -> None:
    table = dealer_wins(SOUTH_4, [10_000, 10_000, 25_000, 55_000], MLEAGUE)
    assert (table.over, table.round, table.honba) == (False, SOUTH_4, 1)
    table = drawn(SOUTH_4, [10_000, 10_000, 25_000, 55_000], dealer_tenpai=True, rules=MLEAGUE)
    assert (table.over, table.round, table.honba) == (False, SOUTH_4, 1)


def test_an_abortive_draw_never_ends_the_game() -> None:
    table = deal({3: "19m19p19s123z5678m"}, draws="5p", round=SOUTH_4, scores=[10_000, 10_000, 10_000, 70_000])
    play(table, "3 nine terminals")
    table.step()
    assert (table.over, table.round, table.honba) == (False, SOUTH_4, 1)


# --- the extra round


def test_it_ends_as_soon_as_someone_has_the_target() -> None:
    assert non_dealer_wins(WEST_1, [25_000, 29_000, 23_000, 23_000]).over
    table = non_dealer_wins(WEST_1, [25_000, 28_900, 23_000, 23_100])
    assert (table.over, table.round_name) == (False, "West 2")


def test_it_goes_on_while_another_has_the_target_and_the_dealer_stays() -> None:
    table = dealer_wins(WEST_1, [20_000, 20_000, 20_000, 40_000])
    assert (table.over, table.round, table.honba) == (False, WEST_1, 1)


def test_the_leading_dealer_stops_in_it_too() -> None:
    assert dealer_wins(WEST_1, [28_500, 25_000, 23_500, 23_000]).over


def test_it_has_four_hands_at_most() -> None:
    table = non_dealer_wins(WEST_4, [25_000, 25_000, 25_000, 25_000])
    assert table.over
    assert max(table.scores) == 26_000


def test_in_its_last_hand_the_dealer_may_stay() -> None:
    table = dealer_wins(WEST_4, [25_000, 25_000, 25_000, 25_000])
    assert (table.over, table.round, table.honba) == (False, WEST_4, 1)


def test_a_draw_with_nobody_tenpai_passes_the_deal() -> None:
    assert drawn(SOUTH_4, [25_000] * 4, dealer_tenpai=False).round_name == "West 1"
    assert drawn(SOUTH_4, [20_000, 30_000, 25_000, 25_000], dealer_tenpai=False).over


def test_an_extra_round_for_an_east_game() -> None:
    table = non_dealer_wins(SOUTH_4, [25_000] * 4, TENHOU_EAST)
    assert table.over


def test_nothing_can_be_played_after_the_end() -> None:
    table = non_dealer_wins(SOUTH_4, [29_000, 24_000, 23_000, 24_000])
    assert table.asked == ()
    assert all(table.legal_actions(player) == [] for player in range(4))
