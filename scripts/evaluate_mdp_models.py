"""Measure the rates of the table and the chances of scenarios on the test pack; write docs/mdp_models.md and its plots.

    python scripts/evaluate_mdp_models.py DATA [--positions POSITIONS] [--player 2000]

DATA is the data set, POSITIONS the folder in which `fit_scenarios.py` left the columns of positions; without it the
figures of scenarios stay as they are. With `--player` the MDP player is asked about so many of the positions, and what
it expects is compared with what came.
"""

from __future__ import annotations

import argparse
import os
import platform
import time
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from janshi.agents.mdp.agent import MDPAgent
from janshi.agents.mdp.candidates import UNKNOWN
from janshi.agents.mdp.decide import answer_views
from janshi.core.tiles import EAST, NUM_KINDS, RANKS
from janshi.models import final_rank, scenarios, scenarios_training
from janshi.models.amounts import BASES
from janshi.models.data import TESTING, Source
from janshi.models.measure import Figure, auc, bootstrap, calibration
from janshi.models.plot import Axis, Line, chart
from janshi.models.scenario_data import read
from janshi.models.scenarios import REGRESSION_NAMES, SCENARIO_NAMES, ScenarioModel
from janshi.models.table_rates import TableRates, new_scratch, note_all_rates
from janshi.models.table_rates_data import walk
from janshi.models.table_rates_fits import chances, log_loss
from janshi.models.table_rates_training import Regressed, choices_of, others_of
from janshi.records.dataset import Dataset
from janshi.rules.registry import make_game
from janshi.rules.riichi.state import PLAYERS, RON_WIN, TSUMO_WIN

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "mdp_models.md"
PLOTS = ROOT / "docs" / "mdp_models"
COMMAND = "python scripts/evaluate_mdp_models.py DATA --positions POSITIONS --player 2000"
SHARE = 0.3
TIMES = 200
AHEAD = (1, 3, 6, 9)
NEAR = 3
PLAYER_HANDS = 20_000


def marks(name: str) -> tuple[str, str]:
    """The marks between which figures of a part of the page stand."""
    return f"<!-- {name}: written by scripts/evaluate_mdp_models.py -->", f"<!-- end of {name} -->"


def table(head: list[str], rows: list[list[Any]]) -> str:
    """A table in Markdown; figures stand to the right."""
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def percent(value: Any, digits: int = 1) -> str:
    """A percentage."""
    return f"{100 * float(value):.{digits}f} %"


def stamp() -> str:
    """When, where and how."""
    return (
        f"- Date: {date.today().isoformat()}\n- Machine: {platform.machine()}, {os.cpu_count()} cores, "
        f"Python {platform.python_version()}\n- Command: `{COMMAND}`"
    )


class Plots:
    """Plots by name."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def calibration(self, name: str, title: str, guesses: dict[str, tuple[Any, Any]], most: float, bins: int) -> None:
        """Predicted against happened, a line for each of (guess, what happened)."""
        lines = []
        for word, (guess, happened) in guesses.items():
            lines.append(Line(word, [(a, b) for a, b, _ in calibration(guess, happened.astype(float), bins)]))
        lines.append(Line("perfect", [(0, 0), (most, most)], True))
        ticks = [round(most * t / 5, 4) for t in range(6)]
        axes = Axis("predicted", 0, most, ticks), Axis("happened", 0, most, ticks)
        self.texts[name] = chart(title, *axes, lines)

    def write(self) -> None:
        """Write all plots."""
        PLOTS.mkdir(parents=True, exist_ok=True)
        for name, text in self.texts.items():
            (PLOTS / f"{name}.svg").write_text(text, encoding="utf-8")


class TableFigures:
    """Figures of the table's rates."""

    def __init__(self, source: Source, plots: Plots) -> None:
        self.plots, self.model = plots, TableRates.load()
        self.weights = self.model.weights
        self.walk = walk(source, TESTING, SHARE, print)
        self.others = others_of(self.walk)
        # everybody counts here: players whom training did not see are what a test is for
        self.walk.discards["unseen"] = 0
        self.data = Regressed(self.walk, self.others, self.weights)
        self.rates = self.model.predict(self.data.views, self.data.discards["said"].copy())
        numbers = np.unique(source.games, return_inverse=True)[1]
        self.games = numbers[self.data.discards["hand"]]
        self.all_games = numbers[self.walk.discards["hand"]]

    def size(self) -> str:
        """What is measured on."""
        return (
            f"Measured on the test pack: {len(self.walk.ends):,} hands with {len(self.walk.discards):,} discards, of "
            f"which {len(self.data.views):,} were looked at as views."
        )

    # --- tenpai

    def tenpai(self) -> str:
        """The waiting model before and after calibration."""
        wanted = self.others.riichi == 0
        said = self.walk.discards["said"][wanted].astype(float)
        happened = self.others.tenpai[wanted] > 0
        melds, made = np.minimum(self.others.melds[wanted], 3), np.minimum(self.others.made[wanted], 19)
        row = self.weights["calibration"][0][melds, made]
        p = np.clip(said, 1e-6, 1 - 1e-6)
        after = chances(row[:, 0] + row[:, 1] * np.log(p / (1 - p)))
        rows = []
        for name, mask in {"all": melds >= 0, **{f"{m} melds": melds == m for m in range(3)}, "3+": melds >= 3}.items():
            y = happened[mask]
            rows.append(
                [
                    name,
                    f"{mask.sum():,}",
                    percent(y.mean()),
                    *(f"{log_loss(g[mask], y):.4f}" for g in (said, after)),
                    *(f"{auc(g[mask], y):.4f}" for g in (said, after)),
                ]
            )
        self.plots.calibration(
            "tenpai", "Tenpai, not in riichi", {"before": (said, happened), "after": (after, happened)}, 1, 20
        )
        head = ["opponent", "cases", "tenpai", "log loss before", "after", "AUC before", "after"]
        return table(head, rows)

    def ahead(self) -> str:
        """Tenpai some discards ahead."""
        rows, lines = [], {}
        for t in AHEAD:
            guess, happened = self._ahead(t)
            base = log_loss(np.full(len(guess), happened.mean()), happened)
            cells = [percent(guess.mean()), percent(happened.mean()), f"{log_loss(guess, happened):.4f}", f"{base:.4f}"]
            rows.append([t, f"{len(guess):,}", *cells])
            lines[f"{t} ahead"] = (guess, happened)
        self.plots.calibration("ahead", "Tenpai some discards ahead", lines, 1, 12)
        return table(["discards ahead", "cases", "predicted", "tenpai", "log loss", "average only"], rows)

    def _ahead(self, t: int) -> tuple[Any, Any]:
        rows, discards = self.data.rows, self.walk.discards
        keys = discards["hand"] * PLAYERS + discards["seat"]
        order = np.lexsort((discards["turns"], keys))
        keys, ready = keys[order], discards["tenpai"][order]
        parts = []
        for other in range(3):
            there = discards["hand"][rows] * PLAYERS + (discards["seat"][rows].astype(int) + 1 + other) % PLAYERS
            at = np.searchsorted(keys, there, "left") + self.others.made[rows, other] - 1 + t
            fine = (at < np.searchsorted(keys, there, "right")) & (self.others.riichi[rows, other] == 0)
            name = np.where(self.data.declared[fine], 1, 0)
            both = np.stack([self.rates["ahead"][fine, other, t], self.rates["ahead_declared"][fine, other, t]], 1)
            parts.append((both[np.arange(len(both)), name], ready[at[fine]]))
        return tuple(np.concatenate([part[i] for part in parts]) for i in (0, 1))

    def becoming(self) -> str:
        """The hazard of becoming tenpai, and riichi then."""
        become, declares = self.weights["become"][0][..., 1], self.weights["declares"][0]
        turns = [1, 3, 5, 7, 9, 11, 13, 15]
        rows = []
        for threat, word in enumerate(("", ", another in riichi")):
            rows += [
                [f"{m} melds{word}", *(percent(become[threat, m, d]) for d in turns)] for m in range(become.shape[1])
            ]
            rows.append([f"closed: riichi then{word}", *(percent(declares[threat, d], 0) for d in turns)])
        return table(["discards made", *(str(d) for d in turns)], rows)

    # --- wins of others

    def other_win(self) -> str:
        """Others' wins in a go-around."""
        numbers, happened = self.data.other_win()
        guess = chances(numbers @ self.weights["other_win"][0])
        t = np.round(10 * numbers[:, 25]).astype(int)
        riichi, declared = numbers[:, 18:21].sum(1), numbers[:, 31] > 0
        turn = numbers[:, :18].argmax(1)
        by_turn = np.array([happened[turn == i].mean() if (turn == i).any() else 0 for i in range(18)])[turn]
        rows = []
        masks = {
            "all": t >= 0,
            "nobody in riichi": riichi == 0,
            "one in riichi": riichi == 1,
            "two in riichi": riichi == 2,
            "viewer in riichi": declared,
            "viewer and another in riichi": declared & (riichi > 0),
            "1 to 3 turns ahead": (t >= 1) & (t <= 3),
            "4 to 8 turns ahead": (t >= 4) & (t <= 8),
            "9 turns ahead and more": t >= 9,
        }
        for name, mask in masks.items():
            cells = [percent(guess[mask].mean(), 2), percent(happened[mask].mean(), 2)]
            losses = [f"{log_loss(g[mask], happened[mask]):.4f}" for g in (guess, by_turn)]
            rows.append([name, f"{mask.sum():,}", *cells, *losses])
        lines = {"now": (guess[t == 0], happened[t == 0]), "later": (guess[t > 0], happened[t > 0])}
        self.plots.calibration("other-win", "Another wins in a go-around", lines, 0.3, 15)
        return table(["go-arounds", "cases", "predicted", "happened", "log loss", "by turn only"], rows)

    def wins(self) -> str:
        """Who wins, how, and how much."""
        other = self.data.ends.other
        share = self.data.ends.winners[other] / self.data.ends.winners[other].sum(1, keepdims=True)
        winner = self.rates["winner"][other]
        losses = -(share * np.log(winner)).sum(1)
        at = np.nonzero(self.data.ends.winners & other[:, None])
        tsumo, drawn = self.rates["tsumo"][at], self.data.ends.tsumo[at[0]]
        expected, base = self.rates["base"][at] @ BASES, self.data.ends.base[at]
        self.plots.calibration("winner", "Who wins, if another does", {"model": (winner.ravel(), share.ravel())}, 1, 12)
        rows = [
            ["who wins: log loss", f"{losses.mean():.4f}", f"{np.log(3):.4f} for even chances"],
            ["self-drawn: predicted, happened", percent(tsumo.mean()), percent(drawn.mean())],
            [
                "self-drawn: log loss",
                f"{log_loss(tsumo, drawn):.4f}",
                f"{log_loss(np.full(len(drawn), drawn.mean()), drawn):.4f} for the average",
            ],
            ["base points: predicted, won", f"{expected.mean():,.0f}", f"{base.mean():,.0f}"],
        ]
        parts = calibration(expected, base, 5)
        rows.append(["in five parts", " / ".join(f"{a:,.0f}" for a, _, _ in parts), self._slashed(parts)])
        return table([f"{int(other.sum()):,} positions", "", ""], rows)

    def _slashed(self, parts: Any) -> str:
        return " / ".join(f"{b:,.0f}" for _, b, _ in parts)

    def sigma(self) -> str:
        """The share of the discards left that are played."""
        numbers, played, most = self.data.sigma()
        guess = chances(numbers @ self.weights["sigma"][0])
        riichi = numbers[:, 1:4].sum(1)
        rows = []
        for name, mask in {"all": riichi >= 0, **{f"{r} in riichi": riichi == r for r in range(3)}}.items():
            cells = [f"{np.average(x[mask], weights=most[mask]):.3f}" for x in (guess, played)]
            error = np.average((guess - played)[mask] ** 2, weights=most[mask])
            spread = np.average((played[mask] - np.average(played[mask], weights=most[mask])) ** 2, weights=most[mask])
            rows.append([name, f"{mask.sum():,}", *cells, f"{error:.4f}", f"{spread:.4f}"])
        self.plots.calibration("sigma", "Share of the discards left that are played", {"model": (guess, played)}, 1, 15)
        return table(["positions", "cases", "predicted", "played", "squared error", "variance"], rows)

    # --- discards

    def discards(self) -> str:
        """What others discard: log losses, and tiles that are waited for."""
        from janshi.models.table_rates_discards import loss_and_gradient

        choices = choices_of(self.data)
        weights = self.weights["discards"][0].astype(float)
        n = len(choices.chosen)
        fitted, even = (
            loss_and_gradient(w, *choices, np.zeros(len(weights))) / n for w in (weights, np.zeros(len(weights)))
        )
        text = (
            f"{n:,} discards of opponents without riichi: log loss {fitted:.4f}; {even:.4f} for an even draw from the "
            f"unseen tiles."
        )
        return f"{text}\n\n{self._waits()}"

    def _waits(self) -> str:
        data, rows = self.data, np.arange(len(self.data.views))
        waits = ((data.discards["waits"][:, None] >> np.arange(NUM_KINDS)) & 1).astype(float)
        stance = data.declared.astype(int)
        came = ((data.next[:, :, None] == np.arange(NUM_KINDS)) & (waits[:, None] > 0)).any((1, 2))
        ron = data.ends.mine & (data.after == 0) & ~data.ends.tsumo
        guesses = {}
        for name, at in (("now", stance), ("silent", np.zeros_like(stance)), ("riichi", np.ones_like(stance))):
            given = self.rates["discards"][rows, at]
            plain = np.einsum("njk,nk->nj", given, waits)
            waited = np.einsum("njk,nk->nj", given * self.rates["waited"][rows, at][:, None], waits)
            guesses[name] = 1 - np.prod(1 - waited / (1 - plain + waited), 1)
        ready = (
            (data.discards["tenpai"] == 1) & (data.discards["furiten"] == 0) & ~(data.ends.dealt & (data.after == 0))
        )
        melds = data.views["melds"][:, 0]
        masks = {
            "riichi declared now": data.discards["declares"] == 1,
            "riichi declared before": data.declared & (data.discards["declares"] == 0),
            "closed, silent": ~data.declared & (melds == 0),
            "one meld": ~data.declared & (melds == 1),
            "two melds or more": ~data.declared & (melds >= 2),
        }
        table_rows, lines = [], {}
        for name, mask in masks.items():
            inside = np.nonzero(mask & ready)[0]
            happened = bootstrap(lambda c, i=inside: float(came[i[c]].mean()), self.games[inside], times=TIMES)
            other = "silent" if data.declared[inside].all() else "riichi"
            cells = [percent(guesses["now"][inside].mean()), interval(happened), percent(ron[inside].mean())]
            table_rows.append([name, f"{len(inside):,}", *cells, f"{other}: {percent(guesses[other][inside].mean())}"])
            lines[name] = (guesses["now"][inside], came[inside])
        self.plots.calibration("waits", "A tile waited for is discarded", lines, 0.3, 6)
        head = ["tenpai, not furiten", "cases", "predicted", "a wait was discarded", "won by ron", "predicted if"]
        return table(head, table_rows)

    # --- numbers for simulations

    def simulation(self) -> str:
        """Rates of tenpai opponents, and how readily waits are let go."""
        rows = []
        for name, self_draw, ron in self.tenpai_rates():
            rows.append([name, percent(self_draw), percent(ron)])
        text = table(["a tenpai opponent, in a go-around", "draws the winning tile", "wins from the other two"], rows)
        groups = {"honours": 0, "terminals": 1, "twos and eights": 2, "the rest": 3}
        unseen = np.maximum(0, 4 - self.data.views["seen"].astype(int) - self.data.views["hand"])
        even = unseen / unseen.sum(1, keepdims=True)
        group = np.array([0 if k >= EAST else min(3, 1 + min(k % RANKS, RANKS - 1 - k % RANKS)) for k in range(34)])
        late = self.data.views["discards"][:, 0] >= 5
        rows = []
        for stance, word in enumerate(("hidden", "riichi")):
            given = (self.rates["discards"][:, stance].mean(1) * self.rates["waited"][:, stance])[late]
            cells = []
            for number in groups.values():
                kinds = group == number
                cells.append(f"{given[:, kinds].sum() / even[late][:, kinds].sum():.2f}")
            rows.append([word, *cells])
        return f"{text}\n\n{table(['waits let go, beside an even draw', *groups], rows)}"

    def tenpai_rates(self) -> list[tuple[str, float, float]]:
        """Of opponents tenpai at a viewer's discard: how often they win by self-draw, or from the other two."""
        others, rows = self.others, self.walk.discards
        end = self.walk.ends[rows["end"]]
        seat = rows["seat"].astype(int)
        last = others.after == 0
        out = []
        passed = ~(last & (end["loser"] == seat) & (end["robbed"] == 0))
        for name, riichi in (("in riichi", 1), ("not in riichi", 0)):
            drew = won = cases = 0.0
            for other in range(3):
                there = (seat + 1 + other) % PLAYERS
                ready = (others.tenpai[:, other] == 1) & (others.riichi[:, other] == riichi) & passed
                wins = last & ((end["winners"] >> there) & 1 == 1)
                cases += ready.sum()
                drew += (ready & wins & (end["result"] == TSUMO_WIN)).sum()
                won += (ready & wins & (end["result"] == RON_WIN) & (end["loser"] != seat)).sum()
            out.append((name, drew / cases, won / cases))
        return out

    def ura(self) -> str:
        """Ura-dora by the number of indicators, as fitted and in the test pack; how many riichi wins are ippatsu."""
        ends, rows = self.walk.ends, []
        for shown in (1, 2):
            counts = np.zeros(5)
            for seat in range(PLAYERS):
                won = ((ends["winners"] >> seat) & (ends["riichi"] >> seat) & 1 == 1) & (ends["indicators"] == shown)
                counts += np.bincount(np.minimum(ends["ura"][won, seat], 4), minlength=5)
            fitted = self.weights["ura"][0, shown]
            rows.append([f"{shown} indicators, fitted", *(percent(x) for x in fitted)])
            rows.append(
                [f"{shown} indicators, {int(counts.sum()):,} wins", *(percent(x) for x in counts / counts.sum())]
            )
        rows_ = self.walk.discards
        mine = (self.walk.ends["winners"][rows_["end"]] >> rows_["seat"]) & 1 == 1
        declared = rows_["declares"] == 1
        at_once = declared & mine & (self.others.after == 0)
        share = at_once.sum() / (declared & mine).sum()
        text = table(["ura-dora", "0", "1", "2", "3", "4 or more"], rows)
        return f"{text}\n\nOf wins after riichi, {percent(share)} come before the next own discard."

    def speed(self) -> str:
        """Processor time a view."""
        views, said = self.data.views[:20000], self.data.discards["said"][:20000].copy()
        out, scratch = self.rates[:20000].copy(), new_scratch()
        times = []
        for _ in range(5):
            start = time.thread_time()
            note_all_rates(views, said, self.weights, scratch, out)
            times.append(time.thread_time() - start)
        return f"`note_rates`: {1e6 * min(times) / len(views):.1f} µs of processor time a view."

    def text(self) -> str:
        """All sections."""
        card = self.model.card
        sections = {
            "Who is tenpai": self.tenpai,
            "Tenpai ahead": self.ahead,
            "Becoming tenpai": self.becoming,
            "Another wins": self.other_win,
            "Who, how and how much": self.wins,
            "How much of the hand is played": self.sigma,
            "Discards": self.discards,
            "Ura-dora and ippatsu": self.ura,
            "Numbers for simulations": self.simulation,
            "Speed": self.speed,
        }
        parts = [stamp(), self.size()]
        for title, section in sections.items():
            parts += [f"### {title}", section()]
            print("\n\n".join(parts[-2:]), flush=True)
        told = f"{card['hands']:,} hands, {card['discards']:,} discards, {card['views']:,} views, {card['trained']}"
        return "\n\n".join([*parts, "### Card", f"Fitted to {told}, by `{card['command']}`, in {card['seconds']} s."])


def interval(figure: Figure) -> str:
    """A percentage with its interval."""
    return f"{percent(figure.value)} ({percent(figure.low)} – {percent(figure.high)})"


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
        """All tables; plots are kept."""
        card = ScenarioModel.load().card
        even = scenarios_training.even_log_loss(self.facts)
        rows: list[list[Any]] = [["average", f"{even:.4f}"]]
        rows += [
            [form, f"{scenarios_training.log_loss(model, self.columns, self.facts):.4f}"]
            for form, model in self.models.items()
        ]
        parts = [
            f"{len(self.facts):,} positions of the test pack, by their weights; fitted to {card['examples']:,} "
            f"({card['trained']}). The form that ships, chosen on validation games: **{card['form']}**.",
            table(["form", "log loss of the scenario"], rows),
            self.regressions(card["form"]),
            self.by_shanten(card["form"]),
        ]
        return "\n\n".join([stamp(), *parts])

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
        return table(head, rows)

    def by_shanten(self, form: str) -> str:
        """Predicted and happened, by shanten."""
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
        return table(["shanten", "positions", *(f"{name}: said / happened" for name in SCENARIO_NAMES)], rows)


class PlayerFigures:
    """What the MDP player expects of recorded discards, and what came."""

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
        """Ask the player about every position, one by one."""
        desk, out = self.agent._desk, np.zeros(1, np.int64)
        for i, (fact, view) in enumerate(zip(self.positions.facts, self.positions.before)):
            one = np.array([view], self.positions.before.dtype)
            answer_views(one, self.agent.payoffs(one), True, desk, out)
            for c in desk.candidates[: out[0]]:
                if c["kind"] == fact["kind"] and c["riichi"] == fact["declares"] and c["worth"] > UNKNOWN:
                    self.worth[i], self.chances[i] = c["worth"], c["chances"]
            if i % 200 == 199:
                print(f"player asked about {i + 1:,} positions", flush=True)

    def text(self) -> str:
        """Tables of ranks and scenarios."""
        self.ask()
        told = np.isfinite(self.worth)
        facts, views = self.positions.facts[told], self.positions.before[told]
        rank, said = facts["rank"].astype(float), -self.worth[told]
        now = final_rank.predict(
            np.array([np.roll(v["scores"], v["seat"]) for v in views]), views["kyoku"], views["honba"], views["sticks"]
        )
        before = now[np.arange(len(views)), views["seat"]] @ np.arange(1.0, PLAYERS + 1)
        guesses = {"the player": said, "scores only": before, "average": np.full(len(rank), rank.mean())}
        self.plots.calibration("rank", "Final rank less one", {n: (g - 1, rank - 1) for n, g in guesses.items()}, 3, 10)
        rows = [
            [name, f"{guess.mean():.3f}", f"{rank.mean():.3f}", f"{((guess - rank) ** 2).mean():.4f}"]
            for name, guess in guesses.items()
        ]
        head = ["expected final rank", "predicted", "came", "squared error"]
        return "\n\n".join(
            [
                stamp(),
                f"The MDP player with {PLAYER_HANDS:,} hands, asked what the recorded discard is worth at "
                f"{told.sum():,} positions of the test pack up to {NEAR} shanten. It expects its own play to follow, "
                "not the recorded player's.",
                table(head, rows),
                self.scenarios(facts, self.chances[told]),
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
        return table(["shanten", "positions", *(f"{name}: said / happened" for name in SCENARIO_NAMES)], rows)


def write_part(name: str, text: str) -> None:
    """Put figures between their marks on the page."""
    begin, end = marks(name)
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(begin)
    PAGE.write_text(f"{before}{begin}\n\n{text}\n\n{end}{rest.split(end)[1]}", encoding="utf-8")


def main() -> None:
    """Read arguments, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the data set")
    parser.add_argument("--positions", type=Path, help="folder of positions and their columns")
    parser.add_argument("--player", type=int, default=0, help="ask the MDP player about so many positions")
    parser.add_argument("--only", choices=("table", "scenarios", "player"), help="measure these only")
    parser.add_argument("--dry", action="store_true", help="print only")
    args = parser.parse_args()
    plots, found = Plots(), {}
    if args.only in (None, "table"):
        found["rates"] = TableFigures(Source(Dataset(args.data)), plots).text()
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
