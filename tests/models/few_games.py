"""Data sets of a few real games: some to train on, some to test on."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from janshi.fitting.data import Source
from janshi.records.dataset import Dataset
from janshi.records.importer import import_records

TRAINED, TESTED = "houou-2020", "houou-2022"


def unpack(pack: Path, folder: Path, games: int) -> None:
    """Write the first games of a pack into a folder."""
    folder.mkdir()
    with tarfile.open(pack) as archive:
        for member in archive:
            if member.isfile() and games:
                stream = archive.extractfile(member)
                assert stream is not None
                (folder / Path(member.name).name).write_bytes(stream.read())
                games -= 1
            if not games:
                return


def few_games(shared: Path, factory: pytest.TempPathFactory, trained: int, tested: int) -> Source:
    """A data set with `trained` games to train on and `tested` games of the test pack."""
    folder, out = factory.mktemp("games"), factory.mktemp("data") / "set"
    for pack, games in ((TRAINED, trained), (TESTED, tested)):
        unpack(shared / "records" / f"{pack}.tar.xz", folder / pack, games)
    import_records([folder / TRAINED, folder / TESTED], out, workers=1)
    return Source(Dataset(out))


@pytest.fixture(scope="module")
def source(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Source:
    """Fourteen games to train on, two of the test pack."""
    return few_games(shared, tmp_path_factory, 14, 2)
