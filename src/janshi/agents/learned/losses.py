"""What a choice costs in places of the final rank, estimated from the network's output.

The network predicts how often experts choose each action. The *gap* of an action is log p(best) - log p(action), where
discards of the drawn tile and of an equal tile from the hand count as one choice. Its loss is a weighted sum of
non-negative features, with non-negative weights fitted to luck-free results of decisions in recorded games
(`scripts/fit_losses.py`):

- the gap times what is at stake in the hand (`stakes`), by kind of decision and by whether somebody threatens;
- how much more dangerous a discard is than the best one, times the cost of dealing in.

So the network's own choice loses nothing, a rarer choice never costs less than an equally dangerous one that experts
make more often, no choice costs anything in a decided game, and no loss exceeds three places.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np

from janshi.agents.learned.fitted import Fitted
from janshi.agents.learned.stakes import Stakes
from janshi.agents.loss import MOST, RANK
from janshi.core.tiles import FIVE_M, NUM_KINDS, NUM_TILES, RANKS
from janshi.rules.game import Array
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.state import PLAYERS

NAME: Final = "choice_losses"
VERSION: Final = 1
"""Version of the features."""
SITUATIONS: Final = ("discard", "discard under threat", "riichi or not", "call or not", "kan and others", "win or not")
DISCARD, THREAT, DECLARE, CALL, OTHER, WIN = range(len(SITUATIONS))
DANGER: Final = len(SITUATIONS)
FEATURES: Final = (*(f"gap times stake: {name}" for name in SITUATIONS), "danger times stake")
THREATENING: Final = 0.5
"""An opponent threatens if in riichi, or tenpai with at least this probability."""
FARTHEST_GAP: Final = 12.0
"""Larger gaps count as this one: the network has seen too few such choices to tell them apart."""


class Position(NamedTuple):
    """The inputs of losses, one row per decision."""

    policy: Array
    """Logits of all actions, float[m, 120]."""
    legal: Array
    """bool[m, 120]."""
    drawn: Array
    """The drawn tile, int[m]; negative without one."""
    danger: Array
    """The chance that somebody can win on a kind, float[m, 34]."""
    tenpai: Array
    """The chance that each opponent is tenpai, float[m, 3]."""
    riichi: Array
    """Who is in riichi, starting with the viewer, [m, 4]."""
    stakes: Stakes


class ChoiceLosses(Fitted):
    """A fitted model of losses."""

    name, version, features = NAME, VERSION, FEATURES

    def losses(self, at: Position) -> Array:
        """The loss of every legal action in places, float64[m, 120]; NaN for illegal ones."""
        lost = np.minimum(features(at) @ self.weights, MOST[RANK])
        return np.where(at.legal, lost, np.nan)


@cache
def shipped() -> ChoiceLosses:
    """The shipped model, loaded once."""
    return ChoiceLosses.load()


# --- features


def features(at: Position) -> Array:
    """The features of every action, float64[m, 120, FEATURES]; zero for illegal actions and for the best one."""
    rows = np.arange(len(at.policy))
    chances = joined(shares(at.policy, at.legal), at.legal, at.drawn)
    best = chances.argmax(1)
    least = np.exp(-FARTHEST_GAP) * chances[rows, best, None]
    gap = np.where(at.legal, np.log(chances[rows, best, None] / np.maximum(chances, least)), 0.0)
    situation = situations(at)
    out = np.zeros((*at.policy.shape, len(FEATURES)))
    far = np.where(situation[:, None] == WIN, 1 - np.exp(-gap), gap)  # declining a win costs the win, not several
    stake = np.where((situation == WIN) | (situation == DECLARE), at.stakes.win, at.stakes.spread)
    out[rows, :, situation] = far * stake[:, None]
    danger = dangers(at)
    more = np.maximum(danger - danger[rows, best, None], 0.0) * at.stakes.deal_in[:, None]
    out[:, :, DANGER] = np.where(at.legal & ~np.isnan(more), more, 0.0)
    return out


def shares(policy: Array, legal: Array) -> Array:
    """Probabilities of the legal actions, float64[m, 120]."""
    scaled = np.where(legal, policy.astype(np.float64), -np.inf)
    odds = np.exp(scaled - scaled.max(1, keepdims=True))
    return np.asarray(odds / odds.sum(1, keepdims=True))


def joined(chances: Array, legal: Array, drawn: Array) -> Array:
    """Probabilities of choices: discards of the drawn tile and of an equal tile both get the sum of the two."""
    rows = np.flatnonzero(drawn >= 0)
    tiles = drawn[rows].astype(np.int64)
    both = legal[rows, tiles] & legal[rows, act.TSUMOGIRI]
    rows, tiles = rows[both], tiles[both]
    out = chances.copy()
    out[rows, tiles] = out[rows, act.TSUMOGIRI] = chances[rows, tiles] + chances[rows, act.TSUMOGIRI]
    return out


def dangers(at: Position) -> Array:
    """The chance that somebody can win on what an action discards, float64[m, 120]; NaN for other actions."""
    out = np.full(at.policy.shape, np.nan)
    kinds = np.array([tile if tile < NUM_KINDS else FIVE_M + RANKS * (tile - NUM_KINDS) for tile in range(NUM_TILES)])
    out[:, :NUM_TILES] = at.danger[:, kinds]
    rows = np.flatnonzero(at.drawn >= 0)
    out[rows, act.TSUMOGIRI] = out[rows, at.drawn[rows].astype(np.int64)]
    return out


def situations(at: Position) -> Array:
    """The situation of each decision, int64[m]: a place in `SITUATIONS`."""
    legal = at.legal
    threat = (at.riichi[:, 1:PLAYERS] != 0).any(1) | (at.tenpai >= THREATENING).any(1)
    out = np.where(threat, THREAT, DISCARD)
    out[legal[:, act.CONCEALED_KAN : act.TSUMO].any(1) | legal[:, act.NINE_TERMINALS]] = OTHER
    out[legal[:, act.RIICHI]] = DECLARE
    out[legal[:, act.PASS]] = CALL
    out[legal[:, act.TSUMO] | legal[:, act.RON]] = WIN
    return np.asarray(out, np.int64)
