"""Values by the inclusive process M (eq. 16), and the chances of scenarios under its best play.

A chance is a derivative: if the worth of a scenario grows by a small amount, the worth of a decision grows by that
amount times the chance that the scenario happens under the best play. So M is solved once more for every scenario, with
that scenario worth slightly more.
"""

from __future__ import annotations

from typing import Any, Final

from janshi.agents.mdp.candidates import UNKNOWN
from janshi.agents.mdp.hands import NOBODY
from janshi.agents.mdp.process import HORIZON, LOSE, NOTEN, OTHER, SCENARIOS, STANCES, TENPAI, WIN
from janshi.agents.mdp.solve import Values, solve
from janshi.agents.mdp.space import Space
from janshi.core._jit import kernel
from janshi.core.tiles import NUM_KINDS
from janshi.models.labels import OPPONENTS

LITTLE: Final = 1e-6


@kernel
def value_candidates(out: Any, n: int, sp: Space, x: Values) -> None:
    """Value candidates after M is solved."""
    for i in range(n):
        c = out[i]
        if c.settled:
            continue
        after = worth_after(c, c.fold_worth, sp, x)
        if after == UNKNOWN:
            c.worth = UNKNOWN
            continue
        c.folds = 1 if c.riichi == 0 and after <= c.fold_worth + 1e-12 else 0
        c.worth = c.lose_worth + (1.0 - c.lose) * after


@kernel
def worth_after(c: Any, fold_worth: float, sp: Space, x: Values) -> float:
    """Worth of the standing hand that a candidate leads to; UNKNOWN for an impossible riichi."""
    now, node = int(c.turn) % 2, int(c.node)
    if c.riichi:
        wins = int(sp.standing[node].wins) if node != NOBODY else NOBODY
        if wins < 0 or x.ready[wins].may_riichi == 0:
            return UNKNOWN
        return float(x.riichi[now, wins])
    if node == NOBODY:
        return fold_worth
    return max(fold_worth, float(x.standing[now, node]))


# --- chances


@kernel
def note_chances(out: Any, n: int, first: int, m: Any, sp: Space, x: Values) -> None:
    """Write the chances of scenarios after every candidate, valued beforehand. M is restored at the end."""
    for scenario in range(SCENARIOS):
        enrich(scenario, LITTLE, m, sp, x)
        solve(m, first, sp, x)
        for i in range(n):
            c = out[i]
            if c.settled or c.worth == UNKNOWN:
                continue
            fold_worth = c.fold_worth + LITTLE * fold_chance(c, scenario, m)
            after = worth_after(c, fold_worth, sp, x)
            risk = c.lose_worth + (LITTLE * c.lose if scenario == LOSE else 0.0)
            c.chances[scenario] = (risk + (1.0 - c.lose) * after - c.worth) / LITTLE
        enrich(scenario, -LITTLE, m, sp, x)


@kernel
def fold_chance(c: Any, scenario: int, m: Any) -> float:
    """Chance of a scenario when a candidate's hand is folded."""
    if scenario == LOSE:
        return float(c.fold_lose)
    if scenario == OTHER:
        return float((1.0 - m.fold_noten) * (1.0 - c.fold_lose))
    return float(m.fold_noten * (1.0 - c.fold_lose)) if scenario == NOTEN else 0.0


@kernel
def enrich(scenario: int, by: float, m: Any, sp: Space, x: Values) -> None:
    """Raise the worth of a scenario by `by`, in a process and in the values it is solved on."""
    hands = int(sp.bounds[0].standing)
    if scenario == WIN:
        enrich_wins(hands, by, sp.standing, x.ready)
        return
    for stance in range(STANCES):
        if scenario == OTHER:
            m.other_worth[stance] += by
        elif scenario == TENPAI:
            m.washout[stance, 1] += by
        elif scenario == NOTEN:
            m.washout[stance, 0] += by
        elif scenario == LOSE:
            for turn in range(HORIZON + 1):
                m.any_lose_worth[stance, turn] += by * m.any_lose[stance, turn]
                for kind in range(NUM_KINDS):
                    m.lose_worth[stance, turn, kind] += by * m.lose[stance, turn, kind]
    share = (m.fold_noten if scenario == NOTEN else 1.0 - m.fold_noten) if scenario in (OTHER, NOTEN) else 0.0
    m.fold_safe += by * share
    cost = by * (share - (1.0 if scenario == LOSE else 0.0))
    for number in range(hands):
        x.fold[number] += cost * x.fold_lose[number]


@kernel
def enrich_wins(hands: int, by: float, nodes: Any, ready: Any) -> None:
    """Raise the worth of all wins by `by`."""
    for number in range(hands):
        if nodes[number].wins < 0:
            continue
        y = ready[nodes[number].wins]
        for stance in range(STANCES):
            y.tsumo_worth[stance] += by * y.tsumo[stance]
            for other in range(OPPONENTS):
                y.ron_worth[stance, other] += by * y.ron[stance, other]
