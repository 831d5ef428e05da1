"""Write the table of every rule flag per preset into `docs/riichi.md`, from the code.

    python scripts/write_rules_table.py            # rewrite the table
    python scripts/write_rules_table.py --check    # only say whether it is current

The meaning of a flag is the docstring under its field in `Ruleset`.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import sys
from dataclasses import fields
from enum import IntEnum
from itertools import pairwise
from pathlib import Path

from janshi.rules.riichi import ruleset
from janshi.rules.riichi.ruleset import PRESETS, Ruleset

PAGE = Path(__file__).resolve().parent.parent / "docs" / "riichi.md"
BEGIN, END = "<!-- rules table: begin -->", "<!-- rules table: end -->"


def field_docs() -> dict[str, str]:
    """Read the docstring under each field of `Ruleset`."""
    tree = ast.parse(inspect.getsource(ruleset))
    body = next(node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Ruleset")
    docs = {}
    for node, after in pairwise(body):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and isinstance(after, ast.Expr):
            docs[node.target.id] = " ".join(str(ast.literal_eval(after.value)).split())
    return docs


def cell(value: object) -> str:
    """Write a flag's value as people read it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, IntEnum):
        return value.name.lower().replace("_", " ")
    if isinstance(value, tuple):
        return " / ".join(f"{part:+d}" for part in value)
    return f"{value:,}" if isinstance(value, int) else str(value)


def table() -> str:
    """Build the Markdown table: one row per flag, one column per preset."""
    docs = field_docs()
    head = ["flag", *PRESETS, "meaning"]
    rows = [head, ["---"] * len(head)]
    for field in fields(Ruleset):
        if field.name != "name":
            values = [cell(getattr(rules, field.name)) for rules in PRESETS.values()]
            rows.append([f"`{field.name}`", *values, docs.get(field.name, "")])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def with_table(page: str) -> str:
    """Put the current table between the page's two markers."""
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


def main() -> int:
    """Rewrite or check the page; the exit code is 1 if `--check` finds it out of date."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if the table is out of date")
    arguments = parser.parse_args()
    page = PAGE.read_text(encoding="utf-8")
    current = with_table(page)
    if page == current:
        return 0
    if arguments.check:
        print(f"the rules table in {PAGE.name} is out of date: run scripts/write_rules_table.py", file=sys.stderr)
        return 1
    PAGE.write_text(current, encoding="utf-8")
    print(f"wrote the rules table into {PAGE.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
