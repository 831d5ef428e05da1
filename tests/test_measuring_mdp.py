"""The script that measures the MDP player: its matches, what it makes of their games, and games played elsewhere."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from janshi.arena.match import run_match
from janshi.arena.stats import Estimate
from janshi.arena.store import MatchStore, StoreError
from script_modules import load_script


@pytest.fixture(scope="module")
def script():
    return load_script("measure_mdp")


@pytest.fixture(scope="module")
def matches_module(script):
    return sys.modules["_matches"]


def options(script: Any, out: Path, **more: Any) -> Any:
    """What the command line would give, for quick agents in place of slow ones."""
    known = {
        "out": out,
        "games": 24,
        "seed": 5,
        "workers": 1,
        "quick": True,
        "matches": script.all_matches("greedy", "careful"),
        "only": None,
        "merge": [],
        "no_play": False,
        "minutes": float("inf"),
    }
    return SimpleNamespace(**{**known, **more})


def one(script: Any, name: str) -> Any:
    return next(match for match in script.all_matches("greedy", "careful") if match.name == name)


def test_matches_are_those_of_the_paper_and_more(script):
    found = script.all_matches()
    assert [match.name for match in found] == [
        "greedy",
        "careful",
        "one_player",
        "montecarlo",
        "copies",
        "table-greedy",
        "table-careful",
        "hands-12500",
        "hands-50000",
        "hands-250000",
    ]
    for match in found:
        plan = match.plan(1000, 1)
        each = {script.TABLE: 12, script.COPIES: 1}.get(match.lineup, 4)
        assert len(plan.tables) == each, "every seat in turn, or every seating of three different players"
        assert 1000 <= len(plan) < 1000 + each
    by_name = {match.name: match for match in found}
    assert by_name["careful"].folder == by_name["hands-50000"].folder, "the same match is played once"
    assert len({match.folder for match in found}) == len(found) - 1


def test_the_page_has_a_place_for_figures(script, matches_module):
    text = script.PAGE.read_text(encoding="utf-8")
    assert text.count(matches_module.FIRST) == text.count(matches_module.LAST) == 1


def test_the_lead_is_what_the_ranks_say(script):
    match = one(script, "table-greedy")
    plan = match.plan(120, 3)
    results = run_match(plan)
    lead = script.lead_of(results, plan)
    ours, theirs = (np.where(results.seats == who, results.ranks, 0).sum(1) for who in (0, 1))
    apart = theirs - ours
    assert lead.games == len(results) == 120
    assert lead.mean == pytest.approx(apart.mean())
    assert lead.deviation == pytest.approx(apart.std(ddof=1))
    walls = np.array([apart[results.wall == wall].mean() for wall in range(10)])
    assert lead.error == pytest.approx(walls.std(ddof=1) / np.sqrt(10))
    assert 0 <= lead.significance <= 1
    assert (lead.significance < 0.5) == (lead.mean > 0), "greedy is the worse player, so this is near 1"
    assert "(paper: 0.0574, 1.822, 0.03 in 3,557 games)" in script.describe_lead(lead, plan)


def test_stopped_matches_count_whole_wall_sets_only(script, tmp_path):
    match, asked = one(script, "careful"), options(script, tmp_path)
    assert script.read(match, asked) is None, "nothing is known of a match that was not begun"
    results = run_match(match.plan(24, 5))
    store = MatchStore.create(tmp_path / match.folder, match.plan(24, 5), {})
    store.append(results.select(results.game != 6))
    found, _ = script.read(match, asked)
    assert sorted(set(found.wall.tolist())) == [0, 2, 3, 4, 5]


def test_games_played_elsewhere_are_taken_over_once(script, tmp_path):
    match = one(script, "careful")
    here, there = options(script, tmp_path / "here"), options(script, tmp_path / "there")
    whole = run_match(match.plan(24, 5))
    for place, games in ((here, range(10)), (there, range(6, 24))):
        store = MatchStore.create(place.out / match.folder, match.plan(24, 5), {})
        store.append(whole.select(np.isin(whole.game, games)))
        script.note_machines(store.path, [place.out.name])
    assert script.merge(match, here, there.out) == 14
    assert script.merge(match, here, there.out) == 0
    assert script.merge(one(script, "greedy"), here, there.out) == 0, "what is not there is passed over"
    assert MatchStore(here.out / match.folder).read().same_games(whole)
    assert script.machines_of(here.out / match.folder) == ["here", "there"]
    with pytest.raises(StoreError, match="holds another match than careful"):
        script.merge(match, options(script, tmp_path / "new", seed=6), there.out)


def test_time_is_kept_and_a_match_goes_on(script, tmp_path):
    match, asked = one(script, "careful"), options(script, tmp_path, games=400)
    assert not script.play(match, asked, end=0.0)
    begun = len(MatchStore(tmp_path / match.folder).done())
    assert begun < 400
    assert script.play(match, asked, end=float("inf"))
    assert len(MatchStore(tmp_path / match.folder).done()) == 400
    assert len(script.machines_of(tmp_path / match.folder)) == 1


def test_the_report_tells_of_every_match_that_was_played(script, tmp_path):
    asked = options(
        script, tmp_path, matches=script.all_matches("greedy", "careful")[:7], only=["copies", "table-greedy"]
    )
    lines = "\n".join(script.measure(asked))
    assert "| four copies | `greedy` | 24 |" in lines
    assert "### The paper's table, with two `greedy`" in lines
    assert "One-tailed significance level" in lines
    assert "against three" not in lines


def test_the_plot_shows_ranks_and_their_intervals(script):
    def rank(value: float) -> Estimate:
        return Estimate(value, value - 0.06, value + 0.06, 0.03, 0.95, 250, 1000)

    text = script.strength_chart([(0.05, rank(2.31)), (0.2, rank(2.27)), (1.0, rank(2.24))])
    root = ElementTree.fromstring(text)
    assert root.tag.endswith("svg")
    markers = [use for use in root.iter("{http://www.w3.org/2000/svg}use") if use.get("y")]
    assert len(markers) >= 3


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["--out", "x", "--only", "greedy"], ["--only", "greedy"]),
        (["--merge", "a", "b", "--no-play"], ["--no-play"]),
        (["--out=x", "--games", "5"], ["--games", "5"]),
    ],
)
def test_places_are_not_shown(matches_module, arguments, shown):
    assert matches_module.shown_arguments(arguments, ("--out", "--merge")) == shown
