"""Combining the two methods for dealing in: regressions on cases, separately for each group of opponents.

Winning: logistic regression on both log-odds. Base points: a distribution proportional to powers of both distributions
and a factor for each amount, fitted by maximum likelihood.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from janshi.core._jit import kernel
from janshi.features.opponent import new_reading, read_opponent, read_table
from janshi.fitting.deal_in.cases import Cases
from janshi.models.amounts import AMOUNTS, base_of, shares
from janshi.models.deal_in.model import LEAST, MIX_FEATURES, MIX_GROUPS, DealInModel, Said, mix_group

Floats = npt.NDArray[np.float64]
STEPS: Final = 30
RIDGE: Final = 1e-3


def group_of(cases: Cases) -> npt.NDArray[np.int64]:
    """The group of each case's opponent: riichi, closed, one meld, two, more."""
    out = np.zeros(len(cases.rows), np.int64)
    _write_groups(cases.views, cases.players, new_reading(), out)
    return out


@kernel
def _write_groups(views: Any, players: Any, reading: Any, out: Any) -> None:
    for i in range(len(views)):
        read_table(views[i], reading[0])
        read_opponent(views[i], players[i], reading[0])
        out[i] = mix_group(reading[0])


def log_odds(chances: npt.NDArray[Any]) -> Floats:
    """Log-odds of probabilities, kept within bounds."""
    bounded = np.clip(chances.astype(np.float64), LEAST, 1 - LEAST)
    return np.asarray(np.log(bounded / (1 - bounded)))


def features(paper: npt.NDArray[Any], linear: npt.NDArray[Any]) -> Floats:
    """The inputs of the regression for winning, float64[n, MIX_FEATURES]."""
    return np.stack([np.ones(len(paper)), log_odds(paper), log_odds(linear), (paper < LEAST).astype(float)], axis=1)


def fit_logistic(x: Floats, y: npt.NDArray[np.bool_]) -> Floats:
    """Weights of a logistic regression, by Newton's method."""
    w = np.zeros(x.shape[1])
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-(x @ w)))
        slope = x.T @ (p - y) + RIDGE * w
        curve = (x * (p * (1 - p))[:, None]).T @ x + RIDGE * np.eye(len(w))
        step = np.linalg.solve(curve, slope)
        w -= step
        if np.abs(step).max() < 1e-6:
            break
    return w


def fit_powers(paper: Floats, linear: Floats, target: Floats) -> tuple[float, float, Floats]:
    """Powers of two distributions and a factor (logarithm) for each amount, by Newton's method."""
    x = np.stack([np.log(paper + LEAST), np.log(linear + LEAST)], axis=1)  # (n, 2, amounts)
    eye = np.broadcast_to(np.eye(AMOUNTS), (len(x), AMOUNTS, AMOUNTS))
    x = np.concatenate([x, eye], axis=1)  # (n, 2 + amounts, amounts)
    w = np.zeros(2 + AMOUNTS)
    w[1] = 1.0
    for _ in range(STEPS):
        z = np.einsum("nfa,f->na", x, w)
        p = np.exp(z - z.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        mean = np.einsum("nfa,na->nf", x, p)
        slope = np.einsum("nfa,na->f", x, p - target) + w * np.r_[0.0, 0.0, np.full(AMOUNTS, 1.0)]
        curve = np.einsum("nfa,na,nga->fg", x, p, x, optimize=True) - mean.T @ mean
        curve += np.diag(np.r_[RIDGE, RIDGE, np.full(AMOUNTS, 1.0)])
        step = np.linalg.solve(curve, slope)
        w -= step
        if np.abs(step).max() < 1e-5:
            break
    return float(w[0]), float(w[1]), w[2:]


def fit_mix(cases: Cases, paper: Said, linear: Said, most_payments: int = 60_000) -> dict[str, npt.NDArray[np.float32]]:
    """The fields of MIX_DTYPE, from both methods' predictions for the opponents of cases."""
    out = {
        "winning": np.zeros((MIX_GROUPS, MIX_FEATURES), np.float32),
        "paper": np.zeros(MIX_GROUPS, np.float32),
        "linear": np.ones(MIX_GROUPS, np.float32),
        "amounts": np.zeros((MIX_GROUPS, AMOUNTS), np.float32),
    }
    groups = group_of(cases)
    rng = np.random.default_rng(1)
    for group in range(MIX_GROUPS):
        at, kinds = np.nonzero((linear.winning > 0) & (groups == group)[:, None])
        won = cases.payments[at, kinds] > 0
        out["winning"][group] = fit_logistic(features(paper.winning[at, kinds], linear.winning[at, kinds]), won)
        known = won & (paper.winning[at, kinds] > 0)
        at, kinds = at[known], kinds[known]
        some = rng.permutation(len(at))[:most_payments]
        at, kinds = at[some], kinds[some]
        target = shares(base_of(cases.payments[at, kinds], cases.dealer[at])).astype(np.float64)
        said = paper.base[at, kinds].astype(np.float64), linear.base[at, kinds].astype(np.float64)
        out["paper"][group], out["linear"][group], out["amounts"][group] = fit_powers(*said, target)
    return out


def both(model: DealInModel, cases: Cases) -> tuple[Said, Said]:
    """Predictions of the paper's and the linear method for the opponents of cases, with a model's weights."""
    said = []
    kept = int(model.weights["method"][0])
    for method in (0, 1):
        model.weights["method"] = method
        said.append(model.predict_opponents(cases.views, cases.players))
    model.weights["method"] = kept
    return said[0], said[1]
