"""Positions before draws: rebuilt from what stands after them, and the same whatever came and however the wall lies."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

from drawn_hands import open_draws, own_turns

from janshi.features.planes import encoder
from janshi.rules.game import Array, Game
from janshi.rules.registry import make_game
from janshi.rules.stepper import Stepper

RULES = ["simplified", "guobiao", "guobiao+plans"]


def undrawn(game: Game, state: Array) -> Array:
    """Places of the tiles that nobody has drawn."""
    if game.players == 3:
        return np.arange(int(state["left"]))
    size = int(state["wall_size"])
    return np.concatenate([player * size + np.arange(int(state["left"][player])) for player in range(4)])


def random_actions(game: Game, tables: Stepper, random: np.random.Generator) -> Array:
    """Legal actions; kongs and calls are taken more often than by chance."""
    masks = game.masks_of_views(tables.views())
    return np.array([random.choice(np.flatnonzero(mask)) for mask in masks], np.int64)


@pytest.mark.parametrize("name", RULES)
def test_the_tiles_that_may_come_are_those_of_the_wall(name: str) -> None:
    game, planes, random = make_game(name.partition("+")[0]), encoder(name), np.random.default_rng(1)
    tables = Stepper(game, 24)
    tables.start(np.arange(24, dtype=np.uint64))
    checked = 0
    while len(tables):
        drawn = open_draws(game, planes, tables)
        for table, tile, counts in zip(drawn.table, drawn.tile, drawn.counts):
            state = tables.states[table]
            wall = np.bincount(state["wall"][undrawn(game, state)], minlength=len(counts)).astype(float)
            wall[tile] += 1
            assert (counts == wall).all()
            assert state["drawn"] == tile
            checked += 1
        tables.step(random_actions(game, tables, random))
    assert checked > 200


@pytest.mark.parametrize("name", RULES)
def test_they_depend_on_neither_the_tile_nor_the_order_of_the_wall(name: str) -> None:
    """All undrawn tiles change places before a step: whatever is drawn then, the position before is the same."""
    game, planes, random = make_game(name.partition("+")[0]), encoder(name), np.random.default_rng(2)
    tables = Stepper(game, 24)
    tables.start(np.arange(100, 124, dtype=np.uint64))
    compared = others = 0
    while len(tables):
        actions, shuffled = random_actions(game, tables, random), tables.states.copy()
        for state in shuffled:
            places = undrawn(game, state)
            state["wall"][places] = state["wall"][random.permutation(places)]
        other = Stepper.of(game, shuffled)
        for one in (tables, other):
            one.step(actions)
        if not len(tables):
            break
        ours, theirs = (open_draws(game, planes, one) for one in (tables, other))
        # a player who draws after a call answered by someone else is asked at the same tables
        assert (ours.table == theirs.table).all()
        assert (ours.position == theirs.position).all()
        assert (ours.counts == theirs.counts).all()
        compared += len(ours.tile)
        others += int((ours.tile != theirs.tile).sum())
    assert compared > 200
    assert others > 100


def test_a_turn_after_a_call_or_an_own_kong_begins_without_a_draw() -> None:
    game, planes, random = make_game("simplified"), encoder("simplified"), np.random.default_rng(3)
    tables = Stepper(game, 200)
    tables.start(np.arange(200, dtype=np.uint64))
    without = 0
    while len(tables):
        rows = own_turns(game, tables)
        asked = tables.tables[rows]
        fresh = tables.states["moment"][asked] == 2
        drawn = open_draws(game, planes, tables)
        assert sorted(drawn.table) == sorted(asked[fresh])
        without += int((~fresh).sum())
        tables.step(random_actions(game, tables, random))
    assert without > 50
