"""Third-party programs as untrusted child processes: lines in and out, with deadlines and bounds.

A child runs in its own process group, so that everything it started dies with it, and all of it dies with us
(`guard.py`). It inherits a clean environment and limits (`confinement.py`). One thread reads its output into a bounded
store: a program that writes endlessly is stopped, not buffered.

Starting a child copies none of our memory (`vfork`), and waiting for its end needs no polling where the system has
process descriptors: a bot that is restarted for every turn costs little more than its own start.
"""

from __future__ import annotations

import contextlib
import math
import os
import select
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import IO, Final

from janshi.protocols.confinement import PLAIN, Confinement
from janshi.protocols.guard import GUARD

LONGEST_LINE: Final = 1 << 16
"""Bytes of the longest line a child may write."""
MOST_WAITING: Final = 1 << 20
"""Bytes a child may have written that nobody has read yet."""
STDERR_TAIL: Final = 2000
"""Bytes kept of what it last wrote to its standard error."""
_CHUNK: Final = 1 << 14


class ChildError(Exception):
    """A child did not do its part. `kind` is `start`, `crash`, `timeout` or `flood`."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


class Child:
    """A running program that talks in lines of text."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        confinement: Confinement = PLAIN,
        folder: str | None = None,
        longest_line: int = LONGEST_LINE,
        most_waiting: int = MOST_WAITING,
    ) -> None:
        self.command, self.confinement = list(command), confinement
        self.longest_line, self.most_waiting = longest_line, most_waiting
        self._lines: deque[bytes] = deque()
        self._part, self._waiting = b"", 0
        self._ended, self._flooded = False, False
        self._changed = threading.Condition()
        self._errors = b""
        GUARD.prepare()
        try:
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=confinement.environment() if environment is None else dict(environment),
                cwd=folder,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise ChildError("start", f"{self.command!r} cannot be started: {error}") from error
        GUARD.watch(self._process.pid)
        confinement.apply(self._process.pid)
        self._descriptor = _process_descriptor(self._process.pid)
        self._threads = [
            threading.Thread(target=self._read_output, args=(self._process.stdout,), daemon=True),
            threading.Thread(target=self._read_errors, args=(self._process.stderr,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    # --- talking to it

    def send_line(self, line: str, deadline: float) -> None:
        """Write a line before a moment of `time.monotonic()`; raises `ChildError`."""
        self.send(line.encode() + b"\n", deadline)

    def send(self, content: bytes, deadline: float) -> None:
        """Write bytes before a moment of `time.monotonic()`, even if the child does not read; raises `ChildError`."""
        pipe = self._process.stdin
        assert pipe is not None
        failed: list[OSError | ValueError] = []

        def write() -> None:
            try:
                left = memoryview(content)
                while left:
                    left = left[pipe.write(left) or 0 :]
            except (OSError, ValueError) as error:
                failed.append(error)

        if len(content) <= _PIPE_HOLDS:
            write()
        else:
            writer = threading.Thread(target=write, daemon=True)
            writer.start()
            writer.join(max(0.0, deadline - time.monotonic()))
            if writer.is_alive():
                raise ChildError("timeout", f"it did not read its input in time{self._last_words()}")
        if failed:
            raise self.death()

    def end_input(self) -> None:
        """Close the child's standard input."""
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()

    def read_line(self, deadline: float) -> str | None:
        """The next line it writes, without its end, or None if there is no more; raises `ChildError`."""
        with self._changed:
            while not self._lines and not self._ended and not self._flooded:
                rest = deadline - time.monotonic()
                if rest <= 0:
                    raise ChildError("timeout", f"it did not answer in time{self._last_words()}")
                self._changed.wait(rest)
            if self._flooded:
                raise ChildError(
                    "flood",
                    f"it wrote a line of more than {self.longest_line} bytes, or more than {self.most_waiting} unasked",
                )
            if not self._lines:
                return None
            line = self._lines.popleft()
            self._waiting -= len(line)
        return line.decode(errors="replace").rstrip("\r\n")

    @property
    def waiting(self) -> int:
        """How many lines it has written that nobody has read."""
        return len(self._lines)

    # --- its end

    @property
    def running(self) -> bool:
        """Whether it is still running."""
        return self._process.poll() is None

    def exit_status(self, deadline: float) -> int | None:
        """Its exit status, waited for until a moment of `time.monotonic()`; None if it still runs then."""
        rest = max(0.0, deadline - time.monotonic())
        if self._descriptor is not None:
            ended = select.poll()
            ended.register(self._descriptor, select.POLLIN)
            ended.poll(math.ceil(1000 * rest))
            return self._process.poll()
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process.wait(rest)
        return None

    def kill(self) -> None:
        """End the child and all it started, and free what it held."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        GUARD.forget(self._process.pid)
        self.exit_status(time.monotonic() + 5)
        for thread in self._threads:
            thread.join(1)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def renew(self) -> None:
        """Allow it the processor time of another game."""
        self.confinement.renew(self._process.pid)

    @property
    def errors(self) -> str:
        """The end of what it wrote to its standard error."""
        return self._errors.decode(errors="replace").strip()

    def death(self) -> ChildError:
        """The error of a child that has ended too early, with its status and last words."""
        status = self.exit_status(time.monotonic() + 1)
        self._threads[1].join(1)
        return ChildError("crash", f"it ended with status {status}{self._why_ended(status)}{self._last_words()}")

    def _why_ended(self, status: int | None) -> str:
        """The limit that it broke, as far as that can be seen."""
        if status == -signal.SIGXCPU and self.confinement.cpu is not None:
            return f": it used up its {self.confinement.cpu:g} s of processor time (cpu=no lifts this limit)"
        if self.confinement.memory is not None and any(words in self.errors for words in _OUT_OF_MEMORY):
            return f": it needed more than {self.confinement.memory} MiB of memory (memory=no lifts this limit)"
        return ""

    def _last_words(self) -> str:
        return f"; it last said: {self.errors[-300:]}" if self.errors else ""

    # --- what it writes

    def _read_output(self, pipe: IO[bytes]) -> None:
        while chunk := _read_some(pipe):
            with self._changed:
                self._take(chunk)
                self._changed.notify_all()
                if self._flooded:
                    break
        with self._changed:
            if self._part and not self._flooded:
                self._lines.append(self._part)
                self._waiting += len(self._part)
                self._part = b""
            self._ended = True
            self._changed.notify_all()

    def _take(self, chunk: bytes) -> None:
        *whole, self._part = (self._part + chunk).split(b"\n")
        for line in whole:
            self._lines.append(line + b"\n")
            self._waiting += len(line) + 1
        longest = max(map(len, (*whole, self._part)))
        self._flooded = longest > self.longest_line or self._waiting > self.most_waiting

    def _read_errors(self, pipe: IO[bytes]) -> None:
        while chunk := _read_some(pipe):
            self._errors = (self._errors + chunk)[-STDERR_TAIL:]


def _process_descriptor(pid: int) -> int | None:
    """A descriptor that becomes readable when a child ends, if the system has such."""
    if not hasattr(os, "pidfd_open"):
        return None
    try:
        return os.pidfd_open(pid)
    except OSError:
        return None


_PIPE_HOLDS: Final = 4096
"""Bytes that a pipe certainly accepts once its last line has been read."""


_OUT_OF_MEMORY: Final = ("MemoryError", "bad_alloc", "annot allocate memory", "ut of memory")
"""What programs say when they get no more memory."""


def _read_some(pipe: IO[bytes]) -> bytes:
    try:
        return pipe.read(_CHUNK)
    except (OSError, ValueError):
        return b""
