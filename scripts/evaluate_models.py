"""Measure the models on the test pack, and write the figures into docs/models.md and plots into docs/models.

    python scripts/evaluate_models.py DATA --work WORK

DATA is the data set, WORK the folder with the variants' weights, written by `train_models.py`.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

from _chart import Axis, Line, chart
from _page import stamp, table_of_figures, write_between
from janshi.fitting import evaluation as ev
from janshi.fitting.data import Source
from janshi.fitting.final_rank import Situations, rank_losses, situations
from janshi.fitting.measures import Figure, auc, auc_within, bootstrap, calibration
from janshi.fitting.opponents import FULL, score_maps, waiting_maps, winning_maps
from janshi.fitting.roles import add_roles, chosen_roles
from janshi.models.final_rank import FinalRankModel
from janshi.models.hand_score import HandScoreModel
from janshi.models.opponents import OPPONENTS_DTYPE, OpponentModels, new_scratch, predict_all
from janshi.models.waiting import WaitingModel
from janshi.models.winning_tile import WinningTileModel
from janshi.records.dataset import Dataset

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "models.md"
PLOTS = ROOT / "docs" / "models"
BEGIN, END = "<!-- figures: written by scripts/evaluate_models.py -->", "<!-- end of figures -->"
SEED = 20220101
TIMES = 400
UNIT = [0, 0.2, 0.4, 0.6, 0.8, 1]


def share(part: Any) -> str:
    """A percentage."""
    return f"{100 * float(np.mean(part)):.1f} %"


class Evaluation:
    """Figures, tables and plots of all models."""

    def __init__(self, source: Source, work: Path) -> None:
        self.source, self.work = source, work
        self.samples = ev.draw_samples(source, SEED)
        self.plots: dict[str, str] = {}

    def variants(self, name: str) -> dict[str, Any]:
        """Weights of a model's variants."""
        with np.load(self.work / f"{name} variants.npz") as stored:
            return {key: stored[key] for key in stored.files}

    # --- waiting

    def waiting(self) -> str:
        """The waiting model."""
        sample = self.samples.waiting
        lists = ev.waiting_lists(sample)
        labels = lists.labels > 0
        maps = waiting_maps()
        guesses = {name: ev.margins(lists, w, maps[name]) for name, w in self.variants("waiting").items()}
        turns, melds = sample.of_opponent("discards").astype(int), sample.of_opponent("melds").astype(int)
        groups = turns * 8 + melds
        rows = [["expert player (paper)", "0.778", "", ""], ["the paper's model", "0.777", "", ""]]
        for name, guess in guesses.items():
            figures = [
                bootstrap(lambda c, g=guess: auc(g[c], labels[c]), sample.games, times=TIMES),
                bootstrap(lambda c, g=guess: auc_within(g[c], labels[c], groups[c]), sample.games, times=TIMES // 4),
                self._subset(guess, labels, sample.games, sample.unseen),
            ]
            rows.append([f"**{name} model**" if name == FULL else name, *figures])
        head = ["", "AUC", "within the same turn and number of melds", "unseen players"]
        self._plot_waiting(guesses, labels, turns)
        full = guesses[FULL]
        subsets = {
            "closed": melds == 0,
            "one meld": melds == 1,
            "two melds": melds == 2,
            "three melds or more": melds >= 3,
            "discards 1–6": turns <= 6,
            "discards 7–12": (turns > 6) & (turns <= 12),
            "discards 13 and later": turns > 12,
        }
        inner = [
            [name, f"{mask.sum():,}", share(labels[mask]), self._subset(full, labels, sample.games, mask)]
            for name, mask in subsets.items()
        ]
        return "\n\n".join(
            [
                f"{len(labels):,} positions, {share(labels)} tenpai; {sample.unseen.sum():,} with unseen players.",
                table_of_figures(head, rows),
                "Where it is easy and where not:",
                table_of_figures(["opponent", "positions", "tenpai", "AUC"], inner),
            ]
        )

    def _subset(self, guess: Any, labels: Any, games: Any, mask: Any) -> Figure:
        inside = np.nonzero(mask)[0]
        return bootstrap(lambda c: auc(guess[inside[c]], labels[inside[c]]), games[inside], times=TIMES)

    def _plot_waiting(self, guesses: dict[str, Any], labels: Any, turns: Any) -> None:
        by_turn = []
        for name, shown in (
            (FULL, "model"),
            ("without discards", "without discards"),
            ("without melds", "without melds"),
        ):
            points = []
            for turn in range(2, 18):
                inside = turns == turn
                points.append((float(turn), auc(guesses[name][inside], labels[inside])))
            by_turn.append(Line(shown, points))
        x = Axis("discards the opponent has made", 1, 18, [2, 4, 6, 8, 10, 12, 14, 16])
        y = Axis("AUC", 0.5, 1, [0.5, 0.6, 0.7, 0.8, 0.9, 1])
        self.plots["waiting-auc"] = chart("Waiting: AUC by turn", x, y, by_turn)
        self._plot_calibration("waiting", "Waiting: calibration", ev.chances(guesses[FULL]), labels, 1)

    def _plot_calibration(self, name: str, title: str, guess: Any, happened: Any, most: float, bins: int = 15) -> None:
        points = [(a, b) for a, b, _ in calibration(guess, happened, bins)]
        ticks = [most * t for t in UNIT]
        lines = [Line("model", points), Line("perfect", [(0, 0), (most, most)], True)]
        self.plots[f"{name}-calibration"] = chart(
            title, Axis("predicted", 0, most, ticks), Axis("happened", 0, most, ticks), lines
        )

    # --- winning tile

    def winning(self) -> str:
        """The winning tile model."""
        sample = self.samples.winning
        lists = ev.winning_lists(sample)
        maps = winning_maps()
        rows = [
            ["expert player (paper)", "0.744", "", "", "", ""],
            ["the paper's model", "0.676", "", "", "", ""],
            ["random order", "0.500", "", "", "", ""],
        ]
        riichi, melds = sample.of_opponent("riichi") > 0, sample.of_opponent("melds")
        masks = [riichi, ~riichi & (melds == 0), ~riichi & (melds > 0), sample.unseen]
        genbutsu = self._ordering(sample, lists, np.zeros(len(lists.counts)))
        rows.append(["genbutsu only", *self._means(genbutsu, sample, masks)])
        for name, weights in self.variants("winning_tile").items():
            guess = ev.margins(lists, weights, maps[name])
            values = self._ordering(sample, lists, guess)
            rows.append([f"**{name} model**" if name == FULL else name, *self._means(values, sample, masks)])
            if name == FULL:
                self._plot_calibration(
                    "winning-tile", "Winning tile: calibration", ev.chances(guess), lists.labels, 0.25, 20
                )
        head = ["", "ordering", "riichi", "closed", "open", "unseen players"]
        return "\n\n".join(
            [
                f"{len(sample.kinds):,} positions: {riichi.sum():,} against riichi, "
                f"{masks[1].sum():,} against closed hands, {masks[2].sum():,} against open ones; "
                f"{sample.unseen.sum():,} with unseen players.",
                table_of_figures(head, rows),
            ]
        )

    def _ordering(self, sample: ev.Sample, lists: Any, guess: Any) -> Any:
        return ev.orderings(sample, lists, guess)

    def _means(self, values: Any, sample: ev.Sample, masks: list[Any]) -> list[Any]:
        figures: list[Any] = [bootstrap(lambda c: float(values[c].mean()), sample.games, times=TIMES)]
        for mask in masks[:-1]:
            figures.append(f"{values[mask].mean():.3f}")
        inside = np.nonzero(masks[-1])[0]
        figures.append(bootstrap(lambda c: float(values[inside[c]].mean()), sample.games[inside], times=TIMES))
        return figures

    # --- hand score

    def score(self) -> str:
        """The hand score model."""
        rows = [["expert player (paper)", "0.40", "", ""], ["the paper's model", "0.37", "", ""]]
        maps = score_maps()
        sample, dealt = self.samples.score, self.samples.deal_ins
        lists, dealt_lists = ev.score_lists(sample), ev.score_lists(dealt)
        paid = np.log(lists.labels), np.log(self.samples.paid)
        inside = np.nonzero(sample.unseen)[0]
        for name, weights in self.variants("hand_score").items():
            errors = (ev.margins(lists, weights, maps[name]) - paid[0]) ** 2
            dealt_errors = (ev.margins(dealt_lists, weights, maps[name]) - paid[1]) ** 2
            figures = [
                bootstrap(lambda c, e=errors: float(e[c].mean()), sample.games, times=TIMES),
                bootstrap(lambda c, e=dealt_errors: float(e[c].mean()), dealt.games, times=TIMES),
                bootstrap(lambda c, e=errors: float(e[inside[c]].mean()), sample.games[inside], times=TIMES),
            ]
            rows.append([f"**{name} model**" if name == FULL else name, *figures])
        head = ["", "MSE of ln(points)", "deal-ins that happened", "unseen players"]
        expected = self._expected(sample)
        points = [(a / 1000, b / 1000) for a, b, _ in calibration(expected, lists.labels.astype(float), 15)]
        ticks = [0, 4, 8, 12, 16, 20]
        self.plots["hand-score-calibration"] = chart(
            "Hand score: expected payment",
            Axis("predicted, thousands of points", 0, 20, ticks),
            Axis("paid on average", 0, 20, ticks),
            [Line("model", points), Line("perfect", [(0, 0), (20, 20)], True)],
        )
        said, real = self._expected(dealt), self.samples.paid
        return "\n\n".join(
            [
                f"{len(sample.kinds):,} positions and {len(dealt.kinds):,} deal-ins that happened; "
                f"{sample.unseen.sum():,} positions with unseen players.",
                table_of_figures(head, rows),
                f"Expected payment: {expected.mean():,.0f} predicted, {lists.labels.mean():,.0f} paid in the sample; "
                f"{said.mean():,.0f} predicted, {real.mean():,.0f} paid in deal-ins that happened.",
            ]
        )

    def _expected(self, sample: ev.Sample) -> Any:
        at = (np.arange(len(sample.kinds)), sample.opponents, sample.kinds)
        return HandScoreModel.load().predict(sample.positions.views)[at]

    # --- final rank

    def rank(self) -> str:
        """The final rank model."""
        train, _ = situations(self.source, self.source.train)
        test, rows_of = situations(self.source, self.source.test)
        games = np.unique(self.source.games[rows_of], return_inverse=True)[1]
        chances = FinalRankModel.load().predict(test.scores, test.kyoku, test.honba, test.sticks, test.rounds)
        table_chances = standing_table(train, test)
        even = np.full_like(chances, 0.25)
        rows = []
        for name, guess in (("**model**", chances), ("table by rank and hands left", table_chances), ("even", even)):
            losses, errors = rank_losses(guess, test.ended)
            rows.append(
                [
                    name,
                    bootstrap(lambda c, x=losses: float(x[c].mean()), games, times=TIMES),
                    bootstrap(lambda c, x=errors: float(x[c].mean()), games, times=TIMES),
                ]
            )
        lines = []
        for rank, name in ((0, "first"), (3, "last")):
            points = calibration(chances[:, :, rank].ravel(), (test.ended == rank).ravel().astype(float), 15)
            lines.append(Line(name, [(a, b) for a, b, _ in points]))
        lines.append(Line("perfect", [(0, 0), (1, 1)], True))
        self.plots["final-rank-calibration"] = chart(
            "Final rank: calibration", Axis("predicted", 0, 1, UNIT), Axis("happened", 0, 1, UNIT), lines
        )
        head = ["", "log loss of a player's rank", "squared error of the expected rank"]
        return "\n\n".join(
            [f"{len(games):,} starts of hands of {games.max() + 1:,} games.", table_of_figures(head, rows)]
        )


def standing_table(train: Situations, test: Situations) -> Any:
    """The baseline: how often a player of this rank finished at each rank, by hands left."""
    counts = np.ones((9, 4, 4))

    def keys(data: Situations) -> tuple[Any, Any]:
        left = np.clip(4 * data.rounds - data.kyoku, 0, 8)
        order = np.argsort(np.argsort(-data.scores - 1e-3 * np.arange(3, -1, -1), axis=1), axis=1)
        return np.repeat(left[:, None], 4, 1), order

    np.add.at(counts, (*keys(train), train.ended), 1)
    return (counts / counts.sum(2, keepdims=True))[keys(test)]


def speed(views: Any) -> list[list[str]]:
    """Microseconds of processor time per view, in batches."""

    def best(call: Any) -> str:
        call()
        times = []
        for _ in range(15):
            start = time.thread_time()
            call()
            times.append(time.thread_time() - start)
        return f"{1e6 * min(times) / len(views):.1f}"

    models = OpponentModels.load()
    out, scratch = np.zeros(len(views), OPPONENTS_DTYPE), new_scratch()
    named = {
        "waiting, three opponents": WaitingModel.load().predict,
        "winning tile, 3 × 34": WinningTileModel.load().predict,
        "expected payment, 3 × 34": HandScoreModel.load().predict,
        "all three together": lambda views: predict_all(views, models.weights, scratch, out),
    }
    return [[name, best(lambda call=call: call(views))] for name, call in named.items()]


def players(source: Source) -> str:
    """How many of the test games' players appeared in training."""
    _, first = np.unique(source.games, return_index=True)
    test = first[source.test[first]]
    unseen = source.unseen[test]
    seats = source.dataset.hands("names").column("names").take(test).to_pylist()
    names = {name for row in seats for name in row}
    new = {name for row, marks in zip(seats, unseen) for name, mark in zip(row, marks) if mark}
    return (
        f"Of the {len(test):,} test games, {int((~unseen.all(1)).sum()):,} have players at the table whom training "
        f"saw, {int(unseen.any(1).sum()):,} have at least one whom it did not see. Of {len(names):,} players in them "
        f"{len(new):,} are unseen; they fill {share(unseen)} of the seats."
    )


def cards() -> str:
    """The cards of the weights' files."""
    loaded: dict[str, Any] = {
        "waiting": WaitingModel.load(),
        "winning tile": WinningTileModel.load(),
        "hand score": HandScoreModel.load(),
        "final rank": FinalRankModel.load(),
    }
    rows = []
    for name, model in loaded.items():
        card = model.card
        config = json.dumps(card["config"]).replace('"', "")
        rows.append(
            [name, f"{len(model.weights):,}", f"{card['examples']:,}", config, card["trained"], f"{card['seconds']} s"]
        )
    head = ["model", "features", "examples", "configuration", "trained", "processor time"]
    return (
        table_of_figures(head, rows)
        + "\n\n(The three models of opponents are trained in one run, whose time is given for each.)"
    )


def main() -> None:
    """Read arguments, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the data set")
    parser.add_argument("--work", type=Path, required=True, help="folder with the variants' weights")
    parser.add_argument("--dry", action="store_true", help="print only")
    add_roles(parser)
    args = parser.parse_args()
    source = Source(Dataset(args.data), chosen_roles(args))
    run = Evaluation(source, args.work)
    parts = [stamp(f"python scripts/evaluate_models.py DATA --work WORK{source.roles.options}"), players(source)]
    for title, section in (
        ("Waiting", run.waiting),
        ("Winning tile", run.winning),
        ("Hand score", run.score),
        ("Final rank", run.rank),
    ):
        parts += [f"### {title}", section()]
        print("\n\n".join(parts[-2:]), flush=True)
    views = run.samples.waiting.positions.views[:4096]
    parts += ["### Speed", table_of_figures(["", "µs of processor time a view"], speed(views)), "### Cards", cards()]
    print("\n\n".join(parts[-4:]))
    if not args.dry:
        PLOTS.mkdir(parents=True, exist_ok=True)
        for name, text in run.plots.items():
            (PLOTS / f"{name}.svg").write_text(text, encoding="utf-8")
        figures = "\n\n".join(parts)
        write_between(PAGE, BEGIN, END, f"\n{figures}\n")


if __name__ == "__main__":
    main()
