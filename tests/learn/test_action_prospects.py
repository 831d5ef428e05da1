"""Prospects of choices, and the luck of actions measured by them."""

from __future__ import annotations

from itertools import permutations
from typing import NamedTuple

import numpy as np
import pytest
from drawn_hands import undrawn_places

from janshi.features.prospects import Prospects, choices_of
from janshi.rules.game import Array, Game
from janshi.rules.registry import find_family, make_game
from janshi.rules.stepper import Stepper

LEFT = 2
"""Tiles in the wall of a hand whose endings, actions included, can all be played."""


def choices(game: Game) -> Prospects:
    about = choices_of(game.family)
    assert about is not None
    return Prospects(game, about)


def started(game: Game, first: int, n: int = 40) -> Stepper:
    tables = Stepper(game, n)
    tables.start(np.arange(first, first + n, dtype=np.uint64))
    return tables


def random_actions(game: Game, tables: Stepper, random: np.random.Generator) -> Array:
    masks = game.masks_of_views(tables.views())
    wins = masks[:, game.action_names.index("hu")]
    drawn = np.array([random.choice(np.flatnonzero(mask)) for mask in masks], np.int64)
    return np.where(wins & (random.random(len(wins)) < 0.5), game.action_names.index("hu"), drawn)


def test_legal_actions_are_those_of_the_rules_where_there_is_a_choice() -> None:
    game, random = make_game("simplified"), np.random.default_rng(1)
    prospects, tables, seen = choices(game), started(game, 0), 0
    while len(tables):
        masks = game.masks_of_views(tables.views())
        records = prospects.of(tables.states, tables.tables, tables.players)
        free = masks.sum(1) > 1
        assert (records["tiles"][free, :, -1] == masks[free]).all()
        assert not records.view(np.uint8).reshape(len(masks), -1)[~free].any()
        seen += int(free.sum())
        tables.step(random_actions(game, tables, random))
    assert seen > 300


def test_they_do_not_depend_on_the_order_of_the_wall() -> None:
    game, random = make_game("simplified"), np.random.default_rng(2)
    prospects, tables, compared = choices(game), started(game, 100), 0
    while len(tables):
        shuffled = tables.states.copy()
        for state in shuffled:
            places = undrawn_places(game, state)
            state["wall"][places] = state["wall"][random.permutation(places)]
        ours, theirs = (prospects.of(states, tables.tables, tables.players) for states in (tables.states, shuffled))
        assert (ours == theirs).all()
        compared += len(ours)
        tables.step(random_actions(game, tables, random))
    assert compared > 300


def test_wins_are_those_of_the_rules() -> None:
    """A discard pays another player by its prospect exactly if that player may win on it; so does a win itself."""
    game, random = make_game("simplified"), np.random.default_rng(3)
    prospects, tables = choices(game), started(game, 0, 300)
    names = list(prospects.about.about_tiles)
    own, first = names.index("it wins: fan and 1"), names.index("the next player wins on the tile: fan and 1")
    hu, checked, won = game.action_names.index("hu"), 0, 0
    while len(tables):
        table, player = tables.tables.copy(), tables.players.copy()
        records = prospects.of(tables.states, table, player)
        masks, actions = game.masks_of_views(tables.views()), random_actions(game, tables, random)
        for i in np.flatnonzero(records["tiles"][:, hu, -1] > 0):
            won += 1
            assert records["tiles"][i, hu, own] >= 1
        discards = (actions < 14) & (masks.sum(1) > 1)
        tables.step(actions)
        legal = tables.states["legal"]
        for i in np.flatnonzero(discards):
            for place in (1, 2):
                other = (player[i] + place) % 3
                may = bool(tables.states["asked"][table[i]] >> other & 1 and legal[table[i], other] >> hu & 1)
                says = records["tiles"][i, actions[i], first + place - 1] > 0
                if tables.states["phase"][table[i]] == 2:  # others react to the discard
                    assert may == says
                    checked += may
                else:
                    assert not says
    assert checked > 30
    assert won > 30


def test_other_families_have_none() -> None:
    assert choices_of(find_family("guobiao")) is None


# --- exact on hands whose endings can all be played, actions drawn at random included


class Endings(NamedTuple):
    """Every way in which a hand may go on: results, their chances, and luck by an arbitrary function."""

    scores: Array
    chances: Array
    luck: Array


def senseless(records: Array, seed: int) -> Array:
    """A function of prospects without any sense, float64[m, outcomes, players]."""
    flat = np.concatenate([records["players"].reshape(len(records), -1), records["tiles"].reshape(len(records), -1)], 1)
    first = np.random.default_rng(seed).normal(size=(flat.shape[1], records["tiles"].shape[1] * 3)) * 0.05
    return np.asarray(flat @ first).reshape(len(records), -1, 3)


def policy(masks: Array) -> Array:
    """Chances of actions: the first and the last legal one, a win almost always."""
    chances = np.zeros(masks.shape)
    for row, mask in zip(chances, masks):
        legal = np.flatnonzero(mask)
        row[legal[0]] += 0.3
        row[legal[-1]] += 0.7
    return chances


def branch(game: Game, states: Array, chances: Array, luck: Array) -> Endings:
    """Play all tables to all of their ends, by every action that the policy may draw.

    The draw before the first decision has come already, so it does not count.
    """
    done: list[Endings] = []
    drawn = False
    while len(states):
        tables = Stepper.of(game, states)
        over = tables.asked == 0
        scores = game.scores(states).astype(float)
        done.append(Endings(scores[over], chances[over], luck[over]))
        states, chances, luck = states[~over], chances[~over], luck[~over]
        if not len(states):
            break
        states, chances, luck = _step(game, states, chances, luck, drawn)
        drawn = True
    return Endings(*(np.concatenate(parts) for parts in zip(*done)))


def _step(game: Game, states: Array, chances: Array, luck: Array, drawn: bool) -> tuple[Array, Array, Array]:
    """All states after the next answers; players who are asked together answer one after another."""
    tables = Stepper.of(game, states)
    masks, table, player = game.masks_of_views(tables.views()), tables.tables.copy(), tables.players.copy()
    draws, acts = (one.of(states, table, player) for one in (Prospects(game), choices(game)))
    luck = luck.copy()
    for i in np.flatnonzero(drawn & draws["tiles"][:, :, -1].any(1)):
        values, counts = senseless(draws[i : i + 1], 5)[0], draws["tiles"][i, :, -1].astype(float)
        luck[table[i]] += np.roll(values[draws["drawn"][i]] - counts / counts.sum() @ values, player[i])
    share, values = policy(masks), senseless(acts, 6)
    first = tables.first
    made: list[tuple[int, list[int], float, Array]] = []
    for t in range(len(states)):
        ways: list[tuple[list[int], float, Array]] = [([], 1.0, np.zeros(3))]
        for i in range(first[t], first[t + 1]):
            free = acts["tiles"][i, :, -1].any()
            ways = [
                (
                    [*answers, a],
                    chance * share[i, a],
                    more + free * np.roll(values[i, a] - share[i] @ values[i], player[i]),
                )
                for answers, chance, more in ways
                for a in np.flatnonzero(share[i])
            ]
        made += [(t, *way) for way in ways]
    at = np.array([one[0] for one in made])
    after = Stepper.of(game, states[at].copy())
    after.step(np.array([a for one in made for a in one[1]], np.int64))
    return (
        after.states,
        chances[at] * np.array([one[2] for one in made]),
        luck[at] + np.stack([one[3] for one in made]),
    )


@pytest.mark.parametrize("seed", [12, 25])
def test_the_mean_is_kept_exactly_when_actions_are_drawn_at_random(seed: int) -> None:
    game = make_game("simplified")
    table = Stepper(game, 1)
    table.start(np.array([seed], np.uint64))
    while table.states["left"][0] > LEFT:
        masks = game.masks_of_views(table.views())
        table.step(np.where(masks[:, -1], masks.shape[1] - 1, masks[:, :14].argmax(1)))  # the lowest discard, no calls
    left = int(table.states["left"][0])
    orders = list(permutations(range(left)))
    states = np.repeat(table.states, len(orders))
    for state, order in zip(states, orders):
        state["wall"][:left] = state["wall"][list(order)]
    game_over = branch(game, states, np.full(len(orders), 1 / len(orders)), np.zeros((len(orders), 3)))
    scores, chances, luck = game_over
    assert chances.sum() == pytest.approx(1)
    assert scores.var(0).max() > 1
    assert luck.var(0).min() > 0.01
    np.testing.assert_allclose(chances @ luck, 0, atol=1e-9)
