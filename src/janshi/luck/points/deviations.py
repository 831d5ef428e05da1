"""What choices cost in Guobiao, by experiment: players sometimes deviate at random, and we record luck-free results.

All four players use the search, which is as strong as any player we have. At some decisions, chosen at random, the
player takes a random action instead, mostly drawn from the flattened probabilities of `rvr`. Deviations depend on
nothing but the position, so differences between results are effects of the choices, not of who made them.

Between two draws, only decisions change the value of a position. So a decision's result minus the luck since then,
minus the value before it, is the change due to this decision and all later ones. `luck.afterwards` does the same for
riichi.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from janshi.agents.base import Asked
from janshi.agents.learned.agent import LearnedAgent
from janshi.agents.learned.network import shipped
from janshi.agents.search.agent import SearchAgent
from janshi.core.dtypes import record_dtype
from janshi.core.tiles import NUM_KINDS
from janshi.features.guobiao.prospects import OTHERS_WIN
from janshi.features.prospects import Prospects
from janshi.luck.points.measure import PointLuck, shipped_values
from janshi.models.draw_values import Values
from janshi.rules.game import Array, Game
from janshi.rules.guobiao.actions import NUM_ACTIONS
from janshi.rules.guobiao.state import NONE, PLAYERS
from janshi.rules.guobiao.view import VIEW_DTYPE
from janshi.rules.stepper import Stepper

OFTEN: Final = 0.2
"""Share of decisions at which a player deviates."""
TEMPERATURE: Final = 2.0
"""Temperature of the probabilities that deviations are drawn from."""
ANYTHING: Final = 0.1
"""Share of deviations that are drawn uniformly from all legal actions."""
SOON: Final = 8
"""Draws after which the effect is also measured: about two go-arounds."""

ENDS: Final = ("win", "lose", "draw", "other")
"""How a hand ends for a player; `lose`: deals in, `other`: another player wins in some other way."""
WIN, LOSE, DRAW, OTHER = range(len(ENDS))
OPPONENTS: Final = PLAYERS - 1

DEVIATION_DTYPE: Final = record_dtype(
    [
        ("game", np.int32),
        ("seat", np.int8),
        ("action", np.int16),  # what was played
        ("chances", np.float32, (NUM_ACTIONS,)),  # how often `rvr` makes each choice
        ("values", np.float32, (NUM_ACTIONS,)),  # of each choice by the search; NaN for illegal ones
        ("value", np.float32),  # points expected before the decision, knowing all hands
        ("result", np.float32),  # points of the hand without the luck after the decision
        ("soon", np.float32),  # value `SOON` draws later, without the luck in between
        ("end", np.int8),  # how the hand ended for the player: a place in `ENDS`
        ("at_once", np.bool_),  # somebody won on the discard
        ("fan", np.uint8, (OPPONENTS, NUM_KINDS)),  # of each opponent's win on each kind; 0 where no tile was drawn
        ("view", VIEW_DTYPE),
    ]
)


class _Draws(NamedTuple):
    """The draws of all tables at one step."""

    table: Array
    luck: Array
    """By absolute seat, float64[m, 4]."""
    worth: Array
    """Value of the position before the draw, by absolute seat, float64[m, 4]."""


class Deviations:
    """Plays hands and measures the effect of deviations."""

    def __init__(self, game: Game, values: Values | None = None) -> None:
        self.game, self.search = game, SearchAgent(game)
        self.network = LearnedAgent(game, str(shipped("rvr", game.family.name)))
        self.luck = PointLuck(game, values or shipped_values(game.family.name), deals=1)
        self._prospects = Prospects(game)

    def play(self, seeds: Array, random: np.random.Generator) -> tuple[Array, Array]:
        """The deviations in some hands, records of `DEVIATION_DTYPE`, and the hands' points, float64[hands, 4]."""
        tables = Stepper(self.game, len(seeds))
        tables.start(seeds)
        draws, made, drawn = list[_Draws](), list[Array](), np.zeros(len(seeds), np.int64)
        places = list[Array]()
        while not (tables.states["phase"] == self.game.game_over).all():
            draws.append(_Draws(*self.luck.draws(tables)))
            np.add.at(drawn, draws[-1].table, 1)
            actions, deviations = self._answers(tables, random)
            made.append(deviations)
            places.append(drawn[deviations["game"]])
            tables.step(actions)
        found, points = np.concatenate(made), self.game.scores(tables.states).astype(np.float64)
        _follow(found, np.concatenate(places), draws, points)
        _note_ends(found, tables.states)
        return found, points

    def _answers(self, tables: Stepper, random: np.random.Generator) -> tuple[Array, Array]:
        """An action for each open decision, and which of them are deviations."""
        views = tables.views()
        legal = self.game.masks_of_views(views)
        actions = self.search.act(Asked(self.game, views, np.zeros(len(views), np.uint64), tables.tables))
        chosen = np.flatnonzero((legal.sum(1) > 1) & (random.random(len(views)) < OFTEN))
        made = np.zeros(len(chosen), DEVIATION_DTYPE)
        if len(chosen):
            some, own = views[chosen], legal[chosen]
            made["game"], made["seat"] = tables.tables[chosen], tables.players[chosen]
            made["view"], made["fan"] = some, self._wins(tables, chosen)
            made["chances"], made["values"] = self.network.probabilities(some), self.search.action_values(some)
            likely = drawn_by(made["chances"].astype(np.float64), own)
            made["action"] = actions[chosen] = [random.choice(len(row), p=row) for row in likely]
        return actions, made

    def _wins(self, tables: Stepper, chosen: Array) -> Array:
        """Fan of the win that each opponent could make of each kind now, uint8[m, 3, 34]."""
        about = self._prospects.of(tables.states, tables.tables[chosen], tables.players[chosen])
        return np.asarray(about["tiles"][:, :, OTHERS_WIN : OTHERS_WIN + OPPONENTS].transpose(0, 2, 1))


def drawn_by(chances: Array, legal: Array) -> Array:
    """The probabilities that deviations are drawn from, float64[m, actions]."""
    flat = np.where(legal, np.maximum(chances, 1e-12) ** (1 / TEMPERATURE), 0.0)
    flat = flat / flat.sum(1, keepdims=True)
    mixed = (1 - ANYTHING) * flat + ANYTHING * legal / legal.sum(1, keepdims=True)
    return np.asarray(mixed / mixed.sum(1, keepdims=True))


def _follow(found: Array, places: Array, draws: list[_Draws], points: Array) -> None:
    """Write the results of each deviation; `places` is the number of draws in its hand before it."""
    table = np.concatenate([some.table for some in draws])
    order = np.argsort(table, kind="stable")
    luck, worth = (np.concatenate(parts)[order] for parts in zip(*((some.luck, some.worth) for some in draws)))
    bounds = np.searchsorted(table[order], np.arange(len(points) + 1))
    for row, place in zip(found, places.tolist()):
        _follow_one(row, place, slice(bounds[row["game"]], bounds[row["game"] + 1]), luck, worth, points)


def _follow_one(row: Any, place: int, hand: slice, luck: Array, worth: Array, points: Array) -> None:
    seat = row["seat"]
    lucky, before = luck[hand, seat], np.append(worth[hand, seat], points[row["game"], seat])
    end = min(place + SOON - 1, len(lucky))
    row["value"] = before[place - 1] + lucky[place - 1]
    row["result"] = before[-1] - lucky[place:].sum()
    row["soon"] = before[end] - lucky[place:end].sum()


def _note_ends(found: Array, states: Array) -> None:
    """Write how each deviation's hand ended for the player."""
    last = states[found["game"]]
    dealt_in = last["loser"] == found["seat"]
    found["end"] = np.where(last["winner"] == NONE, DRAW, OTHER)
    found["end"][dealt_in & (last["winner"] != NONE)] = LOSE
    found["end"][last["winner"] == found["seat"]] = WIN
    found["at_once"] = dealt_in & (last["turns"] == found["view"]["turns"] + 1) & (found["action"] < NUM_KINDS)
