"""Players that live inside the kernels, for playouts: random-legal, greedy for any win, and greedy for points.

They read the state for speed, but nothing in it that their player cannot see.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.core import rng
from janshi.core._jit import kernel
from janshi.rules.simplified.actions import CHI, HU, KONG, PASS, PONG
from janshi.rules.simplified.distance import (
    ALL_PUNGS,
    FLUSH,
    HONOUR_PUNG,
    PLAIN,
    STRAIGHT,
    distances,
    meld_fact,
    meld_facts,
    plain_distance,
)
from janshi.rules.simplified.legal import is_legal
from janshi.rules.simplified.shapes import FAR
from janshi.rules.simplified.state import CHI_MELD, KONG_MELD, PONG_MELD, TURN, Context
from janshi.rules.simplified.tiles import COPIES, NUM_KINDS

RANDOM, GREEDY, VALUED = 0, 1, 2
POLICIES: Final = {"random": RANDOM, "greedy": GREEDY, "valued": VALUED}
"""Policies by name."""
STREAM: Final = 1
"""Keeps the players' random numbers apart from the walls'."""
CHANCE: Final = 0.25
"""What a hand is taken to be worth for each tile it lacks, of what it is worth without."""
POWERS: Final = tuple(CHANCE**lack for lack in range(FAR + 1))


def policy_number(name: str) -> int:
    """Find a kernel policy by name."""
    if name not in POLICIES:
        raise ValueError(f"no kernel policy is called {name!r}; there are {', '.join(POLICIES)}")
    return POLICIES[name]


@kernel
def choose(s: Any, player: int, policy: int, word: np.uint64, c: Context) -> int:
    """The action of a policy for an asked player; `word` is a fresh random word."""
    if policy == RANDOM:
        return choose_random(int(s.legal[player]), word)
    if policy == GREEDY:
        return choose_greedy(s, player, c)
    return choose_valued(s, player, c)


@kernel
def choose_random(legal: int, word: np.uint64) -> int:
    """One of the legal actions, evenly."""
    count, bits = 0, legal
    while bits:
        bits &= bits - 1
        count += 1
    skip = np.int64(((word >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))
    for _ in range(skip):
        legal &= legal - 1
    action = 0
    while (legal >> action) & 1 == 0:
        action += 1
    return action


@kernel
def choose_greedy(s: Any, player: int, c: Context) -> int:
    """Win if possible, call what brings the hand nearer to any win, declare no kong, discard for least distance."""
    if is_legal(s, player, HU):
        return HU
    if s.phase == TURN:
        return best_discard(s, player, c)
    sets = int(c.rules.sets) - int(s.melds[player])
    least, best = plain_distance(int(s.code[player]), sets, c.shapes), PASS
    for action in range(CHI, PONG + 1):
        if is_legal(s, player, action):
            after = plain_distance(after_call(int(s.code[player]), int(s.tile), action), sets - 1, c.shapes)
            if after < least:
                least, best = after, action
    return best


@kernel
def after_call(code: int, kind: int, action: int) -> int:
    """The concealed tiles left after a call of `kind`."""
    code += 1 << (2 * kind)
    for i in range(COPIES):
        code -= 1 << (2 * (kind if action == PONG else kind - (action - CHI) + i))
    return code


@kernel
def best_discard(s: Any, player: int, c: Context) -> int:
    """The kind to discard: least distance after it, then most tiles left that bring it nearer."""
    sets = int(c.rules.sets) - int(s.melds[player])
    code = int(s.code[player])
    best, best_value = 0, -1
    for kind in range(NUM_KINDS):
        if s.hand[player, kind] > 0:
            value = worth(s, player, code - (1 << (2 * kind)), sets, c)
            if value > best_value:
                best, best_value = kind, value
    return best


@kernel
def worth(s: Any, player: int, code: int, sets: int, c: Context) -> int:
    """How good concealed tiles are: near to a win first, then with many useful tiles not yet seen."""
    distance = plain_distance(code, sets, c.shapes)
    useful = 0
    for kind in range(NUM_KINDS):
        live = COPIES - int(s.seen[kind]) - int(s.hand[player, kind])
        if live > 0 and plain_distance(code + (1 << (2 * kind)), sets, c.shapes) < distance:
            useful += live
    return 64 * (16 - distance) + useful


@kernel
def choose_valued(s: Any, player: int, c: Context) -> int:
    """Win if possible; else what leaves the hand most valuable, one draw ahead, kongs included."""
    if is_legal(s, player, HU):
        return HU
    room = np.zeros(PLAIN + 1, np.int64)
    facts, sets, code = meld_facts(s, player), int(c.rules.sets) - int(s.melds[player]), int(s.code[player])
    if s.phase == TURN:
        return best_turn(s, player, code, facts, sets, c, room)
    best, most = PASS, ahead(s, player, code, facts, sets, c, room)
    for action in range(CHI, PONG + 1):
        if is_legal(s, player, action):
            kind = int(s.tile)
            fact = meld_fact(PONG_MELD if action == PONG else CHI_MELD, kind if action == PONG else kind - action + CHI)
            after = value(after_call(code, kind, action), facts | fact, sets - 1, c, room)
            if after > most:
                best, most = action, after
    return best


@kernel
def best_turn(s: Any, player: int, code: int, facts: int, sets: int, c: Context, room: Any) -> int:
    """The discard or kong of the player whose turn it is."""
    best, most = 0, -1.0
    for kind in range(NUM_KINDS):
        if is_legal(s, player, kind):
            after = ahead(s, player, code - (1 << (2 * kind)), facts, sets, c, room)
            if after > most:
                best, most = kind, after
    now = value(code, facts, sets, c, room)
    for kind in range(NUM_KINDS):
        if is_legal(s, player, KONG + kind):
            left = code - (COPIES << (2 * kind))
            more = value(left, facts | meld_fact(KONG_MELD, kind), sets - 1, c, room)
            if more + int(c.rules.kong) * POWERS[room[PLAIN]] > now:
                return KONG + kind
    return best


@kernel
def ahead(s: Any, player: int, code: int, facts: int, sets: int, c: Context, room: Any) -> float:
    """The value of concealed tiles after one more, averaged over the tiles the player has not seen."""
    total, tiles = 0.0, 0
    for kind in range(NUM_KINDS):
        live = COPIES - int(s.seen[kind]) - int(s.hand[player, kind])
        if live > 0:
            total += live * value(code + (1 << (2 * kind)), facts, sets, c, room)
            tiles += live
    return total / max(tiles, 1)


@kernel
def value(code: int, facts: int, sets: int, c: Context, room: Any) -> float:
    """Points of the hands within reach, each less by CHANCE for every tile lacking; writes distances into `room`."""
    r = c.rules
    distances(code, facts, sets, c.shapes, room)
    total = 2 * int(r.basic) * POWERS[room[PLAIN]]
    total += int(r.honour_pung) * POWERS[room[HONOUR_PUNG]]
    total += int(r.straight) * POWERS[room[STRAIGHT]]
    total += int(r.all_pungs) * POWERS[room[ALL_PUNGS]]
    return total + int(r.flush) * POWERS[room[FLUSH]]


@kernel
def fresh_word(stream: Any) -> np.uint64:
    """The next word of a random stream kept in an array of one word."""
    stream[0], word = rng.draw_word(stream[0])
    return word


@kernel
def choose_at(states: Any, player: int, policy: int, stream: Any, rules: Any, shapes: Any) -> int:
    """The action of a policy for an asked player of the first of the tables; advances the random stream."""
    return choose(states[0], player, policy, fresh_word(stream), Context(rules[0], shapes[0]))


class KernelPlayer:
    """A built-in policy that plays at a `Table`: `player(table, seat)` is its answer."""

    def __init__(self, policy: str, seed: int = 0) -> None:
        self.policy = policy_number(policy)
        self._stream = np.array([rng.key(np.uint64(seed % 2**64), 0, STREAM)], np.uint64)

    def __call__(self, table: Any, player: int) -> int:
        """Answer for an asked player."""
        return int(choose_at(table._states, player, self.policy, self._stream, *table._context))
