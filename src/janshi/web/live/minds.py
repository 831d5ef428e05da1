"""Agents thinking for all tables at once, in threads, so that the server never waits.

Decisions for one agent from many tables are batched, as many as it answers in about a tenth of a second. Each kind of
agent has at most one copy per thread, because agents are not thread-safe. If an agent fails or takes too long, the
substitute answers.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from janshi.agents.base import Agent, Asked
from janshi.agents.explain import Explains, Explanation
from janshi.agents.registry import make_agent
from janshi.agents.substitute import substitute_answer
from janshi.rules.game import Game
from janshi.rules.masks import LEGAL_BITS
from janshi.web.problems import Impossible

log = logging.getLogger("janshi.web")
BATCH_SECONDS: Final = 0.1
"""Target time of a batch of decisions, in seconds."""
MOST_BATCH: Final = 256
SLOW: Final = 30.0
"""Seconds beyond an agent's own time after which the substitute plays."""
FIRST: Final = 0.02
"""Assumed time of a decision until it is known."""
FORGETS: Final = 0.95
"""Decay of the longest decision time at each decision."""
QUICK: Final = 0.001
"""An agent whose decisions take at most this many seconds is asked directly, without a thread."""
KEPT: Final = 12
"""Number of idle agents to keep."""


@dataclass
class _Question:
    """A decision waiting for an agent."""

    view: Any
    word: int
    game: int
    future: asyncio.Future[Any] | None
    explains: bool = False
    since: float = field(default_factory=time.monotonic)


class Mind:
    """One kind of agent for one game: its idle copies and what waits for it."""

    def __init__(self, game: Game, label: str) -> None:
        self.game, self.label = game, label
        self.idle: list[Agent] = []
        self.copies = 0
        self.waiting: deque[_Question] = deque()
        self.seconds = self.longest = FIRST
        self.asked = time.monotonic()
        self.began = False
        """Whether it has answered yet: before that its kernels may have to be compiled."""

    def batch(self) -> list[_Question]:
        """Take the decisions to put to a copy now."""
        first = self.waiting.popleft()
        taken = [first]
        room = min(MOST_BATCH, max(1, int(BATCH_SECONDS / self.seconds))) if not first.explains else 1
        while len(taken) < room and self.waiting and not self.waiting[0].explains:
            taken.append(self.waiting.popleft())
        return taken

    def measured(self, seconds: float, decisions: int) -> None:
        """Learn how long decisions take, in processor time, which does not count other work on the machine."""
        if not self.began:
            self.began = True
            return  # the first time was for loading
        each = seconds / decisions
        self.seconds = max(1e-5, 0.8 * self.seconds + 0.2 * each)
        self.longest = max(each, FORGETS * self.longest)

    @property
    def quick(self) -> bool:
        """Whether even its longer recent decisions were short."""
        return self.began and self.longest <= QUICK


class Minds:
    """All agents that play here. Everything except the thinking itself happens in the event loop."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="janshi-agent")
        self._minds: dict[tuple[str, int, str], Mind] = {}
        self._busy = 0

    def close(self) -> None:
        """Stop the threads."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def mind(self, game: Game, label: str) -> Mind:
        """The mind of an agent for a game."""
        key = (game.id, getattr(game.rules, "rounds", 1), label)
        found = self._minds.get(key)
        if found is None:
            self._forget()
            found = self._minds[key] = Mind(game, label)
        return found

    def _forget(self) -> None:
        """Drop the agents that have been idle longest."""
        idle = [(mind.asked, key) for key, mind in self._minds.items() if len(mind.idle) == mind.copies]
        for _, key in sorted(idle)[: max(0, len(self._minds) - KEPT)]:
            if not self._minds[key].waiting:
                for agent in self._minds.pop(key).idle:
                    agent.close()

    async def prepare(self, game: Game, label: str) -> Agent:
        """Check that an agent can be made, or raise `ValueError`. Returns a copy for inspection."""
        mind = self.mind(game, label)
        if mind.idle:
            return mind.idle[0]
        agent = await asyncio.get_running_loop().run_in_executor(self._pool, make_agent, label, game)
        if agent.stateful:
            raise Impossible("agent_remembers", label=repr(label))
        if mind.copies < self.threads:
            mind.copies += 1
            mind.idle.append(agent)
            self._dispatch()
        return agent

    def quick(self, game: Game, label: str, view: Any, word: int, number: int) -> int | None:
        """The action of an agent too quick to need a thread; None if it needs one, or is busy."""
        mind = self.mind(game, label)
        if not mind.quick or not mind.idle or mind.waiting:
            return None
        mind.asked = time.monotonic()
        question = _Question(view, word, number, None)
        thought = _think(game, label, mind.idle[-1], [question])()
        mind.measured(thought.seconds, 1)
        (answer,) = thought.answers
        return None if isinstance(answer, Exception) else int(answer)

    async def answer(self, game: Game, label: str, view: Any, word: int, number: int) -> int:
        """An agent's action for a view, or the substitute's if it fails or takes too long."""
        mind = self.mind(game, label)
        try:
            return int(await self._put(mind, view, word, number, False))
        except TimeoutError as late:
            log.warning("%s; the substitute plays", late)
        except Exception:
            log.exception("agent %s failed; the substitute plays", label)
        return substitute_answer(game, view)

    async def explain(self, game: Game, label: str, view: Any) -> Explanation:
        """An agent's explanation of a view; raises `ValueError` if it has none."""
        agent = await self.prepare(game, label)
        if not isinstance(agent, Explains):
            raise Impossible("agent_does_not_explain", label=repr(label))
        explanation: Explanation = await self._put(self.mind(game, label), view, 0, 0, True)
        return explanation

    def _put(self, mind: Mind, view: Any, word: int, number: int, explains: bool) -> asyncio.Future[Any]:
        future = asyncio.get_running_loop().create_future()
        mind.waiting.append(_Question(view, word, number, future, explains))
        mind.asked = time.monotonic()
        self._dispatch()
        return future

    def _dispatch(self) -> None:
        """Put waiting decisions to agents while there are free threads, the longest waiting first."""
        while self._busy < self.threads:
            ready = [m for m in self._minds.values() if m.waiting and (m.idle or m.copies < self.threads)]
            if not ready:
                return
            mind = min(ready, key=lambda m: m.waiting[0].since)
            agent = mind.idle.pop() if mind.idle else None
            mind.copies += agent is None
            self._busy += 1
            self._start(mind, agent, mind.batch())

    def _start(self, mind: Mind, agent: Agent | None, questions: list[_Question]) -> None:
        """Answer questions in a thread, and give up on one that takes far too long."""
        loop = asyncio.get_running_loop()
        limit = SLOW + (agent.seconds or 0.0) * len(questions) if agent is not None and mind.began else None
        late = loop.call_later(limit, _too_late, mind, questions, limit) if limit is not None else None
        job = _think(mind.game, mind.label, agent, questions)
        loop.run_in_executor(self._pool, self._run, job, mind, late, loop)

    def _run(
        self,
        job: Callable[[], _Thought],
        mind: Mind,
        late: asyncio.TimerHandle | None,
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        thought = job()
        with suppress(RuntimeError):  # the loop is closed: nobody needs the answer any more
            loop.call_soon_threadsafe(self._done, mind, thought, late)

    def _done(self, mind: Mind, thought: _Thought, late: asyncio.TimerHandle | None) -> None:
        self._busy -= 1
        if late is not None:
            late.cancel()
        if thought.agent is None:
            mind.copies -= 1
        else:
            mind.idle.append(thought.agent)
        if not thought.explained:
            mind.measured(thought.seconds, len(thought.questions))
        for question, answer in zip(thought.questions, thought.answers):
            if question.future is None or question.future.done():
                continue
            if isinstance(answer, Exception):
                question.future.set_exception(answer)
            else:
                question.future.set_result(answer)
        self._dispatch()


@dataclass
class _Thought:
    """The outcome of a batch."""

    questions: list[_Question]
    answers: list[Any]
    agent: Agent | None
    seconds: float
    explained: bool


def _too_late(mind: Mind, questions: list[_Question], limit: float) -> None:
    """Give up on the questions: their tables continue with the substitute."""
    for question in questions:
        if question.future is not None and not question.future.done():
            question.future.set_exception(TimeoutError(f"agent {mind.label} took longer than {limit:.0f} s"))


def _think(game: Game, label: str, agent: Agent | None, questions: list[_Question]) -> Callable[[], _Thought]:
    """The job of a thread: make the agent if there is none, and put the questions to it."""

    def job() -> _Thought:
        made, explains = agent, questions[0].explains
        begun = time.thread_time()
        answers: list[Any]
        try:
            made = made or make_agent(label, game)
            begun = time.thread_time()
            answers = _explained(made, questions) if explains else _acted(game, made, questions)
        except Exception as error:
            answers = [error] * len(questions)
        return _Thought(questions, answers, made, time.thread_time() - begun, explains)

    return job


def _views(game: Game, questions: list[_Question]) -> Any:
    views = np.zeros(len(questions), game.view_dtype)
    for i, question in enumerate(questions):
        views[i] = question.view
    return views


def _acted(game: Game, agent: Agent, questions: list[_Question]) -> list[Any]:
    words = np.array([question.word for question in questions], np.uint64)
    games = np.array([question.game for question in questions], np.int64)
    asked = Asked(game, _views(game, questions), words, games)
    answers: list[Any] = agent.act(asked).tolist()
    legal = np.ascontiguousarray(asked.views["legal"]).reshape(len(questions), -1)
    for i, action in enumerate(answers):
        if not 0 <= action < game.num_actions or not int(legal[i, action // LEGAL_BITS]) >> action % LEGAL_BITS & 1:
            answers[i] = ValueError(f"agent {agent.label} answered {action}, which is not legal")
    return answers


def _explained(agent: Agent, questions: list[_Question]) -> list[Any]:
    assert isinstance(agent, Explains)
    return list(agent.explain(_views(agent.game, questions)))
