"""Logs of other programs and real games, played again at our table: our messages equal theirs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from janshi.protocols.mjai.actions import IllegalMessage, action_of
from janshi.protocols.mjai.events import Narrator, masked
from janshi.protocols.mjai.tracker import Tracker
from janshi.records.formats import read_file, read_record
from janshi.records.model import GameRecord
from janshi.records.recorder import Recorder
from janshi.records.replay import Followed, follow_game, rules_of, start_table
from janshi.rules.registry import make_game
from janshi.rules.riichi.state import KAN_REACTION
from janshi.rules.riichi.table import Table

NOT_OURS = ("end_game",)


def tables(record: GameRecord, followed: Followed) -> Any:
    """For each hand that the engine could follow: its number, a table at its start and the answers of all."""
    for i, hand in enumerate(record.hands):
        if followed.outcomes["code"][i] == 0:
            table = start_table(hand, rules_of(record), followed.hands["wall"][i].tolist())
            yield i, table, followed.answers(i).tolist()


def play_again(table: Table, answers: list[int], watch: Any = None) -> list[dict[str, Any]]:
    """Play a hand by its answers; returns the messages from start_kyoku to end_kyoku."""
    recorder = Recorder(table)
    narrator, told, at = Narrator(recorder), [], 0
    while not table.hand_over:
        news = narrator.news()
        told += news
        if watch is not None:
            watch(table, news)
        asked = table.asked
        recorder.step(dict(zip(asked, answers[at : at + len(asked)])))
        at += len(asked)
    told += narrator.news()
    return told[1:]


def hands_of(lines: list[str]) -> list[list[dict[str, Any]]]:
    """The events of each hand of a log; `haipai` events of old logs are left out."""
    hands: list[list[dict[str, Any]]] = []
    for event in (json.loads(line) for line in lines if line.startswith("{")):
        if event["type"] == "start_kyoku":
            hands.append([])
        if hands and event["type"] not in ("haipai", *NOT_OURS):
            hands[-1].append(event)
    return hands


def assert_same(ours: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> None:
    """The same events with the same values of the fields that both have."""
    assert [event["type"] for event in ours] == [event["type"] for event in theirs]
    for mine, other in zip(ours, theirs):
        shared = mine.keys() & other.keys() - {"consumed"}
        assert {key: mine[key] for key in shared} == {key: other[key] for key in shared}
        assert sorted(mine.get("consumed", ())) == sorted(other.get("consumed", mine.get("consumed", ())))


def test_an_mjai_log_is_reproduced(shared: Path):
    """RiichiEnv's log of a whole game, in Mortal's dialect."""
    path = shared / "fixtures" / "smly-RiichiEnv" / "126_204_0_mjai.jsonl"
    if not path.exists():
        pytest.skip("needs the fixtures of RiichiEnv")
    record, hands = read_file(path), hands_of(path.read_text().splitlines())
    followed = follow_game(record)
    compared = 0
    for i, table, answers in tables(record, followed):
        assert_same(play_again(table, answers), hands[i])
        compared += 1
    assert compared == len(hands) > 4


def test_the_original_programs_log_is_reproduced(shared: Path):
    """The original dialect: its golden conversion of a Tenhou game, `haipai` apart."""
    folder = shared / "fixtures" / "gimite-mjai"
    if not folder.exists():
        pytest.skip("needs the fixtures of mjai")
    hands = hands_of((folder / "test.mjlog.golden.log").read_text().splitlines())
    record = read_file(folder / "test.mjlog")
    compared = 0
    for i, table, answers in tables(record, follow_game(record)):
        ours = play_again(table, answers)
        for mine, other in zip(ours, hands[i]):
            if mine["type"] == "hora":
                for key in ("yakus", "hora_tehais", "fan"):  # their order, and a yakuman's han
                    other.pop(key, None)
        assert_same(ours, hands[i])
        compared += 1
    assert compared == len(hands) > 4


class Watch:
    """Four trackers beside a table, each fed with its own seat's events: their views must be the table's."""

    def __init__(self, table: Table) -> None:
        self.trackers = [Tracker(table.game) for _ in range(4)]
        self.questions = self.robbings = 0

    def __call__(self, table: Table, news: list[dict[str, Any]]) -> None:
        for seat, tracker in enumerate(self.trackers):
            for event in news:
                tracker.see(masked(event, seat))
            assert tracker.asked == (seat in table.asked)
            if tracker.asked:
                view, rebuilt = table.view(seat), tracker.view()
                assert [name for name in view.dtype.names if not np.array_equal(view[name], rebuilt[name])] == []
                self.questions += 1
                self.robbings += int(view["phase"]) == KAN_REACTION


def test_views_of_real_games_equal_the_engines(shared: Path):
    """Games of another project's tests: robbed kans, several winners, four kans and the like."""
    paths = sorted((shared / "fixtures" / "mjx-project-mjx").glob("*.mjlog"))
    if not paths:
        pytest.skip("needs the fixtures of mjx")
    questions = robbings = 0
    for path in paths[::5]:
        record = read_file(path)
        for _, table, answers in tables(record, follow_game(record)):
            watch = Watch(table)
            play_again(table, answers, watch)
            questions += watch.questions
            robbings += watch.robbings
    assert questions > 5000
    assert robbings > 0


def test_the_original_programs_test_of_the_swap_ban(shared: Path):
    """Its little log is one seat's view, without scores, rounds or honba: the last discard breaks the ban."""
    path = shared / "fixtures" / "gimite-mjai" / "kuikae.mjson"
    if not path.exists():
        pytest.skip("needs the fixtures of mjai")
    *events, last = [json.loads(line) for line in path.read_text().splitlines()]
    tracker = Tracker(make_game("riichi/tenhou"))
    for event in events:
        assert tracker.see(event)
    assert tracker.asked
    with pytest.raises(IllegalMessage, match="not legal"):
        action_of(last, tracker.view())


def test_records_read_back(shared: Path):
    """The messages of a live game can be read as a record."""
    path = shared / "fixtures" / "smly-RiichiEnv" / "126_204_0_mjai.jsonl"
    if not path.exists():
        pytest.skip("needs the fixtures of RiichiEnv")
    record = read_file(path)
    i, table, answers = next(iter(tables(record, follow_game(record))))
    told = [{"type": "start_game", "names": list("abcd")}, *play_again(table, answers)]
    again = read_record("\n".join(map(json.dumps, told)))
    assert again.hands[0].events == record.hands[i].events
