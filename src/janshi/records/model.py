"""One model of a recorded riichi game for all formats.

Tiles are tile ids (0..135): readers of formats without ids assign them, the lowest free copy first, so
that every record can be written in every format and replayed from a wall. Seats are 0 to 3; seat 0 deals first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, NamedTuple

TENHOU_ID: Final = re.compile(r"20\d{8}gm-[0-9a-fA-F]{4}-[0-9a-zA-Z]{4,5}-[0-9a-zA-Z]+")
"""Tenhou's id of a game: the hour it was played, the rules, the lobby, a number."""


class Kind(IntEnum):
    """Kinds of events."""

    DRAW = 0
    DISCARD = 1
    CHI = 2
    PON = 3
    OPEN_KAN = 4
    CONCEALED_KAN = 5
    ADDED_KAN = 6
    RIICHI = 7  # declared; the discard follows
    RIICHI_PAID = 8  # the discard has passed and the stick is on the table
    DORA = 9  # a new indicator is turned
    LEAVE = 10  # a player lost the connection
    RETURN = 11  # and came back


class Event(NamedTuple):
    """One event of a hand."""

    kind: int
    player: int
    """Who did it; -1 for DORA."""
    tile: int = -1
    """The tile drawn, discarded, called, added to a kan or shown as indicator; -1 otherwise."""
    tiles: tuple[int, ...] = ()
    """The tiles of a chi, pon or kan from the caller's hand (of an added kan, the three tiles of the pon)."""
    source: int = -1
    """Whose discard was called; of an added kan, whose discard the pon called."""
    tsumogiri: bool = False
    """A discard of the tile just drawn."""


@dataclass(slots=True)
class WinRecord:
    """A win as recorded; fields that a format does not have are None or empty."""

    winner: int
    loser: int
    """Who discarded the tile; the winner for a self-drawn win."""
    changes: tuple[int, ...]
    """Score changes of this win, honba and sticks included."""
    tile: int = -1
    """The winning tile."""
    liable: int | None = None
    fu: int | None = None
    han: int | None = None
    points: int | None = None
    """The value of the win itself, without honba and sticks."""
    limit: int | None = None
    """0 none, 1 mangan .. 4 sanbaiman, 5 yakuman (Tenhou's numbering)."""
    yaku: tuple[tuple[int, int], ...] = ()
    """(number, han) by Tenhou's numbering, dora included."""
    yakuman: tuple[int, ...] = ()
    hand: tuple[int, ...] = ()
    """Concealed tiles, the winning tile included."""
    melds: tuple[int, ...] = ()
    """Melds in Tenhou's 16-bit code, as the record lists them."""
    dora: tuple[int, ...] = ()
    ura: tuple[int, ...] = ()
    honba: int = 0
    sticks: int = 0


@dataclass(slots=True)
class DrawRecord:
    """A hand without a winner."""

    kind: str
    """One of the engine's result names: `exhaustive draw`, `nagashi mangan`, `nine terminals`, ..."""
    changes: tuple[int, ...]
    shown: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """Concealed hands that were shown (the tenpai ones), by player; empty if the format does not have them."""
    tenpai: tuple[int, ...] | None = None
    """Players tenpai at an exhaustive draw, if the format says."""
    honba: int = 0
    sticks: int = 0


@dataclass(slots=True)
class HandRecord:
    """One hand: situation, deal, events, result."""

    round: int
    """0 = East 1, 4 = South 1."""
    honba: int
    sticks: int
    scores: tuple[int, ...]
    dora: int
    """The first dora indicator."""
    deals: tuple[tuple[int, ...], ...]
    """Thirteen tile ids for each player, in the order they were dealt if the format keeps it."""
    events: list[Event] = field(default_factory=list)
    wins: list[WinRecord] = field(default_factory=list)
    draw: DrawRecord | None = None
    dice: tuple[int, int] | None = None
    extra: dict[str, object] = field(default_factory=dict)
    """What a format says about this hand beyond this model."""

    @property
    def dealer(self) -> int:
        """The dealer's seat."""
        return self.round % 4

    @property
    def undrawn_discard(self) -> int | None:
        """The index of a discard without a draw or call before it, the fault of a few records; None if none."""
        ready = -1  # who has drawn or called, and not discarded since
        for i, event in enumerate(self.events):
            if event.kind == Kind.DISCARD:
                if event.player != ready:
                    return i
                ready = -1
            elif event.kind in (Kind.DRAW, Kind.CHI, Kind.PON):
                ready = event.player
            elif event.kind in (Kind.OPEN_KAN, Kind.CONCEALED_KAN, Kind.ADDED_KAN):
                ready = -1
        return None


@dataclass(slots=True)
class GameRules:
    """The rules of the game, as stated by the record."""

    rounds: int = 2
    red_fives: bool = True
    open_tanyao: bool = True
    players: int = 4
    fast: bool = False
    level: int | None = None
    """Tenhou's table: 0 general, 1 upper, 2 tokujou, 3 houou."""
    tenhou_type: int | None = None
    """Tenhou's `GO type` bits, when known."""
    preset: str = "tenhou"
    text: str = ""
    """The rule's display name, when the format has one."""


@dataclass(slots=True)
class GameRecord:
    """One recorded game."""

    hands: list[HandRecord]
    rules: GameRules = field(default_factory=GameRules)
    names: tuple[str, ...] = ("", "", "", "")
    dans: tuple[int, ...] = ()
    rates: tuple[float, ...] = ()
    sexes: tuple[str, ...] = ()
    final_scores: tuple[int, ...] | None = None
    final_points: tuple[float, ...] | None = None
    seed: str | None = None
    """Tenhou's SHUFFLE seed, if kept."""
    seed_ref: str = ""
    lobby: int | None = None
    version: str = ""
    format: str = ""
    """Name of the format it was read from."""
    source: str = ""
    """File name or other origin, for messages."""
    ref: str = ""
    """The site's id of the game, if the record itself has it."""
    title: tuple[str, ...] = ()
    exact_ids: bool = True
    """Whether tile ids are the record's own (otherwise chosen by the reader)."""
    complete: bool = True
    """Whether the record reaches the end of the game."""
    extra: dict[str, object] = field(default_factory=dict)
    """What a format says beyond this model, kept so that writing the same format loses nothing."""

    @property
    def site_id(self) -> str:
        """The site's id of the game: the record's own, or Tenhou's from the file's name; empty if unknown."""
        found = None if self.ref else TENHOU_ID.search(self.source)
        return found[0] if found else self.ref


class RecordError(ValueError):
    """A record that cannot be read: names the file, the place, what was found and what was expected."""

    def __init__(self, source: str, place: str, problem: str) -> None:
        super().__init__(f"{source or 'record'}: {place}: {problem}" if place else f"{source or 'record'}: {problem}")
        self.source, self.place, self.problem = source, place, problem
