"""Mahjong Soul's records: JSON and protobuf, before and since June 2021, from games of our own (`majsoul_writer`)."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import majsoul_writer as mw
import pytest
from surviving import use
from test_reader_fuzz_json import mutate, places
from typer.testing import CliRunner

from effort import effort
from janshi.cli import app
from janshi.records.formats import detect, detect_binary, get_format, read_record
from janshi.records.ids import without_ids
from janshi.records.majsoul.content import from_text
from janshi.records.majsoul.results import NUMBERS
from janshi.records.model import Event, GameRecord, HandRecord, Kind, RecordError
from janshi.records.recorder import Recorder
from janshi.records.replay import replay_game
from janshi.rules.riichi.policies import KernelPlayer
from janshi.rules.riichi.ruleset import MAHJONG_SOUL
from janshi.rules.riichi.table import Table
from janshi.rules.riichi.yaku import SUUANKOU

FORMS = ("list", "actions", "records", "base64", "bare")
BINARY = [(actions, form) for actions in (False, True) for form in ("response", "wrapped", "details")]
MUTATIONS = effort(120, 5000)


@cache
def played(seed: int, policy: str = "random") -> GameRecord:
    """A game by Mahjong Soul's rules; random players call, declare kans and deal in."""
    table = Table(seed, MAHJONG_SOUL)
    players = [KernelPlayer(policy, seed + i) for i in range(4)]
    recorder = Recorder(table, ["ann", "bob", "cid", "dee"])
    while not table.over:
        recorder.step({player: players[player](table, player) for player in table.asked})
    return recorder.record()


def same(hand: HandRecord, other: HandRecord) -> bool:
    """Whether two hands were played alike, but for the mark of the dealer's first discard."""

    def events(of: HandRecord) -> list[Event]:
        first = next((i for i, event in enumerate(of.events) if event.kind == Kind.DISCARD), -1)
        return [event._replace(tsumogiri=False) if i == first else event for i, event in enumerate(of.events)]

    def result(of: HandRecord) -> Any:
        wins = [(w.winner, w.loser, w.changes, w.points, sorted(w.yaku), w.yakuman, w.dora, w.ura) for w in of.wins]
        return wins, of.draw and (of.draw.kind, of.draw.changes, of.draw.sticks, sorted(of.draw.shown))

    return events(hand) == events(other) and result(hand) == result(other) and hand.scores == other.scores


def check(record: GameRecord, got: GameRecord) -> None:
    """The game came through: the same play and results, and the engine agrees with all of it."""
    assert len(got.hands) == len(record.hands)
    assert all(map(same, without_ids(got).hands, without_ids(record).hands))
    assert replay_game(got) == []
    assert (got.rules.preset, got.rules.red_fives) == ("mahjong_soul", True)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", [1, 15])
def test_json_in_every_form(form: str, seed: int):
    record = played(seed)
    text = json.dumps(mw.as_json(record, form))
    assert detect(text) == "majsoul"
    got = read_record(text)
    check(record, got)
    assert got.complete
    assert got.final_scores == record.final_scores, "from the head, or from the play"


@pytest.mark.parametrize(("actions", "form"), BINARY)
def test_protobuf_of_both_eras(actions: bool, form: str):
    record = played(3)
    content = mw.protobuf(record, actions, form)
    assert detect_binary(content) == "majsoul_protobuf"
    check(record, read_record(content))


def test_every_kind_of_event_and_end_comes_through():
    seen: set[Any] = set()
    for seed, policy in ((47, "random"), (27, "random"), (6, "greedy"), (18, "greedy")):
        record = played(seed, policy)
        check(record, read_record(mw.protobuf(record)))
        seen |= {event.kind for hand in record.hands for event in hand.events}
        seen |= {hand.draw.kind if hand.draw else len(hand.wins) for hand in record.hands}
    assert {*range(10), "exhaustive draw", 1} <= seen


def test_real_tenhou_games_come_through_as_mahjong_soul_s(pack: Any):
    """Real play has what random play lacks: robbed kans, double rons, liability, abortive draws."""
    checked = 0
    for name, content in pack("houou-cases", 40):
        record = read_record(content, name)
        if record.rules.red_fives and record.rules.open_tanyao and not replay_game(record):
            got = read_record(mw.protobuf(record, mode=record.rules.rounds))
            assert replay_game(got) == [], name
            checked += 1
    assert checked > 20


def test_a_real_record_of_the_first_years(shared: Path):
    """Its yaku have names and no numbers."""
    path = shared / "fixtures" / "Euophrys-Riichi-Trainer" / "majsoul_replay.txt"
    if not path.exists():
        pytest.skip("needs the fixtures of Riichi-Trainer")
    record = read_record(path.read_bytes(), path.name)
    assert (record.format, len(record.hands)) == ("majsoul_protobuf", 11)
    assert [win.yakuman for hand in record.hands for win in hand.wins if win.yakuman] == [(SUUANKOU,)]
    assert replay_game(record) == []
    for name in ("mjlog", "tenhou6", "mjai"):
        again = read_record(get_format(name).write(record), path.name)
        assert all(map(same, without_ids(again).hands, without_ids(record).hands))
        assert replay_game(again) == []


def test_yaku_with_names_and_no_numbers_are_read():
    value = mw.as_json(played(6, "greedy"))
    names = {number: name for name, number in NUMBERS.items()}
    wins = [hule for part in value["data"] if part["name"].endswith("Hule") for hule in part["data"]["hules"]]
    for fan in (fan for hule in wins for fan in hule["fans"]):
        fan["name"] = names[fan.pop("id")]
    check(played(6, "greedy"), read_record(json.dumps(value)))
    wins[0]["fans"][0]["name"] = "人和"
    with pytest.raises(RecordError, match="yaku 人和, which is not known here"):
        read_record(json.dumps(value))


def test_names_accounts_and_points_after_uma_are_left_out():
    record = played(1)
    got = read_record(json.dumps(mw.as_json(record, "actions")))
    assert got.names == ("", "", "", "")
    assert got.final_points == record.final_points, "by our own uma: the head has none"
    assert "secret" not in repr(got)
    assert "210101-0a1b" not in repr(got)


def test_camel_case_is_read_too():
    """JSON as protobuf's own libraries write it by default."""
    value = mw.as_json(played(1))
    for one in value["data"]:
        one["data"] = {_camel(key): part for key, part in one["data"].items()}
    assert replay_game(read_record(json.dumps(value))) == []


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.title, others))


@pytest.mark.parametrize("format", ["mjlog", "tenhou6", "mjai"])
@pytest.mark.parametrize("mode", [1, 2])
def test_they_convert_to_the_formats_we_write(format: str, mode: int):
    record = read_record(mw.protobuf(played(6, "greedy"), mode=mode))
    again = read_record(get_format(format).write(record))
    assert all(map(same, without_ids(again).hands, without_ids(record).hands))
    assert again.final_scores == record.final_scores
    if format != "mjlog":  # which says nothing about a site
        assert (again.rules.preset, again.rules.rounds) == (record.rules.preset, record.rules.rounds)
        assert replay_game(again) == replay_game(record)


# --- rules


def test_a_hand_without_its_result_is_refused_unless_it_is_the_last():
    value = mw.as_json(played(15), "bare")
    end = next(i for i, part in enumerate(value) if part["name"].endswith(("Hule", "NoTile", "LiuJu")))
    with pytest.raises(RecordError, match=r"hand 1 .*: ends with Record.*: expected its result before the next hand"):
        read_record(json.dumps([*value[:end], *value[end + 1 :]]))
    cut = read_record(json.dumps(value[:end]))
    assert (len(cut.hands), cut.complete, cut.final_scores) == (1, False, None)
    stopped = read_record(json.dumps(value[: end + 1]))
    assert (len(stopped.hands), stopped.complete, stopped.final_scores) == (1, False, None)


def test_counters_that_no_engine_takes_are_refused():
    value = mw.as_json(played(1), "bare")
    value[0]["liqibang"] = 108
    with pytest.raises(RecordError, match="honba and sticks are 0, 108: expected 0 to 100"):
        read_record(json.dumps(value))


def test_an_east_game_and_a_friendly_room():
    record = played(1)
    assert read_record(mw.protobuf(record, mode=1)).rules.rounds == 1
    value = mw.as_json(record)
    value["head"]["config"] = {"mode": {"mode": 2, "detail_rule": {"dora_count": 3}}, "meta": {"room_id": 7}}
    assert not read_record(json.dumps(value)).rules.open_tanyao
    value["head"]["config"]["mode"]["detail_rule"]["shiduan"] = 1
    assert read_record(json.dumps(value)).rules.open_tanyao


def changed(**detail: int) -> dict[str, Any]:
    value = mw.as_json(played(1))
    value["head"]["config"]["mode"]["detail_rule"] = detail
    return value


def with_record(number: int, **fields: Any) -> list[Any]:
    """The bare list with fields of one record changed."""
    value = mw.as_json(played(1), "bare")
    value[number] |= fields
    return value


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (mw.as_json(played(1), mode=12), "head: is a game of three players: expected four"),
        (with_record(0, scores=[35000] * 3), "is a game of three players"),
        ([*with_record(0)[:2], {"name": "RecordBaBei", "seat": 0}], "RecordBaBei of a game of three"),
        (changed(muyu_mode=1), "is played with the wooden fish"),
        (changed(xuezhandaodi=1), "is played with a battle to the end"),
        ([*with_record(0)[:2], {"name": "RecordHuleXueZhanMid"}], "record 3: found 'RecordHuleXueZhanMid'"),
        ([{"name": "RecordDealTile", "seat": 0}], "begins with RecordDealTile, expected RecordNewRound"),
        (with_record(0, tiles0=["1m"] * 14), "5 tiles 1m appear"),
        (with_record(0, doras=[]), "no dora indicator"),
        (with_record(0, doras=["8x"]), "found '8x', expected a tile"),
        (with_record(1, seat=9), "seat 9: expected 0 to 3"),
        (with_record(1, seat="x"), "record 2: RecordDiscardTile cannot be read"),
        ({"head": {}, "data": [1]}, "record 1: found 1, expected a record with its name"),
    ],
)
def test_what_is_not_known_is_refused(value: Any, told: str):
    text = json.dumps(value)
    with pytest.raises(RecordError, match=told):
        read_record(text, "x", None if "RecordNewRound" in text else "majsoul")


@pytest.mark.parametrize("moqie", [False, True])
def test_the_mark_of_the_dealer_s_first_discard_says_nothing(moqie: bool):
    got = read_record(json.dumps(with_record(1, moqie=moqie)))
    assert all(map(same, without_ids(got).hands, without_ids(played(1)).hands))
    assert replay_game(got) == []


def test_indicators_must_agree_and_follow_from_kans():
    value = with_record(1, doras=["9s", "1z"])
    with pytest.raises(RecordError, match=r"dora indicators are .* expected the same"):
        read_record(json.dumps(value))
    start = mw.as_json(played(1), "bare")[0]["doras"]
    with pytest.raises(RecordError, match="2 dora indicators: expected 1 after the kans made"):
        read_record(json.dumps(with_record(1, doras=[*start, "1z"])))


def test_a_response_without_details_is_named():
    url = mw.filled("ResGameRecord", head=mw.head(played(1)), data_url="https://x/lq.Record").SerializeToString()
    with pytest.raises(RecordError, match="holds only the address of its details"):
        read_record(url)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b'{"head": {}, "data": []}', "expected the records of a game"),
        (b'{"head": {}, "data_url": "https://example.org"}', "holds only the address of its details"),
        (mw.protobuf(played(1), form="wrapped")[:3000], "is cut short or damaged: expected a whole message"),
    ],
)
def test_a_file_without_records_is_recognised_and_named(content: bytes, told: str):
    with pytest.raises(RecordError, match=told):
        read_record(content, "x")


def test_inputs_of_players_are_skipped():
    found = from_text(json.dumps(mw.as_json(played(1), "actions")))
    assert {name for name, _ in found.records} >= {"RecordNewRound", "RecordDealTile", "RecordDiscardTile"}


# --- commands


def test_the_commands_read_them(tmp_path: Path):
    (tmp_path / "a.json").write_text(json.dumps(mw.as_json(played(1))))
    (tmp_path / "b.pb").write_bytes(mw.protobuf(played(15)))
    for words in (["validate", str(tmp_path)], ["show", str(tmp_path / "b.pb")]):
        result = CliRunner().invoke(app, ["records", *words])
        assert result.exit_code == 0, result.output
    out = tmp_path / "b.mjlog"
    result = CliRunner().invoke(app, ["records", "convert", str(tmp_path / "b.pb"), str(out)])
    assert result.exit_code == 0, result.output
    assert len(read_record(out.read_bytes()).hands) == len(played(15).hands)


# --- damaged files


@pytest.mark.parametrize("form", ["list", "actions", "records"])
def test_damaged_json_gives_a_record_or_an_error(form: str):
    game = played(15)
    small = GameRecord(game.hands[:2], game.rules, final_scores=game.final_scores)
    value = mw.as_json(small, form)
    chance, paths, read = random.Random(form), places(value), 0
    for _ in range(MUTATIONS):
        read += readable(json.dumps(mutate(chance, value, paths)))
    assert 0 < read < MUTATIONS


@pytest.mark.parametrize("actions", [False, True])
def test_damaged_protobuf_gives_a_record_or_an_error(actions: bool):
    game = played(15)
    small = GameRecord(game.hands[:2], game.rules, final_scores=game.final_scores)
    whole = mw.protobuf(small, actions)
    chance, read = random.Random(str(actions)), 0
    for _ in range(MUTATIONS):
        content = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(content))
            if chance.random() < 0.2:
                del content[at : at + chance.randint(1, 40)]
            else:
                content[at] = chance.randrange(256)
        read += readable(bytes(content[: chance.randrange(len(content))] if chance.random() < 0.1 else content))
    assert read < MUTATIONS


def readable(content: bytes | str) -> bool:
    """Whether damaged content is still a record; anything but a record or a `RecordError` fails the test."""
    format = "majsoul" if isinstance(content, str) else "majsoul_protobuf"
    try:
        record = read_record(content, "damaged", format)
    except RecordError:
        return False
    use(record)
    return True
