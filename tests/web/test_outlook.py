"""What discards promise: the wall deals the hand asked for, better discards promise more; what wins are worth."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from janshi.core.tiles import NUM_IDS, kind_of, parse_tiles
from janshi.rules.riichi.dora import dora_of
from janshi.rules.riichi.hand import Hand
from janshi.rules.riichi.table import Table
from janshi.web import outlook, reach, tools
from janshi.web.errors import add_errors

HANDS = ("1348m2267p05s1157z", "5555m1234p789s112z", "19m19p19s12345677z", "123m406p789s22z55m7s")


@pytest.fixture(scope="module")
def web() -> TestClient:
    app = FastAPI()
    add_errors(app)
    app.include_router(outlook.router)
    app.include_router(tools.router)
    app.include_router(reach.router)
    return TestClient(app)


@pytest.mark.parametrize("text", HANDS)
def test_the_wall_deals_the_hand_without_dora(text: str) -> None:
    wall = outlook.wall_with(Hand(text).tiles)
    assert sorted(wall) == list(range(NUM_IDS))
    table = Table(wall=wall)
    assert sorted(map(kind_of, table.hand(table.dealer))) == sorted(map(kind_of, parse_tiles(text)))
    (indicator,) = table.dora_indicators
    assert int(dora_of(indicator)) not in set(map(kind_of, Hand(text).tiles))


def test_the_waiting_discard_promises_most_and_keeping_fewer_tiles_less(web: TestClient) -> None:
    found = web.post("/api/tools/outlook", json={"tiles": HANDS[3]}).json()
    promised = {one["tile"]: one for one in found["discards"]}
    assert found["discards"][0]["tile"] == "7s"
    assert set(promised) == {str(tile) for tile in Hand(HANDS[3]).tiles} or len(promised) >= 10
    assert promised["7s"]["win"] > promised["1m"]["win"] > 0
    assert all(0 <= one["win"] <= 1 for one in found["discards"])
    points = [one["points"] for one in found["discards"]]
    assert points == sorted(points, reverse=True)


def test_melds_and_thirteen_tiles_have_none_and_nonsense_is_refused(web: TestClient) -> None:
    assert web.post("/api/tools/outlook", json={"tiles": "123m456p11s23s(777z)1z"}).json()["discards"] == []
    assert web.post("/api/tools/outlook", json={"tiles": "123m456p789s1122z"}).json()["discards"] == []
    assert web.post("/api/tools/outlook", json={"tiles": "what"}).status_code == 422


def test_second_step_by_hand(web: TestClient) -> None:
    found = web.post("/api/tools/efficiency", json={"tiles": "123m456p789s2s3s5z7z7s"}).json()
    assert found["shanten"] == 1
    best = found["discards"][0]
    total = 0
    hand = Hand("123m456p789s2s3s5z7z7s").discard(best["tile"])
    for one in best["useful"]:
        drawn = hand.draw(one["tile"])
        counts = [
            sum(drawn.discard(tile).useful_tiles(parse_tiles(best["tile"] + tile)).values())
            for tile in {str(tile) for tile in drawn.tiles}
            if drawn.discard(tile).shanten() == 0
        ]
        total += one["left"] * max(counts)
    assert best["second"] == pytest.approx(total / best["left"], abs=0.01)


def test_discards_that_lose_shanten_and_complete_hands_have_no_second_step(web: TestClient) -> None:
    found = web.post("/api/tools/efficiency", json={"tiles": HANDS[0]}).json()["discards"]
    assert all(one["second"] is None for one in found if one["shanten"] > found[0]["shanten"])
    assert all(one["second"] for one in found if one["shanten"] == found[0]["shanten"])
    waiting = web.post("/api/tools/efficiency", json={"tiles": HANDS[3]}).json()["discards"]
    assert waiting[0]["second"] is None


# --- what wins are worth


def wins_of(web: TestClient, **question: str) -> dict[str | None, dict[str, Any]]:
    """The wins in reach by discard."""
    return {one["tile"]: one for one in web.post("/api/tools/reach", json=question).json()["hands"]}


def test_a_win_after_each_discard_is_worth_what_it_scores(web: TestClient) -> None:
    found = wins_of(web, tiles="234m456p678s2255m9p")
    tenpai = found["9p"]["reach"]  # 2m or 5m, riichi and all simples: the dealer's ron of two han and 40 fu
    assert tenpai["points"] == 3900
    assert [yaku["romaji"] for yaku in tenpai["yaku"]] == ["riichi", "tanyao"]
    assert found["9p"]["fan"] is None
    assert len(found) == len(set(Hand("234m456p678s2255m9p").tiles))


def test_a_waiting_hand_has_a_value_and_an_open_one_without_yaku_says_so(web: TestClient) -> None:
    assert wins_of(web, tiles="234m456p678s2255m")[None]["reach"]["points"] == 3900
    called = wins_of(web, tiles="456p678s2255m(234m)")[None]["reach"]
    assert [yaku["romaji"] for yaku in called["yaku"]] == ["tanyao"]
    without = wins_of(web, tiles="456p678s99p55m(234m)")[None]["reach"]
    assert without["points"] is None
    assert without["without_yaku"] == 1.0


def test_seen_tiles_do_not_come(web: TestClient) -> None:
    both = wins_of(web, tiles="23m456p678s22m789p")[None]["reach"]
    low = wins_of(web, tiles="23m456p678s22m789p", seen="4444m")[None]["reach"]
    assert both["points"] >= low["points"] > 0


def test_guobiao_says_how_far_eight_fan_are(web: TestClient) -> None:
    found = wins_of(web, tiles="123456789m55p78s1z", family="guobiao")["1z"]
    assert found["reach"] is None
    assert found["fan"]["missing"] == 1
    assert "pure straight" in [fan["name"] for fan in found["fan"]["fans"]]
    assert found["fan"]["mean"] >= 16


def test_a_hand_that_cannot_be_read_has_no_wins(web: TestClient) -> None:
    assert web.post("/api/tools/reach", json={"tiles": "what"}).status_code == 422
