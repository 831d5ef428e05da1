"""Chi: in three places, from the player to the left only, with or without the red five."""

from __future__ import annotations

import pytest
from scenario import choices, deal, held, melded, play

from janshi.core.melds import LEFT
from janshi.rules.riichi.ruleset import TENHOU_NO_RED


@pytest.mark.parametrize(
    ("hand", "tile", "names"),
    [
        ("45m", "3m", {"chi low"}),
        ("24m", "3m", {"chi middle"}),
        ("12m", "3m", {"chi high"}),
        ("1245m", "3m", {"chi low", "chi middle", "chi high"}),
        ("23m", "1m", {"chi low"}),
        ("78m", "9m", {"chi high"}),
        ("13p", "2p", {"chi middle"}),
        ("79s", "8s", {"chi middle"}),
    ],
)
def test_the_place_of_the_called_tile(hand: str, tile: str, names: set[str]) -> None:
    table = deal({1: hand + "1234z"}, draws=tile)
    play(table, "0 tsumogiri")
    assert choices(table, 1) == names | {"pass"}


@pytest.mark.parametrize(
    ("hand", "tile"),
    [
        ("89m", "1m"),  # no sequence goes round the end
        ("12p", "9m"),  # nor over the border of two suits
        ("89m", "1p"),
        ("23z", "1z"),  # nor are there sequences of honours
        ("56z", "7z"),
        ("35m", "3p"),
        ("36m", "4p"),
        ("35m", "1z"),
    ],
)
def test_no_sequence_no_chi(hand: str, tile: str) -> None:
    table = deal({1: hand}, draws=tile)
    play(table, "0 tsumogiri")
    assert not any(name.startswith("chi") for name in choices(table, 1))


def test_only_from_the_left() -> None:
    table = deal({1: "45m", 2: "45m", 3: "45m"}, draws="3m")
    play(table, "0 tsumogiri")
    assert table.asked == (1,)


def test_the_dealer_may_chi_from_the_last_seat() -> None:
    table = deal({0: "24m"}, draws="3m", round=3)
    play(table, "3 tsumogiri")
    assert choices(table, 0) == {"chi middle", "pass"}


def test_the_meld() -> None:
    table = deal({1: "45m147p258s12345z"}, draws="3m")
    play(table, "0 tsumogiri", "1 chi low")
    (meld,) = table.melds(1)
    assert (str(meld), meld.called, meld.source) == ("(345m)", 2, LEFT)
    assert held(table, 1) == "147p258s12345z"
    assert [str(discard) for discard in table.river(0)] == ["3m*^"]


@pytest.mark.parametrize(
    ("hand", "tile", "names"),
    [
        ("40m", "3m", {"chi low red"}),
        ("450m", "3m", {"chi low", "chi low red"}),
        ("45m", "3m", {"chi low"}),
        ("03p", "4p", {"chi middle red"}),
        ("503p", "4p", {"chi middle", "chi middle red"}),
        ("06s", "7s", {"chi high red"}),
        ("4506m", "7m", {"chi high", "chi high red"}),
        ("0689m", "7m", {"chi low", "chi middle", "chi high red"}),
    ],
)
def test_with_and_without_the_red_five(hand: str, tile: str, names: set[str]) -> None:
    rest = {"m": "147p", "p": "147s", "s": "147m"}[hand[-1]] + "1234z"
    table = deal({1: hand + rest}, draws=tile)
    play(table, "0 tsumogiri")
    assert choices(table, 1) == names | {"pass"}


def test_the_form_chosen_says_which_five_goes() -> None:
    for name, meld, rest in (("chi low", "(345m)", "0m"), ("chi low red", "(340m)", "5m")):
        table = deal({1: "450m147p258s1234z"}, draws="3m")
        play(table, "0 tsumogiri", f"1 {name}")
        assert melded(table, 1) == meld
        assert held(table, 1) == f"{rest}147p258s1234z"


def test_a_called_red_five_lies_in_the_meld() -> None:
    table = deal({1: "46m147p258s12345z"}, draws="0m")
    play(table, "0 tsumogiri")
    assert choices(table, 1) == {"chi middle", "pass"}
    play(table, "1 chi middle")
    assert melded(table, 1) == "(406m)"


def test_without_red_fives_there_is_one_form() -> None:
    table = deal({1: "450m147p258s1234z"}, draws="3m", rules=TENHOU_NO_RED)
    play(table, "0 tsumogiri")
    assert choices(table, 1) == {"chi low", "pass"}


def test_the_called_tile_is_not_used_twice() -> None:
    table = deal({1: "33m147p258s12345z"}, draws="3m")
    play(table, "0 tsumogiri")
    assert choices(table, 1) == {"pon", "pass"}


def test_no_chi_in_riichi() -> None:
    table = deal({1: "123m456p789s2256p"}, draws="1z ? 1z ? 3m", dora="9s")
    play(table, "0 tsumogiri", "1 riichi", "1 tsumogiri", "2 tsumogiri", "3 tsumogiri", "0 tsumogiri")
    assert table.actor == 1
    assert table.drawn is not None
    assert melded(table, 1) == ""
