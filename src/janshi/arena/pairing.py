"""Who sits with whom: the lineups of tournaments, as pure functions of a seed and the earlier results."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from janshi.core import rng

T = TypeVar("T")
Lineups = tuple[tuple[int, ...], ...]
Ints = npt.NDArray[np.int64]

TOURNAMENTS: Final = 103
"""Separates the random stream of tournaments from those of walls and choices."""
EXCHANGES: Final = 400
"""Exchanges tried per seat before a design is accepted."""
STARTS: Final = 24
"""Starting points of the search for Swiss tables without repeated meetings."""


class Dice:
    """Random choices from our own generator: the same seed always gives the same choices."""

    def __init__(self, seed: int, stage: int = 0) -> None:
        self._state = np.uint64(rng.key(np.uint64(seed % 2**64), stage, TOURNAMENTS))

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1."""
        state, number = rng.draw_below(self._state, bound)
        self._state = np.uint64(state)
        return int(number)

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in random order."""
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(len(left))]


# --- everybody with everybody


def all_lineups(contestants: int, players: int, dice: Dice) -> Lineups:
    """Every combination of contestants, each in a random order around the table.

    If there are fewer contestants than seats, some take several: two contestants each meet copies of the other only;
    of three at a table of four, each in turn has two seats.
    """
    if contestants < 2:
        raise ValueError(f"a tournament needs at least two contestants, not {contestants}")
    if contestants == players:
        return (tuple(range(players)),)
    if contestants == 2:
        return tuple((who,) + (1 - who,) * (players - 1) for who in range(2))
    if contestants < players:
        others = range(contestants)
        return tuple((who,) * (players - contestants) + tuple(others) for who in range(contestants))
    return tuple(tuple(dice.shuffled(lineup)) for lineup in combinations(range(contestants), players))


def balanced_lineups(contestants: int, players: int, tables: int, dice: Dice) -> Lineups:
    """Some of the combinations, chosen so that all play about equally often and all pairs meet about equally often.

    A balanced incomplete block design, or close to one if there is none: tables are filled greedily with those who
    have played and met least, then two contestants of two tables are exchanged as long as it evens out the meetings.
    """
    if tables < 1:
        raise ValueError(f"a tournament needs at least one table, not {tables}")
    if contestants <= players or tables >= comb(contestants, players):
        return all_lineups(contestants, players, dice)
    if tables * players < contestants:
        raise ValueError(
            f"{tables} tables of {players} cannot seat all {contestants} contestants; "
            f"at least {-(-contestants // players)} are needed"
        )
    meetings = np.zeros((contestants, contestants), np.int64)
    lineups = _fill(contestants, players, tables, meetings, dice)
    _even_out(lineups, meetings, dice)
    return tuple(tuple(dice.shuffled(sorted(lineup))) for lineup in lineups)


def count_meetings(lineups: Sequence[Sequence[int]], contestants: int) -> Ints:
    """How often two contestants share a table, int64[contestants, contestants], zero on the diagonal."""
    meetings = np.zeros((contestants, contestants), np.int64)
    for lineup in lineups:
        for a, b in combinations(sorted(set(lineup)), 2):
            meetings[a, b] += 1
            meetings[b, a] += 1
    return meetings


def _fill(contestants: int, players: int, tables: int, meetings: Ints, dice: Dice) -> list[set[int]]:
    """Fill tables seat by seat with the contestant who has played least, then has met those at the table least."""
    played = [0] * contestants
    lineups: list[set[int]] = []
    for _ in range(tables):
        table: set[int] = set()
        for _ in range(players):
            order = dice.shuffled([who for who in range(contestants) if who not in table])
            chosen = min(order, key=lambda who: (played[who], sum(int(meetings[who, other]) for other in table)))
            for other in table:
                meetings[chosen, other] += 1
                meetings[other, chosen] += 1
            played[chosen] += 1
            table.add(chosen)
        lineups.append(table)
    return lineups


def _even_out(lineups: list[set[int]], meetings: Ints, dice: Dice) -> None:
    """Exchange contestants between tables, in place, while that lowers the sum of squared meetings or keeps it."""
    pairs = np.triu_indices(len(meetings), 1)
    best = comb(len(meetings), 2)
    rest = int(meetings[pairs].sum()) % best
    floor = int(meetings[pairs].sum()) // best
    least = (best - rest) * floor**2 + rest * (floor + 1) ** 2
    squares = int((meetings[pairs] ** 2).sum())
    for _ in range(EXCHANGES * len(lineups) * len(lineups[0])):
        if squares == least or len(lineups) < 2:
            return
        squares += _try_exchange(lineups, meetings, dice)


def _try_exchange(lineups: list[set[int]], meetings: Ints, dice: Dice) -> int:
    """Try one random exchange; returns the change of the sum of squared meetings."""
    first, second = lineups[dice.below(len(lineups))], lineups[dice.below(len(lineups))]
    gone, come = sorted(first - second), sorted(second - first)
    if not gone:
        return 0
    x, y = gone[dice.below(len(gone))], come[dice.below(len(come))]
    left, joined = first - second - {x}, second - first - {y}
    change = sum(2 * int(meetings[y, j] - meetings[x, j]) + 2 for j in left)
    change += sum(2 * int(meetings[x, j] - meetings[y, j]) + 2 for j in joined)
    if change > 0:
        return 0
    for others, sign in ((left, 1), (joined, -1)):
        for j in others:
            for who, step in ((x, -sign), (y, sign)):
                meetings[who, j] += step
                meetings[j, who] += step
    for table, old, new in ((first, x, y), (second, y, x)):
        table.remove(old)
        table.add(new)
    return change


# --- Swiss rounds


def choose_byes(order: Sequence[int], byes: Sequence[int], count: int) -> list[int]:
    """Who sits out: those with the fewest byes so far, of these the lowest in `order` (the standings, best first)."""
    lowest_first = list(reversed(order))
    return sorted(lowest_first, key=lambda who: byes[who])[:count]


def swiss_tables(order: Sequence[int], players: int, meetings: Ints, dice: Dice) -> list[list[int]]:
    """Tables of contestants near in standing who have met as little as possible.

    `order` is the standings, best first, and must fill all tables. Fewer former meetings come first, then nearness
    (squared distances in the standings). The search starts from the tables of the plain standings, and from shuffled
    ones if those still repeat meetings, and makes the best exchange of two contestants until none helps.
    """
    if len(order) % players:
        raise ValueError(f"{len(order)} contestants do not fill tables of {players}")
    n = len(order)
    place = np.arange(n)
    distance = (place[:, None] - place[None, :]) ** 2
    heavy = int(distance.sum()) + 1
    cost = np.asarray(meetings)[np.ix_(order, order)] * heavy + distance
    best, price = _descend(cost, place // players)
    for _ in range(STARTS - 1):
        if price < heavy:
            break
        other, value = _descend(cost, np.array(dice.shuffled((place // players).tolist())))
        if value < price:
            best, price = other, value
    return [[order[int(i)] for i in np.flatnonzero(best == table)] for table in range(n // players)]


def _descend(cost: Ints, table: Ints) -> tuple[Ints, int]:
    """Make the best exchange of two places until none lowers the cost; returns the tables and their total cost."""
    n, tables = len(table), int(table.max()) + 1
    table = table.copy()
    rows = np.arange(n)
    while True:
        seated = table[:, None] == np.arange(tables)  # (n, tables)
        with_table = cost @ seated  # cost of each contestant at each table
        here = with_table[rows, table]
        moved = with_table[:, table] - cost  # i at the table of j, once j has left
        change = moved + moved.T - here[:, None] - here[None, :]
        change[table[:, None] == table[None, :]] = 0
        i, j = divmod(int(change.argmin()), n)
        if change[i, j] >= 0:
            return table, int(here.sum()) // 2
        table[i], table[j] = table[j], table[i]
