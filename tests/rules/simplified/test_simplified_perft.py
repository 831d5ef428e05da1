"""Counts from fixed seeds that pin how the simplified game plays, as perft does for chess.

A change of these numbers is a change of the rules, of walls or of the built-in players. Where it is meant, print the
new ones with `python tests/rules/simplified/test_simplified_perft.py` and raise the version in the game's id if rules
have changed.
"""

from __future__ import annotations

import hashlib
from itertools import product
from typing import Any

import numpy as np
import pytest

from janshi.rules.simplified.game import SimplifiedGame
from janshi.rules.simplified.playout import playout
from janshi.rules.simplified.ruleset import get_ruleset
from janshi.rules.simplified.table import Table

GAMES = 500
PINS: dict[tuple[str, str], Any] = {}
LEAVES: dict[tuple[str, int, int, int], list[int]] = {}
PINS[("paper", "random")] = (13270, [0, 25, 90, 385], [12, 7, 5, 9], [-25, -53, 78], "6f99f04240a0298d")
PINS[("paper", "greedy")] = (6455, [0, 169, 323, 8], [47, 35, 35, 9], [242, -4, -238], "a835d99df1dbbb2e")
PINS[("paper", "valued")] = (6970, [0, 172, 318, 10], [56, 72, 71, 41], [408, -241, -167], "7b274fda0f116338")
PINS[("three_sets", "random")] = (10282, [0, 2, 27, 471], [6, 4, 0, 0], [-38, 11, 27], "316962e013932e32")
PINS[("three_sets", "valued")] = (7440, [0, 118, 295, 87], [108, 137, 1, 11], [274, 22, -296], "921bf63f20d2a3d8")
LEAVES[("paper", 1, 20, 4)] = [8, 44, 200, 1116]
LEAVES[("paper", 2, 2, 6)] = [6, 23, 113, 290, 779, 1282]
LEAVES[("paper", 3, 5, 5)] = [6, 19, 76, 303, 1397]
LEAVES[("three_sets", 4, 11, 3)] = [8, 58, 368]
LEAVES[("three_sets", 5, 1, 5)] = [8, 39, 89, 199, 656]
CASES = [
    ("paper", "random"),
    ("paper", "greedy"),
    ("paper", "valued"),
    ("three_sets", "random"),
    ("three_sets", "valued"),
]
POSITIONS = [
    ("paper", 1, 20, 4),
    ("paper", 2, 2, 6),
    ("paper", 3, 5, 5),
    ("three_sets", 4, 11, 3),
    ("three_sets", 5, 1, 5),
]
"""Preset, seed, tiles left when counting begins, depth."""


def outcome(preset: str, policy: str) -> Any:
    """Decisions, games by result, scoring hands by bit, sums of scores by seat, and a hash of where tables ended."""
    rules = get_ruleset(preset)
    game = SimplifiedGame(rules)
    states = game.new_states(GAMES)
    game.start(states, np.arange(GAMES, dtype=np.uint64), game.new_context())
    playout(states, (policy,) * 3, seed=1, rules=rules)
    kinds = [int((states["win_kinds"] >> bit & 1).sum()) for bit in range(4)]
    results = np.bincount(states["result"], minlength=4).tolist()
    digest = hashlib.sha256()
    for name in ("scores", "decisions", "hand", "melds", "discards", "winner", "win_fan", "turns", "left"):
        digest.update(states[name].astype("<i8").tobytes())
    decisions = int(states["decisions"].sum())
    return decisions, results, kinds, states["scores"].sum(axis=0).tolist(), digest.hexdigest()[:16]


@pytest.mark.parametrize(("preset", "policy"), CASES)
def test_games_from_fixed_seeds(preset: str, policy: str) -> None:
    assert outcome(preset, policy) == PINS[preset, policy]


def position(preset: str, seed: int, left: int) -> Table:
    """The first position with `left` tiles left, of players who call nothing and discard their lowest tile."""
    table = Table(seed, preset)
    while table.tiles_left > left:
        table.step({p: "pass" if p != table.actor else table.legal_actions(p)[0] for p in table.asked})
    return table


def perft(table: Table, depth: int) -> list[int]:
    """How many sequences of joint answers there are of each length up to `depth`; the end of the game ends one."""
    level = {table.state.tobytes(): (table, 1)}
    counts = []
    for _ in range(depth):
        following: dict[bytes, tuple[Table, int]] = {}
        total = 0
        for at, ways in level.values():
            for chosen in product(*(at.legal_actions(player) for player in at.asked)):
                total += ways
                after = at.copy()
                after.step(dict(zip(at.asked, chosen)))
                if not after.over:
                    known = following.get(after.state.tobytes(), (after, 0))
                    following[after.state.tobytes()] = (known[0], known[1] + ways)
        counts.append(total)
        level = following
    return counts


@pytest.mark.parametrize("case", POSITIONS)
def test_perft(case: tuple[str, int, int, int]) -> None:
    preset, seed, left, depth = case
    assert perft(position(preset, seed, left), depth) == LEAVES[case]


def print_pins() -> None:
    """Print the numbers to pin."""
    for case in CASES:
        print(f"PINS[{case!r}] = {outcome(*case)!r}")
    for where in POSITIONS:
        print(f"LEAVES[{where!r}] = {perft(position(*where[:3]), where[3])!r}")


if __name__ == "__main__":
    print_pins()
