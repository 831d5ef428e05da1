"""The worth of every end of a hand to all four players: in places (2.5 - expected final rank) and in points.

Between hands, the final rank model values a game by its scores; when the game is over, its ranks count. So the gains of
hands sum over a game to exactly 2.5 - rank (equation 10 of Ogami et al. 2022), for any model.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np

from janshi.agents.payoffs import draw_changes, games_over, ron_changes, tsumo_changes
from janshi.models import final_rank
from janshi.models.amounts import AMOUNTS, BASES, base_of, shares
from janshi.rules.game import Array
from janshi.rules.riichi.final import ranks
from janshi.rules.riichi.ruleset import STICK, Ruleset
from janshi.rules.riichi.state import (
    EXHAUSTIVE_DRAW,
    NAGASHI_MANGAN,
    NONE,
    PLAYERS,
)

MEASURES: Final = ("places", "points")
"""What ends are worth in."""
WINS: Final = PLAYERS * PLAYERS
"""Winner and loser; the same player for a self-drawn win."""
DRAWN: Final = WINS
"""The class of all draws."""
DRAWS: Final = 1 << PLAYERS
"""Who is tenpai at a draw."""
MEAN_RANK: Final = 2.5
AT_ONCE: Final = 200_000
"""Ends valued at once."""


WHO: Final = slice(0, WINS + 1)
AMOUNT: Final = slice(WINS + 1, WINS + 1 + PLAYERS * AMOUNTS)
TENPAI: Final = slice(WINS + 1 + PLAYERS * AMOUNTS, WINS + 1 + PLAYERS * AMOUNTS + PLAYERS)
OUTPUTS: Final = TENPAI.stop
"""How networks predict ends: who wins from whom (players in turn order from who draws), how much each would win, who is
tenpai at the end."""
TURNED: Final = (np.arange(PLAYERS)[:, None] + np.arange(PLAYERS)) % PLAYERS
"""Absolute seat of the players in turn order from each seat."""
SETS: Final = ((np.arange(DRAWS)[:, None] >> np.arange(PLAYERS)) & 1).astype(np.float32)
"""Who is in each bit set."""


class Worths(NamedTuple):
    """The worth of each end, by absolute seat."""

    wins: Array
    """float32[n, winner, loser, AMOUNTS, measures, 4]."""
    draws: Array
    """float32[n, DRAWS, measures, 4]."""


class Situation(NamedTuple):
    """Situations in hands, one per row."""

    scores: Array
    """Current scores, riichi sticks paid, int64[n, 4]."""
    sticks: Array
    kyoku: Array
    honba: Array
    rules: Array
    """Which of the rules."""


@cache
def _changes(dealer: int, honba: int) -> tuple[Array, Array, Array]:
    """Changes of scores by all ends, sticks aside, int64[e, 4]; who wins; whether the dealer stays."""
    bases = [int(base) for base in BASES]
    rows, winners = [], []
    for winner in range(PLAYERS):
        for loser in range(PLAYERS):
            for base in bases:
                winners.append(winner)
                if winner == loser:
                    rows.append(tsumo_changes(winner, base, dealer, honba))
                else:
                    rows.append(ron_changes(winner, loser, base, dealer, honba))
    for tenpai in range(DRAWS):
        winners.append(NONE)
        rows.append(draw_changes(tenpai))
    stays = [winner == dealer for winner in winners[:-DRAWS]] + [bool((t >> dealer) & 1) for t in range(DRAWS)]
    return np.array(rows), np.array(winners), np.array(stays)


def worths(at: Situation, rules: list[Ruleset]) -> Worths:
    """The worth of every end of each situation."""
    n, ends = len(at.scores), WINS * AMOUNTS + DRAWS
    changes = np.zeros((n, ends, PLAYERS), np.int64)
    stays = np.zeros((n, ends), np.bool_)
    winner = np.zeros(ends, np.int64)
    for dealer, honba in sorted({(int(k) % PLAYERS, int(h)) for k, h in zip(at.kyoku, at.honba)}):
        same = (at.kyoku % PLAYERS == dealer) & (at.honba == honba)
        changes[same], winner, stays[same] = _changes(dealer, honba)
    won = winner != NONE
    after = at.scores[:, None] + changes
    places = np.flatnonzero(won)
    after[:, places, winner[places]] += STICK * at.sticks[:, None].astype(np.int64)
    sticks = np.where(won, 0, at.sticks[:, None])
    out = np.zeros((n, ends, len(MEASURES), PLAYERS), np.float32)
    ended = Ended(
        after.reshape(-1, PLAYERS),
        sticks.ravel(),
        np.repeat(at.kyoku, ends),
        np.repeat(at.honba, ends),
        np.tile(won, n),
        stays.ravel(),
        np.repeat(at.rules, ends),
    )
    out[:, :, 0] = places_after(ended, rules).reshape(n, ends, PLAYERS)
    out[:, :, 1] = after - at.scores[:, None]
    wins = out[:, : WINS * AMOUNTS].reshape(n, PLAYERS, PLAYERS, AMOUNTS, len(MEASURES), PLAYERS)
    return Worths(wins, out[:, WINS * AMOUNTS :])


class Ended(NamedTuple):
    """Hands that have ended, one per row."""

    scores: Array
    """After the hand, int64[n, 4]."""
    sticks: Array
    """Left on the table."""
    kyoku: Array
    """Of the hand, as its honba."""
    honba: Array
    won: Array
    """Whether somebody won."""
    stays: Array
    """Whether the dealer stays."""
    rules: Array
    """Which of the rules."""


def places_after(ended: Ended, rules: list[Ruleset]) -> Array:
    """Expected places (2.5 - final rank) of all players after these hands, float64[n, 4]."""
    out = np.zeros((len(ended.scores), PLAYERS))
    for number, rule in enumerate(rules):
        for some in np.array_split(np.flatnonzero(ended.rules == number), 1 + len(out) // AT_ONCE):
            own = Ended(*(column[some] for column in ended))
            over = games_over(own.scores, own.kyoku, own.stays, np.zeros(len(some), np.bool_), rule)
            honba = np.where(own.won & ~own.stays, 0, own.honba + 1)
            chances = final_rank.predict(own.scores, own.kyoku + ~own.stays, honba, own.sticks, rule.rounds)
            expected = chances @ np.arange(1.0, PLAYERS + 1)
            out[some] = MEAN_RANK - np.where(over[:, None], 1.0 + ranks(own.scores), expected)
    return out


class Labels(NamedTuple):
    """How hands ended, as training labels; players are absolute."""

    who: Array
    """PLAYERS * winner + loser, or DRAWN, int64[hands]."""
    amounts: Array
    """Shares of the amounts won, float32[hands, AMOUNTS]; zero for draws."""
    tenpai: Array
    """Bit set of the tenpai at a draw."""


def labels_of(ends: Array, kyoku: Array) -> Labels:
    """Labels of ended hands: records with `winner`, `loser`, `points`, `result` and `tenpai`."""
    won = ends["winner"] != NONE
    who = np.where(won, PLAYERS * ends["winner"].astype(np.int64) + ends["loser"], DRAWN)
    bases = base_of(ends["points"].astype(np.float64), ends["winner"] == kyoku % PLAYERS)
    amounts = np.where(won[:, None], shares(np.maximum(bases, 0.0)), 0.0).astype(np.float32)
    exhausted = (ends["result"] == EXHAUSTIVE_DRAW) | (ends["result"] == NAGASHI_MANGAN)
    return Labels(who, amounts, np.where(exhausted, ends["tenpai"], 0))
