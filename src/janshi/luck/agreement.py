"""How often a player agrees with a reviewer that only gives answers: any agent, or any program that speaks mjai.

The reviewer takes each seat of a recorded game in turn, sees what that seat saw, and answers every decision; the game
continues as recorded regardless. Its answers do not tell what a disagreement costs. Decisions with only one legal
answer are left out, as are passes pre-empted by another player's call. Discards of the drawn tile and of an equal tile
from the hand are the same choice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np

from janshi.agents.base import Agent
from janshi.agents.registry import make_agent
from janshi.arena.contestants import is_bot, make_bot
from janshi.luck.error_rate import KINDS, kind_of_decision
from janshi.protocols.bot import FATAL_KINDS, Bot, BotFault
from janshi.protocols.mjai.events import Narrator
from janshi.records.model import GameRecord
from janshi.records.recorder import Recorder
from janshi.records.replay import follow_game, rules_of, start_table, wanted
from janshi.rules.riichi.actions import TSUMOGIRI
from janshi.rules.riichi.family import FAMILY as RIICHI
from janshi.rules.riichi.game import RiichiGame
from janshi.rules.riichi.state import PLAYERS

NO_ANSWER: Final = -1
"""Stands for the answer of a bot that gave no legal one."""


class Reviewer(Protocol):
    """A reviewer in one seat of a recorded game."""

    def tell(self, events: list[dict[str, Any]]) -> None:
        """Receive what happened at the table since the last call."""

    def ask(self, table: Any, seat: int) -> int:
        """The reviewer's action; `NO_ANSWER` if it gave no legal one."""

    def close(self) -> None:
        """The game is over."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A decision of a recorded game, and the reviewer's answer to it."""

    hand: int
    seat: int
    turn: int
    """Which of the player's turns, from 1."""
    kind: str
    played: int
    answer: int
    played_name: str
    answer_name: str

    @property
    def agreed(self) -> bool:
        """Whether both do the same."""
        return self.played == self.answer


def compare(record: GameRecord, label: str, seats: Sequence[int] = range(PLAYERS)) -> Iterator[Compared]:
    """Every decision of some seats of a riichi game, with the answer of an agent or a bot.

    Raises `ValueError` if a bot cannot be started, dies, or takes too long.
    """
    rules = rules_of(record)
    followed, game = follow_game(record), RiichiGame(rules)
    names = [name or f"player {seat + 1}" for seat, name in enumerate(record.names)]
    reviewers = {seat: _reviewer(label, game, seat, names) for seat in seats}
    try:
        for number, hand in enumerate(record.hands):
            table = start_table(hand, rules, followed.hands["wall"][number].tolist())
            yield from _hand(number, table, followed.answers(number).tolist(), reviewers, number == 0)
    finally:
        for reviewer in reviewers.values():
            reviewer.close()


def _hand(
    number: int, table: Any, answers: Sequence[int], reviewers: dict[int, Reviewer], first: bool
) -> Iterator[Compared]:
    """The decisions of one hand."""
    recorder = Recorder(table)
    narrator, at = Narrator(recorder), 0
    while table.asked and at + len(table.asked) <= len(answers):
        _tell(narrator, reviewers, first)
        step = dict(zip(table.asked, answers[at : at + len(table.asked)]))
        for seat, played in step.items():
            if seat in reviewers:
                answer = reviewers[seat].ask(table, seat)
                if len(table.legal_actions(seat)) > 1 and wanted(table, seat, step):
                    yield _compared(number, table, seat, played, answer)
        recorder.step(step)
        at += len(step)
    _tell(narrator, reviewers, first)


def _tell(narrator: Narrator, reviewers: dict[int, Reviewer], first: bool) -> None:
    """Report what happened to every reviewer. Each hand is a separate table, but together they are one game."""
    left_out = ("end_game",) if first else ("start_game", "end_game")
    events = [event for event in narrator.news() if event["type"] not in left_out]
    for reviewer in reviewers.values():
        reviewer.tell(events)


def _compared(hand: int, table: Any, seat: int, played: int, answer: int) -> Compared:
    view, names = table.view(seat), table.game.action_names
    legal = np.zeros(table.game.num_actions, np.bool_)
    legal[table.legal_actions(seat)] = True
    drawn = int(view["drawn"])
    same = {TSUMOGIRI: drawn} if drawn >= 0 else {}
    mine, theirs = same.get(played, played), same.get(answer, answer)
    named = [names[action] if action != NO_ANSWER else "no legal answer" for action in (mine, theirs)]
    turn = int(view["discards"][0]) + 1
    return Compared(hand, seat, turn, KINDS[kind_of_decision(legal)], mine, theirs, *named)


# --- who answers


def _reviewer(label: str, game: RiichiGame, seat: int, names: Sequence[str]) -> Reviewer:
    if not is_bot(label):
        return _AskedAgent(make_agent(label, game))
    return _AskedBot(make_bot(label), seat, names)


class _AskedAgent:
    """One of our agents: it answers from views and needs no events."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent

    def tell(self, events: list[dict[str, Any]]) -> None:
        """Nothing to do."""

    def ask(self, table: Any, seat: int) -> int:
        """The agent's answer."""
        return int(self.agent.answer(table.view(seat)))

    def close(self) -> None:
        """Free its resources."""
        self.agent.close()


class _AskedBot:
    """A program behind a protocol."""

    def __init__(self, bot: Bot, seat: int, names: Sequence[str]) -> None:
        if bot.family != RIICHI.name:
            raise ValueError(f"{bot.label!r} does not play riichi")
        self.bot, self.seat, self.names = bot, seat, names
        self._began = False

    def tell(self, events: list[dict[str, Any]]) -> None:
        """Pass events on to the program, which is started with the game."""
        if not self._began:
            self.bot.begin(None, self.seat, self.names)
            self._began = True
        self.bot.tell(events)

    def ask(self, table: Any, seat: int) -> int:
        """The bot's answer."""
        try:
            return self.bot.ask(table, seat)
        except BotFault as fault:
            if fault.kind in FATAL_KINDS:
                raise ValueError(f"{self.bot.label}: {fault}") from None
            return NO_ANSWER

    def close(self) -> None:
        """Stop the program."""
        with closing(self.bot):
            pass
