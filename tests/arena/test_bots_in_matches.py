"""Bots in matches: real misbehaving programs, what is recorded of them, and that the match goes on."""

from __future__ import annotations

import io
import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from janshi.arena.contestants import is_bot, read_bot_label
from janshi.arena.match import run_match
from janshi.arena.plan import Plan
from janshi.arena.replay import game_text
from janshi.arena.report.page import write_report
from janshi.arena.store import MatchStore, StoreError
from janshi.arena.summary import summarise
from janshi.arena.units import Options
from janshi.protocols.mjai.server import shared_server
from janshi.show.match import print_match
from patience import PATIENCE

BOTS = Path(__file__).resolve().parent.parent / "bots"
EAST = "riichi/tenhou_east"


def bot(name: str, seconds: float = PATIENCE) -> str:
    return f"mjai,seconds={seconds},start_seconds={PATIENCE}:{sys.executable} {BOTS / name}"


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("crash_at_start.py", {"start", "crash"}),
        ("crash_in_game.py", {"crash"}),
        ("hang.py", {"timeout"}),
        ("flood.py", {"flood", "illegal"}),
        ("nonsense.py", {"nonsense"}),
        ("illegal.py", {"illegal"}),
    ],
)
def test_a_match_goes_on_with_a_bot_that_misbehaves(name, kinds, tmp_path):
    label = bot(name, 0.5 if kinds == {"timeout"} else PATIENCE)
    plan = Plan(EAST, (label, "greedy"), ((0, 1, 1, 1),), 1, seed=3, seating="fixed")
    results = run_match(plan, tmp_path / "m")
    assert len(results) == 1
    (rows,) = results.faults
    assert rows, "the fault was not recorded"
    assert {row["seat"] for row in rows} == {0}
    assert {row["kind"] for row in rows} <= kinds
    assert MatchStore(tmp_path / "m").read().faults == results.faults
    assert summarise(results, plan).lines[0].faults
    same = run_match(Plan(EAST, ("tsumogiri", "greedy"), ((0, 1, 1, 1),), 1, seed=3, seating="fixed"))
    if "start" in kinds:
        assert (results.scores == same.scores).all(), "from its first question on the substitute plays as tsumogiri"


def test_a_bot_that_behaves_plays_as_the_agent_it_copies():
    tsumogiri = Plan(EAST, ("tsumogiri", "greedy"), ((0, 1, 0, 1),), 1, seed=5)
    plan = Plan(EAST, (bot("well_behaved.py"), "greedy"), ((0, 1, 0, 1),), 1, seed=5)
    results = run_match(plan, workers=2, options=Options(keep_actions=True))
    assert not any(results.faults)
    assert (results.scores == run_match(tsumogiri).scores).all()


def test_a_game_of_bots_can_be_shown_only_if_its_answers_were_kept(tmp_path):
    plan = Plan(EAST, (bot("well_behaved.py"), "greedy"), ((0, 1, 1, 1),), 1, seed=5, seating="fixed")
    run_match(plan, tmp_path / "a")
    with pytest.raises(StoreError, match="were not kept"):
        game_text(MatchStore(tmp_path / "a"), 0)
    run_match(plan, tmp_path / "b", options=Options(keep_actions=True))
    assert '"type":"end_game"' in game_text(MatchStore(tmp_path / "b"), 0)


def test_labels_of_bots_are_read():
    assert is_bot("mjai,seconds=2:python x.py")
    assert is_bot("majiang")
    assert not is_bot("greedy")
    read = read_bot_label("botzone,io=simple,keep_running=no:python bot.py --fast")
    assert (read.kind, read.options, read.target) == (
        "botzone",
        {"io": "simple", "keep_running": "no"},
        "python bot.py --fast",
    )


def test_a_named_bot_is_called_by_its_name(tmp_path):
    label = bot("well_behaved.py").replace("mjai", "mjai,name=polite", 1)
    plan = Plan(EAST, (label, "greedy"), ((0, 1, 1, 1),), 1, seed=5, seating="fixed")
    results = run_match(plan, tmp_path / "m", options=Options(keep_actions=True))
    store = MatchStore(tmp_path / "m")
    start = json.loads(game_text(store, 0).splitlines()[0])
    assert start["names"] == ["polite", "greedy", "greedy", "greedy"]
    console = Console(width=200, file=io.StringIO())
    print_match(results, plan, console)
    write_report([tmp_path / "m"], tmp_path / "report.html")
    for text in (console.file.getvalue(), (tmp_path / "report.html").read_text(encoding="utf-8")):
        assert "polite" in text
        assert "well_behaved" not in text


def test_two_contestants_cannot_have_one_name():
    labels = ("mjai,name=greedy:true", "greedy")
    with pytest.raises(ValueError, match="have the same name, 'greedy'"):
        run_match(Plan(EAST, labels, ((0, 1, 1, 1),), 1))


@pytest.mark.parametrize(
    ("label", "told"),
    [
        ("mjai:", "a command is missing"),
        ("mjai,name=:true", "the name is empty"),
        ("mjai,speed=2:true", "unknown option 'speed'"),
        ("mjai,seconds=soon:true", "option seconds cannot be 'soon'"),
        ("mjai-tcp:here", "expected a port number"),
        ("majiang:node", "takes no command"),
    ],
)
def test_labels_that_name_no_bot_are_refused(label, told):
    with pytest.raises(ValueError, match=told):
        run_match(Plan(EAST, (label, "greedy"), ((0, 1, 1, 1),), 1))


def test_a_botzone_bot_plays_in_a_match_as_the_agent_it_runs():
    command = f"{sys.executable} -m janshi bot botzone --agent greedy --keep-running"
    plan = Plan(
        "guobiao/botzone",
        (f"botzone,seconds={PATIENCE}:{command}", "greedy"),
        ((0, 1, 1, 1),),
        1,
        seed=2,
        seating="fixed",
    )
    results = run_match(plan)
    assert not any(results.faults)
    same = Plan("guobiao/botzone", ("greedy",), ((0, 0, 0, 0),), 1, seed=2, seating="fixed")
    assert (results.scores == run_match(same).scores).all()


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def test_a_bot_that_connects_plays_in_a_match_as_the_agent_it_runs():
    port = free_port()
    label = f"mjai-tcp,join_seconds={PATIENCE},seconds={PATIENCE}:{port}"
    command = [sys.executable, "-m", "janshi", "bot", "mjai", "--agent", "greedy", "--rules", "tenhou_east"]
    plan = Plan(EAST, (label, "greedy"), ((0, 1, 1, 1),), 1, seed=4, seating="fixed")
    shared_server(port).users -= 1  # it listens before the client starts; the match's bot closes it
    with subprocess.Popen([*command, "--connect", f"127.0.0.1:{port}"], stdout=subprocess.DEVNULL) as client:
        try:
            results = run_match(plan)
        finally:
            client.kill()
    assert not any(results.faults)
    same = Plan(EAST, ("greedy",), ((0, 0, 0, 0),), 1, seed=4, seating="fixed")
    assert (results.scores == run_match(same).scores).all()
