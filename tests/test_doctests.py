"""Examples in the docstrings of all modules run."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import janshi

SOURCE = Path(janshi.__file__).resolve().parent


def modules_with_examples() -> list[str]:
    """Every module whose source holds an example."""
    files = [path for path in sorted(SOURCE.rglob("*.py")) if ">>> " in path.read_text(encoding="utf-8")]
    return [".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__") for path in files]


@pytest.mark.parametrize("name", modules_with_examples())
def test_docstring_examples_run(name: str):
    found = doctest.testmod(import_module(name), optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert found.attempted > 0
    assert found.failed == 0


def test_examples_are_found():
    assert {"janshi.arena.match", "janshi.rules.batch", "janshi.rules.riichi.table"} <= set(modules_with_examples())
