"""Fit what a choice costs to luck-free results of decisions in recorded games, and write the shipped weights.

python scripts/measure_choices.py --out FIT houou-2018.tar.xz houou-2020.tar.xz
python scripts/fit_losses.py FIT                      # writes models/weights/choice_losses.npz
python scripts/fit_losses.py FIT --print              # only prints the weights

The loss of a choice is a weighted sum of features (`agents.learned.losses`). According to the value function for luck,
the value of the position falls by the loss of the choice played; on average it would fall by what experts usually lose
there. So the fall over the next draws, without luck, is regressed on the features of the choice played minus their
mean over the experts' choices. Then positions in which experts often disagree are not mistaken for errors. Weights are
non-negative. Decisions count less when more is at stake, because their results are noisier.

A few draws later, the value is less noisy than at the end of the hand, but it depends on the value function. So the
draws determine the weights, and the end of the hand determines one factor for all of them.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final

import numpy as np

from _choices import Choices, load_choices
from _page import table_of_figures, today, write_between
from janshi.agents.learned.agent import digest_of
from janshi.agents.learned.apprentice import NAME as NETWORK
from janshi.agents.learned.losses import FEATURES, NAME, VERSION, ChoiceLosses
from janshi.agents.learned.network import shipped
from janshi.arena.stats import Estimate, ratio
from janshi.luck.afterwards import STEPS
from janshi.luck.value import shipped as luck_value
from janshi.models.store import FOLDER
from janshi.rules.game import Array

DRAWS: Final = 8
"""Number of draws after which the fall in value is measured: about two go-arounds."""
Z: Final = 1.96
PAGE: Final = Path(__file__).resolve().parent.parent / "docs" / "apprentice.md"
BEGIN, END = "<!-- losses: begin -->", "<!-- losses: end -->"


def main() -> None:
    """Fit, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, help="measurements of games, from measure_choices.py")
    parser.add_argument("--draws", type=int, choices=STEPS, default=DRAWS, help="draws over which the value falls")
    parser.add_argument("--out", type=Path, default=FOLDER / f"{NAME}.npz", help="the file to write")
    parser.add_argument("--print", action="store_true", help="write nothing")
    given = parser.parse_args()
    choices = load_choices(given.folders)
    fallen = -choices.soon[:, STEPS.index(given.draws)]
    weights, errors = fit(choices, fallen)
    factor = slope(choices, weights)
    scaled = weights * factor.value
    card = card_of(choices, scaled, errors * factor.value, given.draws, factor)
    for name, value in card.items():
        print(f"{name}: {value}")
    if not given.print:
        ChoiceLosses(scaled, card).save(given.out)
        write_between(PAGE, BEGIN, END, table_of_weights(card))


def table_of_weights(card: dict[str, Any]) -> str:
    """The network page's part about the weights and their origin."""
    rows = [[name, weight] for name, weight in card["weights"].items()]
    made = f"- Fitted {card['fitted']} to {card['data']}\n- Factor from the end of the hand: {card['factor']}"
    lost = card["mean loss of a player in a game"]
    lines = [f"{made}\n- Command: `{card['command']}`\n- Mean loss of a player in these games: {lost:.3f} places"]
    return "\n\n".join([*lines, table_of_figures(["feature", "weight"], rows)])


def fit(c: Choices, fallen: Array) -> tuple[Array, Array]:
    """The weights, none negative, and the 95 % half-widths of a fit without that bound, clustered by game."""
    from scipy.optimize import nnls

    x = c.centred
    weighed = x * c.weight[:, None]
    square, sums = weighed.T @ x, weighed.T @ fallen
    root = np.linalg.cholesky(square)
    weights, _ = nnls(root.T, np.linalg.solve(root, sums))
    free = np.linalg.solve(square, sums)
    scores = np.zeros((len(c.ranks), len(FEATURES)))
    np.add.at(scores, c.game, weighed * (fallen - x @ free)[:, None])
    inverse = np.linalg.inv(square)
    return weights, Z * np.sqrt(np.diag(inverse @ (scores.T @ scores) @ inverse))


def slope(c: Choices, weights: Array) -> Estimate:
    """Places lost by the end of the hand per predicted place, both relative to what experts usually lose there."""
    x = c.centred @ weights
    return ratio(c.weight * x * c.fallen, c.weight * x * x, c.game)


def card_of(c: Choices, weights: Array, errors: Array, draws: int, factor: Estimate) -> dict[str, Any]:
    """How the weights were made."""
    return {
        "model": NAME,
        "feature version": VERSION,
        "fitted": today(),
        "command": "python scripts/fit_losses.py FIT",
        "data": f"{len(c.ranks):,} games of houou tables, 2018 and 2020, {len(c.game):,} open decisions",
        "network": digest_of(shipped(NETWORK, "riichi")),
        "value function": luck_value().name,
        "target": f"fall of the value over {draws} draws without luck, times a factor from the end of the hand",
        "factor": f"{factor.value:.3f} ({factor.low:.3f} to {factor.high:.3f})",
        "weights": {name: f"{w:.4f} ± {e:.4f}" for name, w, e in zip(FEATURES, weights, errors)},
        "mean loss of a player in a game": round(float((c.played @ weights).sum() / c.ranks.size), 4),
    }


if __name__ == "__main__":
    main()
