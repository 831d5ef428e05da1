"""Golden playthroughs: the engine makes of recorded answers, line by line, what it made before."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest
from gb_golden import EVENTS, FOLDER, read, render

TEXTS = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_playthrough(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    lines = render(*read(text)).splitlines()
    diff = list(difflib.unified_diff(text.splitlines(), lines, path.name, "played now", lineterm="", n=2))
    assert not diff, "\n".join(["the playthrough has changed; if that is meant, run gb_golden.py", *diff])


def test_texts_cover_the_events() -> None:
    titles = {path.read_text(encoding="utf-8").splitlines()[0] for path in TEXTS}
    assert not set(EVENTS) - titles
