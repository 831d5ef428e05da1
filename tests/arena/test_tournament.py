"""Tournaments: who meets whom, and that a tournament ends the same however often it was killed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import replace
from itertools import combinations
from math import comb

import numpy as np
import pytest

from janshi.arena.pairing import Dice, balanced_lineups, choose_byes, count_meetings, swiss_tables
from janshi.arena.plan import Plan
from janshi.arena.results import Results, empty_results, rank_points
from janshi.arena.standings import Round, join_rounds, standings
from janshi.arena.stats import mean
from janshi.arena.store import StoreError
from janshi.arena.summary import values_of
from janshi.arena.tournament import Swiss, is_tournament, read_tournament, round_path, round_robin, run_swiss

SIMPLE = ("greedy", "random", "tsumogiri", "random", "greedy")


def labels(count: int) -> list[str]:
    return [f"player {k}" for k in range(count)]


def played(plan: Plan, strengths: np.ndarray, seed: int) -> Results:
    """Results of a plan nobody played: points by strength and luck, summing to zero."""
    rng = np.random.default_rng(seed)
    games = [plan.game(number) for number in range(len(plan))]
    seats = np.array([game.seats for game in games], np.int16)
    points = strengths[seats] + rng.normal(size=seats.shape)
    points -= points.mean(1, keepdims=True)
    made, n = empty_results(seats.shape[1]), len(games)
    blank = {
        name: np.zeros((n, *getattr(made, name).shape[1:]), getattr(made, name).dtype)
        for name in ("scores", "counters", "decisions", "seconds")
    }
    return replace(
        made,
        game=np.arange(n),
        wall=np.array([game.wall for game in games]),
        lineup=np.array([game.lineup for game in games], np.int32),
        seed=np.array([game.seed for game in games], np.uint64),
        seats=seats,
        points=points,
        ranks=rank_points(points),
        faults=[[] for _ in games],
        actions=[None] * n,
        **blank,
    )


def spread_of_meetings(lineups: tuple[tuple[int, ...], ...], contestants: int) -> int:
    met = count_meetings(lineups, contestants)[np.triu_indices(contestants, 1)]
    return int(met.max() - met.min())


# --- round robins


@pytest.mark.parametrize(("rules", "players"), [("riichi/tenhou", 4), ("guobiao/botzone", 4), ("simplified/paper", 3)])
@pytest.mark.parametrize("contestants", [5, 6, 8])
def test_full_round_robin_is_fair(rules: str, players: int, contestants: int):
    plan = round_robin(rules, labels(contestants), walls=2, seed=7)
    assert len({frozenset(lineup) for lineup in plan.lineups}) == len(plan.lineups) == comb(contestants, players)
    met = count_meetings(plan.lineups, contestants)
    assert set(met[np.triu_indices(contestants, 1)].tolist()) == {comb(contestants - 2, players - 2)}
    seats = np.array([plan.game(number).seats for number in range(len(plan))])
    for seat in range(players):
        assert len(set(np.bincount(seats[:, seat], minlength=contestants).tolist())) == 1
    walls = {plan.game(number).seed for number in range(len(plan))}
    assert len(walls) == 2


def test_few_contestants_take_several_seats():
    assert round_robin("riichi/tenhou", labels(2), 1).lineups == ((0, 1, 1, 1), (1, 0, 0, 0))
    assert round_robin("simplified/paper", labels(2), 1).lineups == ((0, 1, 1), (1, 0, 0))
    three = round_robin("riichi/tenhou", labels(3), 1).lineups
    assert sorted(sorted(lineup) for lineup in three) == [[0, 0, 1, 2], [0, 1, 1, 2], [0, 1, 2, 2]]
    assert round_robin("riichi/tenhou", labels(4), 1).lineups == ((0, 1, 2, 3),)
    with pytest.raises(ValueError, match="at least two contestants, not 1"):
        round_robin("riichi/tenhou", labels(1), 1)


# perfect designs exist for these: 7 points in blocks of 4 is the complement of the Fano plane
@pytest.mark.parametrize(("contestants", "players", "tables"), [(7, 4, 7), (9, 3, 12), (7, 3, 7), (6, 3, 10)])
def test_perfect_designs_are_found(contestants: int, players: int, tables: int):
    lineups = balanced_lineups(contestants, players, tables, Dice(1))
    assert len(lineups) == tables
    assert spread_of_meetings(lineups, contestants) == 0


@pytest.mark.parametrize("players", [3, 4])
def test_designs_are_balanced(players: int):
    for contestants in range(players + 2, 14):
        for tables in (contestants, 2 * contestants):
            if tables >= comb(contestants, players):
                continue
            lineups = balanced_lineups(contestants, players, tables, Dice(contestants))
            games = np.bincount(np.ravel(lineups), minlength=contestants)
            assert len(lineups) == tables
            assert all(len(set(lineup)) == players for lineup in lineups)
            assert len(set(games.tolist())) == 1
            average = tables * comb(players, 2) / comb(contestants, 2)
            met = count_meetings(lineups, contestants)[np.triu_indices(contestants, 1)]
            assert np.abs(met - average).max() <= 1.2, (contestants, tables, np.bincount(met))


def test_designs_come_from_the_seed():
    def made(seed: int) -> tuple[tuple[int, ...], ...]:
        return round_robin("riichi/tenhou", labels(9), 1, seed, tables=9).lineups

    assert made(3) == made(3)
    assert made(3) != made(4)
    assert len(round_robin("riichi/tenhou", labels(6), 1, tables=1000).lineups) == comb(6, 4)
    with pytest.raises(ValueError, match="2 tables of 4 cannot seat all 9 contestants; at least 3"):
        round_robin("riichi/tenhou", labels(9), 1, tables=2)


# --- Swiss pairing


@pytest.mark.parametrize("contestants", range(5, 12))
def test_swiss_rounds(contestants: int):
    rng = np.random.default_rng(contestants)
    swiss = Swiss("riichi/tenhou", tuple(labels(contestants)), rounds=9, walls=2, seed=contestants)
    rounds: list[Round] = []
    for number in range(swiss.rounds):
        plan = swiss.next_plan(rounds)
        seated = [who for lineup in plan.lineups for who in lineup]
        assert len(plan.lineups) == contestants // 4
        assert len(set(seated)) == len(seated) == contestants // 4 * 4
        assert plan.first_wall == number * swiss.walls
        rounds.append(Round(plan, played(plan, rng.normal(size=contestants), number)))
        byes = swiss.byes(rounds)
        assert sum(byes) == (number + 1) * (contestants % 4)
        assert max(byes) - min(byes) <= 1
    seeds = [r.plan.game(number).seed for r in rounds for number in range(len(r.plan))]
    assert len(set(seeds)) == swiss.rounds * swiss.walls


def test_nobody_meets_again_where_that_is_possible():
    for seed in range(8):
        swiss = Swiss("riichi/tenhou", tuple(labels(16)), rounds=3, walls=1, seed=seed)
        rounds: list[Round] = []
        for number in range(3):
            plan = swiss.next_plan(rounds)
            rounds.append(Round(plan, played(plan, np.arange(16.0), seed + number)))
        assert count_meetings([lineup for r in rounds for lineup in r.plan.lineups], 16).max() == 1


def test_tables_follow_the_standing_where_nobody_has_met():
    order = [5, 2, 7, 0, 1, 6, 3, 4]
    assert swiss_tables(order, 4, np.zeros((8, 8), np.int64), Dice(0)) == [[5, 2, 7, 0], [1, 6, 3, 4]]


def cost_of(tables: list[list[int]], order: list[int], meetings: np.ndarray) -> tuple[int, int]:
    pairs = [pair for table in tables for pair in combinations(table, 2)]
    place = {who: k for k, who in enumerate(order)}
    return sum(int(meetings[a, b]) for a, b in pairs), sum((place[a] - place[b]) ** 2 for a, b in pairs)


def test_tables_are_the_best_of_all():
    rng = np.random.default_rng(0)
    for _ in range(60):
        half = np.triu(rng.integers(0, 3, (8, 8)), 1)
        meetings = half + half.T
        order = rng.permutation(8).tolist()
        found = cost_of(swiss_tables(order, 4, meetings, Dice(1)), order, meetings)
        splits = [
            [[0, *some], [who for who in range(1, 8) if who not in some]] for some in combinations(range(1, 8), 3)
        ]
        best = min(cost_of(split, order, meetings) for split in splits)
        assert found[0] == best[0]
        assert found[1] <= 2 * best[1]


def test_byes_go_to_the_lowest_with_the_fewest():
    assert choose_byes([3, 1, 0, 2], [0, 0, 0, 0], 1) == [2]
    assert choose_byes([3, 1, 0, 2], [1, 0, 1, 0], 3) == [1, 3, 2]


def test_swiss_needs_a_full_table():
    with pytest.raises(ValueError, match="at least 4 contestants, not 3; fewer can play a round robin"):
        Swiss("riichi/tenhou", ("a", "b", "c"), 2, 1)


# --- standings


def test_standings_find_the_order_and_number_walls_on():
    swiss = Swiss("riichi/tenhou", tuple(labels(6)), rounds=4, walls=10, seed=1)
    strengths = np.array([0.0, 3.0, -2.0, 1.0, -1.0, 2.0])
    rounds: list[Round] = []
    for number in range(4):
        plan = swiss.next_plan(rounds)
        rounds.append(Round(plan, played(plan, strengths, number)))
    _, joined = join_rounds(rounds)
    assert len(np.unique(joined.wall)) == 40
    assert len(np.unique(joined.game)) == len(joined)
    table = standings(rounds)
    points = [s.average_points for s in table]
    assert points == sorted(points, reverse=True)
    assert table[0].label == "player 1"
    for s in table:
        values = values_of(joined, joined.ranks, s.contestant)
        assert s.rank == mean(values, joined.wall)
        assert s.games == np.count_nonzero(~np.isnan(values))
        assert s.average_rank == pytest.approx(s.rank.value)
    # who met whom differs, so only the fitted strengths must come in the true order
    fitted = sorted(table, key=lambda s: -s.strength.value)
    assert [s.contestant for s in fitted] == np.argsort(-strengths).tolist()
    assert table[0].rating.ordinal > table[-1].rating.ordinal


def test_standings_without_finite_strengths_or_intervals():
    plan = Plan("simplified/paper", tuple(labels(4)), ((0, 1, 2),), walls=1)
    table = standings([Round(plan, played(plan, np.array([90.0, 0.0, -90.0, 0.0]), 0))])
    assert [s.contestant for s in table] == [0, 1, 2, 3]
    assert all(s.strength is None and s.rank is None for s in table)
    assert table[0].average_rank == 1
    assert np.isnan(table[3].average_points)


# --- played for real, and killed


@pytest.fixture(scope="module")
def whole():
    return run_swiss("simplified/paper", SIMPLE, rounds=3, walls=3, seed=5)


def same_rounds(one, other) -> bool:
    return len(one.rounds) == len(other.rounds) and all(
        a.plan == b.plan and a.results.same_games(b.results) for a, b in zip(one.rounds, other.rounds)
    )


class Killed(Exception):
    pass


@pytest.mark.parametrize("where", [(1, 2), (1, 9), (2, 5), (3, 9)])
def test_interrupted_tournament_goes_on(tmp_path, whole, where):
    def kill(number, plan, results, done):
        if (number, done) >= where:
            raise Killed

    with pytest.raises(Killed):
        run_swiss("simplified/paper", SIMPLE, 3, 3, 5, tmp_path / "t", watch=kill)
    kept = read_tournament(tmp_path / "t")
    assert not kept.finished or where == (3, 9)
    before = {r: sum(len(x.results) for x in kept.rounds[r - 1 : r]) for r in range(1, 4)}
    seen: dict[int, int] = {}

    def count(number, plan, results, done):
        seen[number] = seen.get(number, 0) + len(results)

    result = run_swiss("simplified/paper", SIMPLE, 3, 3, 5, tmp_path / "t", watch=count)
    assert same_rounds(result, whole)
    assert same_rounds(read_tournament(tmp_path / "t"), whole)
    assert all(seen.get(number, 0) + before[number] == 9 for number in range(1, 4))


KILL = """
import os, signal, sys
from janshi.arena.tournament import run_swiss

def watch(number, plan, results, done):
    if number == 2 and done > 2:
        os.kill(os.getpid(), signal.SIGKILL)

run_swiss("simplified/paper", sys.argv[2].split(), 3, 3, 5, sys.argv[1], watch=watch)
"""


def test_killed_process_leaves_a_tournament_that_goes_on(tmp_path, whole):
    path = tmp_path / "t"
    done = subprocess.run([sys.executable, "-c", KILL, str(path), " ".join(SIMPLE)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert len(read_tournament(path).rounds) == 2
    assert same_rounds(run_swiss("simplified/paper", SIMPLE, 3, 3, 5, path), whole)


def test_riichi_tournament(tmp_path):
    result = run_swiss("riichi/tenhou_east", ["greedy", *["tsumogiri"] * 4], 2, 2, 3, tmp_path / "t")
    assert result.finished
    assert [len(r.results) for r in result.rounds] == [8, 8]
    assert result.standings[0].label == "greedy"
    assert same_rounds(run_swiss("riichi/tenhou_east", ["greedy", *["tsumogiri"] * 4], 2, 2, 3), result)


def test_directory_of_another_tournament_is_refused(tmp_path, whole):
    path = tmp_path / "t"
    run_swiss("simplified/paper", SIMPLE, 1, 3, 5, path)
    assert is_tournament(path)
    with pytest.raises(StoreError, match="holds another tournament \\(seed 5 there, 6 now\\)"):
        run_swiss("simplified/paper", SIMPLE, 1, 3, 6, path)
    with pytest.raises(StoreError, match="walls 3 there, 4 now"):
        run_swiss("simplified/paper", SIMPLE, 1, 4, 5, path)
    header = json.loads((path / "tournament.json").read_text())
    assert header["swiss"]["rounds"] == 1
    more = run_swiss("simplified/paper", SIMPLE, 3, 3, 5, path)
    assert same_rounds(more, whole)
    assert json.loads((path / "tournament.json").read_text())["swiss"]["rounds"] == 3
    header["versions"]["greedy"] = "0.0"
    (path / "tournament.json").write_text(json.dumps(header))
    with pytest.raises(StoreError, match=r"greedy was version 0\.0"):
        run_swiss("simplified/paper", SIMPLE, 3, 3, 5, path)
    assert round_path(path, 3).is_dir()
    assert not list(path.glob("*.tmp"))


def test_directories_that_hold_no_tournament(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(StoreError, match="is not empty and holds no tournament"):
        run_swiss("simplified/paper", SIMPLE, 1, 1, 0, tmp_path)
    with pytest.raises(StoreError, match="there is no tournament here"):
        read_tournament(tmp_path)
    (tmp_path / "tournament.json").write_text("{}")
    with pytest.raises(StoreError, match="cannot be read as a tournament"):
        read_tournament(tmp_path)
