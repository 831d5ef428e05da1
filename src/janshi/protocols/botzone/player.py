"""One of our agents at a seat of a Botzone game: it reads request lines and answers them.

>>> from janshi.protocols.botzone.player import AgentPlayer, make_player
>>> player = make_player("greedy")
>>> player.answer("0 2 1")
'PASS'
>>> player.answer("1 0 0 0 0 W1 W1 W2 W3 W4 W5 W6 W7 W8 W9 F1 F1 F2")
'PASS'
>>> player.answer("2 F3")
'PLAY F2'
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Final

import numpy as np

from janshi.agents.base import Agent
from janshi.agents.registry import make_agent
from janshi.core import rng
from janshi.protocols.botzone.lines import PASS, reply_text
from janshi.protocols.botzone.tracker import Tracker
from janshi.rules.guobiao import actions as act
from janshi.rules.guobiao.game import GuobiaoGame
from janshi.rules.guobiao.state import NONE

_GAME: Final = np.zeros(1, np.int64)
REHEARSAL: Final = (
    "0 1 0",
    "1 0 0 0 0 W1 W1 W1 W2 W3 W4 W5 W6 W7 W8 W9 W9 W9",
    "3 0 DRAW",
    "3 0 PLAY F2",
    "2 F1",
    "3 1 PLAY F1",
    "3 2 DRAW",
    "3 2 PLAY W1",
    "3 3 DRAW",
    "3 3 PLAY J1",
    "3 0 DRAW",
    "3 0 PLAY W5",
)
"""A short made-up game that compiles every kernel: requests to seat 1, which is dealt, draws, and may chi, peng, kong
and win. Its hand is nine gates, so every tile of its suit wins."""


class AgentPlayer:
    """An agent behind Botzone's protocol, for any number of games one after the other.

    Its random words depend on the seed, the deal and the number of the request, so that a bot restarted every turn
    decides like one that keeps running.
    """

    def __init__(self, agent: Agent, seed: int = 0) -> None:
        self.agent = agent
        self.seed = seed
        self.tracker = Tracker()
        self._key = np.uint64(0)

    def answer(self, request: str) -> str:
        """Take a request and answer it."""
        self.hear(request)
        answer = self.decide()
        self.tracker.said(answer)
        return answer

    def restore(self, requests: Sequence[str], responses: Sequence[str]) -> None:
        """Take a whole game up to the last request, which is not answered yet, and the answers so far."""
        for i, request in enumerate(requests):
            self.hear(request)
            if i < len(responses):
                self.tracker.said(responses[i])

    def hear(self, request: str) -> None:
        """Take a request; one that begins with 0 starts a game."""
        kind = request.split()[:1]
        if kind == ["0"]:
            self.tracker = Tracker(self.agent.game.rules)
        self.tracker.hear(request)
        if kind == ["1"]:
            seat = self.tracker.seat
            self._key = np.uint64(rng.key(np.uint64(self.seed % 2**64), zlib.crc32(request.encode()), seat))
            self.agent.begin(_GAME, np.array([seat]))

    def decide(self) -> str:
        """The answer to the last request."""
        if not self.tracker.asked:
            return PASS
        action = self._ask(self.tracker.view(), 0)
        if not act.CHI <= action < act.KONG:
            return reply_text(action)
        return reply_text(action, self._ask(self.tracker.view_after(action), 1))

    def _ask(self, view: object, question: int) -> int:
        word = rng.key(self._key, self.tracker.heard, question)
        action = self.agent.answer(view, int(word))
        assert action != NONE
        return action


def make_player(label: str, seed: int = 0) -> AgentPlayer:
    """A player by its agent's name and options."""
    return AgentPlayer(make_agent(label, GuobiaoGame()), seed)
