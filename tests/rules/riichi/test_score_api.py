"""`Hand.score`: the report, how it reads, and what it refuses."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from janshi import Hand
from janshi.core.tiles import kind_of
from janshi.rules.riichi.hand import HandError, NoYakuError
from janshi.rules.riichi.ruleset import Ruleset
from janshi.rules.riichi.score import score
from janshi.rules.riichi.win import CHI, PON, SCORE_DTYPE, SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS, WIN_DTYPE
from janshi.rules.riichi.yaku import HAITEI, RINSHAN

PINFU = "123m456p789s22p56m7m"
OPEN = "456p678s22p56m7m (234m)"
KAN = "456p678s22p567m [1111m]"


def test_the_last_tile_written_wins() -> None:
    assert Hand(PINFU).score(riichi=True).winning_tile == "7m"
    assert Hand(OPEN).score().winning_tile == "7m"


def test_the_winning_tile_may_be_one_of_the_hand() -> None:
    report = Hand(PINFU).score(winning_tile="2p", riichi=True)
    assert report.winning_tile == "2p"
    assert "pinfu" not in report


def test_the_winning_tile_may_complete_the_hand() -> None:
    assert Hand("123m456p789s22p56m").score("7m") == Hand(PINFU).score()


def test_red_winning_tile() -> None:
    report = Hand("123m456p789s22p67m").score("0m")
    assert (report.winning_tile, report.red) == ("0m", 1)


def test_names_numbers_and_han() -> None:
    report = Hand(PINFU).score(riichi=True, ippatsu=True)
    assert report.names == ("riichi", "ippatsu", "pinfu")
    assert "one-shot" in report
    assert 7 in report
    assert "tanyao" not in report
    assert [report.han_for(name) for name in ("riichi", "all sequences", "tanyao")] == [1, 1, 0]


def test_ron_payment() -> None:
    report = Hand(PINFU).score(riichi=True, seat_wind="S", honba=2, sticks=1)
    assert report.payments == (("discarder", 2600),)
    assert (report.base, report.total) == (480, 3600)


def test_self_draw_payments() -> None:
    assert Hand(PINFU).score(tsumo=True).payments == (("everyone", 700),)
    report = Hand(PINFU).score(tsumo=True, seat_wind="W", honba=1)
    assert report.payments == (("dealer", 800), ("others", 500))
    assert report.total == 1800


def test_added_kan_is_open() -> None:
    report = Hand("456p678s22p56m7m (333+3m)").score()
    assert dict(report.fu_parts)["open kans"] == 8


def test_printed_report() -> None:
    report = Hand("340p456m678s22p67m").score("0m", riichi=True, dora_indicators="1p", seat_wind="S", honba=1, sticks=1)
    rows = [" ".join(row.split()) for row in str(report).splitlines() if not row.startswith("-")]
    assert rows == [
        "340p456m678s22p670m, ron on 0m",
        "riichi 1 han",
        "pinfu (all sequences) 1 han",
        "tanyao (all simples) 1 han",
        "dora 2 han",
        "aka dora 2 han",
        "base 20 fu",
        "closed ron 10 fu",
        "7 han 30 fu, haneman 13,300 points",
        "the discarder pays 12,300",
        "with 1 honba",
        "riichi sticks: 1 1,000",
    ]


def test_printed_rounding_and_yakuman() -> None:
    assert "rounded up" in str(Hand("111m456p789s22p56m7m").score(riichi=True))
    text = str(Hand("5z5z (111z) (222z) (333z) (444z)").score(rules=Ruleset(double_yakuman=True)))
    assert "3 x yakuman" in text
    assert "daisuushii (big four winds)" in text
    assert "fu" not in text.split("yakuman")[-1]


def test_report_is_frozen_and_comparable() -> None:
    report = Hand(PINFU).score(riichi=True)
    assert report == Hand(PINFU).score(riichi=True)
    assert len({report, Hand(PINFU).score(riichi=True)}) == 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        report.han = 3  # type: ignore[misc]


def test_no_yaku() -> None:
    with pytest.raises(NoYakuError, match="no yaku"):
        Hand("456p678s22p56m7m (123m)").score()


def test_not_complete() -> None:
    with pytest.raises(HandError, match="not complete") as caught:
        Hand("123m456p789s22p56m9m").score(riichi=True)
    assert not isinstance(caught.value, NoYakuError)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    ("hand", "how", "message"),
    [
        (PINFU, {"ippatsu": True}, "ippatsu needs riichi"),
        (OPEN, {"riichi": True}, "closed hand"),
        (OPEN, {"double_riichi": True}, "closed hand"),
        (PINFU, {"chankan": True, "tsumo": True}, "chankan is a win by ron"),
        (KAN, {"rinshan": True}, "rinshan is a win by self-draw"),
        (PINFU, {"rinshan": True, "tsumo": True}, "needs a kan"),
        (KAN, {"rinshan": True, "tsumo": True, "last_tile": True}, "not the last tile"),
        (PINFU, {"chankan": True, "last_tile": True}, "not the last discard"),
        (KAN, {"rinshan": True, "tsumo": True, "riichi": True, "ippatsu": True}, "ends ippatsu"),
        ("123m456p789s22p56m77m", {"chankan": True}, "tiles"),
        ("456m456p789s22p56m4m", {"chankan": True}, "only one of its kind"),
        (PINFU, {"first_turn": True}, "self-draw"),
        (PINFU, {"first_turn": True, "tsumo": True, "riichi": True}, "nothing comes before"),
        (KAN, {"first_turn": True, "tsumo": True}, "no melds"),
        (PINFU, {"ura_indicators": "1m"}, "riichi only"),
        (PINFU, {"honba": -1}, "negative"),
        (PINFU, {"sticks": -1}, "negative"),
        (PINFU, {"seat_wind": "X"}, "not a wind"),
        (PINFU, {"round_wind": ""}, "not a wind"),
        (PINFU, {"winning_tile": "9m"}, "not among the concealed tiles"),
        ("123m456p789s22p56m", {}, "winning tile"),
    ],
)
def test_contradictions(hand: str, how: dict[str, Any], message: str) -> None:
    with pytest.raises(HandError, match=message):
        Hand(hand).score(**how)


def test_indicators_may_be_tiles() -> None:
    assert Hand(PINFU).score(dora_indicators=[9]).dora == Hand(PINFU).score(dora_indicators="1p").dora == 2


def test_it_is_still_a_core_hand() -> None:
    hand = Hand("123m456p789s22p56m")
    assert hand.shanten() == 0
    assert isinstance(hand.draw("7m"), Hand)
    assert hand.draw("7m").score().names == ("pinfu",)


def kernel_score(hand: str, **fields: int) -> Any:
    """Score a hand with the kernel itself, past the checks of `Hand.score`."""
    full, won = Hand(hand), kind_of(Hand(hand).tiles[-1])
    win = np.zeros(1, WIN_DTYPE).view(np.recarray)[0]
    win.hand[:], win.win_kind, win.melds = full.counts, won, len(full.melds)
    for i, meld in enumerate(full.melds):
        win.meld_type[i], win.meld_kind[i] = meld.type, meld.kind
    for name, value in fields.items():
        setattr(win, name, value)
    out = np.zeros(1, SCORE_DTYPE).view(np.recarray)[0]
    score(win, Ruleset().record()[0], out)
    return out


def test_kernel_writes_the_reading() -> None:
    out = kernel_score("222m567p88s66s6s (345p)", last_tile=1)
    assert (int(out["shape"]), int(out.pair)) == (STANDARD, 25)
    assert out.set_type.tolist() == [PON, CHI, PON, CHI]
    assert out.set_kind.tolist() == [1, 13, 23, 11]
    assert out.set_open.tolist() == [0, 0, 1, 1]
    assert kernel_score("222m567p88s66s6s (345p)", tsumo=1, last_tile=1).set_open.tolist() == [0, 0, 0, 1]


def test_kernel_names_the_other_shapes() -> None:
    assert kernel_score("1199m2255p3388s1z1z")["shape"] == SEVEN_PAIRS
    assert kernel_score("19m19p19s12345677z")["shape"] == THIRTEEN_ORPHANS


def test_kernel_gives_nothing_for_no_yaku_and_for_no_win() -> None:
    for hand in ("456p678s22p56m7m (123m)", "123m456p789s22p56m9m"):
        out = kernel_score(hand, dora=3)
        assert (int(out.yaku), int(out.han), int(out["base"]), int(out.dora)) == (0, 0, 0, 0)


def test_kernel_keeps_rinshan_and_the_last_tile_apart() -> None:
    yaku = int(kernel_score(KAN, tsumo=1, rinshan=1, last_tile=1).yaku)
    assert yaku >> RINSHAN & 1
    assert not yaku >> HAITEI & 1
