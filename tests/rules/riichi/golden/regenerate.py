"""Golden playthroughs: hands and games as text, each with all that was answered, replayed and compared line by line.

    python tests/rules/riichi/golden/regenerate.py            write all texts anew from the answers they hold
    python tests/rules/riichi/golden/regenerate.py --search   look for hands with rare events that have no text yet

A text begins with how the table was set up; a line such as `1: pon, 2: pass` holds the answers of all asked players,
and everything else is what the engine made of them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from janshi.core.tiles import format_tiles
from janshi.rules.riichi.actions import action_name
from janshi.rules.riichi.mixed import HABITS, choose_mixed, rigged_walls
from janshi.rules.riichi.policies import new_mind
from janshi.rules.riichi.ruleset import PRESETS
from janshi.rules.riichi.table import Table

FOLDER = Path(__file__).parent
ANSWER = re.compile(r"(\d)(?: \w\w)?: ([a-z][\w ]*)")

Answers = dict[int, str]


@dataclass(frozen=True)
class Setup:
    """How a table was set up."""

    rules: str
    seed: int
    one_hand: bool
    round: int = 0
    honba: int = 0
    sticks: int = 0
    scores: tuple[int, ...] | None = None
    wall: tuple[int, ...] | None = None

    def table(self) -> Table:
        """A table so set up."""
        return Table(
            self.seed,
            self.rules,
            wall=self.wall,
            scores=self.scores,
            round=self.round,
            honba=self.honba,
            sticks=self.sticks,
            one_hand=self.one_hand,
        )

    def lines(self) -> Iterator[str]:
        """The setup as the head of a text; what is as usual is left out."""
        for name, usual in (
            ("rules", None),
            ("seed", None),
            ("one_hand", None),
            ("round", 0),
            ("honba", 0),
            ("sticks", 0),
            ("scores", None),
            ("wall", None),
        ):
            value = getattr(self, name)
            if value != usual:
                yield f"{name} = {' '.join(map(str, value)) if isinstance(value, tuple) else value}"


def read(text: str) -> tuple[str, Setup, list[Answers]]:
    """The title, the setup and the answers in a text."""
    title, *lines = text.splitlines()
    head: dict[str, Any] = {}
    answers = []
    for line in lines:
        name, equals, value = line.partition(" = ")
        if equals and name.isidentifier():
            head[name] = parse_value(name, value)
        elif ANSWER.match(line):
            answers.append({int(player): action for player, action in ANSWER.findall(line)})
    return title, Setup(**head), answers


def parse_value(name: str, value: str) -> Any:
    """A value of the setup."""
    if name in ("scores", "wall"):
        return tuple(map(int, value.split()))
    return value if name == "rules" else value == "True" if name == "one_hand" else int(value)


def render(title: str, setup: Setup, answers: list[Answers]) -> str:
    """Play the answers and write down all that happens."""
    table = setup.table()
    lines = [title, *setup.lines(), "", str(table), ""]
    for given in answers:
        lines.append(", ".join(f"{player}{drawn(table, player)}: {name}" for player, name in given.items()))
        table.step(given)
        if table.hand_over:
            lines += ["", str(table), "", *result_lines(table), ""]
            table.step()
            lines += [str(table), ""] if not table.over else []
    if table.over:
        lines += [f"over: scores {table.scores}, ranks {table.ranks()}, points {table.final_points().tolist()}", ""]
    return "\n".join(lines)


def drawn(table: Table, player: int) -> str:
    """The tile a player has just drawn."""
    return f" {format_tiles([table.drawn])}" if player == table.actor and table.drawn is not None else ""


def result_lines(table: Table) -> Iterator[str]:
    """The result of the hand in words."""
    result = table.result
    assert result is not None
    yield f"result: {result.kind}, changes {list(result.changes)}, scores {table.scores}, sticks {table.sticks}"
    if result.tenpai:
        yield f"tenpai: {list(result.tenpai)}"
    if result.nagashi:
        yield f"nagashi: {list(result.nagashi)}"
    for win in result.wins:
        yield f"player {win.player} wins {win.points}" + (f" from player {win.loser}" if win.loser is not None else "")
        yield from str(win.report).splitlines()


# --- looking for hands


def has_yaku(name: str) -> Callable[[Table, list[Answers]], bool]:
    """Whether a win has this yaku."""

    def found(table: Table, answers: list[Answers]) -> bool:
        assert table.result is not None
        return any(name in win.report.names for win in table.result.wins)

    return found


def ends_in(kind: str) -> Callable[[Table, list[Answers]], bool]:
    """Whether the hand ends so."""
    return lambda table, answers: table.result is not None and table.result.kind == kind


def rons(count: int) -> Callable[[Table, list[Answers]], bool]:
    """Whether `count` players said ron at once."""
    return lambda table, answers: list(answers[-1].values()).count("ron") == count


def liable(table: Table, answers: list[Answers]) -> bool:
    """Whether somebody pays for a yakuman they fed the last set of."""
    assert table.result is not None
    return any((table.state["liable"][win.player] >= 0).any() and win.report.yakuman for win in table.result.wins)


def kans(count: int) -> Callable[[Table, list[Answers]], bool]:
    """Whether a hand with `count` kans is won."""

    def found(table: Table, answers: list[Answers]) -> bool:
        return bool(table.state["kans"].sum() >= count) and bool(table.result and table.result.wins)

    return found


def passed_up(table: Table, answers: list[Answers]) -> bool:
    """Whether a player in riichi declined to win, and the hand was drawn: furiten to the end."""
    return ends_in("exhaustive draw")(table, answers) and bool((table.state["passed"] == 2).any())


EVENTS: dict[str, tuple[str, Callable[[Table, list[Answers]], bool]]] = {
    "robbed kan": ("tenhou", has_yaku("chankan")),
    "replacement tile": ("tenhou", has_yaku("rinshan kaihou")),
    "ippatsu": ("tenhou_no_red", has_yaku("ippatsu")),
    "double riichi": ("tenhou", has_yaku("daburu riichi")),
    "last draw": ("tenhou", has_yaku("haitei")),
    "last discard": ("tenhou", has_yaku("houtei")),
    "double ron": ("tenhou", rons(2)),
    "triple ron aborts": ("tenhou", rons(3)),
    "triple ron pays": ("mahjong_soul", rons(3)),
    "head bump": ("mleague", rons(2)),
    "nagashi mangan": ("tenhou", ends_in("nagashi mangan")),
    "nine terminals": ("tenhou", ends_in("nine terminals")),
    "four winds": ("tenhou", ends_in("four winds")),
    "four riichi": ("tenhou", ends_in("four riichi")),
    "four kans": ("tenhou", ends_in("four kans")),
    "three kans and a win": ("tenhou", kans(3)),
    "three kans and a win, dora at once": ("mleague", kans(3)),
    "riichi furiten": ("tenhou", passed_up),
    "liable player": ("tenhou", liable),
    "liable player, one yakuman": ("mahjong_soul", liable),
    "four concealed triplets": ("mahjong_soul", has_yaku("suuankou tanki")),
    "thirteen orphans": ("tenhou", has_yaku("kokushi musou")),
    "terminals and honours": ("tenhou_no_red", has_yaku("honroutou")),
}
MIND = new_mind()


def random_setup(rules: str, seed: int, random: np.random.Generator) -> Setup:
    """A hand in some situation; half of the walls are rigged."""
    sticks = int(random.integers(0, 3))
    scores = random.multinomial(1000 - 10 * sticks, [0.25] * 4) * 100
    wall = tuple(rigged_walls(random, 1)[0].tolist()) if random.random() < 0.5 else None
    round_, honba = int(random.integers(0, 8)), int(random.integers(0, 3))
    return Setup(rules, seed, True, round_, honba, sticks, tuple(scores.tolist()), wall)


def play(setup: Setup, habits: Any, random: np.random.Generator) -> Iterator[tuple[Table, list[Answers]]]:
    """Let players of these habits play; yields the table after each hand."""
    table, answers, out = setup.table(), [], np.zeros(4, np.int64)
    context = table.game.new_context()
    while not table.over:
        if table.hand_over:
            yield table, answers
            table.step()
            continue
        players, base = np.array(table.asked), np.uint64(random.integers(0, 2**63))
        where = np.zeros(len(players), np.int64)
        choose_mixed(table._states, where, players, habits, base, out, MIND, *context)
        answers.append({int(player): action_name(int(action)) for player, action in zip(players, out)})
        table.step(answers[-1])


def search(tries: int) -> None:
    """Play hands under each preset, and write a text for every event that has none."""
    missing = {title: event for title, event in EVENTS.items() if not path_of(title).exists()}
    for seed in range(tries):
        random = np.random.default_rng(seed)
        for rules in sorted({rules for rules, _ in missing.values()}):
            setup = random_setup(rules, seed, random)
            habits = random.integers(1, len(HABITS), (1, 4)).astype(np.int8)
            if random.random() < 0.5:
                habits[:] = habits[0, 0]
            for table, answers in play(setup, habits, random):
                for title, (wanted, event) in list(missing.items()):
                    if wanted == rules and event(table, answers):
                        print(f"{title}: seed {seed}", flush=True)
                        write(title, setup, answers)
                        del missing[title]
                        break
    print("not found:", ", ".join(missing) or "nothing")


def write_games() -> None:
    """Write a whole game for each preset that has none."""
    for seed, rules in enumerate(PRESETS):
        title = f"game under {rules}"
        random = np.random.default_rng(seed)
        habits = np.array([[1, 2, 3, 4]], np.int8)
        setup = Setup(rules, seed, False)
        hands = list(play(setup, habits, random))
        if not path_of(title).exists():
            write(title, setup, hands[-1][1])


def path_of(title: str) -> Path:
    """The file of a text."""
    return FOLDER / f"{re.sub('[^a-z]+', '_', title)}.txt"


def write(title: str, setup: Setup, answers: list[Answers]) -> None:
    """Write a text."""
    path_of(title).write_text(render(title, setup, answers), encoding="utf-8")


def main() -> None:
    """Write all texts anew, or look for more."""
    if "--search" in sys.argv:
        write_games()
        search(int(sys.argv[sys.argv.index("--search") + 1 :][0]) if sys.argv[-1].isdigit() else 3000)
        return
    for path in sorted(FOLDER.glob("*.txt")):
        write(*read(path.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
