"""How fast the models of opponents and hands are, and the players that search with them.

Without options: measure everything, print a table, write docs/benchmarks/models.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from itertools import count

import numpy as np

from _command import command_line, report
from _report import Figure
from _timing import on_cores, rate
from janshi.agents.base import Asked
from janshi.agents.registry import make_agent
from janshi.models.deal_in.model import DealInModel
from janshi.models.one_player import OnePlayerModel
from janshi.models.opponents import OpponentModels
from janshi.rules.batch import Batch
from janshi.rules.game import Array
from janshi.rules.registry import make_game
from janshi.rules.riichi.state import TURN

INTRO = (
    "Models and search on one core. Riichi positions are turns in the middle of games among careful players; the "
    "search model answers positions of its own games. Targets are the speeds that a player with one second per "
    "decision needs."
)
STEPS, POSITIONS = 30, 64


def riichi_turns() -> Array:
    """Turns in the middle of hands, not in riichi."""
    game = make_game("riichi/tenhou_east")
    batch, player = Batch(game, 4 * POSITIONS, seed=1), make_agent("careful", game)
    for _ in range(STEPS):
        views = batch.views()
        batch.step(player.act(Asked(game, views, np.zeros(len(views), np.uint64), batch.tables)))
    views = batch.views()
    return views[(views["phase"] == TURN) & (views["riichi"][:, 0] == 0)][:POSITIONS]


def best(metric: str, unit: str, once: Callable[[], int], run: argparse.Namespace, target: float) -> Figure:
    """A figure from the best of several runs."""
    once()
    with on_cores(1):
        runs = [rate(once, run.seconds) for _ in range(run.repetitions)]
    return Figure(metric, unit, max(runs), target, runs=runs)


def measure_models(run: argparse.Namespace) -> list[Figure]:
    """The models that read a position of riichi."""
    views, places = riichi_turns(), count()
    deal_in, opponents, alone = DealInModel.load(), OpponentModels.load(), OnePlayerModel.load()

    def one_view() -> int:
        i = next(places) % len(views)
        deal_in.predict(views[i : i + 1])
        return 1

    def all_views(answer: Callable[[Array], object]) -> Callable[[], int]:
        def once() -> int:
            answer(views)
            return len(views)

        return once

    return [
        best("dealing in, by enumeration", "views/s", one_view, run, 300),
        best("waits, winning tiles and payments", "views/s", all_views(opponents.predict), run, 10_000),
        best("one-player discards", "views/s", all_views(alone.discards), run, 25_000),
    ]


def measure_search(family: str, target: float, run: argparse.Namespace) -> Figure:
    """Decisions of the search model in its own games."""
    game = make_game(family)
    player, batch = make_agent("search", game), Batch(game, 16, seed=11)

    def once() -> int:
        asked = Asked(game, batch.views(), np.zeros(len(batch.tables), np.uint64), batch.tables)
        batch.step(player.act(asked))
        return len(asked)

    return best(f"search, {family}", "decisions/s", once, run, target)


def measure(run: argparse.Namespace) -> list[Figure]:
    """All figures."""
    searches = [measure_search("guobiao", 50, run), measure_search("simplified", 500, run)]
    return [*measure_models(run), *searches]


def main() -> None:
    """Measure and report."""
    run = command_line(__doc__).parse_args()
    run.seconds, run.repetitions = (0.4, 2) if run.quick else (1.0, 5)
    report(run, "models", "models", "Speed of models and search", INTRO, measure(run))


if __name__ == "__main__":
    main()
