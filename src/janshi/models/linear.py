"""Linear models over lists of feature numbers: summing weights, and learning them by Adagrad.

An example is a list of feature numbers, and its *margin* is the sum of their weights. Adagrad (Duchi, Hazan & Singer
2011) gives each weight its own rate, which falls with its squared gradients, so that rare features learn fast and
common ones settle.
"""

from __future__ import annotations

from math import exp
from typing import Any, Final

import numpy as np

from janshi.core._jit import kernel

START: Final = 1e-4
"""Initial value of the squared gradients."""


@kernel
def margin(features: Any, count: int, weights: Any) -> float:
    """The sum of the weights of the first `count` features."""
    total: Any = np.float32(0)
    for i in range(count):
        total += weights[features[i]]
    return total


@kernel
def add_margins(features: Any, first: int, count: int, weights: Any, out: Any) -> None:
    """Add the rows of weights of features `first` to `count - 1` to `out`, one margin per class."""
    classes = weights.shape[1]
    for i in range(first, count):
        feature = features[i]
        for j in range(classes):
            out[j] += weights[feature, j]


@kernel
def copy_row(source: Any, out: Any) -> None:
    """Copy a row into another of the same length. Numba takes seconds to compile `out[:] = source`."""
    for j in range(len(out)):
        out[j] = source[j]


@kernel
def logistic(x: float) -> float:
    """1 / (1 + exp(-x)) without overflow."""
    if x >= 0:
        return 1.0 / (1.0 + exp(-x))
    e = exp(x)
    return e / (1.0 + e)


@kernel
def softmax(margins: Any) -> None:
    """Turn margins into probabilities, in place."""
    highest = margins[0]
    for j in range(1, len(margins)):
        highest = max(highest, margins[j])
    total = 0.0
    for j in range(len(margins)):
        margins[j] = exp(margins[j] - highest)
        total += margins[j]
    for j in range(len(margins)):
        margins[j] /= total


@kernel
def learn(
    features: Any,
    counts: Any,
    labels: Any,
    map: Any,
    chance: bool,
    rate: float,
    decay: float,
    weights: Any,
    squares: Any,
) -> float:
    """Learn from examples in their order, by logistic regression (`chance`) or least squares; returns the mean loss.

    int32[n, most], int32[n], float32[n]; `map` int32[size] sends features to those that count for them, or to -1;
    `weights` and `squares`, float32[size], are updated. Losses (log loss or squared error) are those before learning
    from the example.
    """
    loss = 0.0
    for i in range(len(counts)):
        total = 0.0
        for j in range(counts[i]):
            feature = map[features[i, j]]
            if feature >= 0:
                total += weights[feature]
        guess = logistic(total) if chance else total
        error = guess - labels[i]
        loss += log_loss(guess, labels[i]) if chance else error * error
        for j in range(counts[i]):
            feature = map[features[i, j]]
            if feature >= 0:
                step(weights, squares, feature, error, rate, decay)
    return loss / max(len(counts), 1)


@kernel
def step(weights: Any, squares: Any, feature: int, gradient: float, rate: float, decay: float) -> None:
    """One step of Adagrad on one weight."""
    gradient += decay * weights[feature]
    squares[feature] += gradient * gradient
    weights[feature] -= rate * gradient / np.sqrt(squares[feature])


@kernel
def log_loss(guess: float, label: float) -> float:
    """Log loss: minus the logarithm of the probability given to what happened."""
    chance = guess if label > 0.5 else 1.0 - guess
    return -np.log(max(chance, 1e-12))


@kernel
def learn_classes(
    features: Any, counts: Any, labels: Any, map: Any, rate: float, decay: float, weights: Any, squares: Any
) -> float:
    """Learn classes (labels int32[n]) by multi-class logistic regression; returns the mean log loss.

    `weights` and `squares` are float32[size, classes].
    """
    classes = weights.shape[1]
    guess = np.zeros(classes, np.float64)
    loss = 0.0
    for i in range(len(counts)):
        guess[:] = 0
        for j in range(counts[i]):
            feature = map[features[i, j]]
            if feature >= 0:
                for k in range(classes):
                    guess[k] += weights[feature, k]
        softmax(guess)
        loss -= np.log(max(guess[labels[i]], 1e-12))
        guess[labels[i]] -= 1.0
        for j in range(counts[i]):
            feature = map[features[i, j]]
            if feature >= 0:
                for k in range(classes):
                    step(weights[feature], squares[feature], k, guess[k], rate, decay)
    return loss / max(len(counts), 1)


@kernel
def mapped_margins(features: Any, counts: Any, map: Any, weights: Any, out: Any) -> None:
    """Write the margin of each example under a map, float64[n]."""
    for i in range(len(counts)):
        total = 0.0
        for j in range(counts[i]):
            feature = map[features[i, j]]
            if feature >= 0:
                total += weights[feature]
        out[i] = total
