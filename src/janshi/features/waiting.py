"""Features of the waiting model: whether an opponent without riichi is tenpai.

The list for an opponent covers what was discarded, when, and whether from the hand; melds and the discards made with
them; the last turns; dora discarded; and play against another player's riichi. Most features are combined with the
number of open melds, because everything means something different in an open hand.
"""

from __future__ import annotations

from typing import Any, Final

from janshi.core._jit import kernel
from janshi.core.melds import CONCEALED_KAN
from janshi.core.tiles import EAST, FIRST_RED, RANKS
from janshi.features.layout import Layout
from janshi.features.opponent import ROLES
from janshi.rules.riichi.concealed import kind_of
from janshi.rules.riichi.state import NONE, PLAYERS, RIICHI_FLAG, TSUMOGIRI_FLAG

VERSION: Final = 2
"""Changes when the meaning of a feature number does."""

MELD_COUNTS: Final = 5
OPENNESS: Final = 4
"""No, one, two, three or more open melds."""
TURNS: Final = 22
PLACES: Final = 20
PARTS: Final = 5
"""Phases of a hand, of four discards each."""
LATEST: Final = 5
PATTERN: Final = 6
RUN: Final = 10
SUIT_COUNTS: Final = 8

LAYOUT: Final = Layout()
BIAS: Final = LAYOUT.add("bias", "situation", bias=1)
TURN: Final = LAYOUT.add("turn", "turn", turn=TURNS)
MELDS_TURN: Final = LAYOUT.add("open melds and turn", "melds", melds=MELD_COUNTS, turn=TURNS)
WALL: Final = LAYOUT.add("tiles left in the wall", "turn", melds=MELD_COUNTS, left=15)
DISCARD: Final = LAYOUT.add("discard by place", "discards", place=PLACES, role=ROLES, drawn=2, openness=OPENNESS)
LATEST_DISCARD: Final = LAYOUT.add(
    "latest discards", "discards", back=LATEST, role=ROLES, drawn=2, openness=OPENNESS, part=PARTS
)
CHANGES: Final = LAYOUT.add(
    "which of the last six were from the hand", "discards", pattern=1 << PATTERN, melds=MELD_COUNTS, part=PARTS
)
TAIL: Final = LAYOUT.add("tsumogiri since the last from the hand", "discards", run=RUN, melds=MELD_COUNTS, part=PARTS)
CHANGE_COUNT: Final = LAYOUT.add("discards from the hand", "discards", count=16, melds=MELD_COUNTS, part=PARTS)
LAST_CHANGES: Final = LAYOUT.add(
    "last two from the hand", "discards", last=ROLES + 1, before=ROLES + 1, openness=OPENNESS
)
LAST_AND_TAIL: Final = LAYOUT.add(
    "last from the hand and how long ago", "discards", role=ROLES, run=RUN, openness=OPENNESS, part=PARTS
)
LAST_LEFT: Final = LAYOUT.add(
    "last from the hand and its copies left", "discards", role=ROLES, copies=5, openness=OPENNESS
)
NEIGHBOUR: Final = LAYOUT.add(
    "last from the hand beside earlier discards", "discards", role=ROLES, around=32, openness=OPENNESS
)
LAST_TWO: Final = LAYOUT.add(
    "last two discards", "discards", last=ROLES, drawn=2, before=ROLES, before_drawn=2, openness=OPENNESS
)
RAREST_SUIT: Final = LAYOUT.add("discards of the rarest suit", "discards", count=7, turn=TURNS, openness=OPENNESS)
MIDDLE_COUNT: Final = LAYOUT.add("middle tiles discarded", "discards", count=SUIT_COUNTS, turn=TURNS, openness=OPENNESS)
HONOUR_COUNT: Final = LAYOUT.add("honours discarded", "discards", count=SUIT_COUNTS, turn=TURNS, openness=OPENNESS)
DORA_GIVEN: Final = LAYOUT.add("dora discarded", "dora", part=PARTS, drawn=2, openness=OPENNESS)
RED_GIVEN: Final = LAYOUT.add("red five discarded", "dora", part=PARTS, drawn=2, openness=OPENNESS)
NEAR_DORA: Final = LAYOUT.add("neighbour of dora discarded", "dora", part=PARTS, drawn=2, openness=OPENNESS)
MELD_DORA: Final = LAYOUT.add("dora in melds", "melds", dora=6, melds=MELD_COUNTS)
UNSEEN_DORA: Final = LAYOUT.add("dora not seen", "dora", dora=6, openness=OPENNESS)
MELD: Final = LAYOUT.add("meld", "melds", type=6, role=ROLES, order=7, openness=OPENNESS)
SINCE_MELD: Final = LAYOUT.add("discards since the last meld", "melds", count=16, melds=MELD_COUNTS)
CHANGES_SINCE: Final = LAYOUT.add("from the hand since the last meld", "melds", count=10, melds=MELD_COUNTS, part=PARTS)
CALL_DISCARD: Final = LAYOUT.add("discard after a meld", "melds", role=ROLES, meld=4, part=PARTS, openness=OPENNESS)
CALL_AGE: Final = LAYOUT.add("discard after the last meld and its age", "melds", role=ROLES, age=RUN, openness=OPENNESS)
MELD_YAKU: Final = LAYOUT.add("what the melds may become", "melds", yaku=16, melds=MELD_COUNTS, part=PARTS)
FLUSH: Final = LAYOUT.add("flush: discards of the suit", "melds", count=SUIT_COUNTS, melds=MELD_COUNTS, part=PARTS)
CONCEALED_KANS: Final = LAYOUT.add("concealed kans", "melds", kans=3, openness=OPENNESS)
DEALER: Final = LAYOUT.add("dealer", "situation", dealer=2, melds=MELD_COUNTS, part=PARTS)
STANDING: Final = LAYOUT.add("rank and round", "situation", rank=4, late=3, openness=OPENNESS)
FACING: Final = LAYOUT.add("riichi of others", "situation", riichi=3, melds=MELD_COUNTS, part=PARTS)
PUSH: Final = LAYOUT.add("discards after another's riichi", "situation", heavy=4, light=3, safe=4, melds=MELD_COUNTS)
PUSH_CHANGES: Final = LAYOUT.add(
    "from the hand after another's riichi", "situation", risky=4, safe=4, openness=OPENNESS
)

MOST: Final = 2 * PLACES + LATEST + 3 * PLACES + 40
"""Longest list."""


@kernel
def list_waiting(v: Any, player: int, r: Any, out: Any) -> int:
    """List the features of an opponent, whose reading is `r`, into `out` (int32); returns how many."""
    melds, openness = int(r.melds), min(int(r.melds), OPENNESS - 1)
    turn = min(int(r.discards), TURNS - 1)
    part = min(int(r.discards) // 4, PARTS - 1)
    out[0] = BIAS
    out[1] = TURN + turn
    out[2] = MELDS_TURN + melds * TURNS + turn
    out[3] = WALL + melds * 15 + min(int(v.left) // 5, 14)
    n = list_discards(v, player, r, openness, out, 4)
    n = list_rhythm(v, player, r, melds, openness, part, out, n)
    n = list_melds(v, player, r, melds, openness, part, out, n)
    return list_situation(v, player, r, melds, openness, part, out, n)


@kernel
def list_discards(v: Any, player: int, r: Any, openness: int, out: Any, n: int) -> int:
    """Every discard: when, what, from the hand or not, and dora discarded."""
    length = int(r.discards)
    middle = honours = 0
    for i in range(length):
        kind, drawn = int(r.river[i]), int(v.river_flags[player, i]) & TSUMOGIRI_FLAG
        role, part = int(r.role[kind]), min(i // 4, PARTS - 1)
        out[n] = DISCARD + ((min(i, PLACES - 1) * ROLES + role) * 2 + drawn) * OPENNESS + openness
        n += 1
        place = (part * 2 + drawn) * OPENNESS + openness
        if r.dora[kind]:
            out[n] = DORA_GIVEN + place
            n += 1
        elif is_near_dora(r, kind):
            out[n] = NEAR_DORA + place
            n += 1
        if v.river[player, i] >= FIRST_RED:
            out[n] = RED_GIVEN + place
            n += 1
        middle += int(3 <= role <= 4)
        honours += int(kind >= EAST)
    turn = min(length, TURNS - 1)
    out[n] = MIDDLE_COUNT + (min(middle, SUIT_COUNTS - 1) * TURNS + turn) * OPENNESS + openness
    out[n + 1] = HONOUR_COUNT + (min(honours, SUIT_COUNTS - 1) * TURNS + turn) * OPENNESS + openness
    rarest = min(int(r.suit_discards[0]), int(r.suit_discards[1]), int(r.suit_discards[2]), 6)
    out[n + 2] = RAREST_SUIT + (rarest * TURNS + turn) * OPENNESS + openness
    n += 3
    if length >= 2:
        last = int(r.role[r.river[length - 1]]) * 2 + (int(v.river_flags[player, length - 1]) & TSUMOGIRI_FLAG)
        before = int(r.role[r.river[length - 2]]) * 2 + (int(v.river_flags[player, length - 2]) & TSUMOGIRI_FLAG)
        out[n] = LAST_TWO + (last * 2 * ROLES + before) * OPENNESS + openness
        n += 1
    return n


@kernel
def is_near_dora(r: Any, kind: int) -> bool:
    """Whether a number kind is next to a dora."""
    if kind >= EAST:
        return False
    rank = kind % RANKS
    return bool((rank > 0 and r.dora[kind - 1]) or (rank < RANKS - 1 and r.dora[kind + 1]))


@kernel
def list_rhythm(v: Any, player: int, r: Any, melds: int, openness: int, part: int, out: Any, n: int) -> int:
    """The latest discards, and which came from the hand."""
    length = int(r.discards)
    pattern = changes = 0
    for back in range(min(length, PATTERN)):
        i = length - 1 - back
        drawn = int(v.river_flags[player, i]) & TSUMOGIRI_FLAG
        pattern |= (1 - drawn) << back
        if back < LATEST:
            role = int(r.role[r.river[i]])
            out[n] = LATEST_DISCARD + (((back * ROLES + role) * 2 + drawn) * OPENNESS + openness) * PARTS + part
            n += 1
    for i in range(length):
        changes += 1 - (int(v.river_flags[player, i]) & TSUMOGIRI_FLAG)
    tail = min(length - 1 - int(r.last_change), RUN - 1) if r.last_change != NONE else min(length, RUN - 1)
    out[n] = CHANGES + (pattern * MELD_COUNTS + melds) * PARTS + part
    out[n + 1] = TAIL + (tail * MELD_COUNTS + melds) * PARTS + part
    out[n + 2] = CHANGE_COUNT + (min(changes, 15) * MELD_COUNTS + melds) * PARTS + part
    n += 3
    if r.last_change == NONE:
        return n
    last = int(r.river[r.last_change])
    role = int(r.role[last])
    before = int(r.role[r.river[r.change_before]]) if r.change_before != NONE else ROLES
    out[n] = LAST_CHANGES + (role * (ROLES + 1) + before) * OPENNESS + openness
    out[n + 1] = LAST_AND_TAIL + ((role * RUN + tail) * OPENNESS + openness) * PARTS + part
    out[n + 2] = LAST_LEFT + (role * 5 + int(r.left[last])) * OPENNESS + openness
    out[n + 3] = NEIGHBOUR + (role * 32 + neighbours(r, last, int(r.last_change))) * OPENNESS + openness
    return n + 4


@kernel
def neighbours(r: Any, kind: int, before: int) -> int:
    """Which kinds around a number kind were discarded before it: a bit each for -2, -1, itself, +1, +2."""
    found = 0
    if kind >= EAST:
        for i in range(before):
            found |= int(r.river[i] == kind) << 2
        return found
    for i in range(before):
        apart = int(r.river[i]) - kind
        if -2 <= apart <= 2 and int(r.river[i]) // RANKS == kind // RANKS:
            found |= 1 << (apart + 2)
    return found


@kernel
def list_melds(v: Any, player: int, r: Any, melds: int, openness: int, part: int, out: Any, n: int) -> int:
    """Melds: what, when, what was discarded with them, and what they may become."""
    length = int(r.discards)
    kans, latest, called = 0, 0, NONE
    for i in range(int(v.melds[player])):
        type, order = int(v.meld_type[player, i]), int(v.meld_order[player, i])
        kans += int(type == CONCEALED_KAN)
        latest = max(latest, order)
        role = int(r.role[v.meld_kind[player, i]])
        out[n] = MELD + ((type * ROLES + role) * 7 + min(order // 12, 6)) * OPENNESS + openness
        n += 1
        at = int(r.call_discard[i])
        if at != NONE:
            called = max(called, at)
            role = int(r.role[r.river[at]])
            out[n] = CALL_DISCARD + ((role * 4 + i) * PARTS + min(at // 4, PARTS - 1)) * OPENNESS + openness
            n += 1
    out[n] = UNSEEN_DORA + min(int(r.unseen_dora), 5) * OPENNESS + openness
    out[n + 1] = CONCEALED_KANS + min(kans, 2) * OPENNESS + openness
    n += 2
    if called != NONE:
        age = min(length - 1 - called, RUN - 1)
        out[n] = CALL_AGE + (int(r.role[r.river[called]]) * RUN + age) * OPENNESS + openness
        n += 1
    if melds == 0:
        return n
    since = changes = 0
    for i in range(length):
        if v.river_order[player, i] >= latest:
            since += 1
            changes += 1 - (int(v.river_flags[player, i]) & TSUMOGIRI_FLAG)
    yaku = int(r.meld_han > 0) * 8 + int(r.simple) * 4 + int(r.triplets) * 2 + int(r.outer)
    out[n] = MELD_DORA + min(int(r.meld_dora), 5) * MELD_COUNTS + melds
    out[n + 1] = SINCE_MELD + min(since, 15) * MELD_COUNTS + melds
    out[n + 2] = CHANGES_SINCE + (min(changes, 9) * MELD_COUNTS + melds) * PARTS + part
    out[n + 3] = MELD_YAKU + (yaku * MELD_COUNTS + melds) * PARTS + part
    n += 4
    if r.flush >= 0:
        given = min(int(r.suit_discards[r.flush]), SUIT_COUNTS - 1)
        out[n] = FLUSH + (given * MELD_COUNTS + melds) * PARTS + part
        n += 1
    return n


@kernel
def list_situation(v: Any, player: int, r: Any, melds: int, openness: int, part: int, out: Any, n: int) -> int:
    """Dealer, rank, and the play against another's riichi."""
    rank = 0
    riichi = first = -1
    number = 0
    for other in range(PLAYERS):
        rank += int(v.scores[other] > v.scores[player])
        at = riichi_order(v, other) if other != player else NONE
        if at != NONE:
            number += 1
            if first == -1 or at < first:
                first, riichi = at, other
    kyoku = int(v.kyoku)
    late = 0 if kyoku < 4 else 1 if kyoku < 7 else 2
    out[n] = DEALER + (int(r.dealer) * MELD_COUNTS + melds) * PARTS + part
    out[n + 1] = STANDING + (rank * 3 + late) * OPENNESS + openness
    out[n + 2] = FACING + (min(number, 2) * MELD_COUNTS + melds) * PARTS + part
    n += 3
    if riichi == -1:
        return n
    heavy = light = safe = changed_safe = changed_risky = 0
    for i in range(int(r.discards)):
        order, kind = int(v.river_order[player, i]), int(r.river[i])
        if order <= first:
            continue
        changed = 1 - (int(v.river_flags[player, i]) & TSUMOGIRI_FLAG)
        if was_safe(v, riichi, first, kind, order):
            safe += 1
            changed_safe += changed
        else:
            changed_risky += changed
            if kind < EAST and r.role[kind] > 0:
                heavy += 1
            else:
                light += 1
    out[n] = PUSH + ((min(heavy, 3) * 3 + min(light, 2)) * 4 + min(safe, 3)) * MELD_COUNTS + melds
    out[n + 1] = PUSH_CHANGES + (min(changed_risky, 3) * 4 + min(changed_safe, 3)) * OPENNESS + openness
    return n + 2


@kernel
def riichi_order(v: Any, player: int) -> int:
    """The number among all discards of a player's riichi discard, or NONE."""
    for i in range(int(v.discards[player])):
        if v.river_flags[player, i] & RIICHI_FLAG:
            return int(v.river_order[player, i])
    return NONE


@kernel
def was_safe(v: Any, riichi: int, since: int, kind: int, order: int) -> bool:
    """Whether a kind discarded at `order` was safe against the riichi declared at `since`."""
    for other in range(PLAYERS):
        for i in range(int(v.discards[other])):
            at = int(v.river_order[other, i])
            if at < order and (other == riichi or at > since) and kind_of(int(v.river[other, i])) == kind:
                return True
    return False
