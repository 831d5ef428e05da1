"""A notice to users who wait while kernels are compiled, once per machine."""

from __future__ import annotations

import sys
from typing import Any

LOADING = "Loading the engine (compiling it the first time takes up to a minute) …"
_listening: list[Any] = []


def notify_compiling() -> None:
    """From now on, print one notice on stderr when kernels are compiled; in a terminal only."""
    if _listening or not sys.stderr.isatty():
        return
    from numba.core import event

    class Once(event.Listener):  # type: ignore[misc]
        """Listens for kernels that are not in the cache."""

        def on_start(self, event: Any) -> None:
            if _listening:
                stop_notifying()
                print(LOADING, file=sys.stderr, flush=True)

        def on_end(self, event: Any) -> None:
            pass

    _listening.append(Once())
    event.register("numba:compile", _listening[0])


def stop_notifying() -> None:
    """Print no further notice."""
    from numba.core import event

    while _listening:
        event.unregister("numba:compile", _listening.pop())
