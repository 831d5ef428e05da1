"""Habits: kinds of hands in which a person does significantly worse, or better, than houou players.

The worth of a hand is how much it changed the expected final rank; without its luck, what remains is the play of the
person and the opponents. For each kind of hand (an early cheap call, a late riichi, a push far from tenpai …), its
mean is compared with that of houou players in the same kind of hand, with the same value function. Hands of one kind
still differ in ways that luck does not explain, but that is true for houou players as well; so the comparison is with
them rather than with zero.

A habit is shown only if the difference is significant at 5 % after a correction for the number of kinds (Bonferroni).
Its cost is the difference times how often the person has such a hand in a game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from janshi.career.figures import ratio
from janshi.career.games import OwnGames
from janshi.career.hands import NEVER
from janshi.luck.types import PLACES
from janshi.records.stats import Z

EARLY: Final = 6
"""The last turn that counts as early."""
LATE: Final = 12
"""The first turn that counts as late."""
CHEAP: Final = 1
"""A hand with at most this many dora and red fives is cheap."""
LEAST_HANDS: Final = 50
LEAST_GAMES: Final = 30
LEVEL: Final = 0.95

Array = npt.NDArray[Any]
Kind = Callable[[Array], Array]

KINDS: Final[dict[str, Kind]] = {
    "riichi_early": lambda h: (h["riichi_turn"] > NEVER) & (h["riichi_turn"] <= EARLY),
    "riichi_middle": lambda h: (h["riichi_turn"] > EARLY) & (h["riichi_turn"] < LATE),
    "riichi_late": lambda h: h["riichi_turn"] >= LATE,
    "call_early_cheap": lambda h: _called_early(h) & (h["call_dora"] <= CHEAP),
    "call_early_dear": lambda h: _called_early(h) & (h["call_dora"] > CHEAP),
    "call_later": lambda h: h["call_turn"] > EARLY,
    "closed": lambda h: (h["call_turn"] == NEVER) & (h["riichi_turn"] == NEVER),
    "fold": lambda h: h["faced"] & (h["pushes"] == 0),
    "push_tenpai": lambda h: (h["pushes"] > 0) & (h["push_shanten"] <= 0),
    "push_one_away": lambda h: (h["pushes"] > 0) & (h["push_shanten"] == 1),
    "push_far": lambda h: (h["pushes"] > 0) & (h["push_shanten"] >= 2),
    "dealer": lambda h: h["dealer"],
}
"""Kinds of hands, as masks over HAND_DTYPE; a hand may be of several."""


def _called_early(hands: Array) -> Array:
    return np.asarray((hands["call_turn"] > NEVER) & (hands["call_turn"] <= EARLY))


@dataclass(frozen=True, slots=True)
class Worth:
    """The mean worth of a kind of hand without luck, in places a hand, positive if it gained."""

    value: float
    error: float
    """Standard error, clustered by game."""
    hands: int
    share: float
    """Share of all hands."""


@dataclass(frozen=True, slots=True)
class Habit:
    """A kind of hand, the person's and houou players' worth of it, and what the difference costs."""

    kind: str
    hands: int
    share: float
    houou_share: float
    worth: float
    houou_worth: float
    difference: float
    low: float
    high: float
    """Interval of the difference, corrected for the number of kinds."""
    cost: float
    """Places a game that the difference costs; negative if it gains."""
    cost_low: float
    cost_high: float
    significant: bool


def worths(games: OwnGames) -> dict[str, Worth]:
    """The worth of every kind of hand in games whose luck is known."""
    known = games.measured()
    part = games.pick(known)
    if not len(part):
        return {}
    worth = part.luck["gain"][:, PLACES] - part.luck["luck"][:, :, PLACES].sum(1)
    found = {}
    for name, kind in KINDS.items():
        wanted = kind(part.hands)
        game = part.game[wanted]
        sizes = np.bincount(game, minlength=len(part)).astype(np.float64)
        if wanted.sum() < LEAST_HANDS or (sizes > 0).sum() < LEAST_GAMES:
            continue
        sums = np.bincount(game, worth[wanted].astype(np.float64), len(part))
        estimate = ratio(sums, sizes, int((sizes > 0).sum()))
        error = (estimate.high - estimate.low) / (2 * Z)
        found[name] = Worth(estimate.value, error, int(wanted.sum()), float(wanted.mean()))
    return found


def habits(games: OwnGames, houou: Mapping[str, Worth]) -> list[Habit]:
    """All kinds of hands that can be compared, the costliest first."""
    own = worths(games)
    both = [name for name in KINDS if name in own and name in houou]
    if not both:
        return []
    z = NormalDist().inv_cdf(1 - (1 - LEVEL) / 2 / len(both))
    measured = games.measured()
    per_game = float(measured[games.game].sum()) / max(int(measured.sum()), 1)
    return sorted((_compare(name, own[name], houou[name], z, per_game) for name in both), key=lambda one: -one.cost)


def _compare(name: str, own: Worth, houou: Worth, z: float, hands_per_game: float) -> Habit:
    difference = own.value - houou.value
    reach = z * sqrt(own.error**2 + houou.error**2)
    often = own.share * hands_per_game
    low, high = difference - reach, difference + reach
    return Habit(
        *(name, own.hands, own.share, houou.share, own.value, houou.value, difference, low, high),
        *(-difference * often, -high * often, -low * often, low > 0 or high < 0),
    )
