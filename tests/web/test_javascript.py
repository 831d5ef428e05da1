"""The scripts of the page: types checked by TypeScript, nothing a strict policy forbids, words in all languages."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from janshi.rules.guobiao.fans import FANS
from janshi.rules.riichi.yaku import YAKU
from patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "src" / "janshi" / "web" / "static"
SCRIPTS = sorted((STATIC / "js").rglob("*.js"))
WORDS = sorted((STATIC / "js" / "words").glob("*.js"))
TABLES = [STATIC / "js" / "tools" / f"{one}.js" for one in ("yaku", "fan")]
ERRORS = sorted((STATIC / "js" / "words" / "errors").glob("*.js"))
LANGUAGES = ("en", "ja", "zh")
LONGEST_LINE = 120


def name(path: Path) -> str:
    return path.relative_to(STATIC).as_posix()


def find_typescript() -> str:
    """TypeScript as `make javascript` installs it, or that of the machine; `$JANSHI_TSC` names another."""
    installed = ROOT / ".node" / "node_modules" / ".bin" / "tsc"
    found = os.environ.get("JANSHI_TSC") or (str(installed) if installed.exists() else shutil.which("tsc"))
    if found is None or shutil.which("node") is None:
        pytest.skip("no tsc: `make javascript` installs it (needs Node and npm)")
    return found


def need_node() -> str:
    found = shutil.which("node")
    if found is None:
        pytest.skip("needs Node, which is not installed")
    return found


def test_types() -> None:
    command = [find_typescript(), "-p", str(ROOT / "jsconfig.json")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stdout + done.stderr


def test_lines_are_short() -> None:
    for script in (*SCRIPTS, STATIC / "js" / "schema.d.ts"):
        lines = script.read_text(encoding="utf-8").splitlines()
        long = [number for number, line in enumerate(lines, 1) if len(line) >= LONGEST_LINE]
        assert not long, f"{name(script)}: lines {long}"


def test_types_from_the_schema_are_current() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "write_page_types.py"), "--check"],
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("script", SCRIPTS, ids=name)
def test_data_never_becomes_markup_or_code(script: Path) -> None:
    text = script.read_text(encoding="utf-8")
    for forbidden in (
        r"\binnerHTML\b",
        r"\bouterHTML\s*=",
        r"insertAdjacentHTML",
        r"document\.write",
        r"\beval\(",
        r"new Function",
    ):
        assert not re.search(forbidden, text), f"{name(script)} uses {forbidden}"


def test_the_page_has_nothing_inline_and_nothing_from_elsewhere() -> None:
    for page in STATIC.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"<script(?![^>]*\bsrc=)", text), f"{name(page)}: an inline script"
        assert not re.search(r"<style|\bstyle=|\son\w+=", text), f"{name(page)}: inline style or listener"
        assert not re.search(r"""(?:src|href)=["'](?:https?:)?//""", text), f"{name(page)}: something from elsewhere"
    for sheet in STATIC.rglob("*.css"):
        assert not re.search(r"@import|https?://(?!www\.w3\.org)", sheet.read_text(encoding="utf-8")), name(sheet)


@cache
def all_exported() -> dict[str, dict[str, Any]]:
    """What the modules without imports export: all words, and the tables of yaku and fan."""
    sources = {name(path): path.read_text(encoding="utf-8") for path in (*WORDS, *TABLES, *ERRORS)}
    urls = {place: "data:text/javascript," + quote(text) for place, text in sources.items()}
    code = f"""const found = {{}};
        for (const [place, url] of Object.entries({json.dumps(urls)})) found[place] = {{...(await import(url))}};
        process.stdout.write(JSON.stringify(found));"""
    command = [need_node(), "--input-type=module", "-"]
    done = subprocess.run(command, input=code, capture_output=True, text=True, encoding="utf-8", timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def exported(path: Path, what: str) -> Any:
    """What a module without imports exports under a name."""
    return all_exported()[name(path)][what]


def words_of(path: Path) -> dict[str, dict[str, str]]:
    """What a file of words exports."""
    return dict(exported(path, "default"))


@pytest.mark.parametrize("path", WORDS, ids=name)
def test_words_are_there_in_all_languages(path: Path) -> None:
    words = words_of(path)
    assert set(words) == set(LANGUAGES)
    missing = {language: sorted(words["en"].keys() - words[language].keys()) for language in LANGUAGES}
    assert not any(missing.values()), missing
    assert words["ja"].keys() == words["zh"].keys(), "names that the server tells in English are there in both others"
    for key, text in words["en"].items():
        wanted = set(re.findall(r"\{\w+\}", text))
        for language in LANGUAGES:
            assert set(re.findall(r"\{\w+\}", words[language][key])) <= wanted, f"{language} {key}: other values"


def test_every_word_that_scripts_ask_for_is_there() -> None:
    known = {key for path in WORDS for key in words_of(path)["en"]}
    asked = {
        (name(script), key)
        for script in SCRIPTS
        for key in re.findall(r"""\bt\(\s*["']([^"'`]+)["']""", script.read_text(encoding="utf-8"))
    }
    assert asked, "no script asks for words"
    assert not {pair for pair in asked if pair[1] not in known}


@pytest.mark.parametrize(
    ("module", "what", "table"),
    [("tools/yaku", "YAKU", [y.name for y in YAKU]), ("tools/fan", "FAN", [f.name for f in FANS])],
)
def test_every_yaku_and_fan_is_explained_in_all_languages(module: str, what: str, table: list[str]) -> None:
    rows = exported(STATIC / "js" / f"{module}.js", what)
    assert [row[0] for row in rows] == table
    assert all(len(row) == 6 and all(text.strip() for text in row) for row in rows)


def test_the_names_of_fan_are_those_of_the_rules() -> None:
    rows = exported(STATIC / "js" / "tools" / "fan.js", "FAN")
    assert [row[2] for row in rows] == [fan.chinese for fan in FANS]
    yaku = exported(STATIC / "js" / "tools" / "yaku.js", "YAKU")
    assert [row[1] for row in yaku] == [one.kanji for one in YAKU]
