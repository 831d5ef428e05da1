"""What happens at a table, as typed events: the rules make them once, and everything else only formats them.

>>> from janshi.rules.events import EventStream
>>> from janshi.rules.riichi.table import Table
>>> stream = EventStream(Table(seed=7))
>>> [type(event).__name__ for event in stream.opening]
['Deal', 'Draw']
>>> stream.step("tsumogiri")[0]
Discard(seat=0, tile=10, action=37, drawn=True, riichi=False)

A game makes events from the states before and after a step (`Game.step_events`); `EventStream` steps a table and asks
it. Events hold everything, in the order it happens. `seen_by` gives an event as one seat may know it; a writer for a
player must use it, or hide the same information in its own format.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from janshi.rules.game import Array, Game
    from janshi.rules.one_table import OneTable

HIDDEN: Final = -1
"""A tile that a seat may not know."""
CHI, PON, OPEN_KAN, CONCEALED_KAN, ADDED_KAN = "chi", "pon", "open_kan", "concealed_kan", "added_kan"
"""Kinds of calls and kans, in the words of riichi for all families."""
Tiles = tuple[int, ...]
"""Tiles as the family numbers them: 0..36 in riichi, kinds in the others."""
Answers = Mapping[int, int | str] | int | str | None


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at a table."""

    def seen_by(self, seat: int | None) -> Event | None:
        """The event as a seat, or a spectator (None), may know it; None if they may not know of it."""
        return self


@dataclass(frozen=True, slots=True)
class Answer(Event):
    """A player's answer: the event of games that define no others."""

    seat: int
    action: int

    def seen_by(self, seat: int | None) -> Event | None:
        """Only the player knows: not every answer is carried out where others can see it."""
        return self if seat == self.seat else None


@dataclass(frozen=True, slots=True)
class Deal(Event):
    """A hand is dealt."""

    dealer: int
    hands: tuple[Tiles, ...]
    """Each player's tiles, in the order they were dealt."""
    scores: tuple[int, ...]
    """Before the hand."""

    def seen_by(self, seat: int | None) -> Event | None:
        """The others' tiles are hidden."""
        return replace(self, hands=tuple(self._shown(hand, i == seat) for i, hand in enumerate(self.hands)))

    def _shown(self, hand: Tiles, own: bool) -> Tiles:
        return hand if own else (HIDDEN,) * len(hand)


@dataclass(frozen=True, slots=True)
class Draw(Event):
    """A player draws a tile."""

    seat: int
    tile: int
    replacement: bool = False
    """After a kan."""

    def seen_by(self, seat: int | None) -> Event | None:
        """The tile is hidden from the others."""
        return self if seat == self.seat else Draw(self.seat, HIDDEN, self.replacement)


@dataclass(frozen=True, slots=True)
class Flower(Event):
    """A player draws a flower and sets it aside; the tile that replaces it is the next draw."""

    seat: int
    tile: int


@dataclass(frozen=True, slots=True)
class Discard(Event):
    """A player discards a tile."""

    seat: int
    tile: int
    action: int
    drawn: bool = False
    """It is the tile just drawn, and everybody sees that."""
    riichi: bool = False
    """It declares riichi."""


@dataclass(frozen=True, slots=True)
class Call(Event):
    """A player calls a discard."""

    seat: int
    source: int
    """Who discarded the tile."""
    kind: str
    """`CHI`, `PON` or `OPEN_KAN`."""
    tile: int
    """The tile that was called."""
    own: Tiles
    """The caller's own tiles in the meld."""
    action: int
    ignored: tuple[Answer, ...] = ()
    """Claims of the same tile that had to give way, the strongest first."""

    def seen_by(self, seat: int | None) -> Event | None:
        """Claims that did not succeed are hidden."""
        return replace(self, ignored=()) if self.ignored else self


@dataclass(frozen=True, slots=True)
class Kan(Event):
    """A player declares a kan on their own turn."""

    seat: int
    kind: str
    """`CONCEALED_KAN` or `ADDED_KAN`."""
    tile: int
    own: Tiles
    """The tiles that leave the player's hand."""
    action: int
    hidden: bool = False
    """It is laid face down."""

    def seen_by(self, seat: int | None) -> Event | None:
        """The tile of a kan that lies face down is hidden from the others."""
        if not self.hidden or seat == self.seat:
            return self
        return replace(self, tile=HIDDEN, own=(HIDDEN,) * len(self.own), action=HIDDEN)


@dataclass(frozen=True, slots=True)
class Riichi(Event):
    """A player declares riichi; the discard follows."""

    seat: int
    action: int


@dataclass(frozen=True, slots=True)
class RiichiPaid(Event):
    """Nobody won on the discard of a riichi: the stick is on the table."""

    seat: int


@dataclass(frozen=True, slots=True)
class Indicator(Event):
    """A dora indicator is turned."""

    tile: int


@dataclass(frozen=True, slots=True)
class Win(Event):
    """A player wins; of several winners, the next after the loser first."""

    seat: int
    loser: int | None
    """Who discarded the tile or was robbed of it; None for a self-drawn win."""
    tile: int
    points: int
    """What it is worth: in riichi without honba and sticks, else everything the winner receives."""
    action: int
    ignored: tuple[Answer, ...] = ()
    """Claims of the same tile that had to give way, the strongest first; listed with the first winner."""

    def seen_by(self, seat: int | None) -> Event | None:
        """Claims that did not succeed are hidden."""
        return replace(self, ignored=()) if self.ignored else self


@dataclass(frozen=True, slots=True)
class DrawnHand(Event):
    """The hand ends without a winner."""

    kind: str
    """What the family calls it: `exhaustive draw`, `nine terminals`, `draw`."""
    claims: tuple[Answer, ...] = ()
    """The answers that caused it, if any."""


@dataclass(frozen=True, slots=True)
class Penalty(Event):
    """The hand ends because a player called a false win, or acted against the rules."""

    seat: int


@dataclass(frozen=True, slots=True)
class Scores(Event):
    """The hand is settled."""

    kind: str
    """How it ended, as the family calls it."""
    changes: tuple[int, ...]
    """Of the whole hand."""
    scores: tuple[int, ...]
    """After it."""


@dataclass(frozen=True, slots=True)
class GameOver(Event):
    """The game ends."""

    scores: tuple[int, ...]
    points: tuple[float, ...]
    """What the game brought each player (`Game.rewards`)."""


class EventStream:
    """Steps a table, which has just dealt a hand, and reports what happens."""

    def __init__(self, table: OneTable) -> None:
        self.table = table
        self.opening = table.game.deal_events(table.states)
        """The events of the hand that has just been dealt."""
        self.actions: list[int] = []
        """All answers in the order of asking, by seat within a step: with the seed they are the whole game."""
        self._now = table.states.view(np.uint8)
        self._kept = np.empty_like(self._now)  # bytes are copied much faster than fields
        self._before = self._kept.view(table.states.dtype)

    def step(self, answers: Answers = None) -> list[Event]:
        """Step the table as `OneTable.step` does; returns what happened. A refused answer changes nothing."""
        table, game = self.table, self.table.game
        asked = table.asked
        if not asked:
            table.step(answers)
            return [game_over(game, table.states)] if table.over else game.deal_events(table.states)
        actions = table.chosen(answers)
        self._kept[:] = self._now
        table.carry_out(actions)
        self.actions += actions
        events = game.step_events(self._before, table.states, dict(zip(asked, actions)))
        return [*events, game_over(game, table.states)] if table.over else events


# --- what games of all families share


def game_over(game: Game, states: Array) -> GameOver:
    """The end of the game on the one table of `states`."""
    return GameOver(players_row(game.scores(states)), tuple(float(points) for points in game.rewards(states)[0]))


def players_row(values: Array) -> tuple[int, ...]:
    """A number for each player, of the one table of an array."""
    return tuple(values[0].tolist())


def settled(game: Game, before: Array, after: Array, kind: str = "") -> Scores:
    """The scores of a hand that has ended, for games that change them only then."""
    old, new = game.scores(before), game.scores(after)
    return Scores(kind, players_row(new - old), players_row(new))


def hand_begins(game: Game, states: Array) -> Deal:
    """The deal of a game that defines no events: the first player asked begins."""
    asked = int(game.asked(states)[0])
    return Deal((asked & -asked).bit_length() - 1, (), players_row(game.scores(states)))


def answer_events(game: Game, before: Array, after: Array, answers: Mapping[int, int]) -> list[Event]:
    """The events of a step of a game that defines none: answers other than passes, and the scores at the end."""
    passing = game.num_actions - 1
    events: list[Event] = [Answer(seat, action) for seat, action in answers.items() if action != passing]
    return events if game.asked(after)[0] else [*events, settled(game, before, after)]


def ordered_claims(
    answers: Mapping[int, int], passing: int, rank: Callable[[int], int], source: int, players: int
) -> list[Answer]:
    """The answers to a tile other than passes: the strongest first, by `rank`, then the next after `source`."""
    claims = [Answer(seat, action) for seat, action in answers.items() if action != passing]
    return sorted(claims, key=lambda claim: (rank(claim.action), (claim.seat - source) % players))
