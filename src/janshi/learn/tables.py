"""Tables of self-play: many hands stepped by kernels on several threads, and what is remembered of their decisions.

Every decision gets a *slot*: a number under which its record, action and chance lie wherever the learner keeps them.
The decisions of a hand are a chain of slots, each pointing to the one before it at the table. When a hand ends its
chain is read backwards into the `Ready` list, from which the learner takes whole hands; their slots are then free
again. A hand that is still being played when a rollout ends simply goes on: its decisions are learned from when it
has ended, with the chances under which they were taken.

With `duplicates` g, tables stand in groups of g that play the same walls. A group goes on to the next wall when all its
hands have ended, and each hand learns how its wall ended on average at the group's other tables.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np

from janshi.core import rng
from janshi.core._jit import kernel
from janshi.features.planes import Encoder
from janshi.rules.batch import count_asked, list_asked
from janshi.rules.game import LEGAL_BITS, Array, Game

NO_SLOT: Final = -1
FORCED, TURN, FOREIGN = 1, 2, 4
"""What is noted of a decision: only one action was legal; on one's own turn; taken by a past self."""
WALLS, CHOICES, SEATS = 201, 202, 203
"""Keep random streams apart: of walls, of actions, and of who sits where."""

FREE, ENTRIES, HANDS = range(3)
"""Places in the counters of slots: free slots, entries and hands in the ready list."""


class Slots:
    """Slots for decisions, and the list of hands that are ready to be learned from."""

    def __init__(self, capacity: int, players: int) -> None:
        self.capacity = capacity
        self.free = np.arange(capacity - 1, -1, -1, dtype=np.int32)
        self.counts = np.array([capacity, 0, 0], np.int64)
        self.previous = np.full(capacity, NO_SLOT, np.int32)
        self.player = np.zeros(capacity, np.int8)
        self.notes = np.zeros(capacity, np.int8)
        # ready hands: entries from the last decision to the first
        self.slot = np.zeros(capacity, np.int32)
        self.before = np.zeros(capacity, np.bool_)
        """Whether the entry stands before the hand's last round."""
        self.first = np.zeros(capacity + 1, np.int32)
        """Where each ready hand's entries begin."""
        self.scores = np.zeros((capacity, players), np.float32)
        self.elsewhere = np.zeros((capacity, players), np.float32)
        """How the same wall ended on average at the group's other tables."""
        self.last_round = np.full(capacity, NO_SLOT, np.int32)
        """The decision on whose state the expected reward is asked, or NO_SLOT."""

    @property
    def entries(self) -> int:
        """Decisions in the ready list."""
        return int(self.counts[ENTRIES])

    @property
    def hands(self) -> int:
        """Hands in the ready list."""
        return int(self.counts[HANDS])

    def take(self, most: int) -> Ready:
        """Take whole hands of at most so many decisions off the list, the oldest first."""
        hands = int(np.searchsorted(self.first[: self.hands + 1], most, "right")) - 1
        ready = Ready(self, hands)
        drop_hands(self.first, self.slot, self.before, self.scores, self.elsewhere, self.last_round, self.counts, hands)
        return ready

    def release(self, slots: Array) -> None:
        """Make slots free again, once their records are copied."""
        count = int(self.counts[FREE])
        self.free[count : count + len(slots)] = slots
        self.counts[FREE] += len(slots)

    _ARRAYS = (
        "free",
        "counts",
        "previous",
        "player",
        "notes",
        "slot",
        "before",
        "first",
        "scores",
        "elsewhere",
        "last_round",
    )

    def state(self) -> dict[str, Array]:
        """All of it, for a checkpoint."""
        return {name: getattr(self, name).copy() for name in self._ARRAYS}

    def load(self, state: dict[str, Array]) -> None:
        """Go on from a checkpoint."""
        for name in self._ARRAYS:
            getattr(self, name)[...] = state[name].view(getattr(self, name).dtype)

    def used(self) -> Array:
        """The slots that hold something."""
        taken = np.ones(self.capacity, np.bool_)
        taken[self.free[: int(self.counts[FREE])]] = False
        return np.flatnonzero(taken)


class Ready:
    """Whole hands taken off the list: k entries of h hands, each hand from its last decision to its first."""

    def __init__(self, slots: Slots, hands: int) -> None:
        entries = int(slots.first[hands])
        self.slot = slots.slot[:entries].copy()
        self.before = slots.before[:entries].copy()
        self.first = slots.first[: hands + 1].copy()
        self.player = slots.player[self.slot].copy()
        self.hand = np.repeat(np.arange(hands, dtype=np.int32), np.diff(self.first))
        self.scores = slots.scores[:hands].copy()
        self.elsewhere = slots.elsewhere[:hands].copy()
        self.last_round = slots.last_round[:hands].copy()
        self.last_player = np.where(self.last_round >= 0, slots.player[self.last_round], 0)

    def __len__(self) -> int:
        return len(self.slot)

    def seen_by(self, values: Array) -> Array:
        """Each hand's numbers, float32[h, players], for each entry, beginning with its own player's: [k, players]."""
        return turned(values[self.hand], self.player)


def turned(values: Array, players: Array) -> Array:
    """Rows of a number for each seat, turned so that each begins with the given player's."""
    n = values.shape[1]
    seats = (players.astype(np.int64)[:, None] + np.arange(n)) % n
    return np.take_along_axis(values, seats, 1)


class Tables:
    """Tables stepped together. `count` decisions are open: `tables[:count]`, `players`, `slots` and random `words`."""

    def __init__(
        self,
        game: Game,
        encoder: Encoder,
        slots: Slots,
        tables: int,
        *,
        seed: int,
        number: int = 0,
        duplicates: int = 1,
        past_share: float = 0.0,
        pool: ThreadPoolExecutor | None = None,
        threads: int = 1,
    ) -> None:
        if tables % duplicates or tables < duplicates:
            raise ValueError(f"tables must be a multiple of duplicates: {tables} is none of {duplicates}")
        self.game, self.encoder, self.slots_of = game, encoder, slots
        self.seed, self.number, self.duplicates, self.past_share = (
            np.uint64(seed % 2**64),
            number,
            duplicates,
            past_share,
        )
        self._pool = pool
        groups = tables // duplicates
        bounds = np.linspace(0, groups, min(threads, groups) + 1).astype(np.int64) * duplicates
        self._parts = list(zip(bounds[:-1].tolist(), bounds[1:].tolist()))
        self._contexts = [game.new_context() for _ in self._parts]
        self.states = game.new_states(tables)
        self.round = np.zeros(groups, np.int64)
        self.tail = np.full(tables, NO_SLOT, np.int32)
        self.final = np.zeros((tables, game.players), np.int32)
        self.past = np.zeros((tables, game.players), np.bool_)
        """Seats played by a past self."""
        self.asked = np.zeros(tables, np.int64)
        self.first = np.zeros(tables + 1, np.int64)
        self.decided = np.zeros(1, np.uint64)
        """Decisions ever listed: what their random words are hashed from."""
        most = tables * game.players
        self.tables, self.players = np.zeros(most, np.int64), np.zeros(most, np.int64)
        self.slots = np.zeros(most, np.int32)
        self.words = np.zeros(most, np.float32)
        self.foreign = np.zeros(most, np.bool_)
        self.tally = np.zeros(5, np.float64)
        """Since it was last read: hands, hands won, points of the winners, decisions, forced ones of ended hands."""
        self._start(np.arange(groups))
        self._list()

    @property
    def count(self) -> int:
        """How many decisions are open."""
        return int(self.first[-1])

    def step(self, actions: Array) -> None:
        """Answer every open decision, take ended hands off, begin new ones, and list what is open then."""
        self._each(lambda i, a, b: self._step_part(i, a, b, actions))
        asked = self.game.asked(self.states)
        ended = np.flatnonzero((asked == 0) & (self.asked != 0))
        self.asked[:] = asked
        if len(ended):
            self.final[ended] = self.game.scores(self.states)[ended]
            g = self.duplicates
            groups = np.unique(ended // g)
            groups = groups[(self.asked.reshape(-1, g)[groups] == 0).all(1)]
            self._close(groups)
            self._start(groups)
        self._list()

    def _step_part(self, part: int, a: int, b: int, actions: Array) -> None:
        self.game.step(self.states[a:b], self.first[a : b + 1], actions, False, self._contexts[part])

    def _close(self, groups: Array) -> None:
        """Put the hands of groups that have all ended on the ready list."""
        s = self.slots_of
        close_groups(
            groups,
            self.duplicates,
            self.final,
            self.tail,
            s.previous,
            s.notes,
            s.free,
            s.slot,
            s.before,
            s.first,
            s.scores,
            s.elsewhere,
            s.last_round,
            s.counts,
            self.tally,
        )

    def pack(self, private: Array, hidden: Array | None) -> None:
        """Write the records of the open decisions: uint8[count, private_bytes] and uint8[count, hidden_bytes].

        What is to be noted of the decisions is noted too.
        """
        s, legal = self.slots_of, _words(self.states)

        def part(_: int, a: int, b: int) -> None:
            first, end = int(self.first[a]), int(self.first[b])
            here = slice(first, end)
            if end > first:
                note(
                    self.tables[here],
                    self.players[here],
                    legal,
                    self.game.num_actions - 1,
                    self.past,
                    self.slots[here],
                    s.notes,
                )
                self.encoder.pack_states(
                    self.states,
                    self.tables[here],
                    self.players[here],
                    private[here],
                    None if hidden is None else hidden[here],
                )

        self._each(part)

    # --- within

    def _start(self, groups: Array) -> None:
        """Begin a hand at all tables of some groups, on a wall that no other group has."""
        if not len(groups):
            return
        seeds = np.zeros(len(groups), np.uint64)
        offset = self.number << 32
        hash_pairs(self.seed, groups + offset, self.round[groups], WALLS, seeds)
        self.round[groups] += 1
        g = self.duplicates
        places = (groups[:, None] * g + np.arange(g)).reshape(-1)
        fresh = self.game.new_states(len(places))
        self.game.start(fresh, np.repeat(seeds, g), self._contexts[0])
        whole = np.dtype((np.void, self.states.dtype.itemsize))
        self.states.view(whole)[places] = fresh.view(whole)
        self.asked[places] = self.game.asked(fresh)
        if self.past_share:
            words = np.zeros(len(places), np.uint64)
            hash_pairs(self.seed, places + offset, np.repeat(self.round[groups], g), SEATS, words)
            seat_past_selves(words, self.past_share, places, self.past)

    def _list(self) -> None:
        """List the open decisions, each with a slot and a random word."""
        count_asked(self.asked, self.first)
        list_asked(self.asked, self.tables, self.players)
        s, m = self.slots_of, self.count
        if m > s.counts[FREE]:
            raise RuntimeError(f"{m} decisions need a slot and {s.counts[FREE]} are free: more slots are needed")
        link(
            m,
            self.tables,
            self.players,
            self.past,
            self.tail,
            s.previous,
            s.player,
            s.free,
            s.counts,
            self.slots,
            self.foreign,
        )
        self.tally[3] += m
        random_shares(self.seed, self.number, self.decided, self.words, m)

    def _each(self, work: Callable[[int, int, int], Any]) -> list[Any]:
        """Do work(part, first table, past last table) for all parts, on the threads there are."""
        if self._pool is None or len(self._parts) == 1:
            return [work(i, *part) for i, part in enumerate(self._parts)]
        others = [self._pool.submit(work, i, *self._parts[i]) for i in range(1, len(self._parts))]
        return [work(0, *self._parts[0]), *(other.result() for other in others)]

    def pool_map(self, work: Callable[[Any], Any], items: list[Any]) -> list[Any]:
        """Do other work on the same threads."""
        return [work(item) for item in items] if self._pool is None else list(self._pool.map(work, items))

    _ARRAYS = (
        "round",
        "tail",
        "final",
        "past",
        "asked",
        "first",
        "decided",
        "tables",
        "players",
        "slots",
        "words",
        "foreign",
        "tally",
    )

    def state(self) -> dict[str, Array]:
        """All of it, for a checkpoint."""
        found = {name: getattr(self, name).copy() for name in self._ARRAYS}
        return {**found, "states": self.states.view(np.uint8).copy()}

    def load(self, state: dict[str, Array]) -> None:
        """Go on from a checkpoint."""
        for name in self._ARRAYS:
            getattr(self, name)[...] = state[name].view(getattr(self, name).dtype)
        self.states.view(np.uint8)[...] = state["states"]


def _words(states: Array) -> Array:
    """The legal actions of all players at all tables as words of bits, int64[n, players, words]."""
    legal = states["legal"]
    return legal if legal.ndim == 3 else legal[:, :, None]


@kernel
def hash_pairs(seed: np.uint64, first: Any, second: Any, stream: int, out: Any) -> None:
    """Hash pairs of numbers into words, uint64[n]."""
    base = rng.key(seed, stream, 0)
    for i in range(len(first)):
        out[i] = rng.key(base, first[i], second[i])


@kernel
def seat_past_selves(words: Any, share: float, places: Any, past: Any) -> None:
    """At a share of the tables, all seats but one are played by a past self."""
    players = past.shape[1]
    for i in range(len(places)):
        chosen = float(words[i] >> np.uint64(40)) < share * 16777216.0
        learner = int(words[i] & np.uint64(0xFFFF)) % players
        for player in range(players):
            past[places[i], player] = chosen and player != learner


@kernel
def random_shares(seed: np.uint64, number: int, decided: Any, out: Any, count: int) -> None:
    """Write a number from 0 up to 1, float32, for each of the next `count` decisions."""
    base = rng.key(seed, CHOICES, number)
    for i in range(count):
        word = rng.mix(base + rng.GAMMA * (decided[0] + np.uint64(i + 1)))
        out[i] = np.float32(word >> np.uint64(40)) / np.float32(16777216.0)
    decided[0] += np.uint64(count)


@kernel
def link(
    count: int,
    tables: Any,
    players: Any,
    past: Any,
    tail: Any,
    previous: Any,
    player_of: Any,
    free: Any,
    counts: Any,
    slots: Any,
    foreign: Any,
) -> None:
    """Give every open decision a slot, at the end of its table's chain."""
    left = counts[FREE]
    for i in range(count):
        table, player = tables[i], players[i]
        left -= 1
        slot = free[left]
        previous[slot] = tail[table]
        player_of[slot] = player
        tail[table] = slot
        slots[i] = slot
        foreign[i] = past[table, player]
    counts[FREE] = left


@kernel
def note(tables: Any, players: Any, legal: Any, pass_action: int, past: Any, slots: Any, notes: Any) -> None:
    """Note of each decision whether it is forced, on one's own turn, and a past self's."""
    for i in range(len(tables)):
        table, player = tables[i], players[i]
        options = 0
        for word in range(legal.shape[2]):
            bits = legal[table, player, word]
            while bits and options < 2:
                bits &= bits - 1
                options += 1
        found = FORCED if options < 2 else 0
        if (legal[table, player, pass_action // LEGAL_BITS] >> (pass_action % LEGAL_BITS)) & 1 == 0:
            found |= TURN
        if past[table, player]:
            found |= FOREIGN
        notes[slots[i]] = found


@kernel
def close_groups(
    groups: Any,
    size: int,
    final: Any,
    tail: Any,
    previous: Any,
    notes: Any,
    free: Any,
    slot_list: Any,
    before: Any,
    first: Any,
    scores: Any,
    elsewhere: Any,
    last_round: Any,
    counts: Any,
    tally: Any,
) -> None:
    """Put the ended hands of whole groups on the ready list."""
    players = final.shape[1]
    for i in range(len(groups)):
        for table in range(groups[i] * size, groups[i] * size + size):
            hand = counts[HANDS]
            close_hand(table, hand, tail, previous, notes, free, slot_list, before, first, last_round, counts, tally)
            best = 0
            for player in range(players):
                scores[hand, player] = final[table, player]
                best = max(best, final[table, player])
                total = 0.0
                for other in range(groups[i] * size, groups[i] * size + size):
                    if other != table:
                        total += final[other, player]
                elsewhere[hand, player] = total / max(size - 1, 1)
            tally[0] += 1
            tally[1] += best > 0
            tally[2] += best


@kernel
def close_hand(
    table: int,
    hand: int,
    tail: Any,
    previous: Any,
    notes: Any,
    free: Any,
    slot_list: Any,
    before: Any,
    first: Any,
    last_round: Any,
    counts: Any,
    tally: Any,
) -> None:
    """Read a hand's chain backwards: decisions to learn from become entries, the slots of the others are freed.

    The state before the last round is that of the last turn but one; entries earlier than it are `before` it.
    """
    at, left = counts[ENTRIES], counts[FREE]
    turns, found = 0, NO_SLOT
    slot = tail[table]
    while slot != NO_SLOT:
        noted = notes[slot]
        is_before = found != NO_SLOT
        if noted & TURN:
            turns += 1
            if turns == 2 and noted & (FORCED | FOREIGN) == 0:
                found = slot
        if noted & (FORCED | FOREIGN):
            free[left] = slot
            left += 1
            tally[4] += noted & FORCED
        else:
            slot_list[at] = slot
            before[at] = is_before
            at += 1
        slot = previous[slot]
    tail[table] = NO_SLOT
    last_round[hand] = found
    counts[FREE] = left
    counts[ENTRIES] = at
    counts[HANDS] = hand + 1
    first[hand + 1] = at


@kernel
def drop_hands(
    first: Any, slot_list: Any, before: Any, scores: Any, elsewhere: Any, last_round: Any, counts: Any, hands: int
) -> None:
    """Forget the first hands of the ready list."""
    gone, entries, left = first[hands], counts[ENTRIES], counts[HANDS] - hands
    for i in range(entries - gone):
        slot_list[i] = slot_list[gone + i]
        before[i] = before[gone + i]
    for i in range(left):
        first[i] = first[hands + i] - gone
        last_round[i] = last_round[hands + i]
        for player in range(scores.shape[1]):
            scores[i, player] = scores[hands + i, player]
            elsewhere[i, player] = elsewhere[hands + i, player]
    first[left] = entries - gone
    counts[ENTRIES] = entries - gone
    counts[HANDS] = left
