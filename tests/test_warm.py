"""Kernels of the tests are compiled again after their sources have changed, and only then."""

from __future__ import annotations

from pathlib import Path

import pytest

import warm
from janshi.core import _kernel_cache

KERNEL = "from janshi.core._jit import kernel\n\n\n@kernel\ndef one(x):\n    return x + 1\n"


def stamp_of(package: Path, monkeypatch: pytest.MonkeyPatch, **files: str) -> str:
    """The name of the stamp of a package with these files."""
    package.mkdir(parents=True)
    for name, text in files.items():
        (package / f"{name}.py").write_text(text)
    monkeypatch.setattr(_kernel_cache, "PACKAGE", package)
    return warm.stamp().name


def test_the_stamp_follows_the_sources_of_kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = stamp_of(tmp_path / "1" / "package", monkeypatch, kernels=KERNEL, words="A = 1\n")
    assert stamp_of(tmp_path / "2" / "package", monkeypatch, kernels=KERNEL, words="A = 2\n") == before
    changed = KERNEL.replace("1", "2")
    assert stamp_of(tmp_path / "3" / "package", monkeypatch, kernels=changed, words="A = 1\n") != before
