"""Whole games over Botzone's protocol: the sample games, our agents under the strict judge, and its penalties."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from janshi.protocols.botzone.judge import PlayedHand, play_hand
from janshi.protocols.botzone.lines import (
    Narration,
    Reply,
    ReplyError,
    parse_reply,
    reply_text,
)
from janshi.protocols.botzone.player import make_player
from janshi.protocols.botzone.tracker import Tracker
from janshi.records.botzone import log as botzone
from janshi.records.botzone import text as botzone_text
from janshi.records.botzone.model import HandRecord
from janshi.records.botzone.replay import rebuild_wall
from janshi.rules.guobiao import actions as act
from janshi.rules.guobiao.table import Table

GAMES = 16


class Script:
    """Answers as recorded."""

    def __init__(self, answers: list[str]) -> None:
        self.answers = iter(answers)

    def answer(self, request: str) -> str:
        return next(self.answers)


@pytest.fixture(scope="module")
def samples(shared: Path) -> list[HandRecord]:
    path = shared / "guobiao" / "sample_games.txt"
    if not path.exists():
        pytest.skip("needs the sample games")
    return botzone_text.read_all(path.read_text(encoding="utf-8"))


def log_of(record: HandRecord) -> tuple[list[list[str]], list[list[str]]]:
    """Requests and responses of a record's match log, by turn and seat."""
    entries = json.loads(botzone.write(record))["log"][:-1]
    seats = [str(seat) for seat in range(4)]
    requests = [[entry["output"]["content"][seat] for seat in seats] for entry in entries[::2]]
    return requests, [[entry[seat]["response"] for seat in seats] for entry in entries[1::2]]


def test_sample_games_go_through_the_judge(samples: list[HandRecord]):
    assert len(samples) == GAMES
    for record in samples:
        requests, responses = log_of(record)
        table = Table(wall=rebuild_wall(record), wind=record.wind)
        seats = [Script([turn[seat] for turn in responses]) for seat in range(4)]
        hand = play_hand(seats, table)
        assert hand.error is None
        assert [list(turn.requests) for turn in hand.turns] == requests
        assert [list(turn.answers) for turn in hand.turns] == responses
        assert tuple(hand.scores) == record.scores


def test_sample_games_are_narrated_as_their_logs_have_them(samples: list[HandRecord]):
    for record in samples:
        narration = Narration(record.wind, record.deals)
        narration.take_all(record.events)
        assert [list(turn) for turn in narration.turns] == log_of(record)[0]


def test_trackers_allow_what_was_played_in_the_sample_games(samples: list[HandRecord]):
    checked = 0
    for record in samples:
        trackers = [Tracker() for _ in range(4)]
        for requests, responses in zip(*log_of(record)):
            for tracker, request, response in zip(trackers, requests, responses):
                tracker.hear(request)
                if response != "PASS":
                    ignored = (response.split()[0], len(response.split())) in (("CHI", 2), ("PENG", 1))
                    whole = f"{response} W1" if ignored else response  # the record does not know the tile
                    assert act.action_name(tracker.action_of(whole)) in tracker.legal_names()
                    checked += 1
                tracker.said(response)
    assert checked > 40 * GAMES


def play(labels: list[str], seed: int) -> PlayedHand:
    return play_hand([make_player(label, seed=seed) for label in labels], Table(seed=seed))


@pytest.mark.parametrize("labels", [["random"] * 4, ["greedy"] * 4, ["greedy", "random", "tsumogiri", "random"]])
def test_our_agents_never_pay_a_penalty(labels: list[str]):
    ends = set()
    for seed in range(60):
        hand = play(labels, seed)
        assert hand.error is None
        assert sum(hand.scores) == 0
        result = hand.table.result
        assert result is not None
        ends.add(result.kind)
    assert "draw" in ends


def test_a_bot_started_anew_decides_as_one_that_runs_on():
    hand = play(["random"] * 4, 3)
    for number in range(0, len(hand.turns), 7):
        for seat in range(4):
            fresh = make_player("random", seed=3)
            requests = [turn.requests[seat] for turn in hand.turns[: number + 1]]
            fresh.restore(requests[:-1], [turn.answers[seat] for turn in hand.turns[:number]])
            assert fresh.answer(requests[-1]) == hand.turns[number].answers[seat]


# --- penalties


class Once:
    """Draws and discards, but answers one request otherwise."""

    def __init__(self, begins: str, answer: str) -> None:
        self.begins, self.instead = begins, answer

    def answer(self, request: str) -> str:
        if self.begins and request.startswith(self.begins):
            return self.instead.replace("$", request.split()[-1])
        return f"PLAY {request.split()[1]}" if request.startswith("2") else "PASS"


@pytest.mark.parametrize(
    ("begins", "answer"),
    [
        ("2", "HU"),
        ("2", "PASS"),
        ("2", "GANG $"),
        ("2", "BUGANG $"),
        ("2", "PENG $"),
        ("2", "GANG"),
        ("2", "play $"),
        ("2", ""),
        ("3 0 DRAW", "HU"),
        ("3 0 PLAY", "HU"),
        ("3 0 PLAY", "CHI F1 F1"),
        ("3 0 PLAY", "PENG $"),
        ("0", "HELLO"),
        ("1", "HU"),
    ],
)
def test_what_is_not_allowed_costs_thirty_points(begins: str, answer: str):
    seats = [Once("", ""), Once(begins, answer), Once("", ""), Once("", "")]
    hand = play_hand(seats, Table(seed=2))
    assert hand.error is not None
    assert hand.error.seat == 1
    assert hand.error.request.startswith(begins)
    assert hand.scores == [10, -30, 10, 10]


def test_a_win_goes_before_another_seats_illegal_claim(samples: list[HandRecord]):
    record = next(r for r in samples if r.fan is not None and min(r.scores) < -8 and r.scores.count(-8) == 2)
    _, responses = log_of(record)
    winner, loser = record.scores.index(max(record.scores)), record.scores.index(min(record.scores))
    other = next(seat for seat in range(4) if seat not in (winner, loser))
    responses[-1][other] = "PENG W1"
    seats = [Script([turn[seat] for turn in responses]) for seat in range(4)]
    hand = play_hand(seats, Table(wall=rebuild_wall(record), wind=record.wind))
    assert hand.error is None
    assert tuple(hand.scores) == record.scores


# --- answers


def test_every_action_is_said_and_read_back():
    for action in range(act.NUM_ACTIONS):
        tile, discard = -1, -1
        if act.CHI <= action < act.PENG:
            tile, discard = act.chi_first(action) + act.chi_place(action), 33
        elif act.PENG <= action < act.KONG:
            tile, discard = action - act.PENG, 0
        elif act.KONG <= action < act.CONCEALED_KONG:
            tile = action - act.KONG
        assert parse_reply(reply_text(action, discard), tile) == Reply(action, discard)


@pytest.mark.parametrize("text", ["", "PLAY", "PLAY W0", "PLAY H1", "PASS W1", "HU HU", "CHI W2", "SING", "PLAY W1 W2"])
def test_what_the_protocol_does_not_know_is_refused(text: str):
    with pytest.raises(ReplyError):
        parse_reply(text, 3)
