"""Double riichi: declared with one's first discard, before any call."""

from __future__ import annotations

from scenario import deal, play, until_turn, won

from janshi.rules.riichi.table import Table

TENPAI = "123m456p789s22p56m"


def win_on_7m(table: Table, player: int) -> tuple[str, ...]:
    """The player wins by self-draw on the next turn."""
    until_turn(table, player)
    play(table, f"{player} tsumo")
    return won(table)[player]


def test_the_dealers_first_discard() -> None:
    table = deal({0: TENPAI}, draws="1z ? ? ? 7m")
    play(table, "0 riichi", "0 tsumogiri")
    assert table.state.riichi[0] == 2
    assert win_on_7m(table, 0) == ("menzen tsumo", "ippatsu", "pinfu", "daburu riichi")


def test_another_players_first_discard() -> None:
    table = deal({2: TENPAI}, draws="? ? 1z ? ? ? 7m")
    play(table, "0 tsumogiri", "1 tsumogiri", "2 riichi", "2 tsumogiri")
    assert win_on_7m(table, 2) == ("menzen tsumo", "ippatsu", "pinfu", "daburu riichi")


def test_not_the_second_discard() -> None:
    table = deal({0: TENPAI}, draws="1z ? ? ? 2z ? ? ? 7m")
    play(table, "0 tsumogiri")
    until_turn(table, 0)
    play(table, "0 riichi", "0 tsumogiri")
    assert table.state.riichi[0] == 1
    assert win_on_7m(table, 0) == ("menzen tsumo", "riichi", "ippatsu", "pinfu")


def test_not_after_a_call() -> None:
    table = deal({2: TENPAI, 1: "99m"}, draws="9m 1z ? ? ? 7m")
    play(table, "0 tsumogiri", "1 pon")
    play(table, f"1 {table.legal_names(1)[0]}", "2 riichi", "2 tsumogiri")
    assert table.state.riichi[2] == 1


def test_not_after_a_concealed_kan_of_another() -> None:
    table = deal({2: TENPAI, 1: "9999m"}, draws="? ? 1z")
    play(table, "0 tsumogiri", "1 concealed kan 9m", "1 tsumogiri", "2 riichi", "2 tsumogiri")
    assert table.state.riichi[2] == 1


def test_not_after_a_concealed_kan_of_ones_own() -> None:
    table = deal({0: "1111m456p789s2p56m"}, draws="1z", replacements="2p")
    play(table, "0 concealed kan 1m", "0 riichi", "0 discard 1z")
    assert table.state.riichi[0] == 1


def test_another_riichi_is_no_call() -> None:
    table = deal({0: TENPAI, 1: "345m789m345s55s12p"}, draws="1z 2z")
    play(table, "0 riichi", "0 tsumogiri", "1 riichi", "1 tsumogiri")
    assert list(table.state.riichi) == [2, 2, 0, 0]
