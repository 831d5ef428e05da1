"""A guard that ends our child processes when we die, however that happens.

The guard is one small shell process that knows the process groups of all running children. It reads from a pipe that
only we can write to; when the pipe closes, we are gone, and it kills the groups that are left. Unlike a parent-death
signal it needs no code in the child, so children can be started without copying our memory, from any thread.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import subprocess
import threading
from typing import Final

SCRIPT: Final = """
trap '' HUP INT QUIT TERM
groups=' '
while read -r what group; do
    case $what in
        +) groups="$groups$group " ;;
        -) groups="${groups%% $group *} ${groups#* $group }" ;;
    esac
done
for group in $groups; do kill -s KILL -- "-$group" 2> /dev/null; done
"""
"""Takes lines `+ GROUP` and `- GROUP`."""


class Guard:
    """The guard of this process, started when it is first needed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._shell: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._groups: set[int] = set()

    def prepare(self) -> None:
        """Start the guard if there is none, so that a child that starts next is watched at once."""
        with self._lock:
            self._claim()
            if self._shell is None:
                self._start()

    def watch(self, group: int) -> None:
        """Kill this process group if we die."""
        with self._lock:
            self._claim()
            self._groups.add(group)
            if not self._say(f"+ {group}"):
                self._start()

    def forget(self, group: int) -> None:
        """Stop watching a process group that is being ended: its number may be used again."""
        with self._lock:
            self._groups.discard(group)
            self._say(f"- {group}")

    def close(self) -> None:
        """End the guard, and with it all children that are left."""
        with self._lock:
            if self._shell is not None and self._owner == os.getpid():
                assert self._shell.stdin is not None
                with contextlib.suppress(OSError):
                    self._shell.stdin.close()
                with contextlib.suppress(subprocess.TimeoutExpired):  # a process forked from ours may hold the pipe
                    self._shell.wait(1)
            self._shell = None

    def _claim(self) -> None:
        """Forget the guard of a process that we were forked from: our children are our own."""
        if self._owner != os.getpid():
            self._owner, self._shell, self._groups = os.getpid(), None, set()

    def _say(self, line: str) -> bool:
        """Pass a line on; False if there is no guard."""
        if self._shell is None or self._owner != os.getpid():
            return False
        assert self._shell.stdin is not None
        try:
            self._shell.stdin.write(line.encode() + b"\n")
        except OSError:
            return False
        return True

    def _start(self) -> None:
        """Start a guard and name all groups to it."""
        with contextlib.suppress(OSError):
            self._shell = subprocess.Popen(
                ["/bin/sh", "-c", SCRIPT],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={},
                bufsize=0,
                start_new_session=True,
            )
            for group in self._groups:
                self._say(f"+ {group}")


GUARD: Final = Guard()
atexit.register(GUARD.close)
