"""The one decorator of all kernels, and where their compiled code is kept.

Numba's cache checks only the file that defines a kernel, so an edit to a file it *calls* would go unnoticed. We name
the cache folder of each file by a hash of its source and everything it imports, so stale machine code is never loaded
and an edit recompiles only the kernels above it.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher

F = TypeVar("F", bound=Callable[..., Any])

_DECLARING = threading.Lock()
PACKAGE = Path(__file__).resolve().parent.parent
_IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]+(janshi[\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)|import[ \t]+(janshi[\w.]*))", re.M
)
TWO_FORMS_TESTED = ((0, 68),)
"""Numba releases known to work with the two forms of a kernel; others compile plainly, which takes longer."""


@cache
def _imported(path: Path) -> frozenset[Path]:
    """The files of this package that a file imports, anywhere in it, with the packages that contain them."""
    found = set()
    for line in _IMPORT.finditer(path.read_bytes() if path.is_file() else b""):
        package, names, module = (part.decode() if part else "" for part in line.groups())
        words = [f"{package}.{name}" for name in re.findall(r"\w+", names)] + [package or module]
        for word in words:
            place = PACKAGE.joinpath(*word.split(".")[1:])
            found |= {file for file in (place.with_suffix(".py"), place / "__init__.py") if file.is_file()}
    return frozenset(found)


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
    return _cache_root() / f"{path.parent.name}.{path.stem}-{digest.hexdigest()[:16]}"


def _cache_root() -> Path:
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


class _QuietCodegen:
    """A code generator that sets no environments: inner code has none until it is linked into an entry."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, env_name: str, env: Any) -> None:
        """Do nothing."""


class _InnerLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Code of a kernel as other kernels call it: kept as plain LLVM text, optimised only where it is linked in."""

    def _optimize_final_module(self) -> None:
        """Leave it to the caller's module."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """No machine code, so no address."""
        return 0

    @property
    def codegen(self) -> Any:
        """The code generator, but for environments."""
        return _QuietCodegen(self._codegen)


class _InnerCompiler(Compiler):  # type: ignore[misc]
    """Compiles a kernel for other kernels to call."""

    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        super().__init__(typing, target, _InnerLibrary(target.codegen(), "janshi inner kernel"), *rest)


class _EntryDispatcher(CPUDispatcher):  # type: ignore[misc]
    """What Python calls. Another kernel that calls it is given the inner form instead."""

    @property
    def _numba_type_(self) -> Any:
        return self.inner._numba_type_


_INNER = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": _InnerCompiler}


def kernel(function: F) -> F:
    """Compile a function to machine code at its first call and cache it on disk.

    Kernels release the GIL, trust their arguments (the Python layer checks them) and follow C semantics for
    division. Plain Python runs them unchanged when `NUMBA_DISABLE_JIT=1`.

    Numba optimises every function again, with everything it calls, at each level of a call chain. Ours are short and
    their chains long, so a kernel has two forms: the one Python calls, which is optimised and cached, and a
    bare one that other kernels link in. That took the cold compile of the engine from 70 to 20 s.
    """
    if numba.config.DISABLE_JIT:
        np.seterr(over="ignore")  # words wrap around, as in machine code
        return function
    options = {"nogil": True, "error_model": "numpy"}
    with _DECLARING:  # Numba's setting is shared by all threads
        kept, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(cache_folder(function.__code__.co_filename))
        try:
            entry = numba.njit(cache=True, no_cfunc_wrapper=True, **options)(function)
        finally:
            numba.config.CACHE_DIR = kept
    if numba.version_info.short in TWO_FORMS_TESTED:
        entry.inner = numba.njit(**_INNER, **options)(function)
        entry.__class__ = _EntryDispatcher
    return cast(F, entry)
