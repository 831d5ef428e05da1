"""What the ends of a hand are worth to the viewer: a table of outcomes, made once a hand and only looked up later.

An outcome is who wins, from whom and how much, or who is tenpai when the wall runs out. The worth of what follows is
the viewer's expected final rank (`models.final_rank`; exact where the game is over), or the points won and lost. Wins
are tabled for some base points; what lies between is interpolated.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.core._jit import kernel
from janshi.core.records import record_dtype
from janshi.models import final_rank
from janshi.rules.game import Array
from janshi.rules.riichi.payment import HONBA_EACH, STICK, TENPAI_POT
from janshi.rules.riichi.points import ron_payment, tsumo_payment
from janshi.rules.riichi.ruleset import Ruleset
from janshi.rules.riichi.state import PLAYERS

RANK, POINTS = "rank", "points"
PAYOFFS: Final = (RANK, POINTS)
BASES: Final = np.array([240, 400, 640, 960, 1280, 1920, 2000, 3000, 4000, 6000, 8000, 16000], np.float64)
"""Base points that wins are tabled for."""
AMOUNTS: Final = len(BASES)
STANCES: Final = 2
"""Without and with a riichi of the viewer that is not declared yet."""
DRAWS: Final = 1 << PLAYERS
THOUSAND: Final = 1000.0

PAYOFF_DTYPE: Final = record_dtype(
    [
        ("tsumo", np.float64, (STANCES, PLAYERS, AMOUNTS)),  # winner
        ("ron", np.float64, (STANCES, PLAYERS, PLAYERS, AMOUNTS)),  # winner, loser
        ("draw", np.float64, (STANCES, DRAWS)),  # bit set of the tenpai
        ("abort", np.float64, (STANCES,)),
    ]
)
"""Worth of the outcomes; players are relative to the viewer."""


class Standing:
    """How the game stands in a view: all that payoffs depend on."""

    def __init__(self, view: Any) -> None:
        self.seat, self.kyoku = int(view["seat"]), int(view["kyoku"])
        self.honba, self.sticks = int(view["honba"]), int(view["sticks"])
        self.scores = np.array(view["scores"], np.int64)
        self.dealer = int(view["dealer"])

    @property
    def key(self) -> tuple[int, ...]:
        """Equal for views with equal payoffs."""
        return (self.seat, self.kyoku, self.honba, self.sticks, *self.scores.tolist())


class Outcomes:
    """Ends of a hand, collected to be valued together."""

    def __init__(self, standing: Standing) -> None:
        self.standing = standing
        self.scores: list[Array] = []
        self.sticks: list[int] = []
        self.stays: list[bool] = []
        self.won: list[bool] = []
        self.aborted: list[bool] = []

    def add(self, changes: Array, stance: int, won: bool, stays: bool, aborted: bool = False) -> None:
        """Add an end with these changes of scores; the viewer's stick of a riichi to come is taken off."""
        scores = self.standing.scores + changes
        scores[0] -= STICK * stance
        self.scores.append(scores)
        self.sticks.append(0 if won else self.standing.sticks + stance)
        self.stays.append(stays)
        self.won.append(won)
        self.aborted.append(aborted)

    def add_tsumo(self, winner: int, base: int, stance: int) -> None:
        """Add a win by self-draw."""
        dealer, honba = self.standing.dealer, self.standing.honba
        changes = np.zeros(PLAYERS, np.int64)
        for payer in range(PLAYERS):
            if payer != winner:
                share = tsumo_payment(base, dealer in (winner, payer)) + HONBA_EACH * honba
                changes[payer] -= share
                changes[winner] += share
        changes[winner] += STICK * (self.standing.sticks + stance)
        self.add(changes, stance, True, winner == dealer)

    def add_ron(self, winner: int, loser: int, base: int, stance: int) -> None:
        """Add a win on another's discard."""
        dealer, honba = self.standing.dealer, self.standing.honba
        changes = np.zeros(PLAYERS, np.int64)
        paid = ron_payment(base, winner == dealer) + 3 * HONBA_EACH * honba
        changes[loser] -= paid
        changes[winner] += paid + STICK * (self.standing.sticks + stance)
        self.add(changes, stance, True, winner == dealer)

    def add_draw(self, tenpai: int, stance: int) -> None:
        """Add an exhaustive draw with these players tenpai."""
        ready = np.array([(tenpai >> player) & 1 for player in range(PLAYERS)], np.bool_)
        changes = np.zeros(PLAYERS, np.int64)
        if 0 < ready.sum() < PLAYERS:
            changes[ready] = TENPAI_POT // ready.sum()
            changes[~ready] = -(TENPAI_POT // (~ready).sum())
        self.add(changes, stance, False, bool(ready[self.standing.dealer]))

    def values(self, rules: Ruleset, payoff: str) -> Array:
        """The worth of all ends to the viewer, float64[n]."""
        scores = np.array(self.scores)
        if payoff == POINTS:
            return np.asarray((scores[:, 0] - self.standing.scores[0]) / THOUSAND)
        return -expected_ranks(self, scores, rules)


def expected_ranks(outcomes: Outcomes, scores: Array, rules: Ruleset) -> Array:
    """The viewer's expected final rank (1 to 4) after each end, float64[n]; exact where the game is over."""
    standing = outcomes.standing
    seat = standing.seat
    by_seat = np.roll(scores, seat, axis=1)
    stays, won, aborted = (np.array(x) for x in (outcomes.stays, outcomes.won, outcomes.aborted))
    sticks = np.array(outcomes.sticks)
    over = games_over(by_seat, standing.kyoku, stays, aborted, rules)
    kyoku = standing.kyoku + ~stays
    honba = np.where(won & ~stays, 0, standing.honba + 1)
    chances = final_rank.predict(by_seat, kyoku, honba, sticks, rules.rounds)[:, seat]
    expected = chances @ np.arange(1.0, PLAYERS + 1)
    mine = by_seat[:, seat : seat + 1]
    ahead = (by_seat > mine) | ((by_seat == mine) & (np.arange(PLAYERS) < seat))
    return np.where(over, 1.0 + ahead.sum(1), expected)


def games_over(scores: Array, kyoku: int, stays: Array, aborted: Array, rules: Ruleset) -> Array:
    """Whether the game is over after each end, bool[n]; `scores` by seat."""
    bust: Array = (scores.min(1) < 0) & rules.bust_ends
    last = PLAYERS * rules.rounds - 1
    if kyoku < last:
        return bust
    top = scores.argmax(1)
    reached = scores.max(1) >= rules.target_points
    stopped = reached & rules.dealer_may_stop & (top == kyoku % PLAYERS) & ~aborted
    passed = reached | (not rules.extra_round) | (kyoku >= last + PLAYERS)
    return np.asarray(bust | np.where(stays, stopped, passed))


def make_payoffs(standing: Standing, rules: Ruleset, payoff: str) -> Array:
    """The table of outcomes of a standing, PAYOFF_DTYPE[1]."""
    outcomes = Outcomes(standing)
    for stance in range(STANCES):
        for winner in range(PLAYERS):
            for base in BASES.astype(int).tolist():
                outcomes.add_tsumo(winner, base, stance)
                for loser in range(PLAYERS):
                    if loser != winner:
                        outcomes.add_ron(winner, loser, base, stance)
        for tenpai in range(DRAWS):
            outcomes.add_draw(tenpai, stance)
        outcomes.add(np.zeros(PLAYERS, np.int64), stance, False, True, aborted=True)
    return _fill(outcomes.values(rules, payoff))


def _fill(values: Array) -> Array:
    """Lay values out in the order in which `make_payoffs` asked for them."""
    table, following = np.zeros(1, PAYOFF_DTYPE), iter(values.tolist())
    for stance in range(STANCES):
        for winner in range(PLAYERS):
            for amount in range(AMOUNTS):
                table["tsumo"][0, stance, winner, amount] = next(following)
                for loser in range(PLAYERS):
                    if loser != winner:
                        table["ron"][0, stance, winner, loser, amount] = next(following)
        for tenpai in range(DRAWS):
            table["draw"][0, stance, tenpai] = next(following)
        table["abort"][0, stance] = next(following)
    return table


@kernel
def worth_of(row: Any, base: float) -> float:
    """The worth of a win of so many base points, between the tabled ones: `row` is float64[AMOUNTS]."""
    if base <= BASES[0]:
        return float(row[0])
    for i in range(1, AMOUNTS):
        if base <= BASES[i]:
            share = (base - BASES[i - 1]) / (BASES[i] - BASES[i - 1])
            return float(row[i - 1] + share * (row[i] - row[i - 1]))
    return float(row[AMOUNTS - 1])
