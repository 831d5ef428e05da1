"""A player's luckiest and unluckiest moments, described in words, and the course of luck through a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from janshi.core.tiles import format_tiles
from janshi.luck.estimators import SOURCE_OF_KIND, SOURCES, Career, player_name
from janshi.luck.types import DEAL, DORA, DRAW, KAN_DORA, KIND_NAMES, PLACES, Array, ScoredGames
from janshi.records.invariants import WINDS
from janshi.rules.riichi.state import PLAYERS


@dataclass(frozen=True, slots=True)
class Moment:
    """A chance event and its effect on one player."""

    event: int
    """Its place in `ScoredGames.events`."""
    game: int
    source: str
    """Where the game comes from."""
    hand: int
    """Which of all scored hands."""
    seat: int
    """Whose luck it was."""
    kind: str
    tile: int
    """-1 for a deal."""
    turn: int
    """The go-around, from 1."""
    luck: float
    """In the requested measure; positive is good."""
    words: str
    """Such as `East 2, turn 9: drew 5p`."""

    def __str__(self) -> str:
        return f"{self.words}, {self.luck:+.2f} places"


def moments(games: ScoredGames, career: Career, count: int, measure: int = PLACES) -> tuple[list[Moment], list[Moment]]:
    """A player's lucky and unlucky moments, two lists, each with the largest effect first."""
    game = games.game[games.events["hand"]]
    held = np.zeros((len(games.ranks), PLAYERS), np.bool_)
    held[career.game, career.seat] = True
    seat, event = np.nonzero(held[game].T)  # twice where two seats were held
    return _greatest(games, event, seat, count, measure)


def moments_of_game(
    games: ScoredGames, game: int, seats: Sequence[int], count: int
) -> tuple[list[Moment], list[Moment]]:
    """The luckiest and unluckiest moments of some players of one game."""
    first, end = event_range(games, game)
    event = np.tile(np.arange(first, end), len(seats))
    return _greatest(games, event, np.repeat(np.array(seats, np.int64), end - first), count, PLACES)


def _greatest(
    games: ScoredGames, event: Array, seat: Array, count: int, measure: int
) -> tuple[list[Moment], list[Moment]]:
    luck = games.events["luck"][event, measure, seat]
    order = np.argsort(luck, kind="stable")
    worst = [i for i in order[:count] if luck[i] < 0]
    best = [i for i in order[::-1][:count] if luck[i] > 0]
    lucky, unlucky = ([_moment(games, int(event[i]), int(seat[i]), measure) for i in found] for found in (best, worst))
    return lucky, unlucky


def event_range(games: ScoredGames, game: int) -> tuple[int, int]:
    """The first event of a game, and the one after its last."""
    if not 0 <= game < len(games.ranks):
        raise IndexError(f"there are games 0 to {len(games.ranks) - 1}, not {game}")
    hands = np.searchsorted(games.game, [game, game + 1])
    return int(games.first[hands[0]]), int(games.first[hands[1]])


def _moment(games: ScoredGames, event: int, seat: int, measure: int) -> Moment:
    e = games.events[event]
    hand = int(e["hand"])
    return Moment(
        event,
        int(games.game[hand]),
        games.sources[int(games.game[hand])],
        hand,
        seat,
        KIND_NAMES[int(e["kind"])],
        int(e["tile"]),
        go_around(int(e["turn"])),
        float(e["luck"][measure, seat]),
        moment_words(games, event, seat),
    )


def moment_words(games: ScoredGames, event: int, seat: int) -> str:
    """Describe an event to the player in a seat: `East 2, turn 9: drew 5p`."""
    e = games.events[event]
    hand, kind, who = int(e["hand"]), int(e["kind"]), int(e["player"])
    where = hand_words(games, hand)
    tile = format_tiles([int(e["tile"])]) if e["tile"] >= 0 else ""
    if kind == DEAL:
        return f"{where}: the deal"
    if kind == DRAW:
        drawer = "drew" if who == seat else f"{player_name(games, int(games.game[hand]), who)} drew"
        return f"{where}, turn {go_around(int(e['turn']))}: {drawer} {tile}"
    if kind == DORA:
        return f"{where}: dora indicator {tile}"
    if kind == KAN_DORA:
        return f"{where}, turn {go_around(int(e['turn']))}: kan dora indicator {tile}"
    return f"{where}, at the win: ura indicator {tile}"


def hand_words(games: ScoredGames, hand: int) -> str:
    """The usual name of a hand: `South 2, honba 1`."""
    kyoku, honba = int(games.kyoku[hand]), int(games.honba[hand])
    name = f"{WINDS[kyoku // PLAYERS % PLAYERS]} {kyoku % PLAYERS + 1}"
    return f"{name}, honba {honba}" if honba else name


def go_around(turn: int) -> int:
    """A player's turn number, from 1, given the total number of discards; ignores calls."""
    return turn // PLAYERS + 1


# --- the course of luck


@dataclass(frozen=True, slots=True)
class Course:
    """One player's cumulative luck through a game, before the first event and after each."""

    event: Array
    """Indices of the events in `ScoredGames.events`, int64[n]."""
    luck: Array
    """Luck so far by source, float64[n + 1, sources]."""
    hands: list[tuple[int, str]]
    """The start of each hand (the number of events before it), and its name."""

    @property
    def total(self) -> Array:
        """Luck so far, float64[n + 1]."""
        return np.asarray(self.luck.sum(1))


def course(games: ScoredGames, game: int, seat: int, measure: int = PLACES) -> Course:
    """The luck of the player in a seat through a game."""
    first, end = event_range(games, game)
    hands, event = np.flatnonzero(games.game == game), np.arange(first, end)
    steps = np.zeros((len(event) + 1, len(SOURCES)))
    source = SOURCE_OF_KIND[games.events["kind"][event]]
    steps[np.arange(1, len(steps)), source] = games.events["luck"][event, measure, seat]
    starts = [(int(games.first[hand]) - first, hand_words(games, int(hand))) for hand in hands]
    return Course(event, steps.cumsum(0), starts)
