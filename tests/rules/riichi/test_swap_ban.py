"""The swap ban (kuikae): after a call, not the called tile nor the one at the other end of its sequence."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scenario import choices, deal, discardable, play, until_turn

from janshi.rules.riichi.ruleset import MAHJONG_SOUL, MLEAGUE, TENHOU, Ruleset

HONOURS = "1234567z"


def after(hand: str, tile: str, call: str, rules: Ruleset = TENHOU) -> str:
    """What seat 1 may discard after calling seat 0's tile."""
    table = deal({1: hand}, draws=tile, rules=rules)
    play(table, "0 tsumogiri", f"1 {call}")
    return discardable(table, 1)


@pytest.mark.parametrize(
    ("hand", "tile", "call", "left"),
    [
        ("345m258p" + HONOURS, "2m", "chi low", "258p1234567z"),  # 34 takes 2: not 5
        ("234m258p" + HONOURS, "5m", "chi high", "258p1234567z"),  # 34 takes 5: not 2
        ("133m258p" + HONOURS, "2m", "chi middle", "3m258p1234567z"),  # 13 takes 2: the ends are free
        ("246m258p" + HONOURS, "3m", "chi middle", "6m258p1234567z"),
        ("346m258p" + HONOURS, "5m", "chi middle", "3m258p1234567z"),
        ("238m258p" + HONOURS, "1m", "chi low", "8m258p1234567z"),
        ("789m258p" + HONOURS, "6m", "chi low", "258p1234567z"),  # 78 takes 6: not 9
        ("678m258p" + HONOURS, "9m", "chi high", "258p1234567z"),  # 78 takes 9: not 6
        ("236m258p" + HONOURS, "4m", "chi high", "6m258p1234567z"),  # 1 is the other end; 6 is free
    ],
)
def test_chi(hand: str, tile: str, call: str, left: str) -> None:
    assert after(hand, tile, call) == left


def test_the_called_kind_itself() -> None:
    assert after("334m258p" + HONOURS, "2m", "chi low") == "3m258p1234567z"
    assert after("2345m25p" + HONOURS, "2m", "chi low") == "25p1234567z"  # neither the other 2m nor 5m
    assert after("1233m25p" + HONOURS, "2m", "chi middle") == "3m25p1234567z"


def test_pon() -> None:
    assert after("999m258p" + HONOURS, "9m", "pon") == "258p1234567z"
    assert after("99m2558p" + HONOURS, "9m", "pon") == "258p1234567z"


def test_a_red_five_counts_as_a_five() -> None:
    assert after("340m258p" + HONOURS, "2m", "chi low") == "258p1234567z"
    assert after("055m258p" + HONOURS, "5m", "pon") == "258p1234567z"
    assert after("670m258p" + HONOURS, "8m", "chi high") == "258p1234567z"
    assert after("0467m58p" + HONOURS, "5m", "chi low") == "4m58p1234567z"
    assert after("046m258p" + HONOURS, "5m", "chi middle") == "258p1234567z"


def test_the_called_red_five_bans_the_other_fives() -> None:
    assert after("5467m58p" + HONOURS, "0m", "chi low") == "4m58p1234567z"


def test_it_binds_the_first_discard_only() -> None:
    table = deal({1: "345m258p" + HONOURS}, draws="2m")
    play(table, "0 tsumogiri", "1 chi low", "1 discard 1z")
    until_turn(table, 1)
    assert discardable(table, 1).startswith("5m")


def three_pons(rest: str, tile: str, rules: Ruleset = TENHOU) -> set[str]:
    """What seat 1, with three pons and these four tiles, may do about seat 0's tile."""
    table = deal({1: "112233z89s1p" + rest}, draws=f"1z ? ? 2z ? ? 3z ? ? {tile}", rules=rules)
    for discard in ("8s", "9s", "1p"):
        play(table, "0 tsumogiri", "1 pon", f"1 discard {discard}", "2 tsumogiri", "3 tsumogiri")
    play(table, "0 tsumogiri")
    return choices(table, 1)


def test_a_call_is_refused_if_only_banned_tiles_would_be_left() -> None:
    assert three_pons("3455m", "2m") == {"ron", "pass"}  # 34 would take 2 and leave 5 5
    assert three_pons("2345m", "2m") == {"ron", "pass"}  # 34 would leave 2 5
    assert three_pons("3456m", "2m") == {"chi low", "pass"}  # 34 leaves 5 6: the 6 may go


def test_a_pon_always_leaves_another_tile() -> None:
    assert three_pons("6667p", "6p") == {"pon", "kan", "pass"}


def test_a_call_can_be_refused_with_two_melds_too() -> None:
    for rest, names in (("4445677m", {"pon", "kan", "pass"}), ("4445678m", {"chi low", "pon", "kan", "pass"})):
        table = deal({1: "1122z9s1p" + rest}, draws="1z ? ? 2z ? ? 4m")
        for discard in ("9s", "1p"):
            play(table, "0 tsumogiri", "1 pon", f"1 discard {discard}", "2 tsumogiri", "3 tsumogiri")
        play(table, "0 tsumogiri")
        assert choices(table, 1) - {"ron"} == names


def test_without_the_ban_no_call_is_refused() -> None:
    assert "chi low" in three_pons("3455m", "2m", replace(TENHOU, swap_ban=False))


def test_without_the_ban_everything_goes() -> None:
    rules = replace(TENHOU, swap_ban=False)
    assert after("345m258p" + HONOURS, "2m", "chi low", rules) == "5m258p1234567z"
    assert after("999m258p" + HONOURS, "9m", "pon", rules) == "9m258p1234567z"


@pytest.mark.parametrize("rules", [MAHJONG_SOUL, MLEAGUE])
def test_in_every_preset(rules: Ruleset) -> None:
    assert after("345m258p" + HONOURS, "2m", "chi low", rules) == "258p1234567z"
