"""One game at one table with anyone's bots: bots get events, agents see their views.

If a bot gives no usable answer, the substitute's action is played (pass, else discard the drawn tile), and the fault
is recorded. After a fatal fault (it could not be started, died, was too slow or wrote endlessly), or after `PATIENCE`
others, the substitute plays for it to the end of the game; the bot is restarted for the next game.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from types import TracebackType
from typing import Final

import numpy as np

from janshi.agents.base import Agent, Asked
from janshi.agents.registry import make_agent
from janshi.arena.contestants import is_bot, make_bot, shown_name
from janshi.arena.families import ARENA_LAYER, Stage
from janshi.arena.faults import FaultLog
from janshi.arena.lockstep import final_ranks, pack_actions
from janshi.arena.plan import Plan, Planned
from janshi.arena.results import COUNTERS, Results
from janshi.core import rng
from janshi.protocols.bot import FATAL_KINDS, Bot, BotFault, substitute
from janshi.rules.game import Array, Game

PATIENCE: Final = 3
"""Nonsense or illegal answers after which the substitute takes a bot's seat."""


class BotTable:
    """Plays games of a plan one after another; bots are started once and kept running, one for each seat they hold."""

    def __init__(self, plan: Plan, game: Game, keep_actions: bool = False) -> None:
        self.plan = plan
        self.game = game
        self.keep_actions = keep_actions
        self.agents = {
            number: make_agent(label, game) for number, label in enumerate(plan.contestants) if not is_bot(label)
        }
        self.bots: dict[tuple[int, int], Bot] = {}

    def __enter__(self) -> BotTable:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop all bots."""
        for bot in self.bots.values():
            bot.close()
        for agent in self.agents.values():
            agent.close()

    def play(self, planned: Planned) -> Results:
        """Play one game."""
        return _Game(self, planned).play()

    def players(self, planned: Planned) -> list[Agent | Bot]:
        """Who sits at each seat: a contestant's bots are numbered over the seats it holds."""
        players: list[Agent | Bot] = []
        for seat, who in enumerate(planned.seats):
            if who in self.agents:
                players.append(self.agents[who])
                continue
            copy = planned.seats[:seat].count(who)
            if (who, copy) not in self.bots:
                self.bots[who, copy] = make_bot(self.plan.contestants[who])
            players.append(self.bots[who, copy])
        return players


class _Game:
    """A game being played."""

    def __init__(self, host: BotTable, planned: Planned) -> None:
        self.game, self.planned = host.game, planned
        self._tally = ARENA_LAYER.of(self.game.family).tally
        self.keep_actions = host.keep_actions
        self.players = host.players(planned)
        self.names = [shown_name(host.plan.contestants[who]) for who in planned.seats]
        self.stage = make_stage(self.game, planned.seed, self.names)
        self.table = self.stage.table
        self.stream = np.uint64(planned.stream)
        seats = self.game.players
        self.counters = np.zeros((1, seats, len(COUNTERS)), np.int32)
        self.decisions = np.zeros((1, seats), np.int32)
        self.seconds = np.zeros((1, seats), np.float32)
        self.faults = FaultLog()
        self.wrong = [0] * seats
        self.replaced: set[int] = set()
        self.actions: list[int] = []

    def play(self) -> Results:
        """Play to the end."""
        self._notify_agents("begin")
        for seat, player in self._bots():
            player.begin(self.table, seat, self.names)
        while not self.table.over:
            self._send_events()
            asked = self.table.asked
            answers = {seat: self._answer(seat, word) for seat, word in zip(asked, self._words(len(asked)))}
            self.actions += answers.values()
            self.stage.step(answers or None)
            self._tally(self.table._states, np.array([bool(asked)]), self.counters)
        self._send_events()
        for seat, player in self._bots():
            if (fault := player.end(self.table)) is not None:
                self.faults.add(seat, fault.kind, fault.message, fault.input)
        self._notify_agents("end")
        return self._results()

    def _bots(self) -> list[tuple[int, Bot]]:
        return [(seat, player) for seat, player in enumerate(self.players) if isinstance(player, Bot)]

    def _notify_agents(self, what: str) -> None:
        for seat, player in enumerate(self.players):
            if isinstance(player, Agent) and player.stateful:
                getattr(player, what)(np.array([self.planned.number]), np.array([seat]))

    def _send_events(self) -> None:
        events = self.stage.news()
        for seat, player in self._bots():
            if seat not in self.replaced:
                player.tell(events)

    def _words(self, count: int) -> list[int]:
        words = []
        for _ in range(count):
            stream, word = rng.draw_word(self.stream)
            self.stream = np.uint64(stream)
            words.append(int(word))
        return words

    def _answer(self, seat: int, word: int) -> int:
        started = time.perf_counter()
        player = self.players[seat]
        action = self._ask_bot(player, seat) if isinstance(player, Bot) else self._ask_agent(player, seat, word)
        self.decisions[0, seat] += 1
        self.seconds[0, seat] += time.perf_counter() - started
        return action

    def _ask_bot(self, bot: Bot, seat: int) -> int:
        if seat in self.replaced:
            return substitute(self.table, seat)
        try:
            return bot.ask(self.table, seat)
        except BotFault as fault:
            self.faults.add(seat, fault.kind, fault.message, fault.input)
            self.wrong[seat] += 1
            if fault.kind in FATAL_KINDS or self.wrong[seat] >= PATIENCE:
                self.replaced.add(seat)
                bot.leave()
            return substitute(self.table, seat)

    def _ask_agent(self, agent: Agent, seat: int, word: int) -> int:
        views = np.zeros(1, self.game.view_dtype)
        views[0] = self.table.view(seat)
        asked = Asked(self.game, views, np.array([word], np.uint64), np.array([self.planned.number]))
        try:
            action = int(np.asarray(agent.act(asked)).reshape(-1)[0])
        except Exception as error:
            self.faults.add(seat, "crash", f"{type(error).__name__}: {error}")
            return substitute(self.table, seat)
        if not self.table.is_legal(seat, action):
            self.faults.add(seat, "illegal", f"action {action}")
            return substitute(self.table, seat)
        return action

    def _results(self) -> Results:
        planned, states = self.planned, self.table._states
        points = np.round(self.game.rewards(states).astype(np.float64), 3)
        scores: Array = self.game.scores(states).copy()
        return Results(
            game=np.array([planned.number]),
            wall=np.array([planned.wall]),
            lineup=np.array([planned.lineup], np.int32),
            seed=np.array([planned.seed], np.uint64),
            seats=np.array([planned.seats], np.int16),
            scores=scores,
            points=points,
            ranks=final_ranks(self.game, scores, points),
            counters=self.counters,
            decisions=self.decisions,
            seconds=self.seconds,
            faults=[self.faults.rows()],
            actions=[pack_actions(self.actions) if self.keep_actions else None],
        )


def make_stage(game: Game, seed: int, names: Sequence[str]) -> Stage:
    """A table at the start of a game, with events of its family's protocol."""
    stage = ARENA_LAYER.of(game.family).stage
    if stage is None:
        raise ValueError(f"no protocol for bots is known for {game.family.name}")
    return stage(game, seed, names)
