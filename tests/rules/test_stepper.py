"""Tables stepped together: who is asked, who has ended, and what may be done otherwise."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.rules.game import Array
from janshi.rules.registry import make_game
from janshi.rules.stepper import Stepper

RULES = ["riichi/tenhou_east", "guobiao", "simplified"]


def started(rules: str, tables: int, threads: int = 1) -> Stepper:
    stepper = Stepper(make_game(rules), tables, threads=threads)
    stepper.start(np.arange(1, tables + 1, dtype=np.uint64))
    return stepper


def some_actions(stepper: Stepper, rng: np.random.Generator) -> Array:
    if len(stepper) == 0:
        return np.zeros(0, np.int64)
    masks = stepper.game.masks_of_views(stepper.views())
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in masks], np.int64)


@pytest.mark.parametrize("rules", RULES)
def test_decisions_are_listed_as_the_states_ask(rules: str) -> None:
    stepper, rng = started(rules, 6), np.random.default_rng(1)
    ended = 0
    for _ in range(120):
        asked = stepper.states["asked"]
        wanted = [(t, p) for t in range(6) for p in range(stepper.game.players) if asked[t] >> p & 1]
        assert list(zip(stepper.tables.tolist(), stepper.players.tolist())) == wanted
        assert len(stepper) == len(wanted)
        assert stepper.first.tolist() == [sum(t < table for t, _ in wanted) for table in range(7)]
        before = asked.copy()
        stepper.step(some_actions(stepper, rng))
        assert (stepper.ended == ((before != 0) & (stepper.states["asked"] == 0))).all()
        ended += int(stepper.ended.sum())
    assert ended > 0


def test_threads_change_nothing() -> None:
    one, three = started("guobiao", 7), started("guobiao", 7, threads=3)
    assert len(three.parts) == 3
    for seed in range(60):
        one.step(some_actions(one, np.random.default_rng(seed)))
        three.step(some_actions(three, np.random.default_rng(seed)))
    assert one.states.tobytes() == three.states.tobytes()
    assert one.tables.tolist() == three.tables.tolist()


def test_threads_get_whole_groups() -> None:
    stepper = Stepper(make_game("simplified"), 12, threads=5, group=4)
    assert stepper.parts == [(0, 4), (4, 8), (8, 12)]


def test_games_begin_at_some_tables_and_leave_the_others() -> None:
    stepper, rng = started("simplified", 5), np.random.default_rng(2)
    for _ in range(4):
        stepper.step(some_actions(stepper, rng))
    before = stepper.states.copy()
    stepper.start(np.array([77, 78], np.uint64), np.array([1, 3]))
    fresh = started("simplified", 1)
    fresh.start(np.array([77], np.uint64))
    assert stepper.states[1].tobytes() == fresh.states[0].tobytes()
    for table in (0, 2, 4):
        assert stepper.states[table].tobytes() == before[table].tobytes()
    assert set(stepper.tables.tolist()) >= {1, 3}


def test_tables_are_taken_away() -> None:
    stepper = started("simplified", 5)
    kept = [stepper.states[table].tobytes() for table in (0, 3)]
    stepper.keep(np.array([0, 3]))
    assert [state.tobytes() for state in stepper.states] == kept
    assert stepper.tables.tolist() == [0, 1]
    stepper.step(some_actions(stepper, np.random.default_rng(3)))
    assert stepper.first.shape == (3,)


def test_states_that_are_being_played_are_stepped_in_place() -> None:
    stepper, rng = started("guobiao", 4), np.random.default_rng(4)
    for _ in range(5):
        stepper.step(some_actions(stepper, rng))
    states = stepper.states.copy()
    twin, actions = Stepper.of(stepper.game, states), some_actions(stepper, rng)
    assert twin.players.tolist() == stepper.players.tolist()
    twin.step(actions)
    stepper.step(actions)
    assert states.tobytes() == stepper.states.tobytes()
