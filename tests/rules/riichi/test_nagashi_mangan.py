"""Nagashi mangan: only terminals and honours discarded, none called, when the wall runs out."""

from __future__ import annotations

from dataclasses import replace

from scenario import changes, deal, ending, play, run_out, until_turn

from janshi.rules.riichi.ruleset import MAHJONG_SOUL, MLEAGUE, TENHOU, Ruleset
from janshi.rules.riichi.table import Table

OUTER = ["1m", "9m", "1p", "9p", "1s", "9s", "1z", "2z", "3z", "4z", "5z", "6z", "7z", "1m", "9m", "1p", "9p", "1s"]
TENPAI = "234m456p678s33p56m"


def wall_for(*players: int) -> str:
    """Draws that give these players terminals and honours only."""
    takers = {player: iter(OUTER[3 * i :] + OUTER[: 3 * i]) for i, player in enumerate(players)}
    return " ".join(next(takers[turn % 4]) if turn % 4 in takers else "?" for turn in range(70))


def nagashi(*players: int, hands: dict[int, str] | None = None, rules: Ruleset = TENHOU, **situation: object) -> Table:
    """A hand in which these players discard nothing but terminals and honours."""
    table = deal(hands or {}, draws=wall_for(*players), rules=rules, **situation)
    run_out(table)
    return table


def test_pays_as_a_mangan_by_self_draw() -> None:
    table = nagashi(2)
    assert ending(table) == "nagashi mangan"
    assert table.result.nagashi == (2,)
    assert changes(table) == (-4000, -2000, 8000, -2000)


def test_the_dealers() -> None:
    assert changes(nagashi(0)) == (12_000, -4000, -4000, -4000)


def test_no_honba_is_paid_and_sticks_stay() -> None:
    table = nagashi(2, honba=3, sticks=2)
    assert changes(table) == (-4000, -2000, 8000, -2000)
    assert table.sticks == 2


def test_it_takes_the_place_of_tenpai_payments() -> None:
    table = nagashi(2, hands={1: TENPAI})
    assert table.result.tenpai == (1,)
    assert changes(table) == (-4000, -2000, 8000, -2000)


def test_two_at_once_are_both_paid() -> None:
    table = nagashi(1, 2)
    assert table.result.nagashi == (1, 2)
    assert changes(table) == (-8000, 6000, 6000, -4000)


def test_one_simple_tile_spoils_it() -> None:
    table = deal({2: "5p"}, draws=wall_for(2))
    until_turn(table, 2)
    play(table, "2 discard 5p")
    run_out(table)
    assert ending(table) == "exhaustive draw"


def test_a_called_discard_spoils_it() -> None:
    # after seat 3's pon of seat 2's first discard seat 0 draws next, so that seat 2 has the tiles 5, 9, 13, ...
    outer = iter(OUTER)
    draws = " ".join(next(outer) if turn == 2 or (turn > 2 and turn % 4 == 1) else "?" for turn in range(70))
    table = deal({3: "11m2p"}, draws=draws)
    until_turn(table, 2)
    play(table, "2 tsumogiri", "3 pon", "3 discard 2p")
    run_out(table)
    kinds = {str(discard)[:2] for discard in table.river(2)}
    assert kinds <= set(OUTER)
    assert len(table.river(2)) == 18
    assert ending(table) == "exhaustive draw"


def test_ones_own_melds_do_not() -> None:
    # after the pon seat 3 draws next, so that seat 2 has every fourth tile
    draws = "5p " + " ".join(OUTER[turn // 4] if turn % 4 == 3 else "?" for turn in range(69))
    table = deal({2: "55p1z"}, draws=draws)
    play(table, "0 tsumogiri", "2 pon", "2 discard 1z")
    run_out(table)
    assert table.result.nagashi == (2,)


def test_the_dealer_stays_by_tenpai_only() -> None:
    for hands, (round, honba) in (({}, (1, 1)), ({0: TENPAI}, (0, 1))):
        table = nagashi(2, hands=hands)
        table.step()
        assert (table.round, table.honba) == (round, honba)


def test_the_dealers_own_while_not_tenpai_moves_the_deal_on() -> None:
    table = nagashi(0)
    table.step()
    assert (table.round, table.honba) == (1, 1)


def test_presets() -> None:
    assert ending(nagashi(2, rules=MAHJONG_SOUL)) == "nagashi mangan"
    assert ending(nagashi(2, rules=MLEAGUE)) == "exhaustive draw"
    assert ending(nagashi(2, rules=replace(TENHOU, nagashi_mangan=False))) == "exhaustive draw"
