"""Worker processes: start one for a job, read its answers line by line, and end it.

A worker is `worker.py`. It is killed when it is silent for too long, and when nobody waits for its answers any more.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import AsyncGenerator
from typing import Any, Final

from janshi.web.problems import Problem, Worded, problem, problem_from_json

START_SECONDS: Final = 600.0
"""Seconds until a worker must be ready: the first one after an installation has to compile."""
READ_SECONDS: Final = 90.0
"""Seconds until a record must have been read."""
SILENT_SECONDS: Final = 600.0
"""A worker that is silent for this many seconds is killed; the first decision may have to wait for a compiler."""
LONGEST_LINE: Final = 8 * 1024 * 1024


class WorkerError(Worded):
    """A worker that refused, crashed or took too long."""


async def ask_worker(job: dict[str, Any], text: str, silent: float) -> AsyncGenerator[dict[str, Any], None]:
    """A worker's answers to a job, line by line; the worker is gone when this ends, however it ends."""
    content = text.encode("utf-8")
    head = json.dumps({**job, "bytes": len(content)}).encode() + b"\n"
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "janshi.web.review.worker"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=LONGEST_LINE,
        env=one_thread(),
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        with contextlib.suppress(ConnectionError):
            process.stdin.write(head + content)
            await process.stdin.drain()
        while True:
            try:
                line = await asyncio.wait_for(process.stdout.readline(), silent)
            except TimeoutError:
                raise WorkerError("worker_silent", seconds=round(silent)) from None
            if not line:
                break
            said = json.loads(line)
            if said["say"] == "refused":
                raise WorkerError(problem_from_json(said["problem"]))
            yield said
        code = await asyncio.wait_for(process.wait(), 10)
        if code != 0:
            raise WorkerError(why_ended(code))
    finally:
        await end_process(process)


def one_thread() -> dict[str, str]:
    """The environment of a worker: one thread each, so that it takes one core."""
    one = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
    return {**os.environ, **one}


async def end_process(process: asyncio.subprocess.Process) -> None:
    """Kill a process, unless it has ended."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
    await asyncio.shield(process.wait())


def why_ended(code: int) -> Problem:
    """Why a worker ended without an answer."""
    if code == -getattr(signal, "SIGXCPU", 24):
        return problem("worker_out_of_time")
    if code == -signal.SIGKILL:
        return problem("worker_killed")
    return problem("worker_crashed", code=code)
