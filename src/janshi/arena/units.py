"""Playing games of a plan in this process: matches, workers and clusters all use it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from janshi.agents.base import Agent
from janshi.arena.contestants import is_bot, make_agents
from janshi.arena.lockstep import TABLES, Lockstep
from janshi.arena.plan import Plan
from janshi.arena.results import Results
from janshi.rules.game import Game
from janshi.rules.registry import make_game

FEW_TABLES: Final = 4
"""Number of tables stepped together if an agent takes time to think, so that games finish one after another."""


@dataclass(frozen=True, slots=True)
class Options:
    """How games are played, apart from the plan. None of it changes their results."""

    tables: int = 0
    """Maximum number of tables stepped together; 0: many for quick agents, few for those that take time to think."""
    keep_actions: bool = False
    """Keep all answers, so that games can be shown without playing them again."""


class Player:
    """Plays games of a plan; agents are loaded once."""

    def __init__(self, plan: Plan, options: Options) -> None:
        self.plan = plan
        self.options = options
        self.game: Game = make_game(plan.rules)
        self.with_bots = any(is_bot(label) for label in plan.contestants)
        self.agents: list[Agent] = [] if self.with_bots else make_agents(plan.contestants, self.game)
        self.tables = options.tables or (FEW_TABLES if any(agent.seconds for agent in self.agents) else TABLES)

    def play(self, numbers: Sequence[int]) -> Iterator[Results]:
        """Play games by their numbers; yields them as they finish, several at a time."""
        games = [self.plan.game(number) for number in numbers]
        if self.with_bots:
            from janshi.arena.bot_table import BotTable

            with BotTable(self.plan, self.game, self.options.keep_actions) as table:
                for game in games:
                    yield table.play(game)
        elif games:
            keep = self.options.keep_actions
            yield from Lockstep(self.game, self.agents, games, tables=self.tables, keep_actions=keep).play()

    def close(self) -> None:
        """Free what the agents hold."""
        for agent in self.agents:
            agent.close()
