"""One check for every agent: that it keeps the contract of `agents/base.py`.

>>> from janshi.agents.check import check_agent
>>> from janshi.rules.registry import make_game
>>> report = check_agent("greedy", make_game("riichi/tenhou"), tables=4, steps=40)
>>> report.decisions > 100
True

The agent plays some seats and a random player the others, so that unusual situations come up. Every answer must be
legal and depend only on the decision, not on the rest of the batch or on anything the player cannot see. The first
failure raises `AgentCheckError`.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from janshi.agents.base import Agent, Asked
from janshi.agents.registry import AGENTS, make_agent
from janshi.core import rng
from janshi.rules.batch import Batch
from janshi.rules.game import Array, Game

SAMPLE = 8
"""Steps between expensive checks."""
FEW = 4
"""Decisions that an expensive check repeats one by one."""
GRACE = 2.0
"""Factor by which an agent's average time may exceed its thinking time."""


class AgentCheckError(ValueError):
    """An agent breaks the contract; the message says how."""


@dataclass(frozen=True, slots=True)
class AgentReport:
    """The result of a check that an agent passed."""

    label: str
    game: str
    decisions: int
    """Answers checked."""
    seconds: float
    """Total time for the answers in seconds, after one warm-up call."""

    @property
    def microseconds(self) -> float:
        """Time per decision, in batches of the size checked."""
        return 1e6 * self.seconds / max(1, self.decisions)


def check_agent(agent: Agent | str, game: Game, *, tables: int = 8, steps: int = 160, seed: int = 1) -> AgentReport:
    """Raise `AgentCheckError` if an agent (or a label) breaks the contract at `tables` tables.

    Each table is played for `steps` steps, continuing into another game if one ends.
    """
    if isinstance(agent, str):
        agent = make_agent(agent, game)
    check_entry(agent)
    check_empty(agent)
    check_games_apart(agent, tables, steps, seed)
    return check_answers(agent, tables, steps, seed)


def require(holds: bool, agent: Agent, what: str) -> None:
    """Raise unless the condition holds."""
    if not holds:
        raise AgentCheckError(f"agent {agent.label!r} at {agent.game.id}: {what}")


# --- what it declares


def check_entry(agent: Agent) -> None:
    """Name, version and families are set; a registered agent can be made again from its label."""
    require(bool(agent.name and agent.version), agent, "it has no name or no version")
    family = agent.game.family
    require(agent.plays(family), agent, f"it does not say that it plays {family.name}")
    if agent.name not in AGENTS:
        return
    entry = AGENTS[agent.name]
    listed = f"the registry lists {', '.join(entry.families) or 'every family with a policy of its name'}"
    require(set(entry.families) == set(agent.families), agent, f"{listed}; it says {', '.join(agent.families)}")
    again = make_agent(agent.label, agent.game)
    same = type(again) is type(agent) and again.label == agent.label
    require(same, agent, f"its label makes a {type(again).__name__} called {again.label!r}")
    again.close()


def check_empty(agent: Agent) -> None:
    """An empty batch is answered with an empty array."""
    views = np.zeros(0, agent.game.view_dtype)
    asked = Asked(agent.game, views, np.zeros(0, np.uint64), np.zeros(0, np.int64))
    require(np.shape(agent.act(asked)) == (0,), agent, "an empty batch is not answered with an empty array")


# --- how it plays


class Sitting:
    """Games in which an agent plays some seats and a random player the others."""

    def __init__(self, agent: Agent, tables: int, seed: int) -> None:
        self.agent, self.seed, self.step = agent, seed, 0
        self.batch = Batch(agent.game, tables, seed=seed)
        chance = np.random.default_rng(seed)
        self.sits = chance.random((tables, agent.game.players)) < 0.5
        self.sits[np.arange(tables), np.arange(tables) % agent.game.players] = True
        self.numbers = np.arange(tables, dtype=np.int64)
        self.notify(agent.begin, np.ones(tables, np.bool_))

    def notify(self, what: Callable[[Array, Array], None], where: Array) -> None:
        """Call `begin` or `end` for the agent's seats at some tables."""
        tables, seats = np.nonzero(self.sits & where[:, None])
        if len(tables):
            what(self.numbers[tables], seats.astype(np.int64))

    def words(self) -> Array:
        """A random word for each open decision; it depends only on the table, player and step."""
        base = np.uint64(rng.key(np.uint64(self.seed), self.step, 0))
        places = self.batch.tables * self.agent.game.players + self.batch.players
        return np.array([rng.key(base, int(place), 1) for place in places], np.uint64)

    def asked(self, at: Array) -> Asked:
        """The open decisions at these positions of the list."""
        views, batch = self.batch.views(), self.batch
        return Asked(self.agent.game, views[at], self.words()[at], self.numbers[batch.tables[at]])

    def own(self) -> Array:
        """Positions of the open decisions of the agent's seats."""
        return np.flatnonzero(self.sits[self.batch.tables, self.batch.players])

    def go_on(self, at: Array, actions: Array) -> None:
        """Answer the decisions at these positions with `actions`, the others at random."""
        answers = self.batch.random_actions().copy()
        answers[at] = actions
        fresh = self.batch.over
        self.batch.step(answers)
        if fresh.any():
            self.numbers[fresh] += len(self.numbers)
            self.notify(self.agent.begin, fresh)
        if self.batch.over.any():
            self.notify(self.agent.end, self.batch.over)
        self.step += 1


def another(agent: Agent) -> Agent:
    """A new agent of the same kind, with no memory of games."""
    if not agent.stateful:
        return agent
    return make_agent(agent.label, agent.game) if agent.name in AGENTS else copy.deepcopy(agent)


def check_games_apart(agent: Agent, tables: int, steps: int, seed: int) -> None:
    """Answers are the same whether games are batched or asked table by table in another order."""
    together, apart = (Sitting(another(agent), tables, seed) for _ in range(2))
    for step in range(steps // 2):
        own = together.own()
        first = together.agent.act(together.asked(own)) if len(own) else np.zeros(0, np.int64)
        second = np.zeros(len(own), np.int64)
        for table in np.unique(apart.batch.tables[own])[::-1]:
            here = np.flatnonzero(apart.batch.tables[own] == table)
            second[here] = apart.agent.act(apart.asked(own[here]))
        for at in np.flatnonzero(first != second)[:1]:
            where = describe(agent, together, int(own[at]), step)
            names = " and ".join(action_name(agent, int(a)) for a in (first[at], second[at]))
            require(False, agent, f"{where}: answers asked in one batch and table by table differ: {names}")
        check_legal(agent, together, own, first, step)
        together.go_on(own, first)
        apart.go_on(own, first)


def check_answers(agent: Agent, tables: int, steps: int, seed: int) -> AgentReport:
    """Answers are legal and of the right type, depend on the decision alone, and asking changes no input."""
    sitting = Sitting(agent, tables, seed + 1)
    decisions, seconds = 0, 0.0
    for step in range(steps):
        own = sitting.own()
        at = own if agent.stateful else np.arange(len(sitting.batch))
        answers = np.zeros(0, np.int64)
        if len(at):
            asked = sitting.asked(at)
            kept = [array.tobytes() for array in (asked.views, asked.words, asked.games)]
            begun = time.perf_counter()
            answers = agent.act(asked)
            if step:
                decisions, seconds = decisions + len(at), seconds + time.perf_counter() - begun
            same = kept == [array.tobytes() for array in (asked.views, asked.words, asked.games)]
            require(same, agent, f"step {step}: it changed the views, words or games it was given")
            check_shape(agent, answers, len(at), step)
            check_legal(agent, sitting, at, answers, step)
            if not agent.stateful and step % SAMPLE == 0:
                check_composition(agent, sitting, asked, answers, step)
                check_hidden(agent, sitting, asked, answers, step)
        sitting.go_on(own, answers[np.isin(at, own)])
    sitting.notify(agent.end, ~sitting.batch.over)
    if agent.seconds is not None:
        most = GRACE * agent.seconds * decisions + 1.0
        require(seconds <= most, agent, f"{decisions} decisions took {seconds:.1f} s, more than {most:.1f} s")
    return AgentReport(agent.label, agent.game.id, decisions, seconds)


def check_shape(agent: Agent, answers: Array, n: int, step: int) -> None:
    """Answers are an int64 array with one action for each decision."""
    good = isinstance(answers, np.ndarray) and answers.dtype == np.int64 and answers.shape == (n,)
    found = f"{getattr(answers, 'dtype', type(answers).__name__)} of shape {np.shape(answers)}"
    require(good, agent, f"step {step}: it answered {n} decisions with {found}; expected int64 of shape ({n},)")


def check_legal(agent: Agent, sitting: Sitting, at: Array, answers: Array, step: int) -> None:
    """Every answer is one of the legal actions."""
    masks = sitting.batch.legal_masks()[at]
    inside = (answers >= 0) & (answers < agent.game.num_actions)
    legal = inside & masks[np.arange(len(at)), np.where(inside, answers, 0)]
    for i in np.flatnonzero(~legal)[:1]:
        there = ", ".join(agent.game.action_names[a] for a in np.flatnonzero(masks[i]))
        name = action_name(agent, int(answers[i]))
        require(False, agent, f"{describe(agent, sitting, int(at[i]), step)}: it answered {name}; legal are: {there}")


def check_composition(agent: Agent, sitting: Sitting, asked: Asked, answers: Array, step: int) -> None:
    """Decisions get the same answers when asked again: in another order, twice in a batch, or one by one."""
    for how, order in orders(len(asked), sitting.seed + step):
        found = agent.act(part(asked, order))
        for i in np.flatnonzero(found != answers[order])[:1]:
            names = f"{action_name(agent, int(answers[order[i]]))}, then {action_name(agent, int(found[i]))}"
            require(False, agent, f"step {step}: the same decision asked {how} was answered {names}")


def orders(n: int, seed: int) -> Iterator[tuple[str, Array]]:
    """Ways to ask about `n` decisions, as (description, positions)."""
    chance = np.random.default_rng(seed)
    yield "again", np.arange(n)
    yield "in another order", chance.permutation(n)
    yield "twice in a batch", chance.integers(n, size=n + 1)
    for i in chance.integers(n, size=FEW):
        yield "alone", np.array([i])


def check_hidden(agent: Agent, sitting: Sitting, asked: Asked, answers: Array, step: int) -> None:
    """Shuffling tiles that the player cannot see changes no answer."""
    game, batch = agent.game, sitting.batch
    for i in np.random.default_rng(sitting.seed + step).integers(len(asked), size=FEW).tolist():
        state = batch.states[batch.tables[i : i + 1]].copy()
        player = batch.players[i : i + 1]
        game.shuffle_hidden(state[0], int(player[0]), step)
        view = np.zeros(1, game.view_dtype)
        game.views(state, np.zeros(1, np.int64), player, view)
        found = agent.act(Asked(game, view, asked.words[i : i + 1], asked.games[i : i + 1]))
        names = f"{action_name(agent, int(answers[i]))}, then {action_name(agent, int(found[0]))}"
        require(int(found[0]) == int(answers[i]), agent, f"step {step}: hidden tiles changed its answer: {names}")


def part(asked: Asked, order: Array) -> Asked:
    """Some of the decisions, in this order."""
    return Asked(asked.game, asked.views[order], asked.words[order], asked.games[order])


def action_name(agent: Agent, action: int) -> str:
    """An action by number and name."""
    names = agent.game.action_names
    return f"{action} ({names[action]})" if 0 <= action < len(names) else f"{action} (no such action)"


def describe(agent: Agent, sitting: Sitting, at: int, step: int) -> str:
    """The step, player and table of a decision, for messages."""
    batch = sitting.batch
    return f"step {step}, player {batch.players[at]} of table {batch.tables[at]} (seed {sitting.seed})"
