"""A hint lists every legal choice, also those that the agent did not weigh."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.agents.explain import Explains
from janshi.agents.registry import make_agent
from janshi.rules.riichi.table import Table
from janshi.web.choices import choices
from janshi.web.thought import thought

SEEDS = 300


def offered_pon_and_kan() -> tuple[Table, int]:
    """A table at which somebody may call pon or kan, or pass."""
    for seed in range(SEEDS):
        table = Table(seed=seed, one_hand=True)
        while not table.over:
            for seat in table.asked:
                if {"pon", "kan", "pass"} <= {choice["kind"] for choice in choices(table, seat)}:
                    return table, seat
            table.step({seat: table.legal_actions(seat)[-1] for seat in table.asked})
    raise AssertionError(f"no such offer in {SEEDS} hands")


@pytest.mark.parametrize("label", ["careful", "mdp:hands=1000"])
def test_a_hint_about_a_kan_lists_the_pon_too(label: str) -> None:
    table, seat = offered_pon_and_kan()
    agent = make_agent(label, table.game)
    assert isinstance(agent, Explains)
    views = np.zeros(1, table.game.view_dtype)
    views[0] = table.view(seat)
    (explanation,) = agent.explain(views)
    found = thought(table.game, views[0], label, explanation)
    assert {choice["kind"] for choice in found["choices"]} == {choice["kind"] for choice in choices(table, seat)}
    assert all(choice["loss"] is None or choice["loss"] >= 0 for choice in found["choices"])


def test_dangers_are_those_of_tiles_not_of_the_hand() -> None:
    """The chance that a discard deals in now, not that the player deals in at some time in this hand."""
    table = Table(seed=1, one_hand=True)
    for _ in range(40):
        table.step({seat: table.legal_actions(seat)[-1] for seat in table.asked})
    while table.actor not in table.asked:
        table.step({seat: table.legal_actions(seat)[-1] for seat in table.asked})
    agent = make_agent("apprentice", table.game)
    assert isinstance(agent, Explains)
    views = np.zeros(1, table.game.view_dtype)
    views[0] = table.view(table.actor)
    (explanation,) = agent.explain(views)
    found = thought(table.game, views[0], "apprentice", explanation)
    discards = [choice for choice in found["choices"] if choice["kind"] == "discard"]
    assert found["danger"] is not None
    assert {choice["tile"] for choice in discards} <= set(found["danger"])
    for choice in discards:
        assert found["danger"][choice["tile"] or ""] == pytest.approx(choice["numbers"]["danger"], abs=1e-5)
