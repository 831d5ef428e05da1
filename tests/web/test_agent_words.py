"""What agents say can be read in every language of the page: their names, numbers and units, actions, phrases."""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import janshi.agents
from janshi.agents.base import Agent, Asked
from janshi.agents.explain import Explains, Explanation, Phrase
from janshi.agents.learned.network import shipped
from janshi.agents.mdp.explanation import NAMED, Step, step_phrase
from janshi.agents.registry import AGENTS, make_agent
from janshi.rules.batch import Batch
from janshi.rules.game import Array
from janshi.rules.registry import BUILT_IN, find_family, make_game
from janshi.web.families import WEB_LAYER
from janshi.web.phrases import phrase_json
from janshi.web.players import THIRD_PARTY
from janshi.web.thought import thought
from janshi.web.warmup import first_rules
from patience import PATIENCE

SCRIPTS = Path(janshi.agents.__file__).parents[1] / "web" / "static" / "js"
QUICK = {"mdp": "hands=1000", "montecarlo": "rollouts=400"}
"""Options with which agents say the same words sooner."""
POINTS = ("mdp:hands=1000,payoff=points", "montecarlo:rollouts=400,payoff=points")
NEVER = "an agent that nobody knows"
ENGLISH = re.compile("[A-Za-z]{2,}")

NODE = """
const [language] = process.argv.slice(2);
globalThis.localStorage = { getItem: () => language, setItem() {} };
const words = await import("./agent_words.js");
let text = "";
for await (const part of process.stdin) text += part;
process.stdout.write(JSON.stringify(JSON.parse(text).map(([name, ...given]) => words[name](...given))));
"""


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts of the page where Node takes them for modules."""
    if shutil.which("node") is None:
        pytest.skip("needs Node, which is not installed")
    folder = tmp_path_factory.mktemp("page") / "js"
    shutil.copytree(SCRIPTS, folder)
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    (folder / "ask.js").write_text(NODE, encoding="utf-8")
    return folder


def read(scripts: Path, language: str, asked: list[list[Any]]) -> list[str]:
    """What functions of the page's `agent_words.js` answer: each is asked as `[name, *arguments]`."""
    done = subprocess.run(
        ["node", str(scripts / "ask.js"), language],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


def untranslated(scripts: Path, asked: list[list[Any]]) -> list[tuple[str, str]]:
    """What still has English words in Japanese or Chinese."""
    return [
        (language, text)
        for language in ("ja", "zh")
        for text in read(scripts, language, asked)
        if not text or ENGLISH.search(text)
    ]


# --- everything that agents say of real positions


def positions(family: str) -> Array:
    """A few decisions of games, from the deal to the end of hands."""
    game = make_game(first_rules(family))
    batch, found = Batch(game, 4, seed=5), []
    player = make_agent("careful" if family == "riichi" else "greedy", game)
    for step in range(80):
        views = batch.views()
        if step % 13 == 3:
            found.append(views[:5])
        batch.step(player.act(Asked(game, views, np.zeros(len(views), np.uint64), batch.tables)))
    return np.concatenate(found)


def agents(family: str) -> Iterator[Agent]:
    """Every agent of the registry that plays a family; those that need a file are given the package's."""
    game = make_game(first_rules(family))
    for name, entry in AGENTS.items():
        if entry.ready(family):
            yield make_agent(f"{name}:{QUICK[name]}" if name in QUICK else name, game)
        elif entry.plays(family):
            assert entry.needs == "file=", f"{name} needs {entry.needs}, which this test does not know how to give"
            yield make_agent(f"{name}:file={shipped('rvr', family)}", game)
    for label in POINTS if family == "riichi" else ():
        yield make_agent(label, game)


def explanations(family: str) -> Iterator[tuple[dict[str, Any], Explanation]]:
    """What agents say about positions, in their words and as sent to the page."""
    views = positions(family)
    for agent in agents(family):
        if isinstance(agent, Explains):
            for view, said in zip(views, agent.explain(views)):
                yield thought(agent.game, view, agent.label, said), said


@pytest.mark.parametrize("family", BUILT_IN)
def test_everything_an_agent_says_has_its_words(scripts: Path, family: str) -> None:
    asked: dict[str, list[Any]] = {}
    lines = []
    for shown, said in explanations(family):
        calls: list[list[Any]] = [["actionWords", choice["name"]] for choice in shown["choices"]]
        calls += [["actionWords", choice.name] for choice in said.choices]
        calls += [["said", phrase] for choice in shown["choices"] for phrase in choice["then"]]
        calls += [["said", phrase] for phrase in shown["steps"]]
        calls += [["numberName", name] for choice in said.choices for name in choice.numbers]
        calls += [["unitName", shown["unit"]]] if shown["unit"] else []  # some put no value on choices
        asked.update({json.dumps(call): call for call in calls})
        if shown["steps"]:
            lines.append((["saidLine", shown["choices"][0], shown["steps"]], shown["line"]))
    assert len(asked) > 20
    assert untranslated(scripts, list(asked.values())) == []
    assert bool(lines) == (family == "riichi")
    read_back = read(scripts, "en", [call for call, _ in lines])
    assert [text.lower() for text in read_back] == [line.lower() for _, line in lines]


# --- everything that they could say


@pytest.mark.parametrize("family", BUILT_IN)
def test_every_action_has_its_words(scripts: Path, family: str) -> None:
    names = make_game(first_rules(family)).action_names
    assert untranslated(scripts, [["actionWords", name] for name in names]) == []
    for language in ("en", "ja", "zh"):
        found = read(scripts, language, [["actionWords", name] for name in names])
        assert len(set(found)) == len(names), f"{language}: two actions have the same words"


def patterns() -> set[str]:
    """Patterns of phrases in the sources of the agents."""
    found: set[str] = set()
    for path in Path(janshi.agents.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Phrase":
                parts = [part for part in ast.walk(node.args[0]) if not isinstance(node.args[0], ast.JoinedStr)]
                found |= {str(part.value) for part in parts if isinstance(part, ast.Constant)}
    return found


def test_every_phrase_has_its_words(scripts: Path) -> None:
    values = re.compile(r"\{(\w+)\}")
    phrases = [Phrase(pattern, dict.fromkeys(values.findall(pattern), 1)) for pattern in patterns()]
    ways = ([False], [True], [False, True])
    for called, last, kinds in product(ways, (-1, 3), (1, 2, NAMED + 2)):
        steps = [Step(1.0, way, kind, 2, 30, 0, False) for kind in range(kinds) for way in called]
        phrases.append(step_phrase(steps, last))
    assert {"then fold", "waiting", ", which cannot win"} <= {phrase.pattern for phrase in phrases}
    asked = [["said", phrase_json(phrase)] for phrase in phrases]
    bare = {text for _, text in untranslated(scripts, asked)}
    assert not bare
    for language in ("ja", "zh"):
        for phrase, text in zip(phrases, read(scripts, language, asked)):
            assert "{" not in text, f"{language} {phrase.pattern}: a value that the agent does not give"


def test_translations_have_the_values_of_their_patterns(scripts: Path) -> None:
    code = 'import words from "./words/agents.js"; process.stdout.write(JSON.stringify(words));'
    (scripts / "dump.js").write_text(code, encoding="utf-8")
    done = subprocess.run(
        ["node", str(scripts / "dump.js")], capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    for language, words in json.loads(done.stdout).items():
        for key, text in words.items():
            wanted, given = (sorted(re.findall(r"\{\w+\}", one)) for one in (key, text))
            assert wanted == given, f"{language} {key}: {text}"


@pytest.mark.parametrize("language", ["ja", "zh"])
def test_every_agent_of_the_lists_has_its_words(scripts: Path, language: str) -> None:
    ideas = {name: entry.idea for name, entry in AGENTS.items()} | THIRD_PARTY
    asked = [["agentIdea", {"name": name, "idea": idea}] for name, idea in ideas.items()]
    asked += [["agentName", name] for name in AGENTS]
    plain = [text for text in read(scripts, language, asked) if not re.search("[\u3040-\u9fff]", text)]
    assert plain == []


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_unknown_words_are_shown_as_they_are(scripts: Path, language: str) -> None:
    phrase = phrase_json(Phrase("hope for {luck}", {"luck": Phrase("{n} miracles", {"n": 2})}))
    asked = [["agentName", NEVER], ["numberName", NEVER], ["unitName", NEVER], ["said", phrase]]
    assert read(scripts, language, asked) == [NEVER, NEVER, NEVER, "hope for 2 miracles"]
    asked = [["agentIdea", {"name": NEVER, "idea": "Dreams"}], ["actionWords", "Castle"]]
    assert read(scripts, language, asked) == ["Dreams", "Castle"]


# --- getting ready


@pytest.mark.parametrize("family", BUILT_IN)
def test_agents_that_say_what_they_think_are_warmed(family: str) -> None:
    warmed = {label.partition(":")[0] for label in WEB_LAYER.of(find_family(family)).warmed}
    assert warmed <= {name for name, entry in AGENTS.items() if entry.plays(family)}
    assert not AGENTS["rvr"].ready(family) or "rvr" in warmed
