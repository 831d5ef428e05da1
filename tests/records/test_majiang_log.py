"""kobalab's JSON: real games of majiang-ai, played and written by majiang-core (`majiang_games.mjs`)."""

from __future__ import annotations

import copy
import json
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest
from surviving import use
from test_reader_fuzz_json import mutate, places

from effort import effort
from janshi.protocols import majiang
from janshi.records.formats import detect, get_format, read_file, read_record
from janshi.records.model import Kind, RecordError
from janshi.records.replay import replay_game
from patience import PATIENCE

HERE = Path(__file__).resolve().parent
GAMES = sorted((HERE / "majiang_games").glob("*.json"))
MUTATIONS = effort(200, 5000)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_real_games_agree_with_the_engine(path: Path):
    game, record = json.loads(path.read_text(encoding="utf-8")), read_file(path)
    assert detect(path.read_text(encoding="utf-8")) == record.format == "majiang"
    assert replay_game(record) == []
    assert len(record.hands) == len(game["log"])
    first = game["qijia"]
    assert record.names == tuple(game["player"][(first + seat) % 4] for seat in range(4))
    assert record.final_scores == tuple(game["defen"][(first + seat) % 4] for seat in range(4))
    assert record.complete
    won = [hand for hand in record.hands if hand.wins]
    assert all(win.fu and win.han for hand in won for win in hand.wins if not win.yakuman)


def test_the_games_have_calls_kans_riichi_and_draws():
    events = {event.kind for path in GAMES for hand in read_file(path).hands for event in hand.events}
    assert {Kind.CHI, Kind.PON, Kind.ADDED_KAN, Kind.RIICHI_PAID, Kind.DORA} <= events
    assert any(hand.draw for path in GAMES for hand in read_file(path).hands)


@pytest.mark.parametrize("format", ["mjlog", "tenhou6", "mjai"])
def test_they_convert_to_the_formats_we_write(format: str):
    record = read_file(GAMES[0])
    again = read_record(get_format(format).write(record))
    assert again.final_scores == record.final_scores
    assert replay_game(again) == []


def test_a_hand_played_now_is_read():
    missing = majiang.available()
    if missing is not None:
        pytest.skip(missing)
    node, _, packages = majiang.command()
    order = [node, str(HERE / "majiang_games.mjs"), packages, "7", "1", "0"]
    done = subprocess.run(order, capture_output=True, text=True, timeout=PATIENCE, check=True)
    record = read_record(json.dumps({"log": json.loads(done.stdout)["log"]}))  # one hand, and no end of a game
    assert len(record.hands) == 1
    assert replay_game(record) == []


# --- notation, by hand


def game_of(*events: dict[str, Any], **deal: Any) -> str:
    """A log of one hand, in which the players hold easy tiles."""
    hands = ["m123456789p1234", "p5678s1234567z11", "s89z22233345555", "m111222333p1112"]
    start = {"zhuangfeng": 0, "jushu": 0, "changbang": 0, "lizhibang": 0, "defen": [25000] * 4, "baopai": "z7"}
    return json.dumps({"qijia": 0, "log": [[{"qipai": start | {"shoupai": hands} | deal}, *events]]})


def test_melds_and_marks_are_read():
    text = game_of(
        {"zimo": {"l": 0, "p": "p0"}},
        {"dapai": {"l": 0, "p": "p4"}},
        {"fulou": {"l": 1, "m": "p4-56"}},
        {"dapai": {"l": 1, "p": "z1"}},
        {"zimo": {"l": 2, "p": "z6"}},
        {"gang": {"l": 2, "m": "z5555"}},
        {"gangzimo": {"l": 2, "p": "z4"}},
        {"kaigang": {"baopai": "z6"}},
        {"dapai": {"l": 2, "p": "z4_"}},
    )
    events = read_record(text).hands[0].events
    kinds = [event.kind for event in events]
    assert kinds == [0, 1, Kind.CHI, 1, 0, Kind.CONCEALED_KAN, Kind.DORA, 0, 1]
    assert events[2].source == 0
    assert events[-1].tsumogiri
    assert not read_record(text).complete


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (game_of(shoupai=["_" * 13] * 4), "hidden ones cannot be read"),
        (game_of({"zimo": {"l": 0, "p": "z9"}}), "found 'z9', expected a tile"),
        (game_of({"zimo": {"l": 7, "p": "z6"}}), "player 7: expected 0 to 3"),
        (game_of({"zimo": {"l": 1, "p": "z6"}}), "player 1 draws .* out of turn"),
        (game_of({"fulou": {"l": 1, "m": "p456"}}), "expected a call such as"),
        (game_of({"tsumo": {}}), "expected an event such as zimo"),
        (game_of(defen=[25000] * 3), "defen is .* expected four whole numbers"),
        (game_of({"kaigang": {"baopai": "z6"}}, {"pingju": {"name": "", "shoupai": [""] * 4}}), "expected a draw"),
        ('{"log": []} "qipai": {', "not JSON"),
        ('{"log": [], "x": {"qipai": {}}}', 'expected "log", a list of hands'),
    ],
)
def test_what_is_wrong_is_named(text: str, told: str):
    with pytest.raises(RecordError, match=told):
        read_record(text, "x", "majiang")


def test_two_wins_of_one_player_are_refused():
    game = json.loads(GAMES[1].read_text(encoding="utf-8"))
    hand = next(hand for hand in game["log"] if "hule" in hand[-1])
    hand.append(hand[-1])
    with pytest.raises(RecordError, match="several wins: expected different winners, who win from one player"):
        read_record(json.dumps(game), "x", "majiang")


def test_damaged_logs_give_a_record_or_an_error():
    game = json.loads(GAMES[1].read_text(encoding="utf-8"))
    game["log"] = game["log"][:2]
    chance, paths, read = random.Random("majiang"), places(game), 0
    for _ in range(MUTATIONS):
        text = json.dumps(mutate(chance, copy.deepcopy(game), paths))
        try:
            record = read_record(text, "damaged", "majiang")
        except RecordError:
            continue
        use(record)
        read += 1
    assert 0 < read < MUTATIONS
