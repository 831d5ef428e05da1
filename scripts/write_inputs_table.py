"""Write the tables of the riichi network's inputs into `docs/riichi_inputs.md`, from the code.

python scripts/write_inputs_table.py            # rewrite the tables
python scripts/write_inputs_table.py --check    # only check whether they are up to date
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from _page import put_between, replace_page, table
from janshi.features.layout import Group
from janshi.features.riichi import layout as at

PAGE = Path(__file__).resolve().parent.parent / "docs" / "riichi_inputs.md"
BEGIN, END = "<!-- inputs: begin -->", "<!-- inputs: end -->"
TOKENS = {"tile": "one for each of the 34 kinds", "player": "one for each player", "game": "one", "question": "one"}
PLAIN = ("one", "yes")
"""Axes with a single value, which are not shown."""


def axes(group: Group) -> str:
    """How the channels of a group are numbered, such as `player 4 × turn 24`."""
    return " × ".join(f"{name} {size}" for name, size in group.axes.items() if name not in PLAIN) or "yes or no"


def section_table(section: at.Section) -> str:
    """One row per group of channels."""
    rows = [
        [
            f"{group.first}–{group.first + group.size - 1}" if group.size > 1 else str(group.first),
            group.name,
            axes(group),
            group.topic + (" (derived)" if group.topic in at.DERIVED else ""),
        ]
        for group in section.layout.groups
    ]
    return table(["channels", "what", "composition", "topic"], rows)


def tables() -> str:
    """All tables of the page."""
    topics = table(["topic", "what its inputs say"], [[name, about] for name, about in at.TOPICS.items()])
    lines = [
        f"Version `{at.VERSION}`: {at.INPUTS:,} inputs in {at.TOKENS} tokens. Input `first + token × channels + "
        "channel` is a channel of a token.",
        "",
        topics,
    ]
    for section in at.SECTIONS:
        lines += [
            "",
            f"### {section.name.capitalize()} tokens" if section.tokens > 1 else f"### The {section.name} token",
            "",
            f"{TOKENS[section.name].capitalize()}, {section.width} channels each, from input {section.first:,} on.",
            "",
            section_table(section),
        ]
    return "\n".join(lines)


def main() -> None:
    """Write the tables, or check them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="fail if the tables are not current")
    arguments = parser.parse_args()
    text = PAGE.read_text(encoding="utf-8")
    new = put_between(text, BEGIN, END, tables(), PAGE.name)
    if arguments.check and new != text:
        sys.exit(f"{PAGE.name} is not current: run python scripts/write_inputs_table.py")
    if not arguments.check:
        replace_page(PAGE, new)


if __name__ == "__main__":
    main()
