"""Fit the weights of `agents/weigher` to the worth of all choices of some Guobiao decisions, and judge them.

python scripts/measure_branches.py --out NEAR --often 0.7 --seed 3 --hands 1400
python scripts/measure_branches.py --out NEAR --often 1 --calls --seed 4 --hands 400
python scripts/measure_followed.py --out LATER --hands 4600
python scripts/fit_weigher.py NEAR LATER --out weights.npz

Worths right after a choice have little noise, but the values of draws have errors, which a fit exploits. They are found
in other hands: what positions turned out to be worth some draws later, minus their worth at once, is regressed on the
features of the choice that led there, and the result is added to the worths.
"""

from __future__ import annotations

import argparse
import hashlib
import os
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import torch

from _page import stamp, table_of_figures, today
from janshi.agents.weigher.agent import MARGIN
from janshi.agents.weigher.features import FEATURES
from janshi.agents.weigher.worths import Worths
from janshi.learn.full_feedback import Evidence, Layers, fit, mean_of, relevance
from janshi.luck.points.followed import HORIZONS
from janshi.rules.game import Array
from janshi.rules.guobiao import actions as act

FOLDS: Final = 3
HIDDEN, PASSES, DECAY = 64, 12, 0.3
PENALTY: Final = 1000.0
"""Ridge penalty of the correction, over features in their usual sizes."""
CORRECTED: Final = 3
"""The horizon whose worths are aimed at: 16 draws."""
LATER: Final = (*(f"{draws} draws later" for draws in HORIZONS[1:]), "at the end")
FEWEST: Final = 30
"""Groups of fewer changes are left out of the table."""
TURNS: Final = (0, 8, 16, 24, 32, 48, 200)
COMMAND: Final = "python scripts/fit_weigher.py NEAR LATER"


class Tried(NamedTuple):
    """Decisions and their choices."""

    evidence: Evidence
    action: Array
    """int64[n]."""
    played: Array
    """The row of what the search does, int64[m]."""
    hand: Array
    """The hand of each decision, int64[m]."""
    turns: Array
    """Discards before each decision, int64[m]."""
    hands: int


class Followed(NamedTuple):
    """Choices, and what became of them."""

    about: Array
    """Features, float64[n, FEATURES]."""
    risen: Array
    """Worth at each horizon but the first and at the end, minus the worth at once, float64[n, horizons]."""
    hand: Array
    hands: int


class Correction(NamedTuple):
    """How much more features are worth later than at once."""

    weights: Array
    covariance: Array

    def of(self, features: Array) -> tuple[float, float]:
        """The correction of some features, and its standard error."""
        return float(features @ self.weights), float(np.sqrt(features @ self.covariance @ features))


def main() -> None:
    """Fit, write and judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("near", type=Path, help="decisions whose choices were tried")
    parser.add_argument("later", type=Path, help="choices that were followed")
    parser.add_argument("--seeds", type=int, default=3, help="networks whose mean is the player's")
    parser.add_argument("--out", type=Path, required=True, help="the file to write")
    given = parser.parse_args()
    torch.set_num_threads(1)
    near, later = load_tried(given.near), load_followed(given.later)
    layers = fitted(corrected(near, correction(later, CORRECTED)), given.seeds)
    Worths(*layers, card_of(near, later, given.seeds)).save(given.out)
    print(page(near, later))


# --- measurements


def load_tried(folder: Path) -> Tried:
    """All decisions of a folder with two or more choices, the search's among them."""
    columns, decisions, hands = list[tuple[Array, ...]](), 0, 0
    for file in sorted(folder.glob("*.npz")):
        with np.load(file) as stored:
            found, tried = stored["decisions"], stored["branches"]
        own = tried["decision"]
        columns.append(
            (
                tried["about"],
                tried["worth"][:, 0].astype(np.float64),
                tried["action"].astype(np.int64),
                own.astype(np.int64) + decisions,
                tried["action"] == found["action"][own],
                found["game"][own].astype(np.int64) + hands,
                found["view"]["turns"][own].astype(np.int64),
            )
        )
        decisions, hands = decisions + len(found), hands + int(found["game"].max()) + 1
    return tried_of(*map(np.concatenate, zip(*columns)), hands)


def tried_of(
    about: Array, worth: Array, action: Array, decision: Array, played: Array, hand: Array, turns: Array, hands: int
) -> Tried:
    """From one row for each choice."""
    kept = (np.bincount(decision)[decision] > 1) & (np.bincount(decision, played)[decision] > 0)
    about, worth, action, decision, played, hand, turns = (
        column[kept] for column in (about, worth, action, decision, played, hand, turns)
    )
    first = np.flatnonzero(np.diff(decision, prepend=-1))
    values = np.exp(about[:, FEATURES.index("wins at speed 1, logarithm")].astype(np.float64))
    evidence = Evidence(about, worth, first, relevance(values, first))
    return Tried(evidence, action, np.flatnonzero(played), hand[first], turns[first], hands)


def load_followed(folder: Path) -> Followed:
    """All choices of a folder."""
    parts, hands, hand = [], 0, []
    for file in sorted(folder.glob("*.npz")):
        with np.load(file) as stored:
            parts.append(stored["followed"])
        hand.append(parts[-1]["game"].astype(np.int64) + hands)
        hands += int(parts[-1]["game"].max()) + 1
    about = np.concatenate([part["about"] for part in parts]).astype(np.float64)
    worth = np.concatenate([part["worth"] for part in parts]).astype(np.float64)
    return Followed(about, worth[:, 1:] - worth[:, :1], np.concatenate(hand), hands)


# --- fitting


def correction(later: Followed, horizon: int, rows: Array | slice = slice(None)) -> Correction:
    """Ridge regression of the rise in worth on features, with errors clustered by hand."""
    size = later.about.std(0) + 1e-3
    x, y = later.about[rows] / size, later.risen[rows, horizon - 1]
    x, y = x - x.mean(0), y - y.mean()
    inverse = np.linalg.inv(x.T @ x + PENALTY * np.eye(len(size)))
    weights = inverse @ (x.T @ y)
    scores = np.zeros((later.hands, len(size)))
    np.add.at(scores, later.hand[rows], x * (y - x @ weights)[:, None])
    return Correction(weights / size, inverse @ (scores.T @ scores) @ inverse / np.outer(size, size))


def corrected(near: Tried, more: Correction) -> Evidence:
    """Evidence with worths as they turn out later."""
    e = near.evidence
    return e._replace(worth=e.worth + e.about.astype(np.float64) @ more.weights)


def fitted(evidence: Evidence, seeds: int) -> Layers:
    """The mean of some networks."""
    return mean_of([fit(evidence, HIDDEN, PASSES, decay=DECAY, seed=seed) for seed in range(seeds)])


def part_of(evidence: Evidence, chosen: Array) -> Evidence:
    """Some decisions, bool[m]."""
    rows = chosen[evidence.decision]
    first = np.concatenate([[0], np.cumsum(evidence.sizes[chosen])[:-1]])
    return Evidence(evidence.about[rows], evidence.worth[rows], first, evidence.relevance[rows])


def cross_fitted(e: Evidence, hand: Array) -> Array:
    """Scores by networks that were fitted to other hands, float64[n]."""
    scores, fold = np.zeros(len(e.worth)), hand % FOLDS
    for one in range(FOLDS):
        own = (fold == one)[e.decision]
        scores[own] = fitted(part_of(e, fold != one), 1)(e.about[own].astype(np.float64))
    return scores


# --- page


def chosen_by(near: Tried, scores: Array, margin: float) -> Array:
    """The rows that a player with these scores takes, int64[m]."""
    best = near.evidence.best(scores)
    return np.where(scores[best] > scores[near.played] + margin, best, near.played)


def judged(near: Tried, chosen: Array, others: list[Correction]) -> list[str]:
    """The gain of choices over the search's, in points a decision: at once, later and at the end."""
    e = near.evidence
    gained = e.worth[chosen] - e.worth[near.played]
    moved = (e.about[chosen] - e.about[near.played]).mean(0, dtype=np.float64)
    error = np.sqrt((np.bincount(near.hand, gained - gained.mean()) ** 2).sum()) / len(gained)
    found = [(gained.mean(), error)]
    for more in others:
        value, own = more.of(moved)
        found.append((gained.mean() + value, np.hypot(error, own)))
    return [f"{100 * (chosen != near.played).mean():.1f}", *(f"{v:+.3f} ± {1.96 * s:.3f}" for v, s in found)]


def page(near: Tried, later: Followed) -> str:
    """Tables: gains by cross-fitting, with corrections from the other half of the followed hands."""
    half = later.hand % 2 == 0
    others = [correction(later, i + 1, ~half) for i in range(len(LATER))]
    plain = cross_fitted(near.evidence, near.hand)
    scores = cross_fitted(corrected(near, correction(later, CORRECTED, half)), near.hand)
    rows = [
        ["fitted to worths at once", *judged(near, chosen_by(near, plain, 0.0), others)],
        *(
            [f"corrected, margin {margin:g}", *judged(near, chosen_by(near, scores, margin), others)]
            for margin in (0.0, MARGIN, 2 * MARGIN)
        ),
    ]
    return "\n\n".join(
        [
            f"{stamp(COMMAND)}\n- Tried: {len(scores):,} choices of {len(near.played):,} decisions in {near.hands:,}"
            f" hands\n- Followed: {len(later.hand):,} choices in {later.hands:,} other hands",
            table_of_figures(["network", "other choices, %", "gain at once", *LATER], rows),
            table_of_figures(
                ["change", "share of decisions, %", "gain of each at once", "16 draws later"],
                rows_of_changes(near, chosen_by(near, scores, MARGIN), others[CORRECTED - 1]),
            ),
        ]
    )


def rows_of_changes(near: Tried, chosen: Array, more: Correction) -> list[list[Any]]:
    """Where choices differ from the search's, and what that gains."""
    names = np.array(["discard", "chi", "peng", "kong", "pass"])
    bounds = [act.CHI, act.PENG, act.KONG, act.HU]
    before, after = (names[np.searchsorted(bounds, near.action[rows], side="right")] for rows in (near.played, chosen))
    groups = [
        *((f"turns {a} to {b}", (near.turns >= a) & (near.turns < b)) for a, b in pairwise(TURNS)),
        *((f"{a} → {b}", (before == a) & (after == b)) for a in names for b in names),
    ]
    out, e = [], near.evidence
    for name, rows in groups:
        some = np.flatnonzero(rows & (chosen != near.played))
        if len(some) >= FEWEST:
            new, old = chosen[some], near.played[some]
            gained = e.worth[new] - e.worth[old]
            value, own = more.of((e.about[new] - e.about[old]).mean(0, dtype=np.float64))
            error = gained.std(ddof=1) / len(some) ** 0.5
            both = (gained.mean(), error), (gained.mean() + value, np.hypot(error, own))
            share = f"{100 * len(some) / len(chosen):.2f}"
            out.append([name, share, *(f"{v:+.2f} ± {1.96 * s:.2f}" for v, s in both)])
    return out


def card_of(near: Tried, later: Followed, seeds: int) -> dict[str, Any]:
    """How the weights were made."""
    worths = near.evidence.worth.astype(np.float32).tobytes() + later.risen.astype(np.float32).tobytes()
    return {
        "made": today(),
        "command": COMMAND,
        "rules": "guobiao/botzone",
        "players": "search",
        "hands": near.hands + later.hands,
        "decisions": len(near.played),
        "choices": len(near.action),
        "choices followed": len(later.hand),
        "network": {"hidden": HIDDEN, "passes": PASSES, "decay": DECAY, "seeds": list(range(seeds))},
        "correction": {"draws": HORIZONS[CORRECTED], "penalty": PENALTY},
        "evidence": hashlib.sha256(worths).hexdigest()[:16],
    }


if __name__ == "__main__":
    main()
