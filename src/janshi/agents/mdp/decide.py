"""The worth of every legal action, and the choice: the set of hands around a decision, and the processes solved on it.

The worth of a candidate combines its discard's risk and the standing hand it leads to: by M (eq. 16), or from the
chances of scenarios (eq. 17).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from janshi.agents.mdp import early, inclusive
from janshi.agents.mdp import scenarios as parts
from janshi.agents.mdp.candidates import (
    CANDIDATE_DTYPE,
    MOST,
    add_settled,
    best_of,
    find_nodes,
    list_reaction,
    list_turn,
    note_risks,
)
from janshi.agents.mdp.hands import high_one, low_one, pack_high, pack_low
from janshi.agents.mdp.inclusive import note_chances
from janshi.agents.mdp.kans import list_kans
from janshi.agents.mdp.process import WIN
from janshi.agents.mdp.scene import Models, new_holding, new_models, new_process, note_scene, note_table
from janshi.agents.mdp.solve import Values, new_values, note_folds, solve
from janshi.agents.mdp.space import Space, begin, build_reaction, build_turn, new_space
from janshi.agents.mdp.worth import Scoring, describe, note_all, win_worth
from janshi.agents.offers import calls_nothing, may_win
from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.shanten import shanten
from janshi.core.tiles import NUM_KINDS
from janshi.models import opponents
from janshi.models.deal_in import model as deal_in
from janshi.rules.game import Array
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.concealed import kind_of
from janshi.rules.riichi.policies import Question, allows, question_of_view
from janshi.rules.riichi.ruleset import Ruleset
from janshi.rules.riichi.score import score
from janshi.rules.riichi.state import MELDS, NONE, PLAYERS, new_context
from janshi.rules.riichi.view import VIEW_DTYPE

GROWTH: Final = 24
"""One more exchange makes the set about this many times larger."""
FURTHER: Final = 3
"""Maximum number of exchanges beyond the shanten."""
CERTAIN_LAST: Final = -3.97
"""A win with a lower worth, in expected final rank, makes last place certain."""
CLEARLY: Final = 0.1
"""Minimum advantage of declining such a win."""


@dataclass(frozen=True)
class Manner:
    """The settings of an MDP player."""

    inclusive: int = 1
    """Hands up to this shanten are valued by M (eq. 16)."""
    reach: int = 3
    """Hands up to this shanten are valued by scenarios (eq. 17), those beyond by experts' discards and folding."""
    experts: float = 1.0
    """The weight of experts in discards, beside their worth."""
    dealing: str = deal_in.DEFAULT
    """The method of the deal-in model."""


MANNER_DTYPE: Final = record_dtype([("inclusive", np.int64), ("reach", np.int64), ("experts", np.float64)])


def manner_record(manner: Manner) -> Any:
    """The settings as a record for kernels."""
    record = np.zeros(1, MANNER_DTYPE)
    for name in MANNER_DTYPE.names or ():
        record[name] = getattr(manner, name)
    return record


class Desk(NamedTuple):
    """The models, and scratch space of a player. Not shared between threads."""

    models: Models
    space: Space
    values: Values
    process: Any  # PROCESS_DTYPE[1]: M
    part: Any  # PROCESS_DTYPE[1]: M_win or M_tenpai
    holding: Any  # HOLDING_DTYPE[1]
    candidates: Any  # CANDIDATE_DTYPE[MOST]
    experts: early.Experts
    regressions: parts.Regressions
    manner: Any  # MANNER_DTYPE[1]
    hand: Any  # int8[34]
    scratch: Any  # VIEW_DTYPE[1]
    frame: Any
    tables: Any


def new_desk(rules: Ruleset, hands: int, manner: Manner) -> Desk:
    """Allocate what decisions under the given rules need, for up to `hands` hands."""
    frame, tables = new_context(rules)
    by_scenarios = manner.reach > manner.inclusive
    return Desk(
        models=new_models(manner.dealing),
        space=new_space(hands),
        values=new_values(hands),
        process=new_process(),
        part=new_process(),
        holding=new_holding(),
        candidates=np.zeros(MOST, CANDIDATE_DTYPE),
        experts=early.new_experts(),
        regressions=parts.new_regressions() if by_scenarios else parts.blank_regressions(),
        manner=manner_record(manner),
        hand=np.zeros(NUM_KINDS, np.int8),
        scratch=np.zeros(1, VIEW_DTYPE),
        frame=frame,
        tables=tables,
    )


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
    """Build the largest set that fits; False if none does."""
    b, distance = d.space.bounds[0], root_shanten(v, d)
    melds = MELDS - int(v.melds[0])
    n = max(1, distance)
    if not build(v, turn, n, melds, d):
        return build(v, turn, n, 0, d)
    while n < distance + FURTHER and b.standing * GROWTH <= b.limit:
        if not build(v, turn, n + 1, melds, d):
            return build(v, turn, n, melds, d)
        n += 1
    return True


# --- the worth of candidates


@kernel
def judge(v: Any, chances: bool, d: Desk, z: Scoring) -> int:
    """List and value all candidates of a view; returns their number. `chances`: write those of scenarios, too.

    The models must have been asked about the view.
    """
    q, m, sp, x = question_of_view(v), d.process[0], d.space, d.values
    note_table(v, d.models)
    note_scene(v, d.models, sp.bounds[0], m, z)
    win = may_win(q)
    worth = win_now(v, q, sp, z) if win != NONE else 0.0
    n = judge_hands(v, q, chances, d, z)
    if v.declaring == 0:
        n = list_kans(v, q, d.candidates, n, d.scratch, d.hand, m, sp, x, d.tables[0], z)
    if allows(q, act.NINE_TERMINALS):
        n = add_settled(d.candidates, n, act.NINE_TERMINALS, z.payoffs.abort[0], NONE)
    if win != NONE:
        n = add_settled(d.candidates, n, win, worth, WIN)
    distance, table = root_shanten(v, d), d.models.table[0]
    early.note_scores(v, q, d.candidates, n, distance, d.manner[0].experts, table, d.experts, d.tables[0])
    return n


@kernel
def judge_hands(v: Any, q: Question, chances: bool, d: Desk, z: Scoring) -> int:
    """List and value discards, calls and passing; returns the number of candidates."""
    m, sp, x, out, table = d.process[0], d.space, d.values, d.candidates, d.models.table[0]
    distance, first = root_shanten(v, d), 1 if q.turn else 0
    built = distance <= d.manner[0].reach and build_largest(v, q.turn, d)
    if not built:
        begin(sp, 0, 0)
    n = list_turn(v, q, out) if q.turn else list_reaction(v, q, sp, out)
    note_risks(out, n, m, d.hand)
    if not built:
        return early.value_candidates(v, q, out, n, table, d.experts, d.tables[0])
    find_nodes(out, n, sp)
    note_all(m.let_go, sp, z, x.ready)
    if distance > d.manner[0].inclusive:
        parts.note_parts(out, n, first, table.sigma[0], m, d.part[0], sp, x)
        parts.value_candidates(v, out, n, table, m, d.regressions, sp, x)
        return n
    note_folds(m, d.hand, sp, x)
    solve(m, first, sp, x)
    inclusive.value_candidates(out, n, sp, x)
    if chances:
        note_chances(out, n, first, m, sp, x)
    return n


@kernel
def win_now(v: Any, q: Question, sp: Space, z: Scoring) -> float:
    """The worth of winning now."""
    kind = kind_of(int(v.drawn if q.turn else v.tile))
    begin(sp, 0, 0)
    hand = sp.standing[0]
    hand.low, hand.high = pack_low(v.hand), pack_high(v.hand)
    if q.turn:
        hand.low -= low_one(kind)
        hand.high -= high_one(kind)
    describe(hand, sp, z)
    w, o = z.win, z.score
    w.hand[kind] += 1
    w.win_kind, w.tsumo, w.riichi = kind, 1 if q.turn else 0, 1 if v.riichi[0] else 0
    w.dora += z.holding.dora[kind]
    score(w, z.rules, o)
    if o.yaku == 0:
        w.last_tile = 1  # the yaku comes from the circumstances of the win, each worth one han
        score(w, z.rules, o)
    return win_worth(o, 0, 0 if q.turn else int(v.actor), int(o.han), 0.0, z)


# --- answers


@kernel
def answer_in_riichi(v: Any, q: Question) -> int:
    """A kan that cannot harm the hand, while nobody else is in riichi; else the drawn tile."""
    for player in range(1, PLAYERS):
        if v.riichi[player]:
            return act.TSUMOGIRI
    for kind in range(NUM_KINDS):
        if allows(q, act.CONCEALED_KAN + kind):
            return act.CONCEALED_KAN + kind
    return act.TSUMOGIRI


@kernel
def only_answer(v: Any, q: Question) -> int:
    """The answer that needs no thought, or NONE: in riichi, and when nothing can be called."""
    if q.turn:
        return answer_in_riichi(v, q) if q.riichi else NONE
    return act.PASS if calls_nothing(q, act.OPEN_KAN) else NONE


@kernel
def plain_answer(v: Any) -> int:
    """The answer that needs no thought, or NONE: the only legal action, or a win with no reason to decline."""
    q = question_of_view(v)
    win, only = may_win(q), only_answer(v, q)
    if win == NONE:
        return only
    return win if v.riichi[0] or only != NONE else NONE


@kernel
def plain_answers(views: Any, out: Any) -> None:
    """Write the answer to each view that needs no thought, or NONE, into `out`, int64[m]."""
    for i in range(len(views)):
        out[i] = plain_answer(views[i])


@kernel
def choose(v: Any, n: int, d: Desk) -> int:
    """The best candidate's action: a win, unless it makes last place certain and declining is clearly better."""
    out, win = d.candidates, may_win(question_of_view(v))
    best = best_of(out, n)
    if win != NONE and (out[n - 1].worth > CERTAIN_LAST or out[best].worth < out[n - 1].worth + CLEARLY):
        return win
    return int(out[best].action)


@kernel
def judge_views(views: Any, payoffs: Any, chances: bool, d: Desk, out: Any) -> None:
    """Write the number of candidates of each view into `out[:, 0]` and the chosen action into `out[:, 1]`.

    int64[m, 2]; `payoffs` holds a table for each view. The models' output for the (last) view is left in the desk.
    """
    for i in range(len(views)):
        z = Scoring(d.holding[0], d.frame[0].rules, d.frame[0].win, d.frame[0].score, payoffs[i])
        out[i, 0] = judge(views[i], chances, d, z)
        out[i, 1] = choose(views[i], out[i, 0], d)


def judge_view(view: Array, payoffs: Array, chances: bool, d: Desk) -> tuple[int, int]:
    """Value all candidates of one view, VIEW_DTYPE[1]; returns their number and the chosen action.

    Three kernels instead of one, so that several processes can compile them in parallel.
    """
    models, found = d.models, np.zeros((1, 2), np.int64)
    opponents.predict_all(view, models.waiting, models.waiting_scratch, models.said)
    deal_in.predict_all(view, models.deal_in, models.deal_in_scratch, models.dealing)
    judge_views(view, payoffs, chances, d, found)
    return int(found[0, 0]), int(found[0, 1])


def answer_views(views: Array, payoffs: Array, d: Desk, out: Array) -> None:
    """Write an action for each view into `out`, int64[m]; `payoffs` holds a table for each."""
    plain_answers(views, out)
    for i in np.flatnonzero(out == NONE):
        out[i] = judge_view(views[i : i + 1], payoffs[i : i + 1], False, d)[1]
