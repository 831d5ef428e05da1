"""Returns without luck in riichi: unbiased for any values of draws, blind to the order of the wall."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from riichi_tables import CPU, eager, played, senseless  # noqa: E402

from effort import effort  # noqa: E402
from janshi.learn.riichi.returns import (  # noqa: E402
    luck_of,
    luck_of_hands,
    luck_of_ura,
    padded,
    results_of,
    standings,
)
from janshi.learn.riichi.self_play import Hands  # noqa: E402
from janshi.learn.riichi.tables import Tables  # noqa: E402
from janshi.rules.riichi.deal import FIRST_INDICATOR  # noqa: E402
from janshi.rules.riichi.final import ranks  # noqa: E402


@pytest.fixture(scope="module")
def hands() -> Hands:
    """Some hundred hands of East and South games, with riichi and wins."""
    return played(Tables(np.arange(64), 3, stride=64), effort(400, 20_000), eager(1))


def test_luck_by_senseless_values_has_mean_zero(hands: Hands) -> None:
    luck = luck_of(hands, senseless(2), CPU)
    draws = (luck.after - luck.before).astype(np.float64)
    error = draws.std(0) / np.sqrt(len(draws))
    assert (draws.std(0) > 0.02).all()  # not nothing
    assert (np.abs(draws.mean(0)) < 5 * error).all()
    total = luck_of_hands(luck, results_of(hands))
    assert (np.abs(total.mean(0)) < 5 * total.std(0) / np.sqrt(len(total))).all()


def test_luck_of_ura_has_mean_zero(hands: Hands) -> None:
    where = {int(hand): i for i, hand in enumerate(hands.ends["hand"])}
    ends = hands.ends[[where[int(hand)] for hand in hands.ura["hand"]]]
    luck = luck_of_ura(hands.ura, ends, hands.rules)
    assert len(luck) > 50
    assert luck.std() > 0.01
    assert (np.abs(luck.mean(0)) < 5 * luck.std(0) / np.sqrt(len(luck))).all()
    weights = hands.ura["weight"]
    assert np.allclose(weights.sum(1), 1, atol=1e-5)
    assert (weights[np.arange(len(weights)), hands.ura["tile"]] > 0).all()


def test_the_tile_that_came_was_possible_and_places_sum_to_zero(hands: Hands) -> None:
    draws = hands.draws
    assert (draws["pool"][np.arange(len(draws)), draws["tile"]] > 0).all()
    first = draws[draws["number"] == 0]
    assert (first["pool"].sum(1) == 136 - 13 * 4 - 1).all()  # all but the hands and an indicator
    luck = luck_of(hands, senseless(4), CPU)
    assert np.abs(luck.after.sum(1)).max() < 1e-4
    assert np.abs(luck.before.sum(1)).max() < 1e-4


def test_values_do_not_see_the_order_of_the_wall() -> None:
    """Shuffle what is undrawn: the next draws bring other tiles, from positions that read the same."""
    pair = [Tables(np.arange(24), 9, stride=24) for _ in range(2)]
    steps, rules = [tables.start() for tables in pair], eager(5)
    for _ in range(30):
        actions = rules(steps[0])
        steps = [tables.step(actions) for tables in pair]
    random = np.random.default_rng(3)
    for state in pair[1]._states:
        shown = {FIRST_INDICATOR + 2 * i for i in range(int(state["indicators"]))}
        hidden = [place for place in range(int(state["next_draw"]) + 1) if place not in shown]
        state["wall"][hidden] = state["wall"][random.permutation(hidden)]
    actions = rules(steps[0])
    one, other = (tables.step(actions).draws for tables in pair)
    firsts = [np.unique(draws["hand"] * 256 + draws["number"], return_index=True) for draws in (one, other)]
    known = np.intersect1d(firsts[0][0], firsts[1][0])
    seen: dict[int, int] = {}
    for key in known.tolist():
        seen.setdefault(key // 256, key)  # the first draw of each hand after the shuffle
    keys = np.array(sorted(seen.values()))
    a, b = (draws[first[1][np.searchsorted(first[0], keys)]] for draws, first in zip((one, other), firsts))
    assert len(keys) > 10
    assert (a["tile"] != b["tile"]).any()
    for name in ("inputs", "pool", "scores", "seat", "sticks"):
        assert np.array_equal(a[name], b[name]), name


def test_gains_of_a_game_sum_to_its_ranks(hands: Hands) -> None:
    results, ends = results_of(hands), hands.ends
    gains = results.end - results.start
    name = ends["table"].astype(np.int64) * 1000 + ends["game"]
    over = np.flatnonzero(ends["over"] == 1)
    assert len(over) > 10
    for last in over:
        whole = gains[name == name[last]].sum(0)
        assert whole == pytest.approx(2.5 - 1 - ranks(ends["scores"][last]), abs=1e-5)


def test_tables_do_not_depend_on_threads() -> None:
    one, other = (played(Tables(np.arange(6), 2, stride=6, threads=threads), 12, eager(8)) for threads in (1, 3))
    assert np.array_equal(one.ends, other.ends)
    assert np.array_equal(one.draws["inputs"], other.draws["inputs"])


def test_standings_differ_only_by_sticks(hands: Hands) -> None:
    chosen, at = standings(hands.draws)
    assert np.array_equal(hands.draws["scores"][chosen][at], hands.draws["scores"])
    assert np.array_equal(hands.draws["kyoku"][chosen][at], hands.draws["kyoku"])


def test_draws_are_filled_up_to_one_size(hands: Hands) -> None:
    filled = padded(hands.draws[:3], 5)
    assert np.array_equal(filled[:3], hands.draws[:3])
    assert np.array_equal(filled[3:], hands.draws[[0, 0]])
    assert len(padded(hands.draws[:3], 2)) == 3
