"""Measure the deal-in model on the test pack, and write docs/deal_in.md.

    python scripts/evaluate_deal_in.py DATA

The methods `paper`, `linear` and `mixed` are measured on the same cases: turns of the test pack with a tenpai opponent.
`--role validating` measures on the validation games instead and writes nothing; the default method was chosen this
way.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np

from _chart import Axis, Line, chart
from _page import stamp, table_of_figures, write_between
from janshi.fitting.data import TESTING, VALIDATING, Source
from janshi.fitting.deal_in.cases import CASE_KINDS, CASE_NAMES, Cases, find_cases, join
from janshi.fitting.evaluation import first_of_each
from janshi.fitting.measures import bootstrap, calibration, safer_share
from janshi.fitting.roles import add_roles, chosen_roles
from janshi.models.amounts import AMOUNTS, BASES, base_of, shares
from janshi.models.deal_in.model import DEAL_IN_DTYPE, DEFAULT, METHODS, DealInModel, Said, new_scratch, predict
from janshi.records.dataset import Dataset

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "deal_in.md"
PLOTS = ROOT / "docs" / "deal_in"
BEGIN, END = "<!-- figures: written by scripts/evaluate_deal_in.py -->", "<!-- end of figures -->"
SEED = 20220102
TIMES = 300
A_HAND = 3
"""Number of cases of each kind sampled from a hand."""
TIMED = 3000
FLOOR = 1e-4
"""Lower bound on probabilities in likelihoods, so that a single wrong "impossible" does not ruin a method."""
GROUPS = ("riichi", "closed", "one meld", "two melds", "three or more")


def draw(source: Source, role: str) -> Cases:
    """Cases of a role: some random ones of each kind from every hand."""
    cases = join(list(find_cases(source, role, np.ones(CASE_KINDS), SEED, (0, 1))))
    keys = np.random.default_rng(SEED).random(len(cases.rows))
    return cases.take(first_of_each(cases.rows * CASE_KINDS + cases.kinds, keys, A_HAND))


class Measured:
    """The predictions of one method for the cases, and their quality."""

    def __init__(self, cases: Cases, said: Said, open_kinds: Any) -> None:
        self.cases, self.said, self.open = cases, said, open_kinds
        self.wins = cases.payments > 0
        chance = np.clip(said.winning, FLOOR, 1 - FLOOR)
        loss = -np.where(self.wins, np.log(chance), np.log(1 - chance))
        self.loss = (loss * open_kinds).sum(1) / np.maximum(open_kinds.sum(1), 1)
        self.order = np.array([self._order(i) for i in range(len(cases.rows))])
        self._payments()

    def _order(self, i: int) -> float:
        """How well the viewer's tiles are ordered; NaN if there is nothing to order."""
        tiles = self.cases.views["hand"][i]
        held = tiles > 0
        wins = self.wins[i][held]
        if not wins.any() or wins.all():
            return float("nan")
        return safer_share(self.said.winning[i][held], tiles[held], wins)

    def _payments(self) -> None:
        """Losses of payments: one kind of every case, the same for all methods."""
        keys = np.random.default_rng(SEED).random(self.wins.shape) * self.wins
        self.paid_kind = keys.argmax(1)
        at = np.arange(len(self.wins))
        self.paid = self.wins.any(1)
        base = base_of(np.maximum(self.cases.payments[at, self.paid_kind], 1), self.cases.dealer)
        guess = self.said.base[at, self.paid_kind].astype(np.float64)
        none = guess.sum(1) == 0
        guess[none] = 1 / AMOUNTS  # the method says that the kind is safe
        self.pay_loss = -(shares(base) * np.log(np.maximum(guess, FLOOR))).sum(1)
        self.pay_error = (guess @ np.log(BASES) - np.log(np.maximum(base, 1))) ** 2
        self.pay_mean = guess @ BASES
        self.base = base


class Evaluation:
    """Figures of all methods."""

    def __init__(self, source: Source, role: str) -> None:
        self.cases = draw(source, role)
        self.games = np.unique(source.games, return_inverse=True)[1][self.cases.rows]
        models = {name: DealInModel.load(name) for name in METHODS}
        said = {name: m.predict_opponents(self.cases.views, self.cases.players) for name, m in models.items()}
        open_kinds = said["linear"].winning > 0
        self.methods = {name: Measured(self.cases, answers, open_kinds) for name, answers in said.items()}
        self.open, self.models = open_kinds, models
        at = np.arange(len(self.games))
        riichi = self.cases.views["riichi"][at, self.cases.players] > 0
        self.groups = np.where(riichi, 0, 1 + self.cases.kinds)

    def figure(self, values: Any, inside: Any) -> Any:
        """A mean over some cases with its interval."""
        chosen = np.nonzero(inside & ~np.isnan(values))[0]
        return bootstrap(lambda c: float(values[chosen[c]].mean()), self.games[chosen], times=TIMES)

    def rows(self, field: str, only: Any = None) -> list[list[Any]]:
        """A row for each group of opponents."""
        out = []
        for number, name in [(None, "**all**"), *enumerate(GROUPS)]:
            inside = np.ones(len(self.groups), bool) if number is None else self.groups == number
            if only is not None:
                inside = inside & only
            known = inside & ~np.isnan(getattr(self.methods["linear"], field))
            figures = [self.figure(getattr(m, field), inside) for m in self.methods.values()]
            out.append([name, f"{known.sum():,}", *figures])
        return out

    def calibrations(self) -> list[list[Any]]:
        """Expected over actual winning kinds, and points, by group."""
        out = []
        for number, name in enumerate(GROUPS):
            inside = self.groups == number
            row: list[Any] = [name]
            for m in self.methods.values():
                row.append(f"{m.said.winning[inside].sum() / m.wins[inside].sum():.3f}")
            for m in self.methods.values():
                paid = inside & m.paid
                row.append(f"{m.pay_mean[paid].mean() / m.base[paid].mean():.3f}")
            out.append(row)
        return out

    def impossible(self) -> str:
        """How often a method ruled out what happened."""
        m = self.methods["paper"]
        return f"{100 * float(((m.said.winning == 0) & m.wins & self.open).sum() / m.wins.sum()):.2f} %"

    def plot(self) -> dict[str, str]:
        """Calibration of winning, by method, for opponents without and with melds."""
        plots = {}
        ticks = [0.0, 0.1, 0.2, 0.3, 0.4]
        for name, inside in (("concealed", self.groups <= 1), ("melds", self.groups > 1)):
            lines = []
            for method, m in self.methods.items():
                chosen = self.open & inside[:, None]
                points = calibration(m.said.winning[chosen], m.wins[chosen].astype(float), 20)
                lines.append(Line(method, [(a, b) for a, b, _ in points]))
            lines.append(Line("perfect", [(0, 0), (0.4, 0.4)], True))
            title = "Winning on a kind: " + ("concealed hands" if name == "concealed" else "hands with melds")
            plots[f"calibration-{name}"] = chart(
                title, Axis("predicted", 0, 0.4, ticks), Axis("happened", 0, 0.4, ticks), lines
            )
        return plots

    def speed(self, source: Source, role: str) -> list[list[Any]]:
        """Time per view, over all turns."""
        views = next(source.positions(role, SEED, 0.3)).views[:TIMED]
        rows = []
        for name, model in self.models.items():
            out, scratch, spent = np.zeros(1, DEAL_IN_DTYPE), new_scratch(), []
            predict(views[0], model.weights[0], scratch, out[0])
            for view in views:
                start = time.thread_time_ns()
                predict(view, model.weights[0], scratch, out[0])
                spent.append((time.thread_time_ns() - start) / 1e6)
            cells = [np.mean(spent), *np.percentile(spent, [50, 75, 90, 99])]
            rows.append([name, *(f"{cell:.2f}" for cell in cells), f"{100 * np.mean(np.array(spent) < 0.3):.0f} %"])
        return rows


def write(ev: Evaluation, options: str, speed: list[list[Any]]) -> str:
    """All tables."""
    head = ["opponent", "cases", *METHODS]
    card = ev.models[DEFAULT].card
    names = [f"{kind}: {(ev.cases.kinds == i).sum():,}" for i, kind in enumerate(CASE_NAMES)]
    return "\n\n".join(
        [
            f"{stamp(f'python scripts/evaluate_deal_in.py DATA{options}')}\n"
            f"- Model: trained {card['trained']} in {card['seconds']} s of processor time, `{card['command']}`; "
            f"seed {card['config']['seed']}",
            f"{len(ev.games):,} cases ({'; '.join(names)}). Intervals are 95 %, by bootstrap over games.",
            "### Ordering",
            "The share of the viewer's other tiles that are placed as safer than a winning one, ties counting half.",
            table_of_figures(head, ev.rows("order")),
            "### Likelihood",
            "Log loss of a kind that is not genbutsu: is it won on or not?",
            table_of_figures(head, ev.rows("loss")),
            f"What happened although enumeration or histograms said it could not: {ev.impossible()} of winning kinds.",
            "### Payments",
            "One winning kind of each case: log loss of the amount, then squared error of ln(base points).",
            table_of_figures(head, ev.rows("pay_loss", ev.methods["linear"].paid)),
            table_of_figures(head, ev.rows("pay_error", ev.methods["linear"].paid)),
            "### Calibration",
            "Predicted over actual: number of winning kinds, and mean base points.",
            table_of_figures(
                ["opponent", *(f"kinds, {m}" for m in METHODS), *(f"points, {m}" for m in METHODS)], ev.calibrations()
            ),
            "### Speed",
            f"Processor time of all three opponents of a view, in milliseconds; {TIMED:,} own turns of any time.",
            table_of_figures(["method", "mean", "median", "75 %", "90 %", "99 %", "below 0.3 ms"], speed),
        ]
    )


def main() -> None:
    """Read arguments, measure and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the data set")
    parser.add_argument("--role", choices=(TESTING, VALIDATING), default=TESTING)
    add_roles(parser)
    args = parser.parse_args()
    source = Source(Dataset(args.data), chosen_roles(args))
    ev = Evaluation(source, args.role)
    text = write(ev, source.roles.options, ev.speed(source, args.role))
    print(text)
    if args.role != TESTING:
        return
    write_between(PAGE, BEGIN, END, f"\n{text}\n")
    PLOTS.mkdir(exist_ok=True)
    for name, svg in ev.plot().items():
        (PLOTS / f"{name}.svg").write_text(svg)


if __name__ == "__main__":
    main()
