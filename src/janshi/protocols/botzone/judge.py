"""Botzone's judge: plays a hand with four seats that get requests and answer in text, as strictly as the platform.

An illegal answer ends the game: the player pays 10 points to each of the others.

>>> from janshi.protocols.botzone.judge import play_hand
>>> from janshi.rules.guobiao.table import Table
>>> class Drawer:
...     "Plays what it drew."
...     def answer(self, request):
...         return f"PLAY {request.split()[1]}" if request.startswith("2") else "PASS"
>>> played = play_hand([Drawer() for _ in range(4)], Table(seed=7))
>>> played.error, played.turns[-1].answers
(None, ('PASS', 'PASS', 'PASS', 'PASS'))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from janshi.protocols.botzone.lines import NO_ACTION, PASS, Narration, Reply, ReplyError, is_allowed, parse_reply
from janshi.records.botzone.replay import Recorder
from janshi.rules.guobiao import actions as act
from janshi.rules.guobiao.state import NONE, PLAYERS, TURN
from janshi.rules.guobiao.table import Table


class Seat(Protocol):
    """A player at the judge's table."""

    def answer(self, request: str) -> str:
        """Answer a request line."""
        ...


class Played(NamedTuple):
    """One turn: the seats' requests and their answers."""

    requests: tuple[str, ...]
    answers: tuple[str, ...]


class PlayError(NamedTuple):
    """The answer that ended a game."""

    seat: int
    turn: int
    request: str
    answer: str


@dataclass
class PlayedHand:
    """A played hand."""

    table: Table
    recorder: Recorder
    turns: list[Played] = field(default_factory=list)
    error: PlayError | None = None

    @property
    def scores(self) -> list[int]:
        """The seats' points."""
        if self.error is None:
            return self.table.scores
        fine = self.table.rules.penalty
        return [fine * (1 - PLAYERS) if seat == self.error.seat else fine for seat in range(PLAYERS)]


def play_hand(seats: Sequence[Seat], table: Table) -> PlayedHand:
    """Play the hand that has just been dealt at a table to its end, or to the first illegal answer."""
    narration, recorder = Narration.of(table), Recorder(table)
    narration.take_all(recorder.events)
    hand = PlayedHand(table, recorder)
    while hand.error is None and not table.hand_over and not table.over:
        while len(hand.turns) < len(narration.turns) and hand.error is None:
            _ask(hand, narration, seats)
            if len(hand.turns) < len(narration.turns):
                _all_must_pass(hand)
        if hand.error is None:
            known = len(recorder.events)
            _resolve(hand)
            narration.take_all(recorder.events[known:])
    _tell_the_last(hand, narration, seats)
    return hand


def _ask(hand: PlayedHand, narration: Narration, seats: Sequence[Seat]) -> None:
    requests = narration.turns[len(hand.turns)]
    hand.turns.append(Played(requests, tuple(seat.answer(line) for seat, line in zip(seats, requests))))


def _tell_the_last(hand: PlayedHand, narration: Narration, seats: Sequence[Seat]) -> None:
    """A hand that ended because a wall ran out: its last discard is announced, and everybody must pass."""
    while hand.error is None and len(hand.turns) < len(narration.turns):
        _ask(hand, narration, seats)
        _all_must_pass(hand)


def _all_must_pass(hand: PlayedHand) -> None:
    """Check a turn where nobody can do anything but pass."""
    for seat, answer in enumerate(hand.turns[-1].answers):
        if answer.split() != [PASS]:
            _penalise(hand, seat)
            return


def _resolve(hand: PlayedHand) -> None:
    """Carry out the answers to the last turn."""
    table, answers = hand.table, hand.turns[-1].answers
    on_turn = bool(table.state["phase"] == TURN)
    tile = NONE if on_turn or table.last_tile is None else table.last_tile
    replies = [_read(answer, tile) for answer in answers]
    for seat in range(PLAYERS) if on_turn else _order(answers, table.actor):
        if not is_allowed(table, seat, replies[seat]):
            _penalise(hand, seat)
            return
        if not on_turn and replies[seat].action != act.PASS:
            break
    given = {seat: replies[seat].action if is_allowed(table, seat, replies[seat]) else act.PASS for seat in table.asked}
    hand.recorder.step(given)
    if not table.hand_over and table.state["phase"] == TURN and table.drawn is None:
        hand.recorder.step({table.actor: replies[table.actor].discard})


def _read(answer: str, tile: int) -> Reply:
    try:
        return parse_reply(answer, tile)
    except ReplyError:
        return Reply(NO_ACTION)


def _order(answers: Sequence[str], actor: int) -> list[int]:
    """The seats by the priority of their answers to a tile: wins first (the nearest seat wins), chi last."""

    def rank(seat: int) -> tuple[int, int]:
        if seat == actor:
            return 0, 0
        head = answers[seat].split()[:1]
        if head == ["HU"]:
            return 1, (seat - actor) % PLAYERS
        return 3 if head == ["CHI"] else 2, seat

    return sorted(range(PLAYERS), key=rank)


def _penalise(hand: PlayedHand, seat: int) -> None:
    turn = hand.turns[-1]
    hand.error = PlayError(seat, len(hand.turns) - 1, turn.requests[seat], turn.answers[seat])
    if not (hand.table.hand_over or hand.table.over):
        hand.table.declare_false_hu(seat)
