"""Importing into a career: any format, folders, archives; copies, bad files, limits, and going on after a stop."""

from __future__ import annotations

import tarfile
import zipfile
from pathlib import Path

import pytest

from janshi.career.database import WAITING
from janshi.career.importer import FULL, import_paths, read_uploads
from janshi.career.store import CareerStore, Limits
from own_games import ME, MINE, OTHERS, played_name, played_text, write_games


@pytest.fixture
def store(tmp_path: Path) -> CareerStore:
    return CareerStore(tmp_path / "career")


def test_files_folders_and_archives(store: CareerStore, tmp_path: Path):
    folder = write_games(tmp_path / "some", MINE[:2])
    with zipfile.ZipFile(tmp_path / "more.zip", "w") as archive:
        archive.writestr(f"deep/{played_name(MINE[2])}", played_text(MINE[2]))
    with tarfile.open(tmp_path / "last.tar.gz", "w:gz") as packed:
        packed.add(write_games(tmp_path / "other", MINE[3:4]), "other")
    done = import_paths(store, [folder, tmp_path / "more.zip", tmp_path / "last.tar.gz"])
    assert (done.games, done.duplicates, done.problems) == (4, 0, 0)
    assert store.count() == store.games_of(ME) == 4


def test_a_game_is_recognised_by_its_play_in_any_format_and_under_any_name(store: CareerStore, tmp_path: Path):
    import_paths(store, [write_games(tmp_path / "first", MINE[:2])])
    (tmp_path / "renamed.mjlog").write_bytes(played_text(MINE[0]))
    again = import_paths(store, [tmp_path / "renamed.mjlog", write_games(tmp_path / "json", MINE[:3], "tenhou6")])
    assert (again.games, again.duplicates) == (1, 3)
    assert store.count() == 3


def test_bad_files_are_listed_with_their_reason_and_stop_nothing(store: CareerStore, tmp_path: Path):
    folder = write_games(tmp_path / "games", MINE[:2])
    (folder / "a.json").write_text("{}")
    (folder / "b.mjlog").write_bytes(played_text(MINE[2])[:900])
    bad: dict[str, str] = {}
    done = import_paths(store, [folder], problem=lambda file, what: bad.update({file: what}))
    assert (done.games, done.problems) == (2, 2)
    assert dict(store.problems(10)) == bad
    assert set(bad) == {"games/a.json", "games/b.mjlog"}
    assert "no known format" in bad["games/a.json"]


def test_guobiao_hands_name_nobody(store: CareerStore, shared: Path):
    done = import_paths(store, [shared / "guobiao" / "sample_games.txt"])
    assert done.games == 0
    assert "name no players" in store.problems(1)[0][1]


def test_a_game_that_breaks_off_counts_without_a_rank(store: CareerStore, tmp_path: Path):
    (tmp_path / "part.mjlog").write_bytes(played_text(MINE[0], hands=2))
    assert import_paths(store, [tmp_path / "part.mjlog"]).games == 1
    ((rank, hands, problem),) = store.read("select rank, game.hands, problem from seat join game on game = id limit 1")
    assert (rank, hands) == (None, 2)
    assert problem


def test_limits(store: CareerStore, tmp_path: Path):
    folder = write_games(tmp_path / "games", MINE[:4])
    done = import_paths(store, [folder], Limits(games=3))
    assert (done.games, done.problems) == (3, 1)
    assert store.problems(1)[0][1] == FULL
    small = CareerStore(tmp_path / "small")
    assert import_paths(small, [folder], Limits(bytes=1)).games == 1


def uploaded(store: CareerStore, tmp_path: Path) -> int:
    """An archive of five games, one of them bad, that waits to be read."""
    (store.folder / WAITING).mkdir()
    with tarfile.open(store.folder / WAITING / "abc.tar", "w") as archive:
        folder = write_games(tmp_path / "games", MINE[:4])
        (folder / "0.json").write_text("[]")
        archive.add(folder, "games")
    return store.add_upload("mine.tar", "abc.tar", 1)


class Killed(Exception):
    """The process ends here."""


def test_an_upload_that_was_interrupted_goes_on_and_counts_nothing_twice(store: CareerStore, tmp_path: Path):
    id = uploaded(store, tmp_path)
    beats = 0

    def die() -> None:
        nonlocal beats
        beats += 1
        if beats == 3:
            raise Killed

    with pytest.raises(Killed):
        read_uploads(store, Limits(), die)
    waiting = store.next_upload()
    assert waiting is not None
    assert (waiting.id, waiting.done) == (id, 3)
    store.close()
    again = CareerStore(store.folder)
    read_uploads(again, Limits())
    assert again.next_upload() is None
    ((games, duplicates, problems),) = again.read("select games, duplicates, problems from upload")
    assert (games, duplicates, problems) == (4, 0, 1)
    assert again.problems(5)[0][0] == "mine.tar/games/0.json"
    assert not list((store.folder / WAITING).iterdir())


def test_what_was_cancelled_while_it_was_read_adds_nothing_more(store: CareerStore, tmp_path: Path):
    uploaded(store, tmp_path)
    beats = 0

    def cancel() -> None:
        nonlocal beats
        beats += 1
        if beats == 2:
            CareerStore(store.folder).cancel_uploads()

    read_uploads(store, Limits(), cancel)
    assert (store.count(), store.next_upload()) == (1, None)  # the bad file came first


def test_others_games_are_kept_but_not_the_persons(store: CareerStore, tmp_path: Path):
    import_paths(store, [write_games(tmp_path / "games", (*MINE[:2], *OTHERS))])
    assert (store.count(), store.games_of(ME)) == (4, 2)
    assert (ME, 2) in store.players(10)
    assert store.players(10, "AN") == [(ME, 2)]
    assert store.players(10, "%") == []
