"""Fixtures for all tests."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

from strict import judge

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")  # tests run on all cores already; more threads wait for one another, spinning

gc.set_threshold(50_000, 50, 100)  # tests and compiled kernels leave many objects to look through, and few to collect

settings.register_profile("janshi", deadline=None)  # no test depends on how fast the machine is
settings.load_profile("janshi")

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("JANSHI_SHARED", ROOT.parent / "shared"))
LONGEST = (
    "test_browser_everywhere.py",
    "test_browser_review_parts.py",
    "test_browser_review.py",
    "test_browser_play.py",
    "test_botzone_bundle.py",
    "test_review_api.py",
    "test_browser_table.py",
    "test_schema.py",
    "test_browser_career.py",
    "test_benchmark_bot.py",
    "test_restart.py",
    "test_browser_tools.py",
    "test_processes.py",
    "test_training_runs.py",
    "test_career_api.py",
    "test_release.py",
    "test_riichi_learning.py",
    "test_selfplay_scripts.py",
    "test_value_training.py",
    "test_plans.py",
    "test_majiang.py",
    "test_javascript.py",
    "test_importing.py",
    "test_browser_look.py",
    "test_browser_access.py",
    "test_review_watching.py",
    "test_browser_practice.py",
    "test_uploads_fuzz.py",
    "test_botzone_process.py",
    "test_levels.py",
    "test_majsoul.py",
    "test_reference.py",
    "test_practice.py",
    "test_chance.py",
    "test_scoring.py",
    "test_improvement.py",
    "test_matches.py",
    "test_botzone_forms.py",
    "test_botzone_tracker.py",
    "test_benchmarks.py",
    "test_browser_installed_family.py",
    "test_live_games.py",
    "test_check_agent.py",
    "test_value_streaming.py",
    "test_modes.py",
    "test_security.py",
    "test_riichi_returns.py",
    "test_engines.py",
)
"""Files that take longest, by processor time. They begin first, so that all processes end at about the same time."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest."""
    items.sort(key=lambda item: LONGEST.index(item.path.name) if item.path.name in LONGEST else len(LONGEST))


def pytest_collection_finish() -> None:
    """Leave modules and tests out of every later garbage collection: they stay to the end."""
    gc.freeze()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real game records and other large test data; tests that need it are skipped where there is none."""
    if not SHARED.is_dir():
        pytest.skip(
            f"needs the shared test data: no folder {SHARED.name}/ beside the checkout ($JANSHI_SHARED names another)"
        )
    return SHARED


@pytest.fixture(scope="session")
def mini_mahjong(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a process in which the example package is installed, beside this checkout."""
    place = tmp_path_factory.mktemp("installed")
    source = shutil.copytree(ROOT / "examples" / "mini_mahjong", place / "source")  # building leaves files behind
    install = ["install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--target", str(place / "site")]
    subprocess.run([sys.executable, "-m", "pip", *install, str(source)], check=True, timeout=600)
    paths = [str(place / "site"), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


# --- strict mode


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Judge the skips of tests."""
    return judge((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Judge the skips of whole files."""
    return judge((yield))
