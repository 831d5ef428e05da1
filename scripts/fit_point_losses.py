"""Fit what a choice costs in Guobiao to luck-free results of random deviations, and check it on other hands.

python scripts/measure_deviations.py --out FIT --hands 10000
python scripts/measure_deviations.py --out TEST --hands 5000 --seed 2
python scripts/fit_point_losses.py FIT TEST           # writes models/weights/point_losses.npz and the calibration page
python scripts/fit_point_losses.py FIT TEST --print   # only prints

The value of a position falls by the loss of the choice played (`luck/points/deviations.py`). So the fall, without
luck, is regressed on the features of the choice played minus their mean over all choices that could have been drawn.
The choice is random, so the regression measures effects. The fall over eight draws is less noisy and determines the
weights, which are non-negative; the fall until the end of the hand does not depend on any value function and
determines one factor for all of them.
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from _deviations import COMMAND as DEVIATIONS
from _deviations import pieces
from _page import stamp, table_of_figures, today, write_between
from janshi.agents.learned.agent import digest_of
from janshi.agents.learned.network import shipped
from janshi.agents.learned.point_losses import (
    FARTHEST_GAP,
    FEATURES,
    NAME,
    SITUATIONS,
    VERSION,
    PointLosses,
    features,
    gaps,
    opinions,
    situations,
)
from janshi.arena.stats import Estimate, ratio
from janshi.luck.points.deviations import SOON, drawn_by
from janshi.models.guobiao_opponents import shipped as shipped_opponents
from janshi.models.store import FOLDER
from janshi.rules.game import Array

GROUPS: Final = (0.0, 0.05, 0.2, 0.5, 1.0, 2.0, 4.0, np.inf)
"""Bounds of groups of choices by predicted loss, in points."""
REACH: Final = (0.0, 0.5, 2.0, np.inf)
"""Bounds of the groups of choices that the network never makes, by the points of wins within reach."""
PAGE: Final = Path(__file__).resolve().parent.parent / "docs" / "review_calibration.md"
BEGIN, END = "<!-- rvr: begin -->", "<!-- rvr: end -->"
COMMAND: Final = f"{DEVIATIONS} && python scripts/fit_point_losses.py FIT TEST"


class Deviated(NamedTuple):
    """Deviations of some hands."""

    hand: Array
    situation: Array
    about: Array
    """Features of all choices, float32[n, choices, FEATURES], with the one played first."""
    likely: Array
    """The probability that each choice was drawn, float64[n, choices]; zero for padding."""
    soon: Array
    """How much the value fell over eight draws, without luck."""
    end: Array
    """How much the value fell until the end of the hand, without luck."""
    gap: Array
    """The network's gap between the best choice and this one."""
    most: Array
    """Points of wins in reach after the search's choice."""
    points: Array
    """Of the hands, float64[hands, 4]."""

    @property
    def centred(self) -> Array:
        """Features of the choice played, minus their mean over all choices that could have been drawn."""
        return np.asarray(self.about[:, 0] - np.einsum("nc,ncf->nf", self.likely, self.about))


def main() -> None:
    """Fit, check and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fit", type=Path, help="measured hands to fit to")
    parser.add_argument("test", type=Path, help="other hands to check on")
    parser.add_argument("--out", type=Path, default=FOLDER / f"{NAME}.npz", help="the file to write")
    parser.add_argument("--print", action="store_true", help="write nothing")
    given = parser.parse_args()
    fitted, checked = load(given.fit), load(given.test)
    weights, errors = fit(fitted)
    factor = slope(fitted, weights, fitted.end)
    weights, errors = weights * factor.value, errors * factor.value
    card = {
        "model": NAME,
        "feature version": VERSION,
        "fitted": today(),
        "command": COMMAND,
        "data": f"{len(fitted.hand):,} deviations in {len(fitted.points):,} hands",
        "network": digest_of(shipped("rvr", "guobiao")),
        "factor": f"{factor.value:.3f} ({factor.low:.3f} to {factor.high:.3f})",
        "weights": {name: f"{w:.4f} ± {e:.4f}" for name, w, e in zip(FEATURES, weights, errors)},
    }
    text = page(PointLosses(weights, card), fitted, checked)
    print(text)
    if not given.print:
        PointLosses(weights, card).save(given.out)
        write_between(PAGE, BEGIN, END, text)


# --- measurements


def load(folder: Path) -> Deviated:
    """All measured hands of a folder."""
    parts, points = [], []
    for found, scores in pieces(folder):
        parts.append(_of(found))
        points.append(scores)
    most = max(part[2].shape[1] for part in parts)
    padded = [(*part[:2], *(_padded(some, most) for some in part[2:4]), *part[4:]) for part in parts]
    return Deviated(*(np.concatenate(column) for column in zip(*padded)), np.concatenate(points))


def _of(found: Array) -> tuple[Array, ...]:
    said = opinions(found["view"], found["chances"], found["values"], shipped_opponents())
    legal, chances, about = said.legal, said.chances, features(said)
    likely = drawn_by(chances, legal)
    order = np.argsort(~legal, axis=1, kind="stable")  # legal choices first
    played = (order == found["action"][:, None]).argmax(1)
    rows = np.arange(len(found))
    order[rows, played], order[rows, 0] = order[rows, 0], order[rows, played]
    order = order[:, : int(legal.sum(1).max())]
    value = found["value"].astype(np.float64)
    return (
        found["game"].copy(),
        situations(legal),
        np.take_along_axis(about, order[:, :, None], 1).astype(np.float32),
        np.take_along_axis(likely, order, 1),
        value - found["soon"],
        value - found["result"],
        gaps(said)[rows, found["action"]],
        np.where(legal, said.values, 0.0).max(1),
    )


def _padded(some: Array, most: int) -> Array:
    """Set padding to zero."""
    return np.pad(some, ((0, 0), (0, most - some.shape[1]), *((0, 0),) * (some.ndim - 2)))


# --- fitting


def fit(d: Deviated) -> tuple[Array, Array]:
    """The weights, none negative, and the 95 % half-widths of a fit without that bound, clustered by hand."""
    from scipy.optimize import nnls

    x, scale = d.centred, np.maximum(d.centred.std(0), 1e-9)
    x = x / scale
    weights, _ = nnls(x, d.soon)
    square = x.T @ x + 1e-6 * len(x) * np.eye(len(scale))
    free = np.linalg.solve(square, x.T @ d.soon)
    scores = np.zeros((len(d.points), len(FEATURES)))
    np.add.at(scores, d.hand, x * (d.soon - x @ free)[:, None])
    inverse = np.linalg.inv(square)
    return weights / scale, 1.96 * np.sqrt(np.diag(inverse @ (scores.T @ scores) @ inverse)) / scale


def slope(d: Deviated, weights: Array, fallen: Array, rows: Array | slice = slice(None)) -> Estimate:
    """Points lost per predicted point, both relative to the average choice drawn in the same position."""
    x = (d.centred @ weights)[rows]
    return ratio(x * fallen[rows], x * x, d.hand[rows])


# --- page


def losses(d: Deviated, weights: Array) -> tuple[Array, Array]:
    """The loss of the choice played, and of every choice, float64[n, choices]; infinite for padding."""
    costs = np.where(d.likely > 0, d.about @ weights, np.inf)
    lost = costs - costs.min(1, keepdims=True)
    return lost[:, 0], lost


def page(model: PointLosses, fitted: Deviated, d: Deviated) -> str:
    """Text for the calibration page."""
    own, every = losses(d, model.weights)
    both = slope(d, model.weights, d.end), slope(d, model.weights, d.soon)
    sums = [
        f"{stamp(COMMAND)}\n- Hands: {len(d.points):,} of self-play with {len(d.hand):,} deviations, on other walls"
        f" than the {len(fitted.points):,} hands with {len(fitted.hand):,} deviations that weights were fitted to",
        "### Decisions by predicted loss",
        table_of_figures(
            [
                "predicted loss, points",
                "deviations",
                "mean predicted",
                f"observed, {SOON} draws later",
                "observed, end",
            ],
            rows_of_groups(d, own, every),
        ),
        f"One predicted point, above the mean of what could have been drawn in the same position, corresponds to"
        f" {shown(both[0])} points lost by the end of the hand, and {shown(both[1])} {SOON} draws later. 1 is ideal; 0"
        " would mean that losses carry no information.",
        "### Where losses are accurate",
        table_of_figures(
            ["decisions", "deviations", f"slope, {SOON} draws later", "slope, end"], rows_of_kinds(d, model)
        ),
        "### Weights",
        table_of_figures(["feature", "weight"], [[name, weight] for name, weight in model.card["weights"].items()]),
        f"Factor from the end of the hand: {model.card['factor']}.",
    ]
    return "\n\n".join(sums)


def rows_of_groups(d: Deviated, own: Array, every: Array) -> list[list[Any]]:
    """Groups by predicted loss: how much more was lost than with choices of the first group in the same positions."""
    out, shares, inside = [], [], []
    for low, high in pairwise(GROUPS):
        inside.append((own >= low) & (own < high))
        shares.append(np.where((every >= low) & (every < high), d.likely, 0.0).sum(1))
    x = np.stack(inside[1:], 1).astype(np.float64) - np.stack(shares[1:], 1)
    effects = [regress(x, fallen, d) for fallen in (d.soon, d.end)]
    for i, (low, high) in enumerate(pairwise(GROUPS)):
        words = f"{low:g} to {high:g}" if np.isfinite(high) else f"{low:g} and more"
        seen = ["–", "–"] if not i else [f"{e[0][i - 1]:+.2f} ± {e[1][i - 1]:.2f}" for e in effects]
        out.append([words, f"{int(inside[i].sum()):,}", f"{own[inside[i]].mean():.3f}", *seen])
    return out


def regress(x: Array, y: Array, d: Deviated) -> tuple[Array, Array]:
    """Coefficients and 95 % half-widths, clustered by hand."""
    square = x.T @ x
    found = np.linalg.solve(square, x.T @ y)
    scores = np.zeros((len(d.points), x.shape[1]))
    np.add.at(scores, d.hand, x * (y - x @ found)[:, None])
    inverse = np.linalg.inv(square)
    return found, 1.96 * np.sqrt(np.diag(inverse @ (scores.T @ scores) @ inverse))


def rows_of_kinds(d: Deviated, model: PointLosses) -> list[list[Any]]:
    """Slopes by situation, and of choices that the network never makes."""
    out = []
    for number, name in enumerate(SITUATIONS):
        rows = np.flatnonzero(d.situation == number)
        both = [slope(d, model.weights, fallen, rows) for fallen in (d.soon, d.end)]
        out.append([name, f"{len(rows):,}", *map(shown, both)])
    never = d.gap > FARTHEST_GAP
    for low, high in pairwise(REACH):
        rows = np.flatnonzero(never & (d.most >= low) & (d.most < high))
        both = [slope(d, model.weights, fallen, rows) for fallen in (d.soon, d.end)]
        reach = f"{low:g} to {high:g}" if np.isfinite(high) else f"{low:g} and more"
        out.append([f"never made by `rvr`, wins in reach {reach} points", f"{len(rows):,}", *map(shown, both)])
    return out


def shown(found: Estimate) -> str:
    """An estimate with its interval."""
    return f"{found.value:+.2f} ({found.low:+.2f} to {found.high:+.2f})"


if __name__ == "__main__":
    main()
