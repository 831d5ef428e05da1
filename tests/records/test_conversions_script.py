"""The script that converts the games of the record packs: its order, and that it continues where it stopped."""

from __future__ import annotations

import io
import json
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest
from guobiao_played import played_hand
from played import played_name, played_text

from janshi.records.botzone import text
from script_modules import load_script

script = load_script("conversions")
GAMES = {"one": 5, "two": 3}


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """A folder of two small packs and their list."""
    folder, lines, seed = tmp_path / "records", ["pack\tfile"], 0
    folder.mkdir()
    for pack, games in GAMES.items():
        with tarfile.open(folder / f"{pack}.tar.xz", "w:xz") as packed:
            for _ in range(games):
                seed += 1
                entry, content = tarfile.TarInfo(f"{pack}/{played_name(seed)}"), played_text(seed, hands=1)
                entry.size = len(content)
                packed.addfile(entry, io.BytesIO(content))
                lines.append(f"{pack}\t{played_name(seed)}")
    (folder / "games.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def run(records: Path, monkeypatch: pytest.MonkeyPatch, *words: str) -> str:
    """Run the script; the page it wrote."""
    page, notes = records.parent / "page.md", records.parent / "notes.jsonl"
    given = ["--records", str(records), "--page", str(page), "--notes", str(notes), "-j", "1", *words]
    monkeypatch.setattr(sys, "argv", ["conversions.py", *given])
    page.unlink(missing_ok=True)
    assert script.main() == 0
    return page.read_text(encoding="utf-8")


def noted_games(records: Path) -> list[str]:
    lines = (records.parent / "notes.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    return [name for line in lines for name in json.loads(line)["games"]]


def test_a_run_continues_with_the_games_that_are_left(records: Path, monkeypatch: pytest.MonkeyPatch):
    page = run(records, monkeypatch, "--games", "2")
    assert "4 of the 8 games of the record packs" in page
    assert "| one | 2 | 5 | 2 | 28 | 0 | 0 |" in page
    begun = noted_games(records)
    assert run(records, monkeypatch, "--report") == page
    page = run(records, monkeypatch)
    assert "Every game (8) of the record packs" in page
    assert "| **all** | 8 | 8 | 8 | 112 | 0 | 0 |" in page
    done = noted_games(records)
    assert done[: len(begun)] == begun
    assert len(done) == len(set(done)) == sum(GAMES.values())


def test_other_records_are_converted_from_their_own_formats(records: Path, monkeypatch: pytest.MonkeyPatch):
    guobiao = records.parent / "guobiao"
    guobiao.mkdir()
    hands = "".join(text.write(played_hand(seed)) for seed in (1, 3))
    (guobiao / "sample_games.txt").write_text(hands, encoding="utf-8")
    page = run(records, monkeypatch, "--games", "1")
    assert "| Botzone text | 2 | 6 | 0 | 0 |" in page
    assert "| Botzone match log | 2 | 6 | 0 | 0 |" in page
    assert "| majiang JSON | 2 | 42 | 0 | 0 |" in page


def test_games_are_tried_again_when_the_source_has_changed(records: Path, monkeypatch: pytest.MonkeyPatch):
    run(records, monkeypatch, "--games", "1")
    monkeypatch.setattr(script, "fingerprint", lambda: "another")
    page = run(records, monkeypatch, "--report")
    assert "2 of the 8 games" in page
    assert "The source has changed since these games were converted" in page
    before = (records.parent / "notes.jsonl").read_text(encoding="utf-8")
    assert "has changed" not in run(records, monkeypatch, "--games", "1")
    assert (records.parent / "notes.jsonl").read_text(encoding="utf-8") != before
    assert len(noted_games(records)) == 2, "anew"


def test_a_line_cut_short_is_done_again(records: Path, monkeypatch: pytest.MonkeyPatch):
    run(records, monkeypatch)
    notes = records.parent / "notes.jsonl"
    notes.write_text(notes.read_text(encoding="utf-8")[:-20], encoding="utf-8")
    assert "Every game (8)" not in run(records, monkeypatch, "--report")
    notes.write_text(notes.read_text(encoding="utf-8")[:-1], encoding="utf-8")
    assert "Every game (8)" in run(records, monkeypatch)
    assert "Every game (8)" in run(records, monkeypatch, "--report")


def test_packs_take_turns_and_doubled_games_contain_the_same():
    assert list(script.rounds(100)) == [40, 80, 100]
    assert list(script.rounds(7)) == [7]
    for games in (1, 3, 40):
        fewer, more = script.evenly_spread(games, 717), script.evenly_spread(2 * games, 717)
        assert len(fewer) == games
        assert fewer < more
    assert script.evenly_spread(99, 20) == set(range(20))


def test_what_goes_wrong_is_reported():
    chunk: list[tuple[str, Any]] = [("good", played_text(1, hands=1)), ("bad", b"<mjloggm")]
    tally = script.convert_chunk(chunk)
    assert tally.games == 1
    assert len(tally.wrong) == 1
    assert tally.wrong[0].startswith("`bad`: cannot be read")
