"""What opponents discard next: a softmax over the 34 kinds, relative to a uniform draw from the unseen tiles.

A player in riichi discards what they draw: all unseen tiles are equally likely. For other players, the chance of a kind
is proportional to its number of unseen tiles times the exponential of a sum of weights: for the kind and the turn, the
opponent's discards and melds, and how safe the kind is against each player (the viewer included) in riichi or with at
least two melds. So declaring riichi changes the chance that somebody discards a tile the viewer waits for.
"""

from __future__ import annotations

from math import exp
from typing import Any, Final

import numpy as np

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.tiles import EAST, NUM_KINDS, RANKS
from janshi.features.layout import Layout
from janshi.features.opponent import NO_FLUSH, RIICHI_STANCE, ROLES, read_opponent, read_table
from janshi.rules.riichi.concealed import kind_of
from janshi.rules.riichi.state import PLAYERS, RIICHI_FLAG

VERSION: Final = 1
"""Changes whenever the meaning of a feature number changes."""

NOW, DECLARED = 0, 1
STANCES: Final = 2
"""The viewer as in the view, and after declaring riichi."""
PARTS: Final = 6
"""Phases of a hand: three discards each."""
COUNTS: Final = 5
TILE_GROUPS: Final = 3
"""Simples, terminals, honours."""

CALM, RIICHI_THREAT, TWO_MELDS, THREE_MELDS = range(4)
"""How a player threatens others."""
GENBUTSU, SUJI, HALF_SUJI, BARE_END, BARE_NEAR, BARE_MIDDLE, LAST_HONOUR, HONOUR, LIVE_HONOUR = range(9)
SAFETIES: Final = 9
"""How safe a kind is against a player: genbutsu; suji; half suji; no suji (terminals, twos and eights, the rest);
honours by the number unseen (at most one, two, three or four)."""

SILENT, DECLARED_WAITER, ONE_MELD_WAITER, MELDED_WAITER = range(4)
WAITERS: Final = 4
"""A viewer who is tenpai: closed without riichi, in riichi, with one meld, with more."""

LAYOUT: Final = Layout()
ROLE: Final = LAYOUT.add("role", "tiles", open=2, part=PARTS, role=ROLES)
LEFT: Final = LAYOUT.add("copies left", "tiles", group=TILE_GROUPS, left=COUNTS)
OWN: Final = LAYOUT.add("discarded before", "discards", group=TILE_GROUPS, part=PARTS)
NEAR: Final = LAYOUT.add("next to own discards", "discards", count=3)
FAR: Final = LAYOUT.add("two ranks from own discards", "discards", count=3)
DORA: Final = LAYOUT.add("dora", "dora", group=TILE_GROUPS)
FLUSH: Final = LAYOUT.add("flush", "melds", melds=4, member=3)
THEIRS: Final = LAYOUT.add("safety against another", "suji", threat=3, open=2, safety=SAFETIES)
MINE: Final = LAYOUT.add("safety against the viewer", "suji", threat=3, open=2, safety=SAFETIES)
HELD: Final = LAYOUT.add("held by the viewer", "tiles", group=TILE_GROUPS, count=COUNTS)
HELD_NEAR: Final = LAYOUT.add("next to what the viewer holds", "tiles", count=COUNTS)
HELD_FAR: Final = LAYOUT.add("two ranks from what the viewer holds", "tiles", count=COUNTS)
WAITED: Final = LAYOUT.add("waited for by the viewer", "suji", state=WAITERS, group=TILE_GROUPS)
MOST: Final = 16
"""Longest list of a kind."""

SIGHT_DTYPE: Final = record_dtype(
    [
        ("safe", np.int64, (PLAYERS,)),  # kinds each player cannot win on, the viewer first
        ("threat", np.int8, (PLAYERS,)),
    ]
)
"""Public information about who threatens whom: scratch space."""


@kernel
def look_around(v: Any, stance: int, r: Any, sight: Any) -> None:
    """Write who threatens, and what is safe; `r` is a reading as scratch."""
    read_table(v, r)
    note_viewer(v, stance, sight)
    for player in range(1, PLAYERS):
        read_opponent(v, player, r)
        if r.stance == RIICHI_STANCE:
            sight.threat[player], sight.safe[player] = RIICHI_THREAT, r.safe
        else:
            sight.threat[player], sight.safe[player] = threat_of_melds(int(r.melds)), r.own


@kernel
def threat_of_melds(melds: int) -> int:
    """How a player without riichi threatens."""
    return CALM if melds < 2 else TWO_MELDS if melds == 2 else THREE_MELDS


@kernel
def note_viewer(v: Any, stance: int, sight: Any) -> None:
    """Write what is safe against the viewer: the viewer's discards and, in riichi, tiles passed since."""
    safe, since = 0, -1
    for i in range(int(v.discards[0])):
        safe |= 1 << kind_of(int(v.river[0, i]))
        if v.river_flags[0, i] & RIICHI_FLAG:
            since = int(v.river_order[0, i])
    if since >= 0:
        for player in range(1, PLAYERS):
            for i in range(int(v.discards[player])):
                if v.river_order[player, i] > since:
                    safe |= 1 << kind_of(int(v.river[player, i]))
    riichi = v.riichi[0] or stance == DECLARED
    sight.safe[0] = safe
    sight.threat[0] = RIICHI_THREAT if riichi else threat_of_melds(int(v.melds[0]))


@kernel
def safety_of(kind: int, safe: int, left: int) -> int:
    """The safety class of a kind against a player who cannot win on the kinds in `safe`."""
    if (safe >> kind) & 1:
        return GENBUTSU
    if kind >= EAST:
        return LAST_HONOUR if left <= 1 else HONOUR if left == 2 else LIVE_HONOUR
    rank = kind % RANKS
    lines = covered = 0
    if rank >= 3:
        lines += 1
        covered += (safe >> (kind - 3)) & 1
    if rank < RANKS - 3:
        lines += 1
        covered += (safe >> (kind + 3)) & 1
    if covered == lines:
        return SUJI
    if covered:
        return HALF_SUJI
    end = min(rank, RANKS - 1 - rank)
    return BARE_END if end == 0 else BARE_NEAR if end == 1 else BARE_MIDDLE


@kernel
def group_of(kind: int) -> int:
    """0 for simples, 1 for terminals, 2 for honours."""
    if kind >= EAST:
        return 2
    return 1 if kind % RANKS in (0, RANKS - 1) else 0


@kernel
def beside(own: int, kind: int, distance: int) -> int:
    """How many of the two kinds at this distance in ranks are in a river."""
    rank, count = kind % RANKS, 0
    if rank >= distance:
        count += (own >> (kind - distance)) & 1
    if rank + distance < RANKS:
        count += (own >> (kind + distance)) & 1
    return count


@kernel
def held_beside(hand: Any, kind: int, distance: int) -> int:
    """How many tiles of the two kinds at this distance in ranks a hand holds."""
    rank, count = kind % RANKS, 0
    if rank >= distance:
        count += int(hand[kind - distance])
    if rank + distance < RANKS:
        count += int(hand[kind + distance])
    return min(count, COUNTS - 1)


@kernel
def waiter_of(declared: bool, melds: int) -> int:
    """How a tenpai viewer waits."""
    if declared:
        return DECLARED_WAITER
    return SILENT if melds == 0 else ONE_MELD_WAITER if melds == 1 else MELDED_WAITER


@kernel
def list_held(hand: Any, kind: int, out: Any, n: int) -> int:
    """List a kind's features that come from the viewer's own tiles, from index `n`; returns the next index."""
    out[n] = HELD + group_of(kind) * COUNTS + int(hand[kind])
    if kind >= EAST:
        return n + 1
    out[n + 1] = HELD_NEAR + held_beside(hand, kind, 1)
    out[n + 2] = HELD_FAR + held_beside(hand, kind, 2)
    return n + 3


@kernel
def list_discard(hand: Any, player: int, kind: int, r: Any, sight: Any, out: Any) -> int:
    """List the features of a kind that an opponent (read into `r`) may discard; returns how many.

    `hand` int8[34] is the viewer's; `out` is int32[MOST]. Whether the viewer waits for the kind is added later
    (WAITED).
    """
    part, group = min(int(r.discards) // 3, PARTS - 1), group_of(kind)
    opened = 1 if r.melds else 0
    out[0] = ROLE + (opened * PARTS + part) * ROLES + int(r.role[kind])
    out[1] = LEFT + group * COUNTS + int(r.left[kind])
    n = list_held(hand, kind, out, 2)
    if (int(r.own) >> kind) & 1:
        out[n] = OWN + group * PARTS + part
        n += 1
    if kind < EAST:
        out[n] = NEAR + beside(int(r.own), kind, 1)
        out[n + 1] = FAR + beside(int(r.own), kind, 2)
        n += 2
    if r.dora[kind]:
        out[n] = DORA + group
        n += 1
    if r.melds and r.flush != NO_FLUSH:
        member = 2 if kind >= EAST else 1 if kind // RANKS == r.flush else 0
        out[n] = FLUSH + (int(r.melds) - 1) * 3 + member
        n += 1
    for other in range(PLAYERS):
        if other != player and sight.threat[other] != CALM:
            safety = safety_of(kind, int(sight.safe[other]), int(r.left[kind]))
            first = THEIRS if other else MINE
            out[n] = first + ((int(sight.threat[other]) - 1) * 2 + opened) * SAFETIES + safety
            n += 1
    return n


@kernel
def even_chances(r: Any, out: Any) -> None:
    """Write a uniform draw from the unseen tiles, float32[34]."""
    total = 0
    for kind in range(NUM_KINDS):
        total += int(r.left[kind])
    for kind in range(NUM_KINDS):
        out[kind] = float(r.left[kind]) / max(total, 1)


@kernel
def chances_of(hand: Any, player: int, weights: Any, r: Any, sight: Any, features: Any, out: Any) -> None:
    """Write the chance that an opponent (read into `r`) discards each kind, float32[34]; `features` int32[MOST]."""
    if r.stance == RIICHI_STANCE:
        even_chances(r, out)
        return
    total = 0.0
    for kind in range(NUM_KINDS):
        out[kind] = 0.0
        if r.left[kind] > 0:
            margin = 0.0
            for i in range(list_discard(hand, player, kind, r, sight, features)):
                margin += weights[features[i]]
            out[kind] = float(r.left[kind]) * exp(margin)
            total += out[kind]
    for kind in range(NUM_KINDS):
        out[kind] /= total if total > 0 else 1.0


@kernel
def discard_chances(v: Any, weights: Any, stance: int, r: Any, sight: Any, features: Any, out: Any) -> None:
    """Write the chance that each opponent discards each kind in the next turn, float32[3, 34].

    `weights` float32[size]; `stance`: NOW as in the view, DECLARED after the viewer's riichi. `r` (a reading), `sight`
    (a record of SIGHT_DTYPE) and `features` int32[MOST] are scratch.
    """
    look_around(v, stance, r, sight)
    for player in range(1, PLAYERS):
        read_opponent(v, player, r)
        chances_of(v.hand, player, weights, r, sight, features, out[player - 1])


# --- fitting


@kernel
def list_examples(
    views: Any,
    waits: Any,
    stances: Any,
    kinds: Any,
    wanted: Any,
    reading: Any,
    sights: Any,
    features: Any,
    counts: Any,
    left: Any,
    chosen: Any,
) -> int:
    """List features of possible discards by selected opponents (bool[n, 3]) not in riichi; returns how many lists.

    `waits` int64[n] are the viewer's; `kinds` int8[n, 3] are the others' actual discards, copied to `chosen` int8[m].
    Writes lists int16[m, 34, MOST], their lengths int8[m, 34] and the unseen tiles int8[m, 34].
    """
    n, r, sight = 0, reading[0], sights[0]
    scratch = np.zeros(MOST, np.int32)
    for i in range(len(views)):
        v = views[i]
        look_around(v, stances[i], r, sight)
        for player in range(1, PLAYERS):
            if not wanted[i, player - 1] or v.riichi[player]:
                continue
            read_opponent(v, player, r)
            if r.stance == RIICHI_STANCE or r.left[kinds[i, player - 1]] == 0:
                continue
            for kind in range(NUM_KINDS):
                left[n, kind] = r.left[kind]
                count = list_discard(v.hand, player, kind, r, sight, scratch)
                if (int(waits[i]) >> kind) & 1:
                    scratch[count] = (
                        WAITED + waiter_of(stances[i] != NOW, int(v.melds[0])) * TILE_GROUPS + group_of(kind)
                    )
                    count += 1
                counts[n, kind] = count
                for j in range(counts[n, kind]):
                    features[n, kind, j] = scratch[j]
            chosen[n] = kinds[i, player - 1]
            n += 1
    return n


@kernel
def loss_and_gradient(weights: Any, features: Any, counts: Any, left: Any, chosen: Any, gradient: Any) -> float:
    """The sum of log losses of what was discarded (int8[m]), and its gradient (added to `gradient` float64[size])."""
    loss = 0.0
    chances = np.zeros(NUM_KINDS)
    for i in range(len(chosen)):
        total = 0.0
        for kind in range(NUM_KINDS):
            chances[kind] = 0.0
            if left[i, kind] > 0:
                margin = 0.0
                for j in range(counts[i, kind]):
                    margin += weights[features[i, kind, j]]
                chances[kind] = left[i, kind] * exp(margin)
                total += chances[kind]
        loss -= np.log(chances[chosen[i]] / total)
        for kind in range(NUM_KINDS):
            if left[i, kind] > 0:
                error = chances[kind] / total - (1.0 if kind == chosen[i] else 0.0)
                for j in range(counts[i, kind]):
                    gradient[features[i, kind, j]] += error
    return loss
