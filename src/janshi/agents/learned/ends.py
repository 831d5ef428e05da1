"""How the hand ends after each choice: win, deal in, draw or another end, from the network's output.

The network gives the chances for the position as a whole, before the choice. A choice changes them in two ways: by how
much more dangerous its discard is than what experts discard there, which counts in full, and through its *features*:

- the gap of the choice, log p(best) - log p(choice), by situation;
- the *race*: the logarithm of the chance of completing the hand after a discard in the remaining draws, by its shanten
  and useful tiles (`agents.prospects`);
- whether it calls, or declares riichi.

Each feature is measured relative to its mean over the experts' choices, so that their average play keeps the chances
of the position. The weights are a multinomial logit fitted to how hands of recorded games ended
(`scripts/fit_ends.py`). If a choice ends the hand, that end is certain. Where a win is offered, the chances of the
position are those of taking it: how the hand ends after declining it is not known.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np

from janshi.agents.learned.fitted import Fitted
from janshi.agents.learned.losses import CALL, DECLARE, DISCARD, THREAT, Position, dangers, joined, shares, situations
from janshi.agents.learned.stakes import DRAW_END, OWN_LOSSES, OWN_WINS
from janshi.agents.prospects import Manner, manner_record, win_chance
from janshi.core._jit import kernel
from janshi.core.tables import tables_array
from janshi.core.tiles import COPIES, FIVE_M, NUM_KINDS, NUM_TILES, RANKS
from janshi.core.ukeire import ukeire
from janshi.rules.game import Array
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.ruleset import TENHOU
from janshi.rules.riichi.state import PLAYERS

NAME: Final = "choice_ends"
VERSION: Final = 1
"""Version of the features."""
ENDS: Final = ("win", "lose", "draw", "other")
WIN, LOSE, DRAW, OTHER = range(len(ENDS))
FEATURES: Final = (
    *("gap: discard", "gap: discard under threat", "gap: riichi or not", "gap: call or not", "gap: others"),
    *("race after a discard", "race under threat", "calls", "declares riichi"),
)
GAPS: Final = {DISCARD: 0, THREAT: 1, DECLARE: 2, CALL: 3}
"""The feature with the gap in each situation; the fifth in all others."""
RACE, THREAT_RACE, CALLS, RIICHI = range(5, len(FEATURES))
WIN_ONLY: Final = (0, RACE)
"""Features that change only the chance of winning: while nobody threatens, a worse discard wins less often but is no
safer."""
FARTHEST_GAP: Final = 8.0
LEAST: Final = 1e-3
"""Lower bound on the chance of every possible end."""
WINS: Final = [act.TSUMO, act.RON]
KINDS: Final = np.array([t if t < NUM_KINDS else FIVE_M + RANKS * (t - NUM_KINDS) for t in range(NUM_TILES)])
"""The kind of each tile that can be discarded."""
MANNER: Final = manner_record(Manner(), TENHOU)
"""Tables of the race, which are the same for all rules."""


class ChoiceEnds(Fitted):
    """A fitted model of ends."""

    name, version, features = NAME, VERSION, FEATURES

    def check(self, weights: Array) -> None:
        """Weights for each feature and for each end except the last."""
        if weights.shape != (len(FEATURES), OTHER):
            raise ValueError(f"expected weights of {len(FEATURES)} features for {OTHER} ends: {weights.shape}")

    def chances(self, at: Position, ends: Array, races: Array) -> Array:
        """The chance of each of `ENDS` after every action, float64[m, 120, 4]; NaN for illegal ones and declined wins.

        `ends` are the network's chances for the position, float[m, 20]; `races` is the result of `races_of` for the
        views.
        """
        logits = basis(at, ends)
        logits[:, :, :OTHER] += features(at, races) @ self.weights
        odds = np.exp(logits - logits.max(2, keepdims=True))
        found = odds / odds.sum(2, keepdims=True)
        found[at.legal[:, WINS].any(1)] = np.nan
        found[:, WINS], found[:, act.NINE_TERMINALS] = np.eye(len(ENDS))[[WIN, DRAW]]
        return np.where(at.legal[:, :, None], found, np.nan)


@cache
def shipped() -> ChoiceEnds:
    """The shipped model, loaded once."""
    return ChoiceEnds.load()


def of_position(ends: Array) -> Array:
    """The chances of `ENDS` before the choice, float64[m, 4], from the network's 20."""
    share = ends.astype(np.float64) / ends.sum(1, keepdims=True)
    win, lose, draw = share[:, OWN_WINS].sum(1), share[:, OWN_LOSSES].sum(1), share[:, DRAW_END]
    return np.stack([win, lose, draw, 1 - win - lose - draw], 1)


def basis(at: Position, ends: Array) -> Array:
    """Log chances with each action's danger but without features, float64[m, 120, 4]."""
    whole = of_position(ends)[:, None].repeat(at.legal.shape[1], 1)
    danger = np.where(at.legal, np.nan_to_num(dangers(at)), 0.0)
    usual = (shares(at.policy, at.legal) * danger).sum(1)
    whole[:, :, LOSE] += danger - usual[:, None]
    return np.asarray(np.log(np.maximum(whole, LEAST)))


def features(at: Position, races: Array) -> Array:
    """The features of every action minus their mean over experts, float64[m, 120, FEATURES]."""
    rows, legal = np.arange(len(at.policy)), at.legal
    own = shares(at.policy, legal)
    chances = joined(own, legal, at.drawn)
    best = chances.max(1, keepdims=True)
    out = np.zeros((*legal.shape, len(FEATURES)))
    place = np.array([GAPS.get(int(situation), len(GAPS)) for situation in situations(at)])
    out[rows, :, place] = np.log(best / np.maximum(chances, best * np.exp(-FARTHEST_GAP)))
    out[rows, :, np.where(place == GAPS[THREAT], THREAT_RACE, RACE)] = races_of_actions(at, races)
    out[:, act.CHI : act.CONCEALED_KAN, CALLS] = 1.0
    out[:, act.RIICHI, RIICHI] = 1.0
    out[~legal] = 0.0
    return np.asarray(out - np.einsum("ma,maf->mf", own, out)[:, None])


def races_of_actions(at: Position, races: Array) -> Array:
    """The race after each action, float64[m, 120]; riichi and kans get that of the best discard."""
    drawn = np.flatnonzero(at.drawn >= 0)
    out = races.max(1, keepdims=True).repeat(at.legal.shape[1], 1)
    out[:, :NUM_TILES] = races[:, KINDS]
    out[drawn, act.TSUMOGIRI] = races[drawn, KINDS[at.drawn[drawn].astype(np.int64)]]
    return np.asarray(out)


def races_of(views: Array) -> Array:
    """The race after discarding each kind, float64[m, 34]; zero for reactions, the minimum for kinds not held."""
    out = np.zeros((len(views), NUM_KINDS))
    write_races(np.ascontiguousarray(views), MANNER, tables_array(), out)
    return out


@kernel
def write_races(views: Array, manner: Array, tables: Array, out: Array) -> None:
    """Write the races of views with a tile to discard; see `races_of`."""
    m, t = manner[0], tables[0]
    useful, hand = np.zeros(NUM_KINDS, np.int16), np.zeros(NUM_KINDS, np.int8)
    for i in range(len(views)):
        v = views[i]
        held = 0
        for kind in range(NUM_KINDS):
            hand[kind] = v.hand[kind]
            held += hand[kind]
        if held % 3 != 2:
            continue
        for kind in range(NUM_KINDS):
            out[i, kind] = np.log(LEAST)
            if hand[kind] > 0:
                hand[kind] -= 1
                out[i, kind] = race_of(v, hand, useful, m, t)
                hand[kind] += 1


@kernel
def race_of(v: Any, hand: Array, useful: Array, m: Any, t: Any) -> float:
    """The logarithm of the chance of completing a hand of 13 tiles, melds included."""
    distance = ukeire(hand, int(v.melds[0]), t, useful)
    unseen = left = 0
    for kind in range(NUM_KINDS):
        live = max(COPIES - int(v.hand[kind]) - int(v.seen[kind]), 0)
        unseen += live
        left += live if useful[kind] else 0
    chance = win_chance(distance, float(left), int(v.left) // PLAYERS + 1, unseen, int(v.melds[0] > 0), m)
    return float(np.log(max(chance, LEAST)))
