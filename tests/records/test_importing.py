"""Importing: whole or not at all, resumable after any interruption, the same result however it was reached."""

from __future__ import annotations

import gzip
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from played import played_game, played_name, played_text

from patience import PATIENCE, group_lives, wait_until

pytest.importorskip("pyarrow", reason="data sets need pyarrow")

from janshi.records.dataset import Dataset, DatasetError
from janshi.records.importer import ERRORS, JOURNAL, import_records
from janshi.records.sources import Sources, game_id, looks_like_record

GAMES = 30


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games of built-in players, one broken file, one that lies, one second copy."""
    folder = tmp_path_factory.mktemp("games")
    for seed in range(GAMES):
        (folder / played_name(seed)).write_bytes(played_text(seed))
    text = played_text(GAMES).decode()
    (folder / played_name(900)).write_text(text[: len(text) // 2] + "<")
    (folder / played_name(901)).write_text(_lying(played_text(GAMES + 1).decode()))
    (folder / "again").mkdir()
    (folder / "again" / played_name(3)).write_bytes(played_text(3))
    (folder / "notes.txt").write_text("no game")
    return folder


def _lying(text: str) -> str:
    """A record whose first winner claims another fu."""
    start = text.index('ten="', text.index("<AGARI"))
    fu = text[start + 5 : text.index(",", start)]
    return text[:start] + f'ten="{int(fu) + 10}' + text[start + 5 + len(fu) :]


def files_of(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(out.iterdir())}


@pytest.fixture(scope="module")
def whole(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("whole") / "set"
    import_records([folder], out, workers=1, unit_games=5)
    return out


def test_broken_and_lying_games_are_left_out_whole_and_listed(folder: Path, whole: Path):
    listed = [json.loads(line) for line in (whole / ERRORS).read_text(encoding="utf-8").splitlines()]
    by_name = {game_id(entry["file"]): entry for entry in listed}
    assert set(by_name) == {game_id(played_name(n)) for n in (900, 901, 3)}
    assert "fu are equal" in by_name[game_id(played_name(901))]["what"]
    assert "hand" in by_name[game_id(played_name(901))]["place"]
    assert "second copy" in by_name[game_id(played_name(3))]["what"]
    games = set(Dataset(whole).hands("game").column("game").to_pylist())
    assert games == {game_id(played_name(seed)) for seed in range(GAMES)}
    assert Dataset(whole).summary == {
        "version": 1,
        "sources": [folder.name],
        "games": GAMES,
        "hands": len(Dataset(whole)),
        "decisions": int(Dataset(whole).column("decisions").sum()),
        "errors": 2,
        "duplicates": 1,
    }


def test_no_unfinished_file_is_left(whole: Path):
    assert not list(whole.glob("*.tmp"))


def test_two_workers_give_the_same_files(folder: Path, whole: Path, tmp_path: Path):
    import_records([folder], tmp_path / "set", workers=2, unit_games=5)
    assert files_of(tmp_path / "set") == files_of(whole)


def test_a_second_run_does_nothing(folder: Path, whole: Path):
    before = {path: path.stat().st_mtime_ns for path in whole.glob("*.parquet")}
    progress = import_records([folder], whole, workers=1, unit_games=5)
    assert progress.resumed == progress.units == len(before)
    assert before == {path: path.stat().st_mtime_ns for path in whole.glob("*.parquet")}


class _Stop(Exception):
    pass


@pytest.mark.parametrize("units", [1, 3])
def test_an_import_that_stopped_goes_on(folder: Path, whole: Path, tmp_path: Path, units: int):
    def stop(progress) -> None:
        if progress.units == units:
            raise _Stop

    out = tmp_path / "set"
    with pytest.raises(_Stop):
        import_records([folder], out, workers=1, unit_games=5, report=stop)
    assert not (out / "dataset.json").exists()
    (out / "part-00077.parquet.tmp").write_bytes(b"half a shard")
    progress = import_records([folder], out, workers=1, unit_games=5)
    assert progress.resumed == units
    assert files_of(out) == files_of(whole)


def test_a_cut_line_of_the_journal_is_done_again(folder: Path, whole: Path, tmp_path: Path):
    out = tmp_path / "set"
    import_records([folder], out, workers=1, unit_games=5)
    journal = out / JOURNAL
    journal.write_text(journal.read_text(encoding="utf-8")[:-40], encoding="utf-8")
    progress = import_records([folder], out, workers=1, unit_games=5)
    assert progress.resumed == progress.units - 1
    assert files_of(out) == files_of(whole)


KILLED = """
import os, signal, sys
from janshi.records.importer import import_records
if __name__ == "__main__":
    def report(progress):
        print(progress.units, flush=True)
    import_records([sys.argv[1]], sys.argv[2], workers=2, unit_games=5, report=report)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_a_damaged_shard_is_named_and_made_again(folder: Path, whole: Path, tmp_path: Path):
    out = tmp_path / "set"
    shutil.copytree(whole, out)
    shard = sorted(out.glob("part-*"))[1]
    shard.write_bytes(shard.read_bytes()[:-100])
    with pytest.raises(DatasetError, match=f"{shard.name} is damaged"):
        len(Dataset(out))
    with pytest.raises(DatasetError, match=f"{shard.name} is damaged"):
        Dataset(out).hands("game")
    done = import_records([folder], out, workers=1, unit_games=5)
    assert done.units - done.resumed == 1
    assert files_of(out) == files_of(whole)


def test_a_damaged_line_of_the_journal_is_done_again(folder: Path, whole: Path, tmp_path: Path):
    out = tmp_path / "set"
    shutil.copytree(whole, out)
    first, _, *others = (out / JOURNAL).read_text().split("\n")
    (out / JOURNAL).write_text("\n".join([first, "nonsense", *others]))
    done = import_records([folder], out, workers=1, unit_games=5)
    assert done.units - done.resumed == 1
    assert files_of(out) == files_of(whole)
    (out / JOURNAL).write_text("nonsense\n")
    with pytest.raises(DatasetError, match="holds an import of other paths"):
        import_records([folder], out, workers=1, unit_games=5)


def test_killed_in_the_middle_then_run_again(folder: Path, whole: Path, tmp_path: Path):
    script = tmp_path / "killed.py"
    script.write_text(KILLED)
    out = tmp_path / "set"
    process = subprocess.Popen(
        [sys.executable, str(script), str(folder), str(out)], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stdout is not None
    for line in process.stdout:
        if int(line) >= 2:
            process.send_signal(signal.SIGKILL)
            break
    process.wait()
    process.stdout.close()
    wait_until(lambda: not group_lives(process.pid), "its workers end when they see it gone")
    import_records([folder], out, workers=1, unit_games=5)
    assert files_of(out) == files_of(whole)


def test_other_paths_in_the_same_folder_are_refused(folder: Path, whole: Path, tmp_path: Path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.mjlog").write_bytes(played_text(1))
    with pytest.raises(DatasetError, match="other paths"):
        import_records([other], whole, workers=1)
    with pytest.raises(DatasetError, match="holds other files"):
        import_records([other], folder, workers=1)
    with pytest.raises(ValueError, match="there is no file or folder"):
        import_records([tmp_path / "nothing"], tmp_path / "set", workers=1)
    assert not (tmp_path / "set").exists()


def test_two_imports_into_one_folder_are_refused(folder: Path, tmp_path: Path):
    pytest.importorskip("fcntl")
    refused = []

    def second(progress) -> None:
        if not refused:
            with pytest.raises(DatasetError, match="another import is writing") as error:
                import_records([folder], tmp_path / "set", workers=1, unit_games=5)
            refused.append(error)

    import_records([folder], tmp_path / "set", workers=1, unit_games=5, report=second)
    assert refused


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_ctrl_c_leaves_an_import_that_goes_on(folder: Path, whole: Path, tmp_path: Path):
    script = tmp_path / "interrupted.py"
    handler = "signal.signal(signal.SIGINT, signal.default_int_handler)"
    script.write_text(KILLED.replace("    def report", f"    {handler}\n    def report"))
    out = tmp_path / "set"
    command = [sys.executable, str(script), str(folder), str(out)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE)
    assert "KeyboardInterrupt" in errors
    import_records([folder], out, workers=1, unit_games=5)
    assert files_of(out) == files_of(whole)


AT_THE_WORST_PLACE = """
import os, signal, sys
from concurrent.futures import _base
from janshi.records.importer import import_records
if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    reports = []
    def enter(self):
        for future in self.futures:
            future._condition.acquire()
            if reports:
                os.kill(os.getpid(), signal.SIGINT)
                reports.clear()
    _base._AcquireFutures.__enter__ = enter
    import_records([sys.argv[1]], sys.argv[2], workers=2, unit_games=5, report=reports.append)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_ctrl_c_while_the_pool_holds_its_locks_ends_too(folder: Path, whole: Path, tmp_path: Path):
    script = tmp_path / "interrupted.py"
    script.write_text(AT_THE_WORST_PLACE)
    out = tmp_path / "set"
    ended = subprocess.run(
        [sys.executable, str(script), str(folder), str(out)], stderr=subprocess.PIPE, text=True, timeout=PATIENCE
    )
    assert "KeyboardInterrupt" in ended.stderr
    import_records([folder], out, workers=1, unit_games=5)
    assert files_of(out) == files_of(whole)


def test_a_changed_game_is_imported_again(tmp_path: Path):
    games = tmp_path / "games"
    games.mkdir()
    for seed in (1, 2):
        (games / played_name(seed)).write_bytes(played_text(seed))
    import_records([games], tmp_path / "set", workers=1, unit_games=1)
    (games / played_name(2)).write_bytes(played_text(5))
    progress = import_records([games], tmp_path / "set", workers=1, unit_games=1)
    assert (progress.units, progress.resumed) == (2, 1)
    assert len(Dataset(tmp_path / "set")) == len(played_game(1).hands) + len(played_game(5).hands)


def test_all_formats_give_the_same_answers(tmp_path: Path):
    stored = []
    for format, ending in (("mjlog", "mjlog"), ("tenhou6", "json"), ("mjai", "jsonl")):
        path = tmp_path / f"2019010100gm-0001-0000-00000007.{ending}"
        path.write_bytes(played_text(7, format))
        import_records([path], tmp_path / format, workers=1)
        data = Dataset(tmp_path / format)
        assert data.hands("format").column("format").to_pylist() == [format] * len(data)
        stored.append(data.hands("answers", "changes", "result", "date").to_pylist())
    assert stored[0] == stored[1] == stored[2]


# --- where games come from


def test_archives_are_read_as_streams(tmp_path: Path):
    games = {played_name(seed): played_text(seed) for seed in range(4)}
    for ending in ("tar", "tar.gz", "tar.xz"):
        with tarfile.open(tmp_path / f"games.{ending}", f"w:{ending.partition('.')[2]}") as archive:
            for name, content in games.items():
                entry = tarfile.TarInfo(f"pack/{name}")
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))
    with zipfile.ZipFile(tmp_path / "games.zip", "w") as archive:
        for name, content in games.items():
            archive.writestr(name, content)
        archive.writestr("readme.md", "no game")
    for path in sorted(tmp_path.iterdir()):
        sources = Sources([path])
        found = list(sources)
        assert {file.name.rpartition("/")[2]: file.content for file in found} == games, path.name
        assert {file.source for file in found} == {path.name}
        assert sources.done_bytes == sources.total_bytes == path.stat().st_size
    assert len(list(Sources([tmp_path]))) == 16


def test_a_broken_archive_is_reported_after_what_could_be_read(tmp_path: Path):
    path = tmp_path / "games.tar.xz"
    with tarfile.open(path, "w:xz") as archive:
        for seed in range(3):
            entry = tarfile.TarInfo(played_name(seed))
            entry.size = len(played_text(seed))
            archive.addfile(entry, io.BytesIO(played_text(seed)))
    path.write_bytes(path.read_bytes()[:-200])
    (tmp_path / "bad.zip").write_bytes(b"PK no zip")
    found = list(Sources([path, tmp_path / "bad.zip"]))
    assert found[-1].problem.startswith("cannot be read")
    assert found[-2].problem.startswith("cannot be read")
    progress = import_records([path], tmp_path / "set", workers=1)
    assert progress.errors >= 1


def test_names_of_records():
    assert looks_like_record("a/2009022012gm-00e1-0000-0249754b&tw=1")
    assert looks_like_record("x.json.gz")
    assert not looks_like_record("readme.md")
    assert not looks_like_record(".hidden.json")
    assert game_id("pack/2009022012gm-00e1-0000-0249754b.mjlog") == "2009022012gm-00e1-0000-0249754b"
    assert game_id("folder/my game.mjlog.gz") == "my game"


def test_gzip_files_are_games(tmp_path: Path):
    path = tmp_path / (played_name(2) + ".gz")
    path.write_bytes(gzip.compress(played_text(2)))
    assert import_records([path], tmp_path / "set", workers=1).games == 1


def test_real_games(pack, tmp_path: Path):
    games = tmp_path / "games"
    games.mkdir()
    for name, content in [*pack("houou-cases", 30), *pack("houou-2018", 30), *pack("houou-2022", 20)]:
        (games / name).write_bytes(content)
    progress = import_records([games], tmp_path / "set", workers=1)
    assert (progress.games, progress.errors) == (80, 0)
    data = Dataset(tmp_path / "set")
    assert sum(len(batch.actions) for batch in data.decisions(oracle=True, seats="all")) > 30_000
    assert set(data.hands("split").column("split").to_pylist()) >= {"train", "test"}
    seeded = data.column("seeded")
    assert 0 < seeded.sum() < len(seeded)
    assert os.path.getsize(data.shards[0]) < 5_000 * progress.games
