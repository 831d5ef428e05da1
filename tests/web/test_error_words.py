"""What the server refuses can be read in every language of the page: errors have phrases, and phrases their words."""

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
from test_javascript import STATIC, words_of

import janshi
from janshi.agents.explain import Phrase
from janshi.rules.guobiao import hand as guobiao
from janshi.rules.riichi import hand as riichi
from janshi.web import hand_words, tools
from janshi.web.errors import Refused, add_errors, error_told
from janshi.web.families import FAMILIES
from janshi.web.phrases import Impossible, phrase_told, recognised
from janshi.web.phrases import words_of as words_of_error
from janshi.web.review import worker_words
from janshi.web.review.running import ended_words

HOME = Path(janshi.__file__).parent
WORDED = {"Refused", "Impossible", "LiveError", "NotARecord", "TooLarge", "NothingYet", "_refuse", "error_answer"}
"""Whatever takes words for people."""
WORKERS = {"WorkerError", "Refusal", "not_available"}
HANDS = ("core/tiles.py", "core/melds.py", "core/hand.py", "rules/riichi/hand.py", "rules/guobiao/hand.py")
ELSEWHERE = re.compile(
    "is no tile|no tile id|ids are called|no meld type|calls no tile|called tile|relative seat|chi calls|are asked|"
    "cannot discard|no wind|flowers|cannot be negative"
)
"""What hands say to programs only: the tools do not ask so."""


@pytest.fixture(scope="module")
def words() -> dict[str, dict[str, str]]:
    """The words of errors, by language."""
    return words_of(STATIC / "js" / "words" / "errors.js")


# --- what stands in the sources


def calls(path: Path) -> Iterator[tuple[str, ast.Call]]:
    """All calls of a source, with the names of what is called."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            yield getattr(node.func, "id", getattr(node.func, "attr", "")), node


def constants(node: ast.expr) -> list[str]:
    """The texts that an expression can be, as far as they stand there."""
    parts = [node.body, node.orelse] if isinstance(node, ast.IfExp) else [node]
    return [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]


def assigned(path: Path, name: str) -> list[str]:
    """The texts that a name is given anywhere in a source."""
    tree = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    given = [node for node in tree if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == name]
    return [text for node in given for text in constants(node.value)]


def patterns_of(path: Path) -> set[str]:
    """Patterns of phrases and errors in a source of the app."""
    found: set[str] = set()
    for name, call in calls(path):
        if name in WORDED or name == "Phrase":
            found |= set(constants(call.args[0]))
            found |= set(assigned(path, call.args[0].id)) if isinstance(call.args[0], ast.Name) else set()
        elif name == "words_of":
            found |= set(constants(call.args[1]))
    return found


def sources() -> list[Path]:
    return sorted((HOME / "web").rglob("*.py"))


def patterns() -> set[str]:
    """Every pattern that an error can have."""
    fixed = set().union(*map(patterns_of, sources()))
    return fixed | set(hand_words.KNOWN) | set(worker_words.KNOWN) | set(FAMILIES)


def yields(path: Path) -> list[ast.expr]:
    """What the functions of a source yield that find contradictions."""
    tree = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    wanted = [one for one in tree if isinstance(one, ast.FunctionDef) and one.name in ("contradictions", "_misfits")]
    return [node.value for one in wanted for node in ast.walk(one) if isinstance(node, ast.Yield) and node.value]


def sample(node: ast.expr) -> str | None:
    """A text such as an expression gives: numbers stand for what is put into it."""
    if isinstance(node, ast.BoolOp):
        return sample(node.values[-1])
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "7" for part in node.values)
    return next(iter(constants(node)), None)


# --- words


def test_every_refusal_has_its_words(words: dict[str, dict[str, str]]) -> None:
    found = patterns()
    assert {"there is no such game", "this hand cannot be read: {problem}", "the rules of {family}"} <= found
    assert len(found) > 120
    missing = {(language, one) for language in ("ja", "zh") for one in found if f"refused.{one}" not in words[language]}
    assert not missing


def test_no_words_are_left_over(words: dict[str, dict[str, str]]) -> None:
    known = {f"refused.{pattern}" for pattern in patterns()}
    assert not words["ja"].keys() - known


def test_translations_have_the_values_of_their_patterns(words: dict[str, dict[str, str]]) -> None:
    for language, texts in words.items():
        for key, text in texts.items():
            wanted, given = (sorted(re.findall(r"\{\w+\}", one)) for one in (key, text))
            assert wanted == given, f"{language} {key}: {text}"
            assert re.search("[\u3040-\u9fff]", text), f"{language} {key}: {text}"


def test_errors_are_made_of_phrases() -> None:
    """Texts that are put together in English (f-strings, `str(error)`) can be read in no other language."""
    bare = []
    for path in sources():
        for name, call in calls(path):
            said = call.args[0] if name in WORDED and call.args else None
            if isinstance(said, ast.JoinedStr | ast.BinOp) or getattr(getattr(said, "func", None), "id", "") == "str":
                bare.append(f"{path.name}:{call.lineno}")
    assert not bare, "say it by a Phrase, or by words_of(error, pattern)"


# --- texts that are known again


def test_what_workers_say_is_known() -> None:
    said = [ended_words(code) for code in (-24, -9, 1)]
    for path in (HOME / "web" / "review").glob("*.py"):
        said += [text for name, call in calls(path) if name in WORKERS and (text := sample(call.args[0]))]
    assert len(said) > 10
    assert not [text for text in said if recognised(text, worker_words.KNOWN) is None]


def test_what_hands_say_is_known() -> None:
    said = []
    for path in (HOME / name for name in HANDS):
        errors = [call for name, call in calls(path) if name in ("TileError", "MeldError", "HandError", "NoYakuError")]
        reasons = [call.args[-1] for name, call in calls(path) if name == "_misread"]
        said += [text for one in (*(call.args[0] for call in errors), *reasons) if (text := sample(one))]
        said += [text for node in yields(path) if (text := sample(node))]
    unknown = [text for text in said if recognised(text, hand_words.KNOWN) is None]
    assert len(said) - len(unknown) > 30
    assert not [text for text in unknown if not ELSEWHERE.search(text)]


@pytest.mark.parametrize("module", [riichi, guobiao])
def test_contradictions_are_known(module: Any) -> None:
    count = len(module.Circumstances.__slots__)
    said = {
        text for how in product((False, True), repeat=count) for text in module.Circumstances(*how).contradictions()
    }
    assert said
    assert said <= set(hand_words.KNOWN)


def test_a_problem_within_a_text_is_known_too() -> None:
    phrase = hand_words.hand_words("an impossible hand, 11111m: 5 tiles 1m: there are only 4 of a kind")
    inside = phrase.values["problem"]
    assert isinstance(inside, Phrase)
    assert inside.values == {"count": "5", "tile": "1m", "most": "4"}
    assert str(phrase) == "an impossible hand, 11111m: 5 tiles 1m: there are only 4 of a kind"
    other = hand_words.hand_words("the dog ate it")
    assert str(other) == "this hand cannot be read: the dog ate it"
    assert str(worker_words.not_reviewed("hand 3 has no end")) == "this game cannot be reviewed: hand 3 has no end"


# --- what the server answers


@pytest.fixture(scope="module")
def client() -> TestClient:
    app = FastAPI()
    add_errors(app)
    app.include_router(tools.router)

    @app.get("/busy")
    def busy() -> None:
        raise Refused(Phrase("the rules of {family}", {"family": Phrase("riichi")}), 503)

    @app.get("/broken")
    def broken() -> None:
        raise RuntimeError("broken")

    return TestClient(app, raise_server_exceptions=False)


def test_an_error_has_a_message_and_its_phrase(client: TestClient) -> None:
    assert client.get("/busy").json() == {
        "error": {
            "message": "the rules of riichi",
            "phrase": {"pattern": "the rules of {family}", "values": {"family": {"pattern": "riichi", "values": {}}}},
        }
    }
    told = client.get("/broken").json()["error"]
    assert told == error_told(Phrase("something went wrong inside Janshi; its log tells what"))
    assert client.post("/busy").json() == {"error": {"message": "Method Not Allowed"}}, "English is all there is"


@pytest.mark.parametrize(
    ("body", "pattern"),
    [
        ({"tiles": "123m456p789s22z569m"}, "{hand} is not complete: no four sets"),
        ({"tiles": "22p567m345s34m", "melds": ["(123p)"], "winning_tile": "2m"}, "{hand} is complete but has no yaku"),
        ({"tiles": "11111m22p567m345s"}, "{count} tiles {tile}: there are only {most} of a kind"),
        ({"tiles": "123m456p789s22z56x"}, "cannot read the tiles {text} at position {place}"),
        ({"tiles": "22p567m345s34m", "melds": ["(129p)"]}, "{tiles} is no chi"),
        ({"tiles": "1m" * 70}, "this request is not as expected: {problem}"),
    ],
)
def test_a_hand_that_cannot_be_is_told_by_a_phrase(client: TestClient, body: dict[str, Any], pattern: str) -> None:
    error = client.post("/api/tools/score", json={"family": "riichi", **body}).json()["error"]
    assert error["phrase"]["pattern"].startswith(pattern)
    assert all(f"{{{name}}}" in error["phrase"]["pattern"] for name in error["phrase"]["values"])


def test_errors_of_others_stand_in_a_sentence() -> None:
    own = Impossible("open must be true or false")
    assert words_of_error(own, "this cannot be done: {problem}") == own.phrase == Phrase(str(own))
    other = words_of_error(ValueError("no {such} thing"), "this cannot be done: {problem}")
    assert str(other) == "this cannot be done: no {such} thing"
    assert phrase_told(other) == {"pattern": "this cannot be done: {problem}", "values": {"problem": "no {such} thing"}}
