"""`janshi records …` with Botzone's texts and match logs."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import pytest
from guobiao_played import played_hand
from played import played_name, played_text
from typer.testing import CliRunner

from janshi.cli import app
from janshi.records import sources
from janshi.records.botzone import log, text
from janshi.records.botzone.model import Act
from janshi.records.sources import Sources

SEEDS = (1, 3, 7)
runner = CliRunner()


def run(*arguments: object):
    return runner.invoke(app, ["records", *map(str, arguments)])


@pytest.fixture
def hands(tmp_path: Path) -> Path:
    """A text of three hands."""
    path = tmp_path / "hands.txt"
    path.write_text(text.write_all(map(played_hand, SEEDS)), encoding="utf-8")
    return path


@pytest.fixture
def match(tmp_path: Path) -> Path:
    """The log of one hand."""
    path = tmp_path / "match.json"
    path.write_text(log.write(played_hand(7)), encoding="utf-8")
    return path


# --- validate


def test_validate_both_forms(hands: Path, match: Path):
    done = run("validate", hands, match)
    assert done.exit_code == 0, done.output
    assert done.stdout == "4 games, 4 hands: 0 disagreements, 0 explained; 0 games cannot be read\n"


def test_validate_finds_botzone_files_in_folders_and_archives(hands: Path, match: Path, tmp_path: Path):
    (tmp_path / "notes.txt").write_text("Matches of Monday\n")
    (tmp_path / played_name(1)).write_bytes(played_text(1))
    archive = tmp_path.parent / f"{tmp_path.name}.tar"
    with tarfile.open(archive, "w") as packed:
        packed.add(tmp_path, "all")
    for path in (tmp_path, archive):
        done = run("validate", path)
        assert done.exit_code == 0, done.output
        assert done.stdout.startswith("5 games, ")


def test_validate_names_hand_and_event(hands: Path):
    content = hands.read_text(encoding="utf-8")
    second = content.index("Match hand-3")
    hands.write_text(content[:second] + content[second:].replace(" Draw ", " Play ", 1), encoding="utf-8")
    done = run("validate", hands)
    assert done.exit_code == 1
    assert "hands.txt: hand 2 (hand-3), event 1 (player 0 Play): " in done.stdout
    assert "3 hands: 1 disagreement, " in done.stdout


def test_validate_names_what_cannot_be_read(match: Path):
    match.write_text(match.read_text().replace('"PLAY ', '"THROW ').replace(" PLAY ", " THROW "))
    done = run("validate", match)
    assert done.exit_code == 1
    assert "match.json: entry " in done.stdout
    assert "'THROW' is not an action of the protocol" in done.stdout


# --- convert


def test_convert_between_the_forms(hands: Path, tmp_path: Path):
    logs = tmp_path / "logs"
    done = run("convert", hands, logs, "--to", "botzone_log")
    assert done.exit_code == 0, done.output
    assert sorted(path.name for path in logs.iterdir()) == ["hand-1.json", "hand-3.json", "hand-7.json"]
    assert run("validate", logs).exit_code == 0
    back = tmp_path / "back.txt"
    assert run("convert", logs / "hand-3.json", back).exit_code == 0
    assert text.read_all(back.read_text(encoding="utf-8")) == text.read_all(text.write(played_hand(3)))
    again = tmp_path / "again.txt"
    assert run("convert", hands, again).exit_code == 0
    assert again.read_bytes() == hands.read_bytes()


def test_convert_keeps_the_walls_of_a_log(match: Path, tmp_path: Path):
    out = tmp_path / "out.json"
    assert run("convert", match, out).exit_code == 0
    assert json.loads(out.read_text())["initdata"] == json.loads(match.read_text())["initdata"]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["out.dat"], "unknown format: add --to botzone or --to botzone_log"),
        (["out.mjlog"], "which cannot be written as .mjlog: add --to botzone or --to botzone_log"),
        (["out", "--to", "mjai"], "holds Guobiao hands, which can be written as botzone, botzone_log, not as mjai"),
        (["out.json"], "hands.txt holds 3 hands: name a folder and add --to botzone_log"),
        (["--to", "botzone_log"], "hands.txt holds 3 hands: name a folder to write them to"),
    ],
)
def test_convert_refuses_clearly(hands: Path, tmp_path: Path, arguments: list[str], problem: str):
    places = [tmp_path / word if word.startswith("out") else word for word in arguments]
    done = run("convert", hands, *places)
    assert done.exit_code == 2
    assert problem in done.stderr
    assert "Traceback" not in done.output
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hands.txt"]


def test_a_riichi_game_is_not_written_as_guobiao(tmp_path: Path):
    game = tmp_path / played_name(1)
    game.write_bytes(played_text(1))
    done = run("convert", game, tmp_path / "x.txt", "--to", "botzone")
    assert done.exit_code == 2
    assert "holds a riichi game, which can be written as mjlog" in done.stderr
    done = run("convert", game, tmp_path / "x.txt")
    assert done.exit_code == 2
    assert "which cannot be written as .txt: add --to mjlog, --to tenhou6 or --to mjai" in done.stderr


# --- stats and show


def test_stats_of_guobiao_hands(hands: Path):
    records = [played_hand(seed) for seed in SEEDS]
    done = run("stats", hands, "--json")
    data = json.loads(done.stdout)["guobiao"]
    assert data["hands"] == len(records)
    wins = [hand for hand in records if hand.fan is not None]
    assert data["win rate"]["value"] == pytest.approx(len(wins) / (4 * len(records)))
    assert data["draw rate"]["value"] == pytest.approx(sum(hand.is_draw for hand in records) / len(records))
    assert data["average fan of a win"]["value"] == pytest.approx(sum(hand.fan for hand in wins) / len(wins))
    called = sum(len({e.player for e in hand.events if e.act in (Act.CHI, Act.PENG, Act.KONG)}) for hand in records)
    assert data["call rate"]["value"] == pytest.approx(called / (4 * len(records)))
    shown = run("stats", hands).stdout
    assert "Guobiao, all seats: 3 hands" in shown
    assert "Fan in most wins:" in shown
    assert "leave out --player" in run("stats", hands, "--player", "ann").stderr


def test_stats_of_both_kinds_of_games(hands: Path, tmp_path: Path):
    (tmp_path / played_name(1)).write_bytes(played_text(1))
    data = json.loads(run("stats", tmp_path, "--json").stdout)
    assert set(data) == {"all players", "guobiao"}


def test_show_guobiao_hands(hands: Path):
    record = played_hand(7)
    done = run("show", hands, "--hand", "3")
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0].startswith("Hand 3 (hand-7), prevalent wind ")
    assert sum("  play " in line for line in lines) == sum(event.act == Act.PLAY for event in record.events)
    assert f"{record.fan} fan (" in done.stdout
    assert run("show", hands).stdout.count("prevalent wind") == 3
    hidden = run("show", hands, "--hand", "3", "--player", "0").stdout.splitlines()
    assert all(len(line.split()) <= 6 for line in hidden if " South  " in line)
    assert "hands 1 to 3, not 4" in run("show", hands, "--hand", "4").stderr


# --- large texts


def test_large_texts_are_read_in_pieces(hands: Path, monkeypatch):
    monkeypatch.setattr(sources, "MAX_BYTES", 1000)
    monkeypatch.setattr(sources, "PIECE_BYTES", 100)
    names = [file.name for file in Sources([hands])]
    content = hands.read_text(encoding="utf-8").splitlines()
    firsts = [number for number, line in enumerate(content, 1) if line.startswith("Match ")]
    assert names == [f"hands.txt from line {first}" for first in firsts]
    assert run("validate", hands).stdout.startswith("3 games, 3 hands: 0 disagreements")
