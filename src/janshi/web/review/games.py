"""Recorded games as a series of questions, for all rules and formats."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from janshi.records.botzone.model import HandRecord
from janshi.records.botzone.replay import decisions, rebuild_wall, replay_any_way
from janshi.records.model import GameRecord, RecordError
from janshi.records.replay import compare_followed, follow_game, moments, rules_of, start_table, wanted
from janshi.rules.game import Game
from janshi.rules.guobiao.game import GuobiaoGame
from janshi.rules.guobiao.ruleset import Ruleset
from janshi.rules.riichi.game import RiichiGame

PLAYERS: Final = 4
MOST_PROBLEMS: Final = 5


@dataclass(frozen=True, slots=True)
class Question:
    """Something a player was asked in a recorded game."""

    hand: int
    seat: int
    played: int
    table: Any
    """The table when it was asked: read it before the next question is taken."""
    answers: dict[int, int]
    """What all asked players did."""
    moment: int = 0
    """Which of the hand's questions to the table it belongs to, from 0."""


@dataclass(slots=True)
class Recorded(ABC):
    """A game to review."""

    family: str
    format: str
    names: tuple[str, ...]
    hands: int
    problems: list[str] = field(default_factory=list)
    """Where the record and the rules disagree, as text."""

    @abstractmethod
    def game(self, hand: int) -> Game:
        """The rules of a hand."""

    @abstractmethod
    def questions(self, hand: int) -> Iterator[Question]:
        """Questions of a hand with more than one legal answer, if the record shows what the player wanted."""

    @abstractmethod
    def moments(self, hand: int) -> Iterator[tuple[Any, dict[int, int]]]:
        """The table at every question of a hand, and what was answered. Read the table before the next is taken."""

    @abstractmethod
    def tables(self, hand: int) -> tuple[Any, Any]:
        """The tables at the beginning and at the end of a hand."""

    @abstractmethod
    def start(self, hand: int) -> dict[str, Any]:
        """The beginning of a hand, as arguments of its table."""


def follow(parsed: Any, format: str) -> Recorded:
    """Follow a parsed record by the rules; raises `RecordError`."""
    if isinstance(parsed, GameRecord):
        return RiichiRecorded.follow(parsed, format)
    return GuobiaoRecorded.follow(parsed, format)


# --- riichi


@dataclass(slots=True)
class RiichiRecorded(Recorded):
    """A game of riichi."""

    record: GameRecord | None = None
    followed: Any = None
    rules: Any = None

    @classmethod
    def follow(cls, record: GameRecord, format: str) -> RiichiRecorded:
        """Follow a game by the rules."""
        hands = len(record.hands)
        followed = follow_game(record)
        differences = [str(what) for what in compare_followed(record, followed) if not what.explained]
        names = tuple(name or "" for name in record.names)
        return cls("riichi", format, names, hands, differences[:MOST_PROBLEMS], record, followed, rules_of(record))

    def game(self, hand: int) -> Game:
        """The rules, the same for all hands."""
        return RiichiGame(self.rules)

    def moments(self, hand: int) -> Iterator[tuple[Any, dict[int, int]]]:
        """The table at every question of a hand, and what was answered."""
        assert self.record is not None
        wall = self.followed.hands["wall"][hand].tolist()
        answers = self.followed.answers(hand).tolist()
        return moments(self.record.hands[hand], self.rules, wall, answers)

    def questions(self, hand: int) -> Iterator[Question]:
        """Every question that had more than one legal answer."""
        for moment, (table, answers) in enumerate(self.moments(hand)):
            for seat, played in answers.items():
                if len(table.legal_actions(seat)) > 1 and wanted(table, seat, answers):
                    yield Question(hand, seat, played, table, answers, moment)

    def tables(self, hand: int) -> tuple[Any, Any]:
        """The tables at the beginning and at the end of a hand."""
        assert self.record is not None
        try:
            first = start_table(self.record.hands[hand], self.rules, self.followed.hands["wall"][hand].tolist())
        except ValueError as wrong:
            raise RecordError("", f"hand {hand + 1}", f"no wall can be laid for it ({wrong})") from wrong
        last = first.copy()
        for _, answers in self.moments(hand):
            last.step(answers)
        return first, last

    def start(self, hand: int) -> dict[str, Any]:
        """Wall, scores and counters of a hand."""
        assert self.record is not None
        played = self.record.hands[hand]
        return {
            "wall": [int(tile) for tile in self.followed.hands["wall"][hand]],
            "scores": [int(score) for score in played.scores],
            "round": int(played.round),
            "honba": int(played.honba),
            "sticks": int(played.sticks),
        }


# --- Guobiao


@dataclass(slots=True)
class GuobiaoRecorded(Recorded):
    """Hands of Guobiao, each a separate game on Botzone."""

    records: list[HandRecord] = field(default_factory=list)
    rules: list[Ruleset] = field(default_factory=list)
    ends: list[Any] = field(default_factory=list)

    @classmethod
    def follow(cls, records: list[HandRecord], format: str) -> GuobiaoRecorded:
        """Follow all hands."""
        found = [replay_any_way(record) for record in records]
        rules, ends = [rules for rules, _ in found], [end for _, end in found]
        return cls("guobiao", format, ("", "", "", ""), len(records), [], records, rules, ends)

    def game(self, hand: int) -> Game:
        """The rules of a hand."""
        return GuobiaoGame(self.rules[hand])

    def moments(self, hand: int) -> Iterator[tuple[Any, dict[int, int]]]:
        """The table at every question of a hand, and what was answered."""
        return decisions(self.records[hand], self.rules[hand])

    def questions(self, hand: int) -> Iterator[Question]:
        """Every question that had more than one legal answer."""
        for moment, (table, answers) in enumerate(self.moments(hand)):
            for seat, played in answers.items():
                if len(table.legal_actions(seat)) > 1:
                    yield Question(hand, seat, played, table, answers, moment)

    def tables(self, hand: int) -> tuple[Any, Any]:
        """The tables at the beginning and at the end of a hand."""
        first = next((table.copy() for table, _ in decisions(self.records[hand], self.rules[hand])), None)
        if first is None:
            raise RecordError("", f"hand {hand + 1}", "nobody was asked anything")
        return first, self.ends[hand]

    def start(self, hand: int) -> dict[str, Any]:
        """Wall and winds of a hand; it is the only one of its game."""
        record, rules = self.records[hand], self.rules[hand]
        wall = [int(tile) for tile in rebuild_wall(record, rules)]
        return {"wall": wall, "wind": int(record.wind), "hand_number": int(record.dealer), "one_hand": True}
