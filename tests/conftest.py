"""Fixtures for all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("JANSHI_SHARED", ROOT.parent / "shared"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real game records and other large test data; tests that need it are skipped where there is none."""
    if not SHARED.is_dir():
        pytest.skip(
            f"needs the shared test data: no folder {SHARED.name}/ beside the checkout ($JANSHI_SHARED names another)"
        )
    return SHARED
