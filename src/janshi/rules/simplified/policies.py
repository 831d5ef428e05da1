"""Players that live inside the kernels, for playouts and agents: random-legal, drawn, greedy for any win or for points.

A policy answers a `Question`, which is taken from a state (for speed, inside playouts) or from a view: both hold the
same data, so each policy is written once.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

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
from janshi.rules.simplified.shapes import FAR
from janshi.rules.simplified.state import CHI_MELD, KONG_MELD, NONE, PONG_MELD, TURN, Context
from janshi.rules.simplified.tiles import COPIES, NUM_KINDS

RANDOM, GREEDY, VALUED, TSUMOGIRI = 0, 1, 2, 3
POLICIES: Final = {"random": RANDOM, "greedy": GREEDY, "valued": VALUED, "tsumogiri": TSUMOGIRI}
"""Policies by name."""
STREAM: Final = 1
"""Separates the players' random numbers from those of the walls."""
CHANCE: Final = 0.25
"""Factor on the worth of a hand for each missing tile."""
POWERS: Final = tuple(CHANCE**lack for lack in range(FAR + 1))


def policy_number(name: str) -> int:
    """Find a kernel policy by name."""
    if name not in POLICIES:
        raise ValueError(f"no kernel policy is called {name!r}; there are {', '.join(POLICIES)}")
    return POLICIES[name]


class Question(NamedTuple):
    """A decision as policies read it: what the asked player holds, sees and may do."""

    legal: int  # legal actions as bits
    turn: bool  # the player's own turn, not a reaction
    drawn: int  # kind, or NONE
    tile: int  # the discard reacted to, or NONE
    melds: int
    facts: int  # of the melds, if the policy needs them
    code: int  # the concealed hand, two bits a kind
    hand: Any  # int8[14]
    seen: Any  # int8[14], tiles everybody sees


@kernel
def question_of_state(s: Any, player: int, policy: int) -> Question:
    """The question put to an asked player of a state."""
    facts = meld_facts(s, player) if policy == VALUED else 0
    legal, melds, code = int(s.legal[player]), int(s.melds[player]), int(s.code[player])
    return Question(legal, s.phase == TURN, int(s.drawn), int(s.tile), melds, facts, code, s.hand[player], s.seen)


@kernel
def question_of_view(v: Any, policy: int) -> Question:
    """The question put to the viewer, who is asked."""
    facts = meld_facts(v, 0) if policy == VALUED else 0
    code = 0
    for kind in range(NUM_KINDS):
        code += int(v.hand[kind]) << (2 * kind)
    return Question(
        int(v.legal), v.phase == TURN, int(v.drawn), int(v.tile), int(v.melds[0]), facts, code, v.hand, v.seen
    )


@kernel
def choose(s: Any, player: int, policy: int, word: np.uint64, c: Context) -> int:
    """The action of a policy for an asked player; `word` is a fresh random word."""
    return answer_question(question_of_state(s, player, policy), policy, word, c)


@kernel
def choose_viewed(v: Any, policy: int, word: np.uint64, c: Context) -> int:
    """The action of a policy for the viewer, who is asked; `word` is a fresh random word."""
    return answer_question(question_of_view(v, policy), policy, word, c)


@kernel
def answer_question(q: Question, policy: int, word: np.uint64, c: Context) -> int:
    """The action of a policy."""
    if policy == RANDOM:
        return choose_random(q.legal, word)
    if policy == GREEDY:
        return choose_greedy(q, c)
    if policy == VALUED:
        return choose_valued(q, c)
    return choose_drawn(q)


@kernel
def answer_views(views: Any, policy: int, words: Any, out: Any, rules: Any, shapes: Any) -> None:
    """Write a policy's action for each view into `out`, int64[m]; `words` are fresh random words, uint64[m]."""
    c = Context(rules[0], shapes[0])
    for i in range(len(views)):
        out[i] = choose_viewed(views[i], policy, words[i], c)


@kernel
def allows(q: Question, action: int) -> bool:
    """Whether an action is legal."""
    return (q.legal >> action) & 1 == 1


@kernel
def choose_drawn(q: Question) -> int:
    """Discard what was drawn, or the last tile of the hand after a call or kong; call nothing, never win."""
    if not q.turn:
        return PASS
    if q.drawn != NONE and allows(q, q.drawn):
        return q.drawn
    kind = NUM_KINDS - 1
    while not allows(q, kind):
        kind -= 1
    return kind


@kernel
def choose_random(legal: int, word: np.uint64) -> int:
    """A uniformly random legal action."""
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
def choose_greedy(q: Question, c: Context) -> int:
    """Win if possible, call if that brings any win closer, declare no kong, discard for least distance."""
    if allows(q, HU):
        return HU
    if q.turn:
        return best_discard(q, c)
    sets = int(c.rules.sets) - q.melds
    least, best = plain_distance(q.code, sets, c.shapes), PASS
    for action in range(CHI, PONG + 1):
        if allows(q, action):
            after = plain_distance(after_call(q.code, q.tile, action), sets - 1, c.shapes)
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
def best_discard(q: Question, c: Context) -> int:
    """The kind to discard: least distance after it, then most useful tiles left."""
    sets = int(c.rules.sets) - q.melds
    code = q.code
    best, best_value = 0, -1
    for kind in range(NUM_KINDS):
        if q.hand[kind] > 0:
            value = worth(q, code - (1 << (2 * kind)), sets, c)
            if value > best_value:
                best, best_value = kind, value
    return best


@kernel
def worth(q: Question, code: int, sets: int, c: Context) -> int:
    """How good concealed tiles are: near to a win first, then with many useful tiles not yet seen."""
    distance = plain_distance(code, sets, c.shapes)
    useful = 0
    for kind in range(NUM_KINDS):
        live = COPIES - int(q.seen[kind]) - int(q.hand[kind])
        if live > 0 and plain_distance(code + (1 << (2 * kind)), sets, c.shapes) < distance:
            useful += live
    return 64 * (16 - distance) + useful


@kernel
def choose_valued(q: Question, c: Context) -> int:
    """Win if possible; else the action, kongs included, that leaves the most valuable hand one draw ahead."""
    if allows(q, HU):
        return HU
    room = np.zeros(PLAIN + 1, np.int64)
    facts, sets, code = q.facts, int(c.rules.sets) - q.melds, q.code
    if q.turn:
        return best_turn(q, code, facts, sets, c, room)
    best, most = PASS, ahead(q, code, facts, sets, c, room)
    for action in range(CHI, PONG + 1):
        if allows(q, action):
            kind = q.tile
            fact = meld_fact(PONG_MELD if action == PONG else CHI_MELD, kind if action == PONG else kind - action + CHI)
            after = value(after_call(code, kind, action), facts | fact, sets - 1, c, room)
            if after > most:
                best, most = action, after
    return best


@kernel
def best_turn(q: Question, code: int, facts: int, sets: int, c: Context, room: Any) -> int:
    """The discard or kong of the player whose turn it is."""
    best, most = 0, -1.0
    for kind in range(NUM_KINDS):
        if allows(q, kind):
            after = ahead(q, code - (1 << (2 * kind)), facts, sets, c, room)
            if after > most:
                best, most = kind, after
    now = value(code, facts, sets, c, room)
    for kind in range(NUM_KINDS):
        if allows(q, KONG + kind):
            left = code - (COPIES << (2 * kind))
            more = value(left, facts | meld_fact(KONG_MELD, kind), sets - 1, c, room)
            if more + int(c.rules.kong) * POWERS[room[PLAIN]] > now:
                return KONG + kind
    return best


@kernel
def ahead(q: Question, code: int, facts: int, sets: int, c: Context, room: Any) -> float:
    """The value of concealed tiles after one more, averaged over the tiles the player has not seen."""
    total, tiles = 0.0, 0
    for kind in range(NUM_KINDS):
        live = COPIES - int(q.seen[kind]) - int(q.hand[kind])
        if live > 0:
            total += live * value(code + (1 << (2 * kind)), facts, sets, c, room)
            tiles += live
    return total / max(tiles, 1)


@kernel
def value(code: int, facts: int, sets: int, c: Context, room: Any) -> float:
    """Points of the hands within reach, each times CHANCE for every missing tile; writes distances into `room`."""
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
