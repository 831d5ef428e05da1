"""Table rates: what the other players do while a player develops a hand (Kurita & Hoki 2021, Sec. VI-C).

For one view, `note_rates` writes what the Markov decision processes of a hand need to know about the opponents: who is
tenpai now and in the next turns, the chance that one of them wins in a go-around (not from the viewer), who and for
how much, what they discard, and how much of the hand will be played. It starts from the waiting model's probabilities
and recalibrates them by the number of melds and discards.

A *go-around* lasts from a discard of the viewer to the viewer's next turn.

>>> from janshi.models.table_rates.model import TableRates
>>> TableRates.load().weights.dtype.names[:3]
('calibration', 'become', 'stay')
"""

from __future__ import annotations

from functools import cache
from math import exp, log
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.core.tiles import NUM_KINDS
from janshi.features.opponent import CLOSED_STANCE, NO_FLUSH, RIICHI_STANCE, new_reading, read_opponent
from janshi.models.amounts import AMOUNTS
from janshi.models.labels import OPPONENTS
from janshi.models.linear import logistic, softmax
from janshi.models.store import load
from janshi.models.table_rates import discards
from janshi.models.table_rates.discards import (
    DECLARED,
    NOW,
    SIGHT_DTYPE,
    STANCES,
    TILE_GROUPS,
    WAITED,
    chances_of,
    group_of,
    look_around,
    note_viewer,
    waiter_of,
)
from janshi.models.waiting import WaitingModel
from janshi.rules.riichi.state import PLAYERS

NAME: Final = "table_rates"
VERSION: Final = 1
"""Changes whenever the meaning of a weight changes."""

HORIZON: Final = 20
"""Turns that rates look ahead."""
MELD_ROWS: Final = 4
TURN_ROWS: Final = 20
LEVELS: Final = 4
BASE_CLASSES: Final = 3 * 2 * LEVELS * 2
INDICATOR_ROWS: Final = 6
THREATS: Final = 2
"""Whether somebody other than a player is in riichi."""
URA_COUNTS: Final = 5
"""0 to 3 ura-dora, and 4 or more."""
SURE: Final = 1e-6
"""Minimum distance of probabilities from 0 and 1 before taking log-odds."""

LAST_TURN: Final = 17
OTHER_WIN, SIGMA, WINNER, TSUMO = LAST_TURN + 20, 12, 7, 7
"""Numbers of features of the regressions."""

TABLE_RATES_DTYPE: Final = record_dtype(
    [
        ("calibration", np.float32, (MELD_ROWS, TURN_ROWS, 2)),  # of the waiting model's log-odds: offset, factor
        ("become", np.float32, (THREATS, MELD_ROWS, TURN_ROWS, HORIZON)),  # tenpai some discards later, if not now
        ("stay", np.float32, (THREATS, MELD_ROWS, TURN_ROWS, HORIZON)),  # the same of players tenpai without riichi
        ("declares", np.float32, (THREATS, TURN_ROWS)),  # riichi, of closed hands that become tenpai
        ("other_win", np.float32, (OTHER_WIN,)),
        ("sigma", np.float32, (SIGMA,)),
        ("winner", np.float32, (WINNER,)),
        ("tsumo", np.float32, (TSUMO,)),
        ("base", np.float32, (BASE_CLASSES, AMOUNTS)),
        ("discards", np.float32, (discards.LAYOUT.size,)),
        ("ura", np.float32, (INDICATOR_ROWS, URA_COUNTS)),  # number of ura-dora, by that of indicators (1 to 5)
    ]
)
"""The fitted numbers, as kernels take them. All are float32, so that they are one list of numbers on disk."""
SIZE: Final = TABLE_RATES_DTYPE.itemsize // 4

RATES_DTYPE: Final = record_dtype(
    [
        ("tenpai", np.float32, (OPPONENTS,)),  # now; 1 in riichi
        ("ahead", np.float32, (OPPONENTS, HORIZON)),  # after some more of their discards; 0 is now
        ("ahead_declared", np.float32, (OPPONENTS, HORIZON)),  # the same if the viewer declares riichi
        ("any_tenpai", np.float32),  # at least one of those not in riichi
        ("other_win", np.float32, (STANCES, HORIZON)),  # in the go-around after the viewer's next discard but t
        ("discards", np.float32, (STANCES, OPPONENTS, NUM_KINDS)),  # in one turn of theirs
        ("waited", np.float32, (STANCES, NUM_KINDS)),  # factor on that for kinds a tenpai viewer waits for
        ("sigma", np.float32, (STANCES,)),  # share of the remaining discards that is played, if the viewer does not win
        ("winner", np.float32, (OPPONENTS,)),  # if another player wins, and not from the viewer
        ("tsumo", np.float32, (OPPONENTS,)),  # if this one does
        ("base", np.float32, (OPPONENTS, AMOUNTS)),  # base points of that, over BASES
        ("riichi", np.int8),  # number of opponents in riichi
        ("turns_left", np.int8),  # discards of the viewer after the next one, if nobody calls: T_max
        ("declared", np.int8),  # the viewer is in riichi: both stances are the same
    ]
)
"""The rates for one view."""


class Scratch(NamedTuple):
    """Scratch space of the kernels. Not shared between threads."""

    reading: Any  # READING_DTYPE[1]
    sights: Any  # SIGHT_DTYPE[2]
    features: Any  # int32[discards.MOST]
    numbers: Any  # float64[OTHER_WIN]


def new_scratch() -> Scratch:
    """Make scratch space for `note_rates`."""
    return Scratch(
        new_reading(), np.zeros(STANCES, SIGHT_DTYPE), np.zeros(discards.MOST, np.int32), np.zeros(OTHER_WIN)
    )


class TableRates:
    """The rates of the table."""

    def __init__(self, weights: npt.NDArray[Any], card: dict[str, Any] | None = None) -> None:
        self.weights = weights
        """For kernels: TABLE_RATES_DTYPE[1]."""
        self.card = card or {}

    @classmethod
    def load(cls, path: Path | None = None) -> Self:
        """Read the fitted numbers: the shipped ones, or those in a file."""
        arrays, card = load(NAME, path, VERSION, SIZE)
        weights = np.zeros(1, TABLE_RATES_DTYPE)
        weights.view(np.float32)[:] = arrays["weights"]
        return cls(weights, card)

    def predict(self, views: npt.NDArray[Any], said_waiting: npt.NDArray[np.float32] | None = None) -> npt.NDArray[Any]:
        """The rates of many views, RATES_DTYPE[m]; `said_waiting` float32[m, 3] is the waiting model's output."""
        said = WaitingModel.load().predict(views) if said_waiting is None else said_waiting
        out = np.zeros(len(views), RATES_DTYPE)
        note_all_rates(views, said, self.weights, new_scratch(), out)
        return out


@cache
def shipped() -> TableRates:
    """The shipped rates, loaded once."""
    return TableRates.load()


@kernel
def note_all_rates(views: Any, said_waiting: Any, weights: Any, scratch: Scratch, out: Any) -> None:
    """Write the rates of many views into RATES_DTYPE[m]."""
    for i in range(len(views)):
        note_rates(views[i], said_waiting[i], weights[0], scratch, out[i])


@kernel
def note_rates(v: Any, said_waiting: Any, weights: Any, scratch: Scratch, out: Any) -> None:
    """Write the rates of one view of a player in turn.

    A record of VIEW_DTYPE, the waiting model's float32[3], records of TABLE_RATES_DTYPE and RATES_DTYPE.
    """
    r, sights = scratch.reading[0], scratch.sights
    look_around(v, NOW, r, sights[NOW])
    for player in range(PLAYERS):
        sights[DECLARED].safe[player], sights[DECLARED].threat[player] = (
            sights[NOW].safe[player],
            sights[NOW].threat[player],
        )
    note_viewer(v, DECLARED, sights[DECLARED])
    note_tenpai(v, said_waiting, weights, out)
    out.turns_left = int(v.left) // PLAYERS
    out.declared = 1 if v.riichi[0] else 0
    for player in range(1, PLAYERS):
        other = player - 1
        read_opponent(v, player, r)
        for amount in range(AMOUNTS):
            out["base"][other, amount] = weights["base"][base_class(r), amount]
        list_winner(r, float(out.tenpai[other]), scratch.numbers)
        out.winner[other] = dot(scratch.numbers, weights.winner)
        list_tsumo(v, r, int(out.riichi), scratch.numbers)
        out.tsumo[other] = logistic(dot(scratch.numbers, weights.tsumo))
        for stance in range(STANCES):
            chances_of(
                v.hand, player, weights.discards, r, sights[stance], scratch.features, out.discards[stance, other]
            )
    softmax(out.winner)
    for stance in range(STANCES):
        declared = stance == DECLARED or out.declared != 0
        note_waited(v, declared, weights.discards, out.waited[stance])
        list_sigma(v, out, declared, scratch.numbers)
        out.sigma[stance] = logistic(dot(scratch.numbers, weights.sigma))
        for t in range(HORIZON):
            out.other_win[stance, t] = other_win_chance(v, out, declared, t, weights.other_win, scratch.numbers)


# --- who is tenpai


@kernel
def meld_row(melds: int) -> int:
    """The row of tables for a number of melds."""
    return min(melds, MELD_ROWS - 1)


@kernel
def turn_row(discards: int) -> int:
    """The row of tables for a number of discards."""
    return min(discards, TURN_ROWS - 1)


@kernel
def log_odds(chance: float) -> float:
    """ln(p / (1 - p)), kept finite."""
    p = min(max(chance, SURE), 1.0 - SURE)
    return log(p / (1.0 - p))


@kernel
def calibrated(said: float, melds: int, discards: int, calibration: Any) -> float:
    """The waiting model's chance for a player without riichi, calibrated for the number of melds and discards."""
    row = calibration[meld_row(melds), turn_row(discards)]
    return logistic(row[0] + row[1] * log_odds(said))


@kernel
def note_tenpai(v: Any, said_waiting: Any, weights: Any, out: Any) -> None:
    """Write the chances of tenpai, now and in the turns ahead."""
    nobody = 1.0
    out.riichi = 0
    for other in range(OPPONENTS):
        player = other + 1
        melds, made = int(v.melds[player]), int(v.discards[player])
        if v.riichi[player]:
            out.riichi += 1
            out.tenpai[other] = 1.0
            out.ahead[other, :] = out.ahead_declared[other, :] = 1.0
            continue
        now = calibrated(float(said_waiting[other]), melds, made, weights.calibration)
        nobody *= 1.0 - now
        out.tenpai[other] = now
        threat = 1 if is_threatened(v, player) else 0
        for t in range(HORIZON):
            out.ahead[other, t] = tenpai_ahead(now, threat, melds, made, t, weights)
            out.ahead_declared[other, t] = tenpai_ahead(now, 1, melds, made, t, weights)
    out.any_tenpai = 1.0 - nobody


@kernel
def is_threatened(v: Any, player: int) -> bool:
    """Whether somebody other than a player is in riichi."""
    for other in range(PLAYERS):
        if other != player and v.riichi[other]:
            return True
    return False


@kernel
def tenpai_ahead(now: float, threat: int, melds: int, made: int, t: int, weights: Any) -> float:
    """The chance of a player not in riichi to be tenpai after t more discards, if that is `now` at present."""
    m, d = meld_row(melds), turn_row(made)
    return now * weights.stay[threat, m, d, t] + (1.0 - now) * weights.become[threat, m, d, t]


@kernel
def any_ahead(v: Any, ahead: Any, t: int) -> float:
    """The chance that at least one player not in riichi now is tenpai t turns ahead."""
    nobody = 1.0
    for other in range(OPPONENTS):
        if not v.riichi[other + 1]:
            nobody *= 1.0 - ahead[other, t]
    return 1.0 - nobody


# --- another player wins


@kernel
def dot(numbers: Any, weights: Any) -> float:
    """The sum of numbers times weights."""
    total = 0.0
    for i in range(len(weights)):
        total += numbers[i] * weights[i]
    return total


@kernel
def list_other_win(v: Any, out: Any, declared: bool, t: int, numbers: Any) -> None:
    """List the features of another player's win in the go-around t turns ahead: float64[OTHER_WIN]."""
    turn, riichi = int(v.discards[0]) + t, int(out.riichi)
    ahead = any_ahead(v, out.ahead_declared if declared else out.ahead, min(t, HORIZON - 1))
    for i in range(LAST_TURN + 1):
        numbers[i] = 1.0 if i == min(turn, LAST_TURN) else 0.0
    i = LAST_TURN + 1
    for count in range(3):
        numbers[i + count] = 1.0 if riichi > count else 0.0
    numbers[i + 3] = out.any_tenpai
    numbers[i + 4] = ahead
    numbers[i + 5] = log(ahead + 0.01)
    numbers[i + 6] = ahead if riichi else 0.0
    numbers[i + 7] = t / 10.0
    numbers[i + 8] = t * t / 100.0
    numbers[i + 9] = 1.0 if t else 0.0
    numbers[i + 10] = t / 10.0 if riichi else 0.0
    numbers[i + 11] = 1.0 if riichi and t else 0.0
    numbers[i + 12] = turn / 10.0 if riichi else 0.0
    numbers[i + 13] = 1.0 if declared else 0.0
    numbers[i + 14] = t / 10.0 if declared else 0.0
    numbers[i + 15] = 1.0 if declared and riichi else 0.0
    numbers[i + 16] = 1.0 if v.melds[0] >= 1 else 0.0
    numbers[i + 17] = 1.0 if v.melds[0] >= 2 else 0.0
    numbers[i + 18] = log(max(1, draws_in(int(v.left), t)) / (PLAYERS - 1.0))


@kernel
def draws_in(left: int, t: int) -> int:
    """How many tiles the others draw in the go-around t turns ahead: 3, or fewer at the wall's end."""
    return max(0, min(PLAYERS - 1, left - PLAYERS * t))


@kernel
def other_win_chance(v: Any, out: Any, declared: bool, t: int, weights: Any, numbers: Any) -> float:
    """The chance that another player wins, not from the viewer, in the go-around t turns ahead."""
    if draws_in(int(v.left), t) == 0:
        return 0.0
    list_other_win(v, out, declared, t, numbers)
    return logistic(dot(numbers, weights))


@kernel
def list_winner(r: Any, tenpai: float, numbers: Any) -> None:
    """List the features for which opponent wins, for one read into `r`: float64[WINNER]."""
    declared = r.stance == RIICHI_STANCE
    numbers[0] = 1.0 if r.dealer else 0.0
    numbers[1] = 1.0 if declared else 0.0
    numbers[2] = 0.0 if declared else log_odds(tenpai)
    numbers[3] = 0.0 if declared else tenpai
    numbers[4] = 1.0 if r.melds else 0.0
    numbers[5] = max(0, int(r.melds) - 1)
    numbers[6] = 0.0 if declared else int(r.discards) / 10.0


@kernel
def list_tsumo(v: Any, r: Any, riichi: int, numbers: Any) -> None:
    """List the features for whether this opponent's win, not from the viewer, is self-drawn: float64[TSUMO]."""
    declared = r.stance == RIICHI_STANCE
    numbers[0] = 1.0
    numbers[1] = 1.0 if declared else 0.0
    numbers[2] = 1.0 if r.melds else 0.0
    numbers[3] = riichi - (1 if declared else 0)
    numbers[4] = 1.0 if v.riichi[0] else 0.0
    numbers[5] = int(r.discards) / 10.0
    numbers[6] = 1.0 if r.dealer else 0.0


@kernel
def base_class(r: Any) -> int:
    """The class of an opponent's win: riichi, closed or open; dealer; dora; a late turn or a flush."""
    stance = 0 if r.stance == RIICHI_STANCE else 1 if r.stance == CLOSED_STANCE else 2
    if stance == 2:
        level = min(LEVELS - 1, int(r.meld_dora) + int(r.meld_han))
        mark = 1 if r.flush != NO_FLUSH and r.melds >= 2 else 0
    else:
        level = min(LEVELS - 1, max(0, int(r.unseen_dora) + int(r.unseen_reds) - 1) // 2)
        mark = 1 if r.discards > 9 else 0
    return ((stance * 2 + int(r.dealer)) * LEVELS + level) * 2 + mark


# --- tiles the viewer waits for


@kernel
def note_waited(v: Any, declared: bool, weights: Any, out: Any) -> None:
    """Write the factor on opponents' discards of kinds that a tenpai viewer waits for, float32[34]."""
    state = waiter_of(declared, int(v.melds[0]))
    for kind in range(NUM_KINDS):
        out[kind] = exp(weights[WAITED + state * TILE_GROUPS + group_of(kind)])


# --- how long the hand lasts


@kernel
def list_sigma(v: Any, out: Any, declared: bool, numbers: Any) -> None:
    """List the features for the share of discards that will be played: float64[SIGMA]."""
    turn = int(v.discards[0]) / 10.0
    numbers[0] = 1.0
    for riichi in range(1, 4):
        numbers[riichi] = 1.0 if out.riichi >= riichi else 0.0
    numbers[4] = out.any_tenpai
    numbers[5] = out.any_tenpai if out.riichi else 0.0
    numbers[6] = turn
    numbers[7] = turn * turn
    numbers[8] = 1.0 if declared else 0.0
    numbers[9] = 1.0 if v.melds[0] >= 1 else 0.0
    numbers[10] = turn if out.riichi else 0.0
    numbers[11] = int(out.turns_left) / 10.0
