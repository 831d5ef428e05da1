"""Count the files, lines and functions of each package, before and now, and write the table to docs/architecture.md.

"Before" is the last commit with prefixes instead of packages; `python scripts/measure_source.py REVISION` chooses
another.
"""

from __future__ import annotations

import argparse
import ast
import io
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from _page import table_of_figures, write_between

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "architecture.md"
SOURCE = "src/janshi"
BEFORE = "73ff08b"
"""The last commit before packages replaced prefixes."""
BEGIN, END = "<!-- sizes: written by scripts/measure_source.py -->", "<!-- end of sizes -->"
TOTAL = "total"

Sizes = dict[str, tuple[int, int, int]]


def package_of(path: PurePosixPath) -> str:
    """The package that a file belongs to: rule sets are counted separately, and old modules `cli_*` as `cli`."""
    first = path.parts[0]
    if first.startswith("cli"):
        return "cli"
    if len(path.parts) == 1:
        return "(top)"
    return "/".join(path.parts[:2]) if first == "rules" and len(path.parts) > 2 else first


def measure(files: Iterator[tuple[PurePosixPath, str]]) -> Sizes:
    """Files, lines and functions of each package."""
    sizes: Sizes = {}
    for path, text in files:
        functions = sum(isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) for node in ast.walk(ast.parse(text)))
        for name in (package_of(path), TOTAL):
            before = sizes.get(name, (0, 0, 0))
            sizes[name] = (before[0] + 1, before[1] + len(text.splitlines()), before[2] + functions)
    return sizes


def files_now() -> Iterator[tuple[PurePosixPath, str]]:
    """The source files of this checkout."""
    folder = ROOT / SOURCE
    for path in sorted(folder.rglob("*.py")):
        yield PurePosixPath(path.relative_to(folder).as_posix()), path.read_text(encoding="utf-8")


def files_at(revision: str) -> Iterator[tuple[PurePosixPath, str]]:
    """The source files of a commit."""
    packed = subprocess.run(["git", "archive", revision, SOURCE], cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for member in archive:
            if member.name.endswith(".py") and (file := archive.extractfile(member)) is not None:
                yield PurePosixPath(member.name).relative_to(SOURCE), file.read().decode()


def main() -> None:
    """Read arguments, count, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("revision", nargs="?", default=BEFORE, help="the commit to compare with")
    before, now = measure(files_at(parser.parse_args().revision)), measure(files_now())
    rows = []
    for name in [*sorted((before.keys() | now.keys()) - {TOTAL}), TOTAL]:
        pairs = zip(before.get(name, (0, 0, 0)), now.get(name, (0, 0, 0)))
        rows.append([name, *(f"{count:,}" for pair in pairs for count in pair)])
    head = ["package", "files before", "now", "lines before", "now", "functions before", "now"]
    write_between(PAGE, BEGIN, END, f"\n{table_of_figures(head, rows)}\n")


if __name__ == "__main__":
    main()
