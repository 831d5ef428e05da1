"""Where games come from: files, folders and archives, read one game at a time.

A folder is searched in the order of names, with the archives in it; an archive (tar, plain or packed, and zip) is read
as a stream, never unpacked to disk. In folders and archives, only files named like a record are read: the endings of
the formats of games (`.mjlog .xml .json .jsonl .mjson .mjai` and others), each also with `.gz`, Tenhou's game ids, and
`.txt` if it begins like Botzone's text. A file given by its own path is always read; Botzone's text, whose files can
hold very many hands, in pieces if it is large. A file that cannot be read is returned with its problem, so that
nothing is skipped silently.
"""

from __future__ import annotations

import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from janshi.records.formats import FORMATS, MAX_BYTES, read_any, read_record
from janshi.records.model import TENHOU_ID, GameRecord, RecordError
from janshi.rules.riichi.family import FAMILY as RIICHI

if TYPE_CHECKING:
    from janshi.records.botzone.model import HandRecord

ENDINGS: Final = tuple(
    dict.fromkeys(ending for known in FORMATS.values() if known.family == RIICHI for ending in known.endings)
)
TAR_ENDINGS: Final = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tbz2")
ZIP_ENDING: Final = ".zip"
TEXT_ENDING: Final = ".txt"
TEXT_START: Final = b"Match "
"""How Botzone's text begins."""
PIECE_BYTES: Final = 8 * 1024 * 1024
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
    for ending in (".gz", *ENDINGS, TEXT_ENDING):
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


def is_large(path: Path) -> bool:
    """Whether a file is larger than a record may be: Botzone's text is then read in pieces."""
    return path.is_file() and path.stat().st_size > MAX_BYTES


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
            elif is_large(path) and _begins_like_text(path):
                members = _pieces(stream, name)
            else:
                members = iter([SourceFile(name, stream.read(MAX_BYTES + 1))])
            for member in members:
                self.done_bytes = before + stream.tell()
                yield member


def first_game(path: str | Path) -> GameRecord:
    """The riichi game of a file, or the first of a folder or archive."""
    file = _first_file(path)
    return read_record(file.content, file.name)


def first_found(path: str | Path) -> GameRecord | list[HandRecord]:
    """The game or the Guobiao hands of a file, or of the first of a folder or archive."""
    file = _first_file(path)
    return read_any(file.content, file.name)


def _first_file(path: str | Path) -> SourceFile:
    for file in Sources([path]):
        if file.problem:
            raise RecordError(file.name, "", file.problem)
        return file
    raise ValueError(f"{path} holds no recorded game")


def _listed(path: Path) -> list[tuple[Path, str]]:
    """Files and archives under a path with their names, in order."""
    path = path.resolve() if path.name in ("", "..") else path
    if not path.is_dir():
        return [(path, path.name)]
    found = sorted(file for file in path.rglob("*") if file.is_file())
    wanted = [file for file in found if is_archive(file) or looks_like_record(file.name) or _begins_like_text(file)]
    return [(file, f"{path.name}/{file.relative_to(path).as_posix()}") for file in wanted]


def _begins_like_text(path: Path) -> bool:
    if path.suffix.lower() != TEXT_ENDING:
        return False
    with path.open("rb") as stream:
        return stream.read(len(TEXT_START)) == TEXT_START


def _pieces(stream: IO[bytes], name: str) -> Iterator[SourceFile]:
    """A large text of Botzone in pieces of whole hands."""
    lines, size, first = list[bytes](), 0, 1
    for number, line in enumerate(stream, 1):
        if line.startswith(TEXT_START) and size > PIECE_BYTES:
            yield SourceFile(f"{name} from line {first}", b"".join(lines))
            lines, size, first = [], 0, number
        lines.append(line)
        size += len(line)
    yield SourceFile(f"{name} from line {first}", b"".join(lines))


def _in_tar(stream: IO[bytes], name: str) -> Iterator[SourceFile]:
    with tarfile.open(fileobj=stream, mode="r|*") as archive:
        for entry in archive:
            if entry.isfile() and (looks_like_record(entry.name) or entry.name.lower().endswith(TEXT_ENDING)):
                stored = archive.extractfile(entry)
                content = stored.read(MAX_BYTES + 1) if stored else b""
                if looks_like_record(entry.name) or content.startswith(TEXT_START):
                    yield SourceFile(f"{name}/{entry.name.lstrip('./')}", content)
            archive.members.clear()  # type: ignore[attr-defined]  # otherwise it remembers every entry


def _in_zip(stream: IO[bytes], name: str) -> Iterator[SourceFile]:
    with zipfile.ZipFile(stream) as archive:
        for entry in archive.infolist():
            is_text = entry.filename.lower().endswith(TEXT_ENDING)
            if not entry.is_dir() and (looks_like_record(entry.filename) or is_text):
                full = f"{name}/{entry.filename}"
                try:
                    with archive.open(entry) as stored:
                        content = stored.read(MAX_BYTES + 1)
                    if not is_text or content.startswith(TEXT_START):
                        yield SourceFile(full, content)
                except _BROKEN as broken:
                    yield SourceFile(full, problem=f"cannot be read: {broken}")
