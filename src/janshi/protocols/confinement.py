"""The environment of a third-party program, and its limits.

A bot gets a few harmless environment variables, so it sees no tokens or keys, and limits on memory, processor time and
open files. The limits are set from outside right after the start (`prlimit`), which costs nothing; only Linux can do
that, so elsewhere there are none. They hold for each process, so they stop mistakes; they are not a sandbox. Run a
program you distrust as another user or in a container.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

MIB: Final = 1 << 20
HARMLESS: Final = (
    *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "TZ", "LANG", "LANGUAGE", "LD_LIBRARY_PATH"),
    *(
        "VIRTUAL_ENV",
        "PYTHONPATH",
        "NODE_PATH",
        "PYTHONHASHSEED",
        "PYTHONIOENCODING",
        "PYTHONUTF8",
        "XDG_CACHE_HOME",
        "CUDA_VISIBLE_DEVICES",
    ),
    *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"),
    *("JANSHI_CACHE_DIR", "JANSHI_BUNDLE_NUMBA"),
)
"""Environment variables that every bot may see, besides those of the locale (`LC_...`)."""
CAN_LIMIT: Final = hasattr(resource, "prlimit")
"""Whether this system lets us limit a running child: Linux does."""


@dataclass(frozen=True, slots=True)
class Confinement:
    """How a bot is run. None lifts a limit."""

    memory: int | None = 4096
    """MiB of memory that a process may write to."""
    cpu: float | None = 3600.0
    """Seconds of processor time for one game."""
    files: int | None = 256
    """Files that a process may have open."""
    variables: tuple[str, ...] = ()
    """Names of further environment variables that it may see."""

    def environment(self, ours: Mapping[str, str] = os.environ) -> dict[str, str]:
        """The environment of a bot: harmless variables and those that are named."""
        return {
            name: value
            for name, value in ours.items()
            if name in HARMLESS or name in self.variables or name.startswith("LC_")
        }

    def apply(self, pid: int) -> None:
        """Set the limits of a child that was just started; it may be gone already."""
        if not CAN_LIMIT:
            return
        with contextlib.suppress(ProcessLookupError):
            _set_limit(pid, resource.RLIMIT_CORE, 0)
            if self.memory is not None:  # not the address space: some runtimes reserve far more than they use
                _set_limit(pid, resource.RLIMIT_DATA, self.memory * MIB)
            if self.files is not None:
                _set_limit(pid, resource.RLIMIT_NOFILE, self.files)
        self.renew(pid)

    def renew(self, pid: int) -> None:
        """Allow a child the processor time of another game."""
        if self.cpu is None or not CAN_LIMIT:
            return
        with contextlib.suppress(OSError, ValueError):
            _, hard = resource.prlimit(pid, resource.RLIMIT_CPU)
            soft = _lower(round(_seconds_used(pid) + self.cpu) or 1, hard)
            resource.prlimit(pid, resource.RLIMIT_CPU, (soft, hard))


PLAIN: Final = Confinement()


def _set_limit(pid: int, which: int, value: int) -> None:
    _, hard = resource.prlimit(pid, which)
    most = _lower(value, hard)
    resource.prlimit(pid, which, (most, most))


def _lower(value: int, hard: int) -> int:
    return value if hard == resource.RLIM_INFINITY else min(value, hard)


def _seconds_used(pid: int) -> float:
    """Processor time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    user, system = fields[11:13]  # utime and stime: the state is field 0 here
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
