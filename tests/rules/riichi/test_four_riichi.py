"""Four riichi: the hand ends when the fourth riichi discard has passed."""

from __future__ import annotations

from scenario import changes, deal, ending, play, until_turn, won

from janshi.rules.riichi.ruleset import MAHJONG_SOUL, MLEAGUE, TENHOU, Ruleset
from janshi.rules.riichi.table import Table

HANDS = {
    0: "123m456p789s22p56m",  # 4m 7m
    1: "123m456p789s33p56s",  # 4s 7s
    2: "345m678p123s99p78s",  # 6s 9s
    3: "234p789p123s44m56s",  # 4s 7s
}


def riichis(count: int, draws: str = "1z 2z 3z 4z", rules: Ruleset = TENHOU) -> Table:
    """The first `count` players declare riichi with their first discard."""
    table = deal(HANDS, draws=draws, rules=rules)
    for player in range(count):
        play(table, f"{player} riichi", f"{player} tsumogiri")
    return table


def test_the_fourth_ends_the_hand() -> None:
    table = riichis(4)
    assert ending(table) == "four riichi"


def test_all_four_sticks_are_paid_and_stay() -> None:
    table = riichis(4)
    assert changes(table) == (-1000, -1000, -1000, -1000)
    assert (table.sticks, table.scores) == (4, [24_000] * 4)


def test_three_do_not() -> None:
    table = riichis(3)
    assert not table.hand_over
    play(table, "3 tsumogiri")
    assert not table.hand_over


def test_a_win_on_the_fourth_discard_comes_first() -> None:
    table = riichis(4, "1z 2z 3z 7m")
    assert table.asked == (0,)
    play(table, "0 ron")
    assert won(table) == {0: ("ippatsu", "pinfu", "daburu riichi")}
    assert table.scores[3] == 25_000 - changes(table)[0] + 2000  # 0 also takes the sticks of 1 and 2
    assert sum(table.scores) == 100_000


def test_passing_that_win_ends_the_hand() -> None:
    table = riichis(4, "1z 2z 3z 7m")
    play(table, "0 pass")
    assert ending(table) == "four riichi"


def test_the_dealer_stays() -> None:
    table = riichis(4)
    table.step()
    assert (table.round, table.honba, table.sticks) == (0, 1, 4)


def test_mahjong_soul_as_tenhou() -> None:
    assert ending(riichis(4, rules=MAHJONG_SOUL)) == "four riichi"


def test_mleague_plays_on() -> None:
    table = riichis(4, rules=MLEAGUE)
    assert not table.hand_over
    until_turn(table, 0)
    assert table.sticks == 4
