"""What is at stake in a hand: the viewer's expected final rank after each way it may end.

A hand may end with a self-drawn win by any player, a draw, or a win by any player from any other. Wins are of a
typical size. The expected final rank afterwards comes from the final rank model, or is exact if the game is over. In a
decided game nothing is at stake.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np

from janshi.agents.payoffs import Ends, Standing, draw_changes, end_scores, expected_ranks, ron_changes, tsumo_changes
from janshi.rules.game import Array
from janshi.rules.riichi.ruleset import Ruleset
from janshi.rules.riichi.state import NONE, PLAYERS

TYPICAL_BASE: Final = 1280
"""Base points of a typical win: 5,200 points from the discarder, or 7,700 for a dealer's win."""
DRAW_END: Final = PLAYERS
FIRST_RON_END: Final = 2 * PLAYERS
NUM_ENDS: Final = FIRST_RON_END + PLAYERS * (PLAYERS - 1)
"""Ends are numbered as in the network's output `ends`; the three numbers after the draw are unused."""
OWN_WINS: Final = np.array([0, *range(FIRST_RON_END, FIRST_RON_END + PLAYERS - 1)])
OWN_LOSSES: Final = np.array([FIRST_RON_END + winner * (PLAYERS - 1) + PLAYERS - 1 - winner for winner in (1, 2, 3)])
"""Each opponent's wins from the viewer."""


def chances_of_ends(ends: Array) -> list[dict[str, float]]:
    """How hands end for the viewer, from the network's output `ends`, float[m, 20]; see `Explanation.ends`."""
    shares = ends / ends.sum(1, keepdims=True)
    win, lose, draw = shares[:, OWN_WINS].sum(1), shares[:, OWN_LOSSES].sum(1), shares[:, DRAW_END]
    rows = np.stack([win, lose, draw, 1.0 - win - lose - draw], 1)
    return [dict(zip(("win", "lose", "draw", "other"), map(float, row))) for row in rows]


class Stakes(NamedTuple):
    """What is at stake for the viewer, in places, one row per position."""

    spread: Array
    """float64[m]: the standard deviation of the expected final rank over the ends, weighted by the network's
    chances."""
    win: Array
    """float64[m]: the gain of a win over a draw."""
    deal_in: Array
    """float64[m]: the cost of dealing in, compared with a draw."""


def stakes(views: Array, chances: Array, rules: Ruleset) -> Stakes:
    """The stakes of positions: views (or any records with their standings), and the chance of each end, [m, 20]."""
    worths = worths_of_ends(views, rules)
    weights = chances / chances.sum(1, keepdims=True)
    mean = (weights * worths).sum(1, keepdims=True)
    spread = np.sqrt((weights * (worths - mean) ** 2).sum(1))
    drawn = worths[:, DRAW_END]
    win, lost = worths[:, OWN_WINS].mean(1) - drawn, drawn - worths[:, OWN_LOSSES].mean(1)
    return Stakes(spread, np.maximum(win, 0.0), np.maximum(lost, 0.0))


def worths_of_ends(views: Array, rules: Ruleset) -> Array:
    """Minus the viewer's expected final rank after each end, float64[m, 20]."""
    standings = [Standing(view) for view in views]
    rows = {standing.key: standing for standing in standings}
    made = {key: _worths(standing, rules) for key, standing in rows.items()}
    return np.array([made[standing.key] for standing in standings]).reshape(-1, NUM_ENDS)


def _worths(standing: Standing, rules: Ruleset) -> Array:
    ends = typical_ends(standing.dealer, standing.honba)
    return -expected_ranks(standing, ends, end_scores(standing, ends, 0), 0, rules)


@cache
def typical_ends(dealer: int, honba: int) -> Ends:
    """The ends of a hand in the order of the network's output; players are counted from the viewer."""
    rows: list[tuple[Array, int]] = [
        (tsumo_changes(winner, TYPICAL_BASE, dealer, honba), winner) for winner in range(PLAYERS)
    ]
    rows += [(draw_changes(0), NONE)] * (FIRST_RON_END - DRAW_END)
    for winner in range(PLAYERS):
        for step in range(1, PLAYERS):
            rows.append((ron_changes(winner, (winner + step) % PLAYERS, TYPICAL_BASE, dealer, honba), winner))
    changes, winners = zip(*rows)
    by = np.array(winners)
    return Ends(np.array(changes), by, by == dealer, np.zeros(len(rows), np.bool_))
