"""Features of hand patterns and of discards, beside slow references."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from mixed_play import positions

from janshi.core.shanten import honour_key, shanten_orphans, shanten_pairs, shanten_standard, suit_key
from janshi.core.tables import load_tables, tables_array
from janshi.core.tiles import EAST, NUM_KINDS, RANKS, SUITS, counts34, parse_tiles
from janshi.core.ukeire import NOT_HELD, ukeire_discards
from janshi.features import discards, own_hand
from janshi.features.hand_pattern import (
    CUT,
    FIVE,
    LAYOUT,
    PATTERNS,
    SHAPES,
    STAGES,
    THREE,
    WHOLE,
    list_suit_change,
    maps,
    suit_index,
    write_suit_values,
)
from janshi.models.labels import plain_views

SIMPLE = [kind < EAST and 0 < kind % RANKS < RANKS - 1 for kind in range(NUM_KINDS)]


def random_suits(number: int, seed: int) -> list[list[int]]:
    """Counts of a suit with 1 to 14 tiles."""
    rng = np.random.default_rng(seed)
    tiles = np.repeat(np.arange(RANKS), 4)
    return [np.bincount(rng.permutation(tiles)[: rng.integers(1, 15)], minlength=RANKS).tolist() for _ in range(number)]


def pack(counts: list[int]) -> int:
    return sum(count << 3 * rank for rank, count in enumerate(counts))


def slow_window(counts: list[int], place: int, width: int, base: int) -> int:
    """The feature of a window: the lower of the numbers of the pattern and its mirror image."""

    def number(counts: list[int], place: int) -> int:
        digits = counts[place : place + width]
        return place * SHAPES**width + sum(count * SHAPES**i for i, count in enumerate(digits))

    return base + min(number(counts, place), number(counts[::-1], RANKS - width - place))


def slow_suit(counts: list[int], stage: int) -> Counter[int]:
    """All pattern features of a suit."""
    out: Counter[int] = Counter()
    for place in range(7):
        out[slow_window(counts, place, 3, THREE + stage * 7 * SHAPES**3)] += 1
    for place in range(5):
        out[slow_window(counts, place, 5, FIVE + stage * 5 * SHAPES**5)] += 1
    cut = [min(count, 2) for count in counts]
    codes = [sum(count * CUT**i for i, count in enumerate(some)) for some in (cut, cut[::-1])]
    out[WHOLE + stage * CUT**RANKS + min(codes)] += 1
    return out


def signed(features: Any, count: int) -> Counter[int]:
    out: Counter[int] = Counter()
    for feature in features[:count].tolist():
        if feature >= 0:
            out[feature] += 1
        else:
            out[-1 - feature] -= 1
    return out


def nonzero(counter: Counter[int]) -> dict[int, int]:
    return {key: value for key, value in counter.items() if value}


def test_what_a_discard_changes_in_a_suit():
    t, m, out = load_tables(), maps()[0], np.zeros(64, np.int32)
    for number, counts in enumerate(random_suits(300, 1)):
        rank = int(np.flatnonzero(counts)[number % np.count_nonzero(counts)])
        stage = number % STAGES
        found = signed(out, list_suit_change(pack(counts), rank, stage, t, m, out, 0))
        after = [count - (place == rank) for place, count in enumerate(counts)]
        expected = slow_suit(after, stage)
        expected.subtract(slow_suit(counts, stage))
        assert nonzero(found) == nonzero(expected)


def test_mirror_images_are_alike():
    t, m = load_tables(), maps()[0]
    one, two = np.zeros(64, np.int32), np.zeros(64, np.int32)
    for counts in random_suits(100, 2):
        rank = int(np.argmax(counts))
        n = list_suit_change(pack(counts), rank, 3, t, m, one, 0)
        assert n == list_suit_change(pack(counts[::-1]), RANKS - 1 - rank, 3, t, m, two, 0)
        assert nonzero(signed(one, n)) == nonzero(signed(two, n))


def test_tables_of_suits_are_sums_of_weights():
    weights = np.random.default_rng(3).normal(size=LAYOUT.size).astype(np.float32)
    table = np.zeros((STAGES, PATTERNS), np.float32)
    write_suit_values(weights, maps(), tables_array(), table)
    for number, counts in enumerate(random_suits(300, 4)):
        stage = number % STAGES
        expected = sum(times * float(weights[feature]) for feature, times in slow_suit(counts, stage).items())
        assert table[stage, suit_index(pack(counts), load_tables())] == pytest.approx(expected, abs=1e-4)


# --- whole hands


def weighed(view: Any) -> tuple[Any, Any]:
    situation, weighing = own_hand.new_situation(), own_hand.new_weighing()
    own_hand.situate(view, situation[0])
    own_hand.weigh_hand(view.hand, view.seen, situation[0], load_tables(), weighing[0])
    return situation[0], weighing[0]


VIEWS = plain_views(positions())[:400]


def test_weighing_is_that_of_ukeire():
    distance, useful = np.zeros(NUM_KINDS, np.int8), np.zeros(NUM_KINDS, np.int16)
    for view in VIEWS:
        _, x = weighed(view)
        visible = np.minimum(view.seen + view.hand, 4).astype(np.uint8)
        best = ukeire_discards(view.hand.astype(np.uint8), int(view.melds[0]), visible, load_tables(), distance, useful)
        assert x.best == best
        assert (x.distance == distance).all()
        at_best = distance == best
        assert (x.useful[at_best] == useful[at_best]).all()


def test_features_are_numbers_of_the_layout_and_lists_fit():
    out, longest = np.full(own_hand.MOST, 10**6, np.int32), 0
    for view in VIEWS:
        s, x = weighed(view)
        for kind in np.flatnonzero(x.distance != NOT_HELD).tolist():
            n = discards.list_discard(view.hand, kind, s, load_tables(), maps()[0], x, out)
            numbers = np.where(out[:n] < 0, -1 - out[:n], out[:n])
            assert (numbers >= 0).all()
            assert (numbers < LAYOUT.size).all()
            longest = max(longest, n)
    assert 20 < longest <= own_hand.MOST


def test_features_say_what_they_mean():
    """Shanten, useful tiles, terminals and honours, pairs and triplets, as counted by plain means."""
    out = np.zeros(own_hand.MOST, np.int32)
    for view in VIEWS:
        s, x = weighed(view)
        for kind in np.flatnonzero(x.distance != NOT_HELD).tolist():
            hand = view.hand.copy()
            hand[kind] -= 1
            n = discards.list_discard(view.hand, kind, s, load_tables(), maps()[0], x, out)
            said = dict(LAYOUT.decode(feature) for feature in out[:n].tolist() if feature >= 0)
            assert said["terminals and honours held"]["count"] == min(
                9, sum(hand[k] for k in range(34) if not SIMPLE[k])
            )
            assert said["pairs and triplets"]["pairs"] == min(7, (hand >= 2).sum())
            assert said["pairs and triplets"]["triplets"] == (hand >= 3).sum()
            reach = said.get("shanten and useful tiles")
            assert (reach is not None) == (x.distance[kind] == x.best)
            if reach and x.best > 0:
                assert reach["useful"] == min(31, x.useful[kind] // 2)
            if view.melds[0] == 0:
                forms = (shanten_standard(hand.astype(np.uint8), 0, load_tables()), shanten_pairs(hand))
                assert min(*forms, shanten_orphans(hand)) == x.distance[kind]
                assert said["standard form and seven pairs"]["pairs"] == min(6, max(0, forms[1]))


def slow_way(hand: Any, s: Any, unseen: Any) -> int:
    """Shanten of the nearest hand with a yaku, by plain masks over counts."""

    def distance(kinds: list[bool]) -> int:
        return int(shanten_standard(np.where(kinds, hand, 0).astype(np.uint8), int(s.melds), load_tables()))

    everything, ways = [True] * NUM_KINDS, [9]
    honours = [kind for kind in range(EAST, NUM_KINDS) if own_hand.honour_worth(kind, s)]
    if s.melds_worth or any(hand[k] >= 3 for k in honours):
        return distance(everything)
    if any(hand[k] >= 2 and unseen[k] for k in honours):
        ways.append(distance(everything))
    if s.melds_simple:
        ways.append(distance(SIMPLE))
    for suit in range(SUITS):
        if s.meld_suit in (-1, suit):
            ways.append(distance([kind >= EAST or kind // RANKS == suit for kind in range(NUM_KINDS)]))
    if s.meld_chis == 0:
        sets, triplets, pairs = 4 - int(s.melds), int((hand >= 3).sum()), int((hand == 2).sum())
        ways.append(2 * (sets - triplets) - min(pairs, sets - triplets + 1))
    return min(ways)


def test_way_of_an_open_hand_to_a_yaku():
    seen = 0
    for view in VIEWS:
        s, x = weighed(view)
        if not s.open:
            continue
        seen += 1
        keys = [suit_key(view.hand, 9 * suit) for suit in range(3)]
        plan, distance = own_hand.yaku_way(*keys, honour_key(view.hand), s, load_tables(), x)
        assert distance == slow_way(view.hand, s, x.unseen)
        assert (plan == own_hand.NO_PLAN) == (distance == 9)
    assert seen > 50


def test_situation_of_melds():
    s = own_hand.new_situation()[0]
    s.seat_wind, s.round_wind = 1, 0
    own_hand.add_meld(1, 1, s)  # chi 234m
    assert (s.open, s.melds_simple, s.meld_suit, s.melds_worth, s.meld_chis) == (1, 1, 0, 0, 1)
    own_hand.add_meld(2, EAST + 1, s)  # pon of the own wind
    assert (s.melds_simple, s.meld_suit, s.melds_worth) == (0, 0, 1)
    own_hand.add_meld(1, 15, s)  # chi 789p
    assert (s.melds_simple, s.meld_suit) == (0, SUITS)


def test_red_five_is_kept_while_there_is_another():
    """The red feature stays when a plain five goes, and goes with the last five."""
    for text, stays in (("0556m", True), ("06m", False)):
        hand = np.zeros(NUM_KINDS, np.int8)
        hand[:] = counts34(parse_tiles(text + "123789p1122s"[: 2 * (14 - len(text) + 1)]))
        situation, weighing, out = own_hand.new_situation(), own_hand.new_weighing(), np.zeros(60, np.int32)
        situation["reds"] = 1
        seen = np.zeros(NUM_KINDS, np.int8)
        own_hand.weigh_hand(hand, seen, situation[0], load_tables(), weighing[0])
        n = discards.list_discard(hand, 4, situation[0], load_tables(), maps()[0], weighing[0], out)
        kept = [f for f in out[:n].tolist() if f >= 0 and LAYOUT.decode(f)[0] == "around a red five"]
        assert bool(kept) == stays
