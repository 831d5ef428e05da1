"""Figures of the shipped models on any games: opponents, final ranks, and one-player mahjong with other players.

Every figure has its number of examples and, if it is a mean over games, a 95 % interval by resampling whole games. If
there is nothing to measure, that is an error, never a figure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from janshi.agents.registry import make_agent
from janshi.features import hand_score, waiting, winning_tile
from janshi.fitting import evaluation as ev
from janshi.fitting.data import Source
from janshi.fitting.final_rank import rank_losses, situations
from janshi.fitting.measures import Figure, auc, auc_within, bootstrap
from janshi.fitting.one_player.agreement import agent_actions, agent_kinds, measure_calls, measure_discards
from janshi.fitting.roles import BY_SPLIT, TESTING, Roles, nothing_for
from janshi.models.final_rank import FinalRankModel
from janshi.models.hand_score import HandScoreModel
from janshi.models.network import OpponentNetwork
from janshi.models.one_player import shipped
from janshi.models.waiting import WaitingModel
from janshi.models.winning_tile import WinningTileModel
from janshi.records.dataset import Dataset
from janshi.rules.registry import make_game

PLAYERS: Final = ("greedy", "careful")
"""Players measured along with the one-player model."""
TIMES: Final = 200
"""Number of times that games are resampled."""
SEED: Final = 20220101
"""Of the positions that are drawn."""
EVEN: Final = 0.25
NOTHING: Final = "–"
"""Stands for a figure that cannot be measured."""

Cell = str | Figure
Floats = npt.NDArray[np.floating[Any]]
Measure = Callable[[npt.NDArray[np.int64]], float]


@dataclass(frozen=True, slots=True)
class Section:
    """A table of figures."""

    title: str
    note: str
    """What was measured, and on how many examples."""
    head: Sequence[str]
    """Names of the columns; the first column names the rows."""
    rows: Sequence[Sequence[Cell]]

    def __str__(self) -> str:
        cells = [[str(cell) for cell in row] for row in (self.head, *self.rows)]
        widths = [max(map(len, column)) for column in zip(*cells)]
        lines = [
            "  ".join([row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:]))]) for row in cells
        ]
        return "\n".join([f"{self.title}: {self.note}", *lines, ""])

    def data(self) -> dict[str, Any]:
        """The section for JSON."""
        rows = [dict(zip(self.head, [row[0], *map(_cell_data, row[1:])])) for row in self.rows]
        return {"title": self.title, "note": self.note, "rows": rows}


def _cell_data(cell: Cell) -> Any:
    if isinstance(cell, Figure):
        return cell._asdict()
    return None if cell == NOTHING else cell


def measure_models(source: Source, players: Sequence[str] = PLAYERS) -> Iterator[Section]:
    """Sections on all shipped models, on the games of a source that are for testing."""
    samples = ev.draw_samples(source, SEED)
    network = OpponentNetwork.load()
    yield waiting_figures(samples.waiting, network)
    yield winning_figures(samples.winning, network)
    yield score_figures(samples, network)
    yield rank_figures(source)
    yield from measure_one_player(source.dataset, source.roles, players)


# --- opponents


def waiting_figures(sample: ev.Sample, network: OpponentNetwork) -> Section:
    """Who is tenpai without riichi."""
    _need(len(sample.kinds), "no opponent without riichi at an own turn")
    lists = ev.waiting_lists(sample)
    labels = lists.labels > 0
    groups = sample.of_opponent("discards").astype(int) * 8 + sample.of_opponent("melds")
    guesses = {
        "linear model": ev.margins(lists, WaitingModel.load().weights, waiting.LAYOUT.map()),
        "network": _of_opponents(network, sample, "waiting"),
    }
    rows = [
        [
            name,
            _figure(lambda c, g=guess: auc(g[c], labels[c]), sample.games),  # type: ignore[misc]
            _figure(lambda c, g=guess: auc_within(g[c], labels[c], groups[c]), sample.games, TIMES // 4),  # type: ignore[misc]
        ]
        for name, guess in guesses.items()
    ]
    note = f"{len(labels):,} opponents without riichi, {100 * labels.mean():.1f} % tenpai"
    return Section("Waiting", note, ("", "AUC", "within the same turn and melds"), rows)


def winning_figures(sample: ev.Sample, network: OpponentNetwork) -> Section:
    """Which tiles a tenpai opponent wins on."""
    _need(len(sample.kinds), "no own turn with a tile that a tenpai opponent would win on")
    lists = ev.winning_lists(sample)
    said = network.predict(sample.positions.views)["winning"][tuple(lists.places.T)]
    guesses = {
        "genbutsu only": np.zeros(len(lists.counts)),
        "linear model": ev.margins(lists, WinningTileModel.load().weights, winning_tile.LAYOUT.map()),
        "network": np.asarray(said, np.float64),
    }
    riichi, melds = sample.of_opponent("riichi") > 0, sample.of_opponent("melds")
    masks = {"all": riichi | ~riichi, "riichi": riichi, "closed": ~riichi & (melds == 0), "open": ~riichi & (melds > 0)}
    rows = []
    for name, guess in guesses.items():
        values = ev.orderings(sample, lists, guess)
        rows.append([name, *(_mean(values[mask], sample.games[mask]) for mask in masks.values())])
    note = f"share of other tiles placed as safer than a winning one, {len(sample.kinds):,} positions"
    return Section("Winning tile", note, ("", *masks), rows)


def score_figures(samples: ev.Samples, network: OpponentNetwork) -> Section:
    """How much a deal-in costs."""
    _need(len(samples.score.kinds), "no tile that a tenpai opponent would win on")
    head = ["", "tiles that would be paid for", "deal-ins that happened"]
    rows: dict[str, list[Cell]] = {"linear model": [], "network": []}
    for sample, paid in ((samples.score, None), (samples.deal_ins, samples.paid)):
        if not len(sample.kinds):
            for row in rows.values():
                row.append(NOTHING)
            continue
        lists = ev.score_lists(sample)
        truth = np.log(lists.labels if paid is None else paid)
        linear = ev.margins(lists, HandScoreModel.load().weights, hand_score.LAYOUT.map())
        said = _of_opponents(network, sample, "log_payment")[np.arange(len(truth)), sample.kinds]
        for name, guess in (("linear model", linear), ("network", said)):
            rows[name].append(_mean((guess - truth) ** 2, sample.games))
    note = (
        f"squared error of ln(points), {len(samples.score.kinds):,} tiles and {len(samples.deal_ins.kinds):,} deal-ins"
    )
    return Section("Hand score", note, head, [[name, *row] for name, row in rows.items()])


def _of_opponents(network: OpponentNetwork, sample: ev.Sample, field: str) -> npt.NDArray[Any]:
    """The network's output for the opponents of a sample."""
    said = network.predict(sample.positions.views)[field]
    return np.asarray(said[np.arange(len(sample.opponents)), sample.opponents])


# --- final ranks


def rank_figures(source: Source) -> Section:
    """How games end, before each hand."""
    test, rows_of = situations(source, source.test)
    _need(len(rows_of), "no hand of a finished game")
    games = np.unique(source.games[rows_of], return_inverse=True)[1]
    chances = FinalRankModel.load().predict(test.scores, test.kyoku, test.honba, test.sticks, test.rounds)
    rows = []
    for name, guess in (("model", chances), ("even", np.full_like(chances, EVEN))):
        rows.append([name, *(_mean(values, games) for values in rank_losses(guess, test.ended))])
    head = ("", "log loss of a player's rank", "squared error of the expected rank")
    return Section("Final rank", f"{len(games):,} hands of {games.max() + 1:,} games", head, rows)


# --- one-player mahjong


def measure_one_player(
    dataset: Dataset, roles: Roles = BY_SPLIT, players: Sequence[str] = PLAYERS
) -> Iterator[Section]:
    """How often the one-player model and other players agree with the discards and calls of test games."""
    game = make_game("riichi/tenhou")
    agents = {name: make_agent(name, game) for name in ("one_player", *players)}
    choosers = {name: agent_kinds(agent) for name, agent in agents.items()} | {"one_player": shipped().discards}
    agreed = measure_discards(dataset, choosers, roles=roles)
    rows = [
        [place, f"{count:,}", *(f"{agreed.share(place, name):.4f}" for name in choosers)]
        for place, count in agreed.positions.items()
        if count
    ]
    yield Section("Discards as the players", "not in riichi, two kinds or more", ("", "number", *choosers), rows)
    calls = []
    for name, agent in agents.items():
        for words, threat in (("", None), (", no threat", False)):
            found = measure_calls(dataset, agent_actions(agent), threat, roles=roles)
            numbers = (found.accuracy, found.exact / found.offers, found.recall, found.precision)
            calls.append([name + words, f"{found.offers:,}", *map(_share, numbers)])
    head = ("", "offers", "call or pass", "exactly", "recall", "precision")
    yield Section("Calls as the players", "offers of chi and pon", head, calls)


# --- small helpers


def _need(count: int, why: str) -> None:
    """An error where there is nothing to measure."""
    if not count:
        raise nothing_for(TESTING, why)


def _share(value: float) -> str:
    return NOTHING if isnan(value) else f"{value:.4f}"


def _figure(measure: Measure, games: npt.NDArray[Any], times: int = TIMES) -> Cell:
    """A measure with its interval, if there is one."""
    found = bootstrap(measure, games, times=times)
    return NOTHING if isnan(found.value) else found


def _mean(values: Floats, games: npt.NDArray[Any]) -> Cell:
    """A mean with its interval, if there are values."""
    return _figure(lambda c: float(values[c].mean()), games) if len(values) else NOTHING
