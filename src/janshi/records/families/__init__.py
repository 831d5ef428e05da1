"""What records need to know about each family of rules: the formats of its games, and their writers.

`janshi replay` and the app's downloads both use this table. Any game can be written as the text of its answers; a
family that names no other formats has only that one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from janshi.core.coded_error import CodedError
from janshi.rules.game import Game
from janshi.rules.layer import Layer

Steps = Callable[[tuple[int, ...]], dict[int, int] | None]
"""Returns the answers of the asked players, empty if the next hand is dealt; None if the game ends unfinished."""


class NothingToWrite(CodedError):
    """No hand of a game is over yet: its players' hands must stay hidden."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game, given by its answers."""

    game: Game
    seed: int
    steps: Steps
    names: Sequence[str]
    title: str
    """Its name in formats of single hands."""
    start: Mapping[str, Any] | None = None
    """Where it began, if not with the first hand of the seed: arguments of the table."""


@dataclass(frozen=True, slots=True)
class RecordFormat:
    """A format of records of played games."""

    write: Callable[[PlayedGame], str]
    """Writes the hands that are over; raises `NothingToWrite` if there are none."""
    suffix: str = "txt"
    media_type: str = "text/plain"


def write_answers(played: PlayedGame) -> str:
    """A whole game as its first position and all answers, one per line."""
    game = played.game
    table = game.family.new_table(played.seed, game.rules)
    lines = [f"players: {', '.join(played.names)}", str(table)]
    while not table.over:
        chosen = played.steps(table.asked)
        if chosen is None:
            raise NothingToWrite("the game is not over yet", "game_not_over")
        lines += [f"{seat} {game.action_names[action]}" for seat, action in chosen.items()]
        table.step(chosen)
    return "\n".join([*lines, f"scores: {table.scores}"]) + "\n"


@dataclass(frozen=True, slots=True)
class RecordsFamily:
    """A family of rules as records know it."""

    formats: Mapping[str, RecordFormat] = field(default_factory=lambda: {"text": RecordFormat(write_answers)})
    """Formats by name, the one to download first."""
    usual: str = ""
    """The format to write if none is named; empty: the first."""
    further: Mapping[str, RecordFormat] = field(default_factory=dict)
    """Formats that `janshi replay` writes besides, which the app does not offer."""

    @property
    def default(self) -> str:
        """The format to write if none is named."""
        return self.usual or next(iter(self.formats))

    @property
    def all_formats(self) -> dict[str, RecordFormat]:
        """Every format that a game of this family can be written in, the answers as text included."""
        return {**self.formats, **self.further, "text": RecordFormat(write_answers)}


RECORDS_LAYER: Final = Layer("records", RecordsFamily())


class ListedAnswers:
    """The steps of a game whose answers are listed in the order of asking, by seat within a step."""

    def __init__(self, actions: Sequence[int]) -> None:
        self._actions, self._at = actions, 0

    def __call__(self, asked: tuple[int, ...]) -> dict[int, int] | None:
        """The answers of the asked players; None if there are not enough left."""
        first, self._at = self._at, self._at + len(asked)
        if self._at > len(self._actions):
            return None
        return dict(zip(asked, map(int, self._actions[first : self._at])))
