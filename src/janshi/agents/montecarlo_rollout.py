"""One simulated hand of the abstracted game, from a candidate to the end.

The viewer draws from the unseen tiles and moves as in one-player mahjong, until the hand is tenpai; from then on it
keeps its waits. It folds when a discard costs more than the hand can still bring. Everything the others may
do is weighed by its chance instead of being drawn: a hand carries the *weight* of its going on, and every possible
end adds its worth times its chance. So few simulated hands tell much.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from janshi.agents.montecarlo_scene import HORIZON
from janshi.agents.payoffs import worth_of
from janshi.agents.prospects import DRAWS, STAGES, race
from janshi.core._jit import kernel
from janshi.core.records import record_dtype
from janshi.core.shanten import shanten
from janshi.core.tiles import COPIES, EAST, FIRST_RED, NUM_KINDS, RANKS
from janshi.core.ukeire import ukeire_discards
from janshi.core.waits import waits_mask
from janshi.models.labels import OPPONENTS
from janshi.models.one_player import best_discard
from janshi.rules.riichi.concealed import kind_of
from janshi.rules.riichi.points import base_points, limit_of
from janshi.rules.riichi.policies import ALL_KINDS, outwardness
from janshi.rules.riichi.score import score
from janshi.rules.riichi.state import MELDS, NONE, PLAYERS
from janshi.rules.riichi.win import CHI, PON

GO_ON, READY, FOLD = 0, 1, 2
"""Modes of a hand: on its way, tenpai and keeping its waits, giving up."""
ENOUGH: Final = 1e-3
"""A hand is not followed further when its weight falls below this."""
RIICHI_DRAWS: Final = 4
"""Tiles the wall must hold for a riichi."""
LUCK: Final = (0.56, 0.31, 0.13)
"""How likely ippatsu and ura-dora bring 0, 1 or 2 han to a riichi that wins."""
WIN_CHANCES: Final = race(1.0, 2.1)
"""A rough chance to win, by shanten and draws left, for the choice to fold."""
OPENS: Final = 2
"""A closed simulated hand calls a triplet of value from this shanten on."""
LEFT: Final = OPPONENTS - 1
"""The opponent whose discards may be called for a sequence."""

CANDIDATE_DTYPE: Final = record_dtype(
    [
        ("action", np.int64),
        ("plan", np.int64),  # kinds the hand is made of
        ("river", np.int64),  # kinds in the own river
        ("left", np.int64),  # tiles in the wall
        ("weight", np.float64),  # chance that the hand goes on after it
        ("value", np.float64),  # worth of the ends at once, times their chances
        ("deal_in", np.float64),
        ("count", np.int64),  # simulated hands
        ("total", np.float64),  # sums over them
        ("apart", np.float64),  # sums of the differences from the reference, and of their squares
        ("squares", np.float64),
        ("wins", np.float64),
        ("deal_ins", np.float64),
        ("draws", np.float64),
        ("others", np.float64),  # hands that others won without the viewer's discard
        ("alive", np.int8),
        ("kind", np.int8),  # discarded
        ("mode", np.int8),
        ("stance", np.int8),  # 1: declares riichi
        ("first", np.int8),  # who draws next
        ("melds", np.int8),
        ("meld_type", np.int8, (MELDS,)),
        ("meld_kind", np.int8, (MELDS,)),
        ("meld_han", np.int8),  # dora and red fives in melds
        ("is_open", np.int8),
        ("reds", np.int8),
        ("hand", np.int8, (NUM_KINDS,)),
    ]
)
"""Something the viewer may do, where it leads, and what simulated hands made of it."""

PLAY_DTYPE: Final = record_dtype(
    [
        ("weight", np.float64),
        ("value", np.float64),
        ("win", np.float64),
        ("deal_in", np.float64),
        ("other", np.float64),
        ("tsumo_rate", np.float64),  # of a tenpai hand, for each draw
        ("tsumo_worth", np.float64),
        ("ron_rate", np.float64),  # for each discard of another
        ("ron_worth", np.float64, (OPPONENTS,)),
        ("rating", np.float64, (NUM_KINDS,)),  # of discards, before anything is simulated
        ("after", np.int64, (NUM_KINDS,)),  # shanten after them
        ("plan", np.int64),
        ("river", np.int64),
        ("safe", np.int64, (OPPONENTS,)),
        ("round", np.int64),  # go-arounds so far
        ("left", np.int64),
        ("drawn", np.int64),  # own draws so far
        ("gone", np.int64),  # tiles seen since the simulation began
        ("distance", np.int64),
        ("mode", np.int64),
        ("stance", np.int64),
        ("melds", np.int64),
        ("is_open", np.int64),
        ("reds", np.int64),
        ("meld_han", np.int64),
        ("meld_type", np.int8, (MELDS,)),
        ("meld_kind", np.int8, (MELDS,)),
        ("hand", np.int8, (NUM_KINDS,)),
        ("own", np.int8, (NUM_KINDS,)),  # tiles of the plan's kinds
        ("visible", np.int8, (NUM_KINDS,)),
        ("seen", np.int8, (NUM_KINDS,)),
        ("distances", np.int8, (NUM_KINDS,)),
        ("useful", np.int16, (NUM_KINDS,)),
        ("marks", np.uint8, (NUM_KINDS,)),
    ]
)
"""A simulated hand."""


class Sim(NamedTuple):
    """What the kernels of a simulation are given: records."""

    scene: Any
    payoffs: Any
    fate: Any
    play: Any
    tables: Any
    rules: Any
    win: Any
    score: Any
    model: Any  # of one-player mahjong
    maps: Any
    situation: Any
    weighing: Any


# --- what the hand is worth


@kernel
def riichi_worth(row: Any, o: Any, riichi: int, rules: Any) -> float:
    """Worth of a scored win by a row of payoffs, with what ippatsu and ura-dora may add."""
    if riichi == 0 or o.yakuman > 0:
        return worth_of(row, float(o["base"]))
    worth = 0.0
    for more in range(3):
        han, fu = int(o.han) + more, int(o.fu)
        worth += LUCK[more] * worth_of(row, float(base_points(limit_of(han, fu, rules), han, fu, 0)))
    return worth


@kernel
def describe(x: Any, kind: int, z: Sim) -> None:
    """Write a simulated hand that wins on a kind into the scratch record of scoring."""
    w, s = z.win, z.scene
    dora = int(x.meld_han)
    for k in range(NUM_KINDS):
        w.hand[k] = x.hand[k]
        dora += int(x.hand[k]) * int(s.dora[k])
    w.hand[kind] += 1
    w.melds = x.melds
    for i in range(MELDS):
        w.meld_type[i] = x.meld_type[i]
        w.meld_kind[i] = max(0, int(x.meld_kind[i]))
    w.win_kind = kind
    w.seat_wind = s.seat_wind
    w.round_wind = s.round_wind
    w.riichi = x.stance
    w.ippatsu = w.rinshan = w.chankan = w.last_tile = w.first_turn = 0
    w.dora = dora + int(s.dora[kind])
    reds = int(x.reds)
    w.red = (reds & 1) + ((reds >> 1) & 1) + ((reds >> 2) & 1)
    w.ura = 0


@kernel
def get_ready(x: Any, z: Sim) -> None:
    """Note how likely a tenpai hand wins by each draw and discard, and what that is worth."""
    s, p = z.scene, z.payoffs
    waits = int(np.int64(waits_mask(x.hand, int(x.melds), z.tables)))
    furiten = waits & int(x.river) != 0
    tiles = max(1.0, float(s.tiles - x.gone))
    x.tsumo_rate = x.tsumo_worth = x.ron_rate = 0.0
    for other in range(OPPONENTS):
        x.ron_worth[other] = 0.0
    for kind in range(NUM_KINDS):
        left = COPIES - int(x.visible[kind])
        if (waits >> kind) & 1 == 0 or left <= 0:
            continue
        describe(x, kind, z)
        z.win.tsumo = 1
        score(z.win, z.rules, z.score)
        if z.score.yaku != 0:
            x.tsumo_rate += left / tiles
            x.tsumo_worth += left / tiles * riichi_worth(p.tsumo[x.stance, 0], z.score, x.stance, z.rules)
        if furiten:
            continue
        z.win.tsumo = 0
        score(z.win, z.rules, z.score)
        if z.score.yaku != 0:
            rate = left / tiles * s.lets_go[x.stance, kind]
            x.ron_rate += rate
            for other in range(OPPONENTS):
                x.ron_worth[other] += rate * riichi_worth(p.ron[x.stance, 0, other + 1], z.score, x.stance, z.rules)
    if x.tsumo_rate > 0:
        x.tsumo_worth /= x.tsumo_rate
    if x.ron_rate > 0:
        for other in range(OPPONENTS):
            x.ron_worth[other] /= x.ron_rate


# --- the own hand


@kernel
def take_tile(x: Any, tile: int) -> int:
    """Take a drawn tile; returns its kind."""
    kind = kind_of(tile)
    x.hand[kind] += 1
    if tile >= FIRST_RED:
        x.reds |= 1 << (tile - FIRST_RED)
    return kind


@kernel
def drop_kind(x: Any, kind: int) -> None:
    """Take a tile out of the hand, a red five only if it is the last of its kind."""
    x.hand[kind] -= 1
    if x.hand[kind] == 0 and kind < EAST and kind % RANKS == 4:
        x.reds &= ~(1 << (kind // RANKS))


@kernel
def note_own(x: Any) -> int:
    """Write the tiles that the plan can use; returns the outermost kind that it cannot, or NONE."""
    spare = NONE
    for kind in range(NUM_KINDS):
        inside = (x.plan >> kind) & 1 == 1
        x.own[kind] = x.hand[kind] if inside else 0
        if not inside and x.hand[kind] > 0 and (spare == NONE or outwardness(kind) >= outwardness(spare)):
            spare = kind
    return spare


@kernel
def expert_kind(x: Any, z: Sim) -> int:
    """The kind that the one-player model discards from a closed hand; writes the shanten after it."""
    y, kinds = z.situation, 0
    y.river, y.reds, y.turns = x.river, x.reds, z.scene.turns + x.drawn
    for kind in range(NUM_KINDS):
        x.seen[kind] = x.visible[kind] - x.hand[kind]
        kinds |= (1 if x.hand[kind] > 0 else 0) << kind
    kind = best_discard(x.hand, x.seen, kinds, y, z.model, z.maps, z.tables, z.weighing)
    x.distance = z.weighing.distance[kind]
    return int(kind)


@kernel
def choose_kind(x: Any, z: Sim) -> int:
    """One-player mahjong: the kind to discard to win; writes the shanten after it."""
    if x.is_open == 0 and z.scene.expert > 0.0:
        return expert_kind(x, z)
    spare = NONE if x.plan == ALL_KINDS else note_own(x)
    if spare != NONE:
        x.distance = shanten(x.own, int(x.melds), z.tables)
        return spare
    x.distance = ukeire_discards(x.hand, int(x.melds), x.visible, z.tables, x.distances, x.useful)
    best, most = NONE, -1.0
    for kind in range(NUM_KINDS):
        if x.useful[kind] >= 0 and x.hand[kind] > 0:
            value = 1.0 + float(x.useful[kind]) + 0.05 * outwardness(kind)
            value /= 1.0 + 0.3 * int(z.scene.dora[kind])
            if value > most:
                best, most = kind, value
    return best


@kernel
def belief(other: int, x: Any, z: Sim) -> float:
    """How likely an opponent is tenpai, as everybody sees it: certain after riichi."""
    f = z.fate
    if f.declared[other] and f.tenpai_at[other] <= x.round:
        return 1.0
    return float(z.scene.waiting[other])


@kernel
def cost_of(kind: int, x: Any, z: Sim) -> float:
    """What a discard is expected to cost, as far as the viewer can tell."""
    cost = 0.0
    for other in range(OPPONENTS):
        if (x.safe[other] >> kind) & 1 == 0:
            cost += belief(other, x, z) * z.scene.harm[other, kind]
    return cost


@kernel
def safest_kind(x: Any, z: Sim) -> int:
    """The kind in the hand that costs least."""
    best, least = NONE, 0.0
    for kind in range(NUM_KINDS):
        if x.hand[kind] > 0:
            cost = cost_of(kind, x, z)
            if best == NONE or cost < least:
                best, least = kind, cost
    return best


@kernel
def hopes(x: Any, z: Sim) -> float:
    """What the hand may still bring, roughly."""
    s = z.scene
    turns = min(DRAWS, (x.left + PLAYERS - 1) // PLAYERS)
    if x.mode == READY:
        chance = 1.0 - (1.0 - min(0.9, x.tsumo_rate + OPPONENTS * x.ron_rate)) ** turns
        return float(0.8 * chance * max(0.0, x.tsumo_worth - s.stay))
    return float(WIN_CHANCES[min(max(x.distance, 0), STAGES - 1), turns] * max(0.0, s.good - s.stay))


@kernel
def throw(kind: int, x: Any, z: Sim) -> None:
    """Discard a kind: tenpai opponents may win on it."""
    s, f = z.scene, z.fate
    drop_kind(x, kind)
    x.river |= 1 << kind
    for other in range(OPPONENTS):
        if f.tenpai_at[other] > x.round:
            continue
        if (x.safe[other] >> kind) & 1 == 0:
            lost = x.weight * s.winning[other, kind]
            x.value += lost * s.loss[x.stance, other, kind]
            x.deal_in += lost
            x.weight -= lost
        if f.declared[other]:
            x.safe[other] |= 1 << kind


@kernel
def move(x: Any, z: Sim) -> None:
    """Discard from a hand on its way: the best kind, or the safest if it costs too much; riichi when tenpai."""
    kind = choose_kind(x, z)
    if kind == NONE or cost_of(kind, x, z) > z.scene.courage * hopes(x, z):
        x.mode = FOLD
        throw(safest_kind(x, z), x, z)
        return
    throw(kind, x, z)
    if x.distance > 0:
        return
    before = x.stance
    if x.is_open == 0 and z.scene.may_riichi and x.left >= RIICHI_DRAWS:
        x.stance = 1
    get_ready(x, z)
    if x.tsumo_rate + x.ron_rate > 0:
        x.mode = READY
    else:
        x.stance = before


# --- turns


@kernel
def end_with(chance: float, worth: float, x: Any) -> float:
    """The hand ends by a chance with a worth; returns how likely that is in all."""
    ended = x.weight * chance
    x.value += ended * worth
    x.weight -= ended
    return float(ended)


@kernel
def wins_at_once(kind: int, x: Any, z: Sim) -> bool:
    """Win with the kind just drawn if it completes a hand that has a yaku; whether it does."""
    x.hand[kind] -= 1
    describe(x, kind, z)
    x.hand[kind] += 1
    z.win.tsumo = 1
    score(z.win, z.rules, z.score)
    if z.score.yaku != 0:
        x.win += end_with(1.0, riichi_worth(z.payoffs.tsumo[x.stance, 0], z.score, x.stance, z.rules), x)
    return bool(z.score.yaku != 0)


@kernel
def own_turn(x: Any, z: Sim) -> None:
    """Draw, perhaps win, and discard."""
    tile = int(z.fate.draws[min(x.drawn, HORIZON - 1)])
    x.drawn += 1
    if tile == NONE:
        return
    if x.mode == READY:
        x.win += end_with(x.tsumo_rate, x.tsumo_worth, x)
    kind = take_tile(x, tile)
    x.visible[kind] = min(COPIES, int(x.visible[kind]) + 1)
    x.gone += 1
    if x.mode == GO_ON:
        if x.distance > 0 or not wins_at_once(kind, x, z):
            move(x, z)
    elif x.mode == FOLD:
        throw(safest_kind(x, z), x, z)
    elif x.stance == 0 and cost_of(kind, x, z) > z.scene.courage * hopes(x, z):
        x.mode = FOLD
        throw(safest_kind(x, z), x, z)
    else:
        throw(kind, x, z)


@kernel
def other_turn(other: int, x: Any, z: Sim) -> bool:
    """An opponent draws, perhaps wins, and discards; whether the viewer calls the discard."""
    s, f = z.scene, z.fate
    if f.tenpai_at[other] <= x.round:
        x.other += end_with(s.self_draw, s.their_tsumo[x.stance, other], x)
        rate = s.others_ron_riichi if f.declared[other] else s.others_ron
        x.other += end_with(rate, s.their_ron[x.stance, other], x)
    turn = min(x.round, HORIZON - 1)
    if f.discards[turn, other] == NONE:
        return False
    if x.mode == READY and x.ron_rate > 0:
        x.win += end_with(x.ron_rate, x.ron_worth[other], x)
    kind = kind_of(int(f.discards[turn, other]))
    x.visible[kind] = min(COPIES, int(x.visible[kind]) + 1)
    x.gone += 1
    x.safe[other] |= 1 << kind
    for player in range(OPPONENTS):
        if f.declared[player] and f.tenpai_at[player] <= x.round:
            x.safe[player] |= 1 << kind
    if x.mode != GO_ON or f.luck[turn, other] > s.lets_go[0, kind]:
        return False
    if x.is_open == 0 and ((s.valued >> kind) & 1 == 0 or x.distance < OPENS):
        return False
    return call(kind, other, x, z)


@kernel
def call(kind: int, other: int, x: Any, z: Sim) -> bool:
    """Call a discard if that brings an open hand nearer; whether it did."""
    if x.melds == MELDS or (x.plan >> kind) & 1 == 0:
        return False
    if x.hand[kind] >= 2 and call_if_nearer(PON, kind, kind, x, z):
        return True
    if other != LEFT or kind >= EAST:
        return False
    rank = kind % RANKS
    for place in range(3):
        if rank >= place and rank - place + 2 < RANKS and call_if_nearer(CHI, kind - place, kind, x, z):
            return True
    return False


@kernel
def call_if_nearer(meld_type: int, first: int, kind: int, x: Any, z: Sim) -> bool:
    """Make a meld of a called kind if the hand has the tiles and comes nearer; whether it did."""
    x.hand[kind] += 1
    fits = True
    for i in range(3):
        k = first if meld_type == PON else first + i
        x.hand[k] -= 1
        fits = fits and x.hand[k] >= 0 and (x.plan >> k) & 1 == 1
    if fits:
        note_own(x)
        fits = shanten(x.own, int(x.melds) + 1, z.tables) < x.distance
    if not fits:
        for i in range(3):
            x.hand[first if meld_type == PON else first + i] += 1
        x.hand[kind] -= 1
        return False
    x.meld_type[x.melds] = meld_type
    x.meld_kind[x.melds] = first
    for i in range(3):
        x.meld_han += int(z.scene.dora[first if meld_type == PON else first + i])
    x.melds += 1
    x.is_open = 1
    return True


# --- a whole hand


@kernel
def hold(c: Any, x: Any) -> None:
    """Take over the hand and melds of a candidate."""
    x.stance, x.melds, x.is_open = c.stance, c.melds, c.is_open
    x.reds, x.meld_han = c.reds, c.meld_han
    for i in range(MELDS):
        x.meld_type[i] = c.meld_type[i]
        x.meld_kind[i] = c.meld_kind[i]
    for kind in range(NUM_KINDS):
        x.hand[kind] = c.hand[kind]


@kernel
def set_up(c: Any, x: Any, z: Sim) -> None:
    """Begin a simulated hand after a candidate."""
    s = z.scene
    x.weight, x.value, x.deal_in = c.weight, c.value, c.deal_in
    x.win = x.other = 0.0
    x.plan, x.river, x.left = c.plan, c.river, c.left
    x.round = x.drawn = x.gone = 0
    x.mode = c.mode
    hold(c, x)
    for kind in range(NUM_KINDS):
        x.visible[kind] = s.visible[kind]
    for other in range(OPPONENTS):
        x.safe[other] = s.safe[other]
        if c.kind != NONE and z.fate.declared[other] and z.fate.tenpai_at[other] == 0:
            x.safe[other] |= 1 << int(c.kind)
    x.tsumo_rate = x.ron_rate = 0.0
    if x.mode == READY:
        get_ready(x, z)
        if x.tsumo_rate + x.ron_rate == 0.0 and x.stance == 0:
            x.mode = GO_ON
    if x.mode == GO_ON:
        note_own(x)
        x.distance = shanten(x.own, int(x.melds), z.tables)


@kernel
def play_hand(c: Any, z: Sim) -> None:
    """Play a hand of the abstracted game to its end into the record `z.play`."""
    x, f = z.play, z.fate
    set_up(c, x, z)
    seat, steps = int(c.first), 0
    while x.left > 0 and x.weight > ENOUGH:
        x.left -= 1
        x.round = steps // PLAYERS
        steps += 1
        if seat == 0:
            own_turn(x, z)
        elif other_turn(seat - 1, x, z):
            move(x, z)
            seat = 0
        seat = (seat + 1) % PLAYERS
    tenpai = 1 if x.mode == READY else 0
    for other in range(OPPONENTS):
        tenpai |= (1 if f.tenpai_at[other] <= x.round else 0) << (other + 1)
    x.value += x.weight * z.payoffs.draw[x.stance, tenpai]


@kernel
def simulate(c: Any, z: Sim) -> None:
    """Play a hand after a candidate and add it to its sums."""
    x = z.play
    play_hand(c, z)
    c.count += 1
    c.total += x.value
    c.wins += x.win
    c.deal_ins += x.deal_in
    c.others += x.other
    c.draws += x.weight
