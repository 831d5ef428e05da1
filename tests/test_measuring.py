"""The scripts that measure: their tables are read as they were written, and cases are matches that can be played."""

from __future__ import annotations

import pytest

from janshi.agents.registry import AGENTS, agent_names
from janshi.arena.match import check_plan
from janshi.arena.stats import Estimate
from script_modules import load_script

agents, duplicate = load_script("measure_agents"), load_script("measure_duplicate")


def row(agent: str, games: str) -> list[str]:
    return ["riichi/tenhou_east", f"`{agent}`", "`greedy`", games, "2.400 ± 0.030", *["1"] * 5]


def test_rows_measured_again_replace_the_old_ones_and_the_others_stay():
    table = agents.table(agents.HEAD, [row("careful", "10"), row("gone", "10"), row("random", "10")])
    old = agents.read_rows(f"- Machine: x\n\n{table}\n")
    assert next(iter(old.values())) == row("careful", "10")
    order = [tuple(row(name, "")[:3]) for name in ("random", "careful")]
    assert agents.merge(old, [row("careful", "20")], order) == [row("random", "10"), row("careful", "20")]


def test_every_agent_is_measured_in_every_game_it_plays():
    cases = agents.all_cases()
    assert {(case.family, case.agent) for case in cases if case.agent in AGENTS} == {
        (family, name) for family in agents.RULES for name in agent_names(family)
    }
    assert all(case.agent != case.opponent for case in cases)
    assert len({case.key for case in cases}) == len(cases)


def test_the_page_has_one_place_for_each_table():
    for script in (agents, duplicate):
        text = script.PAGE.read_text(encoding="utf-8")
        assert text.count(script.BEGIN) == text.count(script.END) == 1


@pytest.mark.parametrize("case", duplicate.CASES, ids=lambda case: f"{case.lineup}-{case.seating}")
def test_matches_of_the_duplicate_table_can_be_played(case):
    check_plan(case.plan(2))
    assert case.each == {"independent": 1, "rotations": 4}.get(case.seating, {2: 6, 4: 24}[len(set(case.lineup))])


def test_figures_read_as_people_write_them():
    estimate = Estimate(2.4321, 2.40, 2.46, 0.01, 0.95, 10, 40)
    assert agents.interval(estimate, 3, "") == "2.432 ± 0.030"
    assert agents.interval(None, 3, "") == "–"
    assert agents.told_time(0.0123) == "12.3 µs"
    assert agents.told_time(118.0) == "118 ms"
    assert duplicate.bounds(Estimate(float("nan"), 0, 0, 0, 0.95, 10, 40)) == "–"
