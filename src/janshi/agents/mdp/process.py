"""The parameters of a Markov decision process: the chances of what opponents do, and the worth of every end.

All processes of the paper share one layout. M uses all of it; M_win and M_tenpai set the chances of ends that do not
concern them to zero. *Stances*: 0 without, 1 after a riichi by the player. Turns are the player's discards, counted
from now.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.tiles import NUM_KINDS
from janshi.models.labels import OPPONENTS

HORIZON: Final = 20
"""Maximum number of the player's turns looked ahead."""
STANCES: Final = 2
WIN, LOSE, OTHER, TENPAI, NOTEN = range(5)
"""Scenarios: how a hand ends for the player."""
SCENARIOS: Final = 5
SCENARIO_NAMES: Final = ("win", "lose", "other", "tenpai", "noten")

PROCESS_DTYPE: Final = record_dtype(
    [
        ("lose", np.float64, (STANCES, HORIZON + 1, NUM_KINDS)),  # chance that a discard of the kind deals in
        ("lose_worth", np.float64, (STANCES, HORIZON + 1, NUM_KINDS)),  # that chance times its worth
        ("any_lose", np.float64, (STANCES, HORIZON + 1)),  # the same for a tile drawn from the unseen ones
        ("any_lose_worth", np.float64, (STANCES, HORIZON + 1)),
        ("other_win", np.float64, (STANCES, HORIZON + 1)),  # in the go-around after a discard
        ("other_worth", np.float64, (STANCES,)),
        ("washout", np.float64, (STANCES, 2)),  # worth of a washout, noten and tenpai
        ("given", np.float64, (STANCES, OPPONENTS, NUM_KINDS)),  # chance that they discard a given unseen tile
        ("let_go", np.float64, (STANCES, OPPONENTS, NUM_KINDS)),  # the same for tiles that the player waits for
        ("fold_lose", np.float64, (NUM_KINDS,)),  # as `lose`, for a folded hand: averaged over the turns to come
        ("fold_lose_worth", np.float64, (NUM_KINDS,)),
        ("fold_share", np.float64, (HORIZON + 1,)),  # share of the dangers of folding that is still ahead
        ("fold_wise", np.float64),  # share of M_fold's dangers that a folding player cannot avoid
        ("fold_safe", np.float64),  # worth of a folded hand that does not deal in
        ("fold_noten", np.float64),  # chance that such a hand ends in a washout
        ("turns", np.int64),  # T: own discards until the wall runs out
        ("last_riichi", np.int64),  # last turn on which riichi may be declared
        ("wins", np.int8),  # whether hands may win
        ("folds", np.int8),  # whether they may fold
        ("riichi", np.int8),  # whether they may declare riichi
    ]
)
"""The parameters of a process."""


@kernel
def only_wins(m: Any, worth_not: float, turns: int, out: Any) -> None:
    """M_win: nobody else wins, nothing is lost; a hand that does not win is worth `worth_not`."""
    calm(m, turns, out)
    for stance in range(STANCES):
        out.washout[stance, 0] = out.washout[stance, 1] = worth_not
    out.wins, out.riichi = 1, m.riichi


@kernel
def only_tenpai(m: Any, turns: int, out: Any) -> None:
    """M_tenpai: the worth is the chance to be tenpai when the wall runs out."""
    calm(m, turns, out)
    for stance in range(STANCES):
        out.washout[stance, 0], out.washout[stance, 1] = 0.0, 1.0
    out.wins = out.riichi = 0


@kernel
def calm(m: Any, turns: int, out: Any) -> None:
    """Copy the opponents' discards from M, without its dangers."""
    for stance in range(STANCES):
        out.other_worth[stance] = 0.0
        for turn in range(HORIZON + 1):
            out.any_lose[stance, turn] = out.any_lose_worth[stance, turn] = out.other_win[stance, turn] = 0.0
            for kind in range(NUM_KINDS):
                out.lose[stance, turn, kind] = out.lose_worth[stance, turn, kind] = 0.0
        for other in range(OPPONENTS):
            for kind in range(NUM_KINDS):
                out.given[stance, other, kind] = m.given[stance, other, kind]
    out.turns, out.last_riichi = turns, m.last_riichi
    out.folds = 0
