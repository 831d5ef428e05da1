"""Losses are expected rank or points and nothing else; kinds, plans and error rates follow from them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from reviewing import ranked_game, sample

from janshi.agents.loss import CLOSE, HAND_POINTS, action_values
from janshi.agents.registry import make_agent
from janshi.records.formats import read_file
from janshi.records.replay import Replay, rules_of
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.game import RiichiGame
from janshi.web.choices import twin_key
from janshi.web.review import work
from janshi.web.review.judgement import Weighed, gap_of, note_losses, weigh_all
from janshi.web.review.kinds import kind_of, tag_of
from janshi.web.review.plans import Row, group, rates

QUICK = "mdp:seconds=0.01"


@pytest.fixture(scope="module")
def reviewed(shared: Path) -> list[dict[str, Any]]:
    """Decisions of seat 1 in the sample, as the quick player sees them."""
    recorded = work.read(sample(shared, "tenhou6"), "tenhou6", "sample")
    return list(work.think(recorded, QUICK, [1]))


def asked_directly(shared: Path) -> list[tuple[int, Any]]:
    """What was played and what the agent says, asked without any of the app."""
    record = read_file(ranked_game(shared))
    game = RiichiGame(rules_of(record))
    agent, found = make_agent(QUICK, game), []
    for hand in record.hands:
        for table, answers in Replay(hand, rules_of(record)):
            if 1 in answers and len(table.legal_actions(1)) > 1:
                views = np.zeros(1, game.view_dtype)
                views[0] = table.view(1)
                (told,) = agent.explain(views)  # type: ignore[attr-defined]
                found.append((answers[1], told))
    return found


def test_losses_are_those_of_the_agent_asked_directly(shared: Path, reviewed: list[dict[str, Any]]):
    direct = asked_directly(shared)
    passed_over = len(direct) - len(reviewed)
    assert 0 <= passed_over <= 3  # passes before another's call are not judged
    told = iter(direct)
    compared = 0
    for decision in reviewed:
        played, explanation = next(told)
        values = action_values(explanation)
        while (played, values.recommended(explanation.best.action)) != (decision["played"], decision["best"]):
            played, explanation = next(told)
            values = action_values(explanation)
        if played in values.values:
            highest = max(values.values.values())
            assert decision["loss"] == pytest.approx(highest - values.values[played], abs=2e-4)
            compared += 1
        for choice in decision["choices"]:
            if choice["action"] in values.values:
                assert choice["value"] == pytest.approx(values.values[choice["action"]], abs=1e-4)
                assert choice["experts"] == pytest.approx(values.experts[choice["action"]], abs=1e-4)
    assert compared >= 0.8 * len(reviewed)


def test_losses_are_differences_of_the_rank_column(reviewed: list[dict[str, Any]]):
    seen = 0
    for decision in reviewed:
        ranks = {c["action"]: c["numbers"]["rank"] for c in decision["choices"] if "rank" in c["numbers"]}
        if any(c["kind"] in ("tsumo", "ron", "chi", "pon") for c in decision["choices"]):
            continue  # nothing is valued above a win; calls that only experts recommend are worth a pass
        for choice in decision["choices"]:
            if choice["loss"] is not None:
                lost = ranks[choice["action"]] - min(ranks.values())
                assert choice["loss"] == pytest.approx(lost, abs=3e-4)
                seen += 1
    assert seen > 300


def test_the_losses_of_a_game_are_in_a_plausible_range(reviewed: list[dict[str, Any]]):
    losses = [decision["loss"] for decision in reviewed if decision["loss"] is not None]
    assert 0 < sum(losses) < 1.5
    assert all(0 <= loss <= 3 for loss in losses)


def test_experts_are_a_probability_apart_from_the_loss(reviewed: list[dict[str, Any]]):
    for decision in reviewed:
        apart = {twin_key(c): c["experts"] for c in decision["choices"] if c["experts"] is not None}
        assert sum(apart.values()) == pytest.approx(1, abs=2e-3)
    agreed = np.mean([d["choices"][0]["experts"] or 0 for d in reviewed if d["agreed"]])
    differed = np.mean([d["choices"][0]["experts"] or 0 for d in reviewed if not d["agreed"]])
    assert agreed > differed  # what experts choose more often was played more often


def test_every_legal_choice_is_there_once_and_the_best_comes_first(reviewed: list[dict[str, Any]]):
    assert len(reviewed) > 40
    for decision in reviewed:
        actions = [choice["action"] for choice in decision["choices"]]
        assert len(set(actions)) == len(actions) > 1
        assert decision["played"] in actions
        assert decision["choices"][0]["action"] == decision["best"]
        assert decision["choices"][0]["loss"] <= CLOSE["rank"]
        losses = [choice["loss"] for choice in decision["choices"] if choice["loss"] is not None]
        assert losses[1:] == sorted(losses[1:])
        assert min(losses) == 0
        if decision["agreed"]:
            assert decision["loss"] <= CLOSE["rank"]
            assert (decision["gap"], decision["tag"]) == (0, "")
        assert decision["position"]["seats"][1]["hand"]


def test_a_call_that_the_agent_did_not_consider_is_valued_by_what_follows(shared: Path, reviewed: list[dict[str, Any]]):
    calls = [d for d in reviewed if act.CHI <= d["played"] < act.OPEN_KAN]
    assert calls
    assert all(d["loss"] is not None for d in calls)


def test_opponents_are_shown(reviewed: list[dict[str, Any]]):
    for decision in reviewed:
        seen = decision["opponents"]
        assert len(seen["tenpai"]) == 3
        assert [len(row) for row in seen["danger"]] == [34, 34, 34]
        assert all(0 <= chance <= 1 for row in seen["danger"] for chance in row)
    riichi = [d for d in reviewed if any(s["riichi"] for i, s in enumerate(d["position"]["seats"]) if i != 1)]
    assert all(d["threat"] for d in riichi)


def test_choices_the_agent_does_not_tell_apart_share_their_value():
    choices = [
        {"action": 4, "kind": "discard", "tile": "5m", "tiles": ["5m"]},
        {"action": 34, "kind": "discard", "tile": "0m", "tiles": ["0m"]},
        {"action": 37, "kind": "tsumogiri", "tile": "5m", "tiles": ["5m"]},
        {"action": 9, "kind": "discard", "tile": "1p", "tiles": ["1p"]},
        {"action": 38, "kind": "riichi", "tile": None, "tiles": []},
    ]
    found = {4: Weighed(-2.5, 0.3), 9: Weighed(-2.4, 0.7)}
    told = note_losses(weigh_all(choices, found), 9, "rank")
    losses = {choice["action"]: choice["loss"] for choice in told}
    assert losses == {9: 0.0, 4: pytest.approx(0.1), 34: pytest.approx(0.1), 37: pytest.approx(0.1), 38: None}
    assert told[0]["action"] == 9
    assert told[-1]["action"] == 38


@pytest.mark.parametrize(
    ("own", "best"),
    [
        (-2.404, 9),
        (-2.41, 10),
    ],  # too small a difference: what the agent would do; a clear one: the better choice
)
def test_the_agents_own_choice_is_advised_unless_another_is_clearly_better(own: float, best: int):
    choices = [{"action": a, "kind": "discard", "tile": f"{a - 8}p"} for a in (9, 10)]
    told = note_losses(weigh_all(choices, {9: Weighed(own), 10: Weighed(-2.4)}), 9, "rank")
    assert told[0]["action"] == best
    assert {choice["action"]: choice["loss"] for choice in told} == {9: pytest.approx(-2.4 - own), 10: 0.0}


def test_a_reviewer_without_values_knows_no_loss():
    choices = [{"action": a, "kind": "discard", "tile": f"{a - 8}p"} for a in (9, 10)]
    told = note_losses(weigh_all(choices, {9: Weighed(None, 0.8), 10: Weighed(None, 0.2)}), 9, "")
    assert [choice["loss"] for choice in told] == [None, None]
    assert gap_of(told[1], told[0]) == pytest.approx(0.6)


# --- kinds


def choice(kind: str, tile: str | None = None, action: int = 0) -> dict[str, Any]:
    return {"kind": kind, "tile": tile, "action": action}


SAFE = {"1z": 0.0, "9p": 0.003, "5m": 0.08, "6s": 0.12}


@pytest.mark.parametrize(
    ("played", "best", "reacting", "safety", "kind", "tag"),
    [
        (choice("discard", "5m", 4), choice("discard", "1z", 27), False, {}, "discard", "keep 1z"),
        (choice("discard", "5m", 4), choice("discard", "1z", 27), False, SAFE, "fold", "push"),
        (choice("discard", "9p", 17), choice("discard", "6s", 23), False, SAFE, "fold", "fold"),
        (choice("discard", "9p", 17), choice("discard", "1z", 27), False, SAFE, "fold", ""),
        (choice("discard", "5m", 4), choice("discard", "6s", 23), False, SAFE, "discard", "keep 6s"),
        (choice("discard", "5m", 4), choice("tsumogiri", "0s", 37), False, {}, "discard", "keep 5s"),
        (choice("discard", "5m", 4), choice("riichi", None, 38), False, {}, "riichi", "silent"),
        (choice("riichi", None, 38), choice("discard", "5m", 4), False, {}, "riichi", "rash"),
        (choice("pass", None, 119), choice("pon", "5z", 45), True, {}, "call", "pass"),
        (choice("chi", "5m", 39), choice("pass", None, 119), True, {}, "call", "call"),
        (choice("chi", "5m", 39), choice("chi", "5m", 41), True, {}, "call", ""),
        (choice("pass", None, 119), choice("ron", "5m", 117), True, {}, "win", "leave"),
        (choice("discard", "5m", 4), choice("discard", "5m", 4), False, {}, "discard", ""),
    ],
)
def test_kinds_and_tags(played: Any, best: Any, reacting: bool, safety: Any, kind: str, tag: str):
    assert kind_of(played, best, reacting, False, safety) == kind
    assert tag_of(kind, played, best, safety) == tag


def test_equally_safe_tiles_make_no_fold():
    calm = dict.fromkeys(("1z", "9p", "5m"), 0.01)
    assert kind_of(choice("discard", "1z"), choice("discard", "9p", 17), False, False, calm) == "discard"


# --- plans and rates


def row(number: int, tag: str, loss: float | None, hand: int = 0, reaction: bool = False, seat: int = 0) -> Row:
    return Row(number, hand, seat, number, "call" if reaction else "discard", reaction, tag, loss, loss == 0, "a", "b")


def test_one_plan_counts_once():
    rows = [
        row(0, "keep 1z", 0.03),
        row(1, "", 0.0, reaction=True),  # a pass in between is no end of it
        row(2, "keep 1z", 0.05),
        row(3, "keep 9m", 0.02),  # another tile is another plan
        row(4, "", 0.0),
        row(5, "keep 9m", 0.01),  # the same tile again, but the agent agreed in between
        row(6, "keep 9m", 0.04, hand=1),
        row(7, "keep 9m", 0.04, hand=1, seat=2),
        row(8, "", 0.07, hand=1),
        row(9, "", 0.07, hand=1),  # without a tag nothing is kept
        row(10, "pass", None, hand=1, reaction=True),
    ]
    plans = group(rows)
    assert [plan.numbers for plan in plans] == [[0, 2], [3], [5], [6], [7], [8], [9], [10]]
    assert plans[0].cost == pytest.approx(0.08)
    assert (plans[0].worst, plans[0].worst_loss) == (2, 0.05)
    assert plans[-1].cost is None


def test_the_error_rate_is_the_mean_loss_of_valued_decisions():
    rows = [row(0, "keep 1z", 0.03), row(1, "", 0.0), row(2, "pass", None, reaction=True), row(3, "", 0.0, seat=3)]
    found = rates(rows)
    assert found["0"]["all"]["rate"] == pytest.approx(0.015)
    assert (found["0"]["all"]["decisions"], found["0"]["all"]["valued"]) == (3, 2)
    assert found["0"]["call"]["rate"] is None
    assert found["3"]["all"]["agreed"] == 1


def test_guobiao_is_reviewed_by_points(shared: Path):
    recorded = work.read(sample(shared, "botzone"), "botzone", "sample")
    decisions = list(work.think(recorded, "rvr", [0, 1, 2, 3]))
    assert len(decisions) == sum(work.head_of(recorded)["hands"][0]["decisions"])
    for decision in decisions:
        assert sum(choice["experts"] for choice in decision["choices"]) == pytest.approx(1, abs=0.01)
        assert all(choice["loss"] >= 0 for choice in decision["choices"])
        assert min(choice["loss"] for choice in decision["choices"]) == 0
        assert decision["choices"][0]["loss"] <= CLOSE[HAND_POINTS]
        assert len(decision["opponents"]["tenpai"]) == len(decision["opponents"]["danger"]) == 3
        assert sum(decision["outlook"].values()) == pytest.approx(1, abs=0.01)
        assert decision["kind"] in ("discard", "call", "fold", "win")
        for choice in decision["choices"]:
            assert 0 <= choice["numbers"]["win"] <= 1
            assert 0 <= choice["numbers"]["lose"] <= 1


def test_reviewers_of_discards_only_say_nothing_of_the_rest(shared: Path):
    recorded = work.read(sample(shared, "tenhou6"), "tenhou6", "sample")
    for label, told in (("careful", "loss"), ("one_player", "gap")):
        decisions = list(work.think(recorded, label, [0]))
        assert all(d[told] is None for d in decisions if d["reaction"])
        assert any(d[told] for d in decisions)
        assert told == "loss" or all(d["loss"] is None for d in decisions)


def test_monte_carlo_reviews_too(shared: Path):
    recorded = work.read(sample(shared, "tenhou6"), "tenhou6", "sample")
    some = work.think(recorded, "montecarlo:seconds=0.01", [2])
    decisions = [next(some) for _ in range(12)]
    assert all("rank" in decision["choices"][0]["numbers"] for decision in decisions)
    later = work.think(recorded, "montecarlo:seconds=0.01", [2], skip=10)
    assert next(later) == decisions[10]
