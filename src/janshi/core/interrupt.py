"""Ctrl-C where it can do no harm: noted when it comes, obeyed where the work can stop."""

from __future__ import annotations

import signal
import threading
from typing import Any


class CtrlC:
    """Within it, Ctrl-C is only noted; a second one stops at once. In a thread of its own it changes nothing."""

    def __init__(self) -> None:
        self.asked = False
        self._before: Any = None

    def __enter__(self) -> CtrlC:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def obey(self) -> None:
        """Raise `KeyboardInterrupt` if Ctrl-C was pressed: called where the work can stop."""
        if self.asked:
            raise KeyboardInterrupt

    def _note(self, number: int, frame: Any) -> None:
        self.obey()
        self.asked = True

    def __exit__(self, *error: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
