"""What the ends of a hand are worth to the viewer: a table of outcomes, made once per hand and then only looked up.

An outcome is who wins, from whom and how much, or who is tenpai when the wall runs out. An outcome is worth the
viewer's expected final rank after it (`models.final_rank`; exact where the game is over), or the points won and lost.
Wins are tabulated for some base points; values between them are interpolated.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.models import final_rank
from janshi.models.amounts import AMOUNTS as AMOUNTS
from janshi.models.amounts import BASES as BASES
from janshi.rules.game import Array
from janshi.rules.riichi.payment import TENPAI_POT
from janshi.rules.riichi.points import ron_payment, tsumo_payment
from janshi.rules.riichi.ruleset import HONBA_RON, HONBA_TSUMO, STICK, Ruleset
from janshi.rules.riichi.state import NONE, PLAYERS

RANK, POINTS = "rank", "points"
PAYOFFS: Final = (RANK, POINTS)
STANCES: Final = 2
"""Without and with a riichi that the viewer has not declared yet."""
DRAWS: Final = 1 << PLAYERS
THOUSAND: Final = 1000.0
KEPT: Final = 4096
"""Number of tables kept."""

PAYOFF_DTYPE: Final = record_dtype(
    [
        ("tsumo", np.float64, (STANCES, PLAYERS, AMOUNTS)),  # winner
        ("ron", np.float64, (STANCES, PLAYERS, PLAYERS, AMOUNTS)),  # winner, loser
        ("draw", np.float64, (STANCES, DRAWS)),  # bit set of tenpai players
        ("abort", np.float64, (STANCES,)),
    ]
)
"""Worth of the outcomes; players are relative to the viewer."""
SPLITS: Final = np.cumsum([PLAYERS * AMOUNTS, PLAYERS * PLAYERS * AMOUNTS, DRAWS])
"""Where the fields end in a list of all outcomes."""


class Standing:
    """The standing of the game in a view: everything that payoffs depend on."""

    def __init__(self, view: Any) -> None:
        self.seat, self.kyoku = int(view["seat"]), int(view["kyoku"])
        self.honba, self.sticks = int(view["honba"]), int(view["sticks"])
        self.scores = np.array(view["scores"], np.int64)
        self.dealer = int(view["dealer"])

    @property
    def key(self) -> tuple[int, ...]:
        """Equal for views with equal payoffs."""
        return (self.seat, self.kyoku, self.honba, self.sticks, *self.scores.tolist())


# --- who pays whom


def tsumo_changes(winner: int, base: int, dealer: int, honba: int) -> Array:
    """Score changes of a self-drawn win, without riichi sticks, int64[4]."""
    changes = np.zeros(PLAYERS, np.int64)
    for payer in range(PLAYERS):
        if payer != winner:
            share = tsumo_payment(base, dealer in (winner, payer)) + HONBA_TSUMO * honba
            changes[payer] -= share
            changes[winner] += share
    return changes


def ron_changes(winner: int, loser: int, base: int, dealer: int, honba: int) -> Array:
    """Score changes of a win on a discard, without riichi sticks, int64[4]."""
    changes = np.zeros(PLAYERS, np.int64)
    changes[winner] = ron_payment(base, winner == dealer) + HONBA_RON * honba
    changes[loser] = -changes[winner]
    return changes


def draw_changes(tenpai: int) -> Array:
    """Score changes when the wall runs out with a bit set of players tenpai, int64[4]."""
    ready = np.array([(tenpai >> player) & 1 for player in range(PLAYERS)], np.bool_)
    changes = np.zeros(PLAYERS, np.int64)
    if 0 < ready.sum() < PLAYERS:
        changes[ready] = TENPAI_POT // ready.sum()
        changes[~ready] = -(TENPAI_POT // (~ready).sum())
    return changes


class Ends(NamedTuple):
    """Ends of a hand, one per row."""

    changes: Array
    """Score changes without riichi sticks, int64[n, 4]."""
    winner: Array
    """NONE for draws."""
    stays: Array
    """Whether the dealer stays."""
    aborted: Array


@cache
def all_ends(dealer: int, honba: int) -> Ends:
    """All tabulated ends, in the order of PAYOFF_DTYPE's fields."""
    rows: list[tuple[Array, int, bool, bool]] = []
    bases = [int(base) for base in BASES]
    for winner in range(PLAYERS):
        rows += [(tsumo_changes(winner, base, dealer, honba), winner, winner == dealer, False) for base in bases]
    for winner in range(PLAYERS):
        for loser in range(PLAYERS):
            rows += [(ron_changes(winner, loser, b, dealer, honba), winner, winner == dealer, False) for b in bases]
    rows += [(draw_changes(tenpai), NONE, bool((tenpai >> dealer) & 1), False) for tenpai in range(DRAWS)]
    rows.append((np.zeros(PLAYERS, np.int64), NONE, True, True))
    return Ends(*(np.array(column) for column in zip(*rows)))


# --- what it is worth


def end_scores(standing: Standing, ends: Ends, stance: int) -> Array:
    """The scores after each end, int64[n, 4]; with a `stance` of 1 the viewer has declared riichi in the meantime."""
    scores = standing.scores + ends.changes
    scores[:, 0] -= STICK * stance
    won = np.flatnonzero(ends.winner != NONE)
    scores[won, ends.winner[won]] += STICK * (standing.sticks + stance)
    return np.asarray(scores)


def expected_ranks(standing: Standing, ends: Ends, scores: Array, stance: int, rules: Ruleset) -> Array:
    """The viewer's expected final rank (1 to 4) after each end, float64[n]; exact where the game is over."""
    seat, won = standing.seat, ends.winner != NONE
    by_seat = np.roll(scores, seat, axis=1)
    over = games_over(by_seat, standing.kyoku, ends.stays, ends.aborted, rules)
    kyoku = standing.kyoku + ~ends.stays
    honba = np.where(won & ~ends.stays, 0, standing.honba + 1)
    sticks = np.where(won, 0, standing.sticks + stance)
    chances = final_rank.predict(by_seat, kyoku, honba, sticks, rules.rounds)[:, seat]
    expected = chances @ np.arange(1.0, PLAYERS + 1)
    mine = by_seat[:, seat : seat + 1]
    ahead = (by_seat > mine) | ((by_seat == mine) & (np.arange(PLAYERS) < seat))
    return np.where(over, 1.0 + ahead.sum(1), expected)


def games_over(scores: Array, kyoku: int | Array, stays: Array, aborted: Array, rules: Ruleset) -> Array:
    """Whether the game is over after each end, bool[n]; `scores` by seat."""
    bust: Array = (scores.min(1) < 0) & rules.bust_ends
    last = PLAYERS * rules.rounds - 1
    top = scores.argmax(1)
    reached = scores.max(1) >= rules.target_points
    stopped = reached & rules.dealer_may_stop & (top == kyoku % PLAYERS) & ~aborted
    passed = reached | (not rules.extra_round) | (kyoku >= last + PLAYERS)
    return np.asarray(bust | ((kyoku >= last) & np.where(stays, stopped, passed)))


def make_payoffs(standing: Standing, rules: Ruleset, payoff: str) -> Array:
    """The table of outcomes of a standing, PAYOFF_DTYPE[1]."""
    ends, table = all_ends(standing.dealer, standing.honba), np.zeros(1, PAYOFF_DTYPE)
    for stance in range(STANCES):
        scores = end_scores(standing, ends, stance)
        if payoff == POINTS:
            values = (scores[:, 0] - standing.scores[0]) / THOUSAND
        else:
            values = -expected_ranks(standing, ends, scores, stance, rules)
        tsumo, ron, draw, abort = np.split(values, SPLITS)
        table["tsumo"][0, stance] = tsumo.reshape(PLAYERS, AMOUNTS)
        table["ron"][0, stance] = ron.reshape(PLAYERS, PLAYERS, AMOUNTS)
        table["draw"][0, stance] = draw
        table["abort"][0, stance] = abort[0]
    return table


class PayoffTables:
    """A cache of outcome tables by standing."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self._made: dict[tuple[str | int, ...], Array] = {}

    def of_views(self, views: Array, payoff: str) -> Array:
        """The tables of views, PAYOFF_DTYPE[m]."""
        out = np.zeros(len(views), PAYOFF_DTYPE)
        for i in range(len(views)):
            standing = Standing(views[i])
            key: tuple[str | int, ...] = (payoff, *standing.key)
            table = self._made.get(key)
            if table is None:
                if len(self._made) >= KEPT:
                    self._made.clear()
                table = self._made[key] = make_payoffs(standing, self.rules, payoff)
            out[i] = table[0]
        return out


@kernel
def worth_of(row: Any, base: float) -> float:
    """The worth of a win of `base` base points, interpolated between the tabulated ones: `row` is float64[AMOUNTS]."""
    if base <= BASES[0]:
        return float(row[0])
    for i in range(1, AMOUNTS):
        if base <= BASES[i]:
            share = (base - BASES[i - 1]) / (BASES[i] - BASES[i - 1])
            return float(row[i - 1] + share * (row[i] - row[i - 1]))
    return float(row[AMOUNTS - 1])
