"""`janshi explain`: positions from tiles and records, and what an agent says of them."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from janshi.agents.base import Asked
from janshi.agents.registry import make_agent
from janshi.arena.match import run_match
from janshi.arena.plan import Plan
from janshi.arena.replay import game_text
from janshi.arena.store import MatchStore
from janshi.cli import app
from janshi.rules.batch import Batch
from janshi.rules.registry import make_game
from janshi.show.explain import number_text

QUICK = "montecarlo:rollouts=400"


def run(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["explain", *words])
    assert result.exit_code == code, result.output
    return result.output


def test_a_hand_as_people_write_it():
    out = run("123m406p789s1122z5m", "--agent", QUICK, "--dora", "3p", "--seed", "-1")
    assert "East (25,000): 123m406p789s1122z + 5m" in out
    assert "riichi, discard 5m" in out
    assert "Tenpai: right" in out
    for column in ("win", "deal-in", "points", "rank", "danger left"):
        assert column in out


@pytest.fixture(scope="module")
def record(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("match")
    run_match(Plan("riichi/tenhou_east", ("careful",), ((0, 0, 0, 0),), 1, seed=3), path / "m")
    file = path / "game.json"
    file.write_text(game_text(MatchStore(path / "m"), 0, "tenhou6"))
    return file


def test_a_turn_of_a_record_marks_what_was_played(record):
    out = run(str(record), "--hand", "2", "--player", "2", "--turn", "3", "--agent", QUICK)
    assert "layed" in out
    assert "East 2" in out or "East 1, honba 1" in out
    rows = [line.split("│") for line in out.splitlines() if line.count("│") > 2] or [
        re.split(r"\s{2,}", line.strip()) for line in out.splitlines() if "–" in line
    ]
    assert not any(sum(cell.strip() == "–" for cell in row) >= 5 for row in rows), out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("123m",), "14 tiles, not 3"),
        (("no_such_file.json",), "no_such_file.json is neither a file nor a list of tiles"),
        (
            ("123m406p789s1122z5m", "--agent", "greedy"),
            "cannot explain itself; careful, montecarlo, mdp, one_player, apprentice, regular, casual, beginner, "
            "newcomer can",
        ),
        (("123m406p789s1122z5m", "--agent", "nobody"), "no agent is called"),
    ],
)
def test_mistakes_take_one_line(words, told):
    assert told in run(*words, code=2)


def test_a_folder_tells_its_first_game(record, tmp_path):
    (tmp_path / record.name).write_bytes(record.read_bytes())
    words = ("--turn", "3", "--agent", "careful")
    assert run(str(tmp_path), *words) == run(str(record), *words)
    record_free = tmp_path / "empty"
    record_free.mkdir()
    assert "empty holds no recorded game" in run(str(record_free), code=2)


def test_a_turn_that_is_not_there_is_named(record):
    assert "turns there, not 99" in run(str(record), "--turn", "99", code=2)


def test_numbers_are_written_as_people_read_them():
    assert number_text("win", 0.123) == "12.3 %"
    assert number_text("draw", 0.185) == "18.5 %"
    assert number_text("danger left", 0.05) == "5.0 %"
    assert number_text("points", 1234.4) == "+1,234"
    assert number_text("rank", 2.34567) == "2.346"
    assert number_text("rank", None) == "–"


@pytest.mark.parametrize("label", ["careful", "one_player"])
def test_what_is_explained_is_what_is_played(label):
    game = make_game("riichi/tenhou_east")
    agent, batch = make_agent(label, game), Batch(game, tables=8, seed=3)
    looked = 0
    for _ in range(120):
        views = batch.views()
        words = np.zeros(len(views), np.uint64)
        answers = agent.act(Asked(game, views, words, np.zeros(len(views), np.int64)))
        for answer, told, mask in zip(answers, agent.explain(views), game.masks_of_views(views)):
            assert told.best.action == answer
            assert sorted(choice.action for choice in told.choices) == np.flatnonzero(mask).tolist()
            known = [v for c in told.choices[1:] if (v := next(iter(c.numbers.values()))) == v]
            assert known == sorted(known, reverse=True)
            looked += len(known) > 3
        batch.step(batch.random_actions())
    assert looked > 50, "discards were given their numbers"


def test_the_careful_player_shows_danger():
    out = run("19m19p19s1234567z5m", "--agent", "careful")
    assert "cost in points" in out
    assert "Tenpai: right 0 %" in out
