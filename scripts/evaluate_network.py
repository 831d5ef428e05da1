"""Compare the network with the linear models on the test pack, and write the figures into docs/network.md.

    python scripts/evaluate_network.py DATA

DATA is the data set. The positions are those of `evaluate_models.py`, drawn with the same seed; intervals are 95 %,
by bootstrap over games. Weights are those shipped, or those in the folder `--weights`.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

from _page import stamp, table_of_figures, write_between
from evaluate_models import SEED, TIMES, share
from janshi.features import hand_score, waiting, winning_tile
from janshi.fitting import evaluation as ev
from janshi.fitting.data import Source
from janshi.fitting.measures import Figure, auc, auc_within, bootstrap
from janshi.fitting.roles import add_roles, chosen_roles
from janshi.models import network as nn
from janshi.models.hand_score import HandScoreModel
from janshi.models.opponents import OPPONENTS_DTYPE, OpponentModels, new_scratch, predict_all
from janshi.models.waiting import WaitingModel
from janshi.models.winning_tile import WinningTileModel
from janshi.records.dataset import Dataset

PAGE = Path(__file__).resolve().parent.parent / "docs" / "network.md"
BEGIN, END = "<!-- figures: written by scripts/evaluate_network.py -->", "<!-- end of figures -->"
HEAD = ["", "linear", "network", "difference"]
VIEWS = 100
"""Views in a timed batch."""


def compare(measure: Any, linear: Any, network: Any, games: Any, times: int = TIMES) -> list[Figure]:
    """A measure for both models, and for the difference (network minus linear) over the same resampled games."""
    return [
        bootstrap(lambda c: measure(linear, c), games, times=times),
        bootstrap(lambda c: measure(network, c), games, times=times),
        bootstrap(lambda c: measure(network, c) - measure(linear, c), games, times=times),
    ]


def mean(values: Any, chosen: Any) -> float:
    """The mean of chosen values."""
    return float(values[chosen].mean())


class Comparison:
    """The linear models and the network on the same positions."""

    def __init__(self, source: Source, weights: Path | None) -> None:
        self.source = source
        self.network = nn.OpponentNetwork.load(weights / "network.npz" if weights else None)
        self.samples = ev.draw_samples(source, SEED)

    def said(self, sample: ev.Sample) -> Any:
        """The network's output for the chosen opponents: NETWORK_DTYPE and their numbers."""
        return self.network.predict(sample.positions.views), np.arange(len(sample.opponents)), sample.opponents

    def waiting(self) -> list[list[Any]]:
        """AUC of the waiting models."""
        sample = self.samples.waiting
        lists = ev.waiting_lists(sample)
        labels = lists.labels > 0
        linear = ev.margins(lists, WaitingModel.load().weights, waiting.LAYOUT.map())
        said, at, opponents = self.said(sample)
        network = said["waiting"][at, opponents]
        groups = sample.of_opponent("discards").astype(int) * 8 + sample.of_opponent("melds")
        inside = np.nonzero(sample.unseen)[0]

        def plain(guess: Any, chosen: Any) -> float:
            return auc(guess[chosen], labels[chosen])

        def within(guess: Any, chosen: Any) -> float:
            return auc_within(guess[chosen], labels[chosen], groups[chosen])

        def unseen(guess: Any, chosen: Any) -> float:
            return plain(guess, inside[chosen])

        return [
            ["waiting: AUC", *compare(plain, linear, network, sample.games)],
            ["– within the same turn and melds", *compare(within, linear, network, sample.games, TIMES // 4)],
            ["– unseen players", *compare(unseen, linear, network, sample.games[inside])],
        ]

    def winning(self) -> list[list[Any]]:
        """Ordering of the winning tile models."""
        sample = self.samples.winning
        lists = ev.winning_lists(sample)
        linear = ev.margins(lists, WinningTileModel.load().weights, winning_tile.LAYOUT.map())
        said = self.network.predict(sample.positions.views)
        network = said["winning"][lists.places[:, 0], lists.places[:, 1], lists.places[:, 2]]
        values = [ev.orderings(sample, lists, np.asarray(guess, np.float64)) for guess in (linear, network)]
        riichi, melds = sample.of_opponent("riichi") > 0, sample.of_opponent("melds")
        rows = [["winning tile: ordering", *compare(mean, *values, sample.games)]]
        for name, mask in (
            ("– riichi", riichi),
            ("– closed", ~riichi & (melds == 0)),
            ("– open", ~riichi & (melds > 0)),
            ("– unseen players", sample.unseen),
        ):
            rows.append([name, *compare(mean, *(v[mask] for v in values), sample.games[mask])])
        return rows

    def score(self) -> list[list[Any]]:
        """Squared error of the logarithm of the payment."""
        rows = []
        for name, sample, paid in (
            ("hand score: MSE of ln(points)", self.samples.score, None),
            ("– deal-ins that happened", self.samples.deal_ins, self.samples.paid),
        ):
            lists = ev.score_lists(sample)
            truth = np.log(lists.labels if paid is None else paid)
            linear = ev.margins(lists, HandScoreModel.load().weights, hand_score.LAYOUT.map())
            said, at, opponents = self.said(sample)
            network = said["log_payment"][at, opponents, sample.kinds]
            rows.append([name, *compare(mean, (linear - truth) ** 2, (network - truth) ** 2, sample.games)])
        return rows

    def expected(self) -> str:
        """Expected payments compared with actual ones."""
        sample = self.samples.score
        said, at, opponents = self.said(sample)
        network = said["payment"][at, opponents, sample.kinds]
        paid = sample.positions.payments[at, opponents, sample.kinds]
        linear = HandScoreModel.load().predict(sample.positions.views)[at, opponents, sample.kinds]
        return (
            f"Expected payment in the hand score sample: {network.mean():,.0f} said by the network, "
            f"{linear.mean():,.0f} by the linear model, {paid.mean():,.0f} paid."
        )

    def speed(self) -> str:
        """Time for a batch of views on one core."""
        views = self.samples.waiting.positions.views
        batches = [views[i : i + VIEWS] for i in range(0, 20 * VIEWS, VIEWS)]
        models, out, scratch = OpponentModels.load(), np.zeros(VIEWS, OPPONENTS_DTYPE), new_scratch()
        weights, own, room = (
            self.network.weights,
            np.zeros(VIEWS, nn.NETWORK_DTYPE),
            nn.new_scratch(self.network.weights),
        )
        rows = []
        for name, call in (
            ("linear, all three models", lambda views: predict_all(views, models.weights, scratch, out)),
            ("network, one view after the other (kernel)", lambda views: nn.predict_all(views, weights, room, own)),
            ("network, all at once (`OpponentNetwork.predict`)", self.network.predict),
        ):
            times = []
            for batch in batches * 20:
                start = time.perf_counter()
                call(batch)
                times.append(time.perf_counter() - start)
            rows.append([name, f"{1e3 * min(times):.2f}", f"{1e3 * float(np.median(times)):.2f}"])
        return table_of_figures([f"{VIEWS} views, one core, ms", "best", "median"], rows)


def card_of(run: Comparison) -> str:
    """The card of the weights' file."""
    card = run.network.card
    config = json.dumps(card["config"]).replace('"', "")
    return f"- network: {card['examples']:,} examples, trained {card['trained']}, {config}"


def main() -> None:
    """Read arguments, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the data set")
    parser.add_argument("--weights", type=Path, help="folder of network.npz")
    parser.add_argument("--dry", action="store_true", help="print only")
    add_roles(parser)
    args = parser.parse_args()
    run = Comparison(Source(Dataset(args.data), chosen_roles(args)), args.weights)
    rows: list[list[Any]] = []
    for section in (run.waiting, run.winning, run.score):
        rows += section()
        print(table_of_figures(HEAD, rows[-len(rows) :]).splitlines()[-1], flush=True)
    sample = run.samples
    parts = [
        stamp(f"python scripts/evaluate_network.py DATA{run.source.roles.options}"),
        f"{len(sample.waiting.kinds):,} positions for waiting ({share(sample.waiting.unseen)} with unseen players), "
        f"{len(sample.winning.kinds):,} for winning tiles, {len(sample.score.kinds):,} and "
        f"{len(sample.deal_ins.kinds):,} deal-ins for the hand score.",
        table_of_figures(HEAD, rows),
        run.expected(),
        run.speed(),
        card_of(run),
    ]
    text = "\n\n".join(parts)
    print(text)
    if not args.dry:
        write_between(PAGE, BEGIN, END, f"\n{text}\n")


if __name__ == "__main__":
    main()
