"""The luck-free result of each decision: the expected final rank after its hand, or some draws later.

The value function knows all four hands. Between two draws, only decisions change its value. So the luck-free result of
a decision, minus the value before it, is the total change due to that decision and all later ones of the hand. Summing
only over the next few draws is less noisy but depends on the value function; summing to the end of the hand does not.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from janshi.agents.worths import Worths
from janshi.luck.games import PlayedGames
from janshi.luck.measure import HandScorer, against_all, against_deals
from janshi.luck.outcomes import gains_of_hands
from janshi.luck.types import DEAL, DORA, PLACES, URA, Array
from janshi.luck.value import ValueFunction, shipped
from janshi.luck.walk import Walked
from janshi.rules.riichi.state import PLAYERS

STEPS: Final = (1, 2, 4, 8)
"""Numbers of draws after which a decision's effect is also measured; four draws are about one go-around."""


class Followed(NamedTuple):
    """Results of decisions, in places for the player who decided."""

    value: Array
    """float64[n]: the value before the decision, 2.5 - expected final rank, knowing all hands."""
    result: Array
    """float64[n]: the value after the hand, minus the luck since the decision."""
    soon: Array
    """float64[n, STEPS]: the change in value up to the draws of `STEPS`, minus the luck in between."""
    luck: Array
    """float64[games, 4]: the luck of whole games, by seat."""


class _ValuesToo(HandScorer):
    """Scores hands, and keeps the value after each event, float64[n, 4]; for one thread."""

    def __init__(self, games: PlayedGames, value: ValueFunction) -> None:
        super().__init__(games, value)
        self.came: list[Array] = []

    def _measure(
        self, chances: Array, hands: Array, room: Walked, worth: Worths, styles: Array | None, luck: Array
    ) -> None:
        came = np.zeros((len(chances), PLAYERS))
        for places, values in self.values_of_events(chances, hands, room, worth, styles):
            some = chances[places]
            dealt = some["kind"][0] == DEAL
            luck[places] = against_deals(values) if dealt else against_all(values, some)
            came[places] = values[np.arange(len(places)), 0 if dealt else some["tile"], PLACES]
        self.came.append(came)


def follow(played: PlayedGames, views: Array, infos: Array, value: ValueFunction | None = None) -> Followed:
    """Results of the decisions of some games; `infos` comes from `error_rate.decisions`."""
    scorer = _ValuesToo(played, value or shipped())
    events = scorer(slice(0, len(played.hands)))
    came = np.concatenate(scorer.came)
    bounds = np.searchsorted(events["hand"], np.arange(len(played.hands) + 1))
    gains = gains_of_hands(played)[:, PLACES]
    luck = np.zeros((len(played), PLAYERS))
    np.add.at(luck, played.game[events["hand"]], events["luck"][:, PLACES].astype(np.float64))
    out = Followed(np.zeros(len(views)), np.zeros(len(views)), np.zeros((len(views), len(STEPS))), luck)
    for hand in np.unique(infos["hand"]).tolist():
        some = slice(bounds[hand], bounds[hand + 1])
        after = gains[played.starts[played.game[hand]] : hand + 1].sum(0)
        rows = np.flatnonzero(infos["hand"] == hand)
        _follow_hand(events[some], came[some], after, infos["player"][rows], views["left"][rows], rows, out)
    return out


def _follow_hand(events: Array, came: Array, after: Array, player: Array, left: Array, rows: Array, out: Any) -> None:
    """Write the results of a hand's decisions (`rows`); `after` are the players' values after the hand."""
    later = is_later(events[None], left[:, None])  # (decisions, events)
    first = later.shape[1] - later.sum(1)
    luck = events["luck"][:, PLACES].astype(np.float64)
    done = np.concatenate([np.zeros((1, PLAYERS)), luck.cumsum(0)])  # luck before each event, and of all
    before = np.concatenate([came - luck, after[None]])  # the value before each event, and after the hand
    out.value[rows] = came[first - 1, player]
    out.result[rows] = after[player] - (done[-1, player] - done[first, player])
    for i, steps in enumerate(STEPS):
        end = np.minimum(first + steps - 1, len(events))
        between = done[end, player] - done[first, player]
        out.soon[rows, i] = before[end, player] - between - out.value[rows]


def is_later(events: Array, left: Array) -> Array:
    """Whether each event of a hand came after a decision made with this many tiles left in the wall."""
    return np.asarray((events["kind"] == URA) | ((events["left"] <= left) & ~np.isin(events["kind"], (DEAL, DORA))))
