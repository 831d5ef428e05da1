"""How a hand will end for a player: chances of the five scenarios (Kurita & Hoki 2021, eq. 18).

They come from four logistic regressions: the chance of a win; without a win, of a washout; in a washout, of being
tenpai; otherwise, of dealing in. Their features are the results of three small processes of the player's hand (M_win,
M_tenpai, M_fold) and the state of the table. There are two *forms*: `paper` has only the paper's features, `full` also
the turn, shanten, the player's riichi and more.

>>> from janshi.models.scenarios import COLUMN_NAMES
>>> COLUMN_NAMES[:3]
('win', 'tenpai', 'lose')
"""

from __future__ import annotations

from functools import cache
from math import log
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.core.dtypes import record_dtype
from janshi.models.linear import logistic
from janshi.models.store import load

NAME: Final = "scenarios"
VERSION: Final = 1
"""Changes whenever the meaning of a weight changes."""

WIN, LOSE, OTHER, TENPAI, NOTEN, ABORTED = range(6)
SCENARIOS: Final = 5
SCENARIO_NAMES: Final = ("win", "lose", "other", "tenpai", "noten")
"""The five scenarios; hands that are aborted belong to none."""

COLUMN_NAMES: Final = (
    "win",  # log-odds of P_win: M_win
    "tenpai",  # log-odds of P_tenpai: M_tenpai
    "lose",  # log-odds of P_lose: M_fold
    "riichi",  # number of opponents in riichi
    "any_tenpai",  # chance that at least one opponent without riichi is tenpai
    "melds",  # the player's melds
    "turn",  # the player's discards before this one
    "left",  # the player's discards after it, if nobody calls or wins: T_max
    "shanten",  # after it
    "declared",  # the player's riichi, including one declared now
    "dealer",
)
"""The regressions' inputs for a standing hand."""
COLUMNS: Final = len(COLUMN_NAMES)
WIN_COLUMN, TENPAI_COLUMN, LOSE_COLUMN, RIICHI, ANY_TENPAI, MELDS, TURN, LEFT, SHANTEN, DECLARED, DEALER = range(
    COLUMNS
)

P_WIN, P_WASHOUT, P_TENPAI, P_LOSE = range(4)
REGRESSIONS: Final = 4
REGRESSION_NAMES: Final = ("p_win", "p_washout", "p_tenpai", "p_lose")
PAPER, FULL = 0, 1
FORMS: Final = ("paper", "full")
NUMBERS: Final = 32
PAPER_NUMBERS: Final = ((0, 1, 7, 10), (0, 7, 10), (0, 3, 7), (0, 5, 8))
"""Inputs of each regression in the paper's form: P_win, riichi, any tenpai; riichi, any tenpai; P_tenpai, riichi;
P_lose, melds."""
FARTHEST: Final = 9.0
"""Log-odds are kept below this."""

SCENARIOS_DTYPE: Final = record_dtype([("weights", np.float32, (REGRESSIONS, NUMBERS)), ("form", np.float32)])
"""The fitted numbers, as kernels read them."""
SIZE: Final = SCENARIOS_DTYPE.itemsize // 4


class ScenarioModel:
    """Chances of the five scenarios."""

    def __init__(self, weights: npt.NDArray[Any], card: dict[str, Any] | None = None) -> None:
        self.weights = weights
        """For kernels: SCENARIOS_DTYPE[1]."""
        self.card = card or {}

    @classmethod
    def load(cls, path: Path | None = None, form: str | None = None) -> Self:
        """Read the fitted numbers: the shipped ones, or those in a file; in the shipped form, or another."""
        arrays, card = load(NAME, path, VERSION, SIZE)
        weights = np.zeros(1, SCENARIOS_DTYPE)
        weights.view(np.float32)[:] = arrays["weights"] if form is None else arrays[_known(form)]
        return cls(weights, card)

    def predict(self, columns: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
        """Chances of the scenarios, float32[n, 5], for columns [n, COLUMNS]."""
        if columns.ndim != 2 or columns.shape[1] != COLUMNS:
            raise ValueError(f"expected {COLUMNS} columns ({', '.join(COLUMN_NAMES)}), not an array {columns.shape}")
        out = np.zeros((len(columns), SCENARIOS), np.float32)
        predict_all(np.ascontiguousarray(columns, np.float64), self.weights, np.zeros(NUMBERS), out)
        return out


def _known(form: str) -> str:
    if form not in FORMS:
        raise ValueError(f"forms are {' and '.join(FORMS)}, not {form!r}")
    return form


@cache
def shipped() -> ScenarioModel:
    """The shipped model, loaded once."""
    return ScenarioModel.load()


@kernel
def predict_all(columns: Any, weights: Any, numbers: Any, out: Any) -> None:
    """Write the chances of many standing hands, float32[n, 5]."""
    for i in range(len(columns)):
        scenario_chances(columns[i], weights[0], numbers, out[i])


@kernel
def scenario_chances(columns: Any, weights: Any, numbers: Any, out: Any) -> None:
    """Write the chances of the five scenarios of a standing hand (eq. 18); they sum to 1.

    float64[COLUMNS], a record of SCENARIOS_DTYPE, scratch float64[NUMBERS]; `out` float[5]: win, lose, other, tenpai,
    noten.
    """
    list_numbers(columns, numbers)
    win = chance(weights.weights[P_WIN], numbers)
    washout = chance(weights.weights[P_WASHOUT], numbers)
    tenpai = chance(weights.weights[P_TENPAI], numbers)
    lose = chance(weights.weights[P_LOSE], numbers)
    out[WIN] = win
    out[TENPAI] = (1.0 - win) * washout * tenpai
    out[NOTEN] = (1.0 - win) * washout * (1.0 - tenpai)
    out[LOSE] = (1.0 - win) * (1.0 - washout) * lose
    out[OTHER] = (1.0 - win) * (1.0 - washout) * (1.0 - lose)


@kernel
def chance(weights: Any, numbers: Any) -> float:
    """One regression's chance."""
    total = 0.0
    for i in range(NUMBERS):
        total += weights[i] * numbers[i]
    return logistic(total)


@kernel
def far_odds(p: float) -> float:
    """Log-odds, kept within FARTHEST."""
    if p <= 0.0:
        return -FARTHEST
    if p >= 1.0:
        return FARTHEST
    return min(FARTHEST, max(-FARTHEST, log(p / (1.0 - p))))


@kernel
def list_columns(
    v: Any, table: Any, win: float, tenpai: float, lose: float, shanten: int, declared: bool, out: Any
) -> None:
    """Write the columns of the standing hand after a discard: float64[COLUMNS].

    `v` is the view in turn, before the discard; `table` a record of RATES_DTYPE; `win`, `tenpai` and `lose` are the
    chances of M_win, M_tenpai and M_fold.
    """
    out[WIN_COLUMN], out[TENPAI_COLUMN], out[LOSE_COLUMN] = far_odds(win), far_odds(tenpai), far_odds(lose)
    out[RIICHI], out[ANY_TENPAI] = int(table.riichi), table.any_tenpai
    out[MELDS], out[TURN], out[LEFT] = int(v.melds[0]), int(v.discards[0]), int(table.turns_left)
    out[SHANTEN], out[DECLARED] = shanten, 1.0 if declared else 0.0
    out[DEALER] = 1.0 if v.dealer == 0 else 0.0


@kernel
def list_numbers(columns: Any, out: Any) -> None:
    """Write the inputs of the regressions, float64[NUMBERS]."""
    riichi = 1.0 if columns[RIICHI] >= 1 else 0.0
    turn, left, declared = columns[TURN] / 10.0, columns[LEFT] / 10.0, columns[DECLARED]
    out[0] = 1.0
    for i in range(3):
        out[1 + 2 * i] = columns[i]
        out[2 + 2 * i] = columns[i] * columns[i] / 10.0
    out[7] = columns[RIICHI]
    out[8] = columns[MELDS]
    out[9] = 1.0 if columns[RIICHI] >= 2 else 0.0
    out[10] = columns[ANY_TENPAI]
    out[11] = riichi
    out[12] = columns[ANY_TENPAI] * riichi
    out[13] = 1.0 if columns[MELDS] >= 1 else 0.0
    out[14] = 1.0 if columns[MELDS] >= 2 else 0.0
    out[15], out[16] = turn, turn * turn
    out[17], out[18] = left, left * left
    for i in range(4):
        out[19 + i] = 1.0 if columns[SHANTEN] == i else 0.0
    out[23], out[24], out[25] = declared, declared * left, declared * riichi
    out[26] = columns[DEALER]
    out[27] = columns[WIN_COLUMN] * riichi
    out[28] = columns[LOSE_COLUMN] * riichi
    out[29] = columns[WIN_COLUMN] * columns[LOSE_COLUMN] / 10.0
    out[30] = out[19] * riichi
    out[31] = columns[TENPAI_COLUMN] * left
