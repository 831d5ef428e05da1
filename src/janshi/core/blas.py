"""One thread for the matrix products of small networks, unless the user has chosen a number.

NumPy's products are done by a BLAS library, which shares even small ones out over all cores: waiting for one another
costs its threads several times the product. A policy that answers one position at a time therefore uses one thread. The
number belongs to the whole process, so it is set back when the last network has finished.
"""

from __future__ import annotations

import os
import threading
from contextlib import ContextDecorator
from functools import cache
from types import TracebackType
from typing import Any, Final

CHOSEN: Final = (
    *("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS", "OMP_NUM_THREADS"),
)
"""Environment variables by which users choose a number of threads."""


@cache
def _libraries() -> Any:
    """The BLAS libraries of this process; None if the user has chosen, or if they cannot be controlled."""
    if any(os.environ.get(name) for name in CHOSEN):
        return None
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError:  # as in a bundle for Botzone, which sets the environment instead
        return None
    return ThreadpoolController().select(user_api="blas")


class _OneThread(ContextDecorator):
    """Counts the networks at work; the first sets the number of threads, the last sets it back."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._limit: Any = None

    def __enter__(self) -> _OneThread:
        with self._lock:
            self._users += 1
            if self._users == 1 and (libraries := _libraries()) is not None:
                self._limit = libraries.limit(limits=1)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._users -= 1
            if self._users == 0 and self._limit is not None:
                self._limit.restore_original_limits()
                self._limit = None


one_blas_thread: Final = _OneThread()
"""`with one_blas_thread:`, or `@one_blas_thread` on a function."""
