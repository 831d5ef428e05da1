"""Sizes of windows, and what counts as an error in a page, for tests in a browser."""

from __future__ import annotations

import re

DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
SMALL_PHONE = {"width": 360, "height": 740}


def console_error(kind: str, text: str) -> list[str]:
    """The error in a console message; a refused request (4xx) is none, because pages show it."""
    if kind != "error" or re.search(r"status of 4\d\d", text):
        return []
    return [f"console: {text}"]
