"""Values from scenarios (eq. 17): chances by regression on three small processes, worths by eq. (19).

Each of these processes has a single aim and so sees further than M: they say little about what will happen, but much
about what a hand may become. The chance of winning under the best play of M_win is the derivative of its worth, as in
`inclusive`.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from janshi.agents.mdp.candidates import UNKNOWN
from janshi.agents.mdp.hands import MELDS_AT, NOBODY
from janshi.agents.mdp.process import LOSE, NOTEN, OTHER, SCENARIOS, STANCES, TENPAI, WIN, only_tenpai, only_wins
from janshi.agents.mdp.solve import Values, solve
from janshi.agents.mdp.space import Space
from janshi.core._jit import kernel
from janshi.models import scenarios
from janshi.models.scenarios import COLUMNS, NUMBERS, list_columns, scenario_chances

LITTLE: Final = 1e-6
LEAST: Final = 1e-6
"""A chance below this is too small to derive a scenario's worth from."""


class Regressions(NamedTuple):
    """The scenario model and scratch space of its kernels."""

    weights: Any  # SCENARIOS_DTYPE[1]
    columns: Any  # float64[COLUMNS]
    numbers: Any  # float64[NUMBERS]


def new_regressions(form: str | None = None) -> Regressions:
    """The shipped scenario model, in its shipped form or another."""
    model = scenarios.ScenarioModel.load(form=form)
    return Regressions(model.weights, np.zeros(COLUMNS), np.zeros(NUMBERS))


def blank_regressions() -> Regressions:
    """An empty scenario model, for fitting."""
    return Regressions(np.zeros(1, scenarios.SCENARIOS_DTYPE), np.zeros(COLUMNS), np.zeros(NUMBERS))


@kernel
def part_turns(v_first: int, m: Any, sigma: float) -> int:
    """T of M_win and M_tenpai: the share of the turns left that is usually played."""
    return min(int(m.turns), v_first + max(0, int(sigma * (m.turns - v_first) + 0.5)))


@kernel
def note_parts(out: Any, n: int, first: int, sigma: float, m: Any, part: Any, sp: Space, x: Values) -> None:
    """Write the results of M_win and M_tenpai for every candidate."""
    turns = part_turns(first, m, sigma)
    only_wins(m, m.fold_safe, turns, part)
    solve(part, first, sp, x)
    for i in range(n):
        out[i].win_worth = worth_in(out[i], m.fold_safe, sp, x)
    for stance in range(STANCES):
        part.washout[stance, 0] += LITTLE
        part.washout[stance, 1] += LITTLE
    solve(part, first, sp, x)
    for i in range(n):
        richer = worth_in(out[i], m.fold_safe + LITTLE, sp, x)
        out[i].win = min(1.0, max(0.0, 1.0 - (richer - out[i].win_worth) / LITTLE))
    only_tenpai(m, turns, part)
    solve(part, first, sp, x)
    for i in range(n):
        out[i].tenpai = min(1.0, max(0.0, worth_in(out[i], 0.0, sp, x)))


@kernel
def worth_in(c: Any, otherwise: float, sp: Space, x: Values) -> float:
    """Worth of a candidate's hand in the process just solved."""
    node = int(c.node)
    if node == NOBODY:
        return otherwise
    wins = int(sp.standing[node].wins)
    if c.riichi and wins >= 0:
        return float(x.riichi[int(c.turn) % 2, wins])
    return float(x.standing[int(c.turn) % 2, node])


@kernel
def value_candidates(v: Any, out: Any, n: int, table: Any, m: Any, g: Regressions, sp: Space, x: Values) -> None:
    """Value candidates by scenarios; their parts must be noted already."""
    for i in range(n):
        c = out[i]
        if c.settled:
            continue
        if c.riichi and not can_declare(c, sp, x):
            c.worth = UNKNOWN
            continue
        predict_scenarios(v, c, table, m, g, sp)
        after = 0.0
        for scenario in range(SCENARIOS):
            after += c.chances[scenario] * scenario_worth(c, scenario, m)
        c.folds = 1 if after < c.fold_worth else 0
        after = max(after, c.fold_worth)
        c.worth = c.lose_worth + (1.0 - c.lose) * after
        for scenario in range(SCENARIOS):
            c.chances[scenario] = (1.0 - c.lose) * c.chances[scenario] + (c.lose if scenario == LOSE else 0.0)


@kernel
def can_declare(c: Any, sp: Space, x: Values) -> bool:
    """Whether a candidate's hand may declare riichi."""
    wins = int(sp.standing[c.node].wins) if c.node != NOBODY else NOBODY
    return wins >= 0 and x.ready[wins].may_riichi == 1


@kernel
def predict_scenarios(v: Any, c: Any, table: Any, m: Any, g: Regressions, sp: Space) -> None:
    """Write the chances of the scenarios after a candidate's discard."""
    distance, called = far_distance(c, sp), 0
    if c.node != NOBODY:
        called = int(sp.melds[c.high >> MELDS_AT].called)
    list_columns(v, table, c.win, c.tenpai, blunt_lose(c, m), distance, c.riichi == 1, g.columns)
    g.columns[scenarios.MELDS] += called
    scenario_chances(g.columns, g.weights[0], g.numbers, c.chances)


@kernel
def blunt_lose(c: Any, m: Any) -> float:
    """The plain chance of dealing in by M_fold: the input that the regressions were fitted on."""
    return float(c.fold_lose / m.fold_wise)


@kernel
def far_distance(c: Any, sp: Space) -> int:
    """Shanten of a candidate's hand; for hands outside the set, one more than the set allows."""
    if c.node != NOBODY:
        return int(sp.standing[c.node].shanten)
    return int(sp.bounds[0].n) + 1


@kernel
def scenario_worth(c: Any, scenario: int, m: Any) -> float:
    """The worth of a scenario to a candidate (eq. 19)."""
    stance = int(c.riichi)
    if scenario == WIN:
        return float(m.fold_safe + (c.win_worth - m.fold_safe) / c.win) if c.win > LEAST else float(m.fold_safe)
    if scenario == LOSE:
        if c.fold_lose > LEAST:
            return float(c.fold_lose_worth / c.fold_lose)
        lose = m.any_lose[stance, 1]
        return float(m.any_lose_worth[stance, 1] / lose) if lose > LEAST else float(m.other_worth[stance])
    if scenario == OTHER:
        return float(m.other_worth[stance])
    return float(m.washout[stance, 1 if scenario == TENPAI else 0]) if scenario in (TENPAI, NOTEN) else 0.0
