"""The candidates of a decision: discards, riichi, calls with a discard, passing.

A candidate has the risk of its discard (eq. 4) and leads to a standing hand. `kans` and `decide` add kans and wins.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.agents.mdp.hands import MELDS_AT, NOBODY, find, high_one, low_one, pack_high, pack_low, unpack
from janshi.agents.mdp.melds import PON_CODE, with_meld
from janshi.agents.mdp.process import SCENARIOS
from janshi.agents.mdp.solve import folding_of
from janshi.agents.mdp.space import Space
from janshi.agents.offers import has_red_form
from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.tiles import EAST, NUM_KINDS, RANKS
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.concealed import kind_of
from janshi.rules.riichi.policies import Question, allows, discard_action, discardable
from janshi.rules.riichi.state import NONE

MOST: Final = 128
"""Maximum number of candidates of a decision."""
UNKNOWN: Final = -1e9
"""Worth of a candidate that is out of the question."""

CANDIDATE_DTYPE: Final = record_dtype(
    [
        ("worth", np.float64),
        ("score", np.float64),  # decides the choice: the worth, plus the experts' view of the discard
        ("chances", np.float64, (SCENARIOS,)),
        ("low", np.int64),  # the standing hand it leads to
        ("high", np.int64),
        ("action", np.int64),
        ("node", np.int64),  # its number in the set, or NOBODY
        ("lose", np.float64),  # chance that its discard deals in at once
        ("lose_worth", np.float64),  # that chance times its worth
        ("fold_worth", np.float64),  # worth of folding after it
        ("fold_lose", np.float64),  # chance of dealing in then (M_fold)
        ("fold_lose_worth", np.float64),
        ("win", np.float64),  # chance of winning (M_win)
        ("win_worth", np.float64),  # worth of M_win
        ("tenpai", np.float64),  # chance of being tenpai at the end (M_tenpai)
        ("turn", np.int8),  # 1 after a discard, 0 after a pass
        ("kind", np.int8),  # discarded
        ("riichi", np.int8),
        ("folds", np.int8),  # whether folding is best after it
        ("settled", np.int8),  # whether its worth is already known
    ]
)
"""An action, where it leads and what it is worth."""


@kernel
def add_candidate(out: Any, n: int, action: int, kind: int, low: int, high: int, turn: int, riichi: int) -> int:
    """Add a candidate; returns the new number of candidates."""
    if n >= MOST:
        return n
    c = out[n]
    c.action, c.kind, c.low, c.high, c.turn, c.riichi = action, kind, low, high, turn, riichi
    c.node, c.folds, c.settled, c.worth = NOBODY, 0, 0, UNKNOWN
    c.lose = c.lose_worth = c.fold_worth = c.fold_lose = c.fold_lose_worth = 0.0
    c.win = c.win_worth = c.tenpai = 0.0
    for z in range(SCENARIOS):
        c.chances[z] = 0.0
    return n + 1


@kernel
def add_settled(out: Any, n: int, action: int, worth: float, scenario: int) -> int:
    """Add a candidate whose worth is known; returns the new number of candidates."""
    n = add_candidate(out, n, action, NONE, 0, 0, 0, 0)
    out[n - 1].worth, out[n - 1].settled = worth, 1
    if scenario != NONE:
        out[n - 1].chances[scenario] = 1.0
    return n


@kernel
def list_turn(v: Any, q: Question, out: Any) -> int:
    """List the discards on the player's turn, with and without riichi; returns the number of candidates."""
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
def list_reaction(v: Any, q: Question, sp: Space, out: Any) -> int:
    """List passing and the calls that stay in the set, with their discards; returns the number of candidates."""
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
    """List the discards after a call; returns the number of candidates."""
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


@kernel
def find_nodes(out: Any, n: int, sp: Space) -> None:
    """Look up the candidates' hands in the set."""
    for i in range(n):
        if out[i].settled == 0:
            out[i].node = sp.standing_table[find(sp.standing, sp.standing_table, out[i].low, out[i].high)]


@kernel
def note_risks(out: Any, n: int, m: Any, hand: Any) -> None:
    """Note the immediate risk of the candidates' discards, and the worth of folding after them."""
    for i in range(n):
        c = out[i]
        if c.settled:
            continue
        if c.kind != NONE:
            c.lose, c.lose_worth = m.lose[c.riichi, 0, c.kind], m.lose_worth[c.riichi, 0, c.kind]
        unpack(c.low, c.high, hand)
        f = folding_of(hand, m, int(c.turn))
        c.fold_worth, c.fold_lose, c.fold_lose_worth = f.worth, f.lose, f.lose_worth


@kernel
def best_of(out: Any, n: int) -> int:
    """The candidate with the highest score."""
    best = 0
    for i in range(1, n):
        if out[i].score > out[best].score:
            best = i
    return best
