"""Real records for the tests of readers, writers, walls and replay."""

from __future__ import annotations

import gzip
import tarfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

Files = list[tuple[str, bytes]]
Pack = Callable[..., Files]


@cache
def _read_pack(path: Path, limit: int | None) -> Files:
    files: Files = []
    with tarfile.open(path, "r:xz") as archive:
        for entry in archive:
            if entry.name.endswith(".mjlog"):
                content = archive.extractfile(entry)
                assert content is not None
                files.append((entry.name.rpartition("/")[2], content.read()))
            if len(files) == limit:
                break
    return files


@pytest.fixture(scope="session")
def pack(shared: Path) -> Pack:
    """`pack(name, limit)`: names and contents of the first games of a pack of real records."""

    def read(name: str, limit: int | None = None) -> Files:
        path = shared / "records" / f"{name}.tar.xz"
        if not path.exists():
            pytest.skip(f"needs the records {path.name}")
        return _read_pack(path, limit)

    return read


@pytest.fixture(scope="session")
def mjlog_fixtures(shared: Path) -> Files:
    """The mjlog files of other projects' tests, unpacked."""
    paths = sorted((shared / "fixtures").glob("*/*.mjlog"))
    if not paths:
        pytest.skip("needs the fixtures of other projects")
    contents = ((path.name, path.read_bytes()) for path in paths)
    return [(name, gzip.decompress(text) if text[:2] == b"\x1f\x8b" else text) for name, text in contents]
