"""The data for drawing a board, independent of rules and of rich.

`janshi.show.riichi` makes these from a riichi table; `janshi.show.board` draws them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RiverTile:
    """A discard: its tile and how it was discarded."""

    tile: int
    tsumogiri: bool = False
    riichi: bool = False
    called: bool = False


@dataclass(frozen=True, slots=True)
class MeldPicture:
    """A meld: its tiles in the order shown, and which one was taken (-1: none, a concealed kan)."""

    tiles: tuple[int, ...]
    taken: int = -1

    @property
    def concealed(self) -> bool:
        """True for a concealed kan, whose outer tiles lie face down."""
        return self.taken < 0


@dataclass(frozen=True, slots=True)
class SeatPicture:
    """One player's side of the table."""

    name: str
    wind: str
    score: int
    hand: tuple[int, ...]
    drawn: int | None = None
    melds: tuple[MeldPicture, ...] = ()
    river: tuple[RiverTile, ...] = ()
    riichi: bool = False
    active: bool = False
    face_down: bool = False


@dataclass(frozen=True, slots=True)
class BoardPicture:
    """A whole table at one moment, seats in order of the player numbers."""

    round_name: str
    honba: int
    sticks: int
    tiles_left: int
    dora_indicators: tuple[int, ...]
    seats: tuple[SeatPicture, ...]
    last_action: str = ""


@dataclass(frozen=True, slots=True)
class WinPicture:
    """One player's win: the tiles shown and their value."""

    player: int
    source: int
    hand: tuple[int, ...]
    win_tile: int
    melds: tuple[MeldPicture, ...] = ()
    yaku: tuple[tuple[str, str], ...] = ()
    value: str = ""
    ura_indicators: tuple[int, ...] = ()

    @property
    def tsumo(self) -> bool:
        """True if the winner drew the tile."""
        return self.player == self.source


@dataclass(frozen=True, slots=True)
class ResultPicture:
    """The end of a hand: its wins, or the draw's name, and the score changes."""

    title: str
    names: tuple[str, ...]
    changes: tuple[int, ...]
    scores: tuple[int, ...]
    wins: tuple[WinPicture, ...] = ()
    draw: str = ""
    tenpai: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class StandingPicture:
    """The end of a game, best player first: (rank, name, score, final points)."""

    rows: tuple[tuple[int, str, int, float], ...]
