"""Many games of a plan at once: tables step together, and each contestant makes all its decisions in one batch."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from janshi.agents.base import Agent, Asked
from janshi.agents.basic import BuiltInAgent
from janshi.agents.families import AGENTS_LAYER, HandsPlayer, StatesAnswer
from janshi.agents.substitute import substitute_answer
from janshi.arena.families import ARENA_LAYER
from janshi.arena.faults import FaultLog
from janshi.arena.plan import Planned, seat_array
from janshi.arena.results import COUNTERS, Results
from janshi.core import rng
from janshi.core._jit import kernel
from janshi.rules.game import Array, Game
from janshi.rules.stepper import Stepper, whole

TABLES: Final = 512
"""Tables stepped together: enough to spread the cost of a step, few enough for a core's cache."""


LOOK_SECONDS: Final = 0.02
"""Minimum interval between collections of finished games, several at a time."""


class Lockstep:
    """Tables on which the games of a plan are played; each finished game makes room for the next."""

    def __init__(
        self,
        game: Game,
        agents: Sequence[Agent],
        games: Sequence[Planned],
        *,
        tables: int = TABLES,
        keep_actions: bool = False,
    ) -> None:
        self.game = game
        self.agents = agents
        self.waiting = deque(games)
        n = min(tables, len(games))
        self.stepper = Stepper(game, n)
        self.played: list[Planned | None] = [None] * n
        self.seats = np.zeros((n, game.players), np.int16)
        self.numbers = np.zeros(n, np.int64)
        self.streams = np.zeros(n, np.uint64)
        self.counters = np.zeros((n, game.players, len(COUNTERS)), np.int32)
        self.decisions = np.zeros((n, game.players), np.int32)
        self.seconds = np.zeros((n, game.players), np.float32)
        self.faults: list[FaultLog] = [FaultLog() for _ in range(n)]
        self.log: list[list[int]] | None = [[] for _ in range(n)] if keep_actions else None
        self.decided = 0
        """Decisions taken so far."""
        self._state_answers: dict[str, StatesAnswer] = {}
        self._hands_player = self._find_hands_player()
        self._tally = ARENA_LAYER.of(game.family).tally
        self._fill(np.arange(n))

    @property
    def states(self) -> Array:
        """The tables' records."""
        return self.stepper.states

    def _find_hands_player(self) -> HandsPlayer | None:
        """The player of whole hands at once, if all contestants are kernel policies and no actions are logged."""
        play_hands = AGENTS_LAYER.of(self.game.family).play_hands
        if self.log is not None or play_hands is None:
            return None
        if not all(isinstance(agent, BuiltInAgent) for agent in self.agents):
            return None
        return play_hands(self.game, [agent.name for agent in self.agents])

    def play(self) -> Iterator[Results]:
        """Play all games; yields them as they finish, several at a time."""
        looked = time.perf_counter()
        while len(self.states):
            more = self.step()
            if not more or time.perf_counter() - looked > LOOK_SECONDS:
                looked = time.perf_counter()
                places = np.flatnonzero(self.game.is_over(self.states))
                if len(places):
                    finished = self._read(places)
                    self._notify(places, "end")
                    self._fill(places)
                    yield finished

    # --- a step of all tables

    def step(self) -> bool:
        """Ask every player who must answer, carry out the answers and count the hands that end.

        Returns whether anybody is asked next.
        """
        if self._hands_player is not None:
            return self._play_hands(self._hands_player)
        stepper = self.stepper
        tables, players, count = stepper.tables, stepper.players, len(stepper)
        who, words = np.empty(count, np.int64), np.empty(count, np.uint64)
        draw_words(tables, players, self.seats, self.streams, who, words)
        actions = self._ask(tables, players, who, words)
        self._refuse(stepper.first, tables, players, actions)
        if self.log is not None:
            for table, action in zip(tables.tolist(), actions.tolist()):
                self.log[table].append(action)
        stepper.step(actions)
        if stepper.ended.any():
            self._tally(self.states, stepper.ended, self.counters)
        self.decided += count
        return len(stepper) > 0

    def _play_hands(self, hands_player: HandsPlayer) -> bool:
        """Let kernel policies play all tables to the end of their hands, in one call."""
        started, before = time.perf_counter(), int(self.decisions.sum())
        hands_player(self.states, self.seats, self.streams, self.decisions)
        playing = ~self.game.is_over(self.states)
        self._tally(self.states, playing, self.counters)
        self.seconds += (time.perf_counter() - started) / self.seats.size
        self.decided += int(self.decisions.sum()) - before
        return bool(playing.any())

    def _ask(self, tables: Array, players: Array, who: Array, words: Array) -> Array:
        """Ask every agent for its decisions; a single agent needs no selection."""
        if len(self.agents) == 1 and len(tables):
            return np.array(self._ask_agent(self.agents[0], tables, players, words), np.int64)
        actions = np.zeros(len(tables), np.int64)
        for number, agent in enumerate(self.agents):
            rows = np.flatnonzero(who == number)
            if len(rows):
                actions[rows] = self._ask_agent(agent, tables[rows], players[rows], words[rows])
        return actions

    def _ask_agent(self, agent: Agent, tables: Array, players: Array, words: Array) -> Array:
        if isinstance(agent, BuiltInAgent) and (answer := self._policy_answer(agent)) is not None:
            return self._ask_policy(answer, tables, players, words)
        views = np.empty(len(tables), self.game.view_dtype)
        self.game.views(self.states, tables, players, views)
        asked = Asked(self.game, views, words, self.numbers[tables])
        started = time.perf_counter()
        try:
            actions = np.asarray(agent.act(asked))
            if actions.shape != (len(asked),) or actions.dtype.kind not in "iu":
                raise TypeError(f"agent {agent.label} must give {len(asked)} whole numbers, not {actions!r:.80}")
        except Exception:
            actions = self._ask_singly(agent, asked, tables, players)
        spread(self.decisions, self.seconds, tables, players, (time.perf_counter() - started) / len(tables))
        return actions

    def _ask_policy(self, answer: StatesAnswer, tables: Array, players: Array, words: Array) -> Array:
        """Ask one of our kernel policies, which needs no views."""
        started = time.perf_counter()
        actions = np.zeros(len(tables), np.int64)
        answer(self.states, tables, players, words, actions)
        spread(self.decisions, self.seconds, tables, players, (time.perf_counter() - started) / len(tables))
        return actions

    def _policy_answer(self, agent: BuiltInAgent) -> StatesAnswer | None:
        """A kernel policy's function of states, if it has one: it reads only what each player may see."""
        make = AGENTS_LAYER.of(self.game.family).answer_states
        if make is not None and agent.name not in self._state_answers:
            self._state_answers[agent.name] = make(self.game, agent.name)
        return self._state_answers.get(agent.name)

    def _ask_singly(self, agent: Agent, asked: Asked, tables: Array, players: Array) -> Array:
        """Ask one decision at a time, since the agent failed on some; those get the substitute's action."""
        actions = np.zeros(len(asked), np.int64)
        for i in range(len(asked)):
            one = slice(i, i + 1)
            try:
                alone = Asked(self.game, asked.views[one], asked.words[one], asked.games[one])
                actions[i] = int(np.asarray(agent.act(alone)).reshape(-1)[0])
            except Exception as error:
                actions[i] = substitute_answer(self.game, asked.views[i])
                self.faults[tables[i]].add(int(players[i]), "crash", f"{type(error).__name__}: {error}")
        return actions

    def _refuse(self, first: Array, tables: Array, players: Array, actions: Array) -> None:
        """Replace illegal answers, and record them."""
        while (wrong := self.game.first_illegal(self.states, first, actions)) >= 0:
            view = np.zeros(1, self.game.view_dtype)
            self.game.views(self.states, tables[wrong : wrong + 1], players[wrong : wrong + 1], view)
            action, names = int(actions[wrong]), self.game.action_names
            name = names[action] if 0 <= action < len(names) else "no such action"
            self.faults[tables[wrong]].add(int(players[wrong]), "illegal", f"action {action} ({name})")
            actions[wrong] = substitute_answer(self.game, view[0])

    # --- games that start and end

    def _fill(self, free: Array) -> None:
        """Start waiting games at free tables; remove tables without a game."""
        count = min(len(free), len(self.waiting))
        games = [self.waiting.popleft() for _ in range(count)]
        places = free[:count]
        if count:
            self.stepper.start(np.array([game.seed for game in games], np.uint64), places)
            self.seats[places] = seat_array(games)
            self.numbers[places] = [game.number for game in games]
            self.streams[places] = np.array([game.stream for game in games], np.uint64)
            for column in (self.counters, self.decisions, self.seconds):
                column[places] = 0
            for place, game in zip(places.tolist(), games):
                self.played[place] = game
                self.faults[place] = FaultLog()
                if self.log is not None:
                    self.log[place] = []
            self._notify(places, "begin")
        if count < len(free):
            self._keep(np.setdiff1d(np.arange(len(self.states)), free[count:]))

    def _keep(self, places: Array) -> None:
        self.stepper.keep(places)
        for name in ("seats", "numbers", "streams", "counters", "decisions", "seconds"):
            setattr(self, name, getattr(self, name)[places])
        kept = places.tolist()
        self.played = [self.played[i] for i in kept]
        self.faults = [self.faults[i] for i in kept]
        self.log = None if self.log is None else [self.log[i] for i in kept]

    def _notify(self, places: Array, what: str) -> None:
        """Notify agents that remember games which games start or end."""
        for number, agent in enumerate(self.agents):
            if agent.stateful:
                rows, seats = np.nonzero(self.seats[places] == number)
                if len(rows):
                    getattr(agent, what)(self.numbers[places[rows]], seats)

    def _read(self, places: Array) -> Results:
        games: list[Any] = [self.played[i] for i in places.tolist()]
        states = whole(self.states)[places].view(self.game.state_dtype)
        points = np.round(self.game.rewards(states).astype(np.float64), 3)
        scores = self.game.scores(states).copy()
        return Results(
            game=self.numbers[places].copy(),
            wall=np.array([game.wall for game in games], np.int64),
            lineup=np.array([game.lineup for game in games], np.int32),
            seed=np.array([game.seed for game in games], np.uint64),
            seats=self.seats[places].copy(),
            scores=scores,
            points=points,
            ranks=final_ranks(self.game, scores, points),
            counters=self.counters[places].copy(),
            decisions=self.decisions[places].copy(),
            seconds=self.seconds[places].copy(),
            faults=[self.faults[i].rows() for i in places.tolist()],
            actions=[None if self.log is None else pack_actions(self.log[i]) for i in places.tolist()],
        )


def final_ranks(game: Game, scores: Array, points: Array) -> Array:
    """Ranks from 1, by the rules of the game's family."""
    return ARENA_LAYER.of(game.family).ranks(game, scores, points)


def pack_actions(actions: Sequence[int]) -> bytes:
    """Actions in the form stored in results."""
    return np.asarray(actions, "<i2").tobytes()


def unpack_actions(packed: bytes) -> list[int]:
    """Actions from results."""
    return [int(action) for action in np.frombuffer(packed, "<i2")]


@kernel
def draw_words(tables: Any, players: Any, seats: Any, streams: Any, who: Any, words: Any) -> None:
    """Write the contestant of every decision, and a random word from its table's stream."""
    for i in range(len(tables)):
        table = tables[i]
        who[i] = seats[table, players[i]]
        streams[table], words[i] = rng.draw_word(streams[table])


@kernel
def spread(decisions: Any, seconds: Any, tables: Any, players: Any, each: float) -> None:
    """Count each decision and its share of the time a batch took."""
    for i in range(len(tables)):
        decisions[tables[i], players[i]] += 1
        seconds[tables[i], players[i]] += each
