"""One simulated hand of the abstracted game, from a candidate to the end.

The viewer draws from the unseen tiles and plays as in one-player mahjong until tenpai; from then on it keeps its waits.
It folds when a discard costs more than the hand can still bring. What opponents may do is weighted by its chance
instead of being sampled: a hand carries the *weight* of still going on, and every possible end adds its worth times its
chance. So a few simulated hands give a precise estimate.
"""

from __future__ import annotations

from typing import Any, Final

from janshi.agents.montecarlo.dtypes import FOLD, GO_ON, READY, Sim
from janshi.agents.montecarlo.moves import cost_of, hopes, move, note_own, safest_kind, take_tile, throw
from janshi.agents.montecarlo.scene import HORIZON
from janshi.agents.montecarlo.worth import describe, get_ready, riichi_worth
from janshi.core._jit import kernel
from janshi.core.shanten import shanten
from janshi.core.tiles import COPIES, EAST, NUM_KINDS, RANKS
from janshi.models.labels import OPPONENTS
from janshi.rules.riichi.concealed import kind_of
from janshi.rules.riichi.score import score
from janshi.rules.riichi.state import MELDS, NONE, PLAYERS
from janshi.rules.riichi.win import CHI, PON

ENOUGH: Final = 1e-3
"""A simulation stops when its weight falls below this."""
OPENS: Final = 2
"""A closed simulated hand calls value triplets up to this shanten."""
LEFT: Final = OPPONENTS - 1
"""The opponent whose discards may be called for a sequence."""


# --- turns


@kernel
def end_with(chance: float, worth: float, x: Any) -> float:
    """The hand ends with this chance and worth; returns the chance with which it happens overall."""
    ended = x.weight * chance
    x.value += ended * worth
    x.weight -= ended
    return float(ended)


@kernel
def wins_at_once(kind: int, x: Any, z: Sim) -> bool:
    """Win with the kind just drawn if it completes a hand with a yaku; returns whether it does."""
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
    """An opponent draws, perhaps wins, and discards; returns whether the viewer calls the discard."""
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
    """Call a discard if that lowers the shanten of an open hand; returns whether it did."""
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
    """Meld a called kind if the hand has the tiles and its shanten falls; returns whether it did."""
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
    """Copy the hand and melds of a candidate."""
    x.stance, x.melds, x.is_open = c.stance, c.melds, c.is_open
    x.reds, x.meld_han = c.reds, c.meld_han
    for i in range(MELDS):
        x.meld_type[i] = c.meld_type[i]
        x.meld_kind[i] = c.meld_kind[i]
    for kind in range(NUM_KINDS):
        x.hand[kind] = c.hand[kind]


@kernel
def set_up(c: Any, x: Any, z: Sim) -> None:
    """Start a simulated hand after a candidate."""
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
