"""Compiled, compiled with bounds checks, and in plain Python: the same games, byte for byte."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from patience import PATIENCE

FUZZ = Path(__file__).resolve().parents[3] / "scripts" / "fuzz.py"


def hashes(*presets: str, **settings: str) -> str:
    """Play a little in a process of its own and hash every state on the way (see scripts/fuzz.py)."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(FUZZ), "--seed", "7", "--hash", *presets],
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def compiled() -> str:
    return hashes("tenhou", "mleague")


def test_plain_python_agrees(compiled: str) -> None:
    assert hashes("tenhou", "mleague", NUMBA_DISABLE_JIT="1") == compiled


def test_bounds_checked_agrees(compiled: str) -> None:
    assert hashes("tenhou", "mleague", NUMBA_BOUNDSCHECK="1") == compiled
