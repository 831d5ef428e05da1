"""The candidates for simulation: discards, riichi, calls and kans, each with its ways to continue.

After a discard the player may continue, keep waiting without riichi, or fold: each is a separate candidate. Discards
that raise the shanten are left out unless they are among the safest when somebody may be tenpai. The first candidate is
what a player without simulation would do.
"""

from __future__ import annotations

from typing import Any, Final

from janshi.agents.careful import plan_after_call, plan_of
from janshi.agents.montecarlo.dtypes import FOLD, GO_ON, READY, Sim
from janshi.agents.montecarlo.moves import drop_kind, note_own
from janshi.agents.offers import has_red_form
from janshi.agents.prospects import meld_dora, open_melds
from janshi.core._jit import kernel
from janshi.core.shanten import shanten
from janshi.core.tiles import COPIES, NUM_KINDS
from janshi.core.ukeire import ukeire
from janshi.features.own_hand import situate
from janshi.models.labels import OPPONENTS
from janshi.models.one_player import best_discard
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.concealed import kind_of
from janshi.rules.riichi.policies import ALL_KINDS, Question, allows, discard_action, discardable, outwardness
from janshi.rules.riichi.state import MELDS, NONE, PLAYERS
from janshi.rules.riichi.win import ADDED_KAN, CHI, CONCEALED_KAN, PON

MOST: Final = 64
"""Maximum number of candidates of a decision."""
SAFEST: Final = 3
"""How many of the safest discards are considered."""
QUICKEST: Final = 6
"""How many of the useful discards are considered."""
AFTER_CALL: Final = 3
"""The same after a call."""
STEP: Final = 1000.0
"""One shanten less counts more than any number of useful tiles."""
NOTHING: Final = -1e9


@kernel
def blank(c: Any, v: Any, action: int, z: Sim) -> None:
    """Initialise a candidate with the viewer's present hand."""
    c.action, c.kind, c.mode, c.stance, c.first = action, NONE, GO_ON, 0, 1
    c.river, c.left, c.reds, c.melds = z.scene.river, z.scene.left, v.reds, v.melds[0]
    c.weight, c.value, c.deal_in = 1.0, 0.0, 0.0
    c.count, c.alive = 0, 1
    c.total = c.apart = c.squares = c.wins = c.deal_ins = c.draws = c.others = 0.0
    for i in range(MELDS):
        c.meld_type[i] = v.meld_type[0, i]
        c.meld_kind[i] = v.meld_kind[0, i]
    c.meld_han = meld_dora(v, 0, z.scene.dora)
    c.is_open = 1 if open_melds(v) else 0
    c.plan = plan_of(v, z.rules)
    if c.plan == 0:
        c.plan = ALL_KINDS
    for kind in range(NUM_KINDS):
        c.hand[kind] = v.hand[kind]


@kernel
def copy_candidate(source: Any, c: Any) -> None:
    """Initialise a candidate as a copy of another."""
    c.action, c.kind, c.mode, c.stance, c.first = source.action, source.kind, source.mode, source.stance, source.first
    c.river, c.left, c.reds, c.melds = source.river, source.left, source.reds, source.melds
    c.weight, c.value, c.deal_in = source.weight, source.value, source.deal_in
    c.count, c.alive = 0, 1
    c.total = c.apart = c.squares = c.wins = c.deal_ins = c.draws = c.others = 0.0
    for i in range(MELDS):
        c.meld_type[i] = source.meld_type[i]
        c.meld_kind[i] = source.meld_kind[i]
    c.meld_han, c.is_open, c.plan = source.meld_han, source.is_open, source.plan
    for kind in range(NUM_KINDS):
        c.hand[kind] = source.hand[kind]


@kernel
def risk(c: Any, kind: int, z: Sim) -> None:
    """Account for the chance that a kind deals in at once: Score = sim x prod (1 - LP) - sum EL of the paper."""
    s = z.scene
    for other in range(OPPONENTS):
        lost = c.weight * s.waiting[other] * s.winning[other, kind]
        c.value += lost * s.loss[0, other, kind]
        c.deal_in += lost
        c.weight -= lost


@kernel
def give(c: Any, kind: int, z: Sim) -> None:
    """Discard a kind from a candidate's hand."""
    c.kind = kind
    drop_kind(c, kind)
    c.river |= 1 << kind
    risk(c, kind, z)


@kernel
def distance_of(c: Any, z: Sim) -> int:
    """Shanten of a candidate's hand within its plan."""
    x = z.play
    x.plan = c.plan
    for kind in range(NUM_KINDS):
        x.hand[kind] = c.hand[kind]
    note_own(x)
    return int(shanten(x.own, int(c.melds), z.tables))


@kernel
def rate_discards(c: Any, kinds: int, z: Sim) -> None:
    """Rate each discard of a bit set of kinds, by shanten and useful tiles; NOTHING for other kinds."""
    x = z.play
    for kind in range(NUM_KINDS):
        x.rating[kind] = NOTHING
        if (kinds >> kind) & 1 == 0 or c.hand[kind] <= 0:
            continue
        c.hand[kind] -= 1
        x.after[kind] = distance_of(c, z)
        ukeire(x.own, int(c.melds), z.tables, x.marks)
        useful = 0
        for k in range(NUM_KINDS):
            if x.marks[k] and (c.plan >> k) & 1:
                useful += COPIES - int(z.scene.visible[k])
        c.hand[kind] += 1
        x.rating[kind] = (useful + 0.05 * outwardness(kind)) / (1.0 + 0.3 * z.scene.dora[kind])
        x.rating[kind] -= STEP * x.after[kind]


@kernel
def rate_by_model(v: Any, kinds: int, z: Sim) -> None:
    """Rate each discard of the viewer's hand by the one-player model."""
    situate(v, z.situation)
    best_discard(v.hand, v.seen, kinds, z.situation, z.model, z.maps, z.tables, z.weighing)
    for kind in range(NUM_KINDS):
        if z.play.rating[kind] > NOTHING:
            z.play.rating[kind] = z.weighing.value[kind]


@kernel
def best_rated(x: Any) -> int:
    """The kind with the highest rating, or NONE."""
    best = 0
    for kind in range(1, NUM_KINDS):
        if x.rating[kind] > x.rating[best]:
            best = kind
    return best if x.rating[best] > NOTHING else NONE


@kernel
def harm_now(kind: int, z: Sim) -> float:
    """What a discard is expected to cost now."""
    harm = 0.0
    for other in range(OPPONENTS):
        harm += z.scene.waiting[other] * z.scene.harm[other, kind]
    return harm


@kernel
def threat(z: Sim) -> float:
    """The chance that the most threatening opponent is tenpai."""
    most = 0.0
    for other in range(OPPONENTS):
        most = max(most, z.scene.waiting[other])
    return most


@kernel
def safe_set(kinds: int, hand: Any, z: Sim) -> int:
    """Bit set of the safest kinds of a hand, if somebody may be tenpai."""
    safest = 0
    if threat(z) < z.scene.threat:
        return safest
    for _ in range(SAFEST):
        best, least = NONE, 0.0
        for kind in range(NUM_KINDS):
            if (kinds >> kind) & 1 and hand[kind] > 0 and (safest >> kind) & 1 == 0:
                harm = harm_now(kind, z)
                if best == NONE or harm < least:
                    best, least = kind, harm
        if best != NONE:
            safest |= 1 << best
    return safest


# --- the player's turn


@kernel
def list_turn(v: Any, q: Question, z: Sim, out: Any) -> int:
    """List the actions on the player's turn (except winning); returns the number of candidates."""
    base, x = out[MOST - 1], z.play
    blank(base, v, NONE, z)
    kinds = discardable(q)
    safest = safe_set(kinds, v.hand, z)
    rate_discards(base, kinds, z)
    n, best = 0, best_rated(x)
    rate_by_model(v, kinds, z)
    least = max(int(x.after[best]), int(x.after[best_rated(x)]))
    for place in range(NUM_KINDS):
        kind = best_rated(x)
        if kind == NONE:
            break
        x.rating[kind] = NOTHING
        is_safe = (safest >> kind) & 1
        if is_safe or (place < QUICKEST and x.after[kind] <= least):
            n = list_discard(v, q, kind, is_safe, z, out, n)
    if allows(q, act.NINE_TERMINALS):
        blank(out[n], v, act.NINE_TERMINALS, z)
        out[n].weight, out[n].value = 0.0, z.payoffs.abort[0]
        n += 1
    if not v.declaring:
        n = list_kans(v, q, z, out, n)
    return n


@kernel
def list_discard(v: Any, q: Question, kind: int, is_safe: int, z: Sim, out: Any, n: int) -> int:
    """List a discard with its ways to continue; returns the number of candidates so far."""
    c, ready = out[n], z.play.after[kind] == 0
    copy_candidate(out[MOST - 1], c)
    c.action = discard_action(q, v.hand, kind)
    give(c, kind, z)
    c.mode = READY if ready or v.declaring else GO_ON
    n += 1
    if v.declaring:
        c.stance = 1
        return n
    if ready and allows(q, act.RIICHI):
        copy_candidate(c, out[n])
        copy_candidate(c, out[n + 1])
        out[n + 1].mode = GO_ON
        c.action, c.stance = act.RIICHI, 1
        n += 2
    if is_safe:
        copy_candidate(out[n - 1], out[n])
        out[n].mode = FOLD
        n += 1
    return n


@kernel
def list_kans(v: Any, q: Question, z: Sim, out: Any, n: int) -> int:
    """List concealed and added kans; returns the number of candidates so far."""
    for kind in range(NUM_KINDS):
        if allows(q, act.CONCEALED_KAN + kind) and n < MOST - 2:
            c = out[n]
            blank(c, v, act.CONCEALED_KAN + kind, z)
            c.hand[kind] -= COPIES
            c.meld_type[c.melds], c.meld_kind[c.melds] = CONCEALED_KAN, kind
            c.meld_han += COPIES * z.scene.dora[kind]
            c.melds += 1
            n = finish_kan(c, kind, n)
        if allows(q, act.ADDED_KAN + kind) and n < MOST - 2:
            c = out[n]
            blank(c, v, act.ADDED_KAN + kind, z)
            c.hand[kind] -= 1
            for i in range(int(c.melds)):
                if c.meld_type[i] == PON and c.meld_kind[i] == kind:
                    c.meld_type[i] = ADDED_KAN
            c.meld_han += z.scene.dora[kind]
            risk(c, kind, z)
            n = finish_kan(c, kind, n)
    return n


@kernel
def finish_kan(c: Any, kind: int, n: int) -> int:
    """The viewer draws again, and the wall is one tile shorter."""
    c.first = 0
    if kind < 27 and kind % 9 == 4:
        c.reds &= ~(1 << (kind // 9))
        c.meld_han += 1
    return n + 1


# --- opponents' discards


@kernel
def list_reaction(v: Any, q: Question, z: Sim, out: Any) -> int:
    """List the answers to a discard (except winning); returns the number of candidates."""
    n = list_pass(v, z, out)
    before = distance_of(out[0], z)
    for action in range(act.CHI, act.OPEN_KAN):
        if allows(q, action) and not has_red_form(q, action) and n < MOST - 2 * SAFEST:
            n = list_call(v, action, before, z, out, n)
    return n


@kernel
def list_pass(v: Any, z: Sim, out: Any) -> int:
    """List passing, with its ways to continue; returns the number of candidates."""
    c = out[0]
    blank(c, v, act.PASS, z)
    c.first = (int(v.actor) + 1) % PLAYERS
    n = 1
    if v.waits != 0:
        copy_candidate(c, out[n])
        out[n].mode = READY
        n += 1
    if threat(z) >= z.scene.threat:
        copy_candidate(c, out[n])
        out[n].mode = FOLD
        n += 1
    return n


@kernel
def list_call(v: Any, action: int, before: int, z: Sim, out: Any, n: int) -> int:
    """List a call with the discards that may follow; returns the number of candidates so far."""
    base, called = out[MOST - 1], kind_of(int(v.tile))
    meld_type = PON if action >= act.PON else CHI
    first = called if meld_type == PON else called - (action - act.CHI) % 3
    red = action >= act.CHI_RED and action != act.PON
    blank(base, v, action, z)
    make_meld(base, meld_type, first, called, int(v.tile), red, z)
    plan = plan_after_call(v, base.hand, meld_type, first, z.rules)
    if plan == 0:
        return n
    base.plan = plan
    kinds = ALL_KINDS & ~(1 << called)
    if meld_type == CHI and called == first and first % 9 < 6:
        kinds &= ~(1 << (called + 3))
    if meld_type == CHI and called == first + 2 and first % 9 > 0:
        kinds &= ~(1 << (first - 1))
    rate_discards(base, kinds, z)
    best = best_rated(z.play)
    if best == NONE or z.play.after[best] >= before:
        return n
    least = z.play.after[best]
    for _ in range(AFTER_CALL):
        kind = best_rated(z.play)
        if kind == NONE or z.play.after[kind] > least:
            break
        z.play.rating[kind] = NOTHING
        copy_candidate(base, out[n])
        give(out[n], kind, z)
        out[n].mode = READY if least == 0 else GO_ON
        n += 1
    return n


@kernel
def make_meld(c: Any, meld_type: int, first: int, called: int, tile: int, red: bool, z: Sim) -> None:
    """Meld a called tile with tiles of a candidate's hand."""
    c.hand[called] += 1
    for i in range(3):
        kind = first if meld_type == PON else first + i
        c.hand[kind] -= 1
        c.meld_han += z.scene.dora[kind]
    if red or tile != called:
        c.meld_han += 1
    if red:
        five = first // 9 * 9 + 4
        c.reds &= ~(1 << (five // 9))
    c.meld_type[c.melds], c.meld_kind[c.melds] = meld_type, first
    c.melds += 1
    c.is_open = 1
