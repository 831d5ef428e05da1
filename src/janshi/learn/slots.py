"""Slots: where the decisions of self-play are remembered until their hand has ended.

Every decision gets a *slot*: a number under which its record, action and chance lie wherever the learner keeps them.
The decisions of a hand are a chain of slots, each pointing to the one before it at the table. When a hand ends its
chain is read backwards into the `Ready` list, from which the learner takes whole hands; their slots are then free
again.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.core._jit import kernel
from janshi.rules.game import Array
from janshi.rules.masks import LEGAL_BITS

NO_SLOT: Final = -1
FORCED, TURN, FOREIGN = 1, 2, 4
"""What is noted of a decision: only one action was legal; on one's own turn; taken by a past self."""
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
