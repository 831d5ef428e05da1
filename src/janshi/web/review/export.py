"""A review as one HTML file that needs nothing else: scripts, styles, tiles and data are in it.

A page opened from a disk may not load modules from files beside it. So every module goes into the page as a `data:`
address, and an import map maps their names, `janshi/<file>`, to them.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from functools import lru_cache
from html import escape
from pathlib import Path
from posixpath import join, normpath
from typing import Any, Final

STATIC: Final = Path(__file__).parent.parent / "static"
ENTRY: Final = "review/file.js"
STYLES: Final = ("base", "shell", "tiles", "board", "review")

_IMPORT: Final = re.compile(r'(\bfrom\s*|\bimport\s*\(?\s*)"(\.\.?/[\w./-]+\.js)"')
_COMMENT: Final = re.compile(r"/\*.*?\*/", re.S)
_POLICY: Final = (
    "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; img-src data:; base-uri 'none'"
)


def modules(entry: str = ENTRY) -> dict[str, str]:
    """The text of a script and of everything it imports, by path in the folder of scripts; imports are renamed."""
    found: dict[str, str] = {}
    wanted = [entry]
    while wanted:
        name = wanted.pop()
        if name in found:
            continue
        text = _COMMENT.sub("", (STATIC / "js" / name).read_text("utf-8"))  # types in comments are not modules
        folder = name.rpartition("/")[0]
        wanted += [normpath(join(folder, path)) for _, path in _IMPORT.findall(text)]
        found[name] = _IMPORT.sub(lambda m, f=folder: f'{m[1]}"janshi/{normpath(join(f, m[2]))}"', text)  # type: ignore[misc]
    return found


@lru_cache(maxsize=2)
def _scripts(stamp: int) -> str:
    """The import map of the page."""
    texts = {name: base64.b64encode(text.encode()).decode() for name, text in modules().items()}
    return as_script({"imports": {f"janshi/{name}": f"data:text/javascript;base64,{t}" for name, t in texts.items()}})


def _stamp() -> int:
    return max(path.stat().st_mtime_ns for path in (STATIC / "js").rglob("*.js"))


def as_script(value: Any) -> str:
    """JSON that is safe inside a script element: nothing in it can end the element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def styles() -> str:
    """All style sheets of the page."""
    texts = [(STATIC / "style" / f"{name}.css").read_text("utf-8") for name in STYLES]
    return "\n".join(texts).replace("</", "<\\/")


def html_of(data: Mapping[str, Any], title: str) -> str:
    """The whole file."""
    return f"""<!doctype html>
<html lang="en" data-theme="auto">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Janshi">
<title>{escape(title)}</title>
<style>
{styles()}
</style>
<script type="importmap">{_scripts(_stamp())}</script>
</head>
<body>
<header class="shell-header" id="header"></header>
<main id="page" class="page page-review" tabindex="-1"></main>
<div id="announcer" class="visually-hidden" role="status" aria-live="polite" aria-atomic="true"></div>
<div id="toasts" class="toasts" aria-live="assertive"></div>
<script type="application/json" id="review-data">{as_script(data)}</script>
<script type="module">import "janshi/{ENTRY}";</script>
</body>
</html>
"""
