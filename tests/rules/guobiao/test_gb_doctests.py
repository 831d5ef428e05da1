"""Examples in the docstrings and on the page run."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[3] / "docs" / "guobiao.md"


@pytest.mark.parametrize("name", ["janshi.rules.guobiao.table", "janshi.records.botzone.replay"])
def test_docstring_examples_run(name: str):
    found = doctest.testmod(import_module(name))
    assert found.attempted > 0
    assert found.failed == 0


def test_the_pages_examples_run():
    found = doctest.testfile(str(PAGE), module_relative=False)
    assert found.attempted > 0
    assert found.failed == 0
