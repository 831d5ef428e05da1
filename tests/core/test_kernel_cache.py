"""Old folders of the kernel cache are removed; those in use stay. Kernels compile under any release of Numba."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import numba
import pytest

from janshi.core import _kernel_cache
from janshi.core._jit import TESTED
from janshi.core._kernel_cache import DAY, MOST_BYTES, SAFE_DAYS, UNUSED_DAYS, cache_folder, remove_old
from patience import PATIENCE

NOW = 1_800_000_000.0


def make_folder(root: Path, number: int, unused_days: float, size: int = 10) -> Path:
    """A folder as Numba leaves it, last used some days before `NOW`."""
    folder = root / f"core.shanten-{number:016x}"
    inner = folder / "core_0123"
    inner.mkdir(parents=True)
    (inner / "shanten.nbc").write_bytes(bytes(size))
    for path in (inner / "shanten.nbc", inner, folder):
        os.utime(path, (NOW - unused_days * DAY,) * 2)
    return folder


def test_unused_folders_go(tmp_path: Path) -> None:
    old = make_folder(tmp_path, 1, UNUSED_DAYS + 1)
    young = make_folder(tmp_path, 2, UNUSED_DAYS - 1)
    assert remove_old(tmp_path, NOW) == [old]
    assert not old.exists()
    assert young.exists()


def test_a_folder_that_was_read_again_stays(tmp_path: Path) -> None:
    """The files are old, but a process has marked the folder as used."""
    folder = make_folder(tmp_path, 1, UNUSED_DAYS + 1)
    os.utime(folder, (NOW - DAY,) * 2)
    assert remove_old(tmp_path, NOW) == []


def test_a_large_cache_loses_what_was_unused_longest(tmp_path: Path) -> None:
    folders = [make_folder(tmp_path, days, days, 1000) for days in (SAFE_DAYS + 3, SAFE_DAYS + 2, SAFE_DAYS + 1)]
    assert remove_old(tmp_path, NOW, most_bytes=3000) == []
    assert remove_old(tmp_path, NOW, most_bytes=1999) == [folders[1], folders[0]]
    assert folders[2].exists()


def test_what_another_version_uses_stays_in_a_large_cache(tmp_path: Path) -> None:
    used = [make_folder(tmp_path, number, SAFE_DAYS / 2, 1000) for number in range(3)]
    assert remove_old(tmp_path, NOW, most_bytes=0) == []
    assert all(folder.exists() for folder in used)


def test_other_files_are_not_touched(tmp_path: Path) -> None:
    for path in (tmp_path / "majiang", tmp_path / "notes-of-mine"):
        path.mkdir()
        os.utime(path, (1.0, 1.0))
    (tmp_path / f"file-{0:016x}").write_text("")
    os.utime(tmp_path / f"file-{0:016x}", (1.0, 1.0))
    assert remove_old(tmp_path, NOW, most_bytes=0) == []


def run(program: str, cache: Path) -> str:
    environment = {**os.environ, "JANSHI_CACHE_DIR": str(cache)}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


USE = """
from janshi.core.tables import load_tables
from janshi.core.shanten import shanten
import numpy as np
hand = np.zeros(34, np.uint8)
hand[:7] = 2
print(int(shanten(hand, 0, load_tables())))
"""


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="kernels are plain Python here")
def test_a_process_marks_what_it_uses_and_removes_what_is_old(tmp_path: Path) -> None:
    old = make_folder(tmp_path, 1, 0)
    ours = tmp_path / cache_folder(str(Path(sys.modules["janshi.core"].__path__[0]) / "shanten.py")).name
    ours.mkdir()
    for path in (ours, old, *old.rglob("*")):
        os.utime(path, (1.0, 1.0))
    run("import janshi.core.shanten", tmp_path)
    assert not old.exists()
    assert ours.stat().st_mtime > time.time() - DAY
    again = make_folder(tmp_path, 1, 0)
    for path in (again, *again.rglob("*")):
        os.utime(path, (1.0, 1.0))
    run("import janshi.core.shanten", tmp_path)
    assert again.exists(), "old folders are looked for once a day"
    assert MOST_BYTES >= 1 << 30, "two versions side by side must fit"


OTHER_NUMBA = """
import sys
import numba
numba.version_info = numba.version_info._replace(short=(9, 9))
for name in ("_two_forms", "_shared_cache"):
    sys.modules[f"janshi.core.{name}"] = None  # importing it would fail
from janshi.core.shanten import shanten as kernel
assert not hasattr(kernel, "inner"), "the two forms are used"
"""


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="kernels are plain Python here")
def test_kernels_compile_plainly_under_another_numba(tmp_path: Path) -> None:
    """Where Numba's internals are not known to fit they are not imported, and kernels give the same results."""
    assert run(OTHER_NUMBA + USE, tmp_path / "plain") == run(USE, tmp_path / "forms") == "-1\n"
    assert list((tmp_path / "plain").rglob("*.nbc")), "plain kernels are cached, too"


COPY = """
from janshi.core._jit import kernel


@kernel
def twice(x):
    return 2 * x


print(twice(4), len(twice.stats.cache_hits), len(twice.stats.cache_misses))
"""


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="kernels are plain Python here")
@pytest.mark.skipif(
    numba.version_info.short not in TESTED, reason="nothing is shared under an untested release of Numba"
)
def test_copies_of_the_same_source_share_what_was_compiled(tmp_path: Path) -> None:
    answers = []
    for place in ("one", "other"):
        file = tmp_path / place / "same" / "copied.py"
        file.parent.mkdir(parents=True)
        file.write_text(COPY)
        answers.append(run(f"import runpy; runpy.run_path({str(file)!r})", tmp_path / "cache").split())
    assert answers == [["8", "0", "1"], ["8", "1", "0"]]


# --- which edits recompile a kernel


def sources(root: Path, file: str, **files: str) -> set[str]:
    """The files that a file of a small package depends on, by their names."""
    for name, text in files.items():
        path = root / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return {path.relative_to(root).as_posix() for path in _kernel_cache._sources(root / file)}


LAZY = """
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from janshi.rules.hand import Hand as Hand

    from janshi.rules.table import Table as Table

from janshi.core.lazy import lazy_names
"""


def test_imports_for_types_only_recompile_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_kernel_cache, "PACKAGE", tmp_path)
    for folder in ("core", "rules"):
        (tmp_path / folder).mkdir()
    (tmp_path / "rules" / "__init__.py").write_text(LAZY)
    kernels = "from janshi.rules import state as st, view  # comments are no names\nfrom janshi.rules.apply import x\n"
    files = {f"rules__{name}": "" for name in ("state", "view", "hand", "table")}
    files |= {"rules__apply": "from janshi.rules.state import y\n", "core__lazy": "", "kernels": kernels}
    needed = {"kernels.py", "rules/__init__.py", "rules/state.py", "rules/view.py", "rules/apply.py", "core/lazy.py"}
    assert sources(tmp_path, "kernels.py", **files) == needed
    by_name = sources(tmp_path, "friendly.py", friendly="from janshi.rules import Hand\n")
    assert by_name == {"friendly.py", "rules/__init__.py", "core/lazy.py", "rules/hand.py", "rules/table.py"}


def test_the_friendly_classes_are_below_no_kernel_of_the_rules() -> None:
    riichi = _kernel_cache.PACKAGE / "rules" / "riichi"
    found = _kernel_cache._sources(riichi / "stepping.py")
    assert {riichi / "apply.py", riichi / "state.py", riichi / "payment.py"} <= set(found)
    assert not {riichi / "hand.py", riichi / "table.py", riichi / "game.py"} & set(found)
