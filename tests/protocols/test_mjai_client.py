"""Our agents as mjai bots: what they answer to lines of every kind."""

from __future__ import annotations

import doctest
import io
import json
from importlib import import_module

import pytest
from typer.testing import CliRunner

from janshi.agents.registry import make_agent
from janshi.cli import app
from janshi.protocols.mjai.actions import IllegalMessage, MessageError, action_of, message_of
from janshi.protocols.mjai.client import MjaiPlayer, play_lines
from janshi.rules.registry import make_game
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.table import Table

HIDDEN = ["?"] * 13
HAND = ["1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "E", "E", "S", "W"]
START = {"type": "start_game", "id": 1, "names": ["a", "b", "c", "d"]}
DEAL = {
    "type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0, "dora_marker": "1p",
    "scores": [25000] * 4, "tehais": [HIDDEN, HAND, HIDDEN, HIDDEN],
}  # fmt: skip
OTHERS = [{"type": "tsumo", "actor": 0, "pai": "?"}, {"type": "dahai", "actor": 0, "pai": "9p", "tsumogiri": True}]
DRAW = {"type": "tsumo", "actor": 1, "pai": "N"}
NONE = {"type": "none"}


@pytest.fixture
def player() -> MjaiPlayer:
    return MjaiPlayer(make_agent("greedy", make_game("riichi")), warn=lambda text: warnings.append(text))


warnings: list[str] = []


@pytest.fixture(autouse=True)
def _no_warnings():
    warnings.clear()


def replies(player: MjaiPlayer, lines: list[object], reply: str = "always") -> list[object]:
    sink = io.StringIO()
    text = "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines)
    play_lines(player, io.StringIO(text), sink, reply)
    return [json.loads(line) for line in sink.getvalue().splitlines()]


def test_every_event_is_answered(player: MjaiPlayer):
    *idle, answer = replies(player, [START, DEAL, *OTHERS, DRAW])
    assert idle == [NONE] * 4
    assert answer["type"] == "dahai"
    assert answer["actor"] == 1
    assert warnings == []


def test_only_questions_are_answered(player: MjaiPlayer):
    (answer,) = replies(player, [START, DEAL, *OTHERS, DRAW], "asked")
    assert answer["type"] == "dahai"


def test_an_array_is_answered_once(player: MjaiPlayer):
    first, second = replies(player, [[START, DEAL], [*OTHERS, DRAW]])
    assert first == NONE
    assert second["type"] == "dahai"


def test_unknown_events_fields_and_nonsense_are_passed_over(player: MjaiPlayer, capsys: pytest.CaptureFixture[str]):
    odd = [{"type": "kita", "actor": 0}, [], 7, "not JSON", {"no": "type"}, {**DEAL, "weather": "fine"}]
    answers = replies(player, [START, *odd, *OTHERS, DRAW])
    assert len(answers) == len(odd) + 4
    assert answers[:-1] == [NONE] * (len(answers) - 1)
    assert answers[-1]["type"] == "dahai"
    assert any("kita" in warning for warning in warnings)
    assert "not JSON" in capsys.readouterr().err


def test_events_that_cannot_be_followed_are_warned_of(player: MjaiPlayer):
    bad = [
        {"type": "tsumo", "actor": 1, "pai": "1m"},  # before a hand
        {"type": "start_kyoku"},
        {**DEAL, "tehais": [HIDDEN] * 4},
    ]
    assert replies(player, [{"type": "start_game"}, *bad]) == [NONE] * 4
    assert len(warnings) == 3


def test_a_question_stays_open_over_a_new_indicator(player: MjaiPlayer):
    (answer,) = replies(player, [[START, DEAL, *OTHERS, DRAW, {"type": "dora", "dora_marker": "2p"}]])
    assert answer["type"] == "dahai"
    answers = replies(player, [START, DEAL, *OTHERS, DRAW, {"type": "dora", "dora_marker": "2p"}])
    assert [answer["type"] for answer in answers[-2:]] == ["dahai", "none"]


def test_a_server_may_say_that_nothing_is_asked(player: MjaiPlayer):
    assert replies(player, [START, DEAL, *OTHERS, {**DRAW, "can_act": False}])[-1] == NONE


def test_the_seat_is_found_by_the_open_hand(player: MjaiPlayer):
    answer = replies(player, [{"type": "start_game"}, DEAL, *OTHERS, DRAW])[-1]
    assert answer["actor"] == 1


def test_the_command_ends_with_its_input():
    lines = "".join(f"{json.dumps(event)}\n" for event in (START, DEAL, *OTHERS, DRAW))
    done = CliRunner().invoke(app, ["bot", "mjai", "--agent", "tsumogiri"], input=lines)
    assert done.exit_code == 0
    last = json.loads(done.stdout.splitlines()[-1])
    assert last == {"type": "dahai", "actor": 1, "pai": "N", "tsumogiri": True}


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--agent", "nobody"], "nobody"),
        (["--rules", "none"], "none"),
        (["--reply", "never"], "never"),
        (["--connect", "127.0.0.1:1"], "no server answers at 127.0.0.1:1 (Connection refused)"),
        (["--connect", "nonsense"], "--connect takes host:port such as localhost:11600, not 'nonsense'"),
        (["--connect", "host:99999"], "--connect takes host:port"),
    ],
)
def test_the_command_says_what_is_wrong(options: list[str], problem: str):
    done = CliRunner().invoke(app, ["bot", "mjai", *options], input="")
    assert done.exit_code == 2
    assert problem in done.output


# --- messages


def question() -> tuple[Table, object]:
    """The dealer's first question."""
    table = Table(3)
    return table, table.view(0)


@pytest.mark.parametrize(
    "message",
    [None, 3, [], "none", {}, {"type": 5}, {"type": "nuki"}, {"type": "dahai"}, {"type": "dahai", "pai": 4},
     {"type": "dahai", "pai": "0m"}, {"type": "ankan"}, {"type": "ankan", "consumed": ["E"]}],
)  # fmt: skip
def test_nonsense(message: object):
    with pytest.raises(MessageError):
        action_of(message, question()[1])


@pytest.mark.parametrize(
    "message",
    [{"type": "none"}, {"type": "hora"}, {"type": "reach"}, {"type": "dahai", "actor": 2, "pai": "E"},
     {"type": "ankan", "consumed": ["E", "E", "E", "E"]}, {"type": "ankan", "consumed": ["E", "E", "S", "E"]},
     {"type": "chi", "consumed": ["1m", "2m"], "pai": "3m", "target": 3}, {"type": "kakan", "pai": "5mr"}],
)  # fmt: skip
def test_illegal(message: object):
    with pytest.raises(IllegalMessage):
        action_of(message, question()[1])


def test_a_discard_without_tsumogiri_is_read():
    table, view = question()
    drawn = message_of(act.TSUMOGIRI, view)
    del drawn["tsumogiri"]
    assert action_of(drawn, view) == act.TSUMOGIRI
    other = next(action for action in table.legal_actions(0) if action < act.TSUMOGIRI)
    message = message_of(other, view)
    del message["tsumogiri"]
    assert action_of(message, view) == other
    with pytest.raises(IllegalMessage, match="another tile"):
        action_of({**message, "tsumogiri": True}, view)


@pytest.mark.parametrize("name", ["protocols.mjai.client", "protocols.mjai.process", "records.recorder"])
def test_examples_run(name: str):
    found = doctest.testmod(import_module(f"janshi.{name}"))
    assert found.attempted > 0
    assert found.failed == 0
