"""A notice that kernels are being compiled appears once, and only in a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numba
import pytest

from janshi.show.compile_notice import LOADING, notify_compiling, stop_notifying


@pytest.fixture(autouse=True)
def quiet_after() -> Iterator[None]:
    yield
    stop_notifying()


def compile_something() -> None:
    numba.njit(lambda x: x + 1)(1)


def test_told_once_in_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    notify_compiling()
    notify_compiling()
    assert capsys.readouterr().err == ""
    compile_something()
    compile_something()
    assert capsys.readouterr().err == LOADING + "\n"


def test_no_notice_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    notify_compiling()
    compile_something()
    assert capsys.readouterr().err == ""
