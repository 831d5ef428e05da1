"""Write the tables of planes into `docs/features.md`, from the code.

python scripts/write_planes_table.py            # rewrite the tables
python scripts/write_planes_table.py --check    # only check whether they are up to date
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from _page import put_between, replace_page, table
from janshi.features.planes import AMOUNT, COUNT, FLAG, RUN, SHARE, TILE, Group, encoder, encoder_names

PAGE = Path(__file__).resolve().parent.parent / "docs" / "features.md"
BEGIN, END = "<!-- {} planes: begin -->", "<!-- {} planes: end -->"
VALUES = {TILE: "one place", RUN: "three places", COUNT: "places", FLAG: "places"}
"""Which cells of a form's planes are one; planes of other forms are constant."""


def parts(group: Group) -> str:
    """The composition of a group's planes, such as `4 players × 24`."""
    names = group.names
    each = group.channels // len(names)
    who = list(dict.fromkeys(_without_number(name) for name in names))
    if len(names) == 1:
        return str(group.channels)
    counted = f"{'/'.join(who)}" + (f" × {len(names) // len(who)}" if len(names) > len(who) else "")
    return counted + (f" × {each}" if each > 1 else "")


def _without_number(name: str) -> str:
    """`own` of `own 3`."""
    before, _, last = name.rpartition(" ")
    return before if last.isdigit() else name


def values(group: Group) -> str:
    """What the planes contain."""
    if group.form in VALUES:
        return VALUES[group.form]
    if group.form == AMOUNT:
        return f"places, of {group.levels}"
    if group.form == SHARE and group.levels > 1:
        return f"constant, of {group.levels}"
    return "constant"


def planes_table(groups: Sequence[Group], skip: int = 0) -> str:
    """One row per group, with the numbers of its planes; the first groups may be left out."""
    rows, at = [], 0
    for number, group in enumerate(groups):
        last = at + group.channels - 1
        numbers = f"{at}–{last}" if last > at else str(at)
        name = f"**{group.name}**: {group.about}"
        paper = "yes" if group.paper else "no"
        if number >= skip:
            rows.append([numbers, group.channels, name, parts(group), values(group), paper])
        at += group.channels
    return table(["planes", "number", "what", "composition", "ones at", "of the paper"], rows)


def section(name: str) -> str:
    """The tables of one game. For planes that extend others, only the additional ones."""
    made = encoder(name)
    base, added, _ = name.partition("+")
    skip = len(encoder(base).planes.private) if added else 0
    lines = [
        f"Version `{made.version}`. {made.rows} × {made.columns} planes: {made.private_channels} private "
        f"({made.paper_private_channels} of the paper), {made.hidden_channels} hidden ({made.paper_hidden_channels}). "
        f"Packed: {made.private_bytes} and {made.hidden_bytes} bytes.",
        "",
        "Private, after those without plans:" if added else "Private:",
        "",
        planes_table(made.planes.private, skip),
    ]
    if not added:
        lines += ["", "Hidden:", "", planes_table(made.planes.hidden)]
    return "\n".join(lines)


def updated(text: str) -> str:
    """The page with current tables."""
    for family in encoder_names():
        text = put_between(text, BEGIN.format(family), END.format(family), section(family), PAGE.name)
    return text


def main() -> None:
    """Write the tables, or check them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="fail if the tables are not current")
    arguments = parser.parse_args()
    text = PAGE.read_text(encoding="utf-8")
    new = updated(text)
    if arguments.check and new != text:
        sys.exit(f"{PAGE.name} is not current: run python scripts/write_planes_table.py")
    if not arguments.check:
        replace_page(PAGE, new)


if __name__ == "__main__":
    main()
