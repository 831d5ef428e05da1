"""Bots as Botzone's authors write them play without options; messages about faults use the protocol's words."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from janshi.protocols.bot import BotFault, substitute
from janshi.protocols.botzone import process
from janshi.protocols.botzone.form import Form
from janshi.protocols.botzone.io import History
from janshi.protocols.botzone.mistakes import illegal_answer, legal_answers
from janshi.protocols.botzone.process import BotzoneProcess, BotzoneProcessBot, event_dicts
from janshi.records.botzone.model import TILE_NAMES, Act
from janshi.records.botzone.replay import Recorder
from janshi.rules.guobiao import actions as act
from janshi.rules.guobiao.ruleset import BOTZONE
from janshi.rules.guobiao.table import Table
from patience import PATIENCE

BOTS = Path(__file__).resolve().parent.parent / "bots"
PYTHON = [sys.executable, "-S", "-E"]
NAMES = ("a", "b", "c", "d")


@pytest.fixture(autouse=True)
def _nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_FOUND", {})


def sample(*words: str, seconds: float = PATIENCE) -> BotzoneProcessBot:
    return BotzoneProcessBot([*PYTHON, str(BOTS / "botzone_sample.py"), *words], seconds=seconds)


def play(table: Table, bot: BotzoneProcessBot, seat: int = 0, most: int = 1000) -> list[BotFault]:
    """A hand, or `most` steps, in which the other seats pass and play what they draw; the bot's faults."""
    recorder, faults, told = Recorder(table), list[BotFault](), 0
    bot.begin(table, seat, NAMES)
    while not table.hand_over and (most := most - 1) >= 0:
        bot.tell(event_dicts(recorder.events[told:]))
        told, answers = len(recorder.events), {other: substitute(table, other) for other in table.asked}
        if seat in answers:
            try:
                answers[seat] = bot.ask(table, seat)
            except BotFault as fault:
                faults.append(fault)
        recorder.step(answers)
    bot.tell(event_dicts(recorder.events[told:]))
    return [*faults, *filter(None, [bot.end(table)])]


# --- the form is found out


@pytest.mark.parametrize("io", ["simple", "json"])
@pytest.mark.parametrize(
    ("how", "keep"), [(("end",), False), (("line",), False), (("line", "keep"), True), (("line", "late"), True)]
)
def test_a_bot_named_without_options_plays(io: str, how: tuple[str, ...], keep: bool):
    table, bot = Table(seed=3), sample(io, *how)
    assert play(table, bot, most=12) == []
    assert len(table.river(0)) > 1
    assert bot.process.form == Form(io, keep)


def compiled(folder: Path, *flags: str) -> list[str]:
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("no C++ compiler")
    out = folder / "bot"
    subprocess.run([compiler, *flags, "-o", str(out), str(BOTS / "botzone_sample.cpp")], check=True)
    return [str(out)]


@pytest.mark.parametrize(
    ("flags", "form"),
    [
        ([], Form("simple", False)),
        (["-DJSON"], Form("json", False)),
        (["-DKEEP"], Form("simple", True)),
    ],
)
def test_the_official_samples_form_in_cpp_plays_whole_games(tmp_path: Path, flags: Sequence[str], form: Form):
    bot = BotzoneProcessBot(compiled(tmp_path, *flags), seconds=PATIENCE)
    for seed in range(2):
        table = Table(seed=seed)
        assert play(table, bot, seat=seed) == []
        assert table.hand_over
    assert bot.process.form == form


def test_a_bot_that_is_kept_sees_what_botzone_would_send_and_no_more(tmp_path: Path):
    log = tmp_path / "log"
    play(Table(seed=3), sample("simple", "line", "keep", f"log={log}"), most=12)
    trial, *rest = log.read_text().split("start\n")[1:]
    assert trial.splitlines()[0] == "0 0 2"
    assert len(rest) == 1, "started once to find its form, once to play"
    assert rest[0].splitlines()[0] == "0 0 2"


def test_a_bot_of_several_seats_is_tried_once(tmp_path: Path):
    log, table = tmp_path / "log", Table(seed=3)
    for _ in range(3):
        play(table := Table(seed=3), sample("json", "line", "keep", f"log={log}"), most=3)
    assert log.read_text().count("start\n") == 3 + 2
    assert table.river(0)


def test_what_was_tried_is_said_if_nothing_works():
    silent = BotzoneProcess([*PYTHON, "-c", "import sys; sys.stdin.read(); sys.exit('no model')"], seconds=PATIENCE)
    with pytest.raises(BotFault) as caught:
        silent.answer("0 0 1")
    message = caught.value.message
    assert caught.value.kind == "crash"
    assert "as simple text, restarted every turn: it ended with status 1; it last said: no model" in message
    assert "as JSON, restarted every turn: it ended with status 1" in message


def test_a_wrong_form_that_was_asked_for_is_named():
    """The official sample with `keep_running=yes` waits for the end of an input that stays open."""
    command = [*PYTHON, str(BOTS / "botzone_sample.py"), "json", "end"]
    bot = BotzoneProcess(command, io="json", keep_running=True, seconds=0.3)
    with pytest.raises(
        BotFault, match=r"did not answer in time.*run as JSON, kept running; options io and keep_running"
    ):
        bot.answer("0 0 1")
    assert BotzoneProcess(command, io="json", seconds=PATIENCE).answer("0 0 1") == "PASS"


def test_an_unknown_form_is_refused():
    with pytest.raises(ValueError, match="io is auto, json or simple, not 'xml'"):
        BotzoneProcess(["x"], io="xml")


# --- faults in Botzone's words, with the input that led to them


def test_an_illegal_answer_is_described_in_the_words_of_the_protocol():
    table = Table(seed=1)
    (fault,) = play(table, sample("json", "line", "hu=3"), most=1)
    assert fault.message.startswith(
        "'HU' to request 3, '2 T2' is illegal: the hand is not complete with T2; legal: PLAY W"
    )


def test_a_fault_keeps_the_requests_so_that_the_author_can_run_them_again():
    command = [*PYTHON, str(BOTS / "botzone_sample.py"), "json", "line", "hu=9"]
    (fault,) = play(Table(seed=1), BotzoneProcessBot(command, seconds=PATIENCE), most=12)
    kept = fault.input
    assert kept is not None
    assert (kept["request"], len(kept["requests"]), len(kept["responses"])) == (9, 9, 8)
    again = subprocess.run(command, input=json.dumps(kept) + "\n", capture_output=True, text=True, check=True)
    assert json.loads(again.stdout) == {"response": "HU"}


FALSE_WIN = (
    "0 1 0",
    "1 0 0 0 0 W1 W2 W3 W4 W5 W6 B1 B2 B3 T2 T3 T9 T9",
    "3 0 DRAW",
    "3 0 PLAY T4",
)
"""A complete hand of few fan."""


def test_the_message_of_a_false_win_has_its_fan():
    history = History(list(FALSE_WIN), ["PASS"] * 3)
    fault = illegal_answer("HU", ["PASS"], BOTZONE, history)
    assert "the hand has 6 fan (" in fault.message
    assert "平和 2" in fault.message
    assert "), 8 are needed; legal: PASS" in fault.message
    history = History([*FALSE_WIN[:3], "3 0 PLAY T5"], ["PASS"] * 3)
    assert "not complete with T5" in illegal_answer("HU", ["PASS"], BOTZONE, history).message


def test_legal_answers_are_written_as_botzone_does():
    actions = [act.PLAY, act.PLAY + 33, act.PENG + 4, act.KONG + 4, act.CONCEALED_KONG + 5, act.HU, act.PASS]
    assert legal_answers(actions) == ["PLAY W1/J1", "PENG T", "GANG", "GANG W6", "HU", "PASS"]


# --- the end of a game


@pytest.mark.parametrize("how", [("json", "line", "keep"), ("simple", "end")])
def test_a_bot_also_gets_the_requests_after_its_last_decision(tmp_path: Path, how: tuple[str, ...]):
    """Somebody else's win ends the hand; on Botzone all seats have been sent everything up to it."""
    log = tmp_path / "log"
    table = Table(seed=3)
    recorder = Recorder(table)
    bot = sample(*how, f"log={log}")
    bot.begin(table, 2, NAMES)
    recorder.step({0: table.drawn})
    bot.tell(event_dicts(recorder.events))
    assert bot.end(table) is None
    heard = [line for line in log.read_text().splitlines() if line != "start"]
    played = TILE_NAMES[next(event.tile for event in recorder.events if event.act == Act.PLAY)]
    assert heard[-3:] == ["3 0 DRAW", f"3 0 PLAY {played}", "3 1 DRAW"]


def test_a_mistake_after_the_last_decision_is_a_fault():
    table = Table(seed=3)
    recorder = Recorder(table)
    bot = sample("json", "line", "keep", "hu=4")
    bot.begin(table, 2, NAMES)
    recorder.step({0: table.drawn})
    bot.tell(event_dicts(recorder.events))
    fault = bot.end(table)
    assert fault is not None
    assert (fault.kind, fault.input and fault.input["request"]) == ("illegal", 4)


def test_a_bot_that_left_the_game_gets_nothing_more(tmp_path: Path):
    log, table = tmp_path / "log", Table(seed=3)
    recorder = Recorder(table)
    bot = sample("json", "line", f"log={log}")
    bot.begin(table, 2, NAMES)
    bot.tell(event_dicts(recorder.events))
    bot.leave()
    assert bot.end(table) is None
    assert not log.exists()
