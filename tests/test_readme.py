"""Every Python example in the README and the tour runs, and prints what it says it prints."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "docs/tour.md")
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(page: str) -> list[tuple[int, str]]:
    """The page's Python blocks with the line each begins at."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [(text.count("\n", 0, match.start()) + 1, match.group(1)) for match in BLOCK.finditer(text)]


@pytest.mark.parametrize("page", PAGES)
def test_examples_run(page: str):
    """Blocks of a page share their names, from top to bottom, as a reader would type them."""
    names: dict[str, object] = {}
    found = blocks(page)
    assert found, f"{page} has no Python example"
    for line, source in found:
        if ">>>" not in source:
            exec(compile(source, f"{page}:{line}", "exec"), names)
            continue
        example = doctest.DocTestParser().get_doctest(source, names, f"{page}:{line}", page, line)
        report: list[str] = []
        doctest.DocTestRunner(optionflags=FLAGS).run(example, out=report.append, clear_globs=False)
        assert not report, "".join(report)
        names.update(example.globs)
