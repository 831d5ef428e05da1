"""The one decorator of all kernels."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

import numba
import numpy as np

from janshi.core._kernel_cache import cache_folder, remove_old_daily

F = TypeVar("F", bound=Callable[..., Any])

_DECLARING = threading.Lock()
TESTED = ((0, 68),)
"""Numba releases whose internals we know: kernels have two forms and copies of the package share them. Under others
they are compiled plainly, which takes longer."""


@contextmanager
def _cache_in(folder: str) -> Iterator[None]:
    """Kernels that are declared inside are cached in a folder. Numba's settings are shared by all threads."""
    changed = {"CACHE_DIR": folder}
    if numba.version_info.short in TESTED:
        from janshi.core._shared_cache import NAME

        changed["CACHE_LOCATOR_CLASSES"] = NAME
    with _DECLARING:
        kept = {name: getattr(numba.config, name) for name in changed}
        try:
            for name, value in changed.items():
                setattr(numba.config, name, value)
            yield
        finally:
            for name, value in kept.items():
                setattr(numba.config, name, value)


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
    with _cache_in(str(cache_folder(function.__code__.co_filename))):
        entry = numba.njit(cache=True, no_cfunc_wrapper=True, **options)(function)
    if numba.version_info.short in TESTED:
        from janshi.core._two_forms import add_inner  # leans on Numba's internals: imported only where they fit

        add_inner(entry, options)
    return cast(F, entry)


def per_constant(function: F) -> F:
    """Compile a kernel again for each constant that other kernels call it with. Stands above `@kernel`.

    Worth its compile time only for a short kernel whose loops or branches depend on the constant, and only where a
    benchmark shows it: the useful tiles of a suit are found 1.4 times as fast.
    """
    if hasattr(function, "inner"):
        function.inner.keeps_constants = True
    return function


if not numba.config.DISABLE_JIT:
    remove_old_daily()
