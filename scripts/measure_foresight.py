"""Measure how much Guobiao players would win with hidden information, and write it into docs/rvr.md.

- draws: a player that knows all of its future draws and plans with them (`_foresight`);
- danger: `rvr`, but it knows which discards another player can win on, and takes its most probable safe one;
- both: as draws, but a dangerous discard is replaced by the most probable safe one of `rvr`.

A player without this knowledge can hardly win as much, so the result shows how far the search model is from the
optimum. It is not a strict bound, because plans involve guesses about the others' discards.

    python scripts/measure_foresight.py --walls 250
"""

from __future__ import annotations

import argparse
from math import sqrt
from typing import Any

import numpy as np

from _foresight import FUTURE_DTYPE, choose_all
from _page import when_and_where, write_between
from _rvr_page import PAGE
from janshi.agents.base import Asked
from janshi.agents.registry import make_agent
from janshi.core import rng
from janshi.core.tables import tables_array
from janshi.core.tiles import NUM_KINDS
from janshi.rules.guobiao import actions as act
from janshi.rules.registry import make_game
from janshi.rules.stepper import Stepper

STREAM, SEED = 602, 2022
FIRST, LAST = "<!-- foresight -->", "<!-- end of foresight -->"
DRAWS = 40
KNOWN = {
    "draws": "A player who knows all of its future draws",
    "danger": "`rvr`, knowing which discards another player can win on",
    "both": "A player who knows both",
}


def parse() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--walls", type=int, default=250, help="walls, each played from every seat")
    parser.add_argument("--opponent", default="search")
    parser.add_argument("--most", type=int, default=20_000, help="winning hands examined in one search")
    parser.add_argument("--known", nargs="+", choices=tuple(KNOWN), default=list(KNOWN), help="what the players know")
    parser.add_argument("--dry", action="store_true", help="print only, do not write the page")
    return parser.parse_args()


def coming_draws(states: Any, tables: Any, players: Any) -> Any:
    """The tiles each player will draw, the next one first, int64[m, DRAWS], padded with zeros."""
    out = np.zeros((len(tables), DRAWS), np.int64)
    for row, table, player in zip(out, tables, players):
        state = states[table]
        begin = int(state["wall_size"]) * player
        wall = state["wall"][begin : begin + int(state["left"][player])][::-1]
        tiles = wall[wall < NUM_KINDS]
        row[: len(tiles)] = tiles
    return out


def in_danger(game: Any, states: Any, players: Any, actions: Any, context: Any) -> Any:
    """Whether another player can win right after each of these actions, bool[n]. The states are not changed."""
    after, wins = Stepper.of(game, states.copy(), context), np.zeros(len(states), np.bool_)
    after.step(actions)
    if len(after):
        tables, asked = after.tables, after.players
        can = game.masks_of_views(after.views())[:, act.HU] & (asked != players[tables])
        wins[tables[can]] = True
    return wins


def make_safe(game: Any, states: Any, players: Any, actions: Any, chances: Any, context: Any) -> None:
    """Replace dangerous discards by the most probable safe ones, if there are any."""
    left, wished = chances.copy(), actions.copy()
    todo = np.flatnonzero(actions < act.PLAY + NUM_KINDS)
    left[:, act.PLAY + NUM_KINDS :] = 0
    while len(todo):
        todo = todo[in_danger(game, states[todo], players[todo], actions[todo], context)]
        left[todo, actions[todo]] = 0
        none = todo[left[todo].max(1, initial=0) == 0]
        actions[none] = wished[none]
        todo = np.setdiff1d(todo, none)
        actions[todo] = left[todo].argmax(1)


class Knowing:
    """Decides with knowledge of the whole table."""

    def __init__(self, game: Any, known: str, most: int) -> None:
        self.game, self.known, self.most = game, known, most
        self.policy, self.room, self.context = make_agent("rvr", game), np.zeros(1, FUTURE_DTYPE), game.new_context()

    def act(self, states: Any, tables: Any, players: Any, views: Any) -> Any:
        """The actions of these players at these tables, with their views."""
        actions = np.zeros(len(tables), np.int64)
        if self.known != "danger":
            choose_all(views, self.room, coming_draws(states, tables, players), self.most, tables_array(), actions)
        if self.known != "draws" and len(tables):
            chances = self.policy.probabilities(views)  # type: ignore[attr-defined]
            if self.known == "danger":
                actions = np.asarray(chances.argmax(1), np.int64)
            make_safe(self.game, states[tables], players, actions, chances, self.context)
        return actions


def play(known: str, walls: int, opponent: str, most: int) -> tuple[Any, Any]:
    """The scores of the knowing player, for each wall and seat, and whether it won."""
    game = make_game("guobiao/botzone")
    others, player = make_agent(opponent, game), Knowing(game, known, most)
    seeds = np.array([rng.key(np.uint64(SEED), wall, STREAM) for wall in range(walls)], np.uint64)
    stepper = Stepper(game, walls * game.players)
    stepper.start(np.repeat(seeds, game.players))
    states, knowing = stepper.states, np.tile(np.arange(game.players), walls)
    while len(stepper):
        tables, players, views = stepper.tables, stepper.players, stepper.views()
        own, actions = players == knowing[tables], np.zeros(len(tables), np.int64)
        actions[own] = player.act(states, tables[own], players[own], views[own])
        rest = views[~own]
        if len(rest):
            words, games = np.zeros(len(rest), np.uint64), np.zeros(len(rest), np.int64)
            actions[~own] = others.act(Asked(game, rest, words, games))
        stepper.step(actions)
    points = game.scores(states)[np.arange(len(states)), knowing].astype(np.float64)
    return points.reshape(walls, -1), (points > 0).reshape(walls, -1)


def interval(values: Any) -> tuple[float, float]:
    """A mean and half of its 95 % interval, by walls."""
    means = values.mean(1)
    return float(means.mean()), 1.96 * float(means.std()) / sqrt(len(means))


def main() -> None:
    """Play and report."""
    options = parse()
    lines = []
    for known in options.known:
        points, won = play(known, options.walls, options.opponent, options.most)
        (af, af_error), (wr, wr_error) = interval(points), interval(won)
        lines.append(
            f"- {KNOWN[known]}: AF {af:+.2f} ± {af_error:.2f}, WR {100 * wr:.1f} ± {100 * wr_error:.1f} % "
            f"({points.size:,} hands)"
        )
        print(lines[-1], flush=True)
    if not options.dry:
        command = "python scripts/measure_foresight.py"
        head = f"Written {when_and_where()}: `{command}`. Against three `{options.opponent}`:"
        write_between(PAGE, FIRST, LAST, "\n".join([head, "", *lines, ""]))


if __name__ == "__main__":
    main()
