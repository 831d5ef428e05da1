"""Writes the page on the accuracy of reviewers' losses, from the measurements of `calibrate_review.py`."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import NamedTuple

import numpy as np

from _choices import GROUPS
from _page import stamp, table_of_figures
from janshi.agents.loss import MOST, RANK
from janshi.arena.stats import Estimate, mean, ratio
from janshi.luck.error_rate import KINDS
from janshi.rules.game import Array

EXPERTS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0)
COMMAND = "python scripts/calibrate_review.py --agent {agent} --out DATA ../shared/records/houou-2022.tar.xz"
COMMANDS = {
    "apprentice": "python scripts/measure_choices.py --out TEST ../shared/records/houou-2022.tar.xz && "
    "python scripts/measure_choices.py --out MORE --held-out ../shared/records/houou-{2009,cases,tenhoui}*.tar.xz && "
    "python scripts/measure_choices.py --out SEEN --skip 500 ../shared/records/houou-20{18,20}.tar.xz && "
    "python scripts/calibrate_review.py --choices TEST --held-out MORE --learned SEEN --out DATA"
}
HELD_OUT = "held_out"
"""Folder with games of other years whose measured decisions were held out of training."""
LEARNED = "learned"
"""Folder with games that the reviewer's network learned from, but that its losses were not fitted to."""
TEST, TRAIN = "test", "train"
"""Splits: games held out by date, and training games of which only held-out players' decisions are measured."""
SPREADS = (0.0, 0.1, 0.2, 0.3, 0.5, 4.0)
"""Bounds of the groups of decisions by stake, in places."""
SLOPES = ("slope, eight draws later", "slope, end of the hand")
Z = 1.96
LEAST = 400
"""Minimum number of decisions for a slope."""
PARTS = 4
"""Number of groups that players are sorted into by loss."""


class Measured(NamedTuple):
    """All games that were measured."""

    decisions: Array
    game: Array
    """The game of each decision."""
    ranks: Array
    """float[games, 4]."""
    adjusted: Array
    dans: Array
    losses: Array
    """Sum of the losses of each player in each game, float64[games, 4]."""
    seats: Array
    """Whose decisions were measured, bool[games, 4]."""
    split: Array
    """The split of each game."""
    known: Array
    """Whether the value function of luck was trained on the game, bool[games]."""

    def of(self, games: Array) -> Measured:
        """Some of the games, bool[games]."""
        rows, number = games[self.game], np.cumsum(games) - 1
        return Measured(self.decisions[rows], number[self.game[rows]], *(one[games] for one in self[2:]))


def load(folder: Path) -> Measured:
    """Read what was measured."""
    files = [np.load(path) for path in sorted(folder.glob("*.npz"))]
    if len(files) < 2:
        raise SystemExit(f"there are {len(files)} measured games in {folder}, fewer than two")
    found = [file["decisions"] for file in files]
    losses = np.zeros((len(files), 4))
    for number, some in enumerate(found):
        np.add.at(losses[number], some["seat"], np.nan_to_num(some["loss"].astype(np.float64)))
    ranks, adjusted, dans = (np.stack([file[name] for file in files]) for name in ("ranks", "adjusted", "dans"))
    game = np.repeat(np.arange(len(files)), [len(some) for some in found])
    seats = np.stack([file["seats"] if "seats" in file else np.ones(4, np.bool_) for file in files])
    split = np.array([str(file["split"]) if "split" in file else TEST for file in files])
    known = np.array(["known" in file and bool(file["known"]) for file in files])
    return Measured(np.concatenate(found), game, ranks, adjusted, dans, losses, seats, split, known)


def together(first: Measured, second: Measured) -> Measured:
    """The games of both."""
    game = np.concatenate([first.game, second.game + len(first.ranks)])
    rest = (np.concatenate(both) for both in zip(first[2:], second[2:]))
    return Measured(np.concatenate([first.decisions, second.decisions]), game, *rest)


def part(folder: Path, agent: str) -> str:
    """The part of the page about one reviewer."""
    m = load(folder)
    held_out, learned = (load(folder / name) if (folder / name).is_dir() else None for name in (HELD_OUT, LEARNED))
    games = f"{len(m.ranks):,} of `houou-2022`, which no model was trained on"
    lines = [
        f"{stamp(COMMANDS.get(agent, COMMAND.format(agent=agent)))}\n- Games: {games}; {len(m.decisions):,} decisions "
        "of all four players",
        *(*sums_per_game(m), *by_loss(m), *by_situation(m), *by_player(m), *by_kind(m), *by_experts(m)),
        *(by_holding_out(m, held_out, learned) if held_out else ()),
    ]
    return "\n\n".join(lines)


def words(found: Estimate, digits: int = 4, sign: str = "+") -> str:
    """An estimate with its interval."""
    value, low, high = (f"{number:{sign}.{digits}f}" for number in (found.value, found.low, found.high))
    return f"{value} ({low} to {high})"


def rank_words(found: Estimate) -> str:
    """A rank with its interval."""
    return words(found, 2, "")


# --- sums


def sums_per_game(m: Measured) -> list[str]:
    """What a player loses in a game."""
    flat = m.losses.ravel()
    average = mean(m.losses.mean(1), np.arange(len(m.ranks)))
    marks = np.quantile(flat, [0.05, 0.25, 0.5, 0.75, 0.95])
    loss = m.decisions["loss"]
    rows = [
        ["mean loss of a player in a game", f"{average.value:.3f} ({average.low:.3f} to {average.high:.3f})"],
        ["5 %, 25 %, 50 %, 75 %, 95 % of players' games", ", ".join(f"{x:.2f}" for x in marks)],
        ["largest sum of a player in a game", f"{flat.max():.2f}"],
        ["largest loss of one decision", f"{np.nanmax(loss):.3f}"],
        ["decisions without a loss (under 0.0005)", f"{100 * np.nanmean(loss < 0.0005):.0f} %"],
        ["decisions in which all choices have the same value", f"{100 * m.decisions['alike'].mean():.1f} %"],
        ["decisions whose loss is not known", f"{100 * np.isnan(loss).mean():.1f} %"],
    ]
    return ["### Sums", table_of_figures(["", "places"], rows)]


# --- decisions by predicted loss


def by_loss(m: Measured) -> list[str]:
    """Decisions in groups by predicted loss, against results without luck."""
    loss = m.decisions["loss"]
    group = np.searchsorted(GROUPS, loss, "right") - 1
    soon, at_end = (lost_by_group(m, group, until) for until in ("soon", "result"))
    rows = []
    for number, (low, high) in enumerate(itertools.pairwise(GROUPS)):
        chosen = group == number
        if chosen.any():
            bounds = f"{low:g} to {min(high, MOST[RANK]):g}"
            rows.append([bounds, f"{chosen.sum():,}", f"{loss[chosen].mean():.4f}", soon[number], at_end[number]])
    everything = np.ones(len(loss), np.bool_)
    return [
        "### Decisions by predicted loss",
        "How much the player's expected final rank worsened from before a decision until eight draws later, or until "
        "the end of the hand, without the luck in between, more than after choices of the first group. Positions are "
        "compared with themselves: what was played counts against how often experts play each group in the same "
        "position, so positions in which experts often disagree do not pass for mistakes. The expected rank before a "
        "decision is by the value function of [luck](luck.md), which knows all hands. At the end of the hand results "
        "do not depend on that function, but are noisy, and include all later decisions of the hand.",
        table_of_figures(
            ["predicted loss", "decisions", "mean predicted", "observed, eight draws later", "observed, end of hand"],
            rows,
        ),
        f"One place of predicted loss, above what experts usually lose in the same position, corresponds to "
        f"{words(slope_of(m, 'result', everything), 2)} places observed by the end of the hand, and "
        f"{words(slope_of(m, 'soon', everything), 2)} eight draws later. 1 is ideal; 0 would mean that losses carry no "
        f"information. Compared only with other decisions of the same player in the same game, so that weaker players "
        f"cannot make it larger, the first is {words(slope_of(m, 'result', everything, own=True), 2)}.",
    ]


def lost_by_group(m: Measured, group: Array, until: str) -> list[str]:
    """How much more choices of each group lose than those of the first, as text; clustered by game."""
    fallen = (m.decisions["before"] - m.decisions[until]).astype(np.float64)
    groups = [number for number in range(1, len(GROUPS) - 1) if (group == number).sum() > 1]
    if not groups:
        return ["–"] * (len(GROUPS) - 1)
    x = np.stack([(group == number) - m.decisions["shares"][:, number].astype(np.float64) for number in groups], 1)
    y = fallen - fallen.mean()
    square = x.T @ x
    found = np.linalg.solve(square, x.T @ y)
    scores = np.zeros((len(m.ranks), len(groups)))
    np.add.at(scores, m.game, x * (y - x @ found)[:, None])
    inverse = np.linalg.inv(square)
    errors = Z * np.sqrt(np.diag(inverse @ (scores.T @ scores) @ inverse))
    texts = {n: f"{v:+.4f} ({v - e:+.4f} to {v + e:+.4f})" for n, v, e in zip(groups, found, errors)}
    return [texts.get(number, "–") for number in range(len(GROUPS) - 1)]


def slope_of(m: Measured, until: str, chosen: Array, own: bool = False) -> Estimate:
    """The slope of the fall in value on the predicted loss, both relative to what experts usually lose there.

    With `own`, both are taken relative to the same player's other decisions in the game.
    """
    known = chosen & ~np.isnan(m.decisions["loss"])
    some, game = m.decisions[known], m.game[known]
    x = (some["loss"] - np.nan_to_num(some["usual"])).astype(np.float64)
    y = (some["before"] - some[until]).astype(np.float64)
    if own:
        group = game * 4 + some["seat"]
        x, y = within(x, group), within(y, group)
    return ratio(x * y, x * x, game)


def within(values: Array, group: Array) -> Array:
    """Values minus the mean of their group."""
    count = np.maximum(np.bincount(group), 1)
    return np.asarray(values - (np.bincount(group, values) / count)[group])


def by_situation(m: Measured) -> list[str]:
    """The slope by kind of decision, by threat and by what is at stake."""
    d = m.decisions
    groups = [(name, d["kind"] == number) for number, name in enumerate(KINDS)]
    groups += [("somebody threatens", d["threat"]), ("nobody threatens", ~d["threat"])]
    for low, high in itertools.pairwise(SPREADS):
        groups.append((f"at stake: {low:g} to {high:g} places", (d["spread"] >= low) & (d["spread"] < high)))
    rows = []
    for name, chosen in groups:
        lost = d["loss"][chosen]
        if chosen.sum() >= LEAST and np.nansum(lost) > 0:
            slopes = [words(slope_of(m, until, chosen), 2) for until in ("soon", "result")]
            rows.append([name, f"{chosen.sum():,}", f"{np.nanmean(lost):.4f}", *slopes])
    head = ["decisions", "number", "mean loss", *SLOPES]
    return ["### Where losses are accurate", "The same slopes for some of the decisions.", table_of_figures(head, rows)]


# --- players


def by_player(m: Measured) -> list[str]:
    """Check that players who lose less finish better without luck, and that higher dan lose less."""
    games = np.arange(len(m.ranks))
    losses, adjusted, ranks = m.losses.ravel(), m.adjusted.ravel(), m.ranks.ravel()
    game = np.repeat(games, 4)
    cuts = np.quantile(losses, np.linspace(0, 1, PARTS + 1))
    rows = []
    for number, (low, high) in enumerate(itertools.pairwise(cuts)):
        chosen = (losses >= low) & ((losses < high) | (number == PARTS - 1))
        rank, plain = mean(adjusted[chosen], game[chosen]), mean(ranks[chosen], game[chosen])
        rows.append([f"{low:.2f} to {high:.2f}", f"{chosen.sum():,}", rank_words(rank), rank_words(plain)])
    x = (m.losses - m.losses.mean(1, keepdims=True)).ravel()
    y = (m.adjusted - m.adjusted.mean(1, keepdims=True)).ravel()
    slope = ratio(x * y, x * x, game)
    return [
        "### Players",
        "Players' games by the sum of their losses, and how they finished.",
        table_of_figures(["places lost in the game", "players' games", "rank without luck", "rank"], rows),
        f"Among the four players of a game, each additional place of predicted loss corresponds to {words(slope, 2)} "
        "places of rank without luck.",
        *by_dan(m, game, losses),
    ]


def by_dan(m: Measured, game: Array, losses: Array) -> list[str]:
    """What players of each dan lose."""
    dans, rows = m.dans.ravel(), []
    for dan in np.unique(dans[dans > 0]).tolist():
        chosen = dans == dan
        if len(np.unique(game[chosen])) > 1:
            lost, rank = mean(losses[chosen], game[chosen]), mean(m.adjusted.ravel()[chosen], game[chosen])
            places = f"{lost.value:.3f} ± {lost.half_width:.3f}"
            rows.append([dan_name(dan), f"{chosen.sum():,}", places, rank_words(rank)])
    head = ["dan", "players' games", "places lost in a game", "rank without luck"]
    return [table_of_figures(head, rows)] if rows else []


def dan_name(dan: int) -> str:
    """Tenhou's number of a dan in words: 9 is the first kyu, 10 the first dan, 20 the top title."""
    return "Tenhoui" if dan >= 20 else f"{dan - 9} dan" if dan > 9 else f"{10 - dan} kyu"


# --- kinds and experts


def by_kind(m: Measured) -> list[str]:
    """Losses by what a decision was about."""
    rows = []
    for number, name in enumerate(KINDS):
        chosen = m.decisions["kind"] == number
        if chosen.any():
            loss = m.decisions["loss"][chosen]
            share = np.nansum(loss) / max(np.nansum(m.decisions["loss"]), 1e-12)
            each = np.nanmean(loss) if not np.isnan(loss).all() else np.nan
            rows.append([name, f"{chosen.sum():,}", f"{each:.4f}", f"{100 * share:.0f} %"])
    return ["### Kinds", table_of_figures(["decision", "number", "mean loss", "share of all loss"], rows)]


def by_experts(m: Measured) -> list[str]:
    """How much choices lose that experts rarely make, and how often they are played."""
    rows = []
    often, loss = m.decisions["experts"], m.decisions["loss"]
    for low, high in itertools.pairwise(EXPERTS):
        chosen = (often >= low) & ((often < high) | (high == EXPERTS[-1]))
        if chosen.any():
            bounds = f"{100 * low:.0f} to {100 * high:.0f} %"
            rows.append([bounds, f"{chosen.sum():,}", f"{np.nanmean(loss[chosen]):.4f}"])
    return [
        "### Experts",
        "How often experts choose what was played, by the reviewer's model of them, and what it loses. The two are "
        "shown side by side in a review, and neither is part of the other.",
        table_of_figures(["experts choose it", "decisions", "mean loss"], rows),
    ]


# --- games and players of other years


def by_holding_out(m: Measured, more: Measured, learned: Measured | None) -> list[str]:
    """The same for decisions of other years that no network was trained on: whole games, and held-out players.

    Beside them, games that the network learned from, but that losses were not fitted to.
    """
    every = together(m, more)
    sets = [
        ("by date: games of 2022", every.of(every.split == TEST)),
        ("by game: 2 % of the games of other years", every.of(~np.isin(every.split, (TEST, TRAIN)))),
        ("whole games, together", every.of(every.split != TRAIN)),
        ("by player: 5 % of the players, in games that were learned from", every.of(every.split == TRAIN)),
        ("all that was held out", every),
    ]
    if learned:
        sets += [("games that were learned from", learned), ("all of these", together(every, learned))]
    rows = []
    for name, some in sets:
        if len(some.ranks) > 1:
            lost = mean(some.losses[some.seats], np.repeat(np.arange(len(some.ranks)), some.seats.sum(1)))
            slopes = [words(slope_of(some, until, some.decisions["loss"] >= 0), 2) for until in ("soon", "result")]
            counts = [f"{number:,}" for number in (len(some.ranks), some.seats.sum(), len(some.decisions))]
            rows.append([name, *counts, f"{100 * some.known.mean():.0f} %", f"{lost.value:.3f}", *slopes])
    head = ["decisions", "games", "players' games", "number", "known to luck", "lost in a game", *SLOPES]
    _, _, table, slopes_of_all = by_loss(every)
    return [
        "### Games and players of other years",
        "More decisions that losses were not fitted to. Some of them the network did not learn from either: whole "
        "games that are kept apart by a hash of their id, and decisions of players who are kept apart by a hash of "
        "their name. The latter sat at tables that the network saw from the other seats. *Known to luck* is the share "
        "of the games that the value function of luck was trained on: there it may know what happened, so that the "
        "results eight draws later are not independent of it; those at the end of the hand need it only for the luck. "
        "The games of 2018 and 2020 were learned from, but the losses were fitted to 500 others of these years.",
        table_of_figures(head, rows),
        "Held-out decisions by predicted loss:",
        table,
        slopes_of_all,
    ]
