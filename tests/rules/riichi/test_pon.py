"""Pon: from anyone, with or without the red five."""

from __future__ import annotations

import pytest
from scenario import choices, deal, held, melded, play

from janshi.core.melds import ACROSS, LEFT, RIGHT
from janshi.rules.riichi.ruleset import TENHOU_NO_RED

REST = "147p258s12345z"


@pytest.mark.parametrize(("player", "source"), [(1, LEFT), (2, ACROSS), (3, RIGHT)])
def test_from_anyone(player: int, source: int) -> None:
    table = deal({player: "99m" + REST}, draws="9m")
    play(table, "0 tsumogiri")
    assert table.asked == (player,)
    assert choices(table, player) == {"pon", "pass"}
    play(table, f"{player} pon")
    (meld,) = table.melds(player)
    assert (str(meld), meld.called, meld.source) == ("(999m)", 8, source)
    assert held(table, player) == REST
    assert [str(discard) for discard in table.river(0)] == ["9m*^"]


def test_a_pair_is_needed() -> None:
    table = deal({2: "9m" + REST}, draws="9m")
    play(table, "0 tsumogiri")
    assert 2 not in table.asked


def test_not_ones_own_discard() -> None:
    table = deal({0: "99m" + REST}, draws="9m")
    play(table, "0 tsumogiri")
    assert table.asked == (1,)
    assert table.drawn is not None


@pytest.mark.parametrize(
    ("hand", "tile", "names"),
    [
        ("55m", "5m", {"pon"}),
        ("05m", "5m", {"pon red"}),
        ("55m", "0m", {"pon"}),
        ("055p", "5p", {"pon", "pon red", "kan"}),
        ("555s", "0s", {"pon", "kan"}),
    ],
)
def test_with_and_without_the_red_five(hand: str, tile: str, names: set[str]) -> None:
    table = deal({2: hand + "19m123456z"}, draws=tile)
    play(table, "0 tsumogiri")
    assert choices(table, 2) == names | {"pass"}


@pytest.mark.parametrize(("name", "meld", "rest"), [("pon", "(555p)", "0p"), ("pon red", "(055p)", "5p")])
def test_the_form_chosen_says_which_fives_go(name: str, meld: str, rest: str) -> None:
    table = deal({2: "055p" + "19m19s123456z"}, draws="5p")
    play(table, "0 tsumogiri", f"2 {name}")
    assert melded(table, 2) == meld
    assert held(table, 2) == f"19m{rest}19s123456z"


def test_a_called_red_five_lies_in_the_meld() -> None:
    table = deal({2: "55p" + "19m19s1234567z"}, draws="0p")
    play(table, "0 tsumogiri", "2 pon")
    assert melded(table, 2) == "(055p)"


def test_without_red_fives_there_is_one_form() -> None:
    table = deal({2: "055p" + "19m19s123456z"}, draws="5p", rules=TENHOU_NO_RED)
    play(table, "0 tsumogiri")
    assert choices(table, 2) == {"pon", "kan", "pass"}


def test_turns_are_skipped() -> None:
    table = deal({3: "99m" + REST}, draws="9m")
    play(table, "0 tsumogiri", "3 pon", "3 discard 1z")
    assert table.actor == 0
    assert [len(table.river(player)) for player in range(4)] == [1, 0, 0, 1]


def test_no_pon_in_riichi() -> None:
    table = deal({1: "123m456p789s2256p"}, draws="1z ? 1z ? 2p", dora="9s")
    play(table, "0 tsumogiri", "1 riichi", "1 tsumogiri", "2 tsumogiri", "3 tsumogiri", "0 tsumogiri")
    assert table.actor == 1
    assert melded(table, 1) == ""
