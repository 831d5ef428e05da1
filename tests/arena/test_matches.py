"""Matches: the same games on any process, and everything about them counted."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

from janshi.agents.base import Agent
from janshi.agents.registry import AGENTS, Entry, make_agent
from janshi.arena.bot_table import BotTable
from janshi.arena.lockstep import Lockstep, unpack_actions
from janshi.arena.match import run_match
from janshi.arena.plan import Plan
from janshi.arena.replay import game_text
from janshi.arena.results import COUNTERS, HANDS, WINS, join_results, rank_points
from janshi.arena.sprt import stop_by_rank
from janshi.arena.store import MatchStore, StoreError
from janshi.arena.summary import summarise
from janshi.arena.units import Options, Player
from janshi.arena.workers import WorkerError
from janshi.records.formats import read_record
from janshi.records.replay import replay_game
from janshi.rules.registry import make_game
from janshi.rules.riichi.playout import playout
from janshi.rules.riichi.table import Table

EAST = "riichi/tenhou_east"


def test_lockstep_plays_what_the_kernels_alone_play():
    plan = Plan(EAST, ("greedy",), ((0, 0, 0, 0),), 40, seed=2, seating="fixed")
    results = run_match(plan)
    game = make_game(EAST)
    states = game.new_states(40)
    game.start(states, np.array([plan.game(i).seed for i in range(40)], np.uint64), game.new_context())
    playout(states, ("greedy",) * 4, rules=game.rules)
    assert (states["scores"] == results.scores).all()
    assert (states["hands"] == results.counters[:, 0, HANDS]).all()


@pytest.mark.parametrize(
    ("rules", "lineup"), [(EAST, (0, 1, 1, 2)), ("guobiao/botzone", (0, 1, 1, 2)), ("simplified/paper", (0, 1, 2))]
)
def test_results_do_not_depend_on_tables_or_order(rules, lineup):
    plan = Plan(rules, ("greedy", "random", "tsumogiri"), (lineup,), 6, seed=4)
    wide = run_match(plan)
    narrow = run_match(plan, options=Options(tables=3))
    assert wide.same_games(narrow)
    player = Player(plan, Options())
    backwards = join_results(player.play(list(range(len(plan)))[::-1]), len(lineup))
    assert backwards.sorted().same_games(wide)
    assert (wide.game == np.arange(len(plan))).all()
    assert (wide.points.sum(1).round(6) == 0).all()
    assert not any(wide.faults)


def test_workers_give_the_same_games():
    plan = Plan(EAST, ("greedy", "random"), ((0, 1, 1, 1),), 10, seed=6)
    assert run_match(plan, workers=2).same_games(run_match(plan))


@pytest.mark.parametrize(("rules", "seats"), [(EAST, 4), ("guobiao/botzone", 4)])
def test_a_table_of_bots_plays_agents_as_lockstep_does(rules, seats):
    plan = Plan(rules, ("greedy", "random"), ((0,) + (1,) * (seats - 1),), 2, seed=8)
    lockstep = run_match(plan, options=Options(keep_actions=True))
    with BotTable(plan, make_game(rules), keep_actions=True) as table:
        games = join_results((table.play(plan.game(number)) for number in range(len(plan))), seats)
    assert games.same_games(lockstep)
    assert games.actions == lockstep.actions
    assert games.same_games(run_match(plan)), "whole hands played by kernels are the same"


def test_counters_agree_with_the_results_of_every_hand():
    plan = Plan(EAST, ("greedy", "careful"), ((0, 1, 0, 1),), 3, seed=9)
    results = run_match(plan, options=Options(keep_actions=True))
    for row in range(len(results)):
        counted = _count_slowly(plan, results, row)
        assert dict(zip(COUNTERS, results.counters[row].T.tolist())) == counted


def _count_slowly(plan, results, row):
    """All counters of a game from the results of its table, hand by hand."""
    table = Table(int(results.seed[row]), make_game(plan.rules).rules)
    actions = iter(unpack_actions(results.actions[row]))
    counted = {name: [0] * 4 for name in COUNTERS}
    while not table.over:
        table.step({player: next(actions) for player in table.asked} or None)
        if not table.hand_over:
            continue
        result = table.result
        for seat in range(4):
            counted["hands"][seat] += 1
            counted["riichis"][seat] += table.in_riichi(seat)
            counted["calls"][seat] += any(meld.is_open for meld in table.melds(seat))
            counted["draws"][seat] += result.kind in ("exhaustive draw", "nagashi mangan")
            counted["tenpais"][seat] += seat in result.tenpai
        for win in result.wins:
            counted["wins"][win.player] += 1
            counted["self_draws"][win.player] += win.loser is None
            counted["win_points"][win.player] += result.changes[win.player]
            counted["win_fan"][win.player] += int(table.state["win_han"][win.player])
        if result.wins and result.wins[0].loser is not None:
            counted["deal_ins"][result.wins[0].loser] += 1
            counted["deal_in_points"][result.wins[0].loser] -= result.changes[result.wins[0].loser]
    assert table.scores == results.scores[row].tolist()
    return counted


def test_tied_points_share_their_ranks():
    ranks = rank_points(np.array([[3.0, 1.0, 1.0], [0.0, 0.0, 0.0], [1.0, 2.0, 3.0]]))
    assert ranks.tolist() == [[1, 2.5, 2.5], [2, 2, 2], [3, 2, 1]]


# --- the store


def test_a_match_is_kept_and_goes_on(tmp_path):
    plan = Plan(EAST, ("greedy", "random"), ((0, 1, 1, 1),), 3, seed=1)
    first = run_match(plan, tmp_path / "m")
    again = run_match(plan, tmp_path / "m")
    assert again.same_games(first)
    more = Plan(EAST, ("greedy", "random"), ((0, 1, 1, 1),), 5, seed=1)
    grown = run_match(more, tmp_path / "m")
    assert len(grown) == 20
    assert grown.select(grown.wall < 3).same_games(first)
    assert grown.same_games(run_match(more))
    import duckdb

    ((count,),) = duckdb.sql(f"select count(distinct game) from '{tmp_path}/m/games/*.parquet'").fetchall()
    assert count == 20


def test_another_match_is_refused_and_nothing_is_lost(tmp_path):
    plan = Plan("simplified/paper", ("greedy", "random"), ((0, 1, 1),), 2, seed=1)
    run_match(plan, tmp_path / "m")
    with pytest.raises(StoreError, match=r"another match \(seed 1 there, 2 now\)"):
        run_match(Plan("simplified/paper", ("greedy", "random"), ((0, 1, 1),), 2, seed=2), tmp_path / "m")
    header = json.loads((tmp_path / "m" / "match.json").read_text())
    header["versions"]["greedy"] = "of old"
    (tmp_path / "m" / "match.json").write_text(json.dumps(header))
    with pytest.raises(StoreError, match="greedy was version of old"):
        run_match(plan, tmp_path / "m")
    assert len(MatchStore(tmp_path / "m").read()) == 6
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").write_text("mine")
    with pytest.raises(StoreError, match="not empty"):
        run_match(plan, tmp_path / "other")
    with pytest.raises(StoreError, match="there is no match here"):
        MatchStore(tmp_path)


def test_a_second_writer_is_refused(tmp_path):
    plan = Plan("simplified/paper", ("random",), ((0, 0, 0),), 2)
    store = MatchStore.create(tmp_path / "m", plan, {})
    with store.writing(), pytest.raises(StoreError, match="being played by another process"):
        run_match(plan, tmp_path / "m")
    assert len(run_match(plan, tmp_path / "m")) == len(plan)


def test_stores_import_where_there_is_no_fcntl():
    code = "import sys; sys.modules['fcntl'] = None; import janshi.arena.store, janshi.records.importer"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_games_that_are_there_twice_count_once_and_parts_are_joined(tmp_path):
    plan = Plan("simplified/paper", ("greedy", "random"), ((0, 1, 1),), 30, seed=1)
    results = run_match(plan)
    store = MatchStore.create(tmp_path / "m", plan, {})
    with store.writing():
        for start in range(0, 90, 1):
            store.append(results.select(np.arange(start, min(start + 2, 90))))
    assert len(store.parts()) == 1
    assert store.read().same_games(results)
    assert (store.done() == np.arange(90)).all()


@pytest.mark.parametrize("form", ["mjai", "tenhou6", "mjlog"])
def test_any_game_can_be_shown_and_replays_without_a_difference(tmp_path, form):
    plan = Plan(EAST, ("greedy", "careful"), ((0, 1, 1, 1),), 1, seed=3)
    results = run_match(plan, tmp_path / "m")
    record = read_record(game_text(MatchStore(tmp_path / "m"), 2, form))
    assert replay_game(record) == []
    assert list(record.final_scores) == results.scores[2].tolist()


@pytest.mark.parametrize(("rules", "lineup"), [("guobiao/match", (0, 1, 1, 1)), ("simplified/paper", (0, 1, 1))])
def test_games_of_other_rules_can_be_shown(tmp_path, rules, lineup):
    plan = Plan(rules, ("greedy", "random"), (lineup,), 1, seed=3)
    run_match(plan, tmp_path / "m", options=Options(keep_actions=True))
    text = game_text(MatchStore(tmp_path / "m"), 1)
    assert text.count("\n") > 10
    with pytest.raises(StoreError, match="not 'mjlog'"):
        game_text(MatchStore(tmp_path / "m"), 1, "mjlog")


# --- faults of agents, and stopping


class Faulty(Agent):
    """Raises at some decisions and answers others illegally."""

    name, version, families = "faulty", "1", ("riichi",)

    def act(self, asked):
        if (asked.views["left"] == 40).any():
            raise RuntimeError("cannot count to forty")
        return np.where(asked.views["left"] == 50, 118, make_agent("tsumogiri", self.game).act(asked))


@pytest.fixture
def _faulty():
    AGENTS["faulty"] = Entry(f"{__name__}:Faulty", ("riichi",), "fails")
    yield
    del AGENTS["faulty"]


@pytest.mark.usefixtures("_faulty")
def test_an_agent_that_fails_is_replaced_for_the_decision_and_the_match_goes_on():
    plan = Plan(EAST, ("faulty", "tsumogiri"), ((0, 1, 1, 1),), 2, seed=3)
    results = run_match(plan)
    assert results.same_games(run_match(plan, options=Options(tables=1)))
    rows = [row for rows in results.faults for row in rows]
    assert {row["kind"] for row in rows} == {"crash", "illegal"}
    assert any("cannot count to forty" in row["message"] for row in rows)
    assert all(results.seats[g, row["seat"]] == 0 for g, rows in enumerate(results.faults) for row in rows)
    assert set(summarise(results, plan).lines[0].faults) == {"crash", "illegal"}
    same = run_match(Plan(EAST, ("tsumogiri",), ((0, 0, 0, 0),), 2, seed=3))
    assert (results.scores[::4] == same.scores).all(), "the substitute plays as tsumogiri does"


def test_a_sequential_test_stops_at_the_same_wall_on_any_process(tmp_path):
    plan = Plan("simplified/paper", ("greedy", "random"), ((0, 1, 1),), 200, seed=1)
    stop = stop_by_rank(plan, 0, 2.0, 1.5)
    serial = run_match(plan, tmp_path / "m", stop=stop)
    assert 0 < len(serial) < len(plan)
    assert len(serial) % (3 * 16) == 0
    assert run_match(plan, workers=2, stop=stop).same_games(serial)
    assert MatchStore(tmp_path / "m").read().same_games(serial)
    assert run_match(plan, tmp_path / "m", stop=stop).same_games(serial)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"contestants": ("nobody", "random")}, "no player is called 'nobody'"),
        ({"lineups": ((0, 1),)}, "has 3 players, not 2"),
        ({"contestants": ("mjai:true", "random")}, "mjai bots play riichi, not simplified"),
        ({"contestants": ("greedy:speed=9", "random")}, "unknown option"),
    ],
)
def test_a_match_that_cannot_be_played_is_refused(change, told):
    good = {"rules": "simplified/paper", "contestants": ("greedy", "random"), "lineups": ((0, 1, 1),), "walls": 1}
    with pytest.raises(ValueError, match=told):
        run_match(Plan(**{**good, **change}))


def test_a_summary_counts_what_is_there():
    plan = Plan("simplified/paper", ("greedy", "random", "greedy"), ((0, 1, 1), (2, 2, 2)), 30, 1, "independent", 1)
    results = run_match(plan)
    summary = summarise(results, plan)
    assert [line.label for line in summary.lines] == ["greedy", "random"]
    mine = results.select(results.lineup == 0)
    held = mine.seats == 0
    line = summary.lines[0]
    assert line.games == 30
    assert line.points.value == pytest.approx(mine.points[held].mean())
    assert line.rank.value == pytest.approx(mine.ranks[held].mean())
    assert line.rates["win"].value == pytest.approx(mine.counters[held][:, WINS].mean())
    assert sum(place.value for place in line.places) == pytest.approx(1)
    assert summary.controlled[0].plain.value == pytest.approx(line.points.value)
    assert len(Lockstep(make_game(plan.rules), [], []).states) == 0


def test_workers_that_keep_dying_end_the_match_with_a_clear_error(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "deadly.py").write_text(
        "import os\nfrom janshi.agents.base import Agent\n"
        "class Deadly(Agent):\n    name, version, families = 'deadly', '1', ('simplified',)\n"
        "    def act(self, asked):\n        os._exit(7)\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(WorkerError, match=r"3 workers died on games .*exit code 7"):
        run_match(Plan("simplified/paper", ("deadly.Deadly", "random"), ((0, 1, 1),), 1, seating="fixed"), workers=2)


def test_ones_own_agent_plays_by_module_and_class():
    plan = Plan("riichi/tenhou_east", (f"{__name__}.Faulty", "tsumogiri"), ((0, 1, 1, 1),), 1, seed=3)
    assert any(run_match(plan).faults)
    with pytest.raises(ValueError, match="cannot be loaded"):
        run_match(Plan("riichi/tenhou_east", (f"{__name__}.Missing",), ((0, 0, 0, 0),), 1))
    with pytest.raises(ValueError, match="is not an agent"):
        run_match(Plan("riichi/tenhou_east", ("json.JSONDecoder",), ((0, 0, 0, 0),), 1))
