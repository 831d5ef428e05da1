"""Safe Ctrl-C: noted when it comes, obeyed where the work can stop."""

from __future__ import annotations

import signal
import threading
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any, Final, TypeVar

R = TypeVar("R")
WAIT_SECONDS: Final = 0.1
"""How often a wait checks whether Ctrl-C was pressed."""


class CtrlC:
    """Within this context, Ctrl-C is only noted; a second one stops at once. No effect outside the main thread."""

    def __init__(self) -> None:
        self.asked = False
        self._before: Any = None

    def __enter__(self) -> CtrlC:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def obey(self) -> None:
        """Raise `KeyboardInterrupt` if Ctrl-C was pressed. Call it where the work can stop."""
        if self.asked:
            raise KeyboardInterrupt

    def _note(self, number: int, frame: Any) -> None:
        self.obey()
        self.asked = True

    def __exit__(self, *error: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)


def some_done(waiting: set[Future[R]], interrupt: CtrlC) -> tuple[set[Future[R]], set[Future[R]]]:
    """Futures of a pool that are done, at least one, and the rest.

    Ctrl-C takes effect between waits: if it interrupted the pool's own code, locks would stay taken, and the pool would
    wait for them forever.
    """
    while True:
        interrupt.obey()
        ready, rest = wait(waiting, WAIT_SECONDS, FIRST_COMPLETED)
        if ready:
            return ready, rest
