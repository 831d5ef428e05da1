"""Measure Guobiao players in races and write a table into docs/rvr.md.

A race (`janshi.learn.race`) is a hand in which only one player can win, racing against the usual length of hands. This
removes the luck of the other three, and all players race on the same walls, so that a few hands show small
differences.

    python scripts/measure_races.py --walls 3000 search rvr policy:file=earlier.npz
"""

from __future__ import annotations

import argparse
from math import sqrt
from typing import Any

import numpy as np

from _page import table, table_row, when_and_where, write_between
from _rvr_page import PAGE
from janshi.agents.base import Asked
from janshi.agents.registry import make_agent
from janshi.core import rng
from janshi.learn.race import Races, race_results
from janshi.learn.slots import table_dtype
from janshi.rules.registry import make_game

STREAM = 601
"""Separates the walls of these races from all others."""
SEED = 2022
FIRST, LAST = "<!-- races -->", "<!-- end of races -->"


def parse() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "agents", nargs="*", default=["search", "rvr", "greedy"], help="agents to measure, compared with the first"
    )
    parser.add_argument("--walls", type=int, default=3000)
    parser.add_argument("--dry", action="store_true", help="print only, do not write the page")
    return parser.parse_args()


def race(name: str, walls: int) -> tuple[Any, Any, Any]:
    """An agent's results on `walls` walls, whether it won, and after how many turns."""
    game = make_game("guobiao/botzone")
    agent, tables = make_agent(name, game), Races(game, np.arange(walls) % game.players)
    seeds = np.array([rng.key(np.uint64(SEED), wall, STREAM) for wall in range(walls)], np.uint64)
    tables.start(seeds)
    while len(tables):
        views = tables.views()
        tables.step(agent.act(Asked(game, views, np.zeros(len(views), np.uint64), np.zeros(len(views), np.int64))))
    states, learners = tables.states, tables.learner
    ended = np.zeros(walls, table_dtype(game.players))
    race_results(states, np.arange(walls), learners, ended)
    won = states["winner"] == learners
    return ended["final"].sum(1).astype(np.float64), won, states["turns"] / game.players


def row(name: str, found: tuple[Any, Any, Any], base: Any) -> list[str]:
    """A row of the table."""
    results, won, turns = found
    apart = results - base
    return [
        f"`{name}`",
        f"{results.mean():.2f} ± {half_width(results):.2f}",
        f"{apart.mean():+.2f} ± {half_width(apart):.2f}",
        f"{100 * won.mean():.1f} %",
        f"{turns[won].mean():.2f}",
    ]


def half_width(values: Any) -> float:
    """Half of the 95 % interval of a mean."""
    return 1.96 * float(values.std()) / sqrt(len(values))


def main() -> None:
    """Race all agents and write the table."""
    options = parse()
    base, rows = None, []
    for name in options.agents:
        found = race(name, options.walls)
        base = found[0] if base is None else base
        rows.append(row(name.rpartition("/")[2] if "/" in name else name, found, base))
        print(table_row(rows[-1]), flush=True)
    if not options.dry:
        command = "python scripts/measure_races.py"
        about = f"Written {when_and_where()}: `{command}`, {options.walls:,} walls, the same for all."
        figures = table(["player", "result", "minus the first's", "won", "turns of a win"], rows, tight=True)
        write_between(PAGE, FIRST, LAST, f"{about}\n\n{figures}\n")


if __name__ == "__main__":
    main()
