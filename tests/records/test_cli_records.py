"""`janshi records …`: what it prints, what it leaves, how it refuses."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from played import played_game, played_name, played_text
from rich.console import Console
from typer.testing import CliRunner

from janshi.cli import app
from janshi.cli.records.show import _print_story
from janshi.records.describe import hand_story, story_lines
from janshi.records.formats import read_file
from janshi.records.model import Kind

runner = CliRunner()


def run(*arguments: object):
    return runner.invoke(app, ["records", *map(str, arguments)])


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / played_name(1)
    path.write_bytes(played_text(1))
    return path


@pytest.fixture
def games(tmp_path: Path) -> Path:
    folder = tmp_path / "games"
    folder.mkdir()
    for seed in range(6):
        (folder / played_name(seed)).write_bytes(played_text(seed))
    return folder


def test_help_of_every_command_tells_something():
    for command in ("validate", "convert", "import", "stats", "show"):
        done = run(command, "--help")
        assert done.exit_code == 0
        assert len(done.stdout.splitlines()) > 8


def test_help_imports_no_engine_and_no_pyarrow():
    code = (
        "import sys, janshi.cli, janshi.cli.records\n"
        "print([name for name in ('numpy', 'numba', 'pyarrow', 'rich.progress') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "arguments",
    [
        ("validate", "nowhere"),
        ("stats", "nowhere"),
        ("show", "nowhere"),
        ("convert", "nowhere", "x.json"),
        ("import", "nowhere", "--out", "set"),
    ],
)
def test_a_path_that_is_not_there_is_one_clear_line(arguments: tuple[str, ...], tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run(*arguments)
    assert done.exit_code == 2
    assert done.stderr.strip() == f"janshi records {arguments[0]}: there is no file or folder nowhere"
    assert not list(tmp_path.iterdir())


# --- validate


def test_validate_agrees(games: Path):
    done = run("validate", games)
    assert done.exit_code == 0
    assert "6 games" in done.stdout
    assert "0 disagreements" in done.stdout


def test_validate_prints_disagreements_and_broken_files(game: Path, tmp_path: Path):
    text = game.read_text()
    start = text.index('ten="', text.index("<AGARI"))
    game.write_text(text[:start] + 'ten="110' + text[text.index(",", start) :])
    (tmp_path / "broken.mjlog").write_text('<mjloggm ver="2.3"><GO type="1"')
    done = run("validate", tmp_path)
    assert done.exit_code == 1
    assert "check failed: fu are equal" in done.stdout
    assert "broken.mjlog" in done.stdout
    assert "Traceback" not in done.output


def test_validate_finds_nothing(tmp_path: Path):
    done = run("validate", tmp_path)
    assert done.exit_code == 2
    assert "no recorded game" in done.stderr


def test_an_empty_file_is_called_empty(tmp_path: Path):
    (tmp_path / "game.mjlog").touch()
    assert "game.mjlog: is empty, expected a recorded game" in run("validate", tmp_path).stdout


def test_help_is_wrapped_as_the_terminal_is_wide():
    done = runner.invoke(app, ["records", "convert", "--help"], env={"COLUMNS": "60"})
    about = done.stdout[done.stdout.index("OUT's ending") : done.stdout.index("╭")]
    *lines, _ = [line.strip() for line in about.splitlines() if line.strip()]
    assert min(map(len, lines)) > 40, about


# --- convert


def test_convert_there_and_back(game: Path, tmp_path: Path):
    assert run("convert", game, tmp_path / "a.jsonl").exit_code == 0
    assert run("convert", tmp_path / "a.jsonl", tmp_path / "b.json.gz").exit_code == 0
    assert run("convert", tmp_path / "b.json.gz", tmp_path / "c.mjlog").exit_code == 0
    assert gzip.decompress((tmp_path / "b.json.gz").read_bytes())[:1] == b"{"
    assert [len(hand.events) for hand in read_file(tmp_path / "c.mjlog").hands] == [
        len(hand.events) for hand in played_game(1).hands
    ]


def test_convert_to_stdout(game: Path):
    done = run("convert", game, "--to", "tenhou6")
    assert len(json.loads(done.stdout)["log"]) == len(played_game(1).hands)


def test_convert_a_folder(games: Path, tmp_path: Path):
    (games / "bad.mjlog").write_text("<mjloggm><")
    done = run("convert", games, tmp_path / "out", "--to", "mjai")
    assert done.exit_code == 1
    assert "bad.mjlog" in done.stderr
    written = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert written == sorted(Path(played_name(seed)).stem + ".jsonl" for seed in range(6))


def test_convert_leaves_nothing_when_it_fails(tmp_path: Path):
    (tmp_path / "bad.mjlog").write_text("<mjloggm><")
    done = run("convert", tmp_path / "bad.mjlog", tmp_path / "out.json")
    assert done.exit_code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["bad.mjlog"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["out.txt"], "holds a riichi game, which cannot be written as .txt: add --to mjlog, "),
        (["out.dat"], "unknown format"),
        (["out.json", "--to", "pdf"], "no record format is called 'pdf'"),
        ([], "unknown"),
    ],
)
def test_convert_asks_for_the_format(game: Path, arguments: list[str], message: str):
    done = run("convert", game, *arguments)
    assert done.exit_code == 2
    assert message in done.stderr


def test_convert_never_writes_over_what_it_reads(game: Path, games: Path):
    before = game.read_bytes()
    assert "is the input: name another" in run("convert", game, game.parent / "." / game.name).stderr
    assert "is the input: name another" in run("convert", games, games, "--to", "mjlog").stderr
    assert game.read_bytes() == before


def test_convert_refuses_a_file_for_many_games_and_a_folder_of_none(games: Path, tmp_path: Path):
    file, empty = tmp_path / "file", tmp_path / "empty"
    file.touch()
    empty.mkdir()
    assert "is a file, expected a folder" in run("convert", games, file, "--to", "mjai").stderr
    assert "empty holds no recorded game" in run("convert", empty, tmp_path / "out", "--to", "mjai").stderr


# --- import


def test_import(games: Path, tmp_path: Path):
    pytest.importorskip("pyarrow")
    done = run("import", games, "--out", tmp_path / "set", "--workers", "1")
    assert done.exit_code == 0, done.output
    assert "6 games" in done.stdout
    again = run("import", games, "--out", tmp_path / "set", "--workers", "1")
    assert "1 of 1 units were done before" in again.stdout


def test_import_without_pyarrow_says_what_to_install(games: Path, tmp_path: Path):
    code = "import sys; sys.modules['pyarrow'] = None; from janshi.cli import main; main()"
    command = [sys.executable, "-c", code, "records", "import", str(games), "--out", str(tmp_path / "set")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "pip install 'janshi[records]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_import_interrupted_says_how_to_go_on(games: Path, tmp_path: Path, monkeypatch):
    pytest.importorskip("pyarrow")
    from janshi.records import importer as importing

    def interrupt(*_) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(importing, "import_unit", interrupt)
    done = run("import", games, "--out", tmp_path / "set", "--workers", "1")
    assert done.exit_code == 130
    assert "same command again" in done.stderr


def test_import_refuses_a_file_and_what_holds_no_game(games: Path, tmp_path: Path):
    pytest.importorskip("pyarrow")
    file, empty = tmp_path / "file", tmp_path / "empty"
    file.write_text("{nonsense")
    empty.mkdir()
    assert "file is a file, expected a folder" in run("import", games, "--out", file).stderr
    done = run("import", empty, "--out", tmp_path / "set")
    assert (done.exit_code, "no recorded game was found" in done.stderr) == (2, True)
    assert not (tmp_path / "set").exists()
    done = run("import", file, "--out", tmp_path / "set", "--workers", "1")
    assert (done.exit_code, "1 game left out" in done.stdout) == (1, True)


# --- stats


def test_stats(games: Path):
    done = run("stats", games)
    assert done.exit_code == 0
    for word in ("win rate", "deal-in rate", "riichi rate", "call rate", "draw rate", "average win by hand value"):
        assert word in done.stdout
    assert "6 games" in done.stdout


def test_stats_of_a_player_and_of_many(games: Path):
    assert "average rank" in run("stats", games, "--player", "ann").stdout
    many = run("stats", games, "--min-games", "2").stdout
    assert "ann" in many
    assert "all players" in many
    missing = run("stats", games, "--player", "nobody")
    assert missing.exit_code == 2
    assert "no player called 'nobody'" in missing.stderr


def test_stats_of_many_fit_a_narrow_terminal(games: Path, monkeypatch):
    monkeypatch.setattr("janshi.cli.records.games.TABLE_WIDTH", 80)
    done = run("stats", games, "--min-games", "1")
    assert "…" not in done.stdout
    assert "±–" not in done.stdout
    assert "a wider terminal also shows" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_stats_as_json(games: Path):
    data = json.loads(run("stats", games, "--json", "--min-games", "1").stdout)
    assert data["all players"]["games"] == 6
    assert data["ann"]["win rate"]["low"] <= data["ann"]["win rate"]["value"] <= data["ann"]["win rate"]["high"]


def test_stats_of_some_games(games: Path):
    assert run("stats", games, "--length", "east").exit_code == 0
    assert "no such game" in run("stats", games, "--length", "south").stderr
    assert "no table is called" in run("stats", games, "--level", "gold").stderr


def test_stats_tells_what_it_left_out(games: Path):
    (games / "bad.mjlog").write_text("<mjloggm><")
    done = run("stats", games)
    assert done.exit_code == 0
    assert "left out: games/bad.mjlog" in done.stderr


# --- show


def test_show_a_hand(game: Path):
    record = played_game(1)
    done = run("show", game, "--hand", "2")
    assert done.exit_code == 0
    assert "East" in done.stdout
    assert "discards" in done.stdout
    assert "Score changes:" in done.stdout
    steps = [line for line in done.stdout.splitlines() if "discards" in line]
    assert len(steps) == sum(event.kind == 1 for event in record.hands[1].events)


def test_show_counts_events_as_messages_do(game: Path):
    record = read_file(game)
    for index, hand in enumerate(record.hands):
        steps = hand_story(record, index).steps
        for step in steps:
            if step.words == "discards":
                event = hand.events[step.event - 1]
                assert (event.kind, event.player) == (Kind.DISCARD, step.player)
        assert steps[0].event == 2, "the first discard, after its draw"
    lines = run("show", game, "--hand", "1").stdout.splitlines()
    assert next(line for line in lines if "discards" in line).startswith("   2  East ")


def test_show_wins_with_yaku(game: Path):
    text = run("show", game).stdout
    wins = sum(len(hand.wins) for hand in played_game(1).hands)
    assert text.count(" wins by ") == wins
    assert " han" in text


def test_show_one_players_hand_only(game: Path):
    lines = run("show", game, "--hand", "1", "--player", "2").stdout.splitlines()
    hidden = [line for line in lines if " South  " in line and "discards" in line]
    assert hidden
    assert all(line.split()[2] == "discards" for line in hidden)


def test_show_tells_where_a_record_cannot_be_followed(game: Path):
    record = read_file(game)
    discards = [i for i, event in enumerate(record.hands[0].events) if event.kind == Kind.DISCARD]
    del record.hands[0].events[discards[3] :]
    lines = list(story_lines(hand_story(record, 0)))
    assert sum("discards" in line for line in lines) == 3
    assert "The engine cannot follow the record further:" in lines
    assert "check failed:" in lines[-1]


def test_show_in_a_terminal(game: Path):
    record = read_file(game)
    console = Console(force_terminal=True, width=120, file=io.StringIO(), color_system="truecolor")
    _print_story(console, hand_story(record, 0), None, True)
    assert "discards" in console.file.getvalue()


@pytest.mark.parametrize("arguments", [["--hand", "99"], ["--hand", "0"], ["--hand", "-1"], ["--player", "4"]])
def test_show_refuses_what_is_not_there(game: Path, arguments: list[str]):
    done = run("show", game, *arguments)
    assert done.exit_code == 2
    assert "Traceback" not in done.output
