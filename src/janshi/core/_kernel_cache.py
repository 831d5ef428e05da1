"""Where compiled kernels are kept, and when old ones are removed.

Numba's cache checks only the file that defines a kernel, so an edit to a file it *calls* would go unnoticed. We name
the cache folder of each file by a hash of its source and everything it imports, so stale machine code is never loaded
and an edit recompiles only the kernels above it. Imports that are for types only do not count. Folders of versions that
nobody runs any more are removed once a day.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
import time
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import numba

PACKAGE = Path(__file__).resolve().parent.parent
_IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]+(janshi[\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)|import[ \t]+(janshi[\w.]*))", re.M
)
_NAME = re.compile(r"#[^\n]*|(\w+)(?:[ \t]+as[ \t]+\w+)?")
_FOR_TYPES = re.compile(rb"^if TYPE_CHECKING:[^\n]*\n(?:(?:[ \t][^\n]*)?\n)*", re.M)
"""Imports that never run. A package whose names load on first use lists their modules there."""
DAY: Final = 24 * 3600.0
UNUSED_DAYS: Final = 30
"""A folder that no process has used for this long is removed."""
MOST_BYTES: Final = 1 << 30
"""If the whole cache is larger, the folders unused longest are removed earlier."""
SAFE_DAYS: Final = 2
"""A folder used within this many days always stays: another running version may need it."""
_FOLDER = re.compile(r".+-[0-9a-f]{16}")
_STAMP: Final = "pruned"


@cache
def _imported(path: Path) -> frozenset[Path]:
    """The files of this package that a file may import when it runs, with the packages that contain them."""
    return _files_in(_FOR_TYPES.sub(b"", _text(path)))


def _files_in(text: bytes) -> frozenset[Path]:
    """The files that the imports of a text name."""
    found = set()
    for line in _IMPORT.finditer(text):
        package, names, module = (part.decode() if part else "" for part in line.groups())
        home = _files_of(package or module)
        found |= home
        for name in _NAME.findall(names):
            inner = _files_of(f"{package}.{name}") if name else home  # no name: a comment
            found |= inner
            if not inner:  # not a module but a name, which the package may load on first use
                found |= {other for file in home if file.name == "__init__.py" for other in _lazy(file)}
    return frozenset(found)


def _files_of(module: str) -> set[Path]:
    """The file of a module or package, if it is there."""
    place = PACKAGE.joinpath(*module.split(".")[1:])
    return {file for file in (place.with_suffix(".py"), place / "__init__.py") if file.is_file()}


@cache
def _lazy(package: Path) -> frozenset[Path]:
    """The files that a package imports for types only."""
    return _files_in(b"\n".join(block.replace(b"\n    ", b"\n") for block in _FOR_TYPES.findall(_text(package))))


def _text(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


def _sources(path: Path) -> list[Path]:
    """All files that a file's code may depend on: itself and what it imports, directly or indirectly."""
    seen, waiting = {path}, [path]
    while waiting:
        fresh = _imported(waiting.pop()) - seen
        seen |= fresh
        waiting += fresh
    return sorted(seen)


@cache
def _file_hash(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest() if path.is_file() else b""


@cache
def cache_folder(file: str) -> Path:
    """Where the compiled kernels of a file are kept: named by a hash of everything they depend on.

    That is the sources, and the versions and settings that affect machine code.
    """
    path = Path(file).resolve()
    settings = (sys.version_info[:3], numba.__version__, numba.config.BOUNDSCHECK, numba.config.OPT)
    digest = hashlib.sha256(repr(settings).encode())
    for source in _sources(path):
        digest.update(source.name.encode() + _file_hash(source))
    folder = cache_root() / f"{path.parent.name}.{path.stem}-{digest.hexdigest()[:16]}"
    _mark_used(folder)
    return folder


def cache_root() -> Path:
    """Where compiled kernels live: `$JANSHI_CACHE_DIR`, else the user's cache directory."""
    chosen = os.environ.get("JANSHI_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    elif sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return base / "janshi" / "kernels"


# --- removing old folders


def _mark_used(folder: Path) -> None:
    """Note when a process last used a folder, to the day, as its modification time."""
    try:
        if time.time() - folder.stat().st_mtime > DAY / 2:
            os.utime(folder)
    except OSError:  # not there yet, or not ours to write
        return


class _Kept(NamedTuple):
    """A folder of the cache."""

    used: float
    size: int
    path: Path


def _look_at(path: Path) -> _Kept:
    """A folder with the time of its last use and the bytes in it. Numba nests another folder inside."""
    used, size = path.stat().st_mtime, 0
    for file in path.rglob("*"):
        found = file.stat()
        used = max(used, found.st_mtime)
        size += found.st_size if file.is_file() else 0
    return _Kept(used, size, path)


def _folders(root: Path) -> list[_Kept]:
    """All folders of the cache, last used first. Anything else in the directory is not ours."""
    found = []
    for path in root.iterdir():
        if _FOLDER.fullmatch(path.name) and path.is_dir():
            try:
                found.append(_look_at(path))
            except OSError:  # another process is removing it
                continue
    return sorted(found, reverse=True)


def remove_old(root: Path, now: float, most_bytes: int = MOST_BYTES) -> list[Path]:
    """Remove folders that nobody uses any more; returns them.

    Those are folders unused for `UNUSED_DAYS`, and, while the cache is larger than `most_bytes`, those unused longest.
    Folders used within `SAFE_DAYS` stay. A process that still runs from a removed folder compiles again when it must.
    """
    removed, total = [], 0
    for kept in _folders(root):
        total += kept.size
        unused = (now - kept.used) / DAY
        if unused > UNUSED_DAYS or (total > most_bytes and unused > SAFE_DAYS):
            shutil.rmtree(kept.path, ignore_errors=True)
            removed.append(kept.path)
    return removed


def remove_old_daily() -> None:
    """Remove old folders, unless some process has done so within a day."""
    root = cache_root()
    stamp = root / _STAMP
    try:
        if stamp.exists() and time.time() - stamp.stat().st_mtime < DAY:
            return
        root.mkdir(parents=True, exist_ok=True)
        stamp.touch()
        remove_old(root, time.time())
    except OSError:  # a directory that cannot be written
        return
