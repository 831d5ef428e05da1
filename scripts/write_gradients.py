"""Write the figures of the gradient bench (`measure_gradients.py`) into docs/gradients.md.

python scripts/write_gradients.py            # from the files in docs/rvr/gradients
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from _page import write_between
from measure_gradients import page

DOCS = Path(__file__).resolve().parent.parent / "docs"
BEGIN, END = "<!-- gradients: begin -->", "<!-- gradients: end -->"
ORDER = ("simplified-early", "simplified-middle", "simplified-strong", "guobiao")


def section(name: str, found: dict[str, Any]) -> str:
    """One policy's figures."""
    seconds = found["seconds"]
    cost = (
        f"{seconds['all']:.0f} s, of which {seconds['values']:.0f} for values, {seconds['reference']:.0f} for the "
        f"reference and {seconds['compared']:.0f} for the comparison"
    )
    used = [
        f"{variant} ({100 * row['expected_used']:.0f} %)"
        for variant, row in found["variants"].items()
        if "expected_used" in row
    ]
    lines = [
        f"### {name.replace('-', ' game, ').replace('guobiao', 'Guobiao, shipped').capitalize()} policy",
        f"{found['date']}, {found['machine']}, one NVIDIA H200 shared by four policies. {cost}.",
        page(found).partition(": ")[2].strip().capitalize(),
    ]
    if used:
        lines.append(f"Expected rewards were used in {', '.join(used)} of the batches.")
    return "\n\n".join(lines)


def main() -> None:
    """Write the page."""
    folder = DOCS / "rvr" / "gradients"
    parts = [section(name, json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))) for name in ORDER]
    write_between(DOCS / "gradients.md", BEGIN, END, "\n" + "\n\n".join(parts) + "\n")


if __name__ == "__main__":
    main()
