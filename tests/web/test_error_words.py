"""Errors are codes with values, worded once in each language: in English by the server, in others by the page."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from test_javascript import STATIC, exported

import janshi
from janshi.core.melds import TYPE_NAMES
from janshi.rules.guobiao import hand as guobiao
from janshi.rules.registry import BUILT_IN
from janshi.rules.riichi import hand as riichi
from janshi.web import tools
from janshi.web.error_words import CODES, ENGLISH, HAND_CODES
from janshi.web.errors import Refused, add_errors
from janshi.web.problems import Impossible, problem, problem_from_json, problem_of
from janshi.web.review.processes import why_ended

HOME = Path(janshi.__file__).parent
TAKE_CODES = {
    *(
        "Refused",
        "Impossible",
        "LiveError",
        "NotARecord",
        "TooLarge",
        "NothingYet",
        "WorkerError",
        "Refusal",
        "CannotContinue",
    ),
    "problem",
}
"""Whatever takes a code, or a whole problem, as its first argument."""
HANDS = ("core/tiles.py", "core/melds.py", "core/hand.py", "rules/riichi/hand.py", "rules/guobiao/hand.py")
HAND_ERRORS = {"TileError", "MeldError", "HandError", "NoYakuError"}
PROGRAMS_ONLY = re.compile(
    "not a tile|only .* ids|not a meld type|calls no tile|called tile|relative seat|chi calls|are asked|"
    "cannot discard|not a wind|flowers|cannot be negative"
)
"""What hands say to programs only, without a code: the tools do not ask so."""
LANGUAGES = ("ja", "zh")


@pytest.fixture(scope="module")
def tables() -> dict[str, dict[str, Any]]:
    """The tables of errors, by language."""
    return {language: exported(STATIC / "js/words/errors" / f"{language}.js", "default") for language in LANGUAGES}


def values_in(words: str) -> list[str]:
    return sorted(re.findall(r"\{(\w+)\}", words))


# --- codes in the sources


def calls(path: Path) -> Iterator[tuple[str, ast.Call]]:
    """All calls of a source, with the names of what is called."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            yield getattr(node.func, "id", getattr(node.func, "attr", "")), node


def constants(node: ast.expr) -> list[str]:
    """The texts that an expression can be, as far as they stand there."""
    parts = [node.body, node.orelse] if isinstance(node, ast.IfExp) else [node]
    return [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]


def raised() -> Iterator[tuple[str, str, set[str]]]:
    """Codes of the app's sources: where, which, and the values given with it."""
    for path in sorted((HOME / "web").rglob("*.py")):
        for name, call in calls(path):
            given = {word.arg for word in call.keywords if word.arg} - {"status"}
            if name in TAKE_CODES and call.args:
                yield from ((f"{path.name}:{call.lineno}", code, given) for code in constants(call.args[0]))
            elif name == "problem_of":
                yield from ((f"{path.name}:{call.lineno}", code, {"problem"}) for code in constants(call.args[1]))


def hand_messages() -> Iterator[tuple[str, str]]:
    """What the hands of `core` and `rules` say: the message, and its code or an empty text."""
    for path in (HOME / name for name in HANDS):
        for name, call in calls(path):
            if name in HAND_ERRORS:
                words = call.args[0]
                text = ast.unparse(words) if isinstance(words, ast.JoinedStr) else constants(words)[0]
                yield text, constants(call.args[1])[0] if len(call.args) > 1 else ""


def test_every_code_that_is_raised_has_its_words_and_values() -> None:
    found = list(raised())
    assert len(found) > 80
    assert not [where for where, code, _ in found if code not in ENGLISH]
    wrong = [(where, code) for where, code, given in found if sorted(given) != values_in(ENGLISH[code])]
    assert not wrong, "values other than those of the words"


def test_no_code_is_left_over() -> None:
    assert not set(ENGLISH) - {code for _, code, _ in raised()} - set(record_codes())


def record_codes() -> dict[str, str]:
    """Codes that writers of records bring along, with their English words."""
    sources = (HOME / "records" / "families").glob("*.py")
    found = [call for path in sources for name, call in calls(path) if name == "NothingToWrite"]
    return {constants(call.args[1])[0]: constants(call.args[0])[0] for call in found}


def test_codes_of_records_are_worded_alike() -> None:
    found = record_codes()
    assert found
    assert found == {code: ENGLISH.get(code) for code in found}


def test_every_code_of_hands_is_listed() -> None:
    said = list(hand_messages())
    assert {code for _, code in said if code} == set(HAND_CODES)
    assert not [text for text, code in said if not code and not PROGRAMS_ONLY.search(text)]
    by_code: dict[str, set[str]] = {}
    for text, code in said:
        by_code.setdefault(code, set()).add(text)
    assert not {code for code, texts in by_code.items() if code and len(texts) > 1}, "a code with two messages"


@pytest.mark.parametrize("module", [riichi, guobiao])
def test_contradictions_have_codes(module: Any) -> None:
    count = len(module.Circumstances.__slots__)
    every = product((False, True), repeat=count)
    said = {error.code for how in every for error in module.Circumstances(*how).contradictions()}
    assert said
    assert said <= set(HAND_CODES)


# --- words


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_is_worded(tables: dict[str, dict[str, Any]], language: str) -> None:
    words = tables[language]["words"]
    assert not set(CODES) - set(words), "codes without words"
    assert not set(words) - set(CODES), "words without a code"


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_have_the_values_of_their_code(tables: dict[str, dict[str, Any]], language: str) -> None:
    english = {**ENGLISH, **{code: text for text, code in hand_messages() if code}}
    for code, text in tables[language]["words"].items():
        assert values_in(text) == values_in(english[code]), f"{code}: {text}"
        assert code == "untranslated" or re.search("[\u3040-\u9fff]", text), f"{code}: {text}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_within_errors_are_worded(tables: dict[str, dict[str, Any]], language: str) -> None:
    names = tables[language]["names"]
    assert set(names["family"]) >= set(BUILT_IN)
    assert set(names["kind"]) == {name for name in TYPE_NAMES if name != "none"}
    assert all(re.search("[\u3040-\u9fff]", text) for group in names.values() for text in group.values())


# --- problems


def test_a_problem_survives_as_json() -> None:
    told = problem("getting_ready", doing=problem("loading_rules", family="riichi"), seconds=3)
    assert problem_from_json(told.as_json()) == told
    assert str(told) == "Janshi is getting ready (the rules of riichi, 3 s); the first start takes about a minute"


def test_errors_of_others_stand_in_a_sentence() -> None:
    own = Impossible("open_invalid")
    assert problem_of(own, "message_refused") is own.problem
    other = problem_of(ValueError("no {such} thing"), "message_refused")
    assert other.as_json() == {
        "code": "message_refused",
        "values": {"problem": "no {such} thing"},
        "message": "this cannot be done: no {such} thing",
    }


def test_why_workers_end_is_a_problem() -> None:
    assert [why_ended(code).code for code in (-24, -9, 1)] == ["worker_out_of_time", "worker_killed", "worker_crashed"]


# --- what the server answers


@pytest.fixture(scope="module")
def client() -> TestClient:
    app = FastAPI()
    add_errors(app)
    app.include_router(tools.router)

    @app.get("/busy")
    def busy() -> None:
        raise Refused("loading_rules", 503, family="riichi")

    @app.get("/broken")
    def broken() -> None:
        raise RuntimeError("broken")

    return TestClient(app, raise_server_exceptions=False)


def test_an_error_has_a_code_values_and_a_message(client: TestClient) -> None:
    wanted = {"code": "loading_rules", "values": {"family": "riichi"}, "message": "the rules of riichi"}
    assert client.get("/busy").json() == {"error": wanted}
    assert client.get("/broken").json()["error"] == problem("internal_error").as_json()
    other = problem("method_not_allowed", method="POST", path="/busy").as_json()
    assert client.post("/busy").json() == {"error": other}


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"tiles": "123m456p789s22z569m"}, "hand_not_complete"),
        ({"tiles": "22p567m345s34m", "melds": ["(123p)"], "winning_tile": "2m"}, "no_yaku"),
        ({"tiles": "11111m22p567m345s"}, "too_many_alike"),
        ({"tiles": "123m456p789s22z56x"}, "tiles_unreadable"),
        ({"tiles": "22p567m345s34m", "melds": ["(129p)"]}, "not_a_chi"),
        ({"tiles": "1m" * 70}, "request_invalid"),
    ],
)
def test_a_hand_that_cannot_be_has_a_code(client: TestClient, body: dict[str, Any], code: str) -> None:
    error = client.post("/api/tools/score", json={"family": "riichi", **body}).json()["error"]
    assert error["code"] == code
    assert all(str(value) in error["message"] for value in error["values"].values() if not isinstance(value, dict))


def test_a_problem_within_a_problem_has_a_code_too(client: TestClient) -> None:
    body = {"family": "riichi", "tiles": "1111m22p567m345s34m", "melds": ["(12xp)"]}
    error = client.post("/api/tools/score", json=body).json()["error"]
    inside = error["values"]["problem"]
    assert (error["code"], inside["code"]) == ("meld_unreadable", "tiles_unreadable")
    assert inside["values"]["problem"]["code"] == "suit_expected"
    assert error["message"].endswith(inside["message"])
