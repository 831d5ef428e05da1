"""Returns without luck have the expectation of returns, for any function that measures the luck."""

from __future__ import annotations

from collections import defaultdict
from itertools import permutations
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from drawn_hands import Drawn, luck, play  # noqa: E402

from effort import effort  # noqa: E402
from janshi.learn.advantage import advantages  # noqa: E402
from janshi.learn.luckless import without_luck  # noqa: E402
from janshi.learn.outcome_values import terms  # noqa: E402
from janshi.rules.game import Array  # noqa: E402
from janshi.rules.registry import make_game  # noqa: E402
from janshi.rules.stepper import Stepper  # noqa: E402

LEFT = 6
"""Tiles in the wall of a hand whose endings can all be played."""


def random_choice(masks: Array, step: int) -> Array:
    """Any legal action."""
    shares = np.random.default_rng([7, step]).random(masks.shape)
    return np.asarray(np.where(masks, shares, -1).argmax(1))


def last_choice(masks: Array, _: int) -> Array:
    """Wins if possible, else calls, else the highest discard: the last legal action but passing."""
    actions = masks.shape[1] - 1 - masks[:, ::-1].argmax(1)
    others = masks[:, :-1]
    last = others.shape[1] - 1 - others[:, ::-1].argmax(1)
    return np.asarray(np.where(others.any(1), last, actions))


# --- zero mean by any function


def arbitrary(position: Array, cells: int, players: int, seed: int) -> Array:
    """A function of positions without any sense, float64[m, cells, players]."""
    random = np.random.default_rng(seed)
    first = random.normal(size=(position.shape[1], 8)) * 0.05
    second = random.normal(size=(8, cells * players))
    return np.asarray(np.maximum(position @ first, 0) @ second).reshape(-1, cells, players)


def mean_and_error(rules: str, hands: int, seed: int) -> tuple[Array, Array, Array]:
    """Of the luck of whole hands played at random, by an arbitrary function: mean, its standard error, spread."""
    game = make_game(rules)
    tables = Stepper(game, hands)
    tables.start(np.arange(hands, dtype=np.uint64) + np.uint64(1000 * seed))
    total = np.zeros((hands, game.players))
    for drawn in play(game, tables, random_choice):
        values = arbitrary(drawn.position.astype(float), drawn.counts.shape[1], game.players, seed)
        np.add.at(total, drawn.table, luck(drawn, values))
    return total.mean(0), total.std(0) / np.sqrt(hands), total.std(0)


@pytest.mark.parametrize(("rules", "hands"), [("simplified", effort(4000, 100_000)), ("guobiao", effort(300, 4000))])
def test_luck_by_an_arbitrary_function_has_mean_zero(rules: str, hands: int) -> None:
    mean, error, spread = mean_and_error(rules, hands, 1)
    assert (spread > 1).all()
    assert (np.abs(mean) < 5 * error).all()


# --- exact on hands whose endings can all be played


def all_endings(seed: int) -> Stepper:
    """A hand of the simplified game near its end, once for each order of the tiles that are left."""
    game = make_game("simplified")
    table = Stepper(game, 1)
    table.start(np.array([seed], np.uint64))
    while table.states["left"][0] > LEFT:
        masks = game.masks_of_views(table.views())
        table.step(np.where(masks[:, -1], masks.shape[1] - 1, masks[:, :14].argmax(1)))  # the lowest discard, no calls
    left = int(table.states["left"][0])
    states = np.repeat(table.states, len(list(permutations(range(left)))))
    for state, order in zip(states, permutations(range(left))):
        state["wall"][:left] = state["wall"][list(order)]
    return Stepper.of(game, states)


def exact_values(events: list[Drawn], scores: Array) -> dict[bytes, Array]:
    """What each tile is worth in each position: the mean result of all endings in which it comes there."""
    found: dict[bytes, dict[int, list[Array]]] = defaultdict(lambda: defaultdict(list))
    for drawn in events:
        for table, position, tile in zip(drawn.table, drawn.position, drawn.tile):
            found[position.tobytes()][int(tile)].append(scores[table])
    cells = events[0].counts.shape[1]
    made = {}
    for key, outcomes in found.items():
        values = np.zeros((cells, scores.shape[1]))
        for tile, results in outcomes.items():
            values[tile] = np.mean(results, 0)
        made[key] = values
    return made


@pytest.mark.parametrize("seed", [12, 25, 35])
def test_exact_on_all_endings_of_a_hand(seed: int) -> None:
    """The mean is kept exactly by any function; by the exact one nothing varies any more, as nobody plays by chance."""
    tables = all_endings(seed)
    events = play(tables.game, tables, last_choice)
    scores = tables.game.scores(tables.states).astype(float)
    assert scores.var(0).max() > 20
    freed = {"arbitrary": scores.copy(), "exact": scores.copy()}
    exact = exact_values(events, scores)
    for drawn in events:
        if not len(drawn.tile):
            continue
        senseless = arbitrary(drawn.position.astype(float), drawn.counts.shape[1], 3, seed)
        right = np.stack([exact[position.tobytes()] for position in drawn.position])
        np.subtract.at(freed["arbitrary"], drawn.table, luck(drawn, senseless))
        np.subtract.at(freed["exact"], drawn.table, luck(drawn, right))
    for results in freed.values():
        np.testing.assert_allclose(results.mean(0), scores.mean(0), atol=1e-9)
    np.testing.assert_allclose(freed["exact"], np.broadcast_to(scores.mean(0), scores.shape), atol=1e-9)
    assert np.abs(freed["arbitrary"] - scores).max() > 0.1


# --- terms, laid along hands


def test_terms_are_what_came_less_the_mean() -> None:
    values = torch.tensor([[[1.0, -1.0], [4.0, -4.0], [7.0, -7.0]]]).repeat(2, 1, 1)
    weights = torch.tensor([[0.5, 0.5, 0.0], [0.0, 0.0, 0.0]])
    found = terms(values, torch.tensor([1, 0]), weights)
    assert found.tolist() == [[1.5, -1.5], [0, 0]]


def two_hands() -> Any:
    """Two hands of two players, backwards: entries by players 1 0 0 | 0 1; draws among them."""
    return SimpleNamespace(
        first=np.array([0, 3, 5], np.int32),
        player=np.array([1, 0, 0, 0, 1], np.int8),
        before=np.zeros(5, np.bool_),
        draws=SimpleNamespace(first=np.array([0, 2, 4], np.int32), place=np.array([0, 2, 1, 2], np.int32), n=4),
    )


class Hands(SimpleNamespace):
    """Ready hands for `without_luck`."""

    def __len__(self) -> int:
        return len(self.player)


class DrawsOf(SimpleNamespace):
    """Their draws."""

    def __len__(self) -> int:
        return len(self.place)


def hands() -> Any:
    made = two_hands()
    return Hands(first=made.first, player=made.player, before=made.before, draws=DrawsOf(**vars(made.draws)))


def test_luck_is_laid_between_decisions() -> None:
    scores = np.array([[10, -10], [-4, 4]], np.float32)
    draws = np.array([[1, -1], [2, -2], [4, -4], [8, -8]], np.float32)
    found = without_luck(hands(), scores, draws, None, 1.0)
    # hand 1: draw 0 after all decisions, then decisions of 1 and 0, draw 1, a decision of 0
    assert found.luck.tolist() == [[-1, 1], [1, -1], [2, -2], [0, 0], [-4, 4]]
    assert found.after_draws.tolist() == [[10, -10], [9, -9], [-4, 4], [-8, 8]]
    assert found.after_actions.tolist() == [[9, -9], [9, -9], [7, -7], [-4, 4], [-8, 8]]
    assert found.start.tolist() == [[7, -7], [-16, 16]]


def test_own_actions_count_for_earlier_decisions_only() -> None:
    scores = np.array([[10, -10], [-4, 4]], np.float32)
    actions = np.array([[1, -1], [2, -2], [4, -4], [8, -8], [16, -16]], np.float32)
    found = without_luck(hands(), scores, None, actions, 1.0)
    assert found.luck.tolist() == [[0, 0], [1, -1], [2, -2], [0, 0], [-8, 8]]
    assert found.start.tolist() == [[3, -3], [-28, 28]]


def test_discounts_follow_the_players_own_decisions() -> None:
    scores, draws = np.array([[8, -8], [0, 0]], np.float32), np.zeros((4, 2), np.float32)
    draws[1] = 2, -2
    found = without_luck(hands(), scores, draws, None, 0.5)
    assert found.after_draws[:2].tolist() == [[8, -8], [8, -8]]
    assert found.luck[2].tolist() == [2, -2]
    assert found.start[0].tolist() == [3, -6]  # 0 decides twice: (8 - 2) / 2


def test_advantages_of_luck_free_returns() -> None:
    """With γ = λ = 1 and no values, an advantage is the return without later luck."""
    scores = np.array([[10, -10], [-4, 4]], np.float32)
    random = np.random.default_rng(1)
    draws, actions = (random.normal(size=(n, 2)).astype(np.float32) for n in (4, 5))
    ready = hands()
    found = without_luck(ready, scores, draws, actions, 1.0)
    own = scores[[0, 0, 0, 1, 1], ready.player][:, None]
    adv, targets = advantages(np.zeros((5, 1), np.float32), own, None, ready, 2, 1.0, 1.0, found.luck[:, :1])
    after = found.after_actions[np.arange(5), ready.player]
    np.testing.assert_allclose(adv, after, atol=1e-5)
    np.testing.assert_allclose(targets[:, 0], after, atol=1e-5)
