"""Paper 4's search model for the simplified game: every complete hand, weighted by the chance of getting its tiles.

The value of a hand is the sum, over all complete hands that keep its melds, of what they pay times the product of the
chances of the missing tiles (Li et al. 2022, section V). Nothing is pruned: a complete hand is one pattern for each
suit and one for the honours, and points are additive, so the sum over all hands is a sum of products of three short
sums.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from janshi.core._jit import kernel
from janshi.rules.game import Array
from janshi.rules.simplified.actions import CHI, HU, KONG, NUM_ACTIONS, PASS, PONG
from janshi.rules.simplified.distance import HAS_CHI, HAS_HONOURS, HAS_SUIT, SHIFTS, has_straight, meld_fact
from janshi.rules.simplified.ruleset import Ruleset
from janshi.rules.simplified.shapes import ANY, CELLS, LOW, PUNGS, Pattern, honour_patterns, suit_patterns
from janshi.rules.simplified.state import CHI_MELD, KONG_MELD, PLAYERS, PONG_MELD
from janshi.rules.simplified.tiles import COPIES, EAST, NUM_KINDS, RANKS, SUITS

DRAWS: Final = 0.25
"""Default number of tries at each missing tile per draw; measured in `docs/search.md`."""
SUMS: Final = 3
ALL, NO_RUNS, SPECIAL = range(SUMS)
"""Sums of a suit's patterns: all, those without a sequence, those with a straight (honours: with a pung)."""
SELF_DRAWN: Final = 1 / 3
"""Share of wins by self-draw, when the fan are paid twice."""


class Hands(NamedTuple):
    """Distinct patterns of a suit and of the honours, and the payments: what kernels need besides a view."""

    suit_counts: Any  # int64[m, 6]
    suit_cells: Any
    suit_modes: Any
    honour_counts: Any  # int64[k, 2]
    honour_cells: Any
    honour_modes: Any
    sets: int
    basic: float
    honour_pung: float
    straight: float
    flush: float
    all_pungs: float
    kong: float
    draws: float
    literal: bool
    """Whether chances are shares of what is left, and a hand is worth its points once."""


def make_hands(rules: Ruleset, draws: float, literal: bool = False) -> Hands:
    """The patterns and payments of some rules; `draws` and `literal` as in `fill_chances`."""
    fan, payers = (1.0, 1) if literal else (1 + SELF_DRAWN, PLAYERS - 1)
    values = (rules.honour_pung, rules.straight, rules.flush, rules.all_pungs, rules.kong)
    pay = [fan * value for value in values]
    basic = float(payers * rules.basic)
    return Hands._make((*unique_patterns(rules.sets), rules.sets, basic, *pay, draws, literal))


@cache
def unique_patterns(sets: int) -> tuple[Any, ...]:
    """Counts, cells and modes of the patterns of suits and honours with at most this many sets, equal ones merged."""
    return (*_join(suit_patterns(), sets), *_join(honour_patterns(), sets))


def _join(patterns: list[Pattern], sets: int) -> tuple[Any, Any, Any]:
    found: dict[tuple[tuple[int, ...], int], int] = {}
    for counts, cell, modes in patterns:
        if cell // 2 <= sets:
            found[counts, cell] = found.get((counts, cell), 0) | modes
    counts, cells = zip(*found)
    return np.array(counts, np.int64), np.array(cells, np.int64), np.array(list(found.values()), np.int64)


@kernel
def fill_chances(live: Array, left: int, h: Hands, chances: Array) -> None:
    """Write the chance of getting 0 to 3 tiles of each kind, float64[14, 4], one after the other.

    `live` counts the unseen tiles of each kind. A player gets a third of the tiles that are `left`; each of these draws
    counts for `draws` tries at every missing tile: less than one, because the missing tiles share the draws. In the
    literal form a tile's chance is its share of the unseen ones.
    """
    unseen = 0
    for kind in range(NUM_KINDS):
        unseen += live[kind]
    tries = h.draws * (1.0 + left / PLAYERS)
    for kind in range(NUM_KINDS):
        chances[kind, 0] = 1.0
        for more in range(COPIES):
            share = max(live[kind] - more, 0) / max(unseen, 1)
            chance = share if h.literal else 1.0 - (1.0 - share) ** tries
            chances[kind, more + 1] = chances[kind, more] * chance


@kernel
def fill_sums(counts: Array, cells: Array, modes: Array, hand: Array, chances: Array, facts: int, sums: Array) -> None:
    """Write a suit's sums of chances by cell, float64[3, CELLS]; `facts` are its melds, -1 for honours."""
    sums[:] = 0.0
    for i in range(len(counts)):
        weight = 1.0
        for rank in range(counts.shape[1]):
            weight *= chances[rank, max(counts[i, rank] - hand[rank], 0)]
        if weight > 0.0:
            special = has_straight(modes[i], facts) if facts >= 0 else (modes[i] >> LOW) & 1 != 0
            sums[ALL, cells[i]] += weight
            sums[NO_RUNS, cells[i]] += weight * ((modes[i] >> PUNGS) & 1)
            sums[SPECIAL, cells[i]] += weight * int(special)


@kernel
def hand_value(hand: Array, facts: int, kongs: int, sets: int, chances: Array, h: Hands, sums: Array) -> float:
    """The sum of chance × points over all complete hands of `sets` more sets and a pair; `sums` is scratch space."""
    for suit in range(SUITS):
        a, b = RANKS * suit, RANKS * suit + RANKS
        own = facts >> SHIFTS[suit]
        fill_sums(h.suit_counts, h.suit_cells, h.suit_modes, hand[a:b], chances[a:b], own, sums[suit])
    fill_sums(h.honour_counts, h.honour_cells, h.honour_modes, hand[EAST:], chances[EAST:], -1, sums[SUITS])
    total = flush_value(facts, sets, h, sums)
    for first in range(sets + 1):
        for second in range(sets + 1 - first):
            for pair in range(SUITS + 1):
                total += split_value(
                    2 * first + int(pair == 0),
                    2 * second + int(pair == 1),
                    2 * (sets - first - second) + int(pair == SUITS),
                    facts,
                    kongs,
                    h,
                    sums,
                )
    return total


@kernel
def split_value(dots: int, bamboo: int, honours: int, facts: int, kongs: int, h: Hands, sums: Array) -> float:
    """The sum over the complete hands with these cells of dots, bamboo and honours, flushes aside."""
    d, b, z = sums[0], sums[1], sums[2]
    plain = d[ALL, dots] * b[ALL, bamboo]
    pung = z[ALL, honours] if facts & HAS_HONOURS else z[SPECIAL, honours]
    total = plain * ((h.basic + kongs * h.kong) * z[ALL, honours] + h.honour_pung * pung)
    straights = d[SPECIAL, dots] * b[ALL, bamboo] + d[ALL, dots] * b[SPECIAL, bamboo]
    total += h.straight * straights * z[ALL, honours]
    if facts & HAS_CHI == 0:
        total += h.all_pungs * d[NO_RUNS, dots] * b[NO_RUNS, bamboo] * z[ALL, honours]
    return float(total)


@kernel
def flush_value(facts: int, sets: int, h: Hands, sums: Array) -> float:
    """What flushes add: all missing sets and the pair in the one suit that the melds allow."""
    total = 0.0
    if facts & HAS_HONOURS == 0:
        for suit in range(SUITS):
            if facts >> SHIFTS[1 - suit] & HAS_SUIT == 0:
                total += h.flush * sums[suit, ALL, 2 * sets + 1]
    return total


@kernel
def best_play(
    hand: Array, facts: int, kongs: int, sets: int, chances: Array, h: Hands, sums: Array
) -> tuple[float, int]:
    """The best value of a hand of 3 × sets + 2 tiles after a discard, and the kind to discard."""
    most, best = -1.0, -1
    for kind in range(NUM_KINDS):
        if hand[kind] > 0:
            hand[kind] -= 1
            value = hand_value(hand, facts, kongs, sets, chances, h, sums)
            hand[kind] += 1
            if value > most:
                most, best = value, kind
    return most, best


@kernel
def call_value(
    action: int, tile: int, hand: Array, facts: int, kongs: int, sets: int, chances: Array, h: Hands, sums: Array
) -> float:
    """The value of a chi or pong of `tile`, the best discard after it included."""
    low = tile if action == PONG else tile - (action - CHI)
    step = 0 if action == PONG else 1
    hand[tile] += 1
    for i in range(3):
        hand[low + step * i] -= 1
    facts |= meld_fact(PONG_MELD if action == PONG else CHI_MELD, low)
    value, _ = best_play(hand, facts, kongs, sets - 1, chances, h, sums)
    for i in range(3):
        hand[low + step * i] += 1
    hand[tile] -= 1
    return value


@kernel
def turn_values(
    legal: int, hand: Array, facts: int, kongs: int, sets: int, chances: Array, h: Hands, sums: Array, out: Array
) -> None:
    """Write the values of discards and kongs on the player's turn."""
    for kind in range(NUM_KINDS):
        if (legal >> kind) & 1:
            hand[kind] -= 1
            out[kind] = hand_value(hand, facts, kongs, sets, chances, h, sums)
            hand[kind] += 1
        if (legal >> (KONG + kind)) & 1:
            hand[kind] -= COPIES
            more = facts | meld_fact(KONG_MELD, kind)
            out[KONG + kind], _ = best_play(hand, more, kongs + 1, sets - 1, chances, h, sums)
            hand[kind] += COPIES


@kernel
def action_values(v: Any, h: Hands, out: Array) -> None:
    """Write the value of every legal action of one view, float64[34]: points a win is expected to bring.

    Illegal actions get -1, hu more than anything else. A call replaces a draw, so a player who passes has one more
    draw.
    """
    out[:] = -1.0
    hand, live = np.zeros(NUM_KINDS, np.int64), np.zeros(NUM_KINDS, np.int64)
    chances, sums = np.zeros((NUM_KINDS, COPIES + 1)), np.zeros((SUITS + 1, SUMS, CELLS))
    for kind in range(NUM_KINDS):
        hand[kind] = v.hand[kind]
        live[kind] = COPIES - int(v.hand[kind]) - int(v.seen[kind])
    fill_chances(live, int(v.left), h, chances)
    facts, kongs = 0, 0
    for i in range(int(v.melds[0])):
        facts |= meld_fact(int(v.meld_type[0, i]), int(v.meld_kind[0, i]))
        kongs += int(v.meld_type[0, i] == KONG_MELD)
    legal, sets = int(v.legal), h.sets - int(v.melds[0])
    if (legal >> PASS) & 1:
        fill_chances(live, int(v.left) + PLAYERS, h, chances)
        out[PASS] = hand_value(hand, facts, kongs, sets, chances, h, sums)
        fill_chances(live, int(v.left), h, chances)
        for action in range(CHI, PONG + 1):
            if (legal >> action) & 1:
                out[action] = call_value(action, int(v.tile), hand, facts, kongs, sets, chances, h, sums)
    else:
        turn_values(legal, hand, facts, kongs, sets, chances, h, sums, out)
    if (legal >> HU) & 1:
        out[HU] = np.inf


@kernel
def choose_actions(views: Array, h: Hands, actions: Array) -> None:
    """Write the action with the highest value for each view; the first of equals."""
    values = np.zeros(NUM_ACTIONS)
    for i in range(len(views)):
        action_values(views[i], h, values)
        actions[i] = np.argmax(values)


assert ANY == 0, "every pattern has the mode ANY, so sums need not check"
