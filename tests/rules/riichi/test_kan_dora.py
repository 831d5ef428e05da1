"""When the dora indicator of a kan is turned, and for which wins it counts."""

from __future__ import annotations

from dataclasses import replace

from scenario import choices, deal, pass_all, play, shown, until_turn, won

from janshi.rules.riichi.ruleset import MAHJONG_SOUL, MLEAGUE, TENHOU, Ruleset
from janshi.rules.riichi.table import Table

DORA = "1p 2p 3p 4p 6p"
PINFU_4M_7M = "123m456p789s22p56m"


def dora_of(table: Table, player: int) -> int:
    """Dora counted in a player's win."""
    assert table.result is not None
    return next(win.report.dora for win in table.result.wins if win.player == player)


# --- when it is turned


def test_one_indicator_from_the_deal() -> None:
    assert shown(deal(dora=DORA)) == "1p"


def test_concealed_kan_at_once() -> None:
    table = deal({0: "999m258s1234z1s"}, draws="9m", dora=DORA)
    play(table, "0 concealed kan 9m")
    assert shown(table) == "1p 2p"
    play(table, "0 tsumogiri")
    assert shown(table) == "1p 2p"


def test_open_kan_before_the_discard_is_reacted_to() -> None:
    table = deal({2: "999m258s1234z", 3: "55z"}, draws="9m", dora=DORA, replacements="5z")
    play(table, "0 tsumogiri", "2 kan")
    assert shown(table) == "1p"
    play(table, "2 tsumogiri")
    assert table.asked == (3,)
    assert choices(table, 3) == {"pon", "pass"}
    assert shown(table) == "1p 2p"


def test_added_kan_before_the_discard_is_reacted_to() -> None:
    table = deal({1: "99m258s12345z", 3: "66z"}, draws="9m ? ? ? 9m", dora=DORA, replacements="6z")
    play(table, "0 tsumogiri", "1 pon", "1 discard 1z")
    until_turn(table, 1)
    play(table, "1 added kan 9m")
    assert shown(table) == "1p"
    play(table, "1 tsumogiri")
    assert table.asked == (3,)
    assert shown(table) == "1p 2p"


def test_open_kan_then_added_kan_turns_the_first_before_the_second_draw() -> None:
    table = deal({1: "99m888s12345z"}, draws="9m ? ? 8s", dora=DORA, replacements="9m 7z")
    play(table, "0 tsumogiri", "1 pon", "1 discard 1z", "2 tsumogiri", "3 tsumogiri", "0 tsumogiri", "1 kan")
    assert shown(table) == "1p"
    play(table, "1 added kan 9m")
    assert shown(table) == "1p 2p"
    play(table, "1 tsumogiri")
    assert shown(table) == "1p 2p 3p"


def test_open_kan_then_concealed_kan_turns_both() -> None:
    table = deal({2: "999m8888s1234z"}, draws="9m", dora=DORA)
    play(table, "0 tsumogiri", "2 kan")
    assert shown(table) == "1p"
    play(table, "2 concealed kan 8s")
    assert shown(table) == "1p 2p 3p"
    play(table, "2 tsumogiri")
    assert shown(table) == "1p 2p 3p"


def test_concealed_kan_then_added_kan() -> None:
    table = deal({1: "99m888s12345z"}, draws="9m ? ? ? 8s", dora=DORA, replacements="9m")
    play(table, "0 tsumogiri", "1 pon", "1 discard 1z", "2 tsumogiri", "3 tsumogiri", "0 tsumogiri")
    play(table, "1 concealed kan 8s")
    assert shown(table) == "1p 2p"
    play(table, "1 added kan 9m")
    assert shown(table) == "1p 2p"
    play(table, "1 tsumogiri")
    assert shown(table) == "1p 2p 3p"


def test_a_robbed_kan_turns_nothing_not_even_what_is_due() -> None:
    hands = {1: "99m888s12345z", 3: "123p456p78m22s123s"}
    table = deal(hands, draws="9m ? ? 8s", dora=DORA, replacements="9m")
    play(table, "0 tsumogiri", "1 pon", "1 discard 1z", "2 tsumogiri", "3 tsumogiri", "0 tsumogiri", "1 kan")
    play(table, "1 added kan 9m", "3 ron")
    assert won(table) == {3: ("chankan", "pinfu")}
    assert shown(table) == "1p"


def test_what_is_due_is_turned_when_the_second_kan_was_not_robbed() -> None:
    hands = {1: "99m888s12345z", 3: "123p456p78m22s123s"}
    table = deal(hands, draws="9m ? ? 8s", dora=DORA, replacements="9m")
    play(table, "0 tsumogiri", "1 pon", "1 discard 1z", "2 tsumogiri", "3 tsumogiri", "0 tsumogiri", "1 kan")
    play(table, "1 added kan 9m")
    assert (table.asked, shown(table)) == ((3,), "1p")
    pass_all(table)
    assert shown(table) == "1p 2p"


def test_five_indicators_at_most() -> None:
    table = deal({0: "1111m2222m1111s2s"}, draws="2s", replacements="2s 2s", dora=DORA)
    play(table, "0 concealed kan 1m", "0 concealed kan 2m", "0 concealed kan 1s", "0 concealed kan 2s")
    assert shown(table) == "1p 2p 3p 4p 6p"


# --- what it counts for


def open_kan(rules: Ruleset = TENHOU, **more: str) -> Table:
    """Seat 2 makes an open kan of 9m, whose indicator 1m points to 2m; seat 3 waits for 4m and 7m."""
    hands = {2: "999m123p456s22m78s", 3: "234p567p789s55p56m"}
    table = deal(hands, draws="9m", dora="7z 1m", rules=rules, **more)
    play(table, "0 tsumogiri", "2 kan")
    return table


def test_rinshan_after_an_open_kan_does_not_count_it() -> None:
    table = open_kan(replacements="9s")
    play(table, "2 tsumo")
    assert (shown(table), dora_of(table, 2)) == ("7z", 0)


def test_rinshan_after_a_concealed_kan_counts_it() -> None:
    table = deal({2: "999m123p456s22m78s"}, draws="? ? 9m", dora="7z 1m", replacements="9s")
    play(table, "0 tsumogiri", "1 tsumogiri", "2 concealed kan 9m", "2 tsumo")
    assert (shown(table), dora_of(table, 2)) == ("7z 1m", 2)


def test_ron_on_the_discard_after_an_open_kan_counts_it() -> None:
    table = deal({2: "999m147p258s1234z", 3: PINFU_4M_7M}, draws="9m", dora="7z 1m", replacements="7m")
    play(table, "0 tsumogiri", "2 kan", "2 tsumogiri", "3 ron")
    assert (shown(table), dora_of(table, 3)) == ("7z 1m", 1)


# --- other rules


def test_mahjong_soul_as_tenhou() -> None:
    table = open_kan(MAHJONG_SOUL)
    assert shown(table) == "7z"
    play(table, "2 tsumogiri")
    assert shown(table) == "7z 1m"


def test_mleague_turns_every_kan_at_once() -> None:
    table = open_kan(MLEAGUE, replacements="9s")
    assert shown(table) == "7z 1m"
    play(table, "2 tsumo")
    assert dora_of(table, 2) == 2


def test_mleague_added_kan() -> None:
    table = deal({1: "99m258s12345z"}, draws="9m ? ? ? 9m", dora=DORA, rules=MLEAGUE)
    play(table, "0 tsumogiri", "1 pon", "1 discard 1z")
    until_turn(table, 1)
    play(table, "1 added kan 9m")
    assert shown(table) == "1p 2p"
    play(table, "1 tsumogiri")
    assert shown(table) == "1p 2p"


def test_mleague_robbed_kan_turns_nothing() -> None:
    hands = {1: "99m258s12345z", 3: "123p456p78m22s123s"}
    table = deal(hands, draws="9m ? ? ? 9m", dora=DORA, rules=MLEAGUE)
    play(table, "0 tsumogiri", "1 pon", "1 discard 1z")
    until_turn(table, 1)
    play(table, "1 added kan 9m", "3 ron")
    assert shown(table) == "1p"


def test_without_kan_dora() -> None:
    table = deal({0: "999m258s1234z1s"}, draws="9m", dora=DORA, rules=replace(TENHOU, kan_dora=False))
    play(table, "0 concealed kan 9m", "0 tsumogiri")
    assert shown(table) == "1p"
