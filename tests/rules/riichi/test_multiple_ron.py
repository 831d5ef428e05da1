"""Two or three players winning on one tile."""

from __future__ import annotations

import pytest
from scenario import changes, deal, ending, pass_all, play, won

from janshi.rules.riichi.ruleset import MAHJONG_SOUL, MLEAGUE, TENHOU, Ruleset
from janshi.rules.riichi.table import Table

HANDS = {  # pinfu, each waiting for 7m
    1: "123m456p789s22p56m",
    2: "123p456p789s33s56m",
    3: "123s456s789p44s56m",
}


def seven_m(players: str, rules: Ruleset = TENHOU, **situation: object) -> Table:
    """Seat 0 discards 7m, and these players win on it."""
    hands = {player: hand for player, hand in HANDS.items() if str(player) in players}
    table = deal(hands, draws="7m", dora="7z", rules=rules, **situation)
    play(table, "0 tsumogiri", ", ".join(f"{player} ron" for player in players))
    return table


@pytest.mark.parametrize("rules", [TENHOU, MAHJONG_SOUL])
def test_double_ron_pays_both(rules: Ruleset) -> None:
    table = seven_m("13", rules)
    assert ending(table) == "ron"
    assert won(table) == {1: ("pinfu",), 3: ("pinfu",)}
    assert changes(table) == (-2000, 1000, 0, 1000)


def test_the_first_in_turn_order_takes_honba_and_sticks() -> None:
    table = seven_m("23", honba=2, sticks=3)
    assert changes(table) == (-2600, 0, 1000 + 600 + 3000, 1000)
    assert table.sticks == 0
    assert table.result.wins[0].report.total == 4600
    assert table.result.wins[1].report.total == 1000


def test_turn_order_counts_from_the_discarder() -> None:
    table = deal({0: HANDS[3], 1: HANDS[1]}, draws="? ? 7m", dora="7z", honba=1)
    play(table, "0 tsumogiri", "1 tsumogiri", "2 tsumogiri", "0 ron, 1 ron")
    assert list(won(table)) == [0, 1]
    assert changes(table) == (1500 + 300, 1000, -2800, 0)


def test_one_of_two_may_pass() -> None:
    table = deal(HANDS, draws="7m", honba=1, dora="7z")
    play(table, "0 tsumogiri", "3 ron")
    assert changes(table) == (-1300, 0, 0, 1300)


def test_the_dealer_among_the_winners_stays() -> None:
    table = deal({0: HANDS[3], 1: HANDS[1]}, draws="? ? 7m")
    play(table, "0 tsumogiri", "1 tsumogiri", "2 tsumogiri", "0 ron, 1 ron")
    table.step()
    assert (table.round, table.honba) == (0, 1)


def test_no_dealer_among_the_winners() -> None:
    table = seven_m("23", honba=2)
    table.step()
    assert (table.round, table.honba) == (1, 0)


def test_triple_ron_is_a_draw_on_tenhou() -> None:
    table = seven_m("123", honba=1, sticks=1)
    assert ending(table) == "triple ron"
    assert changes(table) == (0, 0, 0, 0)
    assert won(table) == {}
    table.step()
    assert (table.round, table.honba, table.sticks) == (0, 2, 1)


def test_triple_ron_on_a_riichi_discard_pays_no_stick() -> None:
    table = deal({0: "234m456p678s11z12s"} | HANDS, draws="7m", sticks=2)
    play(table, "0 riichi", "0 tsumogiri", "1 ron, 2 ron, 3 ron")
    assert ending(table) == "triple ron"
    assert (table.sticks, table.scores) == (2, [25_000] * 4)


def test_triple_ron_is_paid_on_mahjong_soul() -> None:
    table = seven_m("123", MAHJONG_SOUL, honba=1, sticks=1)
    assert won(table) == {1: ("pinfu",), 2: ("pinfu",), 3: ("pinfu",)}
    assert changes(table) == (-3300, 1000 + 300 + 1000, 1000, 1000)


@pytest.mark.parametrize("players", ["12", "123"])
def test_mleague_pays_the_first_only(players: str) -> None:
    table = seven_m(players, MLEAGUE, honba=1)
    assert won(table) == {1: ("pinfu",)}
    assert changes(table) == (-1300, 1300, 0, 0)


def test_mleague_the_next_in_order_when_the_first_passes() -> None:
    table = deal(HANDS, draws="7m", rules=MLEAGUE, dora="7z")
    play(table, "0 tsumogiri", "2 ron, 3 ron")
    assert won(table) == {2: ("pinfu",)}


def test_all_may_pass() -> None:
    table = deal(HANDS, draws="7m")
    play(table, "0 tsumogiri")
    assert table.asked == (1, 2, 3)
    pass_all(table)
    assert not table.hand_over


def test_double_ron_on_a_riichi_discard_pays_no_stick() -> None:
    table = deal({0: "234m456p678s11z12s", 1: HANDS[1], 3: HANDS[3]}, draws="7m", dora="7z")
    play(table, "0 riichi", "0 tsumogiri", "1 ron, 3 ron")
    assert changes(table) == (-2000, 1000, 0, 1000)
