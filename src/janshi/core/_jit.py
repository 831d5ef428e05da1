"""The one decorator of all kernels, and where their compiled code is kept.

Numba's cache looks only at the file a kernel stands in, so an edit in a file it *calls* would go unseen. We key
the cache directory by a hash over the sources of all kernels, so that stale machine code is never loaded.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher

F = TypeVar("F", bound=Callable[..., Any])

PACKAGE = Path(__file__).resolve().parent.parent
KERNEL_LAYERS = ("core/", "rules/")
TWO_FORMS_TESTED = ((0, 68),)
"""Releases of Numba that the two forms of a kernel are known to fit; on others it compiles plainly, in more time."""


def _source_hash() -> str:
    """Hash the sources that kernels are made of, with the versions and settings that shape the code.

    These are the layers below (kernels read constants from any file there) and every other file with a kernel in it.
    """
    settings = (sys.version_info[:3], numba.__version__, numba.config.BOUNDSCHECK, numba.config.OPT)
    digest = hashlib.sha256(repr(settings).encode())
    for path in sorted(PACKAGE.rglob("*.py")):
        name, source = path.relative_to(PACKAGE).as_posix(), path.read_bytes()
        if name.startswith(KERNEL_LAYERS) or b"\n@kernel" in source:
            digest.update(name.encode())
            digest.update(source)
    return digest.hexdigest()[:16]


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


CACHE_DIR = _cache_root() / _source_hash()


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

    Numba optimises every function anew, with all that it calls, at each level of a chain of calls. Ours are short and
    their chains long, so a kernel has two forms: the one Python calls, which is optimised and cached, and a
    bare one that other kernels link in. That took the cold compile of the engine from 70 to 20 s.
    """
    if numba.config.DISABLE_JIT:
        np.seterr(over="ignore")  # words wrap around, as in machine code
        return function
    options = {"nogil": True, "error_model": "numpy"}
    kept, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(CACHE_DIR)
    try:
        entry = numba.njit(cache=True, no_cfunc_wrapper=True, **options)(function)
    finally:
        numba.config.CACHE_DIR = kept
    if numba.version_info.short in TWO_FORMS_TESTED:
        entry.inner = numba.njit(**_INNER, **options)(function)
        entry.__class__ = _EntryDispatcher
    return cast(F, entry)
