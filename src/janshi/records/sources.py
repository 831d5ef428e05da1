"""Where games come from: files, folders and archives, read one game at a time.

A folder is searched in the order of names, with the archives in it; an archive (tar, plain or packed, and zip) is read
as a stream, never unpacked to disk. In folders and archives only files named like a record count: the endings of the
formats of games (`.mjlog .xml .json .jsonl .mjson .mjai`), each also with `.gz`, and Tenhou's game ids. A file given by
its own path is always read, also one with another ending, such as Botzone's `.txt`. A file that cannot be read is
returned with its problem, so that nothing is skipped silently.
"""

from __future__ import annotations

import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from janshi.records.formats import FORMATS, MAX_BYTES, RIICHI, read_record
from janshi.records.model import TENHOU_ID, GameRecord, RecordError

ENDINGS: Final = tuple(
    dict.fromkeys(ending for known in FORMATS.values() if known.family == RIICHI for ending in known.endings)
)
TAR_ENDINGS: Final = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tbz2")
ZIP_ENDING: Final = ".zip"
_BROKEN: Final = (OSError, EOFError, tarfile.TarError, zipfile.BadZipFile, lzma.LZMAError, zlib.error, RuntimeError)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file that should hold a game."""

    name: str
    """Its place, from the last part of the path it was found by: `houou.tar.xz/2018….mjlog`."""
    content: bytes = b""
    problem: str = ""
    """Why it could not be read, if it could not; then there is no content."""

    @property
    def source(self) -> str:
        """The archive it is in, otherwise the folder, otherwise the file itself."""
        parts = self.name.split("/")
        archives = [part for part in parts[:-1] if is_archive(part)]
        return archives[-1] if archives else parts[0]

    @property
    def game(self) -> str:
        """The game's id: Tenhou's if the name contains one, otherwise the name without folders and endings."""
        return game_id(self.name)


def game_id(name: str) -> str:
    """The id of a game from its file's name."""
    found = TENHOU_ID.search(name)
    if found:
        return found[0]
    stem = name.rpartition("/")[2]
    for ending in (".gz", *ENDINGS):
        stem = stem.removesuffix(ending)
    return stem


def looks_like_record(name: str) -> bool:
    """Whether a file in a folder or archive is named like a record."""
    base = name.rpartition("/")[2]
    if base.startswith("."):
        return False
    return base.lower().removesuffix(".gz").endswith(ENDINGS) or TENHOU_ID.match(base) is not None


def is_archive(path: str | Path) -> bool:
    """Whether a file is named like an archive."""
    return str(path).lower().endswith((*TAR_ENDINGS, ZIP_ENDING))


class Sources:
    """All games under some paths, in a fixed order. Raises `ValueError` at once if a path does not exist.

    `for file in sources` reads them; `done_bytes` of `total_bytes` is the progress.
    """

    def __init__(self, paths: Iterable[str | Path]) -> None:
        self.paths = [Path(path) for path in paths]
        if not self.paths:
            raise ValueError("no file, folder or archive is named")
        for path in self.paths:
            if not path.exists():
                raise ValueError(f"there is no file or folder {path}")
        self._files = [found for path in self.paths for found in _listed(path)]
        self.total_bytes = sum(path.stat().st_size for path, _ in self._files)
        self.done_bytes = 0

    def __iter__(self) -> Iterator[SourceFile]:
        self.done_bytes = 0
        for path, name in self._files:
            before = self.done_bytes
            try:
                yield from self._read(path, name)
            except _BROKEN as broken:
                yield SourceFile(name, problem=f"cannot be read: {broken or type(broken).__name__}")
            self.done_bytes = before + path.stat().st_size

    def _read(self, path: Path, name: str) -> Iterator[SourceFile]:
        before = self.done_bytes
        with path.open("rb") as stream:
            if path.name.lower().endswith(ZIP_ENDING):
                members = _in_zip(stream, name)
            elif is_archive(path):
                members = _in_tar(stream, name)
            else:
                members = iter([SourceFile(name, stream.read(MAX_BYTES + 1))])
            for member in members:
                self.done_bytes = before + stream.tell()
                yield member


def first_game(path: str | Path) -> GameRecord:
    """The game of a file, or the first of a folder or archive."""
    for file in Sources([path]):
        if file.problem:
            raise RecordError(file.name, "", file.problem)
        return read_record(file.content, file.name)
    raise ValueError(f"{path} holds no recorded game")


def _listed(path: Path) -> list[tuple[Path, str]]:
    """Files and archives under a path with their names, in order."""
    path = path.resolve() if path.name in ("", "..") else path
    if not path.is_dir():
        return [(path, path.name)]
    found = sorted(file for file in path.rglob("*") if file.is_file())
    wanted = [file for file in found if is_archive(file) or looks_like_record(file.name)]
    return [(file, f"{path.name}/{file.relative_to(path).as_posix()}") for file in wanted]


def _in_tar(stream: IO[bytes], name: str) -> Iterator[SourceFile]:
    with tarfile.open(fileobj=stream, mode="r|*") as archive:
        for entry in archive:
            if entry.isfile() and looks_like_record(entry.name):
                content = archive.extractfile(entry)
                yield SourceFile(f"{name}/{entry.name.lstrip('./')}", content.read(MAX_BYTES + 1) if content else b"")
            archive.members.clear()  # type: ignore[attr-defined]  # otherwise it remembers every entry


def _in_zip(stream: IO[bytes], name: str) -> Iterator[SourceFile]:
    with zipfile.ZipFile(stream) as archive:
        for entry in archive.infolist():
            if not entry.is_dir() and looks_like_record(entry.filename):
                full = f"{name}/{entry.filename}"
                try:
                    with archive.open(entry) as content:
                        yield SourceFile(full, content.read(MAX_BYTES + 1))
                except _BROKEN as broken:
                    yield SourceFile(full, problem=f"cannot be read: {broken}")
