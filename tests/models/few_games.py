"""A data set of a few real games, as a fixture: fourteen to train on, two of the test pack."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from janshi.models.data import Source
from janshi.records.dataset import Dataset
from janshi.records.importing import import_records


def unpack(pack: Path, folder: Path, games: int) -> None:
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


@pytest.fixture(scope="module")
def source(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Source:
    """Fourteen games to train on, two of the test pack."""
    folder = tmp_path_factory.mktemp("games")
    unpack(shared / "records" / "houou-2020.tar.xz", folder / "houou-2020", 14)
    unpack(shared / "records" / "houou-2022.tar.xz", folder / "houou-2022", 2)
    out = tmp_path_factory.mktemp("data") / "set"
    import_records([folder / "houou-2020", folder / "houou-2022"], out, workers=1)
    return Source(Dataset(out))
