"""The page on how accurate a reviewer's losses are, from the measurements of `calibrate_review.py`."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import NamedTuple

import numpy as np

from _page import stamp, table_of_figures
from janshi.arena.stats import Estimate, mean, ratio
from janshi.luck.error_rate import KINDS
from janshi.rules.game import Array

GROUPS = (0.0, 0.001, 0.005, 0.02, 0.05, 0.1, 3.0)
"""Bounds of groups of decisions, by predicted loss in places."""
EXPERTS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0)
LINK = "[what the figures mean](review.md)"
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
    return Measured(np.concatenate(found), game, ranks, adjusted, dans, losses)


def page(folder: Path, agent: str) -> str:
    """The whole page."""
    m = load(folder)
    command = "python scripts/calibrate_review.py --out DATA ../shared/records/houou-2022.tar.xz"
    games = f"{len(m.ranks):,} of `houou-2022`, which no model was trained on"
    parts = [
        "# How accurate the losses in reviews are",
        f"A review says what a decision *loses*: expected final rank, in places, against the best choice ({LINK}). "
        f"This page compares the losses that `{agent}` predicts in held-out games of houou players with the results, "
        "adjusted for [luck](luck.md). Intervals are 95 %, clustered by game. The command resumes where it stopped, "
        "with any number of games and processes.",
        f"{stamp(command)}\n- Games: {games}; {len(m.decisions):,} decisions of all four players",
        *(*sums_per_game(m), *by_loss(m), *by_player(m), *by_kind(m), *by_experts(m)),
    ]
    return "\n\n".join(parts) + "\n"


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
    return ["## Sums", table_of_figures(["", "places"], rows)]


# --- decisions by predicted loss


def by_loss(m: Measured) -> list[str]:
    """Decisions in groups by predicted loss, against results without luck."""
    rows = []
    shortfall = m.decisions["best"].astype(np.float64) - m.decisions["result"]
    for low, high in itertools.pairwise(GROUPS):
        chosen = (m.decisions["loss"] >= low) & (m.decisions["loss"] < high)
        if len(np.unique(m.game[chosen])) > 1:
            predicted = float(m.decisions["loss"][chosen].mean())
            after = mean(shortfall[chosen], m.game[chosen])
            rows.append([f"{low:g} to {high:g}", f"{chosen.sum():,}", f"{predicted:.4f}", words(after, 3)])
    slope = slope_of(m, shortfall)
    return [
        "## Decisions by predicted loss",
        "The result of a decision is the expected final rank after its hand, minus the luck after the decision. Its "
        "shortfall from the reviewer's value of the best choice is the observed loss. It includes the errors of the "
        "reviewer's values and of all later decisions in the hand. If losses are accurate, it grows by as much as the "
        "predicted loss from one group to the next.",
        table_of_figures(["predicted loss", "decisions", "mean predicted", "short of the best value"], rows),
        f"One place of predicted loss goes with {words(slope, 2)} places of shortfall. 1 is ideal; 0 would mean that "
        "losses carry no information.",
    ]


def slope_of(m: Measured, shortfall: Array) -> Estimate:
    """The slope of the shortfall on predicted loss, within a game and a seat."""
    known = ~np.isnan(m.decisions["loss"])
    group = m.game[known] * 4 + m.decisions["seat"][known]
    x, y = (within(values[known].astype(np.float64), group) for values in (m.decisions["loss"], shortfall))
    return ratio(x * y, x * x, m.game[known])


def within(values: Array, group: Array) -> Array:
    """Values minus the mean of their group."""
    count = np.maximum(np.bincount(group), 1)
    return np.asarray(values - (np.bincount(group, values) / count)[group])


# --- players


def by_player(m: Measured) -> list[str]:
    """Whether those who lose less finish better without luck, and whether higher dan lose less."""
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
        "## Players",
        "Players' games by the sum of their losses, and how they finished.",
        table_of_figures(["places lost in the game", "players' games", "rank without luck", "rank"], rows),
        f"Among the four players of a game, each additional place of predicted loss goes with {words(slope, 2)} "
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
    return ["## Kinds", table_of_figures(["decision", "number", "mean loss", "share of all loss"], rows)]


def by_experts(m: Measured) -> list[str]:
    """How much less experts' rare choices are worth, and how often the rarest are played."""
    rows = []
    often, loss = m.decisions["experts"], m.decisions["loss"]
    for low, high in itertools.pairwise(EXPERTS):
        chosen = (often >= low) & ((often < high) | (high == EXPERTS[-1]))
        if chosen.any():
            bounds = f"{100 * low:.0f} to {100 * high:.0f} %"
            rows.append([bounds, f"{chosen.sum():,}", f"{np.nanmean(loss[chosen]):.4f}"])
    return [
        "## Experts",
        "How often experts choose what was played, by the reviewer's model of them, and what it loses. The two are "
        "shown side by side in a review, and neither is part of the other.",
        table_of_figures(["experts choose it", "decisions", "mean loss"], rows),
    ]
