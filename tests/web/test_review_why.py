"""The facts behind a decision: hands after every kind of choice, value and yaku in reach, what the scores ask for."""

from __future__ import annotations

from typing import Any

import pytest

from janshi.rules.riichi.hand import Hand
from janshi.web.review.why.facts import why_of
from janshi.web.review.why.hands import Held, seen_by
from janshi.web.review.why.situation import situation_of
from janshi.web.review.why.value import Circumstances, in_reach

EAST = Circumstances("S", "E", ())


def texts(tiles: str) -> list[str]:
    """`"123m"` as single tiles."""
    found, ranks = [], ""
    for letter in tiles:
        if letter in "mpsz":
            found += [rank + letter for rank in ranks]
            ranks = ""
        else:
            ranks += letter
    return found


def seat(hand: str = "", drawn: str | None = None, river: str = "", score: int = 25000, **more: Any) -> dict[str, Any]:
    tiles = [{"tile": tile, "tsumogiri": False, "riichi": False, "called": False} for tile in texts(river)]
    return {"hand": texts(hand), "drawn": drawn, "river": tiles, "melds": [], "score": score, "wind": "S", **more}


def position(me: dict[str, Any], *others: dict[str, Any], **more: Any) -> dict[str, Any]:
    rules = {"family": "riichi", "rounds": 2}
    seats = [me, *others, *[seat() for _ in range(3 - len(others))]]
    plain = {"viewer": 0, "round": 0, "dealer": 3, "honba": 0, "sticks": 0, "dora": [], "last": None, "phase": "turn"}
    return {"rules": rules, **plain, "seats": seats, **more}


def choice(action: int, kind: str, tile: str | None = None, tiles: str = "", **more: Any) -> dict[str, Any]:
    return {"action": action, "kind": kind, "tile": tile, "tiles": texts(tiles), "then": [], **more}


def decision(at: dict[str, Any], choices: list[dict[str, Any]], danger: Any = None) -> dict[str, Any]:
    opponents = None if danger is None else {"tenpai": [0.1] * 3, "danger": danger}
    played, best = choices[0]["action"], choices[-1]["action"]
    return {"position": at, "choices": choices, "opponents": opponents, "played": played, "best": best}


def test_useful_tiles_of_discards_count_what_is_seen():
    at = position(seat("23m456p789s11122z", "9p"), seat(river="1m4m"), dora=["4m"])
    facts = why_of(decision(at, [choice(0, "discard", "2m"), choice(37, "tsumogiri", "9p")]))["choices"]
    assert facts["37"]["shanten"] == 0
    assert facts["37"]["useful"] == [("1m", 3), ("4m", 2)]
    assert facts["37"]["tiles"] == 5
    assert facts["0"]["shanten"] == 1


def test_the_hand_after_a_call_and_the_discard_that_the_reviewer_names():
    at = position(
        seat("23m456p789s1122z9p"), seat(river="1z"), phase="reaction", last={"seat": 1, "tile": "1z"}, round=4
    )
    named = [{"pattern": "discard {tile}", "values": {"tile": "9p"}}]
    facts = why_of(decision(at, [choice(119, "pass"), choice(45, "pon", "1z", "11z", then=named)]))["choices"]
    assert facts["119"]["shanten"] == 1
    assert (facts["45"]["shanten"], facts["45"]["discard"]) == (0, "9p")
    assert facts["45"]["useful"] == [("1m", 4), ("4m", 4)]
    reach = facts["45"]["reach"]
    assert reach is not None
    assert reach["without_yaku"] == 1.0  # East is no wind of a South seat in the South round
    assert reach["points"] is None


def test_a_called_tile_is_not_seen_twice():
    river = [{"tile": "1z", "tsumogiri": False, "riichi": False, "called": True}]
    other = {**seat(), "river": river, "melds": []}
    caller = seat(melds=[{"kind": "pon", "tiles": ["1z"] * 3, "called": 0, "from": 1}])
    assert sorted(seen_by(position(seat(), other, caller))) == ["1z"] * 3


def test_hands_after_kans():
    melds = [{"kind": "pon", "tiles": ["5p", "5p", "0p"], "called": 0, "from": 1}]
    at = position(seat("1111m234p678s", "5p", melds=melds))
    held = Held(at, Hand)
    concealed = held.after(choice(60, "kan", "1m", "1111m", kan="concealed_kan"))
    added = held.after(choice(90, "kan", "5p", "5p", kan="added_kan"))
    assert concealed is not None
    assert added is not None
    assert [len(concealed[0]), len(concealed[0].melds)] == [13, 2]
    assert [len(added[0]), added[0].melds[0].is_kan] == [13, True]


def test_fan_in_reach_of_guobiao_hands():
    at = position(seat("123456789m55p78s", "1z", wind="E"), left=60, walls=[20, 20, 20, 20])
    at["rules"] = {"family": "guobiao"}
    why = why_of(decision(at, [choice(31, "discard", "1z"), choice(0, "discard", "1m"), choice(24, "discard", "7s")]))
    best, worse = why["choices"]["31"], why["choices"]["24"]
    assert why["situation"] is None
    assert best["reach"] is None
    assert best["fan"] is not None
    assert worse["fan"] is not None
    assert (best["fan"]["missing"], worse["fan"]["missing"]) == (1, 2)
    assert best["fan"]["fans"][0]["chinese"] == "清龙"
    assert best["fan"]["points"] > worse["fan"]["points"]
    assert why["choices"]["0"]["fan"] is None  # only what is compared


def test_an_answer_of_the_quiz_is_compared_too():
    at = position(seat("234m567m345p55p67s", "1z"))
    every = [choice(27, "discard", "1z"), choice(1, "discard", "2m"), choice(24, "discard", "7s")]
    assert why_of(decision(at, every))["choices"]["1"]["reach"] is None
    assert why_of(decision(at, every), 1)["choices"]["1"]["reach"] is not None


def test_wins_have_no_hand_after_them():
    at = position(seat("23m456p789s11122z", "1m"))
    facts = why_of(decision(at, [choice(112, "tsumo", "1m"), choice(37, "tsumogiri", "1m")]))["choices"]
    assert set(facts) == {"37"}


def test_dangers_and_safe_tiles():
    danger = [[0.0] * 34 for _ in range(3)]
    danger[1][17] = 0.12  # 9p, for the player across
    at = position(seat("23m456p789s11122z", "9p"))
    facts = why_of(decision(at, [choice(37, "tsumogiri", "9p"), choice(1, "discard", "2m")], danger))["choices"]
    assert facts["37"]["danger"] == [0.0, 0.12, 0.0]
    assert (facts["37"]["safe"], facts["1"]["safe"]) == (13, 12)


def test_the_value_of_a_tenpai_hand_is_its_score():
    reach = in_reach(Hand("234m567m345p55p67s"), [], EAST)
    assert reach is not None
    assert reach["points"] == 3900  # riichi, pinfu, tanyao; 5s and 8s alike
    assert {yaku["romaji"] for yaku in reach["yaku"]} == {"riichi", "pinfu", "tanyao"}
    dora = in_reach(Hand("234m567m345p55p67s"), [], Circumstances("S", "E", (0,)))
    assert dora is not None
    assert dora["points"] == 7700  # 1m turns 2m into dora: 4 han 30 fu
    assert dora["dora"] == 1.0


def test_yaku_in_reach_of_a_hand_that_is_not_tenpai():
    reach = in_reach(Hand("2344m567m345p55p7s"), [], EAST)
    assert reach is not None
    assert reach["points"] is not None
    assert {"riichi", "tanyao"} <= {yaku["romaji"] for yaku in reach["yaku"]}
    assert in_reach(Hand("2344m567m345p55p7s"), [], EAST) == reach  # the same every time
    assert in_reach(Hand("147m258p369s1234z"), [], EAST) is None  # too far


@pytest.mark.parametrize(
    ("scores", "honba", "sticks", "ron", "others", "tsumo"),
    [
        ((20000, 27000, 26000, 27000), 0, 0, 3900, 7700, [1600, 3200]),
        ((20000, 27000, 26000, 27000), 2, 1, 2600, 6400, [1300, 2600]),
    ],
)
def test_which_win_overtakes_whom(scores: Any, honba: int, sticks: int, ron: int, others: int, tsumo: list[int]):
    me, *rest = (seat(score=score) for score in scores)
    found = situation_of(position(me, *rest, honba=honba, sticks=sticks, round=7))
    assert found["hands_left"] == 0
    row = next(one for one in found["ahead"] if one["seat"] == 1)
    assert (row["ron"], row["ron_others"]) == (ron, others)
    assert row["tsumo"] == tsumo


def test_a_dealers_wins_are_larger_and_ties_go_to_the_first_seat():
    me, *rest = (seat(score=score) for score in (20000, 25800, 27000, 27200))
    found = situation_of(position(me, *rest, dealer=0, round=4))
    assert found["rank"] == 4
    assert found["hands_left"] == 3
    row = next(one for one in found["ahead"] if one["seat"] == 1)
    assert row["gap"] == 5800
    assert row["ron_others"] == 5800  # equal scores: the earlier seat is ahead
    assert row["ron"] == 2900
    assert row["tsumo"] == [1600]


def test_who_can_overtake_the_player():
    me, *rest = (seat(score=score) for score in (30000, 22000, 24000, 24000))
    found = situation_of(position(me, *rest, dealer=1))
    assert found["ahead"] == []
    assert [row["seat"] for row in found["behind"]] == [2, 3, 1]
    assert found["behind"][0]["ron"] == 3200  # a ron of 3,200 from the player turns 6,000 round
