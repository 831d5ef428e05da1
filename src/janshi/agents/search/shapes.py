"""Kernels for the special winning hands of Guobiao: the values of all hands of a shape, summed.

Seven pairs, thirteen orphans, and honours and knitted tiles are determined by the kinds they hold. All are worth more
than eight fan, so we count the minimum they pay, and the sum over all choices of kinds takes one pass over the kinds.
Knitted straights come with a set and a pair and are searched like other hands.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from janshi.agents.search.targets import OWN, SELF_DRAWN, TOTAL, Search, pay_terms, search_sets
from janshi.core._jit import kernel
from janshi.core.tiles import EAST, HONOURS, NUM_KINDS, RANKS
from janshi.rules.game import Array
from janshi.rules.guobiao import fans as f
from janshi.rules.guobiao.evaluate import KNITTED

PAIRS: Final = 7
TILES: Final = 14
PAIRS_FAN: Final = float(f.FANS[f.PAIRS].value)
ORPHANS_FAN: Final = float(f.FANS[f.ORPHANS].value)
KNITTED_FAN: Final = float(f.FANS[f.LESSER_KNITTED].value)
KNITTED_KINDS: Final = RANKS + HONOURS
ORPHANS: Final = np.array([0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33], np.int64)
STRAIGHTS: Final = np.array(
    [[RANKS * suit + way[suit] + 3 * i for suit in range(3) for i in range(3)] for way in KNITTED], np.int64
)
"""The nine kinds of each knitted straight."""
LUCK: Final = 2.0
"""How much likelier the last tile is than one that has to be drawn."""


@kernel
def shape_pay(s: Search, fan: float) -> float:
    """Average payment for a shape of this many fan, over discards and self-draws."""
    base, times = pay_terms(s)
    return base + (1.0 - SELF_DRAWN + times * SELF_DRAWN) * fan


@kernel
def tile_chance(s: Search, kind: int, held: int, wanted: int) -> float:
    """The chance of going from `held` to `wanted` tiles of a kind by one's own draws."""
    chance = 1.0
    for lacking in range(1, wanted - held + 1):
        chance *= s.chances[OWN, kind, lacking]
    return chance


@kernel
def choose_sum(chances: Array, number: int, wanted: int, room: Array) -> float:
    """The sum, over all choices of `wanted` among the first `number` chances, of their products."""
    room[:] = 0.0
    room[0] = 1.0
    for i in range(number):
        for n in range(min(i + 1, wanted), 0, -1):
            room[n] += room[n - 1] * chances[i]
    return float(room[wanted])


@kernel
def pairs_value(s: Search, limit: int, chances: Array, room: Array) -> float:
    """The value of seven pairs of kinds held; four of a kind count as two pairs."""
    number, lacking = 0, PAIRS
    for kind in range(NUM_KINDS):
        held = s.hand[kind]
        lacking -= held // 2
        for wanted in range(2, held + 2, 2):
            chances[number] = tile_chance(s, kind, held, wanted)
            number += 1
    if lacking > limit:
        return 0.0
    return shape_pay(s, PAIRS_FAN) * choose_sum(chances, number, PAIRS, room)


@kernel
def orphans_value(s: Search, limit: int) -> float:
    """The value of thirteen orphans."""
    lacking, chance, pairs, paired = len(ORPHANS) + 1, 1.0, 0.0, 0
    for kind in ORPHANS:
        held = s.hand[kind]
        lacking -= min(held, 1)
        paired |= int(held > 1)
        chance *= tile_chance(s, kind, held, 1)
        pairs += s.chances[OWN, kind, 2 - held] if held < 2 else 1.0
    if lacking - paired > limit:
        return 0.0
    return shape_pay(s, ORPHANS_FAN) * chance * pairs


@kernel
def knitted_value(s: Search, limit: int, chances: Array, room: Array) -> float:
    """The value of honours and knitted tiles, all different: fourteen of sixteen kinds, for each knitted straight."""
    total = 0.0
    for way in range(len(STRAIGHTS)):
        lacking = TILES
        for i in range(KNITTED_KINDS):
            kind = STRAIGHTS[way, i] if i < RANKS else EAST + i - RANKS
            lacking -= min(s.hand[kind], 1)
            chances[i] = tile_chance(s, kind, s.hand[kind], 1)
        if lacking <= limit:
            total += shape_pay(s, KNITTED_FAN) * choose_sum(chances, KNITTED_KINDS, TILES, room)
    return total


@kernel
def note_shape(s: Search, value: float, number: int, fan: float) -> None:
    """Note a shape that is worth `value`."""
    chance = value / shape_pay(s, fan)
    s.noted[number] += chance
    s.weight += chance
    s.fan += chance * fan


@kernel
def search_shapes(s: Search, limit: int) -> None:
    """Add the values of these shapes, within the limit, to those of the hand and its discards."""
    chances, room = np.zeros(NUM_KINDS), np.zeros(TILES + 1)
    for kind in range(NUM_KINDS + 1):
        if kind < TOTAL and s.hand[kind] == 0:
            continue
        if kind < TOTAL:
            s.hand[kind] -= 1
        luck = 1.0 if s.literal else LUCK
        pairs, orphans = luck * pairs_value(s, limit, chances, room), luck * orphans_value(s, limit)
        knitted = luck * knitted_value(s, limit, chances, room)
        value = pairs + orphans + knitted
        if s.noting and kind == TOTAL:
            note_shape(s, pairs, f.PAIRS, PAIRS_FAN)
            note_shape(s, orphans, f.ORPHANS, ORPHANS_FAN)
            note_shape(s, knitted, f.LESSER_KNITTED, KNITTED_FAN)
        if kind < TOTAL:
            s.hand[kind] += 1
        s.values[kind] += value
        s.enough += int(value > 0.0)


@kernel
def search_knitted(s: Search, melds: int, limit: int, most: int) -> None:
    """Value the targets with a knitted straight, a pair and, if there is no meld, a set."""
    for way in range(len(STRAIGHTS)):
        s.need[:] = 0
        lacking, chance = 0, 1.0
        for kind in STRAIGHTS[way]:
            s.need[kind] = 1
            lacking += int(s.hand[kind] == 0)
            chance *= tile_chance(s, kind, s.hand[kind], 1)
        if lacking <= limit and chance > 0.0:
            s.lack[0] = lacking
            s.open_chance[0] = s.own_chance[0] = chance
            search_sets(s, 1 - melds, limit, most)
