"""The arena on the command line."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from janshi.agents.registry import make_agent
from janshi.arena.store import MatchStore
from janshi.cli import app
from janshi.rules.registry import make_game
from patience import PATIENCE

BOTS = Path(__file__).resolve().parent.parent / "bots"
SAMPLE = f"{sys.executable} -S -E {BOTS / 'botzone_sample.py'}"
LIAR = f"botzone,name=liar,seconds={PATIENCE},io=json:{SAMPLE} json line keep hu=7"
"""A bot that claims a win which it does not have."""


def run(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == code, result.output
    return result.output


def test_one_player_against_copies_of_another(tmp_path):
    path = tmp_path / "m"
    out = run("match", "greedy", "--vs", "random", "--east", "-n", "3", "--out", str(path), "--seed", "4")
    assert "riichi/tenhou_east: 12 games on 3 wall sets" in out
    assert "greedy – random" in out
    assert "2" in run("match", "greedy", "--vs", "random", "--east", "-n", "3", "--out", str(path), "--seed", "4")
    plan = MatchStore(path).plan
    assert (plan.contestants, plan.lineups, plan.seed) == (("greedy", "random"), ((0, 1, 1, 1),), 4)
    page = tmp_path / "page.html"
    assert "wrote" in run("report", str(path), "--out", str(page))
    assert "greedy" in page.read_text()
    events = [json.loads(line) for line in run("replay", str(path), "5").splitlines()]
    assert events[0]["names"] == ["random", "greedy", "random", "random"]
    assert events[-1]["type"] == "end_game"
    file = tmp_path / "new" / "folder" / "g.json"
    assert "wrote" in run("replay", str(path), "0", "--format", "tenhou6", "--out", str(file))
    assert json.loads(file.read_text())["name"][0] == "greedy"


def test_all_players_named_with_a_baseline_and_a_test():
    words = ("match", "greedy", "random", "random", "--rules", "simplified", "-n", "64", "--quiet")
    out = run(*words, "--seating", "independent", "--baseline", "greedy", "--sprt", "2.0,1.5")
    assert "without the baseline's luck" in out
    assert "games on 32 wall sets" in out or "games on 48 wall sets" in out


@pytest.mark.parametrize("form", ["round-robin", "swiss"])
def test_tournaments(tmp_path, form):
    players = ("greedy", "random", "tsumogiri", "random")
    words = ("--rules", "simplified", "-n", "2", "--quiet", "--format", form)
    words += ("--rounds", "2") if form == "swiss" else ("--tables", "3")
    out = run("tournament", *players, *words, "--out", str(tmp_path / form))
    assert "Standings" in out
    assert out.index("greedy") < out.index("tsumogiri")
    assert "openskill" in run("tournament", *players, *words, "--out", str(tmp_path / form))
    run("report", str(tmp_path / form), "--out", str(tmp_path / "page.html"))


def test_the_list_of_agents():
    out = run("agents")
    assert "search" in out
    assert "careful" in out
    assert "careful" not in run("agents", "--rules", "simplified")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("match", "greedy", "random"), "needs 4 players, not 2"),
        (("match", "a", "b", "--vs", "c"), "--vs takes one player"),
        (("match", "greedy", "--vs", "nobody"), "no player is called 'nobody'"),
        (("match", "greedy", "--vs", "random", "--rules", "poker"), "tenhou, tenhou_east, tenhou_no_red"),
        (("match", "greedy", "--vs", "random", "--rules", "guobaio"), "no rules are called 'guobaio'"),
        (("match", "greedy", "--vs", "random", "--sprt", "2"), "two average ranks"),
        (("match", "greedy", "--vs", "random", "--sprt", "5,9"), "average ranks lie between 1 and 4"),
        (("match", "greedy", "--vs", "random", "-n", "100000000000"), "Invalid value for '--walls'"),
        (("match", "greedy", "--vs", "random", "--seating", "any"), "seating must be one of"),
        (("match", "greedy", "--vs", "random", "--rules", "mleague", "--east"), "riichi/mleague has no East games"),
        (("match", "greedy", "--vs", "random", "--rules", "guobiao", "--east"), "--east is for tenhou"),
        (("match", "greedy", "--vs", "random", "--rules", "tenhou_east", "--south"), "riichi/tenhou_east has none"),
        (("match", "greedy", "--vs", "random", "--rules", "guobiao", "--south"), "guobiao/botzone has none"),
        (("tournament", "greedy", "random", "--format", "cup"), "round-robin or swiss"),
        (("tournament", "greedy", "random", "--rounds", "3"), "--rounds is for --format swiss"),
        (("tournament", "greedy", "random", "--format", "swiss", "--tables", "3"), "--tables is for --format round"),
        (("agents", "--rules", "poker"), "--rules is one of riichi, guobiao, simplified"),
    ],
)
def test_mistakes_take_one_line(words, told):
    out = run(*words, code=2)
    assert told in out
    assert "Traceback" not in out


@pytest.mark.parametrize("command", [("match",), ("bot", "botzone"), ("bot", "bundle")])
def test_the_agents_of_the_help_texts_can_be_made(command):
    said = " ".join(run(*command, "--help").replace("│", " ").split())
    named = re.findall(r"\b\w+:\w+=\w+", said)
    assert named
    for label in named:
        make_agent(label, make_game("guobiao/botzone"))


@pytest.mark.parametrize(
    ("kept", "told"), [(False, "nothing is kept without --out"), (True, "run the same command to continue")]
)
def test_ctrl_c_says_whether_games_are_kept(tmp_path, monkeypatch, kept, told):
    def interrupt(*_, **__) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("janshi.arena.match.run_match", interrupt)
    out = ("--out", str(tmp_path / "m")) if kept else ()
    assert told in run("match", "greedy", "--vs", "random", "--quiet", *out, code=130)


def test_one_wall_set_and_faults_are_explained():
    command = f"{sys.executable} -S -c 'import sys; sys.exit(7)'"
    out = run("match", f"mjai,name=broken:{command}", "--vs", "random", "--east", "-n", "1", "--quiet")
    assert "4 games on 1 wall set " in out
    assert "Averages need at least 2 wall sets (--walls)" in out
    assert "Faults of broken: 4 × crash, first in game 0, seat 0:" in out
    assert "han/hand" in out
    assert "it ended with status 7" in " ".join(out.split())  # a long command breaks the line


def test_a_program_that_is_missing_ends_the_command_at_once(tmp_path):
    out = run("match", "mjai:no_such_program", "--vs", "random", "--out", str(tmp_path / "m"), code=2)
    assert "cannot be started" in out
    assert not (tmp_path / "m").exists()


def test_a_fault_of_a_botzone_bot_can_be_run_again_from_the_command_line(tmp_path):
    words = ("--rules", "guobiao", "-n", "1", "--seating", "fixed", "--quiet", "--out", str(tmp_path / "m"))
    out = run("match", LIAR, "--vs", "tsumogiri", *words)
    assert "Faults of liar: 1 × illegal, first in game 0, seat 0, request 7" in " ".join(out.split())
    hint = re.search(r"`janshi (replay .* 0 --seat 0 --request 7 --format json)` writes", " ".join(out.split()))
    assert hint is not None
    assert len(json.loads(run(*hint[1].split()))["requests"]) == 7
    assert run("replay", str(tmp_path / "m"), "0", "--seat", "0").count("\n") == 7
    assert "--request needs --seat" in run("replay", str(tmp_path / "m"), "0", "--request", "7", code=2)
    assert "seats are 0 to 3, not 4" in run("replay", str(tmp_path / "m"), "0", "--seat", "4", code=2)


@pytest.mark.parametrize("form", ["round-robin", "swiss"])
def test_standings_show_faults(form: str):
    words = ("--rules", "guobiao", "-n", "1", "--seating", "fixed", "--quiet", "--format", form)
    rounds = ("--rounds", "1") if form == "swiss" else ()
    out = run("tournament", LIAR, "tsumogiri", "random", "greedy", *words, *rounds)
    head, row = (line for line in out[out.index("Standings") :].splitlines() if "faults" in line or "liar  " in line)
    assert re.split(r"[│┃]", row)[re.split(r"[│┃]", head).index(" faults ")].strip() == "1"
    assert out.count("Faults of liar: 1 × illegal") == 1
