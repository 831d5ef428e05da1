"""Every registered agent keeps the contract in every game it plays; agents that break it are found out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from effort import effort
from janshi.agents.base import Agent, Asked
from janshi.agents.basic import GreedyAgent, RandomAgent
from janshi.agents.check import AgentCheckError, check_agent
from janshi.agents.registry import AGENTS, agent_names
from janshi.arena.ladder import LEVELS
from janshi.rules.game import Array
from janshi.rules.registry import families, game_names, make_game

QUICK = {"montecarlo": "montecarlo:rollouts=16", "mdp": "mdp:hands=500"}
"""Agents that think long are checked with less time."""
PLAYED = [(QUICK.get(agent, agent), game) for game in game_names() for agent in agent_names(game.partition("/")[0])]

SLOW = (*QUICK.values(), "apprentice", *LEVELS, "search", "rvr", "strategist")
"""Agents that take about a millisecond for a decision, or more, are checked on fewer."""


@pytest.mark.parametrize(("label", "name"), PLAYED)
def test_every_agent_keeps_the_contract(label: str, name: str):
    """At length by a family's first rules, and briefly by its others: agents see these only as other numbers."""
    game = make_game(name)
    slow, first = label in SLOW, game.id == make_game(game.family.name).id
    steps = (12 if slow else 64) if first else (5 if slow else 32)
    report = check_agent(label, game, tables=2 if slow else 4, steps=effort(steps, 64), seed=3)
    assert (report.label, report.decisions > 0, report.microseconds > 0) == (label, True, True)


def test_there_are_agents_for_every_family():
    for family in ("riichi", "guobiao", "simplified"):
        assert {"random", "tsumogiri", "greedy"} <= set(agent_names(family))


# --- agents that break a promise


class Wrong(Agent):
    """An agent to break promises with; what it keeps, it takes from the random agent."""

    name, version, families = "wrong", "1", ("riichi", "simplified")

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.good = RandomAgent(game)

    def act(self, asked: Asked) -> Array:
        return self.good.act(asked)


class Illegal(Wrong):
    def act(self, asked: Asked) -> Array:
        return np.where(asked.views["turns"] == 9, 0, self.good.act(asked))


class OutOfRange(Wrong):
    def act(self, asked: Asked) -> Array:
        return self.good.act(asked) + 1000


class WrongType(Wrong):
    def act(self, asked: Asked) -> Array:
        return self.good.act(asked).astype(np.int32)


class LooksAtTheBatch(Wrong):
    def act(self, asked: Asked) -> Array:
        words = asked.words + np.arange(len(asked)).astype(np.uint64) * np.uint64(2**61)
        return self.good.act(Asked(asked.game, asked.views, words, asked.games))


class OwnDice(Wrong):
    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.dice = np.random.default_rng(1)

    def act(self, asked: Asked) -> Array:
        words = self.dice.integers(2**63, size=len(asked)).astype(np.uint64) * np.uint64(2)
        return self.good.act(Asked(asked.game, asked.views, words, asked.games))


class Writes(Wrong):
    def act(self, asked: Asked) -> Array:
        answers = self.good.act(asked)
        asked.views["scores"] += 1
        return answers


class Counts(Wrong):
    """Remembers how often it was asked in a game, by the game's number and seat."""

    stateful = True

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.times: dict[tuple[int, int], int] = {}

    def begin(self, games: Array, seats: Array) -> None:
        for place in zip(games.tolist(), seats.tolist()):
            assert place not in self.times, "a game began twice"
            self.times[place] = 0

    def end(self, games: Array, seats: Array) -> None:
        for place in zip(games.tolist(), seats.tolist()):
            del self.times[place]

    def key(self, game: int, seat: int) -> tuple[int, int]:
        return game, seat

    def act(self, asked: Asked) -> Array:
        words = asked.words.copy()
        for i, (game, seat) in enumerate(zip(asked.games.tolist(), asked.views["seat"].tolist())):
            place = self.key(game, seat)
            self.times[place] += 1
            words[i] ^= np.uint64(self.times[place] % 4 << 62)
        return self.good.act(Asked(asked.game, asked.views, words, asked.games))


class MixesGamesUp(Counts):
    def key(self, game: int, seat: int) -> tuple[int, int]:
        return next(iter(self.times))


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (Illegal, "it answered 0 .*; legal are: "),
        (OutOfRange, "no such action"),
        (WrongType, "with int32 of shape"),
        (LooksAtTheBatch, "differ|asked in another order|asked alone"),
        (OwnDice, "differ|asked again"),
        (Writes, "it changed the views"),
        (MixesGamesUp, "differ"),
    ],
)
@pytest.mark.parametrize("name", ["riichi", "simplified"])
def test_a_broken_promise_is_found(kind: type[Wrong], message: str, name: str):
    with pytest.raises(AgentCheckError, match=message):
        check_agent(kind(make_game(name)), make_game(name), tables=6, steps=60)


@pytest.mark.parametrize("name", ["riichi", "simplified"])
def test_a_stateful_agent_learns_of_its_games(name: str):
    agent = Counts(make_game(name))
    assert check_agent(agent, make_game(name), tables=6, steps=60).decisions > 0
    assert agent.times == {}, "begin and end must pair up"


def test_registry_and_agent_must_agree(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(GreedyAgent, "families", ("riichi",))
    with pytest.raises(
        AgentCheckError, match="the registry lists every family with a policy of its name; it says riichi"
    ):
        check_agent("greedy", make_game("riichi"), tables=2, steps=4)


def test_a_slow_agent_is_found(monkeypatch: pytest.MonkeyPatch):
    agent = Wrong(make_game("simplified"))
    agent.seconds = -1.0
    with pytest.raises(AgentCheckError, match="decisions took"):
        check_agent(agent, agent.game, tables=4, steps=20)


def test_every_entry_says_what_it_is():
    for name, entry in AGENTS.items():
        assert entry.idea, f"agent {name} has no idea"
        assert set(entry.played) <= set(families()), f"agent {name} plays rules that do not exist"
        assert entry.played, f"agent {name} plays nothing"
