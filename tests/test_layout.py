"""The source tree reads like a table of contents: a shared prefix is a package."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import janshi

SOURCE = Path(janshi.__file__).parent
FOLDERS = sorted({path.parent for path in SOURCE.rglob("*.py")})
MOST = 2
"""Modules of a folder that may begin with the same word."""


def test_no_package_is_spelled_as_a_prefix():
    for folder in FOLDERS:
        names = [path.stem for path in folder.glob("*.py") if not path.stem.startswith("_")]
        prefixes = Counter(name.split("_")[0] for name in names if "_" in name)
        for prefix, count in prefixes.items():
            assert count <= MOST, f"{folder}: {count} modules begin with {prefix}_"
            assert prefix not in names, f"{folder}: {prefix}.py beside {prefix}_*.py"
            assert not (folder / prefix).is_dir(), f"{folder}: {prefix}/ beside {prefix}_*.py"


def test_every_package_says_what_is_in_it():
    for folder in FOLDERS:
        first = (folder / "__init__.py").read_text(encoding="utf-8")
        assert first.startswith('"""'), f"{folder} has no docstring"


def test_files_that_begin_first_exist():
    tests = Path(__file__).parent
    first = re.findall(r'^    "(test_\w+\.py)",$', (tests / "conftest.py").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(first) > 10
    assert set(first) <= {path.name for path in tests.rglob("test_*.py")}
