"""Copies of a table: equal, independent, and good for taking moves back."""

from __future__ import annotations

from scenario import deal, play

from janshi.rules.riichi.table import Table


def test_a_copy_is_equal_wherever_it_lies_in_memory() -> None:
    table = Table(seed=1)
    size = len(table.state.tobytes())
    for byte in range(100):
        used_memory = [bytearray([byte + 1]) * size for _ in range(8)]
        del used_memory
        assert table.copy() == table


def test_a_copy_is_independent() -> None:
    table = deal({0: "19m19p19s1234567z"}, draws="5m")
    other = table.copy()
    play(other, "0 tsumogiri")
    assert table.river(0) == []
    assert [str(discard) for discard in other.river(0)] == ["5m*"]
    assert table != other


def test_a_copy_goes_on_alike() -> None:
    table = Table(seed=5)
    other = table.copy()
    while not table.over:
        answers = {player: table.legal_actions(player)[-1] for player in table.asked}
        assert {player: other.legal_actions(player)[-1] for player in other.asked} == answers
        table.step(answers)
        other.step(answers)
    assert table.scores == other.scores


def test_to_take_a_move_back_keep_a_copy() -> None:
    table = Table(seed=2)
    before = table.copy()
    play(table, "0 tsumogiri")
    assert table.river(0) != before.river(0)
    assert before.legal_names(0) == Table(seed=2).legal_names(0)


def test_other_rules_are_another_table() -> None:
    assert Table(seed=1, rules="tenhou") != Table(seed=1, rules="mahjong_soul")
    assert Table(seed=1) != "a table"
