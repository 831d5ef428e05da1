"""Timing with the same clock for us and the peers, on chosen cores. Only the standard library: peers import it too."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

WINDOW = 0.2


def rate(once: Callable[[], int], seconds: float) -> float:
    """Units per second in the best window of 0.2 s within `seconds`.

    `once()` does some work and returns the number of units. The best window is the one that other programs on the
    machine disturbed least.
    """
    return max(_rate(once, min(WINDOW, seconds)) for _ in range(max(1, round(seconds / WINDOW))))


def _rate(once: Callable[[], int], seconds: float) -> float:
    start, units = time.perf_counter(), 0
    while (passed := time.perf_counter() - start) < seconds:
        units += once()
    return units / passed


def available_cores() -> list[int]:
    """The cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


@contextmanager
def on_cores(number: int) -> Iterator[None]:
    """Pin this process, its threads and its children to some cores, if the system supports that."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, set(sorted(before)[:number]))
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
