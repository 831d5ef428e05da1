"""Liability (pao): who feeds the last open set of a yakuman pays for it."""

from __future__ import annotations

from typing import Any

import pytest
from scenario import changes, deal, melded, play, until_turn, won

from janshi.rules.riichi.ruleset import MAHJONG_SOUL, MLEAGUE, TENHOU, Ruleset
from janshi.rules.riichi.table import Table

DRAGONS = "556677z9m9p1m"  # and four tiles to win with
PINFU_LIKE = "34p11s"  # waits for 2p and 5p
ALL_HONOURS = "1122z"  # waits for 1z and 2z


def three_dragons(rest: str, later: str, rules: Ruleset = TENHOU, other: str = "", **more: Any) -> Table:
    """Seat 2 pons 5z and 6z from seat 3 and the last, 7z, from seat 0; `later` is drawn from seat 3 on.

    Seat 1 holds `other`.
    """
    held = {1: other, 2: DRAGONS + rest}
    table = deal(held, draws=f"? ? ? 5z 6z ? 7z {later}", rules=rules, dora="9m", **more)
    play(table, "0 tsumogiri", "1 tsumogiri", "2 tsumogiri", "3 tsumogiri", "2 pon", "2 discard 9m")
    play(table, "3 tsumogiri", "2 pon", "2 discard 9p", "3 tsumogiri")
    play(table, "0 tsumogiri", "2 pon", "2 discard 1m")
    assert melded(table, 2) == "(555z) (666z) (777z)"
    return table


# --- big three dragons


def test_self_draw_the_liable_player_pays_all() -> None:
    table = three_dragons(PINFU_LIKE, "? ? ? 2p")
    until_turn(table, 2)
    play(table, "2 tsumo")
    assert won(table) == {2: ("daisangen",)}
    assert changes(table) == (-32_000, 0, 32_000, 0)


def test_self_draw_with_honba_and_sticks() -> None:
    table = three_dragons(PINFU_LIKE, "? ? ? 2p", honba=1, sticks=1)
    until_turn(table, 2)
    play(table, "2 tsumo")
    assert changes(table) == (-32_300, 0, 33_300, 0)


def test_the_dealers_win() -> None:
    table = deal({0: DRAGONS + PINFU_LIKE}, draws="? 5z 6z 7z ? ? ? 2p")
    play(table, "0 tsumogiri", "1 tsumogiri", "0 pon", "0 discard 9m")
    play(table, "1 tsumogiri", "0 pon", "0 discard 9p", "1 tsumogiri", "0 pon", "0 discard 1m")
    until_turn(table, 0)
    play(table, "0 tsumo")
    assert changes(table) == (48_000, -48_000, 0, 0)


def test_ron_is_split_between_discarder_and_liable() -> None:
    table = three_dragons(PINFU_LIKE, "2p")
    play(table, "3 tsumogiri", "2 ron")
    assert changes(table) == (-16_000, 0, 32_000, -16_000)


def test_ron_the_liable_player_pays_the_honba() -> None:
    table = three_dragons(PINFU_LIKE, "2p", honba=2, sticks=1)
    play(table, "3 tsumogiri", "2 ron")
    assert changes(table) == (-16_600, 0, 33_600, -16_000)


def test_ron_from_the_liable_player() -> None:
    table = three_dragons(PINFU_LIKE, "? 2p", honba=1)
    play(table, "3 tsumogiri", "0 tsumogiri", "2 ron")
    assert changes(table) == (-32_300, 0, 32_300, 0)


def test_double_ron_the_first_winner_takes_honba_and_sticks() -> None:
    table = three_dragons(PINFU_LIKE, "2p", other="234m456m789s44s34p", honba=1, sticks=1)
    play(table, "3 tsumogiri", "1 ron, 2 ron")
    assert won(table) == {1: ("pinfu",), 2: ("daisangen",)}
    assert changes(table) == (-16_000, 1000 + 300 + 1000, 32_000, -16_000 - 1300)


def test_the_feeder_of_an_earlier_set_is_not_liable() -> None:
    table = three_dragons(PINFU_LIKE, "? ? ? 2p")
    assert list(table.state.liable[2]) == [0, -1, -1]


def test_no_liability_without_the_yakuman() -> None:
    # two dragon pons and a pair: little three dragons is an ordinary win
    table = deal({2: "556677z9m34p123s9p"}, draws="? ? ? 5z 6z ? ? ? 2p")
    until_turn(table, 3)
    play(table, "3 tsumogiri", "2 pon", "2 discard 9m", "3 tsumogiri", "2 pon", "2 discard 9p")
    until_turn(table, 2)
    play(table, "2 tsumo")
    assert won(table) == {2: ("haku", "hatsu", "shousangen")}
    assert all(change < 0 for player, change in enumerate(changes(table)) if player != 2)


def test_a_concealed_kan_as_the_last_set_makes_nobody_liable() -> None:
    table = deal({2: "5566777z34p11s9m9p"}, draws="? ? ? 5z 6z ? ? ? 7z", replacements="2p")
    until_turn(table, 3)
    play(table, "3 tsumogiri", "2 pon", "2 discard 9m", "3 tsumogiri", "2 pon", "2 discard 9p")
    until_turn(table, 2)
    play(table, "2 concealed kan 7z", "2 tsumo")
    assert won(table) == {2: ("daisangen",)}
    assert changes(table) == (-16_000, -8000, 32_000, -8000)


def test_an_earlier_concealed_kan_counts_among_the_sets() -> None:
    table = deal({2: "555z6677z34p11s9m9p"}, draws="? ? 5z 6z ? 7z ? ? ? 2p", replacements="9s")
    until_turn(table, 2)
    play(table, "2 concealed kan 5z", "2 tsumogiri", "3 tsumogiri", "2 pon", "2 discard 9m", "3 tsumogiri")
    play(table, "0 tsumogiri", "2 pon", "2 discard 9p")
    until_turn(table, 2)
    play(table, "2 tsumo")
    assert changes(table) == (-32_000, 0, 32_000, 0)


def test_an_open_kan_as_the_last_set() -> None:
    table = deal({2: "5566777z9m9p34p11s"}, draws="? ? ? 5z 6z ? 7z", replacements="2p")
    until_turn(table, 3)
    play(table, "3 tsumogiri", "2 pon", "2 discard 9m", "3 tsumogiri", "2 pon", "2 discard 9p", "3 tsumogiri")
    play(table, "0 tsumogiri", "2 kan", "2 tsumo")
    assert won(table) == {2: ("daisangen",)}
    assert changes(table) == (-32_000, 0, 32_000, 0)


def test_adding_a_kan_changes_nothing() -> None:
    table = three_dragons(PINFU_LIKE, "? ? ? 5z", replacements="2p")
    until_turn(table, 2)
    play(table, "2 added kan 5z", "2 tsumo")
    assert changes(table) == (-32_000, 0, 32_000, 0)


# --- several yakuman


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (TENHOU, (-64_000, 0, 64_000, 0)),
        (MAHJONG_SOUL, (-32_000 - 16_000, -8000, 64_000, -8000)),
        (MLEAGUE, (-32_000 - 16_000, -8000, 64_000, -8000)),
    ],
)
def test_composite_self_draw(rules: Ruleset, expected: tuple[int, ...]) -> None:
    table = three_dragons(ALL_HONOURS, "? ? ? 1z", rules)
    until_turn(table, 2)
    play(table, "2 tsumo")
    assert won(table) == {2: ("daisangen", "tsuuiisou")}
    assert changes(table) == expected


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (TENHOU, (-32_000 - 300, 0, 64_300, -32_000)),
        (MAHJONG_SOUL, (-16_000 - 300, 0, 64_300, -16_000 - 32_000)),
        (MLEAGUE, (-16_000 - 300, 0, 64_300, -16_000 - 32_000)),
    ],
)
def test_composite_ron(rules: Ruleset, expected: tuple[int, ...]) -> None:
    table = three_dragons(ALL_HONOURS, "1z", rules, honba=1)
    play(table, "3 tsumogiri", "2 ron")
    assert changes(table) == expected


# --- big four winds


def four_winds(rules: Ruleset, later: str) -> Table:
    """Seat 2 pons 1z, 2z and 3z from seat 3 and the last, 4z, from seat 0; waits for 5p."""
    table = deal({2: "11223344z19m19p5p"}, draws=f"? ? ? 1z 2z 3z ? 4z {later}", rules=rules, dora="9s")
    until_turn(table, 3)
    for tile in ("1m", "9m", "1p"):
        play(table, "3 tsumogiri", "2 pon", f"2 discard {tile}")
    play(table, "3 tsumogiri", "0 tsumogiri", "2 pon", "2 discard 9p")
    return table


@pytest.mark.parametrize(("rules", "points"), [(TENHOU, 32_000), (MAHJONG_SOUL, 64_000), (MLEAGUE, 32_000)])
def test_big_four_winds_self_draw(rules: Ruleset, points: int) -> None:
    table = four_winds(rules, "? ? ? 5p")
    until_turn(table, 2)
    play(table, "2 tsumo")
    assert won(table) == {2: ("daisuushii",)}
    assert changes(table) == (-points, 0, points, 0)


@pytest.mark.parametrize(("rules", "points"), [(TENHOU, 32_000), (MAHJONG_SOUL, 64_000)])
def test_big_four_winds_ron(rules: Ruleset, points: int) -> None:
    table = four_winds(rules, "5p")
    play(table, "3 tsumogiri", "2 ron")
    assert changes(table) == (-points // 2, 0, points, -points // 2)


# --- four kans


def four_open_kans(rules: Ruleset) -> Table:
    """Seat 2 calls four kans, the last from seat 0, and wins on its replacement."""
    draws = "? ? ? 2m 3p 7s ? 8s"
    table = deal({2: "222m333p777s888s5p"}, draws, replacements="1z 1z 1z 5p", rules=rules, dora="9s")
    until_turn(table, 3)
    for _ in range(3):
        play(table, "3 tsumogiri", "2 kan", "2 tsumogiri")
    play(table, "3 tsumogiri", "0 tsumogiri", "2 kan", "2 tsumo")
    assert "suukantsu" in won(table)[2]
    return table


def test_four_kans_mleague() -> None:
    assert changes(four_open_kans(MLEAGUE)) == (-32_000, 0, 32_000, 0)


@pytest.mark.parametrize("rules", [TENHOU, MAHJONG_SOUL])
def test_four_kans_elsewhere(rules: Ruleset) -> None:
    assert changes(four_open_kans(rules)) == (-16_000, -8000, 32_000, -8000)


def test_rinshan_after_one_open_kan_makes_nobody_liable() -> None:
    table = deal({2: "999m123p456s7894s"}, draws="9m", replacements="4s", rules=MLEAGUE)
    play(table, "0 tsumogiri", "2 kan", "2 tsumo")
    assert changes(table)[1] < 0
