"""A hand that explains its fan, and the twenty waits of the shared fixtures."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from janshi.core.hand import HandError
from janshi.core.tiles import format_tiles
from janshi.rules.guobiao import Hand

HONOURS = "ESWNPFC"
"""Letters of 1z to 7z in the fixtures."""


def as_we_write(text: str) -> str:
    """A hand of the fixtures in our letters: `[111s,1]` is open, `[CCCC]` concealed."""
    text = re.sub(f"[{HONOURS}]", lambda letter: f"{HONOURS.index(letter[0]) + 1}z", text.strip())
    text = re.sub(r"\[([^\],]*),\d+\]", r"(\1)", text)
    return re.sub(r"(\dz)+", lambda run: run[0].replace("z", "") + "z", text)


def test_waits_of_every_case(shared: Path) -> None:
    path = shared / "guobiao" / "ting_cases.json"
    if not path.exists():
        pytest.skip("needs the shared waits")
    cases: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    assert len(cases) == 20
    for case in cases:
        expected = {as_we_write(name.removeprefix("TILE_")) for name in case["expectedNames"]}
        assert set(map(str, Hand(as_we_write(case["input"])).waits())) == expected, case["input"]


def test_report_names_fan_in_three_ways_with_their_tiles() -> None:
    report = Hand("123456m55p789s78m9m").fan(self_drawn=True, flowers=1)
    assert (report.fan, report.total, report.wins) == (23, 24, True)
    line = report.lines[0]
    assert (line.fan.name, line.fan.chinese, line.fan.pinyin, line.value) == ("pure straight", "清龙", "qīng lóng", 16)
    assert line.tiles == ("123m", "456m", "789m")
    assert report.names[1:] == ("fully concealed hand", "all chows", "mixed double chow", "flower tiles")
    assert report.lines[3].tiles == ("789m+789s",)
    assert "清龙" in report
    assert "qīng lóng" in report
    assert "tile hog" not in report
    assert report.payments == (("everyone", 32),)
    assert "pure straight                         16 fan  清龙 qīng lóng  123m 456m 789m" in str(report)


def test_too_few_fan_are_counted_but_do_not_win() -> None:
    report = Hand("234m234p456s789m99s").fan()
    assert (report.fan, report.wins) == (6, False)
    assert "too few to win" in str(report)
    assert report.payments == (("discarder", 14), ("others", 8))


def test_flowers_do_not_help_to_the_minimum() -> None:
    report = Hand("234m234p456s789m99s").fan(flowers=8)
    assert (report.fan, report.total, report.wins) == (6, 14, False)


def test_winds_and_kongs_name_their_sets() -> None:
    report = Hand("999p11m (111z) (222z) [5555z]").fan("9p", seat_wind="S")
    tiles = {line.fan.chinese: line.tiles for line in report.lines}
    assert tiles["圈风刻"] == ("111z",)
    assert tiles["门风刻"] == ("222z",)
    assert tiles["暗杠"] == ("5555z",)
    assert tiles["混幺九"] == ()


def test_knitted_straight_and_the_shapes_it_waits_in() -> None:
    assert Hand("147m258p369s11z567m").fan("7m").lines[0].tiles == ("147m258p369s",)
    assert format_tiles(Hand("147m258p369s1234z").waits()) == "567z"
    assert Hand("1111m22335566p7s").waits() == Hand("7s1111m22335566p").waits()
    assert Hand("1111m22335566p7s").shanten() == 0


def test_discards_look_at_every_shape() -> None:
    best = Hand("147m258p369s12346m").discards()[0]
    assert (str(best.tile), best.shanten) == ("6m", 0)


@pytest.mark.parametrize(
    ("text", "flags", "reason"),
    [
        ("123456m55p789s78m", {}, "name the winning tile"),
        ("123456m55p789s18m9m", {}, "not complete"),
        ("123456m55p789s78m9m", {"after_kong": True}, "self-drawn"),
        ("123456m55p789s78m9m", {"after_kong": True, "self_drawn": True}, "needs a kong"),
        ("123456m55p789s78m9m", {"robbing": True, "self_drawn": True}, "not self-drawn"),
        ("123456m789s78m9m55p", {"last_of_kind": True}, "only one among"),
        ("123456m55p789s78m9m", {"seat_wind": "Q"}, "not a wind"),
        ("123456m55p789s78m9m", {"flowers": 9}, "flowers"),
        ("123406m55p789s78m9m", {}, "red five"),
    ],
)
def test_what_cannot_be_is_refused(text: str, flags: dict[str, Any], reason: str) -> None:
    with pytest.raises(HandError, match=reason):
        Hand(text).fan(**flags)


def test_a_kong_of_the_winning_tile_may_be_robbed() -> None:
    assert "抢杠和" in Hand("12346m55p789s789m5m").fan(robbing=True)
