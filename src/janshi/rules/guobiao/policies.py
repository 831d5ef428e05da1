"""Players that live inside the kernels, for playouts: random-legal, draw-and-discard and shanten-greedy.

They read the state for speed, but nothing in it that their player cannot see.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.core import rng
from janshi.core._jit import kernel
from janshi.core.shanten import count_bits, shanten_standard
from janshi.core.tiles import COPIES, EAST, NUM_KINDS, RANKS
from janshi.rules.guobiao import actions as act
from janshi.rules.guobiao.legal import is_legal
from janshi.rules.guobiao.state import NONE, TURN, Context

RANDOM, DISCARD, GREEDY = 0, 1, 2
POLICIES: Final = {"random": RANDOM, "discard": DISCARD, "greedy": GREEDY}
"""Policies by name."""
STREAM: Final = 1
"""Keeps the players' random numbers apart from the walls'."""


@kernel
def choose(s: Any, player: int, policy: int, word: np.uint64, c: Context) -> int:
    """The action of a policy for an asked player; `word` is a fresh random word."""
    if policy == RANDOM:
        return choose_random(s, player, word)
    if is_legal(s, player, act.HU):
        return act.HU
    if s.phase != TURN:
        return act.PASS
    if policy == DISCARD:
        return choose_drawn(s, player)
    return choose_greedy(s, player, c)


@kernel
def choose_random(s: Any, player: int, word: np.uint64) -> int:
    """One of the legal actions, evenly."""
    total = 0
    for i in range(act.WORDS):
        total += count_bits(int(s.legal[player, i]))
    skip = np.int64(((word >> np.uint64(32)) * np.uint64(total)) >> np.uint64(32))
    for i in range(act.WORDS):
        bits = int(s.legal[player, i])
        count = count_bits(bits)
        if skip < count:
            for _ in range(skip):
                bits &= bits - 1
            return act.WORD * i + count_bits((bits & -bits) - 1)
        skip -= count
    return act.PASS


@kernel
def choose_drawn(s: Any, player: int) -> int:
    """Play what was drawn; after a call, or if there is nothing drawn, the last tile of the hand."""
    if s.drawn != NONE:
        return act.PLAY + int(s.drawn)
    kind = NUM_KINDS - 1
    while s.hand[player, kind] == 0:
        kind -= 1
    return act.PLAY + kind


@kernel
def choose_greedy(s: Any, player: int, c: Context) -> int:
    """Play for least shanten of four sets and a pair, then most useful tiles left, then the outermost tile."""
    best, best_value = NONE, -1
    hand, melds = s.hand[player], int(s.melds[player])
    target = int(shanten_standard(hand, melds, c.tables))
    for kind in range(NUM_KINDS):
        if hand[kind] > 0:
            hand[kind] -= 1
            value = outwardness(kind)
            if shanten_standard(hand, melds, c.tables) == target:
                value += 16 * (1 + count_useful(s, player, target, c))
            hand[kind] += 1
            if value > best_value:
                best, best_value = kind, value
    return act.PLAY + best


@kernel
def count_useful(s: Any, player: int, target: int, c: Context) -> int:
    """Unseen tiles that bring the hand of 13 - 3n tiles nearer than `target`."""
    useful = 0
    hand, melds = s.hand[player], int(s.melds[player])
    for kind in range(NUM_KINDS):
        unseen = COPIES - int(s.seen[kind]) - int(hand[kind])
        if unseen > 0:
            hand[kind] += 1
            if shanten_standard(hand, melds, c.tables) < target:
                useful += unseen
            hand[kind] -= 1
    return useful


@kernel
def outwardness(kind: int) -> int:
    """How little a tile serves: 5 for honours, 4 for terminals, down to 0 for fives."""
    if kind >= EAST:
        return 5
    return abs(kind % RANKS - 4)


@kernel
def fresh_word(stream: Any) -> np.uint64:
    """The next word of a random stream kept in an array of one word."""
    stream[0], word = rng.draw_word(stream[0])
    return word


@kernel
def choose_at(states: Any, player: int, policy: int, stream: Any, frame: Any, tables: Any) -> int:
    """The action of a policy for an asked player of the first of the tables; advances the random stream."""
    c = Context(frame[0].rules, tables[0], frame[0].win, frame[0].score)
    return choose(states[0], player, policy, fresh_word(stream), c)


class KernelPlayer:
    """A built-in policy that plays at a `Table`: `player(table, seat)` is its answer."""

    def __init__(self, policy: str, seed: int = 0) -> None:
        self.policy = policy_number(policy)
        self._stream = np.array([rng.key(np.uint64(seed % 2**64), 0, STREAM)], np.uint64)

    def __call__(self, table: Any, player: int) -> int:
        """Answer for an asked player."""
        return int(choose_at(table._states, player, self.policy, self._stream, *table._context))


def policy_number(name: str) -> int:
    """Find a kernel policy by name."""
    if name not in POLICIES:
        raise ValueError(f"no kernel policy is called {name!r}; there are {', '.join(POLICIES)}")
    return POLICIES[name]
