"""Counts from fixed seeds that pin how the engine plays, as perft does for chess.

A change of these numbers is a change of the rules, of walls or of the built-in players. Where it is meant, print the
new ones with `python tests/rules/test_perft.py` and raise the version in the game's id if rules have changed.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any

import numpy as np
import pytest

from janshi.rules.riichi.game import RiichiGame
from janshi.rules.riichi.playout import playout
from janshi.rules.riichi.result import RESULT_NAMES
from janshi.rules.riichi.ruleset import PRESETS, get_ruleset
from janshi.rules.riichi.state import GAME_OVER, HAND_OVER
from janshi.rules.riichi.table import Table

RANDOM_GAMES, GREEDY_GAMES = 200, 50
FIRST_SEED = {"mahjong_soul": 50}
"""Seeds from here on hold a triple ron, where `mahjong_soul` parts from `tenhou`; all others begin at 0."""
PLAYED = [(preset, policy) for preset in PRESETS for policy in ("random", "greedy")]
PLAYED.remove(("mahjong_soul", "random"))  # random players never come to what it does otherwise than tenhou

# --- whole games

Outcome = tuple[int, int, dict[str, int], list[int], str]
"""Decisions, hands, hands by result, sums of the final scores by seat, and a hash of where each table ended."""

GAMES: dict[tuple[str, str], Outcome] = {
    ("tenhou", "random"): (
        213197,
        2393,
        {"exhaustive draw": 2371, "nine terminals": 2, "ron": 15, "tsumo": 5},
        [5046100, 5010000, 4981600, 4962300],
        "6cb629ce49017285",
    ),
    ("tenhou", "greedy"): (
        31083,
        504,
        {"exhaustive draw": 51, "four riichi": 19, "four winds": 4, "nine terminals": 7, "ron": 320, "tsumo": 103},
        [1230200, 1340600, 1284200, 1145000],
        "e0ae48091bd483a3",
    ),
    ("tenhou_east", "random"): (
        143301,
        1606,
        {"exhaustive draw": 1595, "ron": 8, "tsumo": 3},
        [5018200, 5005000, 4990900, 4985900],
        "84a61a8f75e21f8e",
    ),
    ("tenhou_east", "greedy"): (
        17557,
        290,
        {"exhaustive draw": 29, "four riichi": 13, "four winds": 3, "nine terminals": 4, "ron": 182, "tsumo": 59},
        [1310600, 1190700, 1373500, 1125200],
        "bb367a3466fcdcee",
    ),
    ("tenhou_no_red", "random"): (
        213363,
        2391,
        {"exhaustive draw": 2380, "nine terminals": 1, "ron": 7, "tsumo": 3},
        [4987400, 5034200, 4972300, 5006100],
        "05b39847572ce858",
    ),
    ("tenhou_no_red", "greedy"): (
        33696,
        545,
        {"exhaustive draw": 51, "four riichi": 21, "four winds": 5, "nine terminals": 7, "ron": 348, "tsumo": 113},
        [1242000, 1351000, 1226100, 1180900],
        "9fa8a7d13a1b2399",
    ),
    ("mahjong_soul", "greedy"): (
        31236,
        503,
        {"exhaustive draw": 44, "four riichi": 11, "nine terminals": 5, "ron": 328, "tsumo": 115},
        [1405500, 1189900, 1269600, 1135000],
        "4dc360149e1c50e1",
    ),
    ("mleague", "random"): (
        146693,
        1644,
        {"exhaustive draw": 1633, "ron": 8, "tsumo": 3},
        [5016500, 5007000, 4992900, 4983600],
        "301cc89ba4563a07",
    ),
    ("mleague", "greedy"): (
        34255,
        543,
        {"exhaustive draw": 52, "ron": 371, "tsumo": 120},
        [1214300, 1275300, 1313300, 1197100],
        "b9668773059c933e",
    ),
}


def play_games(preset: str, policy: str, first: int) -> Outcome:
    """Play games of seeds from `first` on hand by hand, counting results."""
    rules = get_ruleset(preset)
    game, context = RiichiGame(rules), RiichiGame(rules).new_context()
    states = game.new_states(RANDOM_GAMES if policy == "random" else GREEDY_GAMES)
    game.start(states, first + np.arange(len(states), dtype=np.uint64), context)
    results: Counter[str] = Counter()
    nobody = np.zeros(len(states) + 1, np.int64), np.zeros(0, np.int64)
    hand = 0
    while (states["phase"] != GAME_OVER).any():
        playout(states, (policy,) * 4, seed=hand, whole_game=False, rules=rules)
        results.update(RESULT_NAMES[number] for number in states["result"][states["phase"] == HAND_OVER])
        hand += 1
        game.step(states, *nobody, False, context)
    decisions, hands = int(states["decisions"].sum()), int(states["hands"].sum())
    return decisions, hands, dict(sorted(results.items())), states["scores"].sum(axis=0).tolist(), fingerprint(states)


def fingerprint(states: Any) -> str:
    """A hash of scores, rounds, hands, rivers and melds, independent of the layout of the state."""
    digest = hashlib.sha256()
    for name in ("scores", "kyoku", "honba", "decisions", "hands", "hand", "reds", "discards", "melds", "riichi"):
        digest.update(states[name].astype("<i8").tobytes())
    there = np.arange(states["river"].shape[2]) < states["discards"][..., None]
    digest.update(np.where(there, states["river"], -1).astype("<i8").tobytes())
    return digest.hexdigest()[:16]


@pytest.mark.parametrize(("preset", "policy"), PLAYED)
def test_games_from_fixed_seeds(preset: str, policy: str) -> None:
    assert play_games(preset, policy, FIRST_SEED.get(preset, 0)) == GAMES[preset, policy]


def test_no_two_presets_play_the_same() -> None:
    assert len({outcome[-1] for outcome in GAMES.values()}) == len(GAMES) == len(PLAYED)
    assert play_games("tenhou", "greedy", FIRST_SEED["mahjong_soul"]) != GAMES["mahjong_soul", "greedy"]


# --- true perft: every legal sequence of answers from a position

POSITIONS = {
    # name: (preset, seed, live tiles left, depth)
    "start": ("tenhou", 1, 69, 3),
    "last tiles": ("tenhou", 2, 2, 6),
    "last tile": ("tenhou", 6, 1, 5),
    "no red": ("tenhou_no_red", 3, 3, 5),
    "soul": ("mahjong_soul", 4, 4, 4),
    "mleague": ("mleague", 5, 1, 6),
}
LEAVES: dict[str, list[int]] = {
    "start": [11, 76, 690],
    "last tiles": [13, 114, 1289, 1658, 7409, 7752],
    "last tile": [14, 172, 49, 206, 142],
    "no red": [11, 102, 775, 6423, 16982],
    "soul": [14, 119, 835, 8996],
    "mleague": [11, 122, 21, 81, 39, 204],
}


def position(preset: str, seed: int, left: int) -> Table:
    """The first position with `left` tiles left in a hand of tsumogiri players, who call nothing."""
    table = Table(seed=seed, rules=preset)
    while table.tiles_left > left:
        table.step({player: "tsumogiri" if player == table.actor else "pass" for player in table.asked})
    return table


def perft(table: Table, depth: int) -> list[int]:
    """How many sequences of answers there are of each length up to `depth`; the end of the hand ends a sequence.

    Players asked at once give one joint answer. Positions reached in several ways are expanded once.
    """
    level = {table.state.tobytes(): (table, 1)}
    counts = []
    for _ in range(depth):
        following: dict[bytes, tuple[Table, int]] = {}
        total = 0
        for position, ways in level.values():
            for answers in all_answers(position):
                total += ways
                after = position.copy()
                after.step(answers)
                if not after.hand_over:
                    key = after.state.tobytes()
                    known = following.get(key, (after, 0))
                    following[key] = (known[0], known[1] + ways)
        counts.append(total)
        level = following
    return counts


def all_answers(table: Table) -> list[dict[int, int]]:
    """Every choice of legal actions by all asked players."""
    choices: list[dict[int, int]] = [{}]
    for player in table.asked:
        choices = [{**choice, player: action} for choice in choices for action in table.legal_actions(player)]
    return choices


@pytest.mark.parametrize("name", POSITIONS)
def test_perft(name: str) -> None:
    preset, seed, left, depth = POSITIONS[name]
    assert perft(position(preset, seed, left), depth) == LEAVES[name]


def print_pins() -> None:
    """Print the numbers to pin; `make format` lays them out."""
    for preset, policy in PLAYED:
        outcome = play_games(preset, policy, FIRST_SEED.get(preset, 0))
        print(f"    ({preset!r}, {policy!r}): {outcome!r},", flush=True)
    for name, (preset, seed, left, depth) in POSITIONS.items():
        print(f"    {name!r}: {perft(position(preset, seed, left), depth)!r},", flush=True)


if __name__ == "__main__":
    print_pins()
