"""Measures the table rates on the test pack, for `scripts/evaluate_mdp_models.py`."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from _mdp_models_page import COMMAND, Plots, interval, percent
from _page import stamp, table_of_figures
from janshi.core.tiles import EAST, NUM_KINDS, RANKS
from janshi.fitting.data import TESTING, Source
from janshi.fitting.measures import auc, bootstrap, calibration
from janshi.fitting.table_rates.data import walk
from janshi.fitting.table_rates.regressions import chances, log_loss
from janshi.fitting.table_rates.training import Regressed, choices_of, others_of
from janshi.models.amounts import BASES
from janshi.models.table_rates.model import TableRates, new_scratch, note_all_rates
from janshi.rules.riichi.state import PLAYERS, RON_WIN, TSUMO_WIN

SHARE = 0.3
TIMES = 200
AHEAD = (1, 3, 6, 9)


class TableFigures:
    """Figures of the table's rates."""

    def __init__(self, source: Source, plots: Plots) -> None:
        self.plots, self.model = plots, TableRates.load()
        self.weights = self.model.weights
        self.walk = walk(source, TESTING, SHARE, print)
        self.others = others_of(self.walk)
        # all players count here: a test needs those whom training has not seen
        self.walk.discards["unseen"] = 0
        self.data = Regressed(self.walk, self.others, self.weights)
        self.rates = self.model.predict(self.data.views, self.data.discards["said"].copy())
        numbers = np.unique(source.games, return_inverse=True)[1]
        self.games = numbers[self.data.discards["hand"]]
        self.all_games = numbers[self.walk.discards["hand"]]

    def size(self) -> str:
        """The size of the test data."""
        return (
            f"Measured on the test pack: {len(self.walk.ends):,} hands with {len(self.walk.discards):,} discards, of "
            f"which {len(self.data.views):,} were evaluated as views."
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
        return table_of_figures(head, rows)

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
        return table_of_figures(["discards ahead", "cases", "predicted", "tenpai", "log loss", "average only"], rows)

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
            rows.append([f"closed: then declares riichi{word}", *(percent(declares[threat, d], 0) for d in turns)])
        return table_of_figures(["discards made", *(str(d) for d in turns)], rows)

    # --- wins of others

    def other_win(self) -> str:
        """Opponents' wins in a go-around."""
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
        return table_of_figures(["go-arounds", "cases", "predicted", "happened", "log loss", "by turn only"], rows)

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
            ["who wins: log loss", f"{losses.mean():.4f}", f"{np.log(3):.4f} for equal chances"],
            ["self-drawn: predicted, happened", percent(tsumo.mean()), percent(drawn.mean())],
            [
                "self-drawn: log loss",
                f"{log_loss(tsumo, drawn):.4f}",
                f"{log_loss(np.full(len(drawn), drawn.mean()), drawn):.4f} for the average",
            ],
            ["base points: predicted, won", f"{expected.mean():,.0f}", f"{base.mean():,.0f}"],
        ]
        parts = calibration(expected, base, 5)
        rows.append(["in five groups", " / ".join(f"{a:,.0f}" for a, _, _ in parts), self._slashed(parts)])
        return table_of_figures([f"{int(other.sum()):,} positions", "", ""], rows)

    def _slashed(self, parts: Any) -> str:
        return " / ".join(f"{b:,.0f}" for _, b, _ in parts)

    def sigma(self) -> str:
        """The share of the remaining discards that is played."""
        numbers, played, most = self.data.sigma()
        guess = chances(numbers @ self.weights["sigma"][0])
        riichi = numbers[:, 1:4].sum(1)
        rows = []
        for name, mask in {"all": riichi >= 0, **{f"{r} in riichi": riichi == r for r in range(3)}}.items():
            cells = [f"{np.average(x[mask], weights=most[mask]):.3f}" for x in (guess, played)]
            error = np.average((guess - played)[mask] ** 2, weights=most[mask])
            spread = np.average((played[mask] - np.average(played[mask], weights=most[mask])) ** 2, weights=most[mask])
            rows.append([name, f"{mask.sum():,}", *cells, f"{error:.4f}", f"{spread:.4f}"])
        self.plots.calibration(
            "sigma", "Share of the remaining discards that is played", {"model": (guess, played)}, 1, 15
        )
        return table_of_figures(["positions", "cases", "predicted", "played", "squared error", "variance"], rows)

    # --- discards

    def discards(self) -> str:
        """What opponents discard: log losses, and tiles that the viewer waits for."""
        from janshi.models.table_rates.discards import loss_and_gradient

        choices = choices_of(self.data)
        weights = self.weights["discards"][0].astype(float)
        n = len(choices.chosen)
        fitted, even = (
            loss_and_gradient(w, *choices, np.zeros(len(weights))) / n for w in (weights, np.zeros(len(weights)))
        )
        text = (
            f"{n:,} discards of opponents without riichi: log loss {fitted:.4f}; {even:.4f} for a uniform draw from "
            f"the unseen tiles."
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
        self.plots.calibration("waits", "An opponent discards a wait", lines, 0.3, 6)
        head = ["tenpai, not furiten", "cases", "predicted", "a wait was discarded", "won by ron", "predicted if"]
        return table_of_figures(head, table_rows)

    # --- numbers for simulations

    def simulation(self) -> str:
        """Win rates of tenpai opponents, and how often waits are discarded."""
        rows = []
        for name, self_draw, ron in self.tenpai_rates():
            rows.append([name, percent(self_draw), percent(ron)])
        text = table_of_figures(
            ["a tenpai opponent, in a go-around", "draws the winning tile", "wins from the other two"], rows
        )
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
        return f"{text}\n\n{table_of_figures(['waits discarded, relative to a uniform draw', *groups], rows)}"

    def tenpai_rates(self) -> list[tuple[str, float, float]]:
        """How often opponents who are tenpai at the viewer's discard win by self-draw, or from the other two."""
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
        """Ura-dora by the number of indicators, fitted and in the test pack; the share of riichi wins with ippatsu."""
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
        text = table_of_figures(["ura-dora", "0", "1", "2", "3", "4 or more"], rows)
        return f"{text}\n\nOf wins after riichi, {percent(share)} come before the winner's next discard."

    def speed(self) -> str:
        """Processor time per view."""
        views, said = self.data.views[:20000], self.data.discards["said"][:20000].copy()
        out, scratch = self.rates[:20000].copy(), new_scratch()
        times = []
        for _ in range(5):
            start = time.thread_time()
            note_all_rates(views, said, self.weights, scratch, out)
            times.append(time.thread_time() - start)
        return f"`note_rates`: {1e6 * min(times) / len(views):.1f} µs of processor time per view."

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
        parts = [stamp(COMMAND), self.size()]
        for title, section in sections.items():
            parts += [f"### {title}", section()]
            print("\n\n".join(parts[-2:]), flush=True)
        data = f"{card['hands']:,} hands, {card['discards']:,} discards, {card['views']:,} views, {card['trained']}"
        return "\n\n".join([*parts, "### Card", f"Fitted to {data}, by `{card['command']}`, in {card['seconds']} s."])
