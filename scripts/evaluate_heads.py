"""Measure the apprentice's predictions of hidden hands on the positions of docs/models.md, and write them to its page.

    python scripts/evaluate_heads.py DATA --test-packs houou-2022

Positions, measures and intervals are those of `evaluate_network.py`, sampled with the same seed. `--every 10` uses
only every tenth position.
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from _page import stamp, table_of_figures, write_between
from evaluate_models import SEED
from evaluate_network import compare, mean
from janshi.agents.learned.apprentice import ApprenticeAgent
from janshi.agents.learned.tokens import Guess
from janshi.features import hand_score, waiting, winning_tile
from janshi.fitting import evaluation as ev
from janshi.fitting.data import Source
from janshi.fitting.measures import auc, auc_within
from janshi.fitting.roles import add_roles, chosen_roles
from janshi.models.hand_score import HandScoreModel
from janshi.models.waiting import WaitingModel
from janshi.models.winning_tile import WinningTileModel
from janshi.records.dataset import Dataset
from janshi.rules.registry import make_game

PAGE = Path(__file__).resolve().parent.parent / "docs" / "apprentice.md"
BEGIN, END = "<!-- heads: written by scripts/evaluate_heads.py -->", "<!-- end of heads -->"
HEAD = ["", "linear models", "apprentice", "difference"]
BINS = (0.0, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 1.0)
"""Bounds of groups of predicted chances."""
TIMES = 400


def thinned(sample: ev.Sample, every: int) -> ev.Sample:
    """Every n-th position of a sample."""
    chosen = slice(None, None, every)
    positions = type(sample.positions)(*(part[chosen] for part in sample.positions))
    return ev.Sample(positions, sample.opponents[chosen], sample.kinds[chosen], sample.games[chosen])


class Heads:
    """The apprentice and the linear models on the same positions."""

    def __init__(self, source: Source, every: int, engine: str) -> None:
        self.agent = ApprenticeAgent(make_game("riichi/tenhou"), engine=engine)
        drawn = ev.draw_samples(source, SEED)
        self.waits, self.wins, self.scores = (
            thinned(sample, every) for sample in (drawn.waiting, drawn.winning, drawn.score)
        )

    def guess(self, sample: ev.Sample) -> Guess:
        """The network's outputs for a sample's positions."""
        return self.agent.guess(sample.positions.views)

    def waiting(self, said: Guess) -> list[list[Any]]:
        """AUC of tenpai."""
        sample, lists = self.waits, ev.waiting_lists(self.waits)
        labels = lists.labels > 0
        linear = ev.margins(lists, WaitingModel.load().weights, waiting.LAYOUT.map())
        ours = said.tenpai[np.arange(len(sample.opponents)), sample.opponents]
        groups = sample.of_opponent("discards").astype(int) * 8 + sample.of_opponent("melds")

        def plain(guess: Any, chosen: Any) -> float:
            return auc(guess[chosen], labels[chosen])

        def within(guess: Any, chosen: Any) -> float:
            return auc_within(guess[chosen], labels[chosen], groups[chosen])

        return [
            ["waiting: AUC", *compare(plain, linear, ours, sample.games, TIMES)],
            ["– within the same turn and melds", *compare(within, linear, ours, sample.games, TIMES // 4)],
        ]

    def winning(self) -> list[list[Any]]:
        """Ordering of tiles in hand by danger."""
        sample, lists = self.wins, ev.winning_lists(self.wins)
        linear = ev.margins(lists, WinningTileModel.load().weights, winning_tile.LAYOUT.map())
        ours = self.guess(sample).rons[lists.places[:, 0], lists.places[:, 1], lists.places[:, 2]]
        values = [ev.orderings(sample, lists, np.asarray(guess, np.float64)) for guess in (linear, ours)]
        riichi = sample.of_opponent("riichi") > 0
        rows = [["winning tile: ordering", *compare(mean, *values, sample.games, TIMES)]]
        for name, mask in (("– riichi", riichi), ("– others", ~riichi)):
            rows.append([name, *compare(mean, *(v[mask] for v in values), sample.games[mask], TIMES)])
        return rows

    def score(self) -> list[list[Any]]:
        """Squared error of the logarithm of the payment."""
        sample, lists = self.scores, ev.score_lists(self.scores)
        truth = np.log(lists.labels)
        linear = ev.margins(lists, HandScoreModel.load().weights, hand_score.LAYOUT.map())
        ours = np.log(self.guess(sample).value[np.arange(len(truth)), sample.opponents, sample.kinds])
        errors = [(guess - truth) ** 2 for guess in (linear, ours)]
        return [["hand score: MSE of ln(points)", *compare(mean, *errors, sample.games, TIMES)]]

    def calibration(self, said: Guess) -> str:
        """Predicted and actual chances that the opponent in question wins on a kind in the player's hand."""
        sample = self.waits
        rows = np.arange(len(sample.opponents))
        held = sample.positions.views["hand"] > 0
        guess = said.rons[rows, sample.opponents][held]
        truth = (sample.positions.payments[rows, sample.opponents] > 0)[held]
        lines = []
        for low, high in pairwise(BINS):
            inside = (guess >= low) & (guess < high)
            if inside.sum() >= 100:
                found = [100 * guess[inside].mean(), 100 * truth[inside].mean()]
                lines.append([f"{100 * low:g} – {100 * high:g}", f"{inside.sum():,}", *(f"{x:.2f}" for x in found)])
        return table_of_figures(["predicted, %", "tiles", "mean prediction, %", "happened, %"], lines)


def main() -> None:
    """Read arguments, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the data set")
    parser.add_argument("--every", type=int, default=1, help="use only every n-th position")
    parser.add_argument("--engine", default="", help="what computes the network: onnx is faster, if installed")
    parser.add_argument("--dry", action="store_true", help="print only")
    add_roles(parser)
    args = parser.parse_args()
    source = Source(Dataset(args.data), chosen_roles(args))
    heads = Heads(source, args.every, args.engine)
    said = heads.guess(heads.waits)
    rows = [*heads.waiting(said), *heads.winning(), *heads.score()]
    thin = f" --every {args.every}" if args.every > 1 else ""
    counts = [len(sample.kinds) for sample in (heads.waits, heads.wins, heads.scores)]
    parts = [
        stamp(f"python scripts/evaluate_heads.py DATA{source.roles.options}{thin}"),
        "Positions: {:,} for waiting, {:,} for winning tiles, {:,} for the hand score.".format(*counts),
        table_of_figures(HEAD, rows),
        "Deal-ins: the chance that the opponent in question wins on a kind in the player's hand, at the positions for "
        "waiting (opponents without riichi).",
        heads.calibration(said),
    ]
    text = "\n\n".join(parts)
    print(text)
    if not args.dry:
        write_between(PAGE, BEGIN, END, f"\n{text}\n")


if __name__ == "__main__":
    main()
