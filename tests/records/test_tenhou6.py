"""tenhou.net/6 JSON: the order of play, calls, results, words of other sites, bad input."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from janshi.core.tiles import format_tiles
from janshi.records import tenhou6
from janshi.records.ids import tiles_of_ids
from janshi.records.model import Event, GameRecord, Kind, RecordError
from janshi.records.tenhou6.order import parse_call
from janshi.records.tenhou6.words import format_points, parse_points, parse_yaku

# East 1: player 0 discards South, player 2 pons it from across; player 0 declares riichi and wins by self-draw.
HAND: list[Any] = [
    [0, 0, 0],
    [25000, 25000, 25000, 25000],
    [34],
    [22],
    [11, 12, 13, 14, 15, 16, 21, 22, 23, 31, 31, 42, 37],
    [38, 47, 39],
    [42, "r60"],
    [11, 11, 12, 13, 14, 24, 25, 26, 41, 41, 43, 44, 45],
    [46],
    [60],
    [17, 18, 19, 27, 28, 29, 42, 42, 43, 43, 44, 44, 45],
    ["42p4242", 46],
    [45, 60],
    [21, 21, 22, 24, 32, 33, 35, 36, 46, 46, 47, 45, 44],
    [29, 27],
    [60, 60],
    ["和了", [12000, -4000, -4000, -4000], [0, 0, 0, "満貫4000点∀", "立直(1飜)", "一発(1飜)", "門前清自摸和(1飜)"]],
]
GAME: dict[str, Any] = {
    "title": ["", ""],
    "name": ["A", "B", "C", "D"],
    "rule": {"disp": "鳳南喰赤", "aka": 1},
    "log": [HAND],
}


def game(**changes: Any) -> dict[str, Any]:
    """The game above, with other fields: `h5=[...]` replaces field 5 of the hand."""
    changed = copy.deepcopy(GAME)
    for key, value in changes.items():
        if key[0] == "h" and key[1:].isdigit():
            changed["log"][0][int(key[1:])] = value
        else:
            changed[key] = value
    return changed


def read(data: dict[str, Any]) -> GameRecord:
    return tenhou6.read(json.dumps(data), "game.json")


def told(events: list[Event], red_fives: bool = True) -> str:
    """Events as a text: `0+3m` draws, `0-3m` discards, other events by their names."""
    tile_of = tiles_of_ids(red_fives)
    parts = []
    for event in events:
        sign = {Kind.DRAW: "+", Kind.DISCARD: "-"}.get(Kind(event.kind), f" {Kind(event.kind).name.lower()} ")
        tile = format_tiles([tile_of[event.tile]]) if event.tile >= 0 else ""
        parts.append(f"{event.player}{sign}{tile}".strip())
    return ", ".join(parts)


def test_play_is_put_in_order():
    (hand,) = read(GAME).hands
    assert told(hand.events) == (
        "0+8s, 0-2z, 2 pon 2z, 2-5z, 3+9p, 3-9p, 0+7z, 0 riichi, 0-7z, 0 riichi_paid, "
        "1+6z, 1-6z, 2+6z, 2-6z, 3+7p, 3-7p, 0+9s"
    )
    pon = next(event for event in hand.events if event.kind == Kind.PON)
    assert (pon.player, pon.source, pon.tile // 4, [tile // 4 for tile in pon.tiles]) == (2, 0, 28, [28, 28])


def test_header_and_rules():
    record = read(GAME)
    assert record.names == ("A", "B", "C", "D")
    assert (record.rules.level, record.rules.rounds, record.rules.tenhou_type) == (3, 2, 169)
    assert (record.rules.preset, record.rules.red_fives, record.complete, record.exact_ids) == (
        "tenhou",
        True,
        False,
        False,
    )


def test_win_is_completed_from_the_play():
    (hand,) = read(GAME).hands
    (win,) = hand.wins
    assert (win.winner, win.loser, win.liable, win.limit, win.points, win.fu, win.han) == (
        0,
        0,
        None,
        1,
        12000,
        None,
        3,
    )
    assert win.yaku == ((1, 1), (2, 1), (0, 1), (53, 0))
    assert len(win.hand) == 14
    assert win.tile == hand.events[-1].tile
    assert win.tile in win.hand
    assert (win.honba, win.sticks, len(win.dora), len(win.ura)) == (0, 1, 1, 1)


def test_writing_gives_the_same_json():
    assert tenhou6.to_object(read(GAME)) == GAME
    assert read(json.loads(tenhou6.write(read(GAME)))) == read(GAME)


def test_several_lines_are_one_game():
    lines = "\n".join(json.dumps(game(h0=[i, 0, 0])) for i in (0, 4, 8))
    record = tenhou6.read(lines)
    assert [hand.round for hand in record.hands] == [0, 4, 8]


def test_address_of_the_viewer_is_read():
    address = "https://tenhou.net/6/#json=" + quote(json.dumps(GAME))
    assert tenhou6.looks_like(address)
    assert tenhou6.read(address).hands == read(GAME).hands


@pytest.mark.parametrize(
    ("text", "name", "tile", "own", "source"),
    [
        ("c171516", "CHI", "7m", "56m", 3),
        ("p474747", "PON", "7z", "77z", 3),
        ("47p4747", "PON", "7z", "77z", 2),
        ("4747p47", "PON", "7z", "77z", 1),
        ("25p5225", "PON", "0p", "55p", 2),
        ("m39393939", "OPEN_KAN", "9s", "999s", 3),
        ("39m393939", "OPEN_KAN", "9s", "999s", 2),
        ("252552m25", "OPEN_KAN", "5p", "550p", 1),
        ("151515a51", "CONCEALED_KAN", "0m", "555m", 0),
        ("k51151515", "ADDED_KAN", "0m", "555m", 3),
        ("2626k2626", "ADDED_KAN", "6p", "666p", 1),
    ],
)
def test_calls(text: str, name: str, tile: str, own: str, source: int):
    call = parse_call(text)
    assert call is not None
    assert (Kind(call.kind).name, format_tiles([call.tile]), format_tiles(call.own)) == (name, tile, own)
    assert call.source == source


@pytest.mark.parametrize("text", ["", "c", "c1715", "1c71516", "x171516", "17c1516", "cc1516", "p101010", "c１７1516"])
def test_texts_that_are_no_calls(text: str):
    assert parse_call(text) is None


@pytest.mark.parametrize(
    ("text", "fu", "han", "limit", "points"),
    [
        ("30符4飜7700点", 30, 4, 0, 7700),
        ("30符1飜300-500点", 30, 1, 0, 1100),
        ("20符4飜2600点∀", 20, 4, 0, 7800),
        ("満貫2000-4000点", None, None, 1, 8000),
        ("三倍満24000点", None, None, 4, 24000),
        ("役満16000点∀", None, None, 5, 48000),
        ("Mangan 8000点", None, None, 1, 8000),
        ("40Fu2Han2600Points", 40, 2, 0, 2600),
        ("数え役満32000点", None, None, 5, 32000),
        ("2倍役満64000点", None, None, 5, 64000),
    ],
)
def test_points(text: str, fu: int | None, han: int | None, limit: int, points: int):
    assert parse_points(text)[:4] == (fu, han, limit, points)


@pytest.mark.parametrize("other", [300, 400, 500, 700, 800, 1000, 1300, 1600, 2000, 2300, 2600, 3000, 3200, 3900])
def test_payments_of_a_self_drawn_win_are_separated(other: int):
    for dealer in (2 * other, 2 * other - 100):
        text = f"30符1飜{other}-{dealer}点"
        assert format_points(parse_points(text).points, 0, 30, 1, True, False, {}) == text


@pytest.mark.parametrize(
    ("text", "number", "han"),
    [
        ("立直(1飜)", 1, 1),
        ("断幺九(1飜)", 8, 1),
        ("自風 南(1飜)", 11, 1),
        ("裏ドラ(0飜)", 53, 0),
        ("四槓子(役満)", 51, None),
        ("国士無双１３面(役満)", 48, None),
        ("Ura Dora(0飜)", 53, 0),
        ("ダブル立直(2飜)", 21, 2),
        ("役牌:自風牌(1飜)", -1, 1),
    ],
)
def test_yaku(text: str, number: int, han: int | None):
    assert parse_yaku(text)[:2] == (number, han)


def test_mahjong_soul_in_english_keeps_its_words():
    result = [
        "和了",
        [-2600, 3600, 0, 0],
        [0, 0, 0, "Mangan 4000点∀", "Riichi(1飜)", "Seat Wind(1飜)", "Ura Dora(0飜)"],
    ]
    data = game(h16=result, rule={"disp": "Gold Room South", "aka53": 1, "aka52": 1, "aka51": 1}, dan=["Expert I"] * 4)
    record = read(data)
    assert record.rules.preset == "mahjong_soul"
    assert record.hands[0].wins[0].yaku == ((1, 1), (10, 1), (53, 0))
    assert tenhou6.to_object(record) == data


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("九種九牌", "nine terminals"),
        ("四風連打", "four winds"),
        ("四家立直", "four riichi"),
        ("四槓散了", "four kans"),
        ("四開槓", "four kans"),
        ("三家和了", "triple ron"),
        ("Suufon Renda", "four winds"),
    ],
)
def test_aborted_hands(word: str, kind: str):
    data = game(h16=[word], h3=[])
    draw = read(data).hands[0].draw
    assert draw is not None
    assert (draw.kind, draw.changes, draw.sticks) == (kind, (0, 0, 0, 0), 1)
    assert tenhou6.to_object(read(data)) == data


@pytest.mark.parametrize(
    ("result", "tenpai"),
    [
        (["流局", [-1000, 3000, -1000, -1000]], (1,)),
        (["流局", [1500, -1500, -1500, 1500]], (0, 3)),
        (["流局", [0, 0, 0, 0]], (2,)),  # as the play shows
        (["全員聴牌"], (0, 1, 2, 3)),
        (["全員不聴"], ()),
    ],
)
def test_exhaustive_draws(result: list[Any], tenpai: tuple[int, ...]):
    data = game(h16=result, h3=[])
    draw = read(data).hands[0].draw
    assert draw is not None
    assert draw.tenpai == tenpai
    assert tuple(draw.shown) == tenpai
    assert tenhou6.to_object(read(data)) == data


def test_stick_is_not_paid_when_the_riichi_tile_is_ronned():
    data = game(
        h5=[38, 47],
        h8=[],
        h9=[],
        h11=["42p4242"],
        h12=[45],
        h14=[29],
        h15=[60],
        h16=["和了", [-8000, 8000, 0, 0], [1, 0, 1, "満貫8000点", "役牌 中(1飜)"]],
    )
    (hand,) = read(data).hands
    assert told(hand.events).endswith("0 riichi, 0-7z")
    assert hand.wins[0].sticks == 0
    data["log"][0][16] = ["三家和了"]
    data["log"][0][3] = []
    (hand,) = read(data).hands
    assert told(hand.events).endswith("0 riichi, 0-7z")
    assert hand.draw is not None
    assert tuple(hand.draw.shown) == (1, 2, 3)


BAD: list[tuple[dict[str, Any], str]] = [
    ({"log": 3}, 'game object 1: expected "log"'),
    ({"log": []}, "holds no hand"),
    ({"log": [[1, 2]]}, "hand 1: expected 17 lists"),
    ({"rule": {"disp": "三鳳南喰赤"}}, "a game of three players"),
    ({"rule": 7}, '"rule": found 7'),
    ({"name": ["a", "b"]}, '"name": found 2 texts, expected 4'),
    ({"sc": [1, 2, 3]}, '"sc": found .*expected 8 numbers'),
    ({"h0": [0, 0]}, "hand 1: round, honba and sticks are"),
    ({"h0": [99, 0, 0]}, "expected round 0 to 15"),
    ({"h1": [25000, 25000, 25000]}, "scores are .*expected 4 whole numbers"),
    ({"h2": []}, "no dora indicator"),
    ({"h2": [34, 35]}, "2 dora indicators: expected at most 1|one dora indicator too many"),
    ({"h2": [10]}, "dora indicators are"),
    ({"h4": [11] * 13}, "5 tiles 1m appear|tiles 1m appear: there are only 4"),
    ({"h4": [12]}, "was dealt 1 tiles: expected 13"),
    ({"h13": [], "h14": [], "h15": []}, "as in a game of three"),
    ({"h5": [38, 47, "zz"]}, "left over"),
    ({"h5": [38, 47, None]}, "player 0's draws hold None"),
    ({"h5": [38, 47, 99]}, "hand 1 .East 1, honba 0., event 17: found 99, expected a tile"),
    ({"h6": [19, "r60"]}, "do not fit together"),
    ({"h6": [42, "r6x"]}, "expected a riichi such as r60"),
    ({"h6": [42, "q60"]}, "expected a discard or a kan|left over"),
    ({"h9": [99]}, "expected a tile"),
    ({"h11": ["43p4242", 46]}, "cannot call pon"),
    ({"h16": []}, "result: found"),
    ({"h16": ["和了"]}, "result: found 1 parts"),
    ({"h16": ["和了", [0, 0, 0, 0], [0, 0, 0, "lots"]]}, "expected points such as"),
    ({"h16": ["和了", [0, 0, 0, 0], [0, 0, 0, "満貫4000点∀", "luck(1飜)"]]}, "unknown yaku 'luck'"),
    (
        {"h16": ["和了", [0, 0, 0, 0], [1, 2, 1, "満貫8000点"]]},
        "player 1 wins from player 2, who has not just discarded",
    ),
    ({"h16": ["和了", [0, 0, 0, 0], [4, 2, 1, "満貫8000点"]]}, "players are .4, 2, 1.: expected 0 to 3"),
    ({"h16": ["引き分け"]}, "expected 和了, 流局 or another draw"),
    ({"h16": ["流局", [1, 2]], "h3": []}, "score changes are"),
]


@pytest.mark.parametrize(("changes", "message"), BAD, ids=[str(changes)[:40] for changes, _ in BAD])
def test_bad_input_is_named(changes: dict[str, Any], message: str):
    with pytest.raises(RecordError, match=message) as caught:
        read(game(**changes))
    assert str(caught.value).startswith("game.json: ")


@pytest.mark.parametrize("text", ["", "{", '{"log":[}', "[" * 100_000, '{"log":' + "9" * 5000 + "}", "[]", "12"])
def test_texts_that_are_no_json_of_a_game(text: str):
    with pytest.raises(RecordError):
        tenhou6.read(text, "game.json")


def test_a_hand_without_result_is_not_written():
    record = read(GAME)
    record.hands[0].wins = []
    with pytest.raises(RecordError, match="a hand without result"):
        tenhou6.write(record)


# Fixtures of other projects -----------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def reviewer(shared: Path) -> dict[str, dict[str, Any]]:
    """The test games of mjai-reviewer, made for what is hard in the format."""
    folder = shared / "fixtures" / "Equim-chan-mjai-reviewer"
    found = {path.stem: json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))}
    if not found:
        pytest.skip("needs the fixtures of mjai-reviewer")
    found["confusing_nakis_2"]["rule"] = {"aka": 0}  # made up: it has four plain 5s, but says that one is red
    return found


def test_every_fixture_is_read_and_written_back(reviewer: dict[str, dict[str, Any]]):
    for data in reviewer.values():
        record = read(data)
        assert tenhou6.to_object(record) == data
        assert tenhou6.read(tenhou6.write(record), "game.json") == record


def test_four_plain_fives_beside_a_red_one_are_refused(reviewer: dict[str, dict[str, Any]]):
    data = reviewer["confusing_nakis_2"] | {"rule": {"aka": 1}}
    with pytest.raises(RecordError, match="4 tiles 5s appear: there are only 3"):
        read(data)


def test_confusing_calls(reviewer: dict[str, dict[str, Any]]):
    (hand,) = read(reviewer["confusing_nakis_2"]).hands
    calls = [(event.player, event.source) for event in hand.events if event.kind == Kind.PON]
    assert calls == [(1, 3), (0, 1), (1, 2), (0, 1), (1, 3), (0, 2)]  # each 6z and 5z only when discarded again
    for name, data in reviewer.items():
        for hand in read(data).hands:
            taken = sum(event.kind == Kind.DRAW for event in hand.events)
            entries = sum(isinstance(entry, int) for i in (5, 8, 11, 14) for entry in data["log"][0][i])
            assert len(data["log"]) > 1 or taken == entries, name


def test_indicators_turn_as_on_tenhou(reviewer: dict[str, dict[str, Any]]):
    (hand,) = read(reviewer["suukantsu_0"]).hands
    kinds = [Kind(event.kind).name for event in hand.events if event.player in (2, -1)]
    kans = kinds[kinds.index("OPEN_KAN") :]
    assert kans == [
        *("OPEN_KAN", "DRAW", "ADDED_KAN", "DORA", "DRAW"),  # the open kan's when the next kan is made
        *("CONCEALED_KAN", "DORA", "DORA", "DRAW"),  # the added kan's and the concealed kan's own
        *("ADDED_KAN", "DRAW", "DORA", "DISCARD"),  # before the discard
    ]


def test_a_robbed_kan_turns_nothing(reviewer: dict[str, dict[str, Any]]):
    for name in ("chankan", "double_kakan_then_chankan"):
        (hand,) = read(reviewer[name]).hands
        assert hand.events[-1].kind == Kind.ADDED_KAN
        assert not any(event.kind == Kind.DORA for event in hand.events)
        assert hand.wins[0].tile == hand.events[-1].tile
