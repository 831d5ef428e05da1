"""mjai JSON lines: both dialects, what is inferred, what is written, bad input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from janshi.core.tiles import parse_tiles, tile_name
from janshi.records import mjai
from janshi.records.model import GameRecord, Kind, RecordError

Events = list[dict[str, Any]]


def hand_of(tiles: str) -> list[str]:
    """Tiles written as people do, by the names of mjai."""
    return [tile_name(tile) for tile in parse_tiles(tiles)]


DEALS = [
    hand_of("123456m123p11s2z7s"),
    hand_of("11234m456p11345z"),
    hand_of("789m789p2233445z"),
    hand_of("1124p2356s66754z"),
]
START: dict[str, Any] = dict(
    {"type": "start_kyoku", "bakaze": "E", "dora_marker": "4s", "kyoku": 1, "honba": 2, "kyotaku": 1, "oya": 0},
    scores=[25000, 24000, 25000, 25000],
    tehais=DEALS,
)


def dahai(actor: int, pai: str, tsumogiri: bool) -> dict[str, Any]:
    return {"type": "dahai", "actor": actor, "pai": pai, "tsumogiri": tsumogiri}


def tsumo(actor: int, pai: str) -> dict[str, Any]:
    return {"type": "tsumo", "actor": actor, "pai": pai}


PLAY: Events = [
    tsumo(0, "8s"),
    dahai(0, "S", False),
    {"type": "pon", "actor": 2, "target": 0, "pai": "S", "consumed": ["S", "S"]},
    dahai(2, "P", False),
    tsumo(3, "9p"),
    dahai(3, "9p", True),
    tsumo(0, "C"),
    {"type": "reach", "actor": 0},
    dahai(0, "C", True),
    {"type": "reach_accepted", "actor": 0},
    tsumo(1, "5pr"),
    dahai(1, "5p", False),
    tsumo(2, "F"),
    dahai(2, "F", True),
    tsumo(3, "7p"),
    dahai(3, "7p", True),
    tsumo(0, "9s"),
]
DELTAS = [14600, -4200, -4200, -4200]
MORTAL_WIN: dict[str, Any] = {"type": "hora", "actor": 0, "target": 0, "deltas": DELTAS, "ura_markers": ["9m"]}
ORIGINAL_WIN: dict[str, Any] = dict(
    {"type": "hora", "actor": 0, "target": 0, "pai": "9s", "uradora_markers": ["9m"], "fu": 30, "fan": 4},
    yakus=[["reach", 1], ["menzenchin_tsumoho", 1], ["jikaze", 1], ["bakaze", 1]],
    hora_points=11700,
    deltas=DELTAS,
    scores=[38600, 19800, 20800, 20800],
)
END: Events = [{"type": "end_kyoku"}, {"type": "end_game"}]
HEAD: Events = [{"type": "start_game", "names": ["A", "B", "C", "D"]}]


def text(events: Events) -> str:
    return "\n".join(map(json.dumps, events)) + "\n"


def game(*result: dict[str, Any], play: Events = PLAY, start: dict[str, Any] = START) -> str:
    return text([*HEAD, start, *play, *(result or (MORTAL_WIN,)), *END])


def read(content: str) -> GameRecord:
    return mjai.read(content, "game.jsonl")


def test_mortals_dialect():
    record = read(game())
    (hand,) = record.hands
    assert (hand.round, hand.honba, hand.sticks, hand.scores) == (0, 2, 1, (25000, 24000, 25000, 25000))
    assert [Kind(event.kind) for event in hand.events[:4]] == [Kind.DRAW, Kind.DISCARD, Kind.PON, Kind.DISCARD]
    (win,) = hand.wins
    assert (win.winner, win.loser, win.changes, win.points) == (0, 0, (14600, -4200, -4200, -4200), None)
    assert (win.honba, win.sticks, win.tile, len(win.ura)) == (2, 2, hand.events[-1].tile, 1)
    assert not record.complete  # it begins with honba 2


def test_the_original_dialect():
    (win,) = read(game(ORIGINAL_WIN)).hands[0].wins
    assert (win.fu, win.han, win.points) == (30, 4, 11700)
    assert win.yaku == ((1, 1), (0, 1), (10, 1), (14, 1))


def test_a_red_five_is_copy_0_and_others_are_not():
    (hand,) = read(game()).hands
    drawn, discarded = hand.events[10], hand.events[11]
    assert drawn.tile == 52
    assert discarded.tile == 53


def test_tsumogiri_uses_the_tile_drawn_and_others_another_copy():
    play = [tsumo(0, "1s"), dahai(0, "1s", True), tsumo(1, "1m"), dahai(1, "1m", False)]
    (hand,) = read(game({"type": "ryukyoku", "reason": "fanpai"}, play=play)).hands
    assert hand.events[1].tile == hand.events[0].tile
    assert hand.events[3].tile != hand.events[2].tile


def test_tsumogiri_is_inferred_where_it_is_not_recorded():
    play = [{k: v for k, v in event.items() if k != "tsumogiri"} for event in PLAY]
    assert read(game(play=play)).hands == read(game()).hands


def test_lines_of_none_blank_lines_and_unknown_fields_are_passed_over():
    lines = game().splitlines()
    content = "\n\n".join([lines[0], '{"type":"none"}', lines[1][:-1] + ',"new":1}', *lines[2:]])
    assert read(content).hands == read(game()).hands


@pytest.mark.parametrize(
    ("result", "kind", "tenpai"),
    [
        ({"deltas": [3000, -1000, -1000, -1000]}, "exhaustive draw", (0,)),
        ({"deltas": [-4000, 8000, -2000, -2000]}, "nagashi mangan", (2,)),
        ({}, "nine terminals", None),
        ({"reason": "kyushukyuhai", "deltas": [0, 0, 0, 0]}, "nine terminals", None),
        ({"reason": "sufonrenta"}, "four winds", None),
        ({"reason": "fanpai", "tenpais": [False] * 4}, "exhaustive draw", ()),
        ({"reason": "nagashimangan", "tenpais": [True, False, False, True]}, "nagashi mangan", (0, 3)),
    ],
)
def test_draws(result: dict[str, Any], kind: str, tenpai: tuple[int, ...] | None):
    draw = read(game({"type": "ryukyoku", **result})).hands[0].draw
    assert draw is not None
    assert (draw.kind, draw.tenpai, draw.sticks) == (kind, tenpai, 2)


def test_what_is_written_is_read_back():
    for win in (MORTAL_WIN, ORIGINAL_WIN):
        record = read(game(win))
        assert mjai.read(mjai.write(record), "game.jsonl") == record


def test_mortals_fields_are_written_as_they_were():
    for line, written in zip(game().splitlines(), mjai.write(read(game())).splitlines()):
        assert json.loads(line).items() <= json.loads(written).items()


def test_kans():
    deals = [hand_of("999m123456789p1z"), *DEALS[1:]]
    deals[2] = hand_of("77z9p789p2233445z")
    play = [
        tsumo(0, "9m"),
        {"type": "ankan", "actor": 0, "consumed": ["9m"] * 4},
        {"type": "dora", "dora_marker": "8s"},
        tsumo(0, "C"),
        dahai(0, "C", True),
        {"type": "pon", "actor": 2, "target": 0, "pai": "C", "consumed": ["C", "C"]},
        dahai(2, "P", False),
        tsumo(3, "1s"),
        dahai(3, "1s", True),
        tsumo(0, "1s"),
        dahai(0, "1s", True),
        tsumo(1, "1s"),
        dahai(1, "1s", True),
        tsumo(2, "8m"),
        dahai(2, "8m", True),
    ]
    start = START | {"tehais": deals}
    (hand,) = read(game({"type": "ryukyoku", "reason": "fanpai"}, play=play, start=start)).hands
    kan = hand.events[1]
    assert (kan.kind, kan.tile, kan.tiles) == (Kind.CONCEALED_KAN, -1, (32, 33, 34, 35))
    assert hand.events[2].kind == Kind.DORA
    added = [*play[:-2], tsumo(2, "C"), {"type": "kakan", "actor": 2, "pai": "C", "consumed": ["C"] * 3}]
    deals[3] = hand_of("1124p2356s6654z5m")
    robbed = {"type": "hora", "actor": 3, "target": 2, "deltas": [0, 0, -1000, 1000]}
    (hand,) = read(game(robbed, play=added, start=start)).hands
    kan = hand.events[-1]
    assert (kan.kind, kan.source, len(kan.tiles), hand.wins[0].tile) == (Kind.ADDED_KAN, 0, 3, kan.tile)


BAD: list[tuple[str, str]] = [
    ("", ": holds no hand"),
    (text([{"type": "start_game"}]), ": line 1: holds no hand"),
    ("{", "line 1: not JSON"),
    ("7", "line 1: found 7, expected an mjai event"),
    (text([{"type": "dance"}]), "line 1: found .*'dance'.*expected an mjai event"),
    (text([*HEAD, *HEAD]), "line 2: a second start_game"),
    (text([{"type": "start_game", "names": ["a", "b", "c"]}]), "as in a game of three"),
    (text(PLAY), "line 1: tsumo outside a hand"),
    (text([START]), "the record ends within a hand"),
    (text([START, START]), "line 2: start_kyoku within a hand"),
    (text([START | {"bakaze": "X"}]), "bakaze is 'X'"),
    (text([START | {"kyoku": 5}]), "kyoku is 5"),
    (text([START | {"oya": 2}]), "oya is 2 in kyoku 1: expected 0"),
    (text([START | {"scores": [1, 2]}]), "scores is .1, 2., expected four whole numbers"),
    (text([START | {"dora_marker": "5x"}]), "found '5x', expected a tile"),
    (text([START | {"tehais": DEALS[:3]}]), "expected four hands"),
    (text([START | {"tehais": [DEALS[0], *[["?"] * 13] * 3]}]), "a full record is needed, this is one player's view"),
    (text([START | {"tehais": [["1m"] * 13, *DEALS[1:]]}]), "tiles 1m appear: there are only 4"),
    (game(play=[tsumo(1, "8s")]), r"hand 1 \(East 1, honba 2\), event 1, line 3: player 1 draws 8s out of turn"),
    (game(play=[tsumo(0, "?")]), "line 3: found the tile .: a full record is needed"),
    (game(play=[tsumo(4, "8s")]), "actor is 4, expected a player 0 to 3"),
    (game(play=[*PLAY[:1], dahai(0, "9m", False)]), "player 0 discards 9m, which is not in the hand"),
    (game(play=[*PLAY[:1], dahai(0, "1s", True)]), "discards 1s as just drawn: expected the tile drawn"),
    (game(play=[*PLAY[:2], PLAY[2] | {"target": 1}]), "from player 1, who has not just discarded"),
    (game(play=[*PLAY[:2], PLAY[2] | {"consumed": ["S"]}]), "expected 2 tiles"),
    (game(play=[*PLAY[:2], PLAY[2] | {"actor": 3}]), "player 3 shows S, which is not in the hand"),
    (game(play=[*PLAY, {"type": "kakan", "actor": 0, "pai": "1s"}]), "to a pon that does not exist"),
    (game(play=[*PLAY, {"type": "dora", "dora_marker": "1s"}]), "one dora indicator too many"),
    (game(play=[*PLAY, {"type": "reach_accepted", "actor": 3}]), "expected reach first"),
    (game(MORTAL_WIN | {"target": 1}), "player 0 wins from player 1, who has not just discarded"),
    (game(MORTAL_WIN | {"yakus": [["luck", 1]]}), "yakus holds .'luck', 1."),
    (game(MORTAL_WIN, MORTAL_WIN), "after another win"),
    (game(MORTAL_WIN, tsumo(1, "9s")), "tsumo after the hand's result"),
    (game({"type": "ryukyoku", "reason": "tea"}), "reason is 'tea'"),
    (text([START, *END]), "line 2: end_kyoku before a result|end_kyoku before a result"),
    (text([{"type": "start_kyoku", "oya": 0, "dora_marker": "1m"}, {"type": "haipai"}]), "bakaze is None"),
]


@pytest.mark.parametrize(("content", "message"), BAD, ids=[message[:40] for _, message in BAD])
def test_bad_input_is_named(content: str, message: str):
    with pytest.raises(RecordError, match=message) as caught:
        read(content)
    assert str(caught.value).startswith("game.jsonl: ")


# Fixtures of other projects -----------------------------------------------------------------------------------------


def test_a_game_of_mortals_dialect(shared: Path):
    content = (shared / "fixtures" / "smly-RiichiEnv" / "126_204_0_mjai.jsonl").read_text()
    record = mjai.read(content)
    assert (len(record.hands), record.complete) == (12, True)
    lines = [json.loads(line) for line in content.splitlines()]
    written = [json.loads(line) for line in mjai.write(record).splitlines()]
    assert len(lines) == len(written)
    for line, ours in zip(lines, written):
        line.pop("seed", None)  # of the program that made it
        assert line.items() <= ours.items()


@pytest.mark.parametrize("name", ["kuikae", "kuikae_only"])
def test_one_players_view_is_refused(shared: Path, name: str):
    content = (shared / "fixtures" / "gimite-mjai" / f"{name}.mjson").read_text()
    with pytest.raises(RecordError, match=f"{name}: line 2: .*a full record is needed"):
        mjai.read(content, name)
