"""`janshi career`: import, show, export, delete."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from janshi.cli.command import app
from own_games import ME, MINE, OTHERS, played_game, played_name, write_games


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with a career, its luck measured."""
    place = tmp_path_factory.mktemp("data")
    folder = write_games(place / "games", (*MINE, *OTHERS))
    (folder / "bad.json").write_text("{}")
    done = run("import", str(folder), "--me", ME, "--data", str(place))
    assert done.exit_code == 1, done.output  # one file could not be read
    assert f"{len(MINE) + len(OTHERS)} games imported, 0 copies, 1 could not be read" in done.output
    assert "games/bad.json" in done.stderr
    return place


def run(*words: str):
    return CliRunner().invoke(app, ["career", *words])


def test_show(data: Path):
    done = run("show", "--data", str(data))
    assert done.exit_code == 0, done.output
    assert done.output.startswith(f"{ME}: {len(MINE)} games\nrank ")
    assert "without luck" in done.output
    assert "deal-in" in done.output


def test_show_as_json(data: Path):
    found = json.loads(run("show", "--data", str(data), "--json").output)
    assert (found["names"], found["games"]) == ([ME], len(MINE))
    seats = [next(seat for seat in range(4) if played_game(seed).names[seat] == ME) for seed in MINE]
    assert found["figures"]["seat3"]["rank"]["number"] == seats.count(3)


def test_an_unknown_name_is_refused_with_those_found(data: Path):
    done = run("show", "--data", str(data), "--me", "nobody")
    assert done.exit_code == 2
    assert "no imported game has a player called 'nobody'" in done.stderr
    assert ME in done.stderr


def test_the_same_import_again_finds_copies(data: Path):
    done = run("import", str(data / "games" / played_name(MINE[0])), "--data", str(data), "--no-luck")
    assert done.exit_code == 0
    assert "0 games imported, 1 copies" in done.output


def test_missing_paths_are_an_error(data: Path, tmp_path: Path):
    done = run("import", str(tmp_path / "nothing"), "--data", str(data))
    assert (done.exit_code, "there is no file or folder" in done.stderr) == (2, True)


def test_export_and_delete(data: Path, tmp_path: Path):
    out = tmp_path / "all.zip"
    assert run("export", str(out), "--data", str(data)).output.endswith(f"{len(MINE) + len(OTHERS)} records\n")
    assert zipfile.is_zipfile(out)
    again = tmp_path / "data"
    run("import", str(out), "--data", str(again), "--no-luck")
    assert run("delete", "--data", str(again)).exit_code == 1, "it asks first"
    assert run("delete", "--data", str(again), "--yes").output == f"{len(MINE) + len(OTHERS)} games deleted\n"
    assert "no games yet" in run("show", "--data", str(again)).stderr
