"""Small regressions: logistic by Newton's method, choices by quasi-Newton, rates shrunk towards neighbours."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.floating[Any]]
CHUNK: Final = 1 << 18
STEPS: Final = 30


def chances(margins: Floats) -> Floats:
    """Margins as probabilities."""
    return np.asarray(1 / (1 + np.exp(-np.clip(margins, -40, 40))))


def fit_logistic(
    numbers: Floats,
    labels: Floats,
    offset: Floats | float = 0.0,
    weights: Floats | float = 1.0,
    ridge: float = 1e-3,
    prior: Floats | None = None,
) -> npt.NDArray[np.float64]:
    """Logistic regression by Newton's method, float64[k].

    numbers: [n, k]; labels from 0 to 1, [n]; `offset` is added to margins; `weights` are those of the examples;
    `ridge` pulls towards `prior` (0).
    """
    size = numbers.shape[1]
    aim = np.zeros(size) if prior is None else np.asarray(prior, np.float64)
    found = aim.copy()
    offsets = np.broadcast_to(np.asarray(offset, np.float64), len(labels))
    counts = np.broadcast_to(np.asarray(weights, np.float64), len(labels))
    for _ in range(STEPS):
        gradient, hessian = ridge * (found - aim), ridge * np.eye(size)
        for first in range(0, len(labels), CHUNK):
            part = slice(first, first + CHUNK)
            x = numbers[part].astype(np.float64)
            guess = chances(x @ found + offsets[part])
            gradient += x.T @ (counts[part] * (guess - labels[part]))
            hessian += (x * (counts[part] * guess * (1 - guess))[:, None]).T @ x
        step = np.linalg.solve(hessian, gradient)
        found -= step * min(1.0, 4.0 / max(1e-12, float(np.abs(step).max())))
        if np.abs(step).max() < 1e-7:
            break
    return found


def fit_choice(numbers: Floats, chosen: Floats, ridge: float = 1e-3) -> npt.NDArray[np.float64]:
    """Multinomial regression of a choice: numbers [n, m, k], chosen shares [n, m]; returns float64[k]."""
    from scipy.optimize import minimize

    def loss(found: Floats) -> tuple[float, Floats]:
        total, gradient = 0.5 * ridge * float(found @ found), ridge * found
        for first in range(0, len(chosen), CHUNK):
            x, y = numbers[first : first + CHUNK], chosen[first : first + CHUNK]
            margins = x @ found
            margins -= margins.max(1, keepdims=True)
            guess = np.exp(margins)
            guess /= guess.sum(1, keepdims=True)
            total -= float((y * np.log(np.maximum(guess, 1e-12))).sum())
            gradient = gradient + np.einsum("nm,nmk->k", guess * y.sum(1, keepdims=True) - y, x)
        return total, gradient

    return np.asarray(minimize(loss, np.zeros(numbers.shape[2]), jac=True, method="L-BFGS-B").x)


def log_loss(guess: Floats, happened: Floats) -> float:
    """Mean log loss."""
    p = np.clip(guess, 1e-9, 1 - 1e-9)
    return float(-(happened * np.log(p) + (1 - happened) * np.log(1 - p)).mean())


def shrunk(successes: Floats, counts: Floats, strength: float) -> npt.NDArray[np.float64]:
    """Rates along the last axis, each pulled towards the rate before it with the weight of `strength` examples."""
    out = np.zeros(counts.shape)
    before = successes.sum(-1) / np.maximum(counts.sum(-1), 1)
    for i in range(counts.shape[-1]):
        before = (successes[..., i] + strength * before) / (counts[..., i] + strength)
        out[..., i] = before
    return out
