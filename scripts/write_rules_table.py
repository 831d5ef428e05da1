"""Write the tables of rule flags per preset and of yaku into `docs/riichi.md`, from the code.

    python scripts/write_rules_table.py            # rewrite the tables
    python scripts/write_rules_table.py --check    # only check whether they are up to date

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

from _page import put_between, replace_page, table
from janshi.rules.riichi import ruleset
from janshi.rules.riichi.ruleset import PRESETS, Ruleset
from janshi.rules.riichi.yaku import YAKU, Yaku
from janshi.show.rules import flag_text

PAGE = Path(__file__).resolve().parent.parent / "docs" / "riichi.md"
BEGIN, END = "<!-- {} table: begin -->", "<!-- {} table: end -->"
DOUBLE = 2


def field_docs() -> dict[str, str]:
    """Read the docstring under each field of `Ruleset`."""
    tree = ast.parse(inspect.getsource(ruleset))
    body = next(node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Ruleset")
    docs = {}
    for node, after in pairwise(body):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and isinstance(after, ast.Expr):
            docs[node.target.id] = " ".join(str(ast.literal_eval(after.value)).split())
    return docs


def choice_doc(default: object) -> str:
    """The meaning of a flag with named choices: the docstring of its enumeration."""
    return inspect.getdoc(type(default)) or "" if isinstance(default, IntEnum) else ""


def rules_table() -> str:
    """One row per flag, one column per preset."""
    docs = field_docs()
    rows = []
    for field in fields(Ruleset):
        if field.name != "name":
            values = [flag_text(getattr(rules, field.name)) for rules in PRESETS.values()]
            rows.append([f"`{field.name}`", *values, docs.get(field.name) or choice_doc(field.default)])
    return table(["flag", *(f"`{name}`" for name in PRESETS), "meaning"], rows)


def han(yaku: Yaku, value: int) -> str:
    """A yaku's worth in one column of the table."""
    if value == 0:
        return "–"
    if yaku.yakuman:
        return "yakuman, may count twice" if value == DOUBLE else "yakuman"
    return str(value)


def yaku_table() -> str:
    """One row per yaku that is scored."""
    rows = []
    for yaku in YAKU:
        if yaku.closed_han:
            rows.append([yaku.name, yaku.romaji, yaku.kanji, han(yaku, yaku.closed_han), han(yaku, yaku.open_han)])
    return table(["yaku", "Japanese", "", "han closed", "open"], rows)


TABLES = {"rules": rules_table, "yaku": yaku_table}


def with_tables(page: str) -> str:
    """Put the current tables between the page's markers."""
    for name, build in TABLES.items():
        page = put_between(page, BEGIN.format(name), END.format(name), build(), PAGE.name)
    return page


def main() -> int:
    """Rewrite or check the page; the exit code is 1 if `--check` finds it out of date."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a table is out of date")
    arguments = parser.parse_args()
    page = PAGE.read_text(encoding="utf-8")
    current = with_tables(page)
    if page == current:
        return 0
    if arguments.check:
        print(f"the tables in {PAGE.name} are out of date: run scripts/write_rules_table.py", file=sys.stderr)
        return 1
    replace_page(PAGE, current)
    print(f"wrote the tables into {PAGE.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
