"""Strict mode: `JANSHI_STRICT=1` makes a failure of every test that is skipped because something is missing.

`make test` skips what it cannot run and says so. Where everything can be installed, as in continuous integration, a
skip would hide that a check has stopped running. `JANSHI_STRICT=tools` still lets tests be skipped that need the game
records of `../shared`, for machines that have none.
"""

from __future__ import annotations

import os
from typing import TypeVar

import pytest

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)
MODE = os.environ.get("JANSHI_STRICT", "0")
MACHINE = ("CUDA", "release of Numba")
"""Words of skips that depend on the machine or on an installed version, not on something that is missing."""
RECORDS = ("shared", "fixtures", "sample games", "needs the records")
"""Words of skips for missing game records."""


def reason_of(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Why a test was skipped."""
    return str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr)


def is_excused(reason: str, mode: str) -> bool:
    """Whether a skip is no failure in a mode."""
    if mode in ("", "0"):
        return True
    words = MACHINE + (RECORDS if mode == "tools" else ())
    return any(word in reason for word in words)


def judge(report: Report, mode: str = MODE) -> Report:
    """Turn the report of a skip into that of a failure, in strict mode."""
    if report.skipped and not hasattr(report, "wasxfail") and not is_excused(reason_of(report), mode):
        report.longrepr = f"{report.nodeid}: skipped, which JANSHI_STRICT={mode} forbids: {reason_of(report)}"
        report.outcome = "failed"
    return report
