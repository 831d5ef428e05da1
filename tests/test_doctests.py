"""Examples in the docstrings of modules run."""

from __future__ import annotations

import doctest
from importlib import import_module

import pytest

MODULES = ("janshi.rules.batch", "janshi.rules.riichi.table")


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples_run(name: str):
    found = doctest.testmod(import_module(name), optionflags=doctest.ELLIPSIS)
    assert found.attempted > 0
    assert found.failed == 0
