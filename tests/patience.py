"""How long tests wait for something that should happen.

A wait only guards against hanging, so it is minutes long: no test fails because the machine is slow or busy. Speed is
measured by the scripts in `benchmarks/`; tests count work instead (calls, requests, bytes).
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any, TypeVar

PATIENCE = 600.0
"""Seconds after which something is taken to hang."""
BROWSER_PATIENCE = 1000 * PATIENCE
"""The same for a browser, in milliseconds."""
Found = TypeVar("Found")


def wait_until(condition: Callable[[], Found], what: str, every: float = 0.05) -> Found:
    """Wait for a condition to hold; returns what it gave, and fails with `what` if it never does."""
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < end, f"waited {PATIENCE:.0f} s in vain: {what}"
        time.sleep(every)
    return found


def count_calls(work: Callable[[], Any]) -> int:
    """Count the functions that Python calls while it works: a measure of effort that no other program can change."""
    calls = 0

    def note(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls


def group_lives(leader: int) -> bool:
    """Whether any process of a group is left."""
    try:
        os.killpg(leader, 0)
    except ProcessLookupError:
        return False
    return True
