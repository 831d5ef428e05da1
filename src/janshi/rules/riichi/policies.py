"""Players that live inside the kernels, for playouts and agents: random-legal, tsumogiri and shanten-greedy.

A policy answers a `Question`, which is taken from a state (for speed, inside playouts) or from a view: both hold the
same data, so each policy is written once.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from janshi.core import rng
from janshi.core._jit import kernel
from janshi.core.shanten import count_bits
from janshi.core.tiles import EAST, FIRST_RED, FIVE_M, NUM_KINDS, RANKS
from janshi.core.ukeire import ukeire_discards
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.concealed import kind_of, red_of
from janshi.rules.riichi.state import NONE, TURN, Context

RANDOM, TSUMOGIRI, GREEDY = 0, 1, 2
POLICIES: Final = {"random": RANDOM, "tsumogiri": TSUMOGIRI, "greedy": GREEDY}
"""Policies by name."""
ALL_KINDS: Final = (1 << NUM_KINDS) - 1
STREAM: Final = 1
"""Separates the players' random numbers from those of the walls."""


class Mind(NamedTuple):
    """Scratch space of a policy. Not shared between threads."""

    visible: Any  # int8[34]
    distance: Any  # int8[34]
    useful: Any  # int16[34]


def new_mind() -> Mind:
    """Make scratch space for policies."""
    return Mind(np.zeros(NUM_KINDS, np.int8), np.zeros(NUM_KINDS, np.int8), np.zeros(NUM_KINDS, np.int16))


class Question(NamedTuple):
    """A decision as policies read it: what the asked player holds, sees and may do."""

    low: int  # legal actions, 60 a word
    high: int
    turn: bool  # the player's own turn, not a reaction
    riichi: bool  # the player is in riichi
    drawn: int  # tile, or NONE
    reds: int  # bit set of red fives held
    melds: int


@kernel
def question_of_state(s: Any, player: int) -> Question:
    """The question put to an asked player of a state."""
    low, high, reds = int(s.legal[player, 0]), int(s.legal[player, 1]), int(s.reds[player])
    turn, riichi = s.phase == TURN, s.riichi[player] != 0
    return Question(low, high, turn, riichi, int(s.drawn), reds, int(s.melds[player]))


@kernel
def question_of_view(v: Any) -> Question:
    """The question put to the viewer, who is asked."""
    low, high, turn, riichi = int(v.legal[0]), int(v.legal[1]), v.phase == TURN, v.riichi[0] != 0
    return Question(low, high, turn, riichi, int(v.drawn), int(v.reds), int(v.melds[0]))


@kernel
def choose(s: Any, player: int, policy: int, stream: np.uint64, c: Context, mind: Mind) -> int:
    """The action of a policy for an asked player; `stream` is a fresh random word."""
    if policy == RANDOM:
        return choose_random(s, player, stream)
    return answer_question(question_of_state(s, player), s.hand[player], s.seen, policy, c.tables, mind)


@kernel
def choose_viewed(v: Any, policy: int, word: np.uint64, tables: Any, mind: Mind) -> int:
    """The action of a policy for the viewer, who is asked; `word` is a fresh random word."""
    if policy == RANDOM:
        return any_action(int(v.legal[0]), int(v.legal[1]), word)
    return answer_question(question_of_view(v), v.hand, v.seen, policy, tables, mind)


@kernel
def answer_question(q: Question, hand: Any, seen: Any, policy: int, tables: Any, mind: Mind) -> int:
    """The action of a deterministic policy; `hand` (the player's tiles) and `seen` are int8[34]."""
    if policy == TSUMOGIRI:
        return drawn_action(q)
    return greedy_action(q, hand, seen, tables, mind)


@kernel
def answer_views(views: Any, policy: int, words: Any, out: Any, mind: Mind, tables: Any) -> None:
    """Write a policy's action for each view into `out`, int64[m]; `words` are fresh random words, uint64[m]."""
    for i in range(len(views)):
        out[i] = choose_viewed(views[i], policy, words[i], tables[0], mind)


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
    """A uniformly random legal action of a player."""
    return any_action(int(s.legal[player, 0]), int(s.legal[player, 1]), word)


@kernel
def any_action(low: int, high: int, word: np.uint64) -> int:
    """A uniformly random legal action from two words of them."""
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
def allows(q: Question, action: int) -> bool:
    """Whether an action is legal."""
    if action < act.HALF:
        return (q.low >> action) & 1 == 1
    return (q.high >> (action - act.HALF)) & 1 == 1


@kernel
def drawn_action(q: Question) -> int:
    """Discard what was drawn, or after a call the first tile; call nothing, never win."""
    if not q.turn:
        return act.PASS
    return act.TSUMOGIRI if allows(q, act.TSUMOGIRI) else lowest_bit(q.low)


@kernel
def greedy_action(q: Question, hand: Any, seen: Any, tables: Any, mind: Mind) -> int:
    """Win if possible, declare riichi if tenpai, call nothing, else discard for least shanten and most useful tiles."""
    if not q.turn:
        return act.RON if allows(q, act.RON) else act.PASS
    if allows(q, act.TSUMO):
        return act.TSUMO
    if allows(q, act.NINE_TERMINALS):
        return act.NINE_TERMINALS
    if allows(q, act.RIICHI):
        return act.RIICHI
    if q.riichi:
        return act.TSUMOGIRI
    return discard_action(q, hand, greedy_discard(q, hand, seen, tables, mind))


@kernel
def best_discard(s: Any, player: int, c: Context, mind: Mind) -> int:
    """The kind that `greedy_discard` chooses for a player of a state."""
    return greedy_discard(question_of_state(s, player), s.hand[player], s.seen, c.tables, mind)


@kernel
def greedy_discard(q: Question, hand: Any, seen: Any, tables: Any, mind: Mind) -> int:
    """The kind to discard: least shanten after it, then most useful tiles left, then the outermost tile."""
    for kind in range(NUM_KINDS):
        mind.visible[kind] = seen[kind] + hand[kind]
    ukeire_discards(hand, q.melds, mind.visible, tables, mind.distance, mind.useful)
    best, best_value = 0, -1
    kinds = discardable(q)
    while kinds:
        kind = count_bits((kinds & -kinds) - 1)
        kinds &= kinds - 1
        value = (1 + int(mind.useful[kind])) * 16 + outwardness(kind)
        if value > best_value:
            best, best_value = kind, value
    return best


@kernel
def discardable(q: Question) -> int:
    """Bit set of the kinds that may be discarded, drawn or from the hand."""
    kinds = q.low & ALL_KINDS
    for suit in range(3):
        kinds |= ((q.low >> (FIRST_RED + suit)) & 1) << (FIVE_M + RANKS * suit)
    if allows(q, act.TSUMOGIRI):
        kinds |= 1 << kind_of(q.drawn)
    return kinds


@kernel
def outwardness(kind: int) -> int:
    """How useless a tile is: 5 for honours, 4 for terminals, down to 0 for fives."""
    if kind >= EAST:
        return 5
    return abs(kind % RANKS - 4)


@kernel
def discard_of(s: Any, player: int, kind: int) -> int:
    """The action that `discard_action` finds for a player of a state."""
    return discard_action(question_of_state(s, player), s.hand[player], kind)


@kernel
def discard_action(q: Question, hand: Any, kind: int) -> int:
    """The legal action that discards a kind: drawn rather than from the hand, plain rather than red; or NONE."""
    red = red_of(kind)
    has_red = red >= 0 and (q.reds >> (red - FIRST_RED)) & 1 == 1
    keeps_red = int(hand[kind]) > (1 if has_red else 0)
    if q.drawn != NONE and kind_of(q.drawn) == kind and not (keeps_red and q.drawn >= FIRST_RED):
        return act.TSUMOGIRI if allows(q, act.TSUMOGIRI) else NONE
    tile = red if has_red and not keeps_red else kind
    return tile if allows(q, tile) else NONE


@kernel
def fresh_word(stream: Any) -> np.uint64:
    """The next word of a random stream kept in an array of one word."""
    stream[0], word = rng.draw_word(stream[0])
    return word
