"""The usual statistics: rates, averages and ranks of a person's hands, in total and by seat and round.

Intervals are 95 %, as in `records.stats`: Wilson's for rates; averages are ratios of sums, clustered by game.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from janshi.career.games import OwnGames
from janshi.records.stats import Estimate, Ratio, wilson

RATES: Final = {
    "win": ("wins", "hands"),
    "deal_in": ("deal_ins", "hands"),
    "riichi": ("riichis", "hands"),
    "call": ("calls", "hands"),
    "draw": ("draws", "hands"),
    "tenpai": ("tenpais", "exhaustive"),
    "tsumo": ("tsumos", "wins"),
}
"""Rates of hands: the two sums each is the quotient of."""
AVERAGES: Final = {"win_points": ("win_points", "wins"), "loss_points": ("loss_points", "deal_ins")}
"""Average win and deal-in loss by hand value, without honba and sticks."""
PLACES: Final = ("first", "second", "third", "fourth")
GAME_FIGURES: Final = ("rank", *PLACES, "bust", "points")
FIGURES: Final = (*RATES, *AVERAGES, *GAME_FIGURES)
SEATS: Final = ("seat0", "seat1", "seat2", "seat3")
"""Groups by the seat at the beginning of the game; seat 0 deals first."""
ROUNDS: Final = ("east", "south", "west")
GROUPS: Final = ("all", "dealer", "other", *ROUNDS, *SEATS)

Array = npt.NDArray[Any]


def table(games: OwnGames) -> dict[str, dict[str, Estimate]]:
    """Figures of every group that has hands."""
    found = {}
    for group, hands, whole in _groups(games):
        if hands.any():
            figures = hand_figures(games, hands)
            found[group] = figures if whole is None else figures | game_figures(games, whole)
    return found


def _groups(games: OwnGames) -> list[tuple[str, Array, Array | None]]:
    """Name, mask of hands and, for groups of whole games, mask of games."""
    hands, everything = games.hands, np.ones(len(games.hands), bool)
    seats = [(name, (games.seat == seat)[games.game], games.seat == seat) for seat, name in enumerate(SEATS)]
    rounds = [(name, hands["kyoku"] // 4 == number, None) for number, name in enumerate(ROUNDS)]
    return [
        ("all", everything, np.ones(len(games), bool)),
        ("dealer", hands["dealer"], None),
        ("other", ~hands["dealer"], None),
        *rounds,
        *seats,
    ]


def hand_figures(games: OwnGames, wanted: Array) -> dict[str, Estimate]:
    """Rates and averages of some hands."""
    hands, game = games.hands[wanted], games.game[wanted]
    sums = {
        name: np.bincount(game, hands[name].astype(np.float64), len(games))
        for name in dict.fromkeys(part for pair in (*RATES.values(), *AVERAGES.values()) for part in pair)
    }
    found = {name: wilson(float(sums[y].sum()), float(sums[n].sum())) for name, (y, n) in RATES.items()}
    played = int((np.bincount(game, minlength=len(games)) > 0).sum())
    return found | {name: ratio(sums[y], sums[n], played) for name, (y, n) in AVERAGES.items()}


def ratio(y: Array, n: Array, games: int) -> Estimate:
    """Σy / Σn over games, with its interval."""
    sums = Ratio(float(y @ y), float(y @ n), float(n @ n))
    return sums.estimate(float(y.sum()), float(n.sum()), games)


def game_figures(games: OwnGames, wanted: Array) -> dict[str, Estimate]:
    """Ranks and final points of some games."""
    known = wanted & ~np.isnan(games.rank)
    ranks, count = games.rank[known], int(known.sum())
    found = {name: wilson(float((ranks == place).sum()), count) for place, name in enumerate(PLACES, 1)}
    found["bust"] = wilson(float((games.score[known] < 0).sum()), count)
    return found | {"rank": mean(ranks), "points": mean(games.points[known])}


def mean(values: Array) -> Estimate:
    """A mean over games with its interval; values that are not known are left out."""
    known = values[~np.isnan(values)]
    return ratio(known, np.ones(len(known)), len(known))
