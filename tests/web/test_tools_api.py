"""The calculator and the efficiency tool over HTTP: they say what hands say, and refuse nonsense in words."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from janshi.rules.guobiao.hand import Hand as GuobiaoHand
from janshi.rules.riichi.hand import Hand
from janshi.web.errors import add_errors
from janshi.web.tools import router


@pytest.fixture(scope="module")
def tools() -> TestClient:
    app = FastAPI()
    add_errors(app)
    app.include_router(router)
    return TestClient(app)


def ask(tools: TestClient, tool: str, **body: Any) -> dict[str, Any]:
    answer: httpx.Response = tools.post(f"/api/tools/{tool}", json=body)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def refused(tools: TestClient, tool: str, **body: Any) -> str:
    answer = tools.post(f"/api/tools/{tool}", json=body)
    assert answer.status_code == 422, answer.text
    return str(answer.json()["error"]["message"])


# --- riichi


def test_a_riichi_hand_is_explained(tools: TestClient) -> None:
    worth = ask(tools, "score", family="riichi", tiles="123m456p789s22z567m", riichi=True, dora_indicators="4m")
    assert [(reason["reading"], reason["value"]) for reason in worth["reasons"]] == [
        ("riichi", 1),
        ("pinfu", 1),
        ("dora", 1),
    ]
    assert (worth["han"], worth["fu"], worth["total"]) == (3, 30, 5800)
    assert worth["payments"] == [{"payer": "discarder", "points": 5800}]
    assert worth["winning_tile"] == "7m"
    assert worth["hand"][:4] == ["1m", "2m", "3m", "5m"]


def test_fu_are_broken_down_before_rounding(tools: TestClient) -> None:
    worth = ask(
        tools, "score", family="riichi", tiles="55m111z23s", melds=["(777z)", "[9999p]"], winning_tile="4s", tsumo=True
    )
    counted = sum(part["fu"] for part in worth["fu_parts"])
    assert {"name": "concealed kans", "fu": 32} in worth["fu_parts"]
    assert counted <= worth["fu"] < counted + 10
    assert worth["fu"] % 10 == 0
    assert [meld["kind"] for meld in worth["melds"]] == ["pon", "concealed_kan"]
    assert worth["payments"] == [{"payer": "everyone", "points": worth["total"] // 3}]


def test_a_yakuman_has_no_fu(tools: TestClient) -> None:
    worth = ask(tools, "score", family="riichi", tiles="19m19p19s1234567z1z")
    assert (worth["unit"], worth["yakuman"], worth["han"], worth["fu"], worth["fu_parts"]) == ("yakuman", 1, 0, 0, [])
    assert worth["total"] == 48_000


def test_rules_differ(tools: TestClient) -> None:
    hand = {"family": "riichi", "tiles": "19m19p19s1234567z1z", "seat_wind": "S"}
    assert ask(tools, "score", **hand, rules="mahjong_soul")["yakuman"] == 2
    assert ask(tools, "score", **hand, rules="tenhou")["yakuman"] == 1


def test_honba_and_sticks_are_paid(tools: TestClient) -> None:
    plain = ask(tools, "score", family="riichi", tiles="234m456p678s22p567m")
    more = ask(tools, "score", family="riichi", tiles="234m456p678s22p567m", honba=2, sticks=1)
    assert more["total"] == plain["total"] + 2 * 300 + 1000


# --- Guobiao


def test_a_guobiao_hand_tells_which_tiles_make_each_fan(tools: TestClient) -> None:
    worth = ask(tools, "score", family="guobiao", tiles="123456789m55p789s", self_drawn=True)
    report = GuobiaoHand("123456789m55p789s").fan(self_drawn=True)
    assert [reason["name"] for reason in worth["reasons"]] == list(report.names)
    straight = worth["reasons"][0]
    assert (straight["native"], straight["value"]) == ("清龙", 16)
    assert straight["tiles"] == [["1m", "2m", "3m"], ["4m", "5m", "6m"], ["7m", "8m", "9m"]]
    assert worth["total"] == 3 * (8 + report.total)


def test_too_few_fan_do_not_win_but_are_counted(tools: TestClient) -> None:
    worth = ask(tools, "score", family="guobiao", tiles="123m567m234p789s11z")
    assert not worth["wins"]
    assert worth["fan"] < worth["needed"] == 8
    assert worth["payments"] == []
    assert worth["total"] == 0


def test_flowers_do_not_help_to_eight_fan(tools: TestClient) -> None:
    worth = ask(tools, "score", family="guobiao", tiles="123m567m234p789s11z", flowers=8)
    assert worth["total_fan"] == worth["fan"] + 8
    assert not worth["wins"]


# --- efficiency


def test_every_discard_is_weighed_and_the_best_comes_first(tools: TestClient) -> None:
    found = ask(tools, "efficiency", family="riichi", tiles="123m456p789s22z57m4s")
    assert (found["shanten"], found["count"]) == (0, 14)
    assert len(found["discards"]) == 13
    assert found["discards"][0] == {
        "tile": "4s",
        "shanten": 0,
        "useful": [{"tile": "6m", "left": 4}],
        "left": 4,
        "second": None,
    }
    keys = [(discard["shanten"], -discard["left"]) for discard in found["discards"]]
    assert keys == sorted(keys)


def test_discards_are_what_the_hand_says(tools: TestClient) -> None:
    text = "1348m2267p05s1157z"
    found = ask(tools, "efficiency", family="riichi", tiles=text, seen="99p4s")
    best = Hand(text).discards("99p4s")
    assert [(d["tile"], d["shanten"], d["left"]) for d in found["discards"][: len(best)]] == [
        (str(d.tile), d.shanten, d.left) for d in best
    ]


def test_a_red_five_is_kept_where_there_is_another(tools: TestClient) -> None:
    found = ask(tools, "efficiency", tiles="055m123p789s11223z")
    assert "0m" not in {discard["tile"] for discard in found["discards"]}
    assert "5m" in {discard["tile"] for discard in found["discards"]}


def test_tiles_seen_are_not_left(tools: TestClient) -> None:
    hand = {"family": "guobiao", "tiles": "123m456p789s22z57m"}
    assert ask(tools, "efficiency", **hand)["useful"] == [{"tile": "6m", "left": 4}]
    assert ask(tools, "efficiency", **hand, seen="6m 66m")["useful"] == [{"tile": "6m", "left": 1}]


def test_guobiao_knows_its_own_shapes(tools: TestClient) -> None:
    knitted = "147m258p369s1234z"
    assert ask(tools, "efficiency", family="guobiao", tiles=knitted)["shanten"] == 0
    assert ask(tools, "efficiency", family="riichi", tiles=knitted)["shanten"] > 3


# --- nonsense


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"family": "riichi", "tiles": "123m"}, "3 concealed tiles"),
        ({"family": "riichi", "tiles": "123m456p789s22z56x"}, "expected"),
        ({"family": "riichi", "tiles": "123m456p789s22z569m"}, "not complete"),
        ({"family": "riichi", "tiles": "123m456p789s22p567m4"}, "expected m, p, s or z"),
        (
            {"family": "riichi", "tiles": "22p567m345s678p34m", "winning_tile": "5m", "ippatsu": True},
            "ippatsu needs riichi",
        ),
        ({"family": "riichi", "tiles": "22p567m345s34m", "melds": ["(123p)"], "winning_tile": "2m"}, "no yaku"),
        ({"family": "riichi", "tiles": "22p567m345s34m", "melds": ["(129p)"]}, "not a chi"),
        ({"family": "riichi", "tiles": "11111m22p567m345s"}, "only 4 of a kind"),
        ({"family": "guobiao", "tiles": "123406m55p789s111z"}, "red five"),
        ({"family": "guobiao", "tiles": "123456789m55p789s", "after_kong": True}, "replacement tile"),
        ({"family": "chess", "tiles": "123m"}, "riichi"),
        ({"family": "riichi", "tiles": "123m456p789s22z567m", "colour": 1}, "colour"),
    ],
)
def test_nonsense_is_refused_in_words(tools: TestClient, body: dict[str, Any], words: str) -> None:
    assert words in refused(tools, "score", **body)


def test_tiles_of_all_kinds_of_text_never_break_the_server(tools: TestClient) -> None:
    for text in (
        "",
        " ",
        "m",
        "0z",
        "8z",
        "🀀🀁",
        "٣m",
        "1m" * 60,
        "((((",
        "[1111m]",
        "\x00",
        "123m(",
        "a" * 120,
        "１２３m",
    ):
        for tool in ("score", "efficiency"):
            answer = tools.post(f"/api/tools/{tool}", json={"family": "riichi", "tiles": text, "melds": [text]})
            assert answer.status_code in (200, 422), (text, answer.text)
