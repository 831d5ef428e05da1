"""M_fold: the order of eq. (12) against all orders and against exhaustive dynamic programming of eq. (11)."""

from __future__ import annotations

from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pytest
from slow_mdp import best_fold, counts_of, fold_in_order, fold_order, kind

from janshi.agents.mdp.fold import OTHERS_WIN, fold_counts, order_of, walk
from janshi.agents.mdp.process import HORIZON
from janshi.agents.mdp.scene import new_process
from janshi.agents.mdp.solve import folding_of
from janshi.core.tiles import NUM_KINDS

WHOLE = 14


def dangers(seed: int, safe: float) -> tuple[Any, Any]:
    """Random chances to lose, and those times payoffs, all below `safe`."""
    chance = np.random.default_rng(seed)
    lose = np.where(chance.random(NUM_KINDS) < 0.2, 0.0, chance.random(NUM_KINDS) ** 2)
    return lose, lose * (safe - 3 * chance.random(NUM_KINDS))


def fold(hand: tuple[int, ...], lose: Any, lose_worth: Any, safe: float, turns: int = WHOLE) -> Any:
    return fold_counts(np.array(hand, np.int8), lose, lose_worth, safe, turns)


def random_hand(seed: int, kinds: int) -> tuple[int, ...]:
    chance = np.random.default_rng(seed)
    hand = np.zeros(NUM_KINDS, np.int64)
    hand[chance.choice(NUM_KINDS, kinds, replace=False)] = chance.integers(1, 5, kinds)
    return tuple(int(n) for n in hand)


@pytest.mark.parametrize("seed", range(8))
def test_its_order_is_the_best_of_all(seed: int):
    hand, safe = random_hand(seed, 5), -2.5
    lose, lose_worth = dangers(seed, safe)
    held = [k for k in range(NUM_KINDS) if hand[k]]
    worths = {
        order: fold_in_order(hand, order, lose, lose_worth, safe, 99, OTHERS_WIN)[0] for order in permutations(held)
    }
    assert fold(hand, lose, lose_worth, safe, 99).worth == pytest.approx(max(worths.values()), abs=1e-12)
    assert max(worths.values()) - min(worths.values()) > 1e-3, "it matters"
    counts = np.array(hand, np.int8)
    for order, worth in list(worths.items())[::17]:
        walked = walk(np.array(order, np.int64), len(order), counts, lose, lose_worth, safe, 99)
        assert walked.worth == pytest.approx(worth, abs=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_no_discards_are_better_than_kind_by_kind(seed: int):
    """Exhaustive dynamic programming: tiles of different kinds may be mixed in any way."""
    hand, safe = random_hand(seed + 100, 5), 1.0
    lose, lose_worth = dangers(seed + 100, safe)
    best = best_fold(hand, lose, lose_worth, safe, 99, OTHERS_WIN)
    assert fold(hand, lose, lose_worth, safe, 99).worth == pytest.approx(best, abs=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_real_hands(seed: int):
    chance = np.random.default_rng(seed)
    hand = tuple(int(n) for n in np.bincount(chance.choice(136, 13, replace=False) // 4, minlength=NUM_KINDS))
    lose, lose_worth = dangers(seed, -2.0)
    order = fold_order(hand, lose, lose_worth, -2.0, OTHERS_WIN)
    for turns in (0, 1, 2, 5, 9, 13):
        worth, lost = fold_in_order(hand, order, lose, lose_worth, -2.0, turns, OTHERS_WIN)
        f = fold(hand, lose, lose_worth, -2.0, turns)
        assert (f.worth, f.lose) == (pytest.approx(worth, abs=1e-12), pytest.approx(lost, abs=1e-12))
        assert f.worth == pytest.approx(f.lose_worth + (1 - f.lose) * -2.0), "eq. (15)"


def test_the_equations_by_hand():
    """Two kinds with alpha = 0.1; not losing is worth 0, losing -1 on the 1m, -4 on the 2p."""
    lose, lose_worth = np.zeros(NUM_KINDS), np.zeros(NUM_KINDS)
    lose[kind("1m")], lose_worth[kind("1m")] = 0.2, -0.2
    lose[kind("2p")], lose_worth[kind("2p")] = 0.1, -0.4
    # eq. (12): f(1m) = 0.2 x 1 / (1 - 0.8 x 0.9^2) = 0.2 / 0.352; f(2p) = 0.1 x 4 / (1 - 0.9 x 0.9) = 0.4 / 0.19
    assert order_of(0.2, 0.2, 2) == pytest.approx(0.2 / 0.352)
    assert order_of(0.1, 0.4, 1) == pytest.approx(0.4 / 0.19)
    f = fold(counts_of("11m2p"), lose, lose_worth, 0.0)
    # eq. (14): 0.2 + 0.8 x 0.81 x 0.1
    assert f.lose == pytest.approx(0.2648)
    # eq. (13): -0.2 + 0.8 x 0.81 x -0.4
    assert f.worth == pytest.approx(-0.4592)
    # eq. (15): U_LoseAverage = -0.4592 / 0.2648
    assert f.lose_worth / f.lose == pytest.approx(-1.734139, abs=1e-6)
    # The other order: -0.4 + 0.9 x 0.9 x -0.2 is worse.
    other = walk(np.array([kind("2p"), kind("1m")]), 2, np.array(counts_of("11m2p"), np.int8), lose, lose_worth, 0.0, 9)
    assert other.worth == pytest.approx(-0.562)
    # Two turns are enough for the 1m only; three copies of it come before anything else.
    assert fold(counts_of("11m2p"), lose, lose_worth, 0.0, 2).lose == pytest.approx(0.2)
    assert fold(counts_of("111m2p"), lose, lose_worth, 0.0, 4).lose == pytest.approx(0.2 + 0.8 * 0.729 * 0.1)


def test_safe_tiles_come_first_and_none_is_lost_by_them():
    lose, lose_worth = np.full(NUM_KINDS, 0.3), np.full(NUM_KINDS, -0.9)
    lose[kind("5z")] = lose_worth[kind("5z")] = 0.0
    hand = counts_of("123m456p789s1z555z")
    assert fold(hand, lose, lose_worth, 0.0, 3) == (0.0, 0.0, 0.0)
    assert fold(hand, lose, lose_worth, 0.0, 4).lose == pytest.approx(0.9**3 * 0.3)
    assert fold(hand, lose, lose_worth, 0.0, 0) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("seed", range(6))
def test_a_truncated_horizon(seed: int):
    """It takes as long as the turns go: never better than the best, seldom much worse, and worse the longer it goes."""
    hand, safe = random_hand(seed + 200, 4), 0.0
    lose, lose_worth = dangers(seed + 200, safe)
    worths = [fold(hand, lose, lose_worth, safe, turns).worth for turns in range(sum(hand) + 1)]
    for turns, worth in enumerate(worths):
        assert worth <= best_fold(hand, lose, lose_worth, safe, turns, OTHERS_WIN) + 1e-12
    assert all(more <= fewer + 1e-12 for fewer, more in pairwise(worths))
    assert worths[0] == safe
    assert worths[-1] == pytest.approx(best_fold(hand, lose, lose_worth, safe, 99, OTHERS_WIN))


def test_more_danger_makes_folding_worse():
    hand = counts_of("1478m258p36s5667z")
    lose, lose_worth = dangers(3, -2.0)
    calm, wild = (fold(hand, share * lose, share * lose_worth, -2.0) for share in (0.3, 0.9))
    assert calm.worth > wild.worth
    assert calm.lose < wild.lose <= 1
    assert fold(hand, 0 * lose, 0 * lose_worth, -2.0).worth == -2.0


def test_folding_from_a_turn_on_keeps_the_share_of_dangers_still_ahead():
    process, hand = new_process(), np.array(counts_of("1478m258p36s5667z"), np.int8)
    m = process[0]
    m["fold_lose"], m["fold_lose_worth"] = dangers(4, -2.0)
    m["fold_safe"], m["turns"] = -2.0, 9
    m["fold_share"] = np.linspace(1.0, 0.0, HORIZON + 1)
    whole = fold_counts(hand, m["fold_lose"], m["fold_lose_worth"], -2.0, 9)
    assert folding_of(hand, m, 0) == pytest.approx(whole)
    half = folding_of(hand, m, HORIZON // 2)
    assert half.lose == pytest.approx(whole.lose / 2)
    assert half.worth == pytest.approx((whole.worth - 2.0) / 2)
    assert half.worth == pytest.approx(half.lose_worth + (1 - half.lose) * -2.0)
