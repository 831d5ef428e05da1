"""Botzone's records: the text form and the match log, read, written and replayed with everything checked."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from janshi.records.botzone import log as botzone
from janshi.records.botzone import text as botzone_text
from janshi.records.botzone.model import Act, Event, HandRecord
from janshi.records.botzone.replay import Recorder, decisions, replay
from janshi.records.model import RecordError
from janshi.rules.guobiao.policies import KernelPlayer
from janshi.rules.guobiao.ruleset import PRESETS
from janshi.rules.guobiao.table import Table

GAMES = 16


@pytest.fixture(scope="module")
def sample(shared: Path) -> str:
    path = shared / "guobiao" / "sample_games.txt"
    if not path.exists():
        pytest.skip("needs the sample games")
    return path.read_text(encoding="utf-8")


@cache
def played(rules: str, seed: int, policy: str = "greedy") -> HandRecord:
    """A hand played and recorded."""
    recorder = Recorder(Table(seed=seed, rules=rules, one_hand=True))
    players = [KernelPlayer("random" if seat == 1 else policy, seed + seat) for seat in range(4)]
    while not recorder.table.hand_over:
        recorder.step({player: players[player](recorder.table, player) for player in recorder.table.asked})
    return recorder.record(f"{rules} {seed}".replace(" ", "-"))


def won() -> HandRecord:
    """The first recorded hand with a win."""
    return next(record for seed in range(50) if (record := played("botzone", seed)).fan is not None)


def test_every_sample_game_replays(sample: str):
    records = botzone_text.read_all(sample)
    assert len(records) == GAMES
    for record in records:
        assert tuple(replay(record).scores) == record.scores


def test_sample_games_are_written_as_they_were_read(sample: str):
    assert botzone_text.write_all(botzone_text.read_all(sample)).split() == sample.split()


def test_sample_games_as_match_logs(sample: str):
    for record in botzone_text.read_all(sample):
        text = botzone.write(record)
        assert botzone.looks_like(text)
        assert botzone.read(text) == record


@pytest.mark.parametrize("rules", PRESETS)
def test_played_hands_in_both_forms(rules: str):
    for seed in range(25):
        record = played(rules, seed)
        assert botzone_text.read_all(botzone_text.write(record)) == [record]
        assert botzone.read(botzone.write(record)) == record
        assert tuple(replay(record, PRESETS[rules]).scores) == record.scores


def test_hands_of_callers_in_both_forms():
    acts: set[Act] = set()
    for seed in range(250):
        record = played("botzone", seed, "random")
        acts |= {event.act for event in record.events}
        assert botzone.read(botzone.write(record)) == record
        replay(record)
    assert {Act.CHI, Act.PENG, Act.KONG, Act.ADDED_KONG, Act.CONCEALED_KONG} <= acts


def test_decisions_tell_who_answered_what():
    record = won()
    steps = [(table.asked, dict(answers)) for table, answers in decisions(record)]
    assert all(asked == tuple(sorted(answers)) for asked, answers in steps)
    assert len(steps) >= sum(event.act == Act.PLAY for event in record.events)


def test_false_hu_is_recorded_and_replayed():
    recorder = Recorder(Table(seed=5))
    recorder.table.declare_false_hu(0)
    record = recorder.record("false")
    assert (record.penalised, record.scores) == (0, (-30, 10, 10, 10))
    assert botzone_text.read_all(botzone_text.write(record)) == [record]
    assert replay(record).scores == [-30, 10, 10, 10]
    called = replace(record, events=(*record.events, Event(0, Act.HU, record.events[0].tile)))
    assert replay(called).scores == [-30, 10, 10, 10]


# --- what must be refused


def test_wrong_score_is_refused():
    with pytest.raises(RecordError, match="scores are"):
        replay(replace(won(), scores=(0, 0, 0, 0)))


def test_wrong_fan_is_refused():
    record = won()
    with pytest.raises(RecordError, match="fan are"):
        replay(replace(record, fans=record.fans[1:]))


def test_illegal_claim_is_refused():
    record = won()
    at = next(i for i, event in enumerate(record.events) if event.act == Act.PLAY)
    play = record.events[at]
    claim = Event((play.player + 2) % 4, Act.KONG, play.tile)
    with pytest.raises(RecordError, match="is not legal"):
        replay(replace(record, events=(*record.events[: at + 1], claim, *record.events[at + 1 :])))


def test_fifth_tile_is_refused():
    record = won()
    deals = (record.deals[0], *((record.deals[0][0],) * 13 for _ in range(3)))
    with pytest.raises(RecordError, match="too many of"):
        replay(replace(record, deals=deals))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Wind 1\n", "expected Match"),
        ("Match a\nWind 1\n", "has no Score"),
        ("Match a\nWind 7\n", "cannot be read"),
        ("Match a\nPlayer 0 Play X1\n", "is not a tile"),
        ("Match a\nPlayer 0 Dance W1\n", "cannot be read"),
        ("Match a\nHello\n", "begins no line"),
        ("Match a\nMatch b\n", "before the last one has its Score"),
        ("Match a\nWind 1\nScore 0 0 0 0\n", "is missing"),
        ("Match a\nPlayer 0 Play W1 Ignore Player 1 Play W1\n", "only claims"),
    ],
)
def test_broken_texts_are_refused(text: str, says: str):
    with pytest.raises(RecordError, match=says):
        botzone_text.read_all(text)


UNKNOWN = json.dumps([{"output": {"command": "request", "content": dict.fromkeys("0123", "3 0 SIT")}}])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "is not JSON"),
        ("{}", "expected a list"),
        ("[1]", "expected an object"),
        ('[{"output": {}}]', "cannot be read"),
        ("[]", "is missing"),
        (UNKNOWN, "not an action"),
    ],
)
def test_broken_logs_are_refused(text: str, says: str):
    with pytest.raises(RecordError, match=says):
        botzone.read(text)
