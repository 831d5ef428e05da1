"""A process that reads a career's uploads and measures luck: `python -m janshi.career.worker FOLDER GAMES BYTES`.

It ends when nothing is left to do. It runs at low priority, within limits of memory, and writes a line after every
record, so that its parent can stop it if it is silent for too long. It ends on its own when its standard input
closes.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from janshi.career.store import CareerStore, Limits

MEMORY: Final = 3 * 1024**3
"""Bytes of data the process may hold."""
NICENESS: Final = 10
LUCK_TURN: Final = 64
"""Games measured before uploads are looked for again."""
LOCK: Final = "worker.lock"


def main() -> None:
    """Work until nothing is left."""
    folder, games, size = sys.argv[1:4]
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _limit()
    work(Path(folder), Limits(int(games), int(size)), _beat)


def work(folder: Path, limits: Limits, beat: Callable[[], None] = lambda: None) -> None:
    """Read all uploads, then measure luck; new uploads come first. Does nothing if another worker is running."""
    from janshi.career.importer import read_uploads
    from janshi.career.luck import measure_waiting

    store = CareerStore(folder)
    try:
        with FileLock(folder / LOCK).acquire(blocking=False):
            while True:
                read_uploads(store, limits, beat)
                measure_waiting(store, beat, LUCK_TURN)
                if store.next_upload() is None and not store.luck_waiting(1):
                    break
    except Timeout:
        pass
    finally:
        store.close()


def _beat() -> None:
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.write("\n")
        sys.stdout.flush()


def _end_with_parent() -> None:
    while os.read(0, 4096):
        pass
    os._exit(3)


def _limit() -> None:
    with contextlib.suppress(OSError, AttributeError):
        os.nice(NICENESS)
    try:
        import resource
    except ImportError:  # no such limits on this system
        return
    for what, most in ((resource.RLIMIT_DATA, MEMORY), (resource.RLIMIT_CORE, 0)):
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(what, (most, most))


if __name__ == "__main__":
    main()
