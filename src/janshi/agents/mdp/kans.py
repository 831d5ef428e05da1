"""Kans as candidates: after a kan the player draws again, so its worth is that of a draw in a separate set of hands."""

from __future__ import annotations

from typing import Any

from janshi.agents.mdp.candidates import add_settled
from janshi.agents.mdp.hands import pack_high, pack_low
from janshi.agents.mdp.scene import note_bounds, note_holding
from janshi.agents.mdp.solve import Values, note_folds, solve, solve_draws, win_by_draw
from janshi.agents.mdp.space import Space, build_reaction
from janshi.agents.mdp.worth import Scoring, note_all
from janshi.core._jit import kernel
from janshi.core.shanten import shanten
from janshi.core.tiles import COPIES, NUM_KINDS, RANKS
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.concealed import kind_of
from janshi.rules.riichi.policies import Question, allows
from janshi.rules.riichi.state import MELDS, NONE
from janshi.rules.riichi.win import ADDED_KAN, CONCEALED_KAN, OPEN_KAN, PON

FIVE = 4


@kernel
def list_kans(
    v: Any, q: Question, out: Any, n: int, scratch: Any, hand: Any, m: Any, sp: Space, x: Values, t: Any, z: Scoring
) -> int:
    """Value the kans of a view; returns the number of candidates. Overwrites the set; `scratch` is a view."""
    if q.turn:
        for kind in range(NUM_KINDS):
            if allows(q, act.CONCEALED_KAN + kind):
                scratch[0] = v
                add_meld(scratch[0], CONCEALED_KAN, kind, COPIES)
                worth = kan_worth(scratch[0], kind, False, hand, m, sp, x, t, z)
                n = add_settled(out, n, act.CONCEALED_KAN + kind, worth, NONE)
            if allows(q, act.ADDED_KAN + kind):
                scratch[0] = v
                extend_pon(scratch[0], kind)
                worth = kan_worth(scratch[0], kind, True, hand, m, sp, x, t, z)
                n = add_settled(out, n, act.ADDED_KAN + kind, worth, NONE)
    elif allows(q, act.OPEN_KAN):
        kind = kind_of(int(v.tile))
        scratch[0] = v
        add_meld(scratch[0], OPEN_KAN, kind, COPIES - 1)
        n = add_settled(out, n, act.OPEN_KAN, kan_worth(scratch[0], kind, False, hand, m, sp, x, t, z), NONE)
    return n


@kernel
def take_red(v: Any, kind: int) -> int:
    """Move a red five of a kind from the hand into a meld; returns whether there is one."""
    if kind >= 3 * RANKS or kind % RANKS != FIVE or (v.reds >> (kind // RANKS)) & 1 == 0:
        return 0
    v.reds &= ~(1 << (kind // RANKS))
    return 1


@kernel
def add_meld(v: Any, meld_type: int, kind: int, tiles: int) -> None:
    """Move tiles of a viewer's hand into a kan."""
    i = int(v.melds[0])
    v.meld_type[0, i], v.meld_kind[0, i] = meld_type, kind
    v.meld_red[0, i] = take_red(v, kind)
    v.melds[0] = i + 1
    v.hand[kind] -= tiles


@kernel
def extend_pon(v: Any, kind: int) -> None:
    """Add a tile of a viewer's hand to a triplet."""
    for i in range(int(v.melds[0])):
        if v.meld_type[0, i] == PON and v.meld_kind[0, i] == kind:
            v.meld_type[0, i] = ADDED_KAN
            v.meld_red[0, i] |= take_red(v, kind)
    v.hand[kind] -= 1


@kernel
def kan_worth(v: Any, kind: int, robbed: bool, hand: Any, m: Any, sp: Space, x: Values, t: Any, z: Scoring) -> float:
    """The worth of drawing again after a kan, which may be `robbed`; `v` is the view after it."""
    note_bounds(v, z.rules, sp.bounds[0])
    note_holding(v, z.rules, z.holding)
    distance, melds = max(0, int(shanten(v.hand, int(v.melds[0]), t))), MELDS - int(v.melds[0])
    low, high = pack_low(v.hand), pack_high(v.hand)
    if not build_reaction(low, high, distance, max(1, distance), melds, sp, t):
        return -1e9
    note_all(m.let_go, sp, z, x.ready)
    note_folds(m, hand, sp, x)
    solve(m, 0, sp, x)
    if m.turns > 0:
        unseen = int(sp.bounds[0].unseen)
        solve_draws(1, m, 0, unseen, sp.standing, sp.draws, x.full, x.standing[1], x.standing[0])
        win_by_draw(1, m, 0, sp.standing, x.ready, x.standing[1], x.standing[0])
    worth = float(x.standing[0, 0])
    if robbed:
        worth = float(m.lose_worth[0, 0, kind] + (1.0 - m.lose[0, 0, kind]) * worth)
    return worth
