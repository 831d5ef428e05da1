"""The viewer's moves in a simulated hand: what to discard, when to declare riichi, when to fold.

Until tenpai the viewer plays as in one-player mahjong; it folds when a discard costs more than the hand can still
bring.
"""

from __future__ import annotations

from typing import Any, Final

from janshi.agents.montecarlo.dtypes import FOLD, READY, Sim
from janshi.agents.montecarlo.worth import get_ready
from janshi.agents.prospects import DRAWS, STAGES, race
from janshi.core._jit import kernel
from janshi.core.shanten import shanten
from janshi.core.tiles import EAST, FIRST_RED, NUM_KINDS, RANKS
from janshi.core.ukeire import ukeire_discards
from janshi.models.labels import OPPONENTS
from janshi.models.one_player import best_discard
from janshi.rules.riichi.concealed import kind_of
from janshi.rules.riichi.policies import ALL_KINDS, outwardness
from janshi.rules.riichi.state import NONE, PLAYERS

RIICHI_DRAWS: Final = 4
"""Tiles that must be left in the wall for a riichi."""
WIN_CHANCES: Final = race(1.0, 2.1)
"""A rough chance of winning, by shanten and draws left, to decide about folding."""


@kernel
def take_tile(x: Any, tile: int) -> int:
    """Draw a tile; returns its kind."""
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
    """How likely an opponent is tenpai, from public information: certain after riichi."""
    f = z.fate
    if f.declared[other] and f.tenpai_at[other] <= x.round:
        return 1.0
    return float(z.scene.waiting[other])


@kernel
def cost_of(kind: int, x: Any, z: Sim) -> float:
    """Expected cost of a discard, as far as the viewer can tell."""
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
