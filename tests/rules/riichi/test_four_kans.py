"""Four kans: by more than one player they end the hand; by one player they do not."""

from __future__ import annotations

from scenario import changes, choices, deal, ending, play, shown, won

from janshi.rules.riichi.ruleset import MAHJONG_SOUL, MLEAGUE, TENHOU, Ruleset
from janshi.rules.riichi.table import Table

WAITS_4M_7M = "123m456p789s22p56m"


def three_and_one(hands: dict[int, str] | None = None, rules: Ruleset = TENHOU, last: str = "3z") -> Table:
    """Seat 0 has three kans and seat 1 makes the fourth; its replacement is `last`."""
    held = {0: "1111p1111s4444z1z", 1: "2222s"} | (hands or {})
    table = deal(held, draws="2z 3z", replacements=f"5z 6z 7z {last}", rules=rules, dora="7z")
    play(table, "0 concealed kan 1p", "0 concealed kan 1s", "0 concealed kan 4z", "0 discard 1z")
    play(table, "1 concealed kan 2s")
    return table


def test_after_the_discard_has_passed() -> None:
    table = three_and_one()
    assert not table.hand_over
    play(table, "1 tsumogiri")
    assert ending(table) == "four kans"
    assert changes(table) == (0, 0, 0, 0)


def test_all_indicators_are_shown() -> None:
    table = three_and_one()
    assert len(shown(table).split()) == 5


def test_that_discard_may_be_won_on() -> None:
    table = three_and_one({3: WAITS_4M_7M}, last="7m")
    play(table, "1 tsumogiri", "3 ron")
    assert won(table) == {3: ("pinfu",)}


def test_but_not_called() -> None:
    table = three_and_one({2: "68m", 3: "77m"}, last="7m")
    play(table, "1 tsumogiri")
    assert ending(table) == "four kans"


def test_a_win_on_the_fourth_replacement() -> None:
    table = deal({0: "1111p1111s4444z1z", 1: "222s345m678m22p56p"}, draws="2z 2s", replacements="5z 6z 7z 7p")
    play(table, "0 concealed kan 1p", "0 concealed kan 1s", "0 concealed kan 4z", "0 discard 1z")
    play(table, "1 concealed kan 2s", "1 tsumo")
    assert won(table) == {1: ("menzen tsumo", "rinshan kaihou", "tanyao")}


def test_one_player_with_all_four_plays_on() -> None:
    table = deal({0: "1111p1111s4444z1z"}, draws="1z", replacements="1z 1z 5z 6z")
    for kind in ("1p", "1s", "4z", "1z"):
        play(table, f"0 concealed kan {kind}")
    play(table, "0 tsumogiri")
    assert not table.hand_over
    assert table.actor == 1


def test_three_kans_do_not_end_the_hand() -> None:
    table = deal({0: "1111p1111s", 1: "2222s"}, draws="2z 3z")
    play(table, "0 concealed kan 1p", "0 concealed kan 1s", "0 tsumogiri", "1 concealed kan 2s", "1 tsumogiri")
    assert not table.hand_over


def test_an_open_kan_as_the_fourth() -> None:
    table = deal({0: "1111p1111s4444z1z", 2: "222s"}, draws="2z 2s", replacements="5z 6z 7z 3z")
    play(table, "0 concealed kan 1p", "0 concealed kan 1s", "0 concealed kan 4z", "0 discard 1z")
    play(table, "1 tsumogiri", "2 kan", "2 tsumogiri")
    assert ending(table) == "four kans"


def test_the_dealer_stays() -> None:
    table = three_and_one()
    play(table, "1 tsumogiri")
    table.step()
    assert (table.round, table.honba) == (0, 1)


def test_mahjong_soul_as_tenhou() -> None:
    table = three_and_one(rules=MAHJONG_SOUL)
    play(table, "1 tsumogiri")
    assert ending(table) == "four kans"


def test_mleague_plays_on_without_a_fifth() -> None:
    table = three_and_one({2: "7777m"}, rules=MLEAGUE)
    play(table, "1 tsumogiri")
    assert not table.hand_over
    assert (table.actor, choices(table, 2)) == (2, set())
