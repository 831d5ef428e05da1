"""Players that live inside the kernels, for playouts: random-legal, tsumogiri and shanten-greedy.

They read the state for speed, but nothing in it that their player cannot see.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from janshi.core import rng
from janshi.core._jit import kernel
from janshi.core.tiles import EAST, FIRST_RED, NUM_KINDS, RANKS
from janshi.core.ukeire import ukeire_discards
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.concealed import holds_red, kind_of, plain_count, red_of
from janshi.rules.riichi.legal import is_legal
from janshi.rules.riichi.state import NONE, TURN, Context

RANDOM, TSUMOGIRI, GREEDY = 0, 1, 2
POLICIES: Final = {"random": RANDOM, "tsumogiri": TSUMOGIRI, "greedy": GREEDY}
"""Policies by name."""
STREAM: Final = 1
"""Keeps the players' random numbers apart from the walls'."""


class Mind(NamedTuple):
    """Scratch space of a policy. Not shared between threads."""

    visible: Any  # int8[34]
    distance: Any  # int8[34]
    useful: Any  # int16[34]


def new_mind() -> Mind:
    """Make scratch space for policies."""
    return Mind(np.zeros(NUM_KINDS, np.int8), np.zeros(NUM_KINDS, np.int8), np.zeros(NUM_KINDS, np.int16))


@kernel
def choose(s: Any, player: int, policy: int, stream: np.uint64, c: Context, mind: Mind) -> int:
    """The action of a policy for an asked player; `stream` is a fresh random word."""
    if policy == RANDOM:
        return choose_random(s, player, stream)
    if policy == TSUMOGIRI:
        return choose_tsumogiri(s, player)
    return choose_greedy(s, player, c, mind)


@kernel
def choose_at(states: Any, player: int, policy: int, stream: Any, mind: Mind, frame: Any, tables: Any) -> int:
    """The action of a policy for an asked player of the first of the tables; advances the random stream."""
    c = Context(frame[0].rules, tables[0], frame[0].win, frame[0].score)
    return choose(states[0], player, policy, fresh_word(stream), c, mind)


class KernelPlayer:
    """A built-in policy that plays at a `Table`: `player(table, seat)` is its answer."""

    def __init__(self, policy: str, seed: int = 0) -> None:
        self.policy = policy_number(policy)
        self._stream = np.array([rng.key(np.uint64(seed % 2**64), 0, STREAM)], np.uint64)
        self._mind = new_mind()

    def __call__(self, table: Any, player: int) -> int:
        """Answer for an asked player."""
        return int(choose_at(table._states, player, self.policy, self._stream, self._mind, *table._context))


def policy_number(name: str) -> int:
    """Find a kernel policy by name."""
    if name not in POLICIES:
        raise ValueError(f"no kernel policy is called {name!r}; there are {', '.join(POLICIES)}")
    return POLICIES[name]


@kernel
def count_ones(bits: int) -> int:
    """How many bits are set."""
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


@kernel
def lowest_bit(bits: int) -> int:
    """Place of the lowest set bit, by halving (bits below 60)."""
    place = 0
    for width in (32, 16, 8, 4, 2, 1):
        if bits & ((1 << width) - 1) == 0:
            bits >>= width
            place += width
    return place


@kernel
def choose_random(s: Any, player: int, word: np.uint64) -> int:
    """One of the legal actions, evenly."""
    low, high = int(s.legal[player, 0]), int(s.legal[player, 1])
    in_low = count_ones(low)
    total = np.uint64(in_low + count_ones(high))
    skip = np.int64(((word >> np.uint64(32)) * total) >> np.uint64(32))
    bits, offset = low, 0
    if skip >= in_low:
        bits, offset, skip = high, act.HALF, skip - in_low
    for _ in range(skip):
        bits &= bits - 1
    return offset + lowest_bit(bits)


@kernel
def choose_tsumogiri(s: Any, player: int) -> int:
    """Discard what was drawn, call nothing, never win."""
    return act.TSUMOGIRI if s.phase == TURN else act.PASS


@kernel
def choose_greedy(s: Any, player: int, c: Context, mind: Mind) -> int:
    """Win if possible, declare riichi if tenpai, call nothing, else discard for least shanten and most useful tiles."""
    if s.phase != TURN:
        return act.RON if is_legal(s, player, act.RON) else act.PASS
    for action in (act.TSUMO, act.NINE_TERMINALS, act.RIICHI):
        if is_legal(s, player, action):
            return action
    if s.riichi[player]:
        return act.TSUMOGIRI
    return discard_of(s, player, best_discard(s, player, c, mind))


@kernel
def best_discard(s: Any, player: int, c: Context, mind: Mind) -> int:
    """The kind to discard: least shanten after it, then most useful tiles left, then the outermost tile."""
    for kind in range(NUM_KINDS):
        mind.visible[kind] = s.seen[kind] + s.hand[player, kind]
    ukeire_discards(s.hand[player], int(s.melds[player]), mind.visible, c.tables, mind.distance, mind.useful)
    best, best_value = 0, -1
    for kind in range(NUM_KINDS):
        value = (1 + int(mind.useful[kind])) * 16 + outwardness(kind)
        if s.hand[player, kind] > 0 and value > best_value and discard_of(s, player, kind) != NONE:
            best, best_value = kind, value
    return best


@kernel
def outwardness(kind: int) -> int:
    """How little a tile serves: 5 for honours, 4 for terminals, down to 0 for fives."""
    if kind >= EAST:
        return 5
    return abs(kind % RANKS - 4)


@kernel
def discard_of(s: Any, player: int, kind: int) -> int:
    """The legal action that discards a kind: drawn rather than from the hand, plain rather than red; or NONE."""
    drawn = int(s.drawn)
    keeps_red = plain_count(s, player, kind) > 0
    if drawn != NONE and kind_of(drawn) == kind and not (keeps_red and drawn >= FIRST_RED):
        return act.TSUMOGIRI if is_legal(s, player, act.TSUMOGIRI) else NONE
    tile = red_of(kind) if holds_red(s, player, kind) and not keeps_red else kind
    return tile if is_legal(s, player, tile) else NONE


@kernel
def fresh_word(stream: Any) -> np.uint64:
    """The next word of a random stream kept in an array of one word."""
    stream[0], word = rng.draw_word(stream[0])
    return word
