"""Players that live inside the kernels, for playouts and agents: random-legal, draw-and-discard and shanten-greedy.

A policy answers a `Question`, which is taken from a state (for speed, inside playouts) or from a view: both hold the
same data, so each policy is written once.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from janshi.core import rng
from janshi.core._jit import kernel
from janshi.core.shanten import (
    FIRST_P,
    FIRST_S,
    count_bits,
    honour_key,
    shanten_keys,
    suit_key,
)
from janshi.core.tiles import COPIES, EAST, NUM_KINDS, RANKS
from janshi.core.ukeire import useful_standard
from janshi.rules.guobiao import actions as act
from janshi.rules.guobiao.state import NONE, TURN, Context

RANDOM, DISCARD, GREEDY, TSUMOGIRI = 0, 1, 2, 3
POLICIES: Final = {"random": RANDOM, "discard": DISCARD, "greedy": GREEDY, "tsumogiri": TSUMOGIRI}
"""Policies by name."""
SETS: Final = 4
"""Sets of a hand."""
STREAM: Final = 1
"""Separates the players' random numbers from those of the walls."""


class Question(NamedTuple):
    """A decision as policies read it: what the asked player holds, sees and may do."""

    legal: Any  # int64[WORDS], legal actions, 60 a word
    turn: bool  # the player's own turn, not a reaction
    drawn: int  # kind, or NONE
    melds: int
    hand: Any  # int8[34]
    seen: Any  # int8[34], tiles everybody sees


@kernel
def question_of_state(s: Any, player: int) -> Question:
    """The question put to an asked player of a state."""
    return Question(s.legal[player], s.phase == TURN, int(s.drawn), int(s.melds[player]), s.hand[player], s.seen)


@kernel
def question_of_view(v: Any) -> Question:
    """The question put to the viewer, who is asked."""
    return Question(v.legal, v.phase == TURN, int(v.drawn), int(v.melds[0]), v.hand, v.seen)


@kernel
def choose(s: Any, player: int, policy: int, word: np.uint64, c: Context) -> int:
    """The action of a policy for an asked player; `word` is a fresh random word."""
    return answer_question(question_of_state(s, player), policy, word, c.tables)


@kernel
def choose_viewed(v: Any, policy: int, word: np.uint64, tables: Any) -> int:
    """The action of a policy for the viewer, who is asked; `word` is a fresh random word."""
    return answer_question(question_of_view(v), policy, word, tables)


@kernel
def answer_question(q: Question, policy: int, word: np.uint64, tables: Any) -> int:
    """The action of a policy."""
    if policy == RANDOM:
        return any_action(q.legal, word)
    if policy != TSUMOGIRI and allows(q, act.HU):
        return act.HU
    if not q.turn:
        return act.PASS
    if policy == GREEDY:
        return greedy_play(q, tables)
    return drawn_play(q)


@kernel
def answer_views(views: Any, policy: int, words: Any, out: Any, tables: Any) -> None:
    """Write a policy's action for each view into `out`, int64[m]; `words` are fresh random words, uint64[m]."""
    for i in range(len(views)):
        out[i] = choose_viewed(views[i], policy, words[i], tables[0])


@kernel
def allows(q: Any, action: int) -> bool:
    """Whether an action is legal, by a question or a view."""
    return (q.legal[action // act.WORD] >> (action % act.WORD)) & 1 == 1


@kernel
def any_action(legal: Any, word: np.uint64) -> int:
    """A uniformly random legal action."""
    total = 0
    for i in range(act.WORDS):
        total += count_bits(int(legal[i]))
    skip = np.int64(((word >> np.uint64(32)) * np.uint64(total)) >> np.uint64(32))
    for i in range(act.WORDS):
        bits = int(legal[i])
        count = count_bits(bits)
        if skip < count:
            for _ in range(skip):
                bits &= bits - 1
            return act.WORD * i + count_bits((bits & -bits) - 1)
        skip -= count
    return act.PASS


@kernel
def drawn_play(q: Question) -> int:
    """Play what was drawn; after a call, or if there is nothing drawn, the last tile of the hand."""
    if q.drawn != NONE:
        return act.PLAY + q.drawn
    kind = NUM_KINDS - 1
    while not allows(q, act.PLAY + kind):
        kind -= 1
    return act.PLAY + kind


@kernel
def greedy_play(q: Question, tables: Any) -> int:
    """Play for least shanten of four sets and a pair, then most useful tiles left, then the outermost tile."""
    k0, k1 = suit_key(q.hand, 0), suit_key(q.hand, FIRST_P)
    k2, k3 = suit_key(q.hand, FIRST_S), honour_key(q.hand)
    target = shanten_keys(k0, k1, k2, k3, SETS - q.melds, tables)
    best, best_value = NONE, -1
    for kind in range(NUM_KINDS):
        if q.hand[kind] > 0:
            suit, tile = kind // RANKS, 1 << 3 * (kind % RANKS)
            a, b = k0 - (tile if suit == 0 else 0), k1 - (tile if suit == 1 else 0)
            c, d = k2 - (tile if suit == 2 else 0), k3 - (tile if suit == 3 else 0)
            value = outwardness(kind)
            if shanten_keys(a, b, c, d, SETS - q.melds, tables) == target:
                value += 16 * (1 + unseen(q, useful_standard(a, b, c, d, SETS - q.melds, target, tables)))
            if value > best_value:
                best, best_value = kind, value
    return act.PLAY + best


@kernel
def unseen(q: Question, kinds: int) -> int:
    """How many tiles of a bit set of kinds the player does not see."""
    total = 0
    for kind in range(NUM_KINDS):
        if (kinds >> kind) & 1:
            total += max(0, COPIES - int(q.seen[kind]) - int(q.hand[kind]))
    return total


@kernel
def outwardness(kind: int) -> int:
    """How useless a tile is: 5 for honours, 4 for terminals, down to 0 for fives."""
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
