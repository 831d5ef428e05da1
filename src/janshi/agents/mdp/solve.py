"""Retrograde analysis: the processes are solved from their last turn backwards, over all hands of a set.

For a turn t, first come full hands: their worth is that of the best discard, by its risk and the standing hand it leads
to at t + 1 (eq. 7, 10). Then come standing hands: folding, or another player's win, or else the three opponents'
discards, each of which may be won on or called (eq. 8), then the player's draw (eq. 9). A
hand in riichi is a separate state that only waits.

Each step is one loop over flat arrays. Chances of scenarios under the best play can be followed afterwards (`follow`).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from janshi.agents.mdp.fold import Folding, fold_counts
from janshi.agents.mdp.hands import unpack
from janshi.agents.mdp.space import FULL_PER, Space
from janshi.agents.mdp.worth import READY_DTYPE
from janshi.core._jit import kernel
from janshi.models.labels import OPPONENTS

LEFT: Final = OPPONENTS - 1
"""The opponent whose discards may be called for a sequence."""
NOTHING: Final = -1e300


class Values(NamedTuple):
    """Worths of all hands of a set. Scratch space of one player."""

    ready: Any  # READY_DTYPE[limit]
    standing: Any  # float64[2, limit]: two turns, by turn modulo 2
    riichi: Any  # float64[2, limit]: after riichi, by the number of a tenpai hand
    after: Any  # float64[limit]: the better of both
    full: Any  # float64[]
    fold: Any  # float64[limit]: what folding costs
    fold_lose: Any  # float64[limit]: chance of dealing in then


def new_values(limit: int) -> Values:
    """Allocate values for `limit` standing hands."""
    return Values(
        ready=np.zeros(limit, READY_DTYPE),
        standing=np.zeros((2, limit)),
        riichi=np.zeros((2, limit)),
        after=np.zeros(limit),
        full=np.zeros(FULL_PER * limit + 1),
        fold=np.zeros(limit),
        fold_lose=np.zeros(limit),
    )


@kernel
def note_folds(m: Any, hand: Any, sp: Space, x: Values) -> None:
    """Write the cost of folding every standing hand."""
    for number in range(sp.bounds[0].standing):
        q = sp.standing[number]
        unpack(int(q.low), int(q.high), hand)
        f = fold_counts(hand, m.fold_lose, m.fold_lose_worth, m.fold_safe, int(m.turns))
        x.fold[number] = m.fold_safe - f.worth
        x.fold_lose[number] = f.lose


@kernel
def folding_of(hand: Any, m: Any, turn: int) -> Folding:
    """The result of folding a hand of counts, with the dangers from a turn on."""
    f = fold_counts(hand, m.fold_lose, m.fold_lose_worth, m.fold_safe, int(m.turns))
    share = m.fold_share[turn]
    return Folding(m.fold_safe - share * (m.fold_safe - f.worth), share * f.lose, share * f.lose_worth)


@kernel
def solve(m: Any, first: int, sp: Space, x: Values) -> None:
    """Solve a process back to turn `first`; worths of turn t lie in row t % 2.

    A call's discard leads to turn 1 even if no turn is left to those who pass: nothing follows it either.
    """
    hands = int(sp.bounds[0].standing)
    end_process(hands, m, sp.standing, x.standing[m.turns % 2], x.riichi[m.turns % 2])
    if m.turns == 0:
        end_process(hands, m, sp.standing, x.standing[1], x.riichi[1])
    for turn in range(m.turns - 1, first - 1, -1):
        step_back(hands, m, turn, sp, x)


@kernel
def step_back(hands: int, m: Any, turn: int, sp: Space, x: Values) -> None:
    """Solve one turn, given the next one."""
    now, then = turn % 2, (turn + 1) % 2
    note_after(hands, m, turn, sp.standing, x.ready, x.standing[then], x.riichi[then], x.after)
    solve_full(int(sp.bounds[0].full), sp.full, sp.discards, m.lose[0, turn], m.lose_worth[0, turn], x.after, x.full)
    if m.riichi:
        solve_riichi(hands, m, turn, sp.standing, x.ready, x.riichi[then], x.riichi[now])
    solve_draws(
        hands, m, turn, int(sp.bounds[0].unseen), sp.standing, sp.draws, x.full, x.standing[then], x.standing[now]
    )
    if m.wins:
        win_by_draw(hands, m, turn, sp.standing, x.ready, x.standing[then], x.standing[now])
    for other in range(LEFT, -1, -1):
        solve_replies(hands, m, other, sp.standing, sp.calls, x.ready, x.full, x.standing[now])
    let_others_win(hands, m, turn, x.fold, x.standing[now])


@kernel
def end_process(hands: int, m: Any, nodes: Any, standing: Any, riichi: Any) -> None:
    """Write the worth of every hand when the wall has run out."""
    for number in range(hands):
        standing[number] = m.washout[0, 1 if nodes[number].shanten == 0 else 0]
        if nodes[number].wins >= 0:
            riichi[nodes[number].wins] = m.washout[1, 1]


@kernel
def may_declare(wins: int, m: Any, turn: int, ready: Any) -> bool:
    """Whether a tenpai hand may declare riichi with the discard of a turn."""
    return wins >= 0 and m.riichi == 1 and turn <= m.last_riichi and ready[wins].may_riichi == 1


@kernel
def note_after(hands: int, m: Any, turn: int, nodes: Any, ready: Any, standing: Any, riichi: Any, after: Any) -> None:
    """Write the worth of every standing hand after the discard of a turn: with riichi if that is better."""
    for number in range(hands):
        after[number] = standing[number]
        wins = nodes[number].wins
        if may_declare(wins, m, turn, ready) and riichi[wins] > standing[number]:
            after[number] = riichi[wins]


@kernel
def solve_full(count: int, nodes: Any, edges: Any, lose: Any, lose_worth: Any, after: Any, full: Any) -> None:
    """Write the worth of all full hands at a turn: that of their best discards."""
    end = nodes[0].discards
    for number in range(count):
        begin, end = end, nodes[number + 1].discards
        best = NOTHING
        for i in range(begin, end):
            e = edges[i]
            worth = lose_worth[e.kind] + (1.0 - lose[e.kind]) * after[e.to]
            best = max(best, worth)
        full[number] = best


@kernel
def solve_riichi(hands: int, m: Any, turn: int, nodes: Any, ready: Any, then: Any, now: Any) -> None:
    """Write the worth of waiting after riichi, for all tenpai hands that may declare it."""
    other, lose, lose_worth = m.other_win[1, turn], m.any_lose[1, turn], m.any_lose_worth[1, turn]
    for number in range(hands):
        wins = nodes[number].wins
        if wins < 0 or ready[wins].may_riichi == 0:
            continue
        y = ready[wins]
        worth = y.tsumo_worth[1] + (1.0 - y.tsumo[1]) * (lose_worth + (1.0 - lose) * then[wins])
        for j in range(LEFT, -1, -1):
            worth = y.ron_worth[1, j] + (1.0 - y.ron[1, j]) * worth
        now[wins] = other * m.other_worth[1] + (1.0 - other) * worth


@kernel
def solve_draws(
    hands: int, m: Any, turn: int, unseen: int, nodes: Any, edges: Any, full: Any, then: Any, now: Any
) -> None:
    """Add the player's draw to every standing hand: a tile that leads on, or one that is discarded again."""
    lose_worth, stays = m.any_lose_worth[0, turn], 1.0 - m.any_lose[0, turn]
    end = nodes[0].draws
    for number in range(hands):
        begin, end = end, nodes[number + 1].draws
        worth, tiles = 0.0, 0
        for i in range(begin, end):
            e = edges[i]
            worth += e.left * full[e.to]
            tiles += e.left
        total = max(1, unseen - nodes[number].far)
        now[number] = (worth + (total - tiles) * (lose_worth + stays * then[number])) / total


@kernel
def win_by_draw(hands: int, m: Any, turn: int, nodes: Any, ready: Any, then: Any, now: Any) -> None:
    """Let tenpai hands win by self-draw, if that is better than declining."""
    lose_worth, stays = m.any_lose_worth[0, turn], 1.0 - m.any_lose[0, turn]
    for number in range(hands):
        wins = nodes[number].wins
        if wins >= 0:
            now[number] += max(
                0.0, ready[wins].tsumo_worth[0] - ready[wins].tsumo[0] * (lose_worth + stays * then[number])
            )


@kernel
def solve_replies(hands: int, m: Any, other: int, nodes: Any, edges: Any, ready: Any, full: Any, now: Any) -> None:
    """Let all standing hands win on an opponent's discard or call it, where that is better than passing."""
    given, left_of_us = m.given[0, other], other == LEFT
    end = nodes[0].calls
    for number in range(hands):
        begin, end = end, nodes[number + 1].calls
        worth, added = now[number], 0.0
        i = begin
        while i < end:
            kind, left, best = edges[i].kind, edges[i].left, worth
            while i < end and edges[i].kind == kind:
                if edges[i].chi == 0 or left_of_us:
                    best = max(best, full[edges[i].to])
                i += 1
            added += left * given[kind] * (best - worth)
        wins = nodes[number].wins
        if wins >= 0 and m.wins:
            added += max(0.0, ready[wins].ron_worth[0, other] - ready[wins].ron[0, other] * worth)
        now[number] = worth + added


@kernel
def let_others_win(hands: int, m: Any, turn: int, fold: Any, now: Any) -> None:
    """Account for other players' wins before, and for folding."""
    other, share = m.other_win[0, turn], m.fold_share[turn]
    for number in range(hands):
        worth = other * m.other_worth[0] + (1.0 - other) * now[number]
        if m.folds:
            worth = max(worth, m.fold_safe - share * fold[number])
        now[number] = worth
