"""At every decision the engine asks the players, and offers the actions, that the slow reference says."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from reference import Witness

from effort import effort
from janshi.rules.riichi.actions import action_name
from janshi.rules.riichi.mixed import HABITS, choose_mixed, rigged_walls
from janshi.rules.riichi.policies import new_mind
from janshi.rules.riichi.ruleset import PRESETS, get_ruleset
from janshi.rules.riichi.table import Table

GAMES = {
    "tenhou_east": effort(24, 400),
    "tenhou": effort(3, 60),
    "tenhou_no_red": effort(12, 240),
    "mahjong_soul": effort(12, 240),
    "mleague": effort(12, 240),
}
"""Games by preset; those under Tenhou's South game are whole, the others one round long."""
HANDS = effort(50, 500)
"""Hands from rigged walls."""
SHARES = (0.06, 0.2, 0.26, 0.2, 0.2, 0.08)
"""How common each habit is: few random players, whose hands are long and end in draws."""
MIND = new_mind()
NO_TABLE = np.zeros(4, np.int64)


class Guests:
    """Four players of habits drawn for the game."""

    def __init__(self, table: Table, seed: int) -> None:
        self.table, self.context = table, table.game.new_context()
        self.rng = np.random.default_rng(seed)
        self.habits = self.rng.choice(len(HABITS), (1, 4), p=SHARES).astype(np.int8)
        if seed % 3 == 0:  # games in which all four have one habit
            self.habits[:] = self.habits[0, 0]
        self.out = np.zeros(4, np.int64)

    def choose(self) -> dict[int, str]:
        players = np.array(self.table.asked)
        base = np.uint64(self.rng.integers(0, 2**63))
        where = NO_TABLE[: len(players)]
        choose_mixed(self.table._states, where, players, self.habits, base, self.out, MIND, *self.context)
        return {int(player): action_name(int(action)) for player, action in zip(players, self.out)}


def game_at(seed: int, preset: str) -> Table:
    """A game from its start."""
    rules = get_ruleset(preset)
    return Table(seed=seed, rules=rules if preset == "tenhou" else replace(rules, rounds=1))


def rigged_hand(seed: int, preset: str) -> Table:
    """One hand in some situation, from a wall that makes rare hands likely."""
    random = np.random.default_rng(seed)
    wall, place = rigged_walls(random, 1)[0], int(random.integers(12))
    scores = random.multinomial(1000, [0.01, 0.33, 0.33, 0.33]) * 100  # the first seat is short of points
    return Table(seed=seed, rules=preset, wall=wall.tolist(), round=place, scores=scores.tolist(), one_hand=True)


def compare(table: Table, seed: int, seen: Counter[str]) -> None:
    """Play on and compare every question."""
    preset = table.rules.name
    witness, guests = Witness(table), Guests(table, seed)
    while not table.over:
        expected = witness.asked()
        offered = {player: set(table.legal_names(player)) for player in table.asked}
        assert offered == expected, f"{preset}, seed {seed}:\n{table}\n{difference(offered, expected)}"
        if not table.asked:
            seen[str(table.result and table.result.kind)] += 1
            table.step()
            witness.new_hand()
            continue
        answers = guests.choose()
        seen.update(kind_of_action(name) for names in offered.values() for name in names)
        seen["decisions"] += len(answers)
        witness.take(answers)
        table.step(answers)
        assert table.hand_over == witness.ended, f"{preset}, seed {seed}: the hand ended, or did not\n{table}"


def difference(offered: dict[int, set[str]], expected: dict[int, set[str]]) -> str:
    """In words: what is offered and should not be, and the other way round."""
    lines = []
    for player in sorted(offered.keys() | expected.keys()):
        ours, theirs = offered.get(player, set()), expected.get(player, set())
        if ours != theirs:
            lines.append(f"player {player}: wrongly offered {sorted(ours - theirs)}, missing {sorted(theirs - ours)}")
    return "\n".join(lines)


def kind_of_action(name: str) -> str:
    words = ("discard", "concealed kan", "added kan", "chi", "pon")
    return next((word for word in words if name.startswith(word)), name)


@pytest.mark.parametrize("rules", PRESETS)
def test_every_question_is_the_reference_s(rules: str) -> None:
    seen: Counter[str] = Counter()
    for seed in range(GAMES[rules]):
        compare(game_at(seed, rules), seed, seen)
    rare = ["riichi", "tsumo", "ron", "concealed kan", "added kan", "kan", "chi", "pon", "exhaustive draw"]
    assert not [what for what in rare if not seen[what]]
    print(rules, dict(seen))


@pytest.mark.parametrize("rules", ["tenhou", "mahjong_soul", "mleague"])
def test_every_question_of_rigged_hands(rules: str) -> None:
    seen: Counter[str] = Counter()
    for seed in range(HANDS):
        compare(rigged_hand(seed, rules), seed, seen)
    print(rules, dict(seen))
    assert seen["concealed kan"] > HANDS // 10


def test_games_are_enough() -> None:
    assert sum(GAMES.values()) >= 60
    assert GAMES.keys() == PRESETS.keys()
