"""The one decorator of all kernels, and where their compiled code is kept.

Numba's cache looks only at the file a kernel stands in, so an edit in a file it *calls* would go unseen. We key
the cache directory by a hash over the sources of the whole package, so that stale machine code is never loaded.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])

PACKAGE = Path(__file__).resolve().parent.parent
KEPT_CACHES = 4


def _source_hash() -> str:
    """Hash every Python source of the package that defines kernels, with the versions of Python and Numba."""
    digest = hashlib.sha256(f"{sys.version_info[:3]} {numba.__version__}".encode())
    for path in sorted(PACKAGE.rglob("*.py")):
        source = path.read_bytes()
        if b"@kernel" in source or path.name == "_jit.py" or b"dtype" in source:
            digest.update(path.relative_to(PACKAGE).as_posix().encode())
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


def kernel(function: F) -> F:
    """Compile a function to machine code at its first call and cache it on disk.

    Kernels release the GIL, trust their arguments (the Python layer checks them) and follow C semantics for
    division. Plain Python runs them unchanged when `NUMBA_DISABLE_JIT=1`.
    """
    kept, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(CACHE_DIR)
    try:
        compiled = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    finally:
        numba.config.CACHE_DIR = kept
    return cast(F, compiled)
