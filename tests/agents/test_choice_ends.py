"""How hands end after each choice, by the apprentice."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.agents.learned.apprentice import ApprenticeAgent
from janshi.agents.learned.ends import ENDS, FEATURES, ChoiceEnds, races_of
from janshi.agents.learned.losses import Position
from janshi.core.tiles import parse_tiles
from janshi.rules.registry import make_game
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.table import Table
from janshi.rules.riichi.view import VIEW_DTYPE


@pytest.fixture(scope="module")
def agent() -> ApprenticeAgent:
    return ApprenticeAgent(make_game("riichi"))


def views_of_a_game() -> np.ndarray:
    """Decisions of one hand of discards, reactions included."""
    table, found = Table(seed=3), []
    while not table.hand_over:
        for seat in table.asked:
            if len(table.legal_actions(seat)) > 1:
                found.append(table.view(seat))
        table.step({seat: table.legal_actions(seat)[-1] for seat in table.asked})
    views = np.zeros(len(found), VIEW_DTYPE)
    for i, view in enumerate(found):
        views[i] = view
    return views[::4]


def test_every_choice_has_chances_that_add_up(agent: ApprenticeAgent):
    for explanation in agent.explain(views_of_a_game()):
        for choice in explanation.choices:
            chances = [choice.numbers[name] for name in ("win", "lose", "draw")]
            assert all(0 <= chance <= 1 for chance in chances)
            assert sum(chances) <= 1 + 1e-9


def test_what_experts_do_on_average_keeps_the_chances_of_the_position(agent: ApprenticeAgent):
    differences = []
    for explanation in agent.explain(views_of_a_game()):
        best = max(explanation.choices, key=lambda choice: choice.experts)
        if best.experts > 0.9:
            differences.append([best.numbers[name] - explanation.ends[name] for name in ("win", "lose", "draw")])
    assert np.abs(differences).max() < 0.05


def test_a_win_is_a_win():
    ends = ChoiceEnds(np.zeros((len(FEATURES), 3)))
    legal = np.zeros((1, act.NUM_ACTIONS), np.bool_)
    legal[0, [act.RON, act.PASS]] = True
    at = Position(
        np.zeros((1, act.NUM_ACTIONS)),
        legal,
        np.array([-1]),
        np.zeros((1, 34)),
        np.zeros((1, 3)),
        np.zeros((1, 4)),
        None,  # type: ignore[arg-type]
    )
    found = ends.chances(at, np.full((1, 20), 0.05), np.zeros((1, 34)))[0]
    assert dict(zip(ENDS, found[act.RON])) == {"win": 1.0, "lose": 0.0, "draw": 0.0, "other": 0.0}
    assert np.isnan(found[0]).all()
    assert np.isnan(found[act.PASS]).all(), "the chances of the position are those of taking the win"


def test_passing_on_a_call_keeps_its_chances():
    legal = np.zeros((1, act.NUM_ACTIONS), np.bool_)
    legal[0, [act.PON, act.PASS]] = True
    nobody = np.zeros((1, 34)), np.zeros((1, 3)), np.zeros((1, 4))
    at = Position(np.zeros((1, act.NUM_ACTIONS)), legal, np.array([-1]), *nobody, None)  # type: ignore[arg-type]
    found = ChoiceEnds(np.zeros((len(FEATURES), 3))).chances(at, np.full((1, 20), 0.05), np.zeros((1, 34)))[0]
    assert found[act.PASS].sum() == pytest.approx(1)


def test_a_discard_that_breaks_a_waiting_hand_is_farther_from_a_win():
    view = np.zeros(1, VIEW_DTYPE)
    for tile in parse_tiles("123m456p789s1122z9m"):
        view["hand"][0, int(tile)] += 1
    view["left"] = 40
    races = races_of(view)[0]
    assert races[int(parse_tiles("9m")[0])] == races.max()
    assert races[int(parse_tiles("5p")[0])] < races.max() - 0.5
    view["hand"][0, int(parse_tiles("9m")[0])] -= 1
    assert not races_of(view).any()  # a reaction discards nothing


def test_danger_raises_the_chance_of_dealing_in(agent: ApprenticeAgent):
    pairs = []
    for explanation in agent.explain(views_of_a_game()):
        known = [choice for choice in explanation.choices if choice.numbers["danger"] == choice.numbers["danger"]]
        if len(known) > 1:
            low, high = (f(known, key=lambda c: c.numbers["danger"]) for f in (min, max))
            pairs.append((high.numbers["danger"] - low.numbers["danger"], high.numbers["lose"] - low.numbers["lose"]))
    more = [change for danger, change in pairs if danger > 0.05]
    assert all(change > 0 for change in more)
