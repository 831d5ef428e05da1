"""Measure the table rates and the chances of scenarios on the test pack; write docs/mdp_models.md and its plots.

    python scripts/evaluate_mdp_models.py DATA [--positions POSITIONS] [--player 2000]

DATA is the data set, POSITIONS the folder with the columns of positions written by `fit_scenarios.py`; without it, the
figures of scenarios stay unchanged. With `--player`, the MDP player evaluates this many positions, and its
expectations are compared with the results.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from _mdp_models_page import COMMAND, Plots, percent, write_part
from _mdp_models_rates import TableFigures
from _page import stamp, table_of_figures
from janshi.agents.mdp.agent import MDPAgent
from janshi.agents.mdp.candidates import UNKNOWN
from janshi.agents.mdp.decide import judge_view
from janshi.fitting.data import TESTING, Source
from janshi.fitting.measures import auc
from janshi.fitting.roles import add_roles, chosen_roles
from janshi.fitting.scenarios import training as scenarios_training
from janshi.fitting.scenarios.data import read
from janshi.fitting.table_rates.regressions import chances
from janshi.models import final_rank, scenarios
from janshi.models.scenarios import REGRESSION_NAMES, SCENARIO_NAMES, ScenarioModel
from janshi.records.dataset import Dataset
from janshi.rules.registry import make_game
from janshi.rules.riichi.state import PLAYERS

NEAR = 3
PLAYER_HANDS = 20_000


class ScenarioFigures:
    """Figures of the chances of scenarios."""

    def __init__(self, folder: Path, plots: Plots) -> None:
        with np.load(folder / f"columns-{TESTING}.npz") as stored:
            self.columns, chosen = stored["columns"], stored["chosen"]
        self.facts = read(folder, TESTING).facts[chosen]
        kept = scenarios_training.fitted_on(self.facts) & np.isfinite(self.columns).all(1)
        self.columns, self.facts = self.columns[kept], self.facts[kept]
        self.plots = plots
        self.models = {form: ScenarioModel.load(form=form) for form in scenarios.FORMS}

    def text(self) -> str:
        """All tables; plots are collected."""
        card = ScenarioModel.load().card
        even = scenarios_training.even_log_loss(self.facts)
        rows: list[list[Any]] = [["average", f"{even:.4f}"]]
        rows += [
            [form, f"{scenarios_training.log_loss(model, self.columns, self.facts):.4f}"]
            for form, model in self.models.items()
        ]
        parts = [
            f"{len(self.facts):,} positions of the test pack, weighted; fitted to {card['examples']:,} "
            f"({card['trained']}). The shipped form, chosen on validation games: **{card['form']}**.",
            table_of_figures(["form", "log loss of the scenario"], rows),
            self.regressions(card["form"]),
            self.by_shanten(card["form"]),
        ]
        return "\n\n".join([stamp(COMMAND), *parts])

    def regressions(self, form: str) -> str:
        """Each of the four regressions."""
        numbers, weight = scenarios_training.numbers_of(self.columns), self.facts["weight"]
        labels = scenarios_training.labels_of(self.facts["scenario"])
        rows = []
        for i, (name, (about, holds)) in enumerate(zip(REGRESSION_NAMES, labels)):
            cells: list[Any] = [name, f"{about.sum():,}", percent(np.average(holds[about], weights=weight[about]))]
            lines = {}
            for word, model in self.models.items():
                guess = chances(numbers[about] @ model.weights["weights"][0, i].astype(float))
                cells += [percent(np.average(guess, weights=weight[about])), f"{auc(guess, holds[about]):.3f}"]
                lines[word] = (guess, holds[about])
            rows.append(cells)
            most = 1.0 if i != 3 else 0.6
            self.plots.calibration(name.replace("_", "-"), f"{name}: calibration", lines, most, 12)
        head = ["regression", "cases", "happened", "paper: predicted", "AUC", "full: predicted", "AUC"]
        return table_of_figures(head, rows)

    def by_shanten(self, form: str) -> str:
        """Predicted and observed shares, by shanten."""
        guess, weight = self.models[form].predict(self.columns), self.facts["weight"]
        rows = []
        for distance in range(7):
            inside = self.facts["shanten"] == distance
            if inside.sum() < 50:
                continue
            cells = []
            for scenario in range(scenarios.SCENARIOS):
                happened = self.facts["scenario"][inside] == scenario
                both = (np.average(x, weights=weight[inside]) for x in (guess[inside, scenario], happened))
                cells.append(" / ".join(percent(x) for x in both))
            rows.append([distance, f"{inside.sum():,}", *cells])
        return table_of_figures(
            ["shanten", "positions", *(f"{name}: predicted / happened" for name in SCENARIO_NAMES)], rows
        )


class PlayerFigures:
    """What the MDP player expects after recorded discards, and what happened."""

    def __init__(self, folder: Path, count: int, plots: Plots) -> None:
        positions = read(folder, TESTING)
        facts = positions.facts
        fine = (facts["scenario"] != scenarios.ABORTED) & (positions.before["riichi"][:, 0] == 0) & (facts["rank"] > 0)
        near = np.flatnonzero(fine & (facts["shanten"] <= NEAR))
        chance = facts["weight"][near] / facts["weight"][near].sum()
        chosen = np.random.default_rng(1).choice(near, count, replace=False, p=chance)
        self.positions, self.plots = positions.take(chosen), plots
        self.agent = MDPAgent(make_game("riichi/tenhou"), hands=PLAYER_HANDS)
        self.worth, self.chances = np.full(count, np.nan), np.full((count, scenarios.SCENARIOS), np.nan)

    def ask(self) -> None:
        """Let the player evaluate every position, one by one."""
        desk = self.agent._desk
        for i, (fact, view) in enumerate(zip(self.positions.facts, self.positions.before)):
            one = np.array([view], self.positions.before.dtype)
            count, _ = judge_view(one, self.agent.payoffs(one), True, desk)
            for c in desk.candidates[:count]:
                if c["kind"] == fact["kind"] and c["riichi"] == fact["declares"] and c["worth"] > UNKNOWN:
                    self.worth[i], self.chances[i] = c["worth"], c["chances"]
            if i % 200 == 199:
                print(f"player asked about {i + 1:,} positions", flush=True)

    def text(self) -> str:
        """Tables of ranks and scenarios."""
        self.ask()
        known = np.isfinite(self.worth)
        facts, views = self.positions.facts[known], self.positions.before[known]
        rank, said = facts["rank"].astype(float), -self.worth[known]
        now = final_rank.predict(
            np.array([np.roll(v["scores"], v["seat"]) for v in views]), views["kyoku"], views["honba"], views["sticks"]
        )
        before = now[np.arange(len(views)), views["seat"]] @ np.arange(1.0, PLAYERS + 1)
        guesses = {"the player": said, "scores only": before, "average": np.full(len(rank), rank.mean())}
        self.plots.calibration(
            "rank", "Final rank minus one", {n: (g - 1, rank - 1) for n, g in guesses.items()}, 3, 10
        )
        rows = [
            [name, f"{guess.mean():.3f}", f"{rank.mean():.3f}", f"{((guess - rank) ** 2).mean():.4f}"]
            for name, guess in guesses.items()
        ]
        head = ["expected final rank", "predicted", "actual", "squared error"]
        return "\n\n".join(
            [
                stamp(COMMAND),
                f"The MDP player with a budget of {PLAYER_HANDS:,} hands values the recorded discard at "
                f"{known.sum():,} positions of the test pack up to {NEAR} shanten. It assumes that it plays on itself, "
                "not the recorded player.",
                table_of_figures(head, rows),
                self.scenarios(facts, self.chances[known]),
            ]
        )

    def scenarios(self, facts: Any, chances: Any) -> str:
        """Chances of scenarios, by shanten: by M up to one, by eq. (17) beyond."""
        rows = []
        for distance in range(NEAR + 1):
            inside = facts["shanten"] == distance
            cells = []
            for scenario in range(scenarios.SCENARIOS):
                happened = facts["scenario"][inside] == scenario
                cells.append(f"{percent(chances[inside, scenario].mean())} / {percent(happened.mean())}")
            rows.append([distance, f"{inside.sum():,}", *cells])
        return table_of_figures(
            ["shanten", "positions", *(f"{name}: predicted / happened" for name in SCENARIO_NAMES)], rows
        )


def main() -> None:
    """Read arguments, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the data set")
    parser.add_argument("--positions", type=Path, help="folder of positions and their columns")
    parser.add_argument("--player", type=int, default=0, help="number of positions for the MDP player to evaluate")
    parser.add_argument("--only", choices=("table", "scenarios", "player"), help="measure only this part")
    parser.add_argument("--dry", action="store_true", help="print only")
    add_roles(parser)
    args = parser.parse_args()
    plots, found = Plots(), {}
    if args.only in (None, "table"):
        found["rates"] = TableFigures(Source(Dataset(args.data), chosen_roles(args)), plots).text()
    if args.positions is not None and args.only in (None, "scenarios"):
        found["scenarios"] = ScenarioFigures(args.positions, plots).text()
        print(found["scenarios"])
    if args.positions is not None and args.player and args.only in (None, "player"):
        found["player"] = PlayerFigures(args.positions, args.player, plots).text()
        print(found["player"])
    if not args.dry:
        plots.write()
        for name, text in found.items():
            write_part(name, text)


if __name__ == "__main__":
    main()
