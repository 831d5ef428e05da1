"""Shanten and useful tiles beside PyMahjongGB, and the bound on reachable fan beside a search of every hand."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from janshi.core.tables import load_tables
from janshi.core.tiles import NUM_KINDS
from janshi.rules.guobiao.distance import FAR, SHAPES, shanten, shapes_batch, useful_batch, useful_tiles
from janshi.rules.guobiao.evaluate import evaluate_batch
from janshi.rules.guobiao.hand import Circumstances, Hand
from janshi.rules.guobiao.reach import reaches
from janshi.rules.guobiao.win import CHI, CONCEALED_KAN, OPEN_KAN, PON, SCORE_DTYPE, WIN_DTYPE

NAMES = [f"{suit}{rank}" for suit in "WBT" for rank in range(1, 10)] + ["F1", "F2", "F3", "F4", "J3", "J2", "J1"]
PEER = (
    "RegularShanten",
    "SevenPairsShanten",
    "ThirteenOrphansShanten",
    "HonorsAndKnittedTilesShanten",
    "KnittedStraightShanten",
)
POOLS = (
    list(range(34)),
    list(range(9)),
    list(range(9, 34)),
    [0, 8, 9, 17, 18, 26, *range(27, 34)],
    [0, 3, 6, 10, 13, 16, 20, 23, 26, *range(27, 34)],
    [0, 3, 6, 10, 13, 16, 20, 23, 26, 0, 1, 2],
)


def random_hands(rng: random.Random, number: int) -> tuple[Any, Any]:
    """Hands of 13 tiles less three for each meld, from all tiles or from a few."""
    hands, melds = np.zeros((number, NUM_KINDS), np.uint8), np.zeros(number, np.uint8)
    for i in range(number):
        melds[i] = rng.choice((0, 0, 0, 1, 2, 3, 4))
        for kind in rng.sample(sorted(set(rng.choice(POOLS))) * 4, 13 - 3 * int(melds[i])):
            hands[i, kind] += 1
    return hands, melds


def test_every_shape_equals_the_peer() -> None:
    """Shanten and useful tiles of each shape, kinds held four times left out.

    The peer's standard shape may count on a fifth tile of a kind, ours never does: where four of a kind are held ours
    may be farther away, or useful for less.
    """
    peer = pytest.importorskip("MahjongGB")
    hands, melds = random_hands(random.Random(1), 20_000)
    found, useful = np.zeros((len(hands), SHAPES), np.int8), np.zeros((len(hands), SHAPES), np.uint64)
    shapes_batch(hands, melds, load_tables(), found, useful)
    fifth = 0
    for hand, distances, masks in zip(hands, found, useful):
        tiles = tuple(NAMES[kind] for kind in range(NUM_KINDS) for _ in range(hand[kind]))
        full = {NAMES[kind] for kind in np.flatnonzero(hand == 4)}
        for shape, (name, distance, mask) in enumerate(zip(PEER, distances, masks)):
            if distance == FAR:
                continue
            theirs, named = getattr(peer, name)(tiles)
            ours = {NAMES[kind] for kind in range(NUM_KINDS) if int(mask) >> kind & 1}
            if (theirs, set(named) - full) != (distance, ours):
                assert shape == 0
                assert full
                assert distance > theirs or ours < set(named)
                fifth += 1
    assert fifth < 0.01 * len(hands)


def test_nearest_shape_is_the_least_of_all() -> None:
    hands, melds = random_hands(random.Random(2), 2_000)
    t = load_tables()
    found, useful = np.zeros((len(hands), SHAPES), np.int8), np.zeros((len(hands), SHAPES), np.uint64)
    shapes_batch(hands, melds, t, found, useful)
    best, marked = np.zeros(len(hands), np.int8), np.zeros((len(hands), NUM_KINDS), np.uint8)
    useful_batch(hands, melds, t, best, marked)
    assert (best == found.min(axis=1)).all()
    masks = np.bitwise_or.reduce(np.where(found == best[:, None], useful, np.uint64(0)), axis=1)
    assert [sum(1 << int(k) for k in np.flatnonzero(row)) for row in marked] == masks.tolist()


def test_a_useful_tile_brings_the_hand_nearer_and_no_other_does() -> None:
    hands, melds = random_hands(random.Random(3), 300)
    t, marked = load_tables(), np.zeros(NUM_KINDS, np.uint8)
    for hand, number in zip(hands, melds):
        best = useful_tiles(hand, int(number), t, marked)
        for kind in np.flatnonzero(hand < 4):
            drawn = hand.copy()
            drawn[kind] += 1
            assert (shanten(drawn, int(number), t) < best) == bool(marked[kind])


# Reachable fan

RUNS = [[9 * s + r + i for i in range(3)] for s in range(3) for r in range(7)]
SETS = RUNS + [[kind] * 3 for kind in range(NUM_KINDS)]


def complete_parts(free: int) -> list[Counter[int]]:
    """Every pair, and set if one is free, as tiles."""
    pairs = [Counter({kind: 2}) for kind in range(NUM_KINDS)]
    parts = pairs if free == 0 else [pair + Counter(made) for pair in pairs for made in SETS]
    return [part for part in parts if max(part.values()) <= 4]


def most_fan(win: Any, left: Any, draws: int) -> int:
    """Most fan among all hands of sets and a pair within `draws` tiles, over every winning tile, without luck."""
    wins = []
    for part in complete_parts(4 - int(win.melds)):
        more = {kind: copies - int(win.hand[kind]) for kind, copies in part.items()}
        if any(n > left[kind] for kind, n in more.items()) or sum(n for n in more.values() if n > 0) > draws:
            continue
        for kind in part:
            for self_drawn in (0, 1):
                trial = win.copy()
                trial["hand"] = [part[k] for k in range(NUM_KINDS)]
                trial["win_kind"], trial["self_drawn"] = kind, self_drawn
                wins.append(trial)
    if not wins:
        return 0
    outs = np.zeros(len(wins), SCORE_DTYPE)
    evaluate_batch(np.array(wins, WIN_DTYPE), outs)
    return int(outs["fan"].max())


def random_position(rng: random.Random) -> tuple[Any, Any]:
    """A hand with three or four melds, and the tiles that are left besides it."""
    while True:
        win = np.zeros(1, WIN_DTYPE).view(np.recarray)[0]
        used: Counter[int] = Counter()
        win.melds = rng.choice((3, 3, 4))
        for i in range(int(win.melds)):
            made = rng.choice(SETS)
            win.meld_type[i] = CHI if made in RUNS else rng.choice((PON, PON, PON, OPEN_KAN, CONCEALED_KAN))
            win.meld_kind[i] = made[0]
            used.update(made + (made[:1] if win.meld_type[i] > PON else []))
        tiles = rng.choices(range(NUM_KINDS), k=13 - 3 * int(win.melds))
        used.update(tiles)
        if max(used.values()) <= 4:
            break
    for kind in tiles:
        win.hand[kind] += 1
    win.seat_wind, win.round_wind = rng.randrange(4), rng.randrange(4)
    left = np.array([rng.randint(0, 4 - used[kind]) for kind in range(NUM_KINDS)], np.uint8)
    return win, left


def test_the_bound_never_says_no_where_the_answer_is_yes() -> None:
    rng, t = random.Random(4), load_tables()
    answers: Counter[tuple[bool, bool]] = Counter()
    for _ in range(80):
        win, left = random_position(rng)
        draws = rng.randint(1, 4)
        answers[reaches(win, left, draws, t), most_fan(win, left, draws) >= 8] += 1
    assert answers[False, True] == 0
    assert answers[False, False] > 10
    assert answers[True, True] > 10
    assert answers[True, False] < 0.3 * answers.total()


def position(text: str) -> Any:
    hand = Hand(text)
    return hand._win(Circumstances(), hand.tiles[-1], 0, 0)


@pytest.mark.parametrize(
    ("text", "draws", "answer"),
    [
        ("1m (123m) (456m) (567s) (234p)", 3, True),  # melded hand and all chows
        ("1m (123m) (456m) (567s) [3333z]", 3, False),  # only the pair is open, and little in the sets
        ("1m (123m) (123p) (456s) (123s)", 1, True),  # mixed triple chow is there
        ("55z1m2p (111m) (222p) (777z)", 3, True),  # two dragons and all pungs
        ("2m (111m) (222p) (999s) (444p)", 1, True),  # three kongs may come of these
        ("147m258p369s1234z", 1, True),
        ("1122334455667m", 1, True),
    ],
)
def test_known_hands(text: str, draws: int, answer: bool) -> None:
    win = position(text)
    left = np.full(NUM_KINDS, 4, np.uint8) - win.hand
    assert reaches(win, left, draws, load_tables()) == answer
