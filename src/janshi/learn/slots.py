"""Slots: storage for decisions of self-play until their hand has ended.

Every decision gets a *slot*, a number under which the learner stores its record, action and probability. The decisions
of a hand form a chain of slots, each pointing to the previous one at the table. When a hand ends, its chain is read
backwards into the list of ready hands, from which the learner takes whole hands (`Ready`) and then frees their slots.
If the learner needs the hand's draws too, turns are listed along with the decisions.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.rules.game import Array
from janshi.rules.masks import LEGAL_BITS

NO_SLOT: Final = -1
FORCED, TURN, FOREIGN = 1, 2, 4
"""Flags of a decision: only one action was legal; on the player's own turn; taken by a past self."""

SLOT_DTYPE = record_dtype(
    [
        ("previous", np.int32),  # the slot of the table's decision before, or NO_SLOT
        ("free", np.int32),  # for all slots together: the stack of free ones
        ("player", np.int8),
        ("notes", np.int8),
    ]
)
ENTRY_DTYPE = record_dtype([("slot", np.int32), ("before", np.bool_)])
"""A decision of a ready hand, and whether it comes before the hand's last round."""
DRAW_DTYPE = record_dtype([("slot", np.int32), ("place", np.int32), ("extra", np.bool_)])
"""A turn of a ready hand, usually after a draw: the slot of its decision, the number of the hand's entries after the
draw, and whether the decision itself is not an entry."""
COUNTS_DTYPE = record_dtype([("free", np.int64), ("entries", np.int64), ("hands", np.int64), ("draws", np.int64)])
"""Number of free slots, and of ready entries, hands and draws."""
TALLY_DTYPE = record_dtype(
    [
        ("hands", np.float64),
        ("won", np.float64),
        ("points", np.float64),  # of the winners
        ("decisions", np.float64),
        ("forced", np.float64),  # of ended hands
        ("learner_won", np.float64),
        ("learner_score", np.float64),
    ]
)
"""What happened at the tables since the last reading."""
DECISION_DTYPE = record_dtype([("slot", np.int32), ("share", np.float32), ("foreign", np.bool_)])
"""An open decision: its slot, a random number in [0, 1), and whether a past self makes it."""


@cache
def hand_dtype(players: int) -> np.dtype[Any]:
    """A ready hand. Its entries start where those of the previous hand end, and end at `end`; the same for draws."""
    return record_dtype(
        [
            ("end", np.int32),
            ("draws_end", np.int32),
            ("last_round", np.int32),  # the slot on whose state the expected reward is asked, or NO_SLOT
            ("scores", np.float32, (players,)),
            ("elsewhere", np.float32, (players,)),  # mean scores of the same wall at the group's other tables
        ]
    )


@cache
def table_dtype(players: int) -> np.dtype[Any]:
    """A table of self-play: its last decision's slot, its final scores, and the seats that a past self plays."""
    return record_dtype([("tail", np.int32), ("final", np.float32, (players,)), ("past", np.int8, (players,))])


class Book(NamedTuple):
    """The kernels' output: slots, and the entries and hands that are ready."""

    slots: Any  # SLOT_DTYPE[capacity]
    entries: Any  # ENTRY_DTYPE[capacity], each hand from its last decision to its first
    hands: Any  # hand_dtype[capacity]
    counts: Any  # COUNTS_DTYPE[1]
    draws: Any  # DRAW_DTYPE[capacity], each hand from its last draw to its first; empty if draws are not listed


class Slots:
    """Slots for decisions, and the list of hands ready to learn from."""

    def __init__(self, capacity: int, players: int, draws: bool = False) -> None:
        """`draws` is whether to list the draws of hands too."""
        self.capacity = capacity
        self.book = Book(
            np.zeros(capacity, SLOT_DTYPE),
            np.zeros(capacity, ENTRY_DTYPE),
            np.zeros(capacity, hand_dtype(players)),
            np.zeros(1, COUNTS_DTYPE),
            np.zeros(capacity if draws else 0, DRAW_DTYPE),
        )
        self.book.slots["free"] = np.arange(capacity - 1, -1, -1)
        self.book.slots["previous"] = self.book.hands["last_round"] = NO_SLOT
        self.book.counts["free"] = capacity

    @property
    def free(self) -> int:
        """Slots that are free."""
        return int(self.book.counts["free"][0])

    @property
    def entries(self) -> int:
        """Decisions in the ready list."""
        return int(self.book.counts["entries"][0])

    @property
    def hands(self) -> int:
        """Hands in the ready list."""
        return int(self.book.counts["hands"][0])

    def take(self, most: int) -> Ready:
        """Remove whole hands, oldest first, from the list: at most `most` decisions and as many draws."""
        waiting = self.book.hands[: self.hands]
        hands = min(int(np.searchsorted(waiting[name], most, "right")) for name in ("end", "draws_end"))
        ready = Ready(self.book, hands)
        drop_hands(self.book, hands)
        return ready

    def release(self, slots: Array) -> None:
        """Make slots free again, once their records are copied."""
        self.book.slots["free"][self.free : self.free + len(slots)] = slots
        self.book.counts["free"] += len(slots)

    def used(self) -> Array:
        """The slots in use."""
        taken = np.ones(self.capacity, np.bool_)
        taken[self.book.slots["free"][: self.free]] = False
        return np.flatnonzero(taken)

    def state(self) -> dict[str, Array]:
        """The whole state for a checkpoint, one array for each field."""
        b = self.book
        found = {name: b.slots[name].copy() for name in ("free", "previous", "player", "notes")}
        found |= {name: b.entries[name].copy() for name in ("slot", "before")}
        found |= {name: b.hands[name].copy() for name in ("scores", "elsewhere", "last_round")}
        if len(b.draws):
            found |= {"draws_end": b.hands["draws_end"].copy()}
            found |= {f"draw_{name}": b.draws[name].copy() for name in DRAW_DTYPE.names or ()}
        first = np.concatenate([np.zeros(1, np.int32), b.hands["end"]])
        return {**found, "first": first, "counts": b.counts.view(np.int64).copy()}

    def load(self, state: dict[str, Array]) -> None:
        """Continue from a checkpoint."""
        b = self.book
        for records in (b.slots, b.entries, b.hands):
            for name in set(records.dtype.names) & set(state):
                records[name] = state[name].view(records[name].dtype)
        b.hands["end"] = state["first"][1:]
        if len(b.draws):
            for name in DRAW_DTYPE.names or ():
                b.draws[name] = state[f"draw_{name}"].view(b.draws[name].dtype)
        counts = state["counts"]  # it was shorter before draws were listed
        b.counts.view(np.int64)[: len(counts)] = counts


class Ready:
    """Whole hands taken from the list: k entries of h hands, each hand from its last decision to its first."""

    def __init__(self, book: Book, hands: int) -> None:
        chosen = book.hands[:hands]
        self.first = np.concatenate([np.zeros(1, np.int32), chosen["end"]])
        """Where each hand's entries begin, and the end of the last, int32[h + 1]."""
        entries = book.entries[: self.first[-1]]
        self.slot, self.before = entries["slot"].copy(), entries["before"].copy()
        self.player = book.slots["player"][self.slot]
        self.hand = np.repeat(np.arange(hands, dtype=np.int32), np.diff(self.first))
        self.scores, self.elsewhere = chosen["scores"].copy(), chosen["elsewhere"].copy()
        self.last_round = chosen["last_round"].copy()
        self.last_player = np.where(self.last_round >= 0, book.slots["player"][self.last_round], 0)
        self.draws = ReadyDraws(book, hands)

    def __len__(self) -> int:
        return len(self.slot)

    def seen_by(self, values: Array) -> Array:
        """Each hand's numbers, float32[h, players], repeated for each entry, its own player first: [k, players]."""
        return turned(values[self.hand], self.player)


class ReadyDraws:
    """The d draws of ready hands, each hand from its last to its first; empty if draws are not listed."""

    def __init__(self, book: Book, hands: int) -> None:
        ends = book.hands["draws_end"][:hands]
        self.first = np.concatenate([np.zeros(1, np.int32), ends])
        """Where each hand's draws begin, and the end of the last, int32[h + 1]."""
        chosen = book.draws[: self.first[-1]]
        self.slot, self.place = chosen["slot"].copy(), chosen["place"].copy()
        self.player = book.slots["player"][self.slot]
        self.extra_slots = self.slot[chosen["extra"]]
        """Slots without an entry, which are freed along with those of the entries."""

    def __len__(self) -> int:
        return len(self.slot)


def turned(values: Array, players: Array) -> Array:
    """Rotate rows of one number per seat so that each starts with the given player's."""
    n = values.shape[1]
    seats = (players.astype(np.int64)[:, None] + np.arange(n)) % n
    return np.take_along_axis(values, seats, 1)


# --- kernels


@kernel
def link(at: Any, players: Any, tables: Any, book: Book, decisions: Any) -> None:
    """Append a slot to its table's chain for every open decision, at tables `at`."""
    left = book.counts[0].free
    for i in range(len(at)):
        table, player = tables[at[i]], players[i]
        left -= 1
        slot = book.slots[left].free
        book.slots[slot].previous = table.tail
        book.slots[slot].player = player
        table.tail = slot
        decisions[i].slot = slot
        decisions[i].foreign = table.past[player] != 0
    book.counts[0].free = left


@kernel
def note(at: Any, players: Any, legal: Any, pass_action: int, decisions: Any, book: Book) -> None:
    """Note for each decision whether it is forced, on the player's own turn, and a past self's."""
    for i in range(len(at)):
        table, player = at[i], players[i]
        options = 0
        for word in range(legal.shape[2]):
            bits = legal[table, player, word]
            while bits and options < 2:
                bits &= bits - 1
                options += 1
        found = FORCED if options < 2 else 0
        if (legal[table, player, pass_action // LEGAL_BITS] >> (pass_action % LEGAL_BITS)) & 1 == 0:
            found |= TURN
        if decisions[i].foreign:
            found |= FOREIGN
        book.slots[decisions[i].slot].notes = found


@kernel
def close_groups(groups: Any, size: int, tables: Any, book: Book, tally: Any) -> None:
    """Put the ended hands of whole groups on the ready list."""
    for i in range(len(groups)):
        group = tables[groups[i] * size : groups[i] * size + size]
        for place in range(size):
            hand = book.hands[book.counts[0].hands]
            close_hand(group[place], hand, book, tally)
            write_scores(group, place, hand)
            best = 0.0
            for player in range(len(hand.scores)):
                best = max(best, hand.scores[player])
            tally[0].hands += 1
            tally[0].won += best > 0
            tally[0].points += best


@kernel
def write_scores(group: Any, place: int, hand: Any) -> None:
    """Write a hand's final scores, and the wall's mean result at the group's other tables."""
    for player in range(len(hand.scores)):
        hand.scores[player] = group[place].final[player]
        total = 0.0
        for other in range(len(group)):
            if other != place:
                total += group[other].final[player]
        hand.elsewhere[player] = total / max(len(group) - 1, 1)


@kernel
def close_hand(table: Any, hand: Any, book: Book, tally: Any) -> None:
    """Read a hand's chain backwards: decisions to learn from become entries, the slots of the others are freed.

    The state before the last round is that of the second-last turn; earlier entries are `before` it.
    """
    counts = book.counts[0]
    turns, found = 0, NO_SLOT
    slot, begun = table.tail, counts.entries
    while slot != NO_SLOT:
        noted = book.slots[slot].notes
        is_before = found != NO_SLOT
        if noted & TURN:
            turns += 1
            if turns == 2 and noted & (FORCED | FOREIGN) == 0:
                found = slot
        extra = noted & (FORCED | FOREIGN) != 0
        listed = len(book.draws) > 0 and noted & TURN != 0
        if extra:
            tally[0].forced += noted & FORCED
            if not listed:
                book.slots[counts.free].free = slot
                counts.free += 1
        else:
            book.entries[counts.entries].slot = slot
            book.entries[counts.entries].before = is_before
            counts.entries += 1
        if listed:
            draw = book.draws[counts.draws]
            draw.slot = slot
            draw.place = counts.entries - begun
            draw.extra = extra
            counts.draws += 1
        slot = book.slots[slot].previous
    table.tail = NO_SLOT
    hand.last_round = found
    hand.end = counts.entries
    hand.draws_end = counts.draws
    counts.hands += 1


@kernel
def drop_hands(book: Book, hands: int) -> None:
    """Drop the first hands of the ready list."""
    counts = book.counts[0]
    if hands == 0:
        return
    gone, draws_gone = book.hands[hands - 1].end, book.hands[hands - 1].draws_end
    for i in range(counts.entries - gone):
        book.entries[i] = book.entries[gone + i]
    for i in range(counts.draws - draws_gone):
        book.draws[i] = book.draws[draws_gone + i]
    for i in range(counts.hands - hands):
        book.hands[i] = book.hands[hands + i]
        book.hands[i].end -= gone
        book.hands[i].draws_end -= draws_gone
    counts.entries -= gone
    counts.draws -= draws_gone
    counts.hands -= hands
