"""Agreement with a reviewer that only answers: an agent, or a program that speaks mjai, which answers the same."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from janshi.cli import app
from janshi.luck.agreement import NO_ANSWER, compare
from janshi.records.formats import read_file
from janshi.records.model import GameRecord
from janshi.web.review.games import follow
from patience import PATIENCE

BOTS = Path(__file__).resolve().parents[1] / "bots"


@pytest.fixture(scope="module")
def path(shared: Path) -> Path:
    return shared / "fixtures" / "Equim-chan-mjai-reviewer" / "ranked_game.json"


@pytest.fixture(scope="module")
def record(path: Path) -> GameRecord:
    return read_file(path)


def bot(name: str) -> str:
    return f"mjai,seconds={PATIENCE},start_seconds={PATIENCE}:{sys.executable} {BOTS / name}"


def test_every_decision_of_a_player_is_compared(record: GameRecord):
    found = list(compare(record, "greedy", [1]))
    recorded = follow(record, "tenhou6")
    asked = [one for hand in range(recorded.hands) for one in recorded.questions(hand) if one.seat == 1]
    assert [one.hand for one in found] == [question.hand for question in asked]
    assert {one.seat for one in found} == {1}
    assert 0 < sum(one.agreed for one in found) < len(found)


def test_a_program_answers_as_the_agent_inside_it(record: GameRecord):
    program = f"mjai,seconds={PATIENCE},start_seconds={PATIENCE}:{sys.executable} -m janshi bot mjai --agent greedy"
    assert list(compare(record, program, [2])) == list(compare(record, "greedy", [2]))


def test_an_answer_that_is_not_legal_agrees_with_nothing(record: GameRecord):
    found = list(compare(record, bot("illegal.py"), [0]))
    assert any(one.answer == NO_ANSWER and not one.agreed for one in found)
    assert any(one.answer_name == "no legal answer" for one in found)


def test_a_program_that_dies_is_an_error(record: GameRecord):
    with pytest.raises(ValueError, match="crash"):
        list(compare(record, bot("crash_in_game.py"), [0]))


def test_the_command_prints_agreement_and_differences(path: Path):
    said = CliRunner().invoke(app, ["review", str(path), "--by", "greedy", "--player", "1", "--differences", "2"])
    assert said.exit_code == 0, said.output
    assert "Agreement with greedy" in said.output
    assert "Differences (2 of " in said.output
    listed = CliRunner().invoke(app, ["review", str(path), "--by", "greedy", "--player", "Bさん", "--json"])
    rows = json.loads(listed.output)
    assert {row["name"] for row in rows} == {"Bさん"}
    assert all(row["agreed"] == (row["played"] == row["reviewer"]) for row in rows)


def test_an_unknown_player_is_refused(path: Path):
    said = CliRunner().invoke(app, ["review", str(path), "--player", "nobody"])
    assert said.exit_code != 0
    assert "no player is called 'nobody'" in said.output
