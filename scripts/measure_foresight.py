"""How much a Guobiao player would win who knew all of their own coming draws, and write it into docs/rvr.md.

Who does not know can hardly win as much, so it tells how far the search model is from what can be had. It is no strict
bound: the player plans as `_foresight` says, by futures in which others' discards are guessed, and heeds no danger.

    python scripts/measure_foresight.py --walls 250
"""

from __future__ import annotations

import argparse
from math import sqrt
from typing import Any

import numpy as np

from _foresight import FUTURE_DTYPE, choose_all
from _rvr_page import PAGE, about, between
from janshi.agents.base import Asked
from janshi.agents.registry import make_agent
from janshi.core import rng
from janshi.core.tables import tables_array
from janshi.core.tiles import NUM_KINDS
from janshi.learn.warm_start import open_decisions
from janshi.rules.registry import make_game

STREAM, SEED = 602, 2022
FIRST, LAST = "<!-- foresight -->", "<!-- end of foresight -->"
DRAWS = 40


def parse() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--walls", type=int, default=250, help="walls, each played from every seat")
    parser.add_argument("--opponent", default="search")
    parser.add_argument("--most", type=int, default=20_000, help="winning hands looked at in one search")
    parser.add_argument("--dry", action="store_true", help="print only, leave the page as it is")
    return parser.parse_args()


def coming_draws(states: Any, tables: Any, players: Any) -> Any:
    """The tiles each player has yet to draw, the next one first, int64[m, DRAWS]; what is behind the last is zero."""
    out = np.zeros((len(tables), DRAWS), np.int64)
    for row, table, player in zip(out, tables, players):
        state = states[table]
        begin = int(state["wall_size"]) * player
        wall = state["wall"][begin : begin + int(state["left"][player])][::-1]
        tiles = wall[wall < NUM_KINDS]
        row[: len(tiles)] = tiles
    return out


def play(walls: int, opponent: str, most: int) -> tuple[Any, Any]:
    """The scores of the player who knows, for each wall and seat, and whether it won."""
    game = make_game("guobiao/botzone")
    others, room = make_agent(opponent, game), np.zeros(1, FUTURE_DTYPE)
    seeds = np.array([rng.key(np.uint64(SEED), wall, STREAM) for wall in range(walls)], np.uint64)
    states, context = game.new_states(walls * game.players), game.new_context()
    game.start(states, np.repeat(seeds, game.players), context)
    knowing = np.tile(np.arange(game.players), walls)
    while True:
        first, tables, players = open_decisions(game, states)
        if not len(tables):
            break
        views = np.zeros(len(tables), game.view_dtype)
        game.views(states, tables, players, views)
        own, actions = players == knowing[tables], np.zeros(len(tables), np.int64)
        found, rest = np.zeros(int(own.sum()), np.int64), views[~own]
        draws = coming_draws(states, tables[own], players[own])
        choose_all(views[own], room, draws, most, tables_array(), found)
        actions[own] = found
        if len(rest):
            words, games = np.zeros(len(rest), np.uint64), np.zeros(len(rest), np.int64)
            actions[~own] = others.act(Asked(game, rest, words, games))
        game.step(states, first, actions, False, context)
    points = game.scores(states)[np.arange(len(states)), knowing].astype(np.float64)
    return points.reshape(walls, -1), (points > 0).reshape(walls, -1)


def interval(values: Any) -> tuple[float, float]:
    """A mean and the half of its 95 % interval, by walls."""
    means = values.mean(1)
    return float(means.mean()), 1.96 * float(means.std()) / sqrt(len(means))


def main() -> None:
    """Play and tell."""
    options = parse()
    points, won = play(options.walls, options.opponent, options.most)
    (af, af_error), (wr, wr_error) = interval(points), interval(won)
    line = (
        f"A player who knows all of its own coming draws, against three `{options.opponent}`: "
        f"AF {af:+.2f} ± {af_error:.2f}, WR {100 * wr:.1f} ± {100 * wr_error:.1f} % ({points.size:,} hands)."
    )
    print(line)
    if not options.dry:
        head = f"Written {about()}: `python scripts/measure_foresight.py`."
        text = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(between(text, FIRST, LAST, [head, "", line]), encoding="utf-8")


if __name__ == "__main__":
    main()
