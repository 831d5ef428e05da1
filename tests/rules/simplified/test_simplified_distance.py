"""Distances to each scoring hand, beside a search through all complete hands."""

from __future__ import annotations

import numpy as np
import pytest
from simplified_rig import CHOWS, PUNGS, Counts, complete_hands

from janshi.rules.simplified.distance import KIND_NAMES, ROW, is_complete, live_distances, meld_fact, scoring_hands
from janshi.rules.simplified.distance import distances as fast_distances
from janshi.rules.simplified.hand import Distances, hand_distances
from janshi.rules.simplified.ruleset import get_ruleset
from janshi.rules.simplified.shapes import FAR, patterns, shapes
from janshi.rules.simplified.state import CHI_MELD, PONG_MELD
from janshi.rules.simplified.tiles import COPIES, NUM_KINDS, code_of

SETS = CHOWS + PUNGS


def lowest(one: Counts) -> int:
    return next(k for k in range(NUM_KINDS) if one[k])


def facts_of(melds: list[Counts]) -> int:
    facts = 0
    for one in melds:
        facts |= meld_fact(CHI_MELD if one in CHOWS else PONG_MELD, lowest(one))
    return facts


def searched(hand: np.ndarray, live: np.ndarray, complete: dict[Counts, set[str]]) -> list[int]:
    """The distances by looking at every complete hand."""
    targets = np.array(list(complete))
    lack = np.maximum(targets - hand, 0)
    far = np.where((lack > live).any(axis=1), FAR, lack.sum(axis=1))
    names = [*KIND_NAMES, "plain"]
    return [int(min([FAR, *far[[name == "plain" or name in kinds for kinds in complete.values()]]])) for name in names]


@pytest.mark.parametrize("sets", [2, 3])
def test_every_complete_hand_and_no_other(sets: int) -> None:
    complete = complete_hands(sets)
    for counts, names in complete.items():
        assert is_complete(code_of(counts), shapes()[0])
        kinds = scoring_hands(code_of(counts), 0, shapes()[0])
        assert {name for i, name in enumerate(KIND_NAMES) if kinds >> i & 1} == names
    rng = np.random.default_rng(sets)
    deck = np.repeat(np.arange(NUM_KINDS), COPIES)
    for _ in range(3000):
        counts = np.bincount(rng.choice(deck, 3 * sets + 2, replace=False), minlength=NUM_KINDS)
        assert is_complete(code_of(counts.tolist()), shapes()[0]) == (tuple(counts.tolist()) in complete)


@pytest.mark.parametrize(("sets", "melded", "hands"), [(2, 0, 400), (2, 1, 400), (2, 2, 60), (3, 0, 40), (3, 1, 200)])
def test_distances_of_random_hands(sets: int, melded: int, hands: int) -> None:
    rng = np.random.default_rng(10 * sets + melded)
    known: dict[tuple[int, ...], dict[Counts, set[str]]] = {}
    out, rows = np.zeros(5, np.int64), np.zeros((3, ROW), np.int8)
    for _ in range(hands):
        deck = np.full(NUM_KINDS, COPIES)
        chosen = tuple(sorted(rng.choice(len(SETS), melded)))
        for i in chosen:
            deck -= SETS[i]
        if deck.min() < 0:
            continue
        melds = [SETS[i] for i in chosen]
        if chosen not in known:
            known[chosen] = complete_hands(sets - melded, melds)
        size = 3 * (sets - melded) + int(rng.integers(1, 3))
        hand = np.bincount(rng.choice(np.repeat(np.arange(NUM_KINDS), deck), size, replace=False), minlength=NUM_KINDS)
        fast_distances(code_of(hand.tolist()), facts_of(melds), sets - melded, shapes()[0], out)
        assert out.tolist() == searched(hand, np.full(NUM_KINDS, COPIES), known[chosen])
        live = rng.integers(0, deck - hand + 1)
        live_distances(hand, live, facts_of(melds), sets - melded, patterns(), rows, out)
        assert out.tolist() == searched(hand, live, known[chosen])


def test_distances_as_people_write_them() -> None:
    assert hand_distances("123456p7z") == Distances(3, 1, 2, 5, 1)
    assert hand_distances("123456p77z").straight == 0
    assert hand_distances("777z1s", "123p") == Distances(1, 3, 5, None, 1)
    assert hand_distances("1p", "111s", "777z") == Distances(1, None, None, 1, 1)
    assert hand_distances("1s", "111p", "777z", gone="11s").plain == 2
    assert hand_distances("123456p777z1s", rules=get_ruleset("three_sets")).straight == 1


@pytest.mark.parametrize("text", ["12p", "123p123p123p", "123456p7p"])
def test_invalid_hands_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a hand|not in"):
        hand_distances(text)


def test_invalid_melds_are_refused() -> None:
    with pytest.raises(ValueError, match="not a chi"):
        hand_distances("123p7z", "124s")
