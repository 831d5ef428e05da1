"""A Guobiao player that knows all of its future draws: kernels for `scripts/measure_foresight.py`.

In Botzone's game each player draws from their own wall, so the deal fixes all draws. This player knows its own draws
and guesses the others' discards by sampling futures. In each future, a target (a winning hand) is complete when its
last missing tile has come; it is worth its points times the chance that nobody has won before. An action's value is
the mean over futures of the best target it leaves within reach.

Futures hold costs: -log of the chance that nobody has won before, in `UNIT`s, so that a target's cost is the maximum
over its tiles. Costs are bytes, so that all futures of a tile fit into one vector.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.agents.search.guobiao import make_meld, read_view
from janshi.agents.search.shapes import STRAIGHTS
from janshi.agents.search.targets import (
    PAIR,
    SEARCH_DTYPE,
    SELF_DRAWN,
    SETS,
    add_tile,
    fan_now,
    fan_opened,
    fill_chances,
    next_sets,
    unfinished,
)
from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.tables import ShantenTables
from janshi.core.tiles import COPIES, EAST, HONOURS, NUM_KINDS, RANKS
from janshi.learn.race import LOSS, lasting
from janshi.rules.guobiao import actions as act
from janshi.rules.guobiao import fans as f
from janshi.rules.guobiao.distance import shanten
from janshi.rules.guobiao.policies import allows
from janshi.rules.guobiao.reach import RUN_SETS

FUTURES: Final = 64
UNIT: Final = 24.0
NEVER: Final = 255
POINTS: Final = 400.0
"""A win of this many points has no cost; a smaller one costs the logarithm of the ratio."""
FAN: Final = 1.0 - SELF_DRAWN + 3.0 * SELF_DRAWN
"""Average payment per fan, over discards and self-draws."""
BASE: Final = 24.0 + LOSS
"""Worth of a win on top of its fan."""
USEFUL_SHARE: Final = 0.9
"""Share of opponents' discards that are as good as random draws; the rest are useless."""
OWN, LEFT, ALL = range(3)
"""Streams of tiles: own draws; own draws and the previous player's discards; own draws and all discards."""
TOTAL: Final = NUM_KINDS
MOST_LACKING: Final = 9
FARTHER: Final = 2
"""Targets may lack this many more tiles than the nearest one."""
LESSER_KNITTED: Final = f.FANS[f.LESSER_KNITTED].value
SEVEN_PAIRS: Final = f.FANS[f.PAIRS].value
FIRST_DRAWS: Final = 21
"""Number of draws of each player."""
MIX: Final = np.uint64(1315423911)

FUTURE_DTYPE = record_dtype(
    [
        ("costs", np.uint8, (3, NUM_KINDS, COPIES + 1, FUTURES)),  # of the n-th tile of a kind to come in a stream
        ("best", np.uint8, (NUM_KINDS + 1, FUTURES)),  # 255 less the cost of the best target of each discard, or 0
        ("before", np.uint8, (MOST_LACKING + 1, FUTURES)),  # maxima over a target's tiles up to one, and from one on
        ("after", np.uint8, (MOST_LACKING + 1, FUTURES)),
        ("cost", np.uint8, (FUTURES,)),  # of the target
        ("kinds", np.int64, (MOST_LACKING,)),  # its missing tiles: kinds, numbers and streams
        ("copies", np.int64, (MOST_LACKING,)),
        ("streams", np.int64, (MOST_LACKING,)),
        ("held", np.int64, (NUM_KINDS,)),
        ("values", np.float64, (NUM_KINDS + 1,)),
        ("search", SEARCH_DTYPE),
    ]
)


# --- futures


@kernel
def next_word(word: np.uint64) -> np.uint64:
    """The next of a sequence of random words."""
    word ^= word << np.uint64(13)
    word ^= word >> np.uint64(7)
    return word ^ (word << np.uint64(17))


@kernel
def imagine(q: Any, draws: Any, left: int) -> None:
    """Write the costs of all tiles: the known draws, and discards drawn from what is left, in every future."""
    s = q.search
    pool, n, word = np.zeros(COPIES * NUM_KINDS, np.int64), 0, np.uint64(88172645463325252)
    for kind in range(NUM_KINDS):
        own = 0
        for i in range(left):
            own += int(draws[i] == kind)
        for _ in range(s.live[kind] - own):
            pool[n] = kind
            n += 1
        word = next_word(word ^ np.uint64(7 * s.hand[kind] + 131 * s.seen[kind]) ^ (MIX * np.uint64(kind + 1)))
    q.costs[:] = NEVER
    counts = np.zeros((3, NUM_KINDS), np.int64)
    now = FIRST_DRAWS - left
    for future in range(FUTURES):
        counts[:] = 0
        used = 0
        for turn in range(left):
            cost = cost_of(now, turn)
            come(q, OWN, int(draws[turn]), future, cost, counts)
            for other in range(3):
                word = next_word(word)
                if used == n or (word >> np.uint64(3)) % np.uint64(1000) >= 1000 * USEFUL_SHARE:
                    continue
                at = used + int((word >> np.uint64(11)) % np.uint64(n - used))
                kind = pool[at]
                pool[at], pool[used] = pool[used], kind
                used += 1
                come(q, LEFT if other == 2 else ALL, kind, future, cost, counts)


@kernel
def cost_of(now: int, turn: int) -> int:
    """The cost of a tile that comes this many turns from now."""
    chance = lasting(float(now + turn + 1)) / max(lasting(float(now)), 1e-9)
    return int(min(NEVER - 1.0, -UNIT * np.log(max(chance, 1e-9)) + 0.5))


@kernel
def come(q: Any, stream: int, kind: int, future: int, cost: int, counts: Any) -> None:
    """Note that a tile comes in a stream and in those that contain it."""
    for wider in range(stream, 3):
        copy = counts[wider, kind] + 1
        counts[wider, kind] = copy
        if copy <= COPIES:
            q.costs[wider, kind, copy, future] = cost


# --- targets


@kernel
def take_greater(a: Any, b: Any, out: Any) -> None:
    """The greater of two vectors, future by future."""
    for i in range(FUTURES):
        x, y = a[i], b[i]
        out[i] = x if x > y else y


@kernel
def cost_target(q: Any, n: int, claimed: bool) -> None:
    """Write the cost of the target with `n` missing tiles; the last one may be anybody's discard if it is `claimed`."""
    q.before[0][:] = 0
    for j in range(n):
        take_greater(q.before[j], q.costs[q.streams[j], q.kinds[j], q.copies[j]], q.before[j + 1])
    q.cost[:] = q.before[n]
    if not claimed:
        return
    q.after[n][:] = 0
    for j in range(n - 1, -1, -1):
        take_greater(q.after[j + 1], q.costs[q.streams[j], q.kinds[j], q.copies[j]], q.after[j])
        tile = q.costs[ALL, q.kinds[j], q.copies[j]]
        for i in range(FUTURES):
            x, y, z = q.before[j, i], q.after[j + 1, i], tile[i]
            x = x if x > y else y
            x = x if x > z else z
            y = q.cost[i]
            q.cost[i] = x if x < y else y


@kernel
def enter(q: Any, points: float) -> None:
    """Compare a target of these points with the best so far, for all discards that it does not need."""
    s, most = q.search, np.uint8(NEVER - lack_of_points(points))
    for i in range(FUTURES):
        x = q.cost[i]
        q.cost[i] = np.uint8(most - x) if x < most else np.uint8(0)
    take_greater(q.best[TOTAL], q.cost, q.best[TOTAL])
    for kind in range(NUM_KINDS):
        if s.hand[kind] > s.need[kind]:
            take_greater(q.best[kind], q.cost, q.best[kind])


@kernel
def lack_of_points(points: float) -> int:
    """The cost of a win that pays fewer than `POINTS`."""
    return int(min(NEVER - 1.0, max(0.0, UNIT * np.log(POINTS / points) + 0.5)))


@kernel
def enter_target(q: Any, sets: int, pair: int, knitted: int, lacking: int) -> None:
    """Value the target in `need`, with its first incomplete set called if that leaves eight fan, else concealed."""
    s = q.search
    w = s.win
    first, last = unfinished(s, sets)
    for kind in range(NUM_KINDS):
        w.hand[kind] = s.need[kind]
        if last < 0 and s.need[kind] > s.hand[kind]:
            w.win_kind = kind
    if last >= 0:
        w.win_kind = s.part_tile[last]
    w.last_of_kind = 0
    opened, drawn, claimed = w.melds > 0, 0, 0
    if not opened and first >= 0 and first != last:
        claimed = fan_opened(s, s.chosen[first])
        drawn = claimed + 1
        opened = drawn >= f.MINIMUM
    if drawn < f.MINIMUM:
        drawn = fan_now(s, 1, lacking == 1)
        claimed = fan_now(s, 0, lacking == 1)
    if max(drawn, claimed) >= f.MINIMUM:
        s.enough += 1
        n = list_lacking(q, sets, pair, knitted, opened)
        cost_target(q, n, claimed >= f.MINIMUM)
        points = BASE + 3.0 * drawn
        if claimed >= f.MINIMUM:
            points = SELF_DRAWN * points + (1.0 - SELF_DRAWN) * (BASE + claimed)
        enter(q, points)


@kernel
def list_lacking(q: Any, sets: int, pair: int, knitted: int, opened: bool) -> int:
    """List the missing tiles of the target: the last one of a set may be called if the hand is open."""
    s, n = q.search, 0
    q.held[:] = 0
    if knitted >= 0:
        for kind in STRAIGHTS[knitted]:
            n = hold(q, kind, n)
    for part in range(sets + 1):
        before = n
        for i in range(3 if part < sets else 2):
            n = hold(q, SETS[s.chosen[part], i] if part < sets else pair, n)
        if part < sets and n > before and opened:
            q.streams[n - 1] = LEFT if s.chosen[part] < RUN_SETS else ALL
    return n


@kernel
def hold(q: Any, kind: int, n: int) -> int:
    """Add a tile to the target, and list it if the hand does not hold it."""
    q.held[kind] += 1
    lacking = q.held[kind] - q.search.hand[kind]
    if lacking <= 0:
        return n
    q.kinds[n], q.copies[n], q.streams[n] = kind, lacking, OWN
    return n + 1


# --- all targets near a hand


@kernel
def look_at_sets(q: Any, free: int, knitted: int, limit: int, most: int) -> bool:
    """Value all targets of `free` sets and a pair within the limit; False if there were more than `most`."""
    s = q.search
    if free == 0:
        look_at_pairs(q, 0, knitted, int(s.lack[0]), limit)
        return True
    s.depth = -1
    lacking = next_sets(s, free, limit)
    while lacking >= 0:
        look_at_pairs(q, free, knitted, lacking, limit)
        if s.targets > most:
            return False
        lacking = next_sets(s, free, limit)
    return True


@kernel
def look_at_pairs(q: Any, sets: int, knitted: int, lacking: int, limit: int) -> None:
    """Value the targets of the chosen sets with every pair."""
    s = q.search
    for pair in range(NUM_KINDS):
        s.part_lacks[PAIR] = 0
        more = add_tile(s, pair, PAIR) + add_tile(s, pair, PAIR)
        if 0 < lacking + more <= min(limit, MOST_LACKING):
            s.targets += 1
            enter_target(q, sets, pair, knitted, lacking + more)
        s.need[pair] -= 2


@kernel
def look_at_kinds(q: Any, limit: int) -> None:
    """Value seven pairs, and honours with knitted tiles: shapes of single kinds, drawn except for the last tile."""
    s = q.search
    kinds, own, all_ = np.zeros(NUM_KINDS, np.int64), np.zeros(NUM_KINDS, np.int64), np.zeros(NUM_KINDS, np.int64)
    for spared in range(NUM_KINDS + 1):
        if spared < TOTAL:
            if s.hand[spared] == 0:
                continue
            s.hand[spared] -= 1
        for shape in range(len(STRAIGHTS) + 1):
            n, lacking = list_kinds(s, shape, kinds)
            if 0 < lacking <= min(limit, n):
                s.enough += 1
                points = BASE + FAN * (SEVEN_PAIRS if shape == len(STRAIGHTS) else LESSER_KNITTED)
                enter_kinds(q, spared, kinds, n, lacking, lack_of_points(points), own, all_)
        if spared < TOTAL:
            s.hand[spared] += 1


@kernel
def list_kinds(s: Any, shape: int, kinds: Any) -> tuple[int, int]:
    """The kinds that would help a shape (a knitted straight, or pairs), and the number of missing tiles."""
    n = held = 0
    if shape == len(STRAIGHTS):
        for kind in range(NUM_KINDS):
            held += s.hand[kind] // 2
            if s.hand[kind] % 2 == 1:
                kinds[n] = kind
                n += 1
        return n, 7 - held
    for i in range(RANKS + HONOURS):
        kind = STRAIGHTS[shape, i] if i < RANKS else EAST + i - RANKS
        if s.hand[kind] > 0:
            held += 1
        else:
            kinds[n] = kind
            n += 1
    return n, 14 - held


@kernel
def enter_kinds(q: Any, spared: int, kinds: Any, n: int, lacking: int, more: int, own: Any, all_: Any) -> None:
    """Compare a shape with tiles missing among `n` kinds with the best target of a discard."""
    for future in range(FUTURES):
        for i in range(n):
            a, b, j = int(q.costs[OWN, kinds[i], 1, future]), int(q.costs[ALL, kinds[i], 1, future]), i
            while j > 0 and own[j - 1] > a:
                own[j], all_[j] = own[j - 1], all_[j - 1]
                j -= 1
            own[j], all_[j] = a, b
        last = NEVER
        for i in range(lacking - 1, n):
            last = min(last, all_[i])
        cost = max(own[lacking - 2] if lacking > 1 else 0, last) + more
        if cost < NEVER and NEVER - cost > q.best[spared, future]:
            q.best[spared, future] = NEVER - cost


@kernel
def look(q: Any, limit: int, most: int) -> bool:
    """Write `values` from all targets with at most `limit` missing tiles; False if there were more than `most`."""
    s = q.search
    melds = int(s.win.melds)
    q.best[:] = 0
    s.targets = s.enough = 0
    s.need[:] = 0
    s.lack[0] = 0
    if not look_at_sets(q, 4 - melds, -1, limit, most):
        return False
    for knitted in range(len(STRAIGHTS) if melds < 2 else 0):
        s.need[:] = 0
        s.lack[0] = 0
        for kind in STRAIGHTS[knitted]:
            s.lack[0] += add_tile(s, kind, PAIR)
        if s.lack[0] <= limit:
            look_at_sets(q, 1 - melds, knitted, limit, most)
    s.need[:] = 0
    if melds == 0:
        look_at_kinds(q, limit)
    for kind in range(NUM_KINDS + 1):
        q.values[kind] = 0.0
        for future in range(FUTURES):
            if q.best[kind, future] > 0:
                q.values[kind] += np.exp((q.best[kind, future] - NEVER) / UNIT)
    return True


@kernel
def look_far(q: Any, most: int, t: ShantenTables) -> int:
    """Write `values` from the nearest targets and those up to `FARTHER` away, as long as there are at most `most`.

    Returns the number of tiles missing to the farthest.
    """
    s = q.search
    limit, farther = max(shanten(s.hand, int(s.win.melds), t) + 1, 1), 0
    look(q, limit, most)
    while limit < MOST_LACKING and farther < FARTHER:
        farther += int(s.enough > 0)
        if not look(q, limit + 1, most):
            look(q, limit, most)
            break
        limit += 1
    return limit


# --- actions


@kernel
def best_discard(q: Any) -> tuple[float, int]:
    """The highest value of a discard, and its kind."""
    most, best = -1.0, -1
    for kind in range(NUM_KINDS):
        if q.search.hand[kind] > 0 and q.values[kind] >= most:
            most, best = q.values[kind], kind
    return most, best


@kernel
def value_meld(q: Any, tile: int, action: int, limit: int, most: int) -> float:
    """The value of a chi, peng or kong; after chi and peng with the best discard."""
    make_meld(q.search, tile, action)
    if action >= act.KONG:
        look(q, limit, most)
        return float(q.values[TOTAL])
    look(q, max(limit - 1, 1), most)
    return best_discard(q)[0]


@kernel
def choose(v: Any, q: Any, draws: Any, most: int, t: ShantenTables) -> int:
    """The action with the highest value for a player who will draw `draws`; a win is always taken."""
    if allows(v, act.HU):
        return act.HU
    read_view(v, q.search)
    fill_chances(q.search, 1.0, 0.0)  # not valued, but targets are built with them
    imagine(q, draws, int(v.left[0]))
    limit = look_far(q, most, t)
    value, best = best_discard(q)
    if allows(v, act.PASS):
        value, best = q.values[TOTAL], act.PASS
    for action in range(act.CHI, act.HU):
        if allows(v, action):
            read_view(v, q.search)
            after = value_meld(q, int(v.tile), action, limit, most)
            if after > value:
                value, best = after, action
    return best


@kernel
def choose_all(views: Any, rooms: Any, draws: Any, most: int, tables: Any, actions: Any) -> None:
    """Write the action for each view."""
    for i in range(len(views)):
        actions[i] = choose(views[i], rooms[0], draws[i], most, tables[0])
