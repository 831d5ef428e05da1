"""Features of a discard: shanten, useful tiles, honours, dora and the yaku that the remaining hand may have.

`list_discard` lists all of them. `list_rest` leaves out the suit patterns, for which a model has tables.
"""

from __future__ import annotations

from typing import Any, Final

from janshi.core._jit import kernel
from janshi.core.shanten import count_bits, is_orphan, orphans_from_bits, pairs_from_bits
from janshi.core.tables import CLASSES
from janshi.core.tiles import EAST, FIVE_M, RANKS, SUITS
from janshi.features.hand_pattern import CUT, LAYOUT, list_suit_change
from janshi.features.own_hand import (
    FOUR_STAGES,
    PHASES,
    PLANS,
    WORTHS,
    bits_after,
    honour_role,
    phase_of,
    stage_of,
    yaku_way,
)
from janshi.rules.riichi.state import NONE

SHANTEN: Final = 7
LOSSES: Final = 3
USEFUL: Final = 32
ROUGH_STAGES: Final = 8
WINDOW: Final = CUT**5
NEXT_TO: Final = 16
"""Number of combinations of held tiles one and two ranks away."""
GAPS: Final = 5
TURNS: Final = 12

REACH: Final = LAYOUT.add(
    "shanten and useful tiles", "progress", shanten=SHANTEN, useful=USEFUL, phase=PHASES, open=2, furiten=2
)
LOSS: Final = LAYOUT.add("steps lost", "progress", shanten=SHANTEN, loss=LOSSES, phase=PHASES, open=2)
FORMS: Final = LAYOUT.add("standard form and seven pairs", "progress", shanten=SHANTEN, loss=4, pairs=SHANTEN)
ORPHANS: Final = LAYOUT.add("thirteen orphans", "progress", shanten=SHANTEN, orphans=6)
NEEDS: Final = LAYOUT.add("what the hand needs", "progress", shanten=FOUR_STAGES, melds=5, needs=CLASSES)
SIMPLES: Final = LAYOUT.add("terminals and honours held", "yaku", stage=ROUGH_STAGES, melds=3, count=10)
SUITED: Final = LAYOUT.add("tiles of a suit and honours", "yaku", open=2, phase=PHASES, count=16)
SETS: Final = LAYOUT.add("pairs and triplets", "yaku", stage=ROUGH_STAGES, pairs=8, triplets=5)
THREE_SUITS: Final = LAYOUT.add("same sequence in three suits", "yaku", stage=ROUGH_STAGES, count=5)
YAKU: Final = LAYOUT.add("way of an open hand to a yaku", "yaku", shanten=FOUR_STAGES, plan=PLANS, gap=GAPS)
HONOUR: Final = LAYOUT.add("honour", "honours", stage=ROUGH_STAGES, phase=PHASES, worth=WORTHS, count=5, left=5)
HONOUR_DORA: Final = LAYOUT.add("honour that is dora", "dora", stage=ROUGH_STAGES, worth=WORTHS, count=5)
DORA: Final = LAYOUT.add("around a dora", "dora", shanten=FOUR_STAGES, low=5, counts=WINDOW)
RED: Final = LAYOUT.add("around a red five", "dora", shanten=FOUR_STAGES, counts=WINDOW)
HONOUR_NEEDS: Final = LAYOUT.add("honour and what the hand needs", "honours", worth=WORTHS, kept=3, needs=CLASSES)
HONOUR_TURN: Final = LAYOUT.add("honour and turn", "honours", worth=WORTHS, kept=3, left=5, turn=TURNS)
TILE_NEEDS: Final = LAYOUT.add("discard and what the hand needs", "tiles", low=5, kept=2, beside=NEXT_TO, needs=CLASSES)
TILE_TURN: Final = LAYOUT.add("discard and turn", "tiles", low=5, kept=2, beside=NEXT_TO, open=2, turn=TURNS)
SUIT_SHANTEN: Final = LAYOUT.add("tiles of a suit and honours, and shanten", "yaku", shanten=SHANTEN, open=2, count=16)
SHAPE_NEEDS: Final = LAYOUT.add(
    "shape around the discard and what the hand needs", "tiles", low=5, counts=WINDOW, needs=CLASSES
)
SHAPE_TURN: Final = LAYOUT.add("shape around the discard and turn", "tiles", low=5, counts=WINDOW, open=2, turn=TURNS)
BEHIND: Final = LAYOUT.add("useful tiles fewer than the most", "progress", shanten=SHANTEN, phase=PHASES, fewer=16)
TILE: Final = LAYOUT.add("discard and copies left", "tiles", open=2, low=5, kept=4, left=5, beside=NEXT_TO)
SIDES: Final = LAYOUT.add("neighbours of the discard left", "tiles", shanten=FOUR_STAGES, low=5, near=9, beside=NEXT_TO)
FAR_SIDES: Final = LAYOUT.add("ranks two away left", "tiles", shanten=FOUR_STAGES, low=5, far=9, beside=NEXT_TO)


@kernel
def rough_stage(x: Any, s: Any) -> int:
    """Shanten 0, 1, 2 or more, closed or open."""
    return 2 * min(max(int(x.best), 0), FOUR_STAGES - 1) + int(s.open)


# --- features of one candidate


@kernel
def list_rest(hand: Any, kind: int, s: Any, t: Any, m: Any, x: Any, out: Any, n: int) -> int:
    """List all features of a discard except the suit patterns, from index `n` of `out`."""
    n = list_progress(hand, kind, s, x, out, n)
    n = list_yaku(hand, kind, s, t, x, out, n)
    if kind >= EAST:
        return list_honour(hand, kind, s, x, out, n)
    return list_number(hand, kind, s, m, x, out, n)


@kernel
def list_progress(hand: Any, kind: int, s: Any, x: Any, out: Any, n: int) -> int:
    """How close the discard leaves the player to a complete hand."""
    best, phase, is_open = min(max(int(x.best), 0), SHANTEN - 1), phase_of(int(s.turns)), int(s.open)
    loss = int(x.distance[kind]) - int(x.best)
    if loss == 0:
        useful = int(x.useful[kind])
        bucket = min(useful if best == 0 else useful // 2, USEFUL - 1)
        furiten = int(best == 0 and (int(x.mask[kind]) & int(s.river)) != 0)
        out[n] = REACH + (((best * USEFUL + bucket) * PHASES + phase) * 2 + is_open) * 2 + furiten
    else:
        out[n] = LOSS + ((best * LOSSES + min(loss, LOSSES) - 1) * PHASES + phase) * 2 + is_open
    if loss == 0:
        fewer = min(int(x.most) - int(x.useful[kind]), 15)
        out[n + 1] = BEHIND + (best * PHASES + phase) * 16 + fewer
        n += 1
    out[n + 1] = NEEDS + (min(best, FOUR_STAGES - 1) * 5 + int(s.melds)) * CLASSES + int(x.needs[kind])
    n += 2
    if s.melds == 0:
        kinds, pairs = bits_after(hand, kind, x)
        behind = min(max(int(x.standard[kind]) - int(x.best), 0), 3)
        seven = min(max(pairs_from_bits(kinds, pairs), 0), SHANTEN - 1)
        out[n] = FORMS + (best * 4 + behind) * SHANTEN + seven
        out[n + 1] = ORPHANS + best * 6 + min(max(orphans_from_bits(kinds, pairs), 0), 5)
        n += 2
    return n


@kernel
def list_yaku(hand: Any, kind: int, s: Any, t: Any, x: Any, out: Any, n: int) -> int:
    """What yaku the hand after a discard may have."""
    stage, phase, held = rough_stage(x, s), phase_of(int(s.turns)), int(hand[kind])
    simple = 0 if s.melds == 0 else 1 if s.melds_simple and s.melds_worth == 0 else 2
    orphans = int(x.orphans) - int(is_orphan(kind))
    out[n] = SIMPLES + (stage * 3 + simple) * 10 + min(orphans, 9)
    most, suit = 0, kind // RANKS
    for other in range(SUITS):
        if s.meld_suit == NONE or s.meld_suit == other:
            most = max(most, int(x.suited[other]) - int(other == suit))
    most += int(x.suited[SUITS]) - int(suit == SUITS)
    out[n + 1] = SUITED + (int(s.open) * PHASES + phase) * 16 + min(most, 15)
    best = min(max(int(x.best), 0), SHANTEN - 1)
    out[n + 4] = SUIT_SHANTEN + (best * 2 + int(s.open)) * 16 + min(most, 15)
    kinds, pair_set = bits_after(hand, kind, x)
    pairs = min(count_bits(pair_set), 7)
    out[n + 2] = SETS + (stage * 8 + pairs) * 5 + int(x.triplets) - int(held == 3)
    together = 0
    for first in range(RANKS - 2):
        together = max(together, count_bits((kinds >> 3 * first) & 0x1FF))
    out[n + 3] = THREE_SUITS + stage * 5 + max(together - 5, 0)
    if s.open:
        out[n + 5] = YAKU + yaku_after(hand, kind, s, t, x)
        return n + 6
    return n + 5


@kernel
def yaku_after(hand: Any, kind: int, s: Any, t: Any, x: Any) -> int:
    """The nearest way of an open hand to a yaku after a discard, as a number within its group."""
    suit, tile = kind // RANKS, 1 << 3 * (kind % RANKS)
    k0, k1 = int(x.keys[0]) - (tile if suit == 0 else 0), int(x.keys[1]) - (tile if suit == 1 else 0)
    k2, k3 = int(x.keys[2]) - (tile if suit == 2 else 0), int(x.keys[3]) - (tile if suit == 3 else 0)
    plan, distance = yaku_way(k0, k1, k2, k3, s, t, x)
    gap = min(max(distance - int(x.best), 0), GAPS - 1)
    return (min(max(int(x.best), 0), FOUR_STAGES - 1) * PLANS + plan) * GAPS + gap


@kernel
def list_honour(hand: Any, kind: int, s: Any, x: Any, out: Any, n: int) -> int:
    """Effects of discarding an honour."""
    stage, phase, held, worth = rough_stage(x, s), phase_of(int(s.turns)), int(hand[kind]), honour_role(kind, s)
    base = ((stage * PHASES + phase) * WORTHS + worth) * 5
    left = int(x.unseen[kind])
    out[n] = HONOUR + (base + held - 1) * 5 + left
    out[n + 1] = -1 - (HONOUR + (base + held) * 5 + left)
    kept = worth * 3 + min(held, 3) - 1
    out[n + 2] = HONOUR_NEEDS + kept * CLASSES + int(x.needs[kind])
    out[n + 3] = HONOUR_TURN + (kept * 5 + left) * TURNS + min(int(s.turns), TURNS - 1)
    n += 4
    if s.dora[kind]:
        out[n] = HONOUR_DORA + (stage * WORTHS + worth) * 5 + held - 1
        out[n + 1] = -1 - (HONOUR_DORA + (stage * WORTHS + worth) * 5 + held)
        n += 2
    return n


@kernel
def list_number(hand: Any, kind: int, s: Any, m: Any, x: Any, out: Any, n: int) -> int:
    """Effects of discarding a number tile: around dora and red fives, and the number of its neighbours left."""
    stage, suit = min(max(int(x.best), 0), FOUR_STAGES - 1), kind // RANKS
    rank = kind - RANKS * suit
    key = int(x.keys[suit])
    for near in range(max(0, rank - 2), min(RANKS - 1, rank + 2) + 1):
        for _ in range(int(s.dora[kind - rank + near])):
            n = list_around(DORA + stage * 5 * WINDOW, key, rank, near, True, m, out, n)
    red = 1 << suit
    if int(s.reds) & red and abs(rank - FIVE_M) <= 2:
        kept = not (rank == FIVE_M and hand[kind] == 1)
        n = list_around(RED + stage * WINDOW, key, rank, FIVE_M, kept, m, out, n)
    return list_sides(hand, kind, rank, stage, s, m, x, out, n)


@kernel
def list_around(base: int, key: int, rank: int, centre: int, kept: bool, m: Any, out: Any, n: int) -> int:
    """The tiles around a dora or red five, without the discard and, with a minus sign, with it."""
    back = int(centre > FIVE_M)
    if base < RED:
        base += (RANKS - 1 - centre if back else centre) * WINDOW
    after = key - (1 << 3 * rank)
    out[n] = -1 - (base + int(m.cut[back, ((key << 6) >> 3 * centre) & 0x7FFF]))
    if kept:
        out[n + 1] = base + int(m.cut[back, ((after << 6) >> 3 * centre) & 0x7FFF])
        return n + 2
    return n + 1


@kernel
def list_sides(hand: Any, kind: int, rank: int, stage: int, s: Any, m: Any, x: Any, out: Any, n: int) -> int:
    """The discard by its rank, the neighbours held, and the neighbours left to draw."""
    low, step = (rank, 1) if rank <= FIVE_M else (RANKS - 1 - rank, -1)
    beside = near = far = 0
    for i in range(4):
        away = (-2, -1, 1, 2)[i] * step
        if 0 <= rank + away < RANKS:
            beside |= int(hand[kind + away] > 0) << i
            if abs(away) == 1:
                near += int(x.unseen[kind + away])
            else:
                far += int(x.unseen[kind + away])
    kept, left = min(int(hand[kind]) - 1, 3), int(x.unseen[kind])
    out[n] = TILE + (((int(s.open) * 5 + low) * 4 + kept) * 5 + left) * NEXT_TO + beside
    out[n + 1] = SIDES + ((stage * 5 + low) * 9 + near) * NEXT_TO + beside
    out[n + 2] = FAR_SIDES + ((stage * 5 + low) * 9 + far) * NEXT_TO + beside
    shape = (low * 2 + min(kept, 1)) * NEXT_TO + beside
    out[n + 3] = TILE_NEEDS + shape * CLASSES + int(x.needs[kind])
    out[n + 4] = TILE_TURN + (shape * 2 + int(s.open)) * TURNS + min(int(s.turns), TURNS - 1)
    around = low * WINDOW + int(m.cut[int(step < 0), ((int(x.keys[kind // RANKS]) << 6) >> 3 * rank) & 0x7FFF])
    out[n + 5] = SHAPE_NEEDS + around * CLASSES + int(x.needs[kind])
    out[n + 6] = SHAPE_TURN + (around * 2 + int(s.open)) * TURNS + min(int(s.turns), TURNS - 1)
    return n + 7


@kernel
def list_discard(hand: Any, kind: int, s: Any, t: Any, m: Any, x: Any, out: Any) -> int:
    """List all features of a discard of a weighed hand into `out`, int32[MOST]; returns how many."""
    n = 0
    if kind < EAST:
        suit = kind // RANKS
        n = list_suit_change(int(x.keys[suit]), kind - RANKS * suit, stage_of(x, s), t, m, out, n)
    return list_rest(hand, kind, s, t, m, x, out, n)
