"""The ladder's figures: read from the package, and measured from a match."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from janshi.agents.registry import AGENTS
from janshi.arena.ladder import ANCHOR, LEVELS, OTHERS, figures, ladder, rung
from janshi.arena.ladder.match import ladder_plan, measure
from janshi.arena.match import run_match
from janshi.arena.plan import Plan
from janshi.arena.ratings import ELO, fit_strengths, plackett_luce
from janshi.arena.tournament import round_robin


def test_every_player_of_the_ladder_is_an_agent_with_figures():
    names = [one.name for one in ladder()]
    assert sorted(names) == sorted((*LEVELS, *OTHERS))
    assert set(names) <= set(AGENTS)
    ratings = [one.rating.value for one in ladder()]
    assert ratings == sorted(ratings)
    for one in ladder():
        assert one.rating.low <= one.rating.value <= one.rating.high
        assert one.games > 0
        assert set(one.style) == {"win", "deal-in", "riichi", "call"}


def test_the_anchor_is_exact_and_the_levels_rise():
    anchor = rung(ANCHOR)
    assert anchor is not None
    assert (anchor.rating.low, anchor.rating.value, anchor.rating.high) == (1000, 1000, 1000)
    found = [one for one in map(rung, LEVELS) if one is not None]
    assert len(found) == len(LEVELS)
    for lower, upper in combinations(found, 2):
        assert lower.rating.low < upper.rating.high
    assert found[0].rating.high < found[-1].rating.low
    assert rung("nobody") is None


def test_every_level_meets_the_same_opponents():
    plan = ladder_plan(1)
    assert plan.contestants == (*LEVELS, *OTHERS)
    named = [{plan.contestants[who] for who in lineup} for lineup in plan.lineups]
    assert named[: len(LEVELS)] == [{level, *OTHERS} for level in LEVELS]
    assert named[len(LEVELS) :] == [set(LEVELS[1:])]
    assert ladder_plan(1, "onnx").contestants[0] == "newcomer:engine=onnx"


def test_figures_are_those_of_the_games():
    plan = round_robin("riichi/tenhou_east", ("greedy", "careful", "random", "tsumogiri"), walls=12, seed=3)
    results = run_match(plan)
    rows = {row["name"]: row for row in measure(results, plan, dict.fromkeys(plan.contestants, "1"))}
    assert rows["greedy"]["rating"] == {"value": 1000.0, "low": 1000.0, "high": 1000.0}
    assert rows["careful"]["rating"]["value"] > rows["random"]["rating"]["value"] + 100
    assert rows["careful"]["games"] == len(results) == 48
    assert rows["tsumogiri"]["style"]["win"]["value"] == 0


def test_a_difference_of_strengths_has_its_own_interval():
    dice = np.random.default_rng(5)
    scores = dice.gumbel(size=(900, 4)) + np.array([0.0, 0.3, 0.6, -0.2])
    ranks = 1 + (-scores).argsort(1).argsort(1)
    strengths = fit_strengths(ranks)
    against = strengths.against(0)
    assert (against[0].value, against[0].low, against[0].high) == (0, 0, 0)
    assert against[2].low < 0.6 < against[2].high
    plain = plackett_luce(ranks)
    assert against[1].value == pytest.approx(plain[1].value - plain[0].value)
    assert strengths.covariance[1, 1] + strengths.covariance[0, 0] - 2 * strengths.covariance[0, 1] == pytest.approx(
        against[1].error ** 2
    )
    assert pytest.approx(173.72, abs=0.01) == ELO


def test_the_file_says_how_it_was_made():
    about = figures()
    assert about["rules"] == "riichi/tenhou_east"
    assert about["games"] >= about["walls"] * 24 > 0
    assert "scripts/measure_ladder.py" in about["stamp"]


def test_too_few_games_are_an_error():
    plan = Plan("riichi/tenhou_east", ("greedy", "random"), ((0, 1, 1, 1),), 1, 1)
    with pytest.raises(ValueError, match="wall"):
        measure(run_match(plan), plan, {"greedy": "1", "random": "1"})
