"""The first start after an installation: parallel processes compile the kernels, starting with what a game needs first.

Compiling holds the interpreter's lock, so it happens outside the server, which stays responsive and then loads the
machine code from the cache. Each process works through a *lane*: jobs that share much of what they compile.

    python -m janshi.web.first_start "module:function argument …" …
"""

from __future__ import annotations

import gc
import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Final

log = logging.getLogger("janshi.web")
DONE: Final = "done "
FEW_COLLECTIONS: Final = (50_000, 50, 100)
"""How often compiling processes collect garbage. The usual setting costs a tenth of the time."""


def is_compiled(kernel: Any) -> bool:
    """Whether a kernel is in the cache, for some types of arguments; True if kernels are plain Python."""
    if not hasattr(kernel, "stats"):
        return True
    return any(Path(kernel.stats.cache_path).glob(f"*.{kernel.__name__}-*.nbi"))


class Lanes:
    """Processes that compile. A job counts as done when its process has finished it, or has ended."""

    def __init__(self, lanes: Sequence[Sequence[str]]) -> None:
        self.jobs = {job: threading.Event() for lane in lanes for job in lane}
        self.seconds: dict[str, float] = {}
        """When each job was finished, in seconds from the start."""
        self._since = time.monotonic()
        self._processes = [_start(lane) for lane in lanes]
        for lane, process in zip(lanes, self._processes):
            threading.Thread(target=self._read, args=(lane, process), daemon=True).start()

    def _read(self, lane: Sequence[str], process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            job = line.strip().removeprefix(DONE)
            if line.startswith(DONE) and job in self.jobs:
                self.seconds[job] = time.monotonic() - self._since
                self.jobs[job].set()
        if process.wait() > 0:
            log.warning("a compiling process failed; the rest is compiled when it is needed")
        for job in lane:
            self.jobs[job].set()

    def wait(self, jobs: Iterable[str]) -> None:
        """Wait for jobs; those that were given to no process are skipped."""
        for job in jobs:
            if job in self.jobs:
                self.jobs[job].wait()

    def stop(self) -> None:
        """End the processes, and release everyone who waits for them."""
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.wait()


def _start(jobs: Sequence[str]) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "janshi.web.first_start", *jobs]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def main() -> None:
    """Do the named jobs, one after another; stop when the parent process is gone."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    gc.set_threshold(*FEW_COLLECTIONS)
    for job in sys.argv[1:]:
        name, *arguments = job.split()
        resolve_name(name)(*arguments)
        print(DONE + job, flush=True)


def _end_with_parent() -> None:
    """The pipe from the parent is closed when it ends, however it ends."""
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
