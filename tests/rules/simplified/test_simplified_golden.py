"""Golden playthroughs of the simplified game: recorded answers make, line by line, what they made before.

python tests/rules/simplified/test_simplified_golden.py     write the texts anew from games of the built-in players
"""

from __future__ import annotations

import difflib
import re
from pathlib import Path

import pytest

from janshi.rules.simplified.policies import KernelPlayer
from janshi.rules.simplified.table import Table
from janshi.rules.simplified.tiles import format_kinds

FOLDER = Path(__file__).parent / "golden"
ANSWER = re.compile(r"(\d)(?: \w\w)?: ([a-z][\w ]*)")
WANTED = {
    "straight": ("paper", "valued"),
    "flush": ("paper", "valued"),
    "all pungs": ("paper", "valued"),
    "honour pung, kong": ("paper", "valued"),
    "self-draw": ("paper", "greedy"),
    "draw;": ("paper", "random"),
    "honour pung, straight": ("three_sets", "valued"),
}
"""What the result's text holds, and the rules and the policy that a game is looked for with."""
TEXTS = sorted(FOLDER.glob("*.txt"))


def render(preset: str, seed: int, answers: list[dict[int, str]]) -> str:
    """Play the answers and write down all that happens."""
    table = Table(seed, preset)
    lines = [f"rules = {preset}", f"seed = {seed}", "", str(table), ""]
    for given in answers:
        drawn = "" if table.drawn is None else f" {format_kinds([table.drawn])}"
        lines.append(", ".join(f"{p}{drawn if p == table.actor else ''}: {name}" for p, name in given.items()))
        table.step(given)
    return "\n".join([*lines, "", str(table), ""])


def read(text: str) -> tuple[str, int, list[dict[int, str]]]:
    """Rules, seed and answers of a text."""
    head = dict(line.split(" = ") for line in text.splitlines() if " = " in line)
    answers = [{int(p): name for p, name in ANSWER.findall(line)} for line in text.splitlines() if ANSWER.match(line)]
    return head["rules"], int(head["seed"]), answers


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_playthrough(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    lines = render(*read(text)).splitlines()
    assert not list(difflib.unified_diff(text.splitlines(), lines, path.name, "played now", lineterm="", n=2))


def test_texts_hold_what_is_wanted() -> None:
    texts = [path.read_text(encoding="utf-8") for path in TEXTS]
    assert all(any(wanted in text for text in texts) for wanted in WANTED)


def search(wanted: str, preset: str, policy: str) -> str:
    """The first game that ends as wanted."""
    for seed in range(10_000):
        table, player_of, answers = Table(seed, preset), KernelPlayer(policy, seed), []
        while not table.over:
            given = {player: table.game.action_names[player_of(table, player)] for player in table.asked}
            answers.append(given)
            table.step(given)
        if wanted in str(table.result):
            return render(preset, seed, answers)
    raise LookupError(f"no game with {wanted!r} was found")


if __name__ == "__main__":
    for wanted, (preset, policy) in WANTED.items():
        name = re.sub(r"\W+", "_", wanted).strip("_")
        (FOLDER / f"{name}.txt").write_text(search(wanted, preset, policy), encoding="utf-8")
