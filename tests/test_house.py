"""The house itself: quick imports, typed package, documents that are current and whose links hold."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import janshi
from patience import PATIENCE

ROOT = Path(__file__).resolve().parent.parent
HEAVY = {"numba", "numpy", "scipy", "pyarrow", "duckdb", "torch", "ray", "fastapi", "uvicorn", "gymnasium"}
"""Packages that take long to import."""


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False)


def python(code: str) -> str:
    done = run(sys.executable, "-c", code)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_import_loads_the_package_alone():
    code = "import sys; before = set(sys.modules); import janshi; print(*sorted(set(sys.modules) - before))"
    loaded = {name.partition(".")[0]: name for name in python(code).split()}
    assert loaded.pop("janshi") == "janshi", "no module of ours but the package itself"
    assert set(loaded) <= sys.stdlib_module_names


def test_help_loads_nothing_heavy():
    done = run(sys.executable, "-X", "importtime", "-m", "janshi", "--help")
    assert "watch" in done.stdout
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines() if "|" in line}
    assert {"janshi", "typer"} <= loaded
    assert not loaded & HEAVY


def test_unknown_attribute_is_an_attribute_error():
    assert not hasattr(janshi, "no_such_name")
    assert "Hand" in dir(janshi)


def test_package_is_marked_as_typed():
    assert (ROOT / "src" / "janshi" / "py.typed").exists()


def test_rules_table_in_the_docs_is_current():
    done = run(sys.executable, "scripts/write_rules_table.py", "--check")
    assert done.returncode == 0, done.stderr


def test_docs_build_without_a_broken_link(tmp_path: Path):
    done = run(sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr


def test_links_between_documents_outside_the_site_hold():
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"):
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
            if not target.startswith("http"):
                assert (ROOT / target).exists(), f"{page.name} links to {target}, which is not there"


def test_make_lists_every_target():
    listed = run("make", "help").stdout
    for target in ("run", "test", "check", "lint", "docs", "dist", "bench", "peers", "fuzz", "tables", "clean"):
        assert f"make {target}" in listed


def test_a_dry_make_only_prints():
    """Make runs a line that calls make again even with -n, and with it everything else on that line."""
    assert "$(MAKE)" not in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_make_ends_with_the_linter_that_failed(tmp_path):
    says = {"ruff": "true", "mypy": "echo 'a.py:1: wrong type'; false", "lint-imports": "true", "python": "echo passed"}
    (tmp_path / "bin").mkdir()
    for name, line in says.items():
        program = tmp_path / "bin" / name
        program.write_text(f"#!/bin/sh\n{line}\n")
        program.chmod(0o755)
    (tmp_path / ".dev").touch()
    command = ["make", "--no-print-directory", "check", f"VENV={tmp_path}", "SCRIPTS=.prettierrc.json"]
    done = run(*command)
    assert done.returncode != 0
    assert "passed" in done.stdout
    assert done.stdout.splitlines()[-2:] == ["a.py:1: wrong type", f"failed: {tmp_path}/bin/mypy"]
    (tmp_path / "bin" / "mypy").write_text("#!/bin/sh\n")
    assert run(*command).returncode == 0
    (tmp_path / "bin" / "python").write_text("#!/bin/sh\nfalse\n")
    done = run(*command)
    assert done.returncode != 0
    assert done.stdout.endswith("failed: tests (see above)\n")


def test_licence_is_apache_2():
    assert "Apache License" in (ROOT / "LICENSE").read_text(encoding="utf-8")


def test_only_the_rules_compare_a_table_before_and_after():
    """The rules report what happened in a step (`rules/events.py`); other code that steps a table reads no state."""
    comparing = []
    for path in sorted((ROOT / "src" / "janshi").rglob("*.py")):
        if "rules" not in path.relative_to(ROOT).parts:
            functions = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)]
            comparing += [f"{path.name}: {node.name}" for node in functions if _steps_and_reads(node)]
    assert not comparing


def _steps_and_reads(function: ast.FunctionDef) -> bool:
    """Whether a function steps a table and reads its state."""
    nodes = [node for node in ast.walk(function) if isinstance(node, ast.Attribute)]
    steps = any(node.attr == "step" and ast.unparse(node.value).endswith("table") for node in nodes)
    return steps and any(node.attr in ("state", "states", "_states") for node in nodes)
