"""Statistics of recorded games, per player and over all players: the usual table.

What is counted, always from one seat:

- *win*, *deal-in*: hands won; hands in which others won on the player's discard or kan, counted once per hand.
- *riichi*: hands with a declared riichi. *call*: hands with at least one chi, pon or open kan.
- *draw*: hands without a winner, abortive draws included.
- *average win* and *loss*: by hand value (without honba and riichi sticks) and by score change (with them; the loss is
  what was paid for the deal-in; two winners count as one loss of both).
- *tenpai at draw*: share of exhaustive draws at which the player was tenpai.
- *self-draw share*: wins by tsumo among wins. *first-rank* .. *fourth-rank rate*, *average rank*: of finished games.

Intervals are 95 %: Wilson's for rates; for averages, the normal interval of a ratio of sums, clustered by game, since
hands of one game depend on each other. Over all players, every hand is seen from four seats: rates then count seats,
except that draws count hands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, Final, NamedTuple

from janshi.records.model import DrawRecord, GameRecord, HandRecord, Kind, WinRecord
from janshi.rules.riichi.ruleset import HONBA_RON, STICK

PLAYERS: Final = 4
Z: Final = 1.959964
"""For the 95 % interval."""
CALLS: Final = frozenset((int(Kind.CHI), int(Kind.PON), int(Kind.OPEN_KAN)))
EXHAUSTIVE: Final = ("exhaustive draw", "nagashi mangan")
OVERALL: Final = ""
"""The name under which all players together are counted."""

RATES: Final = {
    "win rate": ("wins", "hands"),
    "deal-in rate": ("deal_ins", "hands"),
    "riichi rate": ("riichis", "hands"),
    "call rate": ("calls", "hands"),
    "draw rate": ("draws", "hands"),
    "self-draw share of wins": ("tsumos", "wins"),
    "tenpai at exhaustive draw": ("tenpais", "exhaustive"),
    "first-rank rate": ("firsts", "ranked"),
    "second-rank rate": ("seconds", "ranked"),
    "third-rank rate": ("thirds", "ranked"),
    "fourth-rank rate": ("fourths", "ranked"),
}
"""Name, and the two sums it is the quotient of."""
AVERAGES: Final = {
    "average win by hand value": ("win_points", "wins"),
    "average win by score change": ("win_changes", "wins"),
    "average deal-in loss by hand value": ("loss_points", "deal_ins"),
    "average deal-in loss by score change": ("loss_changes", "deal_ins"),
    "average rank": ("rank_sum", "ranked"),
    "hands per game": ("hands", "games"),
}
SUMS: Final = tuple(dict.fromkeys(name for pair in (*RATES.values(), *AVERAGES.values()) for name in pair))
_RANK_SUMS: Final = ("firsts", "seconds", "thirds", "fourths")


class Estimate(NamedTuple):
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float
    number: int
    """The number of hands, wins, games … behind it."""


def wilson(successes: float, trials: float) -> Estimate:
    """Wilson's score interval of a rate: (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n)."""
    if trials <= 0:
        return Estimate(float("nan"), 0.0, 1.0, 0)
    rate, z2 = successes / trials, Z * Z
    middle = rate + z2 / (2 * trials)
    reach = Z * sqrt(rate * (1 - rate) / trials + z2 / (4 * trials * trials))
    scale = 1 + z2 / trials
    return Estimate(rate, (middle - reach) / scale, (middle + reach) / scale, int(trials))


@dataclass(slots=True)
class Ratio:
    """A ratio of sums over games, with the sums its variance needs: Σ(y - r n)² over games, for r = Σy / Σn."""

    yy: float = 0.0
    yn: float = 0.0
    nn: float = 0.0

    def add(self, y: float, n: float) -> None:
        """Count one game."""
        self.yy += y * y
        self.yn += y * n
        self.nn += n * n

    def estimate(self, y: float, n: float, games: int) -> Estimate:
        """The average with its interval, games being clusters."""
        if n <= 0:
            return Estimate(float("nan"), float("nan"), float("nan"), 0)
        ratio = y / n
        spread = max(self.yy - 2 * ratio * self.yn + ratio * ratio * self.nn, 0.0)
        if games < 2:
            return Estimate(ratio, float("nan"), float("nan"), int(n))
        error = Z * sqrt(spread * games / (games - 1)) / n
        return Estimate(ratio, ratio - error, ratio + error, int(n))


@dataclass(slots=True)
class Tally:
    """Sums of one player, or of all."""

    sums: dict[str, float] = field(default_factory=lambda: dict.fromkeys(SUMS, 0.0))
    ratios: dict[str, Ratio] = field(default_factory=lambda: {name: Ratio() for name in AVERAGES})
    seats: int = 1
    """How many seats of a game it counts."""

    def add(self, game: dict[str, float]) -> None:
        """Count one game."""
        for name, value in game.items():
            self.sums[name] += value
        for name, (y, n) in AVERAGES.items():
            self.ratios[name].add(game[y], game[n])

    @property
    def games(self) -> int:
        """Games counted."""
        return round(self.sums["games"] / self.seats)

    @property
    def hands(self) -> int:
        """Hands counted."""
        return round(self.sums["hands"] / self.seats)

    def estimates(self) -> dict[str, Estimate]:
        """Every rate and average."""
        found = {}
        for name, (successes, trials) in RATES.items():
            share = self.seats if successes == "draws" else 1
            found[name] = wilson(self.sums[successes] / share, self.sums[trials] / share)
        for name, (y, n) in AVERAGES.items():
            found[name] = self.ratios[name].estimate(self.sums[y], self.sums[n], self.games)
        return found


class Stats:
    """Statistics of games, which are added one after another."""

    def __init__(self) -> None:
        self.overall = Tally(seats=PLAYERS)
        self.players: dict[str, Tally] = {}

    def add(self, record: GameRecord) -> None:
        """Count a game."""
        seats = count_game(record)
        self.overall.add({name: sum(seat[name] for seat in seats) for name in SUMS})
        for name, seat in zip(record.names, seats):
            if name:
                self.players.setdefault(name, Tally()).add(seat)

    def named(self, min_games: int = 1) -> Iterator[tuple[str, Tally]]:
        """Players with enough games, those with the most games first."""
        ordered = sorted(self.players.items(), key=lambda item: (-item[1].games, item[0]))
        return ((name, tally) for name, tally in ordered if tally.games >= min_games)


def stats_of(records: Iterable[GameRecord]) -> Stats:
    """Statistics of some games."""
    stats = Stats()
    for record in records:
        stats.add(record)
    return stats


# --- one game


def count_game(record: GameRecord) -> list[dict[str, float]]:
    """The sums of one game for each seat."""
    seats: list[dict[str, float]] = [dict.fromkeys(SUMS, 0.0) for _ in range(PLAYERS)]
    for seat in seats:
        seat["games"] = 1
    for hand in record.hands:
        count_hand(hand, seats)
    if record.final_scores is not None and record.complete:
        for seat, rank in zip(seats, _ranks(record.final_scores)):
            seat["ranked"], seat["rank_sum"], seat[_RANK_SUMS[rank]] = 1, rank + 1, 1
    return seats


def _ranks(scores: Sequence[int]) -> list[int]:
    order = sorted(range(PLAYERS), key=lambda seat: (-scores[seat], seat))
    return [order.index(seat) for seat in range(PLAYERS)]


def count_hand(hand: HandRecord, seats: list[dict[str, float]]) -> None:
    """Add the sums of one hand to those of each seat."""
    riichi = {event.player for event in hand.events if event.kind == Kind.RIICHI}
    called = {event.player for event in hand.events if event.kind in CALLS}
    for player, seat in enumerate(seats):
        seat["hands"] += 1
        seat["riichis"] += player in riichi
        seat["calls"] += player in called
        seat["draws"] += not hand.wins
    if hand.wins:
        _count_wins(hand, seats)
    elif hand.draw is not None and hand.draw.kind in EXHAUSTIVE:
        tenpai = tenpai_players(hand.draw)
        for player, seat in enumerate(seats):
            seat["exhaustive"] += tenpai is not None
            seat["tenpais"] += tenpai is not None and player in tenpai


def _count_wins(hand: HandRecord, seats: list[dict[str, float]]) -> None:
    for number, win in enumerate(hand.wins):
        winner = seats[win.winner]
        value = value_of(hand, win, number == 0)
        winner["wins"] += 1
        winner["win_points"] += value
        winner["win_changes"] += win.changes[win.winner]
        if win.winner == win.loser:
            winner["tsumos"] += 1
        else:
            loser = seats[win.loser]
            loser["deal_ins"] += number == 0
            loser["loss_points"] += value
            loser["loss_changes"] -= win.changes[win.loser]


def value_of(hand: HandRecord, win: WinRecord, first: bool) -> int:
    """The value of a win without honba and sticks, which the first winner takes."""
    if win.points is not None:
        return win.points
    if not first:
        return win.changes[win.winner]
    paid = sum(event.kind == Kind.RIICHI_PAID for event in hand.events)
    return win.changes[win.winner] - HONBA_RON * hand.honba - STICK * (hand.sticks + paid)


def tenpai_players(draw: DrawRecord) -> set[int] | None:
    """Who was tenpai at an exhaustive draw; None if the record does not say."""
    if draw.tenpai is not None:
        return set(draw.tenpai)
    if draw.shown:
        return set(draw.shown)
    if any(draw.changes) and draw.kind == "exhaustive draw":
        return {player for player, change in enumerate(draw.changes) if change > 0}
    return None


# --- as data


def as_data(tally: Tally) -> dict[str, Any]:
    """A tally as plain data, for JSON; unknown figures are None."""
    data: dict[str, Any] = {"games": tally.games, "hands": tally.hands}
    for name, estimate in tally.estimates().items():
        data[name] = {key: None if value != value else value for key, value in estimate._asdict().items()}
    return data
