"""The work of a review, without processes and databases: read a game, review its decisions, measure its luck."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final

from janshi.agents.base import Agent
from janshi.agents.registry import make_agent
from janshi.web.choices import choices
from janshi.web.families import reviews
from janshi.web.position import position
from janshi.web.review.games import PLAYERS, Recorded, follow
from janshi.web.review.judgement import judge
from janshi.web.review.parse import parse
from janshi.web.review.reviewers import reviewer_of
from janshi.web.shapes import Position

ENDS: Final = ("win", "lose", "other", "tenpai draw", "noten draw")


def read(text: str, format: str, name: str) -> Recorded:
    """Read a game; raises `RecordError` or `ValueError` with a message for people."""
    return follow(parse(text, format, name), format)


def head_of(recorded: Recorded) -> dict[str, Any]:
    """A description of a game, hand by hand, with the number of decisions of each seat."""
    hands = [_hand(recorded, hand) for hand in range(recorded.hands)]
    return {
        "family": recorded.family,
        "format": recorded.format,
        "rules": hands[0]["start"]["rules"],
        "names": list(recorded.names),
        "hands": hands,
        "problems": recorded.problems,
    }


def _hand(recorded: Recorded, hand: int) -> dict[str, Any]:
    first, last = recorded.tables(hand)
    start = position(first, None, names=recorded.names)
    counts = [0] * PLAYERS
    for question in recorded.questions(hand):
        counts[question.seat] += 1
    return {
        "name": start["round_name"],
        "honba": start["honba"],
        "scores": [seat["score"] for seat in start["seats"]],
        "decisions": counts,
        "start": {"rules": start["rules"], "dealer": start["dealer"]},
        "end": position(last, None, open_hands=True, names=recorded.names),
    }


def think(recorded: Recorded, label: str, seats: Sequence[int], skip: int = 0) -> Iterator[dict[str, Any]]:
    """The agent's opinion of every decision of some seats, in order; the first `skip` are skipped."""
    thinker, number = _Thinker(recorded, label), 0
    for hand in range(recorded.hands):
        for question in recorded.questions(hand):
            if question.seat not in seats:
                continue
            if number >= skip:
                yield {"number": number, **thinker.decision(question)}
            number += 1


def chances(recorded: Recorded, seats: Sequence[int], number: int) -> dict[str, dict[str, float]]:
    """How the hand may end after each choice of a decision, by the family's agent for it; empty if none."""
    agent = reviews()[recorded.family].chances
    questions = (q for hand in range(recorded.hands) for q in recorded.questions(hand) if q.seat in seats)
    for question in islice(questions, number, None):
        judged = _Thinker(recorded, agent).decision(question)
        return {
            str(choice["action"]): {name: choice["numbers"][name] for name in ENDS if name in choice["numbers"]}
            for choice in judged["choices"]
        }
    return {}


class _Thinker:
    """An agent for each rule set of a file, and the models of opponents."""

    def __init__(self, recorded: Recorded, label: str) -> None:
        self.recorded, self.label, self.reviewer = recorded, label, reviewer_of(label)
        threats = reviews()[recorded.family].threats
        self.threats = threats() if threats else None
        self._agents: dict[Any, Agent] = {}

    def decision(self, question: Any) -> dict[str, Any]:
        """Everything about one decision."""
        table, seat = question.table, question.seat
        agent = self._agent(question.hand)
        judged = judge(question, choices(table, seat), agent, self.reviewer, self.threats)
        shown = position(table, seat, open_hands=True, names=self.recorded.names)
        return {**judged, "turn": own_turn(shown, seat), "position": shown}

    def _agent(self, hand: int) -> Agent:
        game = self.recorded.game(hand)
        if game.rules not in self._agents:
            self._agents[game.rules] = make_agent(self.label, game)
        return self._agents[game.rules]


def own_turn(shown: Position, seat: int) -> int:
    """Which of the player's turns it is, from 1: their discards so far and one."""
    return len(shown["seats"][seat]["river"]) + 1
