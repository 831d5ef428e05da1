"""A small data set of games among built-in players, as learning from records needs it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "records"))

GAMES = 8


@pytest.fixture(scope="session")
def small_dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a data set of eight games; two of them are of 2023, held out."""
    pytest.importorskip("pyarrow", reason="data sets need pyarrow")
    from played import played_name, played_text

    from janshi.records.importer import import_records

    folder = tmp_path_factory.mktemp("records")
    for seed in range(GAMES):
        year = 2023 if seed % 4 == 0 else 2019
        (folder / played_name(seed, year)).write_bytes(played_text(seed, hands=4))
    out = tmp_path_factory.mktemp("data") / "set"
    import_records([folder], out, workers=1, unit_games=3)
    return out


@pytest.fixture(scope="session")
def compact_file(small_dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same as a compact file."""
    from janshi.records.compact import write_compact
    from janshi.records.dataset import Dataset

    path = tmp_path_factory.mktemp("compact") / "small.hands"
    write_compact(Dataset(small_dataset), path)
    return path


@pytest.fixture(scope="session")
def compact_hands(compact_file: Path):
    """Its hands."""
    from janshi.records.compact import read_compact

    return read_compact(compact_file)
