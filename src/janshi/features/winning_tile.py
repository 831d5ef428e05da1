"""Features of the winning tile model: whether a tenpai opponent could win on a kind.

There is a list for each opponent and kind. A number kind is described within its suit, mirrored so that its rank is at
most 5: places in the suit are counted from the nearer end. All suits share the same features, so that what is learned
for one applies to the others.
"""

from __future__ import annotations

from typing import Any, Final

from janshi.core._jit import kernel
from janshi.core.melds import CHI, CONCEALED_KAN
from janshi.core.tiles import EAST, RANKS
from janshi.features.layout import Layout
from janshi.features.opponent import CODES, LET_GO, NO_DISCARD, RIICHI_STANCE, ROLES, STANCES, STATUSES
from janshi.rules.riichi.state import NONE

VERSION: Final = 2
"""Changes when the meaning of a feature number does."""

KINDS_OF_STANCE: Final = 3
"""Riichi, closed, open."""
LOW_RANKS: Final = 5
COUNTS: Final = 5
PLACES: Final = 15
"""Position of another kind: nine places in the suit, five roles in other suits, honours."""
MELD_PLACES: Final = 19
"""Position of a meld: a sequence's low end (7) or a triplet (9) in the suit, either in another suit, honours."""
TURNS: Final = 19
LINES: Final = 19
FLUSH_COUNTS: Final = 7
EARLY_CODES: Final = 2
"""Codes of the first four discards."""

LAYOUT: Final = Layout()
ROLE: Final = LAYOUT.add("role", "tiles", stance=STANCES, role=ROLES)
SUJI: Final = LAYOUT.add(
    "safe three ranks away", "suji", rough=KINDS_OF_STANCE, low=LOW_RANKS, down=STATUSES, up=STATUSES
)
ABOVE: Final = LAYOUT.add(
    "copies left above", "tiles", rough=KINDS_OF_STANCE, low=LOW_RANKS, suji=2, near=COUNTS, far=COUNTS
)
BELOW: Final = LAYOUT.add(
    "copies left below", "tiles", rough=KINDS_OF_STANCE, low=LOW_RANKS, suji=2, near=COUNTS, far=COUNTS
)
AROUND: Final = LAYOUT.add(
    "copies left on both sides", "tiles", rough=KINDS_OF_STANCE, low=LOW_RANKS, down=COUNTS, up=COUNTS
)
LEFT: Final = LAYOUT.add("copies left", "tiles", stance=STANCES, role=ROLES, left=COUNTS)
LEFT_TURN: Final = LAYOUT.add(
    "copies left of an honour by turn", "tiles", rough=KINDS_OF_STANCE, role=ROLES, left=COUNTS, part=6
)
DORA: Final = LAYOUT.add("dora in the suit", "dora", rough=KINDS_OF_STANCE, low=LOW_RANKS, place=RANKS + 1)
IS_DORA: Final = LAYOUT.add("is dora", "dora", stance=STANCES, role=ROLES)
DISCARD: Final = LAYOUT.add(
    "discards of the suit", "discards", rough=KINDS_OF_STANCE, low=LOW_RANKS, place=RANKS, code=CODES
)
DISCARDED: Final = LAYOUT.add(
    "which of the suit were discarded", "discards", rough=KINDS_OF_STANCE, low=LOW_RANKS, which=1 << RANKS
)
EARLY_DISCARDED: Final = LAYOUT.add(
    "which of the suit were discarded early", "discards", rough=KINDS_OF_STANCE, low=LOW_RANKS, which=1 << RANKS
)
LAST: Final = LAYOUT.add("last discard from the hand", "discards", stance=STANCES, role=ROLES, place=PLACES)
LAST_AGE: Final = LAYOUT.add(
    "last discard from the hand and its age", "discards", riichi=2, age=3, role=ROLES, place=PLACES
)
BEFORE: Final = LAYOUT.add("discard from the hand before that", "discards", stance=STANCES, role=ROLES, place=PLACES)
SUIT_COUNT: Final = LAYOUT.add(
    "discards of the suit by turn", "discards", rough=KINDS_OF_STANCE, low=LOW_RANKS, count=9, part=4
)
LET_PASS: Final = LAYOUT.add("let go since the last change", "discards", rough=KINDS_OF_STANCE, role=ROLES)
TURN: Final = LAYOUT.add("turn", "turn", rough=KINDS_OF_STANCE, role=ROLES, turn=TURNS)
LIVE: Final = LAYOUT.add("two-sided waits left", "suji", rough=KINDS_OF_STANCE, role=ROLES, live=3, lines=LINES)
RIICHI_TURN: Final = LAYOUT.add("turn of riichi", "turn", part=6, role=ROLES)
MELD: Final = LAYOUT.add("meld", "melds", stance=STANCES, role=ROLES, place=MELD_PLACES)
CALL_DISCARD: Final = LAYOUT.add("discard after a meld", "melds", meld=4, role=ROLES, place=PLACES)
MELD_YAKU: Final = LAYOUT.add("what the melds may become", "melds", stance=STANCES, yaku=16, role=ROLES)
FLUSH: Final = LAYOUT.add("flush", "melds", stance=STANCES, member=4, count=FLUSH_COUNTS, part=3)

MOST: Final = 40
"""Longest list of a kind."""


@kernel
def list_winning(v: Any, player: int, kind: int, r: Any, out: Any) -> int:
    """List the features of a kind against an opponent, whose reading is `r`, into `out` (int32); returns how many."""
    stance, role = int(r.stance), int(r.role[kind])
    rough = min(stance, KINDS_OF_STANCE - 1)
    turn = int(r.discards)
    left = int(r.left[kind])
    out[0] = ROLE + stance * ROLES + role
    out[1] = LEFT + (stance * ROLES + role) * COUNTS + left
    out[2] = TURN + (rough * ROLES + role) * TURNS + min(turn, TURNS - 1)
    out[3] = IS_DORA + stance * ROLES + role if r.dora[kind] else out[0]
    n = 3 + int(r.dora[kind] > 0)
    if stance == RIICHI_STANCE:
        out[n] = RIICHI_TURN + min(max(int(r.riichi_at), 0) // 3, 5) * ROLES + role
        n += 1
    if r.status[kind] == LET_GO:
        out[n] = LET_PASS + rough * ROLES + role
        n += 1
    live = 0
    if kind >= EAST:
        out[n] = LEFT_TURN + ((rough * ROLES + role) * COUNTS + left) * 6 + min(turn // 3, 5)
        n += 1
    else:
        live = live_lines(r, kind)
        n = list_suit(r, kind, rough, role, out, n)
    out[n] = LIVE + ((rough * ROLES + role) * 3 + live) * LINES + int(r.lines)
    n = list_changes(r, kind, stance, role, out, n + 1)
    return list_melds(v, player, kind, r, stance, role, out, n) if v.melds[player] else n


@kernel
def live_lines(r: Any, kind: int) -> int:
    """Number of two-sided waits for a number kind that no safe kind rules out: 0, 1 or 2."""
    rank = kind % RANKS
    live = int(rank >= 3 and r.status[kind - 3] == NO_DISCARD)
    return live + int(rank < RANKS - 3 and r.status[kind + 3] == NO_DISCARD)


@kernel
def list_suit(r: Any, kind: int, rough: int, low: int, out: Any, n: int) -> int:
    """The suit around a number kind: copies left, safe kinds, dora, discards."""
    rank = kind % RANKS
    step = 1 if rank == low else -1
    base = kind - step * low  # the kind at place 0
    up = int(r.status[kind + 3 * step])
    down = int(r.status[kind - 3 * step]) if low >= 3 else 0
    head = rough * LOW_RANKS + low
    out[n] = SUJI + (head * STATUSES + down) * STATUSES + up
    one, two = int(r.left[kind + step]), int(r.left[kind + 2 * step])
    out[n + 1] = ABOVE + ((head * 2 + int(up > 0)) * COUNTS + one) * COUNTS + two
    n += 2
    if low >= 1:
        out[n] = AROUND + (head * COUNTS + int(r.left[kind - step])) * COUNTS + one
        n += 1
    if low >= 2:
        one, two = int(r.left[kind - step]), int(r.left[kind - 2 * step])
        out[n] = BELOW + ((head * 2 + int(down > 0)) * COUNTS + one) * COUNTS + two
        n += 1
    found, early, dora = 0, 0, 0
    for place in range(RANKS):
        other = base + step * place
        if r.code[other]:
            found |= 1 << place
            early |= int(r.code[other] <= EARLY_CODES) << place
            out[n] = DISCARD + (head * RANKS + place) * CODES + int(r.code[other])
            n += 1
        if r.dora[other]:
            dora = place + 1
    out[n] = DISCARDED + (head << RANKS) + found
    out[n + 1] = EARLY_DISCARDED + (head << RANKS) + early
    out[n + 2] = DORA + head * (RANKS + 1) + dora
    given = min(int(r.suit_discards[kind // RANKS]), 8)
    out[n + 3] = SUIT_COUNT + (head * 9 + given) * 4 + min(int(r.discards) // 5, 3)
    return n + 4


@kernel
def place_of(other: int, kind: int, role: int) -> int:
    """Position of another kind relative to a kind: its place in the mirrored suit, else its role."""
    if other >= EAST:
        return PLACES - 1
    rank = other % RANKS
    if other // RANKS == kind // RANKS:
        return rank if kind % RANKS == role else RANKS - 1 - rank
    return RANKS + min(rank, RANKS - 1 - rank)


@kernel
def list_changes(r: Any, kind: int, stance: int, role: int, out: Any, n: int) -> int:
    """The last two discards from the hand (for riichi the tile of the declaration is the last)."""
    last = int(r.riichi_at) if r.riichi_at != NONE else int(r.last_change)
    if last == NONE:
        return n
    place = place_of(int(r.river[last]), kind, role)
    age = 0 if last >= int(r.discards) - 2 else 1 if last >= int(r.discards) - 5 else 2
    out[n] = LAST + (stance * ROLES + role) * PLACES + place
    out[n + 1] = LAST_AGE + ((int(stance != RIICHI_STANCE) * 3 + age) * ROLES + role) * PLACES + place
    n += 2
    before = int(r.change_before) if last == int(r.last_change) else int(r.last_change)
    if before != NONE:
        out[n] = BEFORE + (stance * ROLES + role) * PLACES + place_of(int(r.river[before]), kind, role)
        n += 1
    return n


@kernel
def list_melds(v: Any, player: int, kind: int, r: Any, stance: int, role: int, out: Any, n: int) -> int:
    """Melds relative to a kind, and what they may become."""
    for i in range(int(v.melds[player])):
        first = int(v.meld_kind[player, i])
        place = place_of(first, kind, role)
        if place < RANKS and kind < EAST:
            if v.meld_type[player, i] == CHI:
                place = place if kind % RANKS == role else place - 2
            else:
                place += RANKS - 2
        else:
            place = MELD_PLACES - 1 if first >= EAST else MELD_PLACES - (3 if v.meld_type[player, i] == CHI else 2)
        out[n] = MELD + (stance * ROLES + role) * MELD_PLACES + place
        n += 1
        at = int(r.call_discard[i])
        if at != NONE and v.meld_type[player, i] != CONCEALED_KAN:
            out[n] = CALL_DISCARD + (i * ROLES + role) * PLACES + place_of(int(r.river[at]), kind, role)
            n += 1
    if r.melds == 0:
        return n
    yaku = int(r.meld_han > 0) * 8 + int(r.simple) * 4 + int(r.triplets) * 2 + int(r.outer)
    out[n] = MELD_YAKU + (stance * 16 + yaku) * ROLES + role
    out[n + 1] = FLUSH + ((stance * 4 + flush_part(r, kind)) * FLUSH_COUNTS + flush_count(r)) * 3 + flush_turn(r)
    return n + 2


@kernel
def flush_part(r: Any, kind: int) -> int:
    """Whether a kind would belong to the flush that the melds allow: no flush, in its suit, honour, outside."""
    if r.flush < 0:
        return 0
    if kind >= EAST:
        return 2
    return 1 if kind // RANKS == r.flush else 3


@kernel
def flush_count(r: Any) -> int:
    """Discards of the suit of the flush, at most six."""
    return min(int(r.suit_discards[r.flush]), FLUSH_COUNTS - 1) if r.flush >= 0 else 0


@kernel
def flush_turn(r: Any) -> int:
    """The phase of the hand for features of a flush."""
    return min(int(r.discards) // 6, 2)
