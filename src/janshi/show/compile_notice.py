"""A word to people who wait while kernels are compiled, which happens once a machine."""

from __future__ import annotations

import sys
from typing import Any

LOADING = "Loading the engine (the first time it is compiled, which takes up to a minute) …"
_listening: list[Any] = []


def tell_compiling() -> None:
    """From now on, say once on stderr that kernels are compiled, should they be; in a terminal only."""
    if _listening or not sys.stderr.isatty():
        return
    from numba.core import event

    class Once(event.Listener):  # type: ignore[misc]
        """Hears of kernels that are not found in the cache."""

        def on_start(self, event: Any) -> None:
            if _listening:
                stop_telling()
                print(LOADING, file=sys.stderr, flush=True)

        def on_end(self, event: Any) -> None:
            pass

    _listening.append(Once())
    event.register("numba:compile", _listening[0])


def stop_telling() -> None:
    """Say nothing more."""
    from numba.core import event

    while _listening:
        event.unregister("numba:compile", _listening.pop())
