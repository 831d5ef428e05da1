"""Bots in matches: real misbehaving programs, what is recorded of them, and that the match continues."""

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
from janshi.arena.report.tables import list_faults
from janshi.arena.requests import seat_text
from janshi.arena.standings import Round
from janshi.arena.store import MatchStore, StoreError
from janshi.arena.summary import summarise
from janshi.arena.units import Options
from janshi.protocols.mjai.server import shared_server
from janshi.records.botzone import log as botzone_log
from janshi.records.botzone.replay import replay as replay_hand
from janshi.rules.guobiao.ruleset import BOTZONE
from janshi.rules.guobiao.table import Table
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
        ("mjai,speed=2:true", "unknown option 'speed'; options are name, "),
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
        (f"botzone,seconds={PATIENCE},io=json,keep_running=yes:{command}", "greedy"),
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


# --- Botzone bots and their faults


def sample(*words: str) -> str:
    return f"botzone,seconds={PATIENCE}:{sys.executable} -S -E {BOTS / 'botzone_sample.py'} {' '.join(words)}"


def guobiao(label: str, walls: int = 1) -> Plan:
    return Plan("guobiao/botzone", (label, "tsumogiri"), ((0, 1, 1, 1),), walls, seed=3, seating="fixed")


def test_a_program_that_cannot_be_started_ends_the_match_before_it_begins(tmp_path):
    for label, plan in (
        ("mjai:/no/such/bot", Plan(EAST, ("mjai:/no/such/bot", "greedy"), ((0, 1, 1, 1),), 1)),
        ("botzone:/no/such/bot", guobiao("botzone:/no/such/bot")),
    ):
        with pytest.raises(ValueError, match=f"player '{label}'.*cannot be started"):
            run_match(plan, tmp_path / "m")
        assert not (tmp_path / "m").exists()


@pytest.mark.parametrize(("wrong", "faults"), [((3, 11), 2), ((3, 11, 19), 3), ((3, 11, 19, 27), 3)])
def test_after_three_illegal_answers_the_substitute_plays_the_game(tmp_path, wrong: tuple[int, ...], faults: int):
    log = tmp_path / "log"
    plan = guobiao(sample("json", "line", "keep", f"log={log}", f"hu={'+'.join(map(str, wrong))}"))
    (rows,) = run_match(plan).faults
    assert [(row["kind"], row["count"]) for row in rows] == [("illegal", faults)]
    heard = [line for line in log.read_text().splitlines() if line != "start"]
    assert (len(heard) <= 1 + 19) == (faults == 3), "a bot that is out of the game gets no more requests"


def test_a_fault_is_stored_with_its_request_and_can_be_run_again(tmp_path):
    label = sample("json", "line", "keep", "hu=7")
    plan = guobiao(label)
    results = run_match(plan, tmp_path / "m")
    (row,) = MatchStore(tmp_path / "m").read().faults[0]
    assert results.faults == [[row]]
    assert (row["request"], len(row["requests"]), len(row["responses"])) == (7, 7, 6)
    text = seat_text(MatchStore(tmp_path / "m"), 0, 0, "json", 7)
    command = label.partition(":")[2].split()
    again = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    assert again.stdout.startswith('{"response": "HU"}\n')
    assert "game 0, seat 0, request 7" in list_faults([Round(plan, results)])[0].where


@pytest.mark.parametrize("form", ["json", "simple"])
def test_a_seats_requests_are_those_its_bot_got(tmp_path, form: str):
    log = tmp_path / "log"
    run_match(guobiao(sample(form, "line", "keep", f"log={log}")), tmp_path / "m", options=Options(keep_actions=True))
    heard = log.read_text().split("start\n")[-1]
    assert heard.count("\n") > 40
    assert seat_text(MatchStore(tmp_path / "m"), 0, 0) == heard
    whole = seat_text(MatchStore(tmp_path / "m"), 0, 0, form)
    requests = json.loads(whole)["requests"] if form == "json" else whole.splitlines()[1::2]
    assert requests == heard.splitlines()


def test_requests_of_a_seat_whose_answers_were_not_kept(tmp_path):
    run_match(guobiao(sample("json", "line", "keep", "hu=7")), tmp_path / "m")
    store = MatchStore(tmp_path / "m")
    assert seat_text(store, 0, 0).count("\n") == 7, "the requests up to the fault are kept with it"
    with pytest.raises(StoreError, match="were not kept"):
        seat_text(store, 0, 1)
    with pytest.raises(ValueError, match="requests 1 to 7, not 8"):
        seat_text(store, 0, 0, request=8)


def test_replay_writes_botzones_log_and_the_answers_as_text(tmp_path):
    plan = Plan("guobiao/botzone", ("greedy",), ((0, 0, 0, 0),), 1, seed=2, seating="fixed")
    scores = run_match(plan, tmp_path / "m").scores[0].tolist()
    store = MatchStore(tmp_path / "m")
    read = botzone_log.read(game_text(store, 0, "botzone_log"))
    assert list(read.scores) == scores
    assert list(replay_hand(read).scores) == scores
    assert read.wall == tuple(Table(plan.game(0).seed, BOTZONE).state["wall"][:136].tolist())
    assert game_text(store, 0, "text").endswith(f"scores: {scores}\n")
    with pytest.raises(StoreError, match="guobiao games can be botzone, botzone_log, text, not 'mjai'"):
        game_text(store, 0, "mjai")
    for seat in range(4):
        assert seat_text(store, 0, seat).splitlines()[0] == f"0 {seat} {read.wind}"


def test_any_game_can_be_written_as_text(tmp_path):
    run_match(Plan(EAST, ("tsumogiri",), ((0, 0, 0, 0),), 1, seed=2, seating="fixed"), tmp_path / "m")
    assert "scores: " in game_text(MatchStore(tmp_path / "m"), 0, "text")
    with pytest.raises(StoreError, match="only Guobiao games have Botzone's requests"):
        seat_text(MatchStore(tmp_path / "m"), 0, 0)


def test_an_unknown_interval_in_any_column_is_explained():
    plan = Plan("guobiao/botzone", ("greedy", "random"), ((0, 1, 1, 1),), 2)
    console = Console(width=200, file=io.StringIO())
    print_match(run_match(plan), plan, console)
    text = console.file.getvalue()
    random = next(line for line in text.splitlines() if "│ random" in line)
    assert [cell.strip() for cell in random.split("│") if "?" in cell] == ["0.00 ± ?"], "its fan, and not its rank"
    assert "± ?: too few wall sets for an interval" in text


def test_faults_are_shown_in_the_narrowest_table():
    plan = guobiao(sample("json", "line", "keep", "hu=7"))
    console = Console(width=60, record=True, file=io.StringIO())
    print_match(run_match(plan), plan, console)
    text = console.export_text()
    head = next(line for line in text.splitlines() if "player" in line)
    assert "faults" in head
    assert "points" not in head
    assert "1 × illegal, first in game 0, seat 0, request 7" in " ".join(text.split())
