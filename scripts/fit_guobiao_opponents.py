"""Fit the model of who can win in Guobiao and on which tiles, and check it on other hands.

python scripts/measure_deviations.py --out FIT --hands 10000
python scripts/measure_deviations.py --out TEST --hands 5000 --seed 2
python scripts/fit_guobiao_opponents.py FIT TEST           # writes models/weights/guobiao_opponents.npz, docs/models.md
python scripts/fit_guobiao_opponents.py FIT TEST --print   # only prints

There are two logistic regressions (`models/guobiao_opponents.py`). Labels are exact: on turns after a draw, the rules
determine the discards on which each opponent could win.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from _deviations import COMMAND, calibration, pieces
from _page import stamp, table_of_figures, today, write_between
from janshi.arena.stats import ratio
from janshi.fitting.measures import auc
from janshi.models.guobiao_opponents import (
    NAME,
    READY,
    VERSION,
    WINS,
    GuobiaoOpponents,
    logistic,
    ready_features,
    seen_in,
    win_features,
)
from janshi.models.store import FOLDER
from janshi.rules.game import Array

RIDGE: Final = 3.0
"""Strength of the ridge penalty, in examples."""
PAGE: Final = Path(__file__).resolve().parent.parent / "docs" / "models.md"
BEGIN, END = "<!-- guobiao: begin -->", "<!-- guobiao: end -->"
WHOLE: Final = f"{COMMAND} && python scripts/fit_guobiao_opponents.py FIT TEST"
READY_GROUPS: Final = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 1.01)
DANGER_GROUPS: Final = (0.0, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 1.01)


class Examples(NamedTuple):
    """Turns of some hands."""

    ready: Array
    """Features of opponents, float32[n, 3, READY]."""
    wins: Array
    """Features of the kinds of opponents who are ready, float32[r, 34, WINS]."""
    could: Array
    """Whether each opponent could win on each kind, bool[n, 3, 34]."""
    held: Array
    """Kinds in the player's hand, bool[n, 34]."""
    hand: Array

    @property
    def is_ready(self) -> Array:
        """Whether opponents could win on anything, bool[n, 3]."""
        return np.asarray(self.could.any(2))


def main() -> None:
    """Fit, check and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fit", type=Path, help="measured hands to fit to")
    parser.add_argument("test", type=Path, help="other hands to check on")
    parser.add_argument("--out", type=Path, default=FOLDER / f"{NAME}.npz", help="the file to write")
    parser.add_argument("--print", action="store_true", help="write nothing")
    given = parser.parse_args()
    fitted = load(given.fit)
    ready = fit(fitted.ready.reshape(-1, len(READY)), fitted.is_ready.reshape(-1))
    wins = fit(fitted.wins.reshape(-1, len(WINS)), fitted.could[fitted.is_ready].reshape(-1))
    card = {
        "model": NAME,
        "feature version": VERSION,
        "fitted": today(),
        "command": WHOLE,
        "rules": "guobiao",
        "data": f"{len(fitted.hand):,} turns of {len(np.unique(fitted.hand)):,} hands between search players",
    }
    model = GuobiaoOpponents(ready, wins, card)
    text = page(model, given.test)
    print(text)
    if not given.print:
        model.save(given.out)
        write_between(PAGE, BEGIN, END, text)


def load(folder: Path) -> Examples:
    """All turns of a folder on which the player has drawn a tile."""
    parts = []
    for found, _ in pieces(folder):
        view = found["view"]
        some = found[(view["actor"] == 0) & (view["drawn"] >= 0)]
        seen, could = seen_in(some["view"]), some["fan"] > 0
        wins = win_features(seen)[could.any(2)].astype(np.float32)
        parts.append(
            (ready_features(seen).astype(np.float32), wins, could, some["view"]["hand"] > 0, some["game"].copy())
        )
    return Examples(*(np.concatenate(column) for column in zip(*parts)))


def fit(x: Array, y: Array) -> Array:
    """Weights of a logistic regression with a little ridge."""
    from scipy.optimize import minimize

    def loss(weights: Array) -> tuple[float, Array]:
        margins = x @ weights
        value = (np.logaddexp(0.0, margins) - y * margins).sum() + RIDGE / 2 * (weights @ weights)
        return float(value), x.T @ (logistic(margins) - y) + RIDGE * weights

    found = minimize(loss, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 500})
    return np.asarray(found.x)


def page(model: GuobiaoOpponents, folder: Path) -> str:
    """Text for the page, from hands that were not used in the fit."""
    d = load(folder)
    ready = logistic(d.ready @ model.ready)
    hands = np.repeat(d.hand[:, None], ready.shape[1], 1)
    wins = logistic(d.wins @ model.wins)
    dangers = np.zeros(d.could.shape)
    for found, rows in in_pieces(folder):
        said = model.predict(found["view"])
        dangers[rows] = said[0][:, :, None] * said[1]
    held = np.repeat(d.held[:, None], ready.shape[1], 1)
    every = np.repeat(hands[:, :, None], held.shape[2], 2)
    order = ordering(wins, d.could[d.is_ready], held[d.is_ready], hands[d.is_ready])
    return "\n\n".join(
        [
            f"{stamp(WHOLE)}\n- Data: {model.card['data']}; checked on {len(d.hand):,} turns of"
            f" {len(np.unique(d.hand)):,} other hands",
            f"Ready, {100 * d.is_ready.mean():.1f} % of the opponents: AUC"
            f" {auc(ready.reshape(-1), d.is_ready.reshape(-1)):.3f}. Ordering of the tiles in hand against a ready"
            f" opponent, as for the winning tile model above: {order} (random order: 0.5).",
            table_of_figures(
                ["predicted ready", "opponents", "predicted, %", "ready, %"],
                calibration(ready.reshape(-1), d.is_ready.reshape(-1), hands.reshape(-1), READY_GROUPS),
            ),
            table_of_figures(
                ["predicted deal-in", "tiles in hand", "predicted, %", "would deal in, %"],
                calibration(dangers[held], d.could[held], every[held], DANGER_GROUPS),
            ),
        ]
    )


def in_pieces(folder: Path) -> list[tuple[Array, slice]]:
    """The turns of each file, and their places among all turns."""
    out, at = [], 0
    for found, _ in pieces(folder):
        view = found["view"]
        some = found[(view["actor"] == 0) & (view["drawn"] >= 0)]
        out.append((some, slice(at, at + len(some))))
        at += len(some)
    return out


def ordering(chances: Array, could: Array, held: Array, hands: Array) -> str:
    """The share of other tiles in hand that are ranked safer than a winning one, ties counting half."""
    shares, of = [], []
    for guess, win, own, hand in zip(chances, could, held, hands):
        yes, no = guess[win & own], guess[~win & own]
        if len(yes) and len(no):
            shares.append(float(((yes[:, None] > no) + 0.5 * (yes[:, None] == no)).mean()))
            of.append(hand)
    found = ratio(np.array(shares), np.ones(len(shares)), np.array(of))
    return f"{found.value:.3f} ({found.low:.3f} to {found.high:.3f})"


if __name__ == "__main__":
    main()
