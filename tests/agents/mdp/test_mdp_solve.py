"""The processes by retrograde analysis against exhaustive expectimax on small games."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from slow_mdp import TABLES, Expectimax, Hand, HandSet, Root, counts_of, distance, read_set

from janshi.agents.mdp import inclusive
from janshi.agents.mdp.candidates import CANDIDATE_DTYPE, UNKNOWN, add_candidate
from janshi.agents.mdp.fold import OTHERS_WIN
from janshi.agents.mdp.hands import pack_high, pack_low
from janshi.agents.mdp.inclusive import note_chances
from janshi.agents.mdp.process import HORIZON, only_tenpai, only_wins
from janshi.agents.mdp.scenarios import note_parts
from janshi.agents.mdp.scene import new_process
from janshi.agents.mdp.solve import folding_of, new_values, note_folds, solve
from janshi.agents.mdp.space import build_reaction, build_turn, new_space
from janshi.core.tiles import NUM_KINDS
from janshi.models.labels import OPPONENTS

LIMIT = 3000
SPACE, VALUES = new_space(LIMIT), new_values(LIMIT)
SCRATCH = np.zeros(NUM_KINDS, np.int8)


# --- small games of random numbers


@dataclass
class Small:
    """A small game: the set of hands of a root, and random numbers of a process and of wins."""

    root: Root
    process: Any
    hands: HandSet
    standing: list[Hand]
    wins: dict[Hand, Any]

    def expectimax(self, process: Any = None) -> Expectimax:
        m = self.process if process is None else process
        return Expectimax(self.hands, self.root, m[0], self.wins, OTHERS_WIN)


def unseen(hand: tuple[int, ...], kinds: str) -> tuple[int, ...]:
    return tuple(min(3, 4 - n) if some else 0 for n, some in zip(hand, counts_of(kinds)))


def random_process(chance: Any, turns: int, danger: float = 0.2) -> Any:
    """Numbers such as M might have: worths are expected final ranks, between -4 and -1."""
    process = new_process()
    m = process[0]
    for name in ("lose", "any_lose", "other_win"):
        m[name] = danger * chance.random(m[name].shape)
    m["lose_worth"] = m["lose"] * (-3.9 + 0.9 * chance.random(m["lose"].shape))
    m["any_lose_worth"] = m["any_lose"] * (-3.9 + 0.9 * chance.random(m["any_lose"].shape))
    m["other_worth"] = -2.9 + 0.2 * chance.random(2)
    m["washout"] = -2.7 + 0.3 * chance.random((2, 2))
    m["given"] = 0.02 * chance.random(m["given"].shape)
    m["fold_lose"] = 0.1 * chance.random(NUM_KINDS)
    m["fold_lose_worth"] = m["fold_lose"] * (-3.9 + 0.9 * chance.random(NUM_KINDS))
    m["fold_share"] = np.sort(chance.random(HORIZON + 1))[::-1]
    m["fold_noten"] = chance.random()
    m["fold_safe"] = (1 - m["fold_noten"]) * m["other_worth"][0] + m["fold_noten"] * m["washout"][0, 0]
    m["turns"], m["last_riichi"] = turns, turns - 2
    m["wins"] = m["folds"] = m["riichi"] = 1
    return process


def note_wins(chance: Any, hands: HandSet, standing: list[Hand], furiten: float) -> dict[Hand, Any]:
    """Random wins of the tenpai hands; some are furiten, some may not declare riichi."""
    count, wins = 0, {}
    for number, q in enumerate(standing):
        SPACE.standing[number]["wins"] = -1
        if not hands.standing[q].waits:
            continue
        y = VALUES.ready[count]
        for stance in range(2):
            y["tsumo"][stance] = 0.2 * chance.random()
            y["ron"][stance] = 0.1 * chance.random(OPPONENTS) * (chance.random() > furiten)
        y["tsumo_worth"] = y["tsumo"] * (-2.4 + 1.2 * chance.random(2))
        y["ron_worth"] = y["ron"] * (-2.6 + 1.2 * chance.random((2, OPPONENTS)))
        y["may_riichi"] = not q[1] and chance.random() > 0.3
        SPACE.standing[number]["wins"] = count
        wins[q] = y.copy()
        count += 1
    return wins


def small_game(
    hand: str, kinds: str, n: int, m: int, turns: int, seed: int = 1, furiten: float = 0.3, danger: float = 0.2
) -> Small:
    counts, chance = counts_of(hand), np.random.default_rng(seed)
    root = Root(counts, unseen(counts, kinds))
    root.write(SPACE)
    words = [pack_low(np.array(counts, np.int8)), pack_high(np.array(counts, np.int8))]
    if sum(counts) % 3 == 2:
        assert build_turn(*words, n, m, SPACE, TABLES[0])
    else:
        assert build_reaction(*words, max(0, distance(counts, 0)), n, m, SPACE, TABLES[0])
    hands, standing, _ = read_set(SPACE)
    return Small(
        root, random_process(chance, turns, danger), hands, standing, note_wins(chance, hands, standing, furiten)
    )


GAMES = {
    "in turn": ("234m34567p2268s9m1z", "125m258p37s1z", 1, 0, 5),
    "between turns": ("234m34567p2268s9m", "125m258p37s1z", 2, 0, 4),
    "calls": ("234m3467p246688s", "2345m2345678p234678s", 2, 3, 4),
    "calls in turn": ("2334m3467p246688s", "25m258p34678s", 2, 2, 5),
    "tenpai": ("234m34567p22678s9m", "1258m258p37s", 1, 0, 6),
    "seven pairs": ("1122m3344p5566s17z", "12357m3p9s7z", 1, 2, 5),
    "last turn": ("234m34567p2268s9m1z", "125m258p37s1z", 1, 1, 1),
}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("danger", [0.02, 0.3])
def test_worths_of_m(name: str, danger: float):
    game = small_game(*GAMES[name], danger=danger)
    note_folds(game.process[0], SCRATCH, SPACE, VALUES)
    slow, first = game.expectimax(), 1 if sum(game.root.hand) % 3 == 2 else 0
    solve(game.process[0], first, SPACE, VALUES)
    for number, q in enumerate(game.standing):
        assert VALUES.standing[first % 2, number] == pytest.approx(slow.value("standing", q, first)[0], abs=1e-12)
        if q in game.wins and game.wins[q]["may_riichi"]:
            place = SPACE.standing[number]["wins"]
            assert VALUES.riichi[first % 2, place] == pytest.approx(slow.value("riichi", q, first)[0], abs=1e-12)


@pytest.mark.parametrize("name", ["calls", "between turns"])
def test_some_hands_are_folded_and_some_are_not(name: str):
    game = small_game(*GAMES[name])
    root_worth(game)
    m = game.process[0]
    folded = m["fold_safe"] - m["fold_share"][0] * VALUES.fold[: len(game.standing)]
    gone = VALUES.standing[0, : len(game.standing)] == folded
    assert gone.any()
    assert not gone.all()


@pytest.mark.parametrize("name", GAMES)
def test_all_turns_are_solved(name: str):
    """Each turn from the end back, which also shows that a later start leaves nothing behind."""
    game = small_game(*GAMES[name], seed=2)
    m, slow = game.process[0], game.expectimax()
    note_folds(m, SCRATCH, SPACE, VALUES)
    for first in range(int(m["turns"]), -1, -1):
        solve(m, first, SPACE, VALUES)
        for number in range(0, len(game.standing), 7):
            wanted = slow.value("standing", game.standing[number], first)[0]
            assert VALUES.standing[first % 2, number] == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("flag", ["wins", "folds", "riichi"])
def test_without_wins_folding_or_riichi(flag: str):
    game = small_game(*GAMES["tenpai"], seed=3, danger=0.1)
    root_worth(game)
    with_it = VALUES.standing[0, : len(game.standing)].copy()
    game.process[0][flag] = 0
    root_worth(game)
    without, slow = VALUES.standing[0, : len(game.standing)], game.expectimax()
    assert without == pytest.approx([slow.value("standing", q, 0)[0] for q in game.standing], abs=1e-12)
    assert (without <= with_it).all()
    assert (without < with_it).any()


def root_worth(game: Small, number: int = 0, turn: int = 0) -> float:
    note_folds(game.process[0], SCRATCH, SPACE, VALUES)
    solve(game.process[0], turn, SPACE, VALUES)
    return float(VALUES.standing[turn % 2, number])


def test_riichi_only_until_the_last_turn_for_it():
    game, worths = small_game(*GAMES["tenpai"], seed=4, danger=0.02), []
    for last in range(-1, 6):
        game.process[0]["last_riichi"] = last
        worths.append(root_worth(game))
        assert worths[-1] == pytest.approx(game.expectimax().value("standing", game.standing[0], 0)[0], abs=1e-12)
    assert worths == sorted(worths)
    assert worths[-1] > worths[0]


def test_furiten_hands_win_by_their_own_draws_only():
    free = small_game(*GAMES["tenpai"], seed=5, furiten=0.0, danger=0.02)
    first = root_worth(free)
    for y in free.wins.values():
        assert y["ron"].min() > 0
    furiten = small_game(*GAMES["tenpai"], seed=5, furiten=1.1, danger=0.02)
    second = root_worth(furiten)
    assert all(not y["ron"].any() and y["tsumo"].all() for y in furiten.wins.values())
    assert second == pytest.approx(furiten.expectimax().value("standing", furiten.standing[0], 0)[0], abs=1e-12)
    assert second < first


# --- M_win and M_tenpai


@pytest.mark.parametrize("name", GAMES)
def test_m_win_and_m_tenpai(name: str):
    game, part = small_game(*GAMES[name], seed=6), new_process()
    first = 1 if sum(game.root.hand) % 3 == 2 else 0
    only_wins(game.process[0], -2.6, int(game.process[0]["turns"]), part[0])
    solve(part[0], first, SPACE, VALUES)
    slow = game.expectimax(part)
    for number, q in enumerate(game.standing):
        wanted = slow.value("standing", q, first)
        assert VALUES.standing[first % 2, number] == pytest.approx(wanted[0], abs=1e-12)
        assert wanted[2:4].tolist() == [0, 0], "nobody else wins"
    only_tenpai(game.process[0], int(game.process[0]["turns"]), part[0])
    solve(part[0], first, SPACE, VALUES)
    slow = game.expectimax(part)
    for number, q in enumerate(game.standing):
        wanted = slow.value("standing", q, first)
        worth = VALUES.standing[first % 2, number]
        assert worth == pytest.approx(wanted[0], abs=1e-12)
        assert worth == pytest.approx(wanted[1 + 3], abs=1e-12), "the worth is the chance to be tenpai"
        assert -1e-12 <= worth <= 1 + 1e-12


# --- candidates: chances by derivatives


def candidates_of(game: Small) -> Any:
    """A candidate for each of the first standing hands, with a risky discard; and riichi where it may be declared."""
    out, n, m = np.zeros(128, CANDIDATE_DTYPE), 0, game.process[0]
    turn = 1 if sum(game.root.hand) % 3 == 2 else 0
    for number, q in enumerate(game.standing[:60]):
        low, high = int(SPACE.standing[number]["low"]), int(SPACE.standing[number]["high"])
        for riichi in (0, 1):
            if riichi and not (q in game.wins and game.wins[q]["may_riichi"]):
                continue
            k = number % NUM_KINDS
            n = add_candidate(out, n, 0, k, low, high, turn, riichi)
            c = out[n - 1]
            c["node"], c["lose"], c["lose_worth"] = number, m["lose"][riichi, 0, k], m["lose_worth"][riichi, 0, k]
            f = folding_of(np.array(q[0], np.int8), m, turn)
            c["fold_worth"], c["fold_lose"], c["fold_lose_worth"] = f.worth, f.lose, f.lose_worth
    return out[:n]


def expected(slow: Expectimax, game: Small, c: Any) -> Any:
    """Worth and chances of a candidate by the slow reference."""
    after = slow.value("riichi" if c["riichi"] else "standing", game.standing[c["node"]], int(c["turn"]))
    value = (1 - c["lose"]) * after
    value[0] += c["lose_worth"]
    value[2] += c["lose"]
    return value


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("danger", [0.02, 0.3])
def test_derivatives_are_the_chances_carried_along(name: str, danger: float):
    game = small_game(*GAMES[name], seed=7, danger=danger)
    before, m = game.process.copy(), game.process[0]
    out = candidates_of(game)
    first = int(out[0]["turn"])
    note_folds(m, SCRATCH, SPACE, VALUES)
    solve(m, first, SPACE, VALUES)
    inclusive.value_candidates(out, len(out), SPACE, VALUES)
    worths = out["worth"].copy()
    note_chances(out, len(out), first, m, SPACE, VALUES)
    slow = game.expectimax(before)
    for c in out:
        wanted = expected(slow, game, c)
        assert c["worth"] == pytest.approx(wanted[0], abs=1e-12)
        assert c["chances"] == pytest.approx(wanted[1:], abs=2e-6)
        assert c["chances"].sum() == pytest.approx(1.0, abs=2e-6)
    assert out["worth"].tolist() == worths.tolist()
    for field in before.dtype.names:
        assert np.allclose(before[field], game.process[field], rtol=0, atol=1e-12), "M is left as it was"


def test_a_candidate_outside_the_set_folds_and_an_impossible_riichi_is_no_choice():
    game = small_game(*GAMES["between turns"], seed=8)
    out = np.zeros(2, CANDIDATE_DTYPE)
    add_candidate(out, 0, 0, 3, 0, 0, 0, 0)
    add_candidate(out, 1, 0, 3, 0, 0, 0, 1)
    out["lose"], out["lose_worth"], out["fold_worth"] = 0.1, -0.35, -2.7
    note_folds(game.process[0], SCRATCH, SPACE, VALUES)
    solve(game.process[0], 0, SPACE, VALUES)
    inclusive.value_candidates(out, 2, SPACE, VALUES)
    assert (out[0]["worth"], out[0]["folds"]) == (pytest.approx(-0.35 + 0.9 * -2.7), 1)
    assert out[1]["worth"] == UNKNOWN


@pytest.mark.parametrize("name", GAMES)
def test_chances_to_win_of_m_win(name: str):
    game, part = small_game(*GAMES[name], seed=9), new_process()
    out, turns = candidates_of(game), int(game.process[0]["turns"])
    first = int(out[0]["turn"])
    note_parts(out, len(out), first, 1.0, game.process[0], part[0], SPACE, VALUES)
    only_wins(game.process[0], float(game.process[0]["fold_safe"]), turns, part[0])
    slow = game.expectimax(part)
    for c in out:
        wanted = slow.value("riichi" if c["riichi"] else "standing", game.standing[c["node"]], first)
        assert c["win_worth"] == pytest.approx(wanted[0], abs=1e-12)
        assert c["win"] == pytest.approx(wanted[1], abs=2e-6)


# --- what must hold


@pytest.mark.parametrize("seed", range(4))
def test_chances_of_scenarios_sum_to_one_and_worths_lie_between_payoffs(seed: int):
    game = small_game(*GAMES["calls"], seed=seed + 20)
    m, slow = game.process[0], game.expectimax()
    root_worth(game)
    payoffs = [*m["other_worth"], *m["washout"].ravel(), m["fold_safe"]]
    payoffs += [y["tsumo_worth"][s] / y["tsumo"][s] for y in game.wins.values() for s in range(2)]
    for name in ("lose", "any_lose", "fold_lose"):
        payoffs += (m[f"{name}_worth"] / np.maximum(m[name], 1e-12)).ravel().tolist()
    for y in game.wins.values():
        payoffs += (y["ron_worth"][y["ron"] > 0] / y["ron"][y["ron"] > 0]).tolist()
    for number, q in enumerate(game.standing):
        value = slow.value("standing", q, 0)
        assert value[1:].sum() == pytest.approx(1.0)
        assert value[1:].min() >= -1e-12
        assert min(payoffs) <= VALUES.standing[0, number] <= max(payoffs)


def test_a_win_that_is_worth_more_never_makes_a_hand_worth_less():
    game = small_game(*GAMES["tenpai"], seed=30)
    worths = []
    for _ in range(4):
        root_worth(game)
        worths.append(VALUES.standing[0, : len(game.standing)].copy())
        for number in range(len(game.wins)):
            y = VALUES.ready[number]
            y["tsumo_worth"] += 0.1 * y["tsumo"]
            y["ron_worth"] += 0.1 * y["ron"]
    assert all((more >= less - 1e-12).all() for less, more in pairwise(worths))
    assert worths[-1][0] > worths[0][0]


def test_one_turn_by_hand():
    """Tenpai, one turn: others win, then three discards, then a draw, then the end (eq. 8, 9, 7)."""
    game = small_game("234m34567p22678s", "258p", 0, 0, 1)
    m, y = game.process[0], VALUES.ready[0]
    for name in ("lose", "lose_worth", "any_lose", "any_lose_worth", "folds", "riichi"):
        m[name] = 0
    m["other_win"][0, 0], m["other_worth"][0], m["washout"][0, 1] = 0.1, -3.0, -2.5
    m["any_lose"][0, 0], m["any_lose_worth"][0, 0] = 0.05, 0.05 * -4.0
    y["tsumo"][0], y["tsumo_worth"][0] = 0.2, 0.2 * -1.0
    y["ron"][0], y["ron_worth"][0] = 0.1, 0.1 * -1.5
    # The draw: 0.2 x -1 + 0.8 x (0.05 x -4 + 0.95 x -2.5) = -2.26
    # Each discard before it: 0.1 x -1.5 + 0.9 x what follows: -2.184, -2.1156, -2.05404
    # Another's win before all that: 0.1 x -3 + 0.9 x -2.05404 = -2.148636
    assert root_worth(game) == pytest.approx(-2.148636)


def test_a_hand_that_can_do_nothing_waits_for_the_end():
    game = small_game("234m34567p2268s9m", "1z", 1, 0, 5, danger=0.0)
    m = game.process[0]
    assert len(game.standing) == 1
    m["folds"] = 0
    assert root_worth(game) == pytest.approx(m["washout"][0, 0])
    m["other_win"][0] = 0.1
    ends = 0.9**5
    assert root_worth(game) == pytest.approx(ends * m["washout"][0, 0] + (1 - ends) * m["other_worth"][0])


def test_a_folded_hand_is_never_worth_less_than_folding():
    game = small_game(*GAMES["calls"], seed=31, danger=0.6)
    root_worth(game)
    m = game.process[0]
    folded = m["fold_safe"] - m["fold_share"][0] * VALUES.fold[: len(game.standing)]
    assert (VALUES.standing[0, : len(game.standing)] >= folded - 1e-12).all()


def test_turns_beyond_the_end_are_of_no_account():
    game = small_game(*GAMES["between turns"], seed=32)
    before = root_worth(game)
    m, turns = game.process[0], int(game.process[0]["turns"])
    for name in ("lose", "lose_worth", "any_lose", "any_lose_worth", "other_win"):
        m[name][:, turns:] = 0.77
    assert root_worth(game) == before


PLAIN = """
import sys
sys.path.insert(0, sys.argv[1])
import test_mdp_solve as t
print(repr(t.plain_worths()))
"""


def plain_worths() -> list[float]:
    """Worths of a small game, for a comparison with plain Python."""
    game = small_game("234m34567p2268s9m", "25m258p37s", 1, 1, 3, seed=40)
    root_worth(game)
    return [round(float(worth), 12) for worth in VALUES.standing[0, : len(game.standing)]]


def test_plain_python_says_the_same():
    """Without the compiler, every index is checked."""
    here = str(Path(__file__).parent)
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", PLAIN, here], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == repr(plain_worths())
    assert len(set(plain_worths())) > 5
