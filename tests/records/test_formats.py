"""Which format a content is in, and how it becomes text."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest
from played import played_game, played_text

from janshi.records import formats, mjlog
from janshi.records.formats import get_format, read_record
from janshi.records.limits import LAST_ROUND, MOST_COUNTERS
from janshi.records.model import RecordError
from janshi.records.replay import replay_game
from janshi.rules.riichi import table

MJLOG = '<mjloggm ver="2.3"><GO type="169"/></mjloggm>'
TENHOU6 = '{"title":["",""],"name":["a","b","c","d"],"rule":{"disp":"南"},"log":[[[0,0,0],[25000,25000,25000,25000]]]}'
BOTZONE = "Match 1\nWind 0\n"
BOTZONE_LOG = '{"_id":"1","log":[{"output":{"command":"request","content":{}}}]}'
MJAI = '{"type":"start_game","names":["a","b","c","d"]}\n{"type":"end_game"}\n'


@pytest.mark.parametrize(
    ("text", "name"), [(MJLOG, "mjlog"), (TENHOU6, "tenhou6"), (MJAI, "mjai"), (BOTZONE, "botzone")]
)
def test_formats_are_recognised(text: str, name: str):
    assert formats.detect(text) == name
    others = [other for other, known in formats.FORMATS.items() if other != name and not known.binary]
    assert not any(import_module(formats.FORMATS[other].module).looks_like(text) for other in others)


def test_botzone_logs_are_not_taken_for_tenhou6():
    assert formats.detect(BOTZONE_LOG) == "botzone_log"


def test_guobiao_hands_are_no_riichi_game():
    deals = "".join(f"Player {seat} Deal W1\n" for seat in range(4))
    text = f"Match 1\nWind 0\n{deals}Huang\nScore 0 0 0 0\n"
    (hand,) = formats.read_any(text.encode(), "x.txt")
    assert hand.match == "1"
    with pytest.raises(RecordError, match=r"x\.txt: holds Guobiao hands of Botzone, expected a riichi game"):
        formats.read_record(text, "x.txt")


@pytest.mark.parametrize("text", ["", " ", "hello", "<html><body/></html>", "{}", "[]", "[1, 2]", "null", "12"])
def test_other_texts_are_refused(text: str):
    with pytest.raises(RecordError, match="is in no known format" if text.strip() else "is empty"):
        formats.read_record(text, "x")


def test_unknown_names_are_refused():
    with pytest.raises(ValueError, match="there are mjlog, tenhou6, mjai"):
        formats.get_format("sgf")


def test_gzip_and_byte_order_mark_are_unpacked():
    content = MJLOG.encode()
    assert formats.decode(content) == MJLOG
    assert formats.decode(gzip.compress(content)) == MJLOG
    assert formats.decode(b"\xef\xbb\xbf" + content) == MJLOG


@pytest.mark.parametrize("cut", [3, 12, 30])
def test_truncated_gzip(cut: int):
    with pytest.raises(RecordError, match=r"game\.gz: gzip: cannot be unpacked"):
        formats.decode(gzip.compress(MJLOG.encode())[:cut], "game.gz")


def test_damaged_gzip():
    content = bytearray(gzip.compress(MJLOG.encode() * 50))
    for i in range(10, len(content)):
        damaged = bytes((*content[:i], content[i] ^ 0x55, *content[i + 1 :]))
        with pytest.raises(RecordError, match="gzip"):
            formats.decode(damaged)


def test_gzip_that_unpacks_to_too_much(monkeypatch):
    monkeypatch.setattr(formats, "MAX_BYTES", 1000)
    with pytest.raises(RecordError, match="too large for one game: over 1,000 bytes"):
        formats.decode(gzip.compress(bytes(5000)))
    with pytest.raises(RecordError, match="too large"):
        formats.decode(b"<" * 1001)


@pytest.mark.parametrize("encoding", ["utf-16", "shift_jis", "euc_jp"])
def test_other_encodings_are_refused(encoding: str):
    with pytest.raises(RecordError, match=r"game: byte \d+: expected UTF-8 text"):
        formats.decode("麻雀".encode(encoding), "game")


def test_mjlog_without_its_beginning_is_still_recognised(tmp_path: Path):
    path = tmp_path / "late.mjlog"
    path.write_text('<INIT seed="0,0,0,0,0,0"/></mjloggm>', encoding="utf-8")
    with pytest.raises(RecordError, match=r"late.mjlog: tag 1 \(character 0\): found INIT, expected <mjloggm> first"):
        formats.read_file(path)


def test_real_file_plain_and_packed(mjlog_fixtures, tmp_path: Path):
    name, content = mjlog_fixtures[0]
    plain, packed = tmp_path / name, tmp_path / f"{name}.gz"
    plain.write_bytes(content)
    packed.write_bytes(gzip.compress(content))
    assert formats.read_file(plain).hands == formats.read_file(packed).hands == mjlog.read(content.decode()).hands


def test_the_documentation_lists_every_format():
    page = (Path(__file__).parents[2] / "docs" / "records.md").read_text(encoding="utf-8")
    rows = [line.split("|") for line in page.splitlines() if line.startswith("| `")]
    listed = {name.strip(" `"): row for row in rows if len(row) == 8 for name in row[1].split(",")}
    for name, known in formats.FORMATS.items():
        assert listed[name][4].strip() == ("yes" if known.writes else "no"), name


# --- numbers that no game has


def with_numbers(format: str, honba: int, sticks: int) -> str:
    """A game in a format, whose first hand begins with these counters."""
    record = played_game(1)
    text = get_format(format).write(replace(record, hands=[replace(record.hands[0], honba=99, sticks=99)]))
    marks = {"mjlog": 'seed="0,{},{},', "tenhou6": "[[0,{},{}],", "mjai": '"honba":{},"kyotaku":{},'}
    assert marks[format].format(99, 99) in text
    return text.replace(marks[format].format(99, 99), marks[format].format(honba, sticks), 1)


@pytest.mark.parametrize("format", ["mjlog", "tenhou6", "mjai"])
@pytest.mark.parametrize(("honba", "sticks"), [(200, 0), (0, 108), (3_000_000, 0)])
def test_counters_that_no_engine_takes_are_refused(format: str, honba: int, sticks: int):
    with pytest.raises(RecordError, match="100"):
        read_record(with_numbers(format, honba, sticks), "x")
    read_record(with_numbers(format, MOST_COUNTERS, MOST_COUNTERS), "x")


def test_the_bounds_are_those_of_the_tables():
    assert (LAST_ROUND, MOST_COUNTERS) == (table.LAST_ROUND, table.MOST_COUNTERS)


def test_an_mjlog_of_an_impossible_round_is_refused():
    with pytest.raises(RecordError, match="expected round 0 to 15"):
        read_record(played_text(1).replace(b'seed="0,', b'seed="200,', 1), "x")


@pytest.mark.parametrize("name", ["rounds", "level", "tenhou_type"])
def test_rules_of_mjai_that_no_game_has_are_refused(name: str):
    lines = get_format("mjai").write(played_game(1)).splitlines()
    start = json.loads(lines[0])
    start["rules"][name] = 250_000
    with pytest.raises(RecordError, match=f"line 1: {name} is 250000, expected a whole number from"):
        read_record("\n".join([json.dumps(start), *lines[1:]]), "x")


def test_a_game_by_unknown_rules_is_read_and_named_when_it_is_replayed():
    record = replace(played_game(1), rules=replace(played_game(1).rules, preset="our_own"))
    again = read_record(get_format("mjai").write(record), "x.jsonl")
    with pytest.raises(RecordError, match=r"x\.jsonl: rules: no riichi rules are called 'our_own'"):
        replay_game(again)
