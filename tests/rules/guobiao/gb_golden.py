"""Golden playthroughs: whole hands as text, each with all that was answered, replayed and compared line by line.

    python tests/rules/guobiao/gb_golden.py            write all texts anew from the answers they hold
    python tests/rules/guobiao/gb_golden.py --search   look for hands with events that have no text yet

A text begins with how the table was set up; a line such as `1: peng 3s, 2: pass` holds the answers of all asked
players, and everything else is what the engine made of them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

from janshi.rules.guobiao.policies import KernelPlayer
from janshi.rules.guobiao.table import Table

FOLDER = Path(__file__).parent / "golden"
ANSWER = re.compile(r"(\d): ([^,]+)")
HEAD = re.compile(r"rules (\w+), seed (\d+), hand (\d+)")
PLAYERS = (
    ("greedy", "random", "greedy", "greedy"),
    ("random", "greedy", "random", "random"),
    ("greedy", "greedy", "greedy", "greedy"),
)
MOST_SEEDS = 4000

Answers = dict[int, str]

EVENTS: dict[str, Callable[[Table, str], bool]] = {
    "self-drawn win": lambda table, _: kind(table) == "self-drawn",
    "win on a discard": lambda table, _: kind(table) == "discard",
    "drawn hand": lambda table, _: kind(table) == "draw",
    "concealed kong": lambda _, said: "concealed kong" in said,
    "added kong": lambda _, said: "added kong" in said,
    "kong of a discard": lambda _, said: re.search(r"\d: kong", said) is not None,
    "chi behind a peng": lambda _, said: re.search(r"chi[^\n]*peng|peng[^\n]*chi", said) is not None,
    "win with flowers": lambda table, _: won_with(table, "花牌"),
    "win on the last tile": lambda table, _: won_with(table, "海底捞月") or won_with(table, "妙手回春"),
    "last of its kind": lambda table, _: won_with(table, "和绝张"),
}


def kind(table: Table) -> str:
    """How a hand ended."""
    return table.result.kind if table.result else ""


def won_with(table: Table, name: str) -> bool:
    """Whether the hand was won with this fan."""
    return bool(table.result and table.result.win and any(fan.chinese == name for fan, _ in table.result.win.fans))


def start(rules: str, seed: int, hand: int) -> Table:
    """The table of a text."""
    return Table(seed, rules, hand_number=hand, one_hand=True)


def render(title: str, rules: str, seed: int, hand: int, answers: list[Answers]) -> str:
    """Play the answers, and write down what happens."""
    table = start(rules, seed, hand)
    lines = [title, f"rules {rules}, seed {seed}, hand {hand}", "", str(table), ""]
    for given in answers:
        lines.append(", ".join(f"{player}: {given[player]}" for player in sorted(given)))
        table.step(given)
        lines.append(f"  {table.actor} {table.state['phase']} asked {list(table.asked)} drawn {table.drawn}")
        lines += [f"    {p} may: {'; '.join(table.legal_names(p))}" for p in table.asked if len(table.asked) > 1]
    lines += ["", str(table), "", *result_lines(table)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def result_lines(table: Table) -> list[str]:
    """How the hand ended."""
    result = table.result
    if result is None:
        return ["not over"]
    lines = [f"{result.kind}: {' '.join(map(str, result.changes))}"]
    if result.win is not None:
        lines += [f"  {fan.value} x {count} {fan.chinese} ({fan.name})" for fan, count in result.win.fans]
    return lines


def read(text: str) -> tuple[str, str, int, int, list[Answers]]:
    """A text's title, set-up and answers."""
    title, head, *rest = text.splitlines()
    match = HEAD.fullmatch(head)
    assert match is not None
    answers = [{int(p): a for p, a in ANSWER.findall(line)} for line in rest if re.match(r"\d: ", line)]
    return title, match[1], int(match[2]), int(match[3]), answers


def play(rules: str, seed: int, hand: int) -> tuple[Table, list[Answers]]:
    """Let built-in players play a hand."""
    table, answers = start(rules, seed, hand), []
    players = [KernelPlayer(policy, seed + i) for i, policy in enumerate(PLAYERS[seed % len(PLAYERS)])]
    while not table.hand_over:
        chosen = {player: players[player](table, player) for player in table.asked}
        answers.append({player: table.game.action_names[action] for player, action in chosen.items()})
        table.step(chosen)
    return table, answers


def search() -> None:
    """Write a text for every event that has none."""
    FOLDER.mkdir(exist_ok=True)
    there = {path.read_text(encoding="utf-8").splitlines()[0] for path in FOLDER.glob("*.txt")}
    open_events = {title: found for title, found in EVENTS.items() if title not in there}
    for seed in range(MOST_SEEDS):
        if not open_events:
            return
        rules, hand = (("botzone", 0), ("match", seed % 16))[seed // 3 % 2]
        table, answers = play(rules, seed, hand)
        said = "\n".join(", ".join(f"{p}: {a}" for p, a in given.items()) for given in answers)
        for title in [title for title, found in open_events.items() if found(table, said)][:1]:
            del open_events[title]
            path = FOLDER / f"{title.replace(' ', '_')}.txt"
            path.write_text(render(title, rules, seed, hand, answers), encoding="utf-8")
    print("not found:", ", ".join(open_events))


def main() -> None:
    """Write the texts anew, or look for more."""
    if "--search" in sys.argv:
        search()
        return
    for path in FOLDER.glob("*.txt"):
        path.write_text(render(*read(path.read_text(encoding="utf-8"))), encoding="utf-8")


if __name__ == "__main__":
    main()
