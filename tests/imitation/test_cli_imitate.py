"""`janshi records compact` and `janshi train imitate` on the command line."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from janshi.agents.registry import make_agent
from janshi.cli import app
from janshi.rules.registry import make_game

SMALL = ["width=16", "blocks=1", "heads=2", "hidden=16", "batch=64", "steps=4", "warmup=1"]


def settings(*more):
    return [word for setting in (*SMALL, *more) for word in ("--set", setting)]


def run(*command):
    return CliRunner().invoke(app, [str(word) for word in command])


def test_compact_and_learn(small_dataset, tmp_path):
    pytest.importorskip("torch")
    done = run("records", "compact", small_dataset, tmp_path / "small.hands")
    assert done.exit_code == 0, done.output
    assert "hands to" in done.output
    out = tmp_path / "run"
    command = ["train", "imitate", "--data", tmp_path / "small.hands", "--out", out, "--device", "cpu", "--threads", 1]
    done = run(*command, *settings())
    assert done.exit_code == 0, done.output
    assert "apprentice:file=" in done.output
    figures = json.loads((out / "figures.json").read_text())
    assert 0 < figures["agreement"]["all decisions"]["share"] < 1
    agent = make_agent(f"apprentice:file={out / 'network.npz'}", make_game("riichi"))
    assert agent.card["config"]["width"] == 16
    assert agent.card["figures"] == figures["agreement"]
    again = run(*command)
    assert again.exit_code == 0, again.output
    assert "going on at step 4 of 4" in again.output
    before = (out / "config.json").read_text()
    other = run(*command, *settings("width=32"))
    assert other.exit_code != 0
    assert "began with width=16" in other.output
    assert "Traceback" not in other.output
    assert (out / "config.json").read_text() == before
    assert run(*command, *settings()).exit_code == 0, "the same settings again are no change"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (["--data", "nowhere.hands"], "nowhere.hands cannot be read"),
        (["--set", "breadth=3"], "no setting is called 'breadth'"),
        (["--rules", "guobiao"], "no setting is called 'heads'"),
        (["--test-packs", "nowhere"], "no pack is called nowhere"),
        (["--set", "packs=nowhere"], "no pack is called nowhere"),
    ],
)
def test_mistakes_are_named(compact_file, tmp_path, changes, told):
    pytest.importorskip("torch")
    done = run("train", "imitate", "--data", compact_file, "--out", tmp_path / "run", *settings(), *changes)
    assert done.exit_code != 0
    assert told in done.output
    assert "Traceback" not in done.output


def test_no_data_set_is_named(tmp_path):
    done = run("records", "compact", tmp_path, tmp_path / "small.hands")
    assert done.exit_code != 0
    assert tmp_path.name in done.output
