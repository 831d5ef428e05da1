"""Fit how a choice changes the chances of winning, dealing in and drawing, and check it on other games.

python scripts/measure_ends.py --out DATA --games 480 houou-2022.tar.xz
python scripts/fit_ends.py DATA                       # writes models/weights/choice_ends.npz and docs/apprentice.md
python scripts/fit_ends.py DATA --print               # only prints

The model is `agents/learned/ends.py`. Games are sorted by a hash of their names; every second one is used for fitting,
the others for checking.
"""

from __future__ import annotations

import argparse
import hashlib
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from _page import table_of_figures, this_machine, today, write_between
from janshi.agents.learned.agent import digest_of
from janshi.agents.learned.apprentice import NAME as NETWORK
from janshi.agents.learned.ends import (
    ENDS,
    FEATURES,
    NAME,
    OTHER,
    VERSION,
    WIN,
    WIN_ONLY,
    ChoiceEnds,
    basis,
    features,
)
from janshi.agents.learned.losses import Position, joined, shares
from janshi.agents.learned.network import shipped
from janshi.arena.stats import ratio
from janshi.models.store import FOLDER
from janshi.rules.game import Array
from janshi.rules.riichi import actions as act

RIDGE: Final = 20.0
"""Strength of the ridge penalty, in decisions."""
PAGE: Final = Path(__file__).resolve().parent.parent / "docs" / "apprentice.md"
BEGIN, END = "<!-- ends: begin -->", "<!-- ends: end -->"
COMMAND: Final = (
    "python scripts/measure_ends.py --out DATA --games 480 houou-2022.tar.xz && python scripts/fit_ends.py DATA"
)
RARE: Final = 0.2
"""Choices that experts make less often than this are also checked separately."""


class Played(NamedTuple):
    """The choices played in some games."""

    basis: Array
    """Logarithms of chances without features, float64[n, 4]."""
    features: Array
    """float64[n, FEATURES]."""
    experts: Array
    """How often experts make the choice."""
    ended: Array
    game: Array

    @property
    def games(self) -> int:
        """Number of games."""
        return len(np.unique(self.game))


def main() -> None:
    """Fit, check and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="measurements of games, from measure_ends.py")
    parser.add_argument("--out", type=Path, default=FOLDER / f"{NAME}.npz", help="the file to write")
    parser.add_argument("--print", action="store_true", help="write nothing")
    given = parser.parse_args()
    files = sorted(given.folder.glob("*.npz"), key=lambda file: hashlib.sha256(file.stem.encode()).digest())
    for_fit, for_check = load(files[::2]), load(files[1::2])
    weights = fit(for_fit)
    text = page(weights, for_fit, for_check)
    print(text)
    if not given.print:
        card = {
            "model": NAME,
            "feature version": VERSION,
            "fitted": today(),
            "command": COMMAND,
            "data": f"{len(for_fit.ended):,} decisions of {for_fit.games:,} games of houou-2022",
            "network": digest_of(shipped(NETWORK, "riichi")),
        }
        ChoiceEnds(weights, card).save(given.out)
        write_between(PAGE, BEGIN, END, text)


def load(files: list[Path]) -> Played:
    """The choices played in some games, except those that end the hand."""
    parts = [_load(file) for file in files]
    game = np.repeat(np.arange(len(files)), [len(part[-1]) for part in parts])
    return Played(*(np.concatenate(column) for column in zip(*parts)), game)


def _load(file: Path) -> tuple[Array, ...]:
    with np.load(file) as stored:
        d = {name: stored[name] for name in stored.files}
    none: Any = None
    at = Position(
        *(d["policy"].astype(np.float32), d["legal"], d["drawn"], d["danger"].astype(np.float64)),
        *(d["tenpai"].astype(np.float64), d["riichi"], none),
    )
    rows, taken = np.arange(len(d["action"])), d["action"].astype(np.int64)
    about = features(at, d["races"].astype(np.float64))[rows, taken]
    experts = joined(shares(at.policy, at.legal), at.legal, at.drawn)[rows, taken]
    kept = ~np.isin(taken, (act.TSUMO, act.RON, act.NINE_TERMINALS))
    return basis(at, d["ends"])[rows, taken][kept], about[kept], experts[kept], d["ended"][kept]


def chances(weights: Array, some: Played) -> Array:
    """The chances of the ends, float64[n, 4]."""
    logits = some.basis.copy()
    logits[:, :OTHER] += some.features @ weights
    odds = np.exp(logits - logits.max(1, keepdims=True))
    return np.asarray(odds / odds.sum(1, keepdims=True))


def fit(some: Played) -> Array:
    """The weights, float64[FEATURES, 3], by maximum likelihood with a small ridge."""
    from scipy.optimize import minimize

    rows, right = np.arange(len(some.ended)), np.eye(len(ENDS))[some.ended]
    free = np.ones((len(FEATURES), OTHER))
    free[list(WIN_ONLY), WIN + 1 :] = 0.0

    def cost(flat: Array) -> tuple[float, Array]:
        weights = flat.reshape(len(FEATURES), OTHER) * free
        found = chances(weights, some)
        slope = some.features.T @ (found - right)[:, :OTHER] + RIDGE * weights
        return float(-np.log(found[rows, some.ended]).sum() + RIDGE / 2 * (weights**2).sum()), (slope * free).ravel()

    found = minimize(cost, np.zeros(len(FEATURES) * OTHER), jac=True).x
    return np.asarray(found.reshape(len(FEATURES), OTHER) * free)


def page(weights: Array, fitted: Played, checked: Played) -> str:
    """The network page's part about the weights and their accuracy."""
    found, plain = chances(weights, checked), chances(np.zeros_like(weights), checked)
    rows, rare = np.arange(len(found)), checked.experts < RARE
    lines = [
        f"- Fitted {today()} to {len(fitted.ended):,} decisions of {fitted.games:,} games of houou-2022, checked on "
        f"{len(checked.ended):,} of {checked.games:,} others; the network learned from neither\n"
        f"- Machine: {this_machine()}\n"
        f"- Command: `{COMMAND}`",
        f"Surprise (mean of −log of the chance of how the hand ended): {surprise(found, checked, rows >= 0):.4f} with"
        f" the choice, {surprise(plain, checked, rows >= 0):.4f} without its features; where experts make the choice"
        f" less than {RARE:.0%} of the time, {surprise(found, checked, rare):.4f} and"
        f" {surprise(plain, checked, rare):.4f}.",
    ]
    names = [f"{name}: {what}" for name in ENDS[:OTHER] for what in ("said", "seen")]
    table = []
    for label, some in groups(checked):
        row: list[Any] = [label, f"{int(some.sum()):,}"]
        for end in range(OTHER):
            seen = (checked.ended[some] == end).astype(np.float64)
            share = ratio(seen, np.ones(len(seen)), checked.game[some])
            row += [f"{found[some, end].mean():.1%}", f"{share.value:.1%} ({share.low:.1%} to {share.high:.1%})"]
        table.append(row)
    lines.append(table_of_figures(["choices", "number", *names], table))
    weighs = [[name, *(f"{w:+.3f}" for w in weights[i])] for i, name in enumerate(FEATURES)]
    lines.append(table_of_figures(["weight of", *ENDS[:OTHER]], weighs))
    return "\n\n".join(lines)


def surprise(found: Array, some: Played, rows: Array) -> float:
    """Mean of minus the logarithm of the chance of what happened."""
    return float(-np.log(found[np.arange(len(found)), some.ended])[rows].mean())


def groups(some: Played) -> list[tuple[str, Array]]:
    """Groups of choices by how often experts make them."""
    bounds = (0.0, 0.02, 0.05, 0.1, 0.2, 0.5, 0.9, 1.01)
    return [
        (f"experts make it {low:.0%} to {min(high, 1):.0%}", (some.experts >= low) & (some.experts < high))
        for low, high in pairwise(bounds)
    ]


if __name__ == "__main__":
    main()
