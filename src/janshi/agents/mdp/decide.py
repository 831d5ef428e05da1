"""What every legal action is worth: the candidates of a decision, the set of hands around it, and the processes solved on it.

A candidate is a discard, a discard with riichi, a call with a discard, a pass or a kan. It risks what its discard risks (eq. 4) and leads to a
standing hand, whose worth is that of M (eq. 16), or is put together from chances of scenarios (eq. 17, `models.scenarios`).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from janshi.agents.mdp.hands import MELDS_AT, NOBODY, count_in, find, high_one, low_one, pack_high, pack_low, unpack
from janshi.agents.mdp.process import LOSE, NOTEN, OTHER, SCENARIOS, TENPAI, WIN, only_tenpai, only_wins
from janshi.agents.mdp.scene import Models, ask_models, new_holding, new_models, new_process, note_scene
from janshi.agents.mdp.solve import Values, folding_of, new_values, note_folds, solve
from janshi.agents.mdp.space import PON_CODE, Space, build_reaction, build_turn, new_space, with_meld
from janshi.agents.mdp.worth import Scoring, note_all, win_worth
from janshi.core._jit import kernel
from janshi.core.records import record_dtype
from janshi.core.shanten import shanten
from janshi.core.tiles import COPIES, EAST, NUM_KINDS, RANKS
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.concealed import kind_of
from janshi.rules.riichi.policies import Question, allows, discard_action, discardable, question_of_view
from janshi.rules.riichi.ruleset import Ruleset
from janshi.rules.riichi.score import score
from janshi.rules.riichi.state import MELDS, NONE, TURN, new_context
from janshi.rules.riichi.win import ADDED_KAN, CONCEALED_KAN

MOST: Final = 128
"""Candidates of a decision at most."""
GROWTH: Final = 24
"""About so many times more hands are in the set for one exchange more."""

CANDIDATE_DTYPE: Final = record_dtype(
    [
        ("worth", np.float64),
        ("chances", np.float64, (SCENARIOS,)),
        ("low", np.int64),  # the standing hand it leads to
        ("high", np.int64),
        ("action", np.int64),
        ("node", np.int64),  # its number in the set, or NOBODY
        ("lose", np.float64),  # chance that its discard is won on at once
        ("lose_worth", np.float64),
        ("fold_worth", np.float64),  # of giving the hand up after it
        ("p_win", np.float64),  # of M_win
        ("v_win", np.float64),
        ("p_tenpai", np.float64),  # of M_tenpai
        ("p_lose", np.float64),  # of M_fold
        ("turn", np.int8),  # 1 after a discard, 0 after a pass
        ("kind", np.int8),  # discarded
        ("riichi", np.int8),
        ("folds", np.int8),  # the best that can be done after it is to fold
    ]
)
"""Something the player may do, where it leads and what it is worth."""


class Desk(NamedTuple):
    """The models, and scratch space of a player. Not shared between threads."""

    models: Models
    space: Space
    values: Values
    process: Any  # PROCESS_DTYPE[1]: M
    part: Any  # PROCESS_DTYPE[1]: M_win or M_tenpai
    holding: Any  # HOLDING_DTYPE[1]
    candidates: Any  # CANDIDATE_DTYPE[MOST]
    hand: Any  # int8[34]
    frame: Any
    tables: Any


def new_desk(rules: Ruleset, hands: int, method: str) -> Desk:
    """Make what decisions under the given rules need, with room for so many hands."""
    frame, tables = new_context(rules)
    return Desk(
        models=new_models(method),
        space=new_space(hands),
        values=new_values(hands),
        process=new_process(),
        part=new_process(),
        holding=new_holding(),
        candidates=np.zeros(MOST, CANDIDATE_DTYPE),
        hand=np.zeros(NUM_KINDS, np.int8),
        frame=frame,
        tables=tables,
    )


# --- candidates


@kernel
def add_candidate(out: Any, n: int, action: int, kind: int, low: int, high: int, turn: int, riichi: int) -> int:
    """Add a candidate; returns how many there are."""
    if n >= MOST:
        return n
    c = out[n]
    c.action, c.kind, c.low, c.high, c.turn, c.riichi = action, kind, low, high, turn, riichi
    c.node, c.folds, c.worth = NOBODY, 0, -1e9
    c.p_win = c.v_win = c.p_tenpai = c.p_lose = c.fold_worth = c.lose = c.lose_worth = 0.0
    for z in range(SCENARIOS):
        c.chances[z] = 0.0
    return n + 1


@kernel
def list_turn(v: Any, q: Question, out: Any) -> int:
    """List the discards of the own turn, with and without riichi; returns how many candidates there are."""
    n, kinds = 0, discardable(q)
    low, high = pack_low(v.hand), pack_high(v.hand)
    for kind in range(NUM_KINDS):
        if (kinds >> kind) & 1 == 0 or v.hand[kind] <= 0:
            continue
        after_low, after_high = low - low_one(kind), high - high_one(kind)
        if v.declaring == 0:
            n = add_candidate(out, n, discard_action(q, v.hand, kind), kind, after_low, after_high, 1, 0)
            if allows(q, act.RIICHI):
                n = add_candidate(out, n, act.RIICHI, kind, after_low, after_high, 1, 1)
        else:
            n = add_candidate(out, n, discard_action(q, v.hand, kind), kind, after_low, after_high, 1, 1)
    return n


@kernel
def has_red_form(q: Question, action: int) -> bool:
    """Whether the same call can be made with a red five, which is never worse."""
    if action < act.CHI_RED:
        return allows(q, action + act.CHI_RED - act.CHI)
    return action == act.PON and allows(q, act.PON_RED)


@kernel
def list_reaction(v: Any, q: Question, sp: Space, out: Any) -> int:
    """List passing and the calls that stay in the set, each with its discards; returns how many candidates there are."""
    low, high = pack_low(v.hand), pack_high(v.hand)
    n = add_candidate(out, 0, act.PASS, NONE, low, high, 0, 0)
    called = kind_of(int(v.tile))
    for action in range(act.CHI, act.OPEN_KAN):
        if not allows(q, action) or has_red_form(q, action):
            continue
        chi = action < act.PON
        first = called - (action - act.CHI) % 3 if chi else called
        n = list_call(action, called, first, chi, low, high, sp, out, n)
    return n


@kernel
def list_call(action: int, called: int, first: int, chi: bool, low: int, high: int, sp: Space, out: Any, n: int) -> int:
    """List the discards after a call; returns how many candidates there are."""
    melds = with_meld(0, 1 + first if chi else PON_CODE + first, sp)
    if melds == NOBODY:
        return n
    for i in range(3):
        kind = first + i if chi else first
        low -= low_one(kind)
        high -= high_one(kind)
    low, high = low + low_one(called), (high + high_one(called)) | melds << MELDS_AT
    at = find(sp.full, sp.full_table, low, high)
    if sp.full_table[at] == NOBODY:
        return n
    number = int(sp.full_table[at])
    for i in range(sp.full[number].discards, sp.full[number + 1].discards):
        kind = int(sp.discards[i].kind)
        if not swaps(kind, called, first, chi):
            n = add_candidate(out, n, action, kind, low - low_one(kind), high - high_one(kind), 1, 0)
    return n


@kernel
def swaps(kind: int, called: int, first: int, chi: bool) -> bool:
    """Whether a discard after a call only swaps tiles, which is forbidden."""
    if kind == called:
        return True
    if not chi or kind >= EAST or kind // RANKS != called // RANKS:
        return False
    return (called == first and kind == first + 3) or (called == first + 2 and kind == first - 1)


# --- the set around a decision


@kernel
def build(v: Any, turn: bool, n: int, m: int, d: Desk) -> bool:
    """Build the set of hands around a view."""
    low, high, distance = pack_low(v.hand), pack_high(v.hand), root_shanten(v, d)
    if turn:
        return build_turn(low, high, n, m, d.space, d.tables[0])
    return build_reaction(low, high, distance, n, m, d.space, d.tables[0])


@kernel
def root_shanten(v: Any, d: Desk) -> int:
    """Shanten of the hand of a view."""
    return max(0, int(shanten(v.hand, int(v.melds[0]), d.tables[0])))


@kernel
def build_largest(v: Any, turn: bool, d: Desk) -> bool:
    """Build the largest set that there is room for; False if there is room for none."""
    b, distance = d.space.bounds[0], root_shanten(v, d)
    melds = MELDS - int(v.melds[0])
    n = max(1, distance)
    if not build(v, turn, n, melds, d):
        return build(v, turn, n, 0, d) or build(v, turn, n, 0, d)
    while n < distance + 3 and b.standing * GROWTH <= b.limit:
        if not build(v, turn, n + 1, melds, d):
            return build(v, turn, n, melds, d)
        n += 1
    return True


@kernel
def find_nodes(out: Any, n: int, sp: Space) -> None:
    """Note where the candidates' hands are in the set."""
    for i in range(n):
        c = out[i]
        c.node = sp.standing_table[find(sp.standing, sp.standing_table, c.low, c.high)]


# --- what candidates are worth


@kernel
def note_risks(out: Any, n: int, m: Any, hand: Any) -> None:
    """Note what the candidates' discards risk at once, and what giving up after them is worth."""
    for i in range(n):
        c = out[i]
        if c.kind != NONE:
            c.lose, c.lose_worth = m.lose[c.riichi, 0, c.kind], m.lose_worth[c.riichi, 0, c.kind]
        unpack(c.low, c.high, hand)
        f = folding_of(hand, m, int(c.turn))
        c.fold_worth, c.p_lose = f.worth, f.lose


@kernel
def value_inclusive(out: Any, n: int, k: int, m: Any, sp: Space, x: Values) -> None:
    """Value candidates by M (eq. 16), after it is solved."""
    for i in range(n):
        c = out[i]
        now, node = int(c.turn) % 2, int(c.node)
        after, chances = c.fold_worth, False
        c.folds = 1
        if c.riichi:
            wins = sp.standing[node].wins if node != NOBODY else NOBODY
            if wins < 0 or x.ready[wins].may_riichi == 0:
                continue
            after, c.folds = x.riichi[now, wins], 0
        elif node != NOBODY and x.standing[now, node] >= after:
            after = x.standing[now, node]
            c.folds = 1 if after <= c.fold_worth + 1e-12 else 0
        elif k:
            c.chances[LOSE], c.chances[OTHER] = c.p_lose, 1.0 - c.p_lose
        c.worth = c.lose_worth + (1.0 - c.lose) * after
        for z in range(k):
            c.chances[z] = (1.0 - c.lose) * c.chances[z] + (c.lose if z == LOSE else 0.0)


@kernel
def judge(v: Any, k: int, d: Desk, z: Scoring) -> int:
    """List and value all candidates of a view but wins; returns how many there are. `k` chances are carried along."""
    q, m, sp, x = question_of_view(v), d.process[0], d.space, d.values
    ask_models(v, d.models)
    note_scene(v, d.models, sp.bounds[0], m, z)
    built = build_largest(v, q.turn, d)
    n = list_turn(v, q, d.candidates) if q.turn else list_reaction(v, q, sp, d.candidates)
    note_risks(d.candidates, n, m, d.hand)
    if built:
        find_nodes(d.candidates, n, sp)
        note_all(m.given, sp, z, x.ready)
        note_folds(m, d.hand, sp, x)
        solve(m, 1 if q.turn else 0, sp, x)
    value_inclusive(d.candidates, n, k, m, sp, x)
    return n


@kernel
def best_of(out: Any, n: int) -> int:
    """The candidate that is worth most."""
    best = 0
    for i in range(1, n):
        if out[i].worth > out[best].worth:
            best = i
    return best


# --- answers


@kernel
def may_win(v: Any) -> int:
    """The winning action that is legal, or NONE."""
    q = question_of_view(v)
    if q.turn:
        return act.TSUMO if allows(q, act.TSUMO) else NONE
    return act.RON if allows(q, act.RON) else NONE


@kernel
def only_answer(v: Any) -> int:
    """The answer that needs no thought, or NONE: in riichi, and when nothing can be called."""
    q = question_of_view(v)
    if q.turn:
        return act.TSUMOGIRI if q.riichi else NONE
    return act.PASS if (q.low >> act.CHI) & ((1 << (act.OPEN_KAN + 1 - act.CHI)) - 1) == 0 else NONE


@kernel
def answer_view(v: Any, d: Desk, z: Scoring) -> int:
    """The action for a view."""
    win, only = may_win(v), only_answer(v)
    if win != NONE:
        return win
    if only != NONE:
        return only
    n = judge(v, 0, d, z)
    return int(d.candidates[best_of(d.candidates, n)].action)


@kernel
def answer_views(views: Any, payoffs: Any, k: int, d: Desk, out: Any) -> None:
    """Write an action for each view into `out`, int64[m]; with `k` chances it judges and writes numbers of candidates."""
    for i in range(len(views)):
        z = Scoring(d.holding[0], d.frame[0].rules, d.frame[0].win, d.frame[0].score, payoffs[i])
        if k:
            out[i] = judge(views[i], k, d, z)
        else:
            out[i] = answer_view(views[i], d, z)
