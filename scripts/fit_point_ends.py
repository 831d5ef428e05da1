"""Fit how a Guobiao hand ends after each choice, and check it on other hands.

python scripts/measure_deviations.py --out FIT --hands 10000
python scripts/measure_deviations.py --out TEST --hands 5000 --seed 2
python scripts/fit_point_ends.py FIT TEST           # writes models/weights/point_ends.npz and the calibration page
python scripts/fit_point_ends.py FIT TEST --print   # only prints

The model is `agents/learned/point_ends.py`. The choices played are random, so differences between results are effects
of the choices. Decisions after which somebody won on the discard at once are not used in the fit: the model of
opponents predicts these (`fit_guobiao_opponents.py`, which must run first).
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from _deviations import COMMAND, calibration, log_loss, pieces
from _page import stamp, table_of_figures, today, write_between
from janshi.agents.learned.agent import digest_of
from janshi.agents.learned.network import shipped
from janshi.agents.learned.point_ends import ENDS, FEATURES, NAME, OTHER, VERSION, PointEnds, features, later
from janshi.agents.learned.point_losses import gaps, opinions
from janshi.models.guobiao_opponents import shipped as shipped_opponents
from janshi.models.store import FOLDER
from janshi.rules.game import Array
from janshi.rules.guobiao import actions as act

RIDGE: Final = 5.0
"""Strength of the ridge penalty, in decisions."""
RARE: Final = 3.0
"""Choices with a larger gap than this are also checked separately."""
PAGE: Final = Path(__file__).resolve().parent.parent / "docs" / "review_calibration.md"
BEGIN, END = "<!-- point ends: begin -->", "<!-- point ends: end -->"
WHOLE: Final = f"{COMMAND} && python scripts/fit_point_ends.py FIT TEST"
GROUPS: Final = {
    "win": (0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 1.01),
    "lose": (0.0, 0.1, 0.15, 0.2, 0.25, 1.01),
    "draw": (0.0, 0.02, 0.05, 0.1, 0.2, 0.5, 1.01),
}
NAMES: Final = {"win": "win", "lose": "deal in", "draw": "draw"}


class Played(NamedTuple):
    """The choices played in some hands, except wins."""

    features: Array
    """float64[n, FEATURES]."""
    danger: Array
    gap: Array
    end: Array
    at_once: Array
    """Whether somebody won on the discard."""
    hand: Array


def main() -> None:
    """Fit, check and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fit", type=Path, help="measured hands to fit to")
    parser.add_argument("test", type=Path, help="other hands to check on")
    parser.add_argument("--out", type=Path, default=FOLDER / f"{NAME}.npz", help="the file to write")
    parser.add_argument("--print", action="store_true", help="write nothing")
    given = parser.parse_args()
    fitted, checked = load(given.fit), load(given.test)
    card = {
        "model": NAME,
        "feature version": VERSION,
        "fitted": today(),
        "command": WHOLE,
        "data": f"{len(fitted.end):,} decisions of {len(np.unique(fitted.hand)):,} hands between search players",
        "network": digest_of(shipped("rvr", "guobiao")),
    }
    model = PointEnds(fit(fitted), card)
    text = page(model, checked)
    print(text)
    if not given.print:
        model.save(given.out)
        write_between(PAGE, BEGIN, END, text)


def load(folder: Path) -> Played:
    """All decisions of a folder, except wins."""
    parts = []
    for found, _ in pieces(folder):
        some = found[found["action"] != act.HU]
        said = opinions(some["view"], some["chances"], some["values"], shipped_opponents())
        rows, taken = np.arange(len(some)), some["action"].astype(np.int64)
        about, danger, gap = (every[rows, taken] for every in (features(said), said.danger, gaps(said)))
        parts.append((about, danger, gap, some["end"].astype(np.int64), some["at_once"].copy(), some["game"].copy()))
    return Played(*(np.concatenate(column) for column in zip(*parts)))


def fit(d: Played) -> Array:
    """Weights of a multinomial logit with a little ridge."""
    from scipy.optimize import minimize

    x, end = d.features[~d.at_once], d.end[~d.at_once]
    happened = np.eye(len(ENDS))[end]

    def loss(flat: Array) -> tuple[float, Array]:
        chances = later(x, flat.reshape(len(FEATURES), OTHER))
        slope = (x.T @ (chances - happened))[:, :OTHER].reshape(-1)
        return log_loss(chances, end) * len(end) + RIDGE / 2 * float(flat @ flat), slope + RIDGE * flat

    start = np.zeros(len(FEATURES) * OTHER)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 500})
    return np.asarray(found.x.reshape(len(FEATURES), OTHER))


def page(model: PointEnds, d: Played) -> str:
    """Text for the calibration page."""
    chances = later(d.features, model.weights) * (1.0 - d.danger)[:, None]
    chances[:, ENDS.index("lose")] += d.danger
    usual = np.bincount(d.end, minlength=len(ENDS)) / len(d.end)
    parts = [
        f"{stamp(WHOLE)}\n- Data: {model.card['data']}; checked on {len(d.end):,} decisions of"
        f" {len(np.unique(d.hand)):,} other hands",
        f"Log loss of the four ends: {log_loss(chances, d.end):.3f}; by how often each end occurs:"
        f" {log_loss(np.repeat(usual[None], len(d.end), 0), d.end):.3f}.",
    ]
    rare = d.gap > RARE
    for end, name in NAMES.items():
        place = ENDS.index(end)
        rows = []
        for group, inside in (("all", slice(None)), ("rare choices", rare)):
            some = chances[inside, place], d.end[inside] == place, d.hand[inside]
            rows += [[group, *row] for row in calibration(*some, GROUPS[end])]
        head = ["choices", f"predicted to {name}", "decisions", "predicted, %", "observed, %"]
        parts.append(table_of_figures(head, rows))
    return "\n\n".join(parts)


if __name__ == "__main__":
    main()
