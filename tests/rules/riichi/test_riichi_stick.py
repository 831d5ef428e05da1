"""The riichi stick: paid when the declaring discard has passed, taken by the next winner."""

from __future__ import annotations

from scenario import changes, deal, pass_all, play, run_out, until_turn, won

TENPAI = "123m456p789s22p56m"


def test_paid_when_the_discard_passes() -> None:
    table = deal({0: TENPAI}, draws="1z")
    play(table, "0 riichi")
    assert (table.scores[0], table.sticks) == (25_000, 0)
    play(table, "0 tsumogiri")
    assert (table.scores[0], table.sticks) == (24_000, 1)


def test_not_before_everyone_has_answered() -> None:
    table = deal({0: TENPAI, 2: "11z"}, draws="1z")
    play(table, "0 riichi", "0 tsumogiri")
    assert table.asked == (2,)
    assert (table.scores[0], table.sticks) == (25_000, 0)
    pass_all(table)
    assert (table.scores[0], table.sticks) == (24_000, 1)


def test_paid_when_the_discard_is_called() -> None:
    table = deal({0: TENPAI, 2: "11z"}, draws="1z")
    play(table, "0 riichi", "0 tsumogiri", "2 pon")
    assert (table.scores[0], table.sticks) == (24_000, 1)
    assert table.in_riichi(0)


def test_not_paid_when_the_discard_is_won_on() -> None:
    table = deal({0: TENPAI, 2: "123p456p789p22s56s"}, draws="7s")
    play(table, "0 riichi", "0 tsumogiri", "2 ron")
    assert won(table)[2][:1] == ("pinfu",)
    assert changes(table)[0] == -changes(table)[2]
    assert table.sticks == 0
    assert sum(table.scores) == 100_000


def test_the_winner_takes_all_sticks() -> None:
    table = deal({0: TENPAI, 1: TENPAI.replace("22p", "22s")}, draws="1z 2z ? 7m", sticks=2)
    play(table, "0 riichi", "0 tsumogiri", "1 tsumogiri", "2 tsumogiri", "3 tsumogiri", "1 ron")
    assert changes(table) == (-1000, 1000 + 3000, 0, -1000)
    assert table.sticks == 0


def test_the_declarer_gets_the_own_stick_back() -> None:
    table = deal({0: TENPAI}, draws="1z ? ? 7m", dora="7z", ura="7z")
    play(table, "0 riichi", "0 tsumogiri", "1 tsumogiri", "2 tsumogiri", "3 tsumogiri", "0 ron")
    # double riichi, ippatsu, pinfu: 4 han 30 fu for the dealer
    assert changes(table) == (11_600, 0, 0, -11_600)


def test_sticks_stay_on_the_table_after_a_draw() -> None:
    table = deal({0: TENPAI, 1: "345m789m345s55s12p"}, draws="1z")
    play(table, "0 riichi", "0 tsumogiri")
    run_out(table)
    assert table.result.is_draw
    assert table.sticks == 1
    table.step()
    assert table.sticks == 1
    assert sum(table.scores) == 99_000


def test_a_thousand_points_exactly_leave_nothing() -> None:
    table = deal({0: TENPAI}, draws="1z", scores=[1000, 33_000, 33_000, 33_000])
    play(table, "0 riichi", "0 tsumogiri")
    assert table.scores[0] == 0
    until_turn(table, 1)
    assert not table.hand_over
