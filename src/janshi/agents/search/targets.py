"""Kernels that enumerate the winning hands near a Guobiao hand: sets and a pair, perhaps with a knitted straight.

A *target* is a choice of sets and a pair in addition to the melds. Its value is the product of the chances of its
missing tiles, times what it pays; (almost) nothing if it has fewer than eight fan. Targets are built set by set, and a
choice is abandoned as soon as it misses more tiles than the limit, or a tile of which none is left.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.tiles import COPIES, NUM_KINDS, RANKS
from janshi.rules.guobiao import fans as f
from janshi.rules.guobiao.evaluate import evaluate
from janshi.rules.guobiao.reach import ALL_SETS, RUN_SETS
from janshi.rules.guobiao.win import CHI, NUM_FAN, PON, SCORE_DTYPE, WIN_DTYPE

GONE: Final = 99
"""Number of missing tiles of a target that cannot be completed any more."""
TOTAL: Final = NUM_KINDS
"""Place of the value of the hand as it is, after those of its discards."""
OWN, CHOW, PUNG, WIN = range(4)
"""Ways to get a tile: one's own draws only; or also discards called for a sequence, a triplet or a win."""
WAYS: Final = 4
PAIR: Final = 4
"""Place of the pair among the parts of a target: after the sets, of which there are at most four."""
PARTS: Final = 5
SETS: Final = np.array(
    [[s // 7 * RANKS + s % 7 + i if s < RUN_SETS else s - RUN_SETS for i in range(3)] for s in range(ALL_SETS)],
    np.int64,
)
"""The kinds of each set: the sequences, then the triplets."""

SELF_DRAWN: Final = 0.3
"""Share of wins by self-draw."""
BASE: Final = 24.0
"""Payment of a win on top of its fan: 8 from each opponent."""
HOPE: Final = 1e-6
"""Worth of a fan in a target below eight: so small that it only breaks ties."""


SEARCH_DTYPE = record_dtype(
    [
        ("hand", np.int64, (NUM_KINDS,)),  # concealed tiles
        ("live", np.int64, (NUM_KINDS,)),  # tiles of each kind not seen
        ("seen", np.int64, (NUM_KINDS,)),  # tiles everybody sees
        ("chances", np.float64, (WAYS, NUM_KINDS, COPIES + 1)),  # of the next tile of a kind when 1 to 4 are missing
        ("values", np.float64, (NUM_KINDS + 1,)),  # of each discard, and of the hand as it is
        ("need", np.int64, (NUM_KINDS,)),  # tiles of the target
        ("chosen", np.int64, (PARTS,)),  # its sets
        ("depth", np.int64),  # number of chosen sets minus one; -1 before the first choice
        ("lack", np.int64, (PARTS + 1,)),  # tiles missing before each set is chosen
        ("open_chance", np.float64, (PARTS + 1,)),  # of the parts chosen so far, called where that is possible
        ("own_chance", np.float64, (PARTS + 1,)),  # the same by draws of one's own only
        ("part_lacks", np.int64, (PARTS,)),  # tiles missing in each part
        ("part_tile", np.int64, (PARTS,)),  # the last of them
        ("part_copy", np.int64, (PARTS,)),  # how many of that kind are missing then
        ("targets", np.int64),  # targets looked at
        ("enough", np.int64),  # those of eight fan
        ("literal", np.int64),  # 1: chances are shares of what is left, a hand is worth its fan
        ("noting", np.int64),  # 1: note the fan of targets, in the four fields below
        ("nearest", np.int64),  # tiles missing to the nearest target of eight fan; 0: none was found
        ("weight", np.float64),  # sum of the chances of the targets of eight fan
        ("fan", np.float64),  # their fan times their chances
        ("noted", np.float64, (NUM_FAN,)),  # sum of the chances of those with each fan
        ("win", WIN_DTYPE),  # melds and winds of the player; the target whose fan are counted
        ("score", SCORE_DTYPE),
    ]
)
Search: TypeAlias = np.record
"""The problem and scratch space of a search: one record of SEARCH_DTYPE."""


@kernel
def fill_chances(s: Search, tries: float, called: float) -> None:
    """Write the chances of tiles: by `tries` at one's own draws, more where other players' discards can be used.

    In the literal form a tile's chance is its share of the unseen tiles, no matter who draws.
    """
    unseen = 0
    for kind in range(NUM_KINDS):
        unseen += s.live[kind]
    for way in range(WAYS):
        more = 0.0 if way == OWN else called if way == CHOW else 3.0 * called
        for kind in range(NUM_KINDS):
            s.chances[way, kind, 0] = 1.0
            for lacking in range(COPIES):
                share = max(s.live[kind] - lacking, 0) / max(unseen, 1)
                chance = share if s.literal else 1.0 - (1.0 - share) ** (tries * (1.0 + more))
                s.chances[way, kind, lacking + 1] = chance


@kernel
def add_tile(s: Search, kind: int, part: int) -> int:
    """Add a tile to the target; returns the additional missing tiles, 0 or 1, or `GONE`."""
    have = s.need[kind]
    s.need[kind] = have + 1
    if have < s.hand[kind]:
        return 0
    if have >= s.hand[kind] + s.live[kind]:
        return GONE
    s.part_lacks[part] += 1
    s.part_tile[part] = kind
    s.part_copy[part] = have + 1 - s.hand[kind]
    return 1


@kernel
def add_set(s: Search, number: int, depth: int) -> int:
    """Add a set to the target, and its chance; returns the number of tiles then missing."""
    lacking = s.lack[depth]
    s.part_lacks[depth] = 0
    chance = 1.0
    for i in range(3):
        kind = SETS[number, i]
        more = add_tile(s, kind, depth)
        if more == 1:
            chance *= s.chances[OWN, kind, s.part_copy[depth]]
        lacking += more
    s.own_chance[depth + 1] = s.own_chance[depth] * chance
    if s.part_lacks[depth] > 0 and lacking < GONE:
        tile, copy = s.part_tile[depth], s.part_copy[depth]
        way = CHOW if number < RUN_SETS else PUNG
        chance *= s.chances[way, tile, copy] / s.chances[OWN, tile, copy]
    s.open_chance[depth + 1] = s.open_chance[depth] * chance
    return int(lacking)


@kernel
def take_set(s: Search, number: int) -> None:
    """Remove a set from the target."""
    for i in range(3):
        s.need[SETS[number, i]] -= 1


@kernel
def next_sets(s: Search, free: int, limit: int) -> int:
    """Advance to the next choice of `free` sets within the limit; returns its missing tiles, or -1 after the last one.

    It begins where `depth` is -1; `need`, `lack[0]` and the first chances hold what is fixed.
    """
    depth = int(s.depth)
    if depth < 0:
        depth = 0
        s.chosen[0] = 0
    else:
        take_set(s, s.chosen[depth])
        s.chosen[depth] += 1
    while depth >= 0:
        number = s.chosen[depth]
        if number == ALL_SETS:
            depth -= 1
            if depth >= 0:
                take_set(s, s.chosen[depth])
                s.chosen[depth] += 1
            continue
        lacking = add_set(s, number, depth)
        if lacking > limit:
            take_set(s, number)
            s.chosen[depth] += 1
        elif depth + 1 < free:
            s.lack[depth + 1] = lacking
            s.chosen[depth + 1] = number
            depth += 1
        else:
            s.depth = depth
            return lacking
    s.depth = -1
    return -1


@kernel
def search_sets(s: Search, free: int, limit: int, most: int) -> bool:
    """Value all targets with at most `limit` missing tiles; stops and returns False if there are more than `most`."""
    if free == 0:
        search_pairs(s, 0, s.lack[0], limit)
        return True
    s.depth = -1
    lacking = next_sets(s, free, limit)
    while lacking >= 0:
        search_pairs(s, free, lacking, limit)
        if s.targets > most:
            return False
        lacking = next_sets(s, free, limit)
    return True


@kernel
def search_pairs(s: Search, sets: int, lacking: int, limit: int) -> None:
    """Value the targets of the chosen sets with every pair."""
    for pair in range(NUM_KINDS):
        if lacking == limit and s.hand[pair] < s.need[pair] + 2:
            continue
        s.part_lacks[PAIR] = 0
        more = add_tile(s, pair, PAIR)
        chance = 1.0
        if more == 1:
            chance = s.chances[OWN, pair, s.part_copy[PAIR]]
        second = add_tile(s, pair, PAIR)
        if second == 1:
            chance *= s.chances[OWN, pair, s.part_copy[PAIR]]
        if 0 < lacking + more + second <= limit:
            s.targets += 1
            enough = s.enough
            value = target_value(s, sets, lacking + more + second, chance)
            if value > 0.0:
                add_value(s, value)
            if s.noting and s.enough > enough:
                note_target(s, value)
        s.need[pair] -= 2


@kernel
def add_value(s: Search, value: float) -> None:
    """Add a target's value to the hand's, and to that of every discard that the target does not need."""
    s.values[TOTAL] += value
    for kind in range(NUM_KINDS):
        if s.hand[kind] > s.need[kind]:
            s.values[kind] += value


@kernel
def note_target(s: Search, value: float) -> None:
    """Note the fan of the target in `score`, which is worth `value`; fan for the wait are not known yet."""
    fan = max(int(s.score.fan), f.MINIMUM)
    base, times = pay_terms(s)
    chance = value / (base + (1.0 - SELF_DRAWN + times * SELF_DRAWN) * fan)
    for number in range(NUM_FAN):
        if s.score.counts[number] > 0 and number not in (f.EDGE_WAIT, f.CLOSED_WAIT, f.SINGLE_WAIT):
            s.noted[number] += chance
    s.weight += chance
    s.fan += chance * fan


@kernel
def target_value(s: Search, sets: int, lacking: int, pair_chance: float) -> float:
    """The value of the target in `need`.

    We assume that the winning tile is the last one missing in the pair or, if the pair is complete, in the last set.
    Without melds it is valued with its first incomplete set called if that leaves eight fan, else as concealed.
    """
    first, last = unfinished(s, sets)
    w = s.win
    for kind in range(NUM_KINDS):
        w.hand[kind] = s.need[kind]
    if last < 0:
        return fixed_value(s, sets, lacking, pair_chance)
    tile, copy = s.part_tile[last], s.part_copy[last]
    w.win_kind = tile
    w.last_of_kind = int(lacking == 1 and s.seen[tile] == COPIES - 1)
    final = s.chances[WIN, tile, copy] * pair_chance
    way = OWN if last == PAIR else CHOW if s.chosen[last] < RUN_SETS else PUNG
    called = s.open_chance[sets] * final / s.chances[way, tile, copy]
    if w.melds > 0:
        return float(called * pay(s, lacking == 1))
    if first >= 0 and first != last:
        opened = opened_pay(s, s.chosen[first])
        if opened > 0.0:
            return float(called * opened)
    own = s.own_chance[sets] * final / s.chances[OWN, tile, copy]
    return float(own * pay(s, lacking == 1))


@kernel
def unfinished(s: Search, sets: int) -> tuple[int, int]:
    """The first set with a missing tile and the last such part, where the pair comes last; -1 for none."""
    first = last = -1
    for part in range(sets):
        if s.part_lacks[part] > 0:
            first = part if first < 0 else first
            last = part
    return first, PAIR if s.part_lacks[PAIR] > 0 else last


@kernel
def fixed_value(s: Search, sets: int, lacking: int, pair_chance: float) -> float:
    """The value of a target that misses only tiles of its knitted straight, which come by draws and the win."""
    w = s.win
    w.last_of_kind = 0
    for kind in range(NUM_KINDS):
        if s.need[kind] > s.hand[kind]:
            w.win_kind = kind
            final = s.chances[WIN, kind, 1] / s.chances[OWN, kind, 1]
            return float(s.own_chance[sets] * pair_chance * final * pay(s, lacking == 1))
    return 0.0


@kernel
def fan_now(s: Search, self_drawn: int, waiting: bool) -> int:
    """Fan of the target in `win`; fan for the wait count only if the hand is `waiting`."""
    w, out = s.win, s.score
    w.self_drawn = self_drawn
    evaluate(w, out)
    fan = int(out.fan)
    if not waiting:
        fan -= int(out.counts[f.EDGE_WAIT]) + int(out.counts[f.CLOSED_WAIT]) + int(out.counts[f.SINGLE_WAIT])
    return fan


@kernel
def pay(s: Search, waiting: bool) -> float:
    """Expected payment of the target in `win`, averaged over self-draws and discards with at least eight fan."""
    drawn = fan_now(s, 1, waiting)
    claimed = fan_now(s, 0, waiting) if drawn >= f.MINIMUM or waiting else 0
    return expected_pay(s, drawn, claimed)


@kernel
def pay_terms(s: Search) -> tuple[float, float]:
    """Payment on top of fan, and how often each fan is paid by self-draw; the literal form counts fan alone."""
    return (0.0, 1.0) if s.literal else (BASE, 3.0)


@kernel
def expected_pay(s: Search, drawn: int, claimed: int) -> float:
    """Payment for these fan by self-draw and on a discard; almost nothing below eight."""
    total = 0.0
    base, times = pay_terms(s)
    if drawn >= f.MINIMUM:
        total += SELF_DRAWN * (base + times * drawn)
    if claimed >= f.MINIMUM:
        total += (1.0 - SELF_DRAWN) * (base + claimed)
    if total == 0.0:
        return HOPE * drawn
    s.enough += 1
    return total


@kernel
def opened_pay(s: Search, number: int) -> float:
    """What the target in `win` pays if one of its sets is called."""
    claimed = fan_opened(s, number)
    if claimed + 1 < f.MINIMUM:
        return 0.0
    return expected_pay(s, claimed + 1, claimed)


@kernel
def fan_opened(s: Search, number: int) -> int:
    """Fan of the target in `win` on a discard if one of its sets is called."""
    w, kind = s.win, SETS[number, 0]
    w.melds, w.meld_type[0], w.meld_kind[0] = 1, CHI if number < RUN_SETS else PON, kind
    for i in range(3):
        w.hand[SETS[number, i]] -= 1
    claimed = fan_now(s, 0, False)
    w.melds = 0
    for i in range(3):
        w.hand[SETS[number, i]] += 1
    return claimed
