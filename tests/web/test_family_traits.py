"""What the page asks of a family of rules: the server states it once, and no script asks for a family by its name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from janshi.rules.registry import BUILT_IN
from janshi.web.traits import all_traits

JS = Path(__file__).resolve().parents[2] / "src" / "janshi" / "web" / "static" / "js"
SCRIPTS = sorted(path for path in JS.rglob("*.js") if "words" not in path.relative_to(JS).parts)
NAMED = rf"""["'`](?:{"|".join(BUILT_IN)})(?:/[^"'`]*)?["'`]"""
"""The name of a built-in family, or of one of its rule sets."""
COMPARED = rf"(\S+)\s*[!=]==?\s*{NAMED}|{NAMED}\s*[!=]==?\s*(\S+)"
ASKED = re.compile(rf"{COMPARED}|case {NAMED}:|\.(?:startsWith|includes)\({NAMED}")
SHARED = ("kind", "type")
"""A choice, an event and a decision can be a `riichi` too."""


def families_asked_for(text: str) -> list[str]:
    """Comparisons with the name of a built-in family."""
    found = [one for one in ASKED.finditer(text) if not (one[1] or one[2] or "").rstrip(";,)").endswith(SHARED)]
    return [one[0] for one in found]


@pytest.mark.parametrize(
    "line",
    [
        'const rank = review.family === "riichi";',
        "if (family != 'guobiao') return;",
        'return "simplified" === name;',
        'if (rules.startsWith("riichi/")) return;',
        'case "guobiao":',
        '["riichi", family].includes("riichi")',
        'if (rules === "guobiao/match") return;',
    ],
)
def test_a_comparison_with_a_family_is_found(line: str) -> None:
    assert families_asked_for(line)


@pytest.mark.parametrize(
    "line",
    [
        'if (choice.kind === "riichi") return;',
        'if ("riichi" === event.type) return;',
        'const state = { family: "riichi" };',
        'const words = { riichi: "ja", guobiao: "zh" };',
        '["riichi", "win"].includes(event.type)',
    ],
)
def test_words_and_defaults_may_have_a_familys_name(line: str) -> None:
    assert not families_asked_for(line)


def test_no_script_asks_for_a_family_by_name() -> None:
    asked = {path.relative_to(JS).as_posix(): families_asked_for(path.read_text(encoding="utf-8")) for path in SCRIPTS}
    assert len(asked) > 50
    assert not {script: found for script, found in asked.items() if found}


def test_every_trait_is_read_by_a_script() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in SCRIPTS)
    read = set(re.findall(r"traitsOf\([^()]*\)\.(\w+)", text))
    for names in re.findall(r"const \{([^}]*)\} = traitsOf\(", text):
        read |= {name.strip() for name in names.split(",")}
    assert read == set(all_traits().usual.model_dump())


def test_the_built_in_families_differ_in_what_they_state() -> None:
    stated = all_traits().model_dump()
    assert set(BUILT_IN) <= set(stated["families"])
    riichi, guobiao, simplified = (stated["families"][name] for name in BUILT_IN)
    assert riichi == {
        "terms": "riichi",
        "honba": True,
        "tenpai_shown": True,
        "rounds": True,
        "value": "points",
        "kinds": ("discard", "call", "riichi", "fold", "win"),
        "least_chance": 0.015,
        "yardstick": "careful",
        "agreement": True,
        "ranked": True,
        "hides_kans": False,
        "chances": True,
    }
    usual = stated["usual"]
    assert guobiao == {**usual, "yardstick": "search", "hides_kans": True}
    assert simplified == {**usual, "yardstick": "search"}
