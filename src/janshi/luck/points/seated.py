"""Hands of several agents, whose seats turn by one with each hand, and the luck of their draws."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from janshi.agents.base import Agent, Asked
from janshi.luck.points.measure import PointLuck
from janshi.rules.game import Array, Game
from janshi.rules.stepper import Stepper


class Seated:
    """Agents at tables; agent 0 has seat 0 in hand 0, seat 3 in hand 1, and so on."""

    def __init__(self, game: Game, agents: Sequence[Agent]) -> None:
        self.game, self.agents = game, list(agents)
        self._places = {agent: [i for i, one in enumerate(agents) if one is agent] for agent in agents}

    def places(self, hands: Array, players: Array) -> Array:
        """The number of the agent that holds each seat."""
        return np.asarray((players + hands) % self.game.players)

    def answers(self, views: Array, players: Array, hands: Array) -> Array:
        """An action for each open decision; `hands` are the numbers of their hands."""
        place, actions = self.places(hands, players), np.zeros(len(views), np.int64)
        for agent, places in self._places.items():
            own = np.flatnonzero(np.isin(place, places))
            if len(own):
                asked = Asked(self.game, views[own], np.zeros(len(own), np.uint64), hands[own])
                actions[own] = agent.act(asked)
        return actions


def play_adjusted(seated: Seated, luck: PointLuck, seeds: Array, first: int = 0) -> tuple[Array, Array]:
    """Play hands `first` and on; returns their final states, and the luck of draws in points, float64[hands, 4].

    Four hands on the same wall have no luck of the deal in the mean, since every agent holds every seat once.
    """
    game, numbers = seated.game, first + np.arange(len(seeds))
    tables, total = Stepper(game, len(seeds)), np.zeros((len(seeds), game.players))
    tables.start(seeds)
    while not (tables.states["phase"] == game.game_over).all():
        table, lucky, _ = luck.draws(tables)
        total[table] += lucky
        tables.step(seated.answers(tables.views(), tables.players, numbers[tables.tables]))
    return tables.states, total
