"""Worker processes on this machine: each plays units of games and sends them back as they finish.

If a worker dies (killed, out of memory), nothing is lost: another plays the games it had not sent.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import connection, get_context, parent_process
from multiprocessing.process import BaseProcess
from typing import Any, Final

from janshi.arena.plan import Plan
from janshi.arena.results import Results
from janshi.arena.units import FEW_TABLES, Options, Player

MOST_DEATHS: Final = 3
"""Number of workers that may die on a unit before the match is given up."""


class WorkerError(RuntimeError):
    """The workers cannot continue; says why."""


@dataclass
class Unit:
    """Games that a worker gets together."""

    numbers: list[int]
    deaths: int = 0


@dataclass
class _Worker:
    process: BaseProcess
    pipe: Any
    unit: Unit | None = None
    left: set[int] = field(default_factory=set)


def make_units(numbers: Sequence[int], size: int) -> deque[Unit]:
    """Games in units of `size`, in order."""
    return deque(Unit(list(numbers[i : i + size])) for i in range(0, len(numbers), size))


def unit_size(games: int, workers: int, slow: bool) -> int:
    """The number of games of a unit: enough for large batches, few enough to spread the work evenly."""
    return max(1, min(FEW_TABLES if slow else 512, -(-games // (4 * workers))))


def play_with_workers(
    plan: Plan, options: Options, numbers: Sequence[int], workers: int, size: int
) -> Iterator[Results]:
    """Play games on worker processes; yields them as they finish. Closing the iterator stops the workers."""
    waiting = make_units(numbers, size)
    crew: list[_Worker] = []
    try:
        crew += [_start(plan, options) for _ in range(min(workers, len(waiting)))]
        while waiting or any(worker.unit for worker in crew):
            for worker in crew:
                if worker.unit is None and waiting:
                    _give(worker, waiting.popleft())
            for pipe in connection.wait([worker.pipe for worker in crew if worker.unit]):
                worker = next(w for w in crew if w.pipe is pipe)
                try:
                    what, content = worker.pipe.recv()
                except (EOFError, OSError):
                    waiting.appendleft(_mourn(worker))
                    crew[crew.index(worker)] = _start(plan, options)
                    continue
                if what == "error":
                    raise WorkerError(content)
                if what == "results":
                    worker.left -= set(content.game.tolist())
                    yield content
                else:
                    worker.unit = None
    finally:
        _stop(crew)


def _start(plan: Plan, options: Options) -> _Worker:
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs, plan.to_json(), options), daemon=False)
    process.start()
    theirs.close()
    return _Worker(process, ours)


def _give(worker: _Worker, unit: Unit) -> None:
    worker.unit, worker.left = unit, set(unit.numbers)
    with suppress(OSError):  # if it has died, reading from its pipe will show it
        worker.pipe.send(unit.numbers)


def _mourn(worker: _Worker) -> Unit:
    """The games a dead worker leaves to play."""
    worker.process.join()
    worker.pipe.close()
    assert worker.unit is not None
    deaths = worker.unit.deaths + 1
    if deaths >= MOST_DEATHS:
        code = worker.process.exitcode
        cause = f"signal {signal.Signals(-code).name}" if code is not None and code < 0 else f"exit code {code}"
        raise WorkerError(f"{deaths} workers died on games {sorted(worker.left)[:8]} (the last by {cause})")
    return Unit(sorted(worker.left), deaths)


def _stop(crew: list[_Worker]) -> None:
    for worker in crew:
        if worker.process.is_alive():
            worker.process.terminate()
    for worker in crew:
        worker.process.join(5)
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()


def _work(pipe: Any, plan: dict[str, Any], options: Options) -> None:
    """The main loop of a worker: play units until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        player = Player(Plan.from_json(plan), options)
        while True:
            for results in player.play(pipe.recv()):
                pipe.send(("results", results))
            pipe.send(("done", None))
    except (EOFError, BrokenPipeError):
        return
    except Exception as error:
        pipe.send(("error", f"{type(error).__name__}: {error}"))


def _end_with_parent() -> None:
    """End the worker as soon as the match ends, however it ends."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
