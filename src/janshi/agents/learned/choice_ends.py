"""How the hand ends after each choice: win, deal in, draw or another end, from what the network says of the position.

The network gives the chances of the position as a whole, before the choice. A choice changes them: by the danger of its
discard above that of what experts discard there, which counts in full, and by what its *features* say:

- the gap of the choice, log p(best) - log p(choice), by situation;
- the shanten after a discard, and the logarithm of the number of useful tiles;
- whether it calls, or declares riichi.

Features are counted from their mean over what experts would do, so experts keep the chances of the position. Their
weights are a multinomial logit fitted to how hands of recorded games ended (`scripts/fit_ends.py`). A choice that ends
the hand has the end that it brings about.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np

from janshi.agents.learned.losses import CALL, DECLARE, DISCARD, THREAT, Position, dangers, joined, shares, situations
from janshi.agents.learned.stakes import DRAW_END, OWN_LOSSES, OWN_WINS
from janshi.core.tables import tables_array
from janshi.core.tiles import FIVE_M, NUM_KINDS, NUM_TILES, RANKS
from janshi.core.ukeire import NOT_HELD, ukeire_discards
from janshi.models.store import load, save
from janshi.rules.game import Array
from janshi.rules.riichi import actions as act

NAME: Final = "choice_ends"
VERSION: Final = 1
"""Of the features."""
ENDS: Final = ("win", "lose", "draw", "other")
WIN, LOSE, DRAW, OTHER = range(len(ENDS))
FEATURES: Final = (
    *("gap: discard", "gap: discard under threat", "gap: riichi or not", "gap: call or not", "gap: others"),
    *("shanten after a discard", "log of useful tiles", "calls", "declares riichi"),
)
GAPS: Final = {DISCARD: 0, THREAT: 1, DECLARE: 2, CALL: 3}
"""The feature with the gap in each situation; the fifth in all others."""
SHANTEN, USEFUL, CALLS, RIICHI = range(5, len(FEATURES))
FARTHEST_GAP: Final = 8.0
LEAST: Final = 1e-3
"""No end that is possible gets a smaller chance."""
KINDS: Final = np.array([t if t < NUM_KINDS else FIVE_M + RANKS * (t - NUM_KINDS) for t in range(NUM_TILES)])
"""The kind of each tile that can be discarded."""


class Shapes(NamedTuple):
    """Hands after discards, one row per decision; zero where nothing is discarded."""

    shanten: Array
    """float64[m, 34]: above the least that is possible."""
    useful: Array
    """float64[m, 34]: the logarithm of useful tiles against the most possible, at the least shanten; else 0."""


class ChoiceEnds:
    """A fitted model of ends."""

    def __init__(self, weights: Array, card: dict[str, Any] | None = None) -> None:
        if weights.shape != (len(FEATURES), OTHER):
            raise ValueError(f"expected weights of {len(FEATURES)} features for {OTHER} ends: {weights.shape}")
        self.weights = np.asarray(weights, np.float64)
        self.card = card or {}

    @classmethod
    def load(cls, path: Path | None = None) -> Self:
        """Read weights: those shipped, or a file of your own."""
        arrays, card = load(NAME, path, VERSION, len(FEATURES))
        return cls(arrays["weights"], card)

    def save(self, path: Path) -> None:
        """Write the weights and their card."""
        save(path, {"weights": self.weights}, {**self.card, "feature version": VERSION})

    def chances(self, at: Position, ends: Array, shapes: Shapes) -> Array:
        """The chance of each of `ENDS` after every action, float64[m, 120, 4]; NaN for illegal ones.

        `ends` are the network's chances of the position, float[m, 20].
        """
        logits = basis(at, ends)
        logits[:, :, :OTHER] += features(at, shapes) @ self.weights
        odds = np.exp(logits - logits.max(2, keepdims=True))
        found = odds / odds.sum(2, keepdims=True)
        found[:, [act.TSUMO, act.RON]], found[:, act.NINE_TERMINALS] = np.eye(len(ENDS))[[WIN, DRAW]]
        return np.where(at.legal[:, :, None], found, np.nan)


@cache
def shipped() -> ChoiceEnds:
    """The model shipped with the package, read once."""
    return ChoiceEnds.load()


def of_position(ends: Array) -> Array:
    """The chances of `ENDS` before the choice, float64[m, 4], from the network's 20."""
    share = ends.astype(np.float64) / ends.sum(1, keepdims=True)
    win, lose, draw = share[:, OWN_WINS].sum(1), share[:, OWN_LOSSES].sum(1), share[:, DRAW_END]
    return np.stack([win, lose, draw, 1 - win - lose - draw], 1)


def basis(at: Position, ends: Array) -> Array:
    """Logarithms of chances with the danger of each action, float64[m, 120, 4], before features count."""
    whole = of_position(ends)[:, None].repeat(at.legal.shape[1], 1)
    danger = np.where(at.legal, np.nan_to_num(dangers(at)), 0.0)
    usual = (shares(at.policy, at.legal) * danger).sum(1)
    whole[:, :, LOSE] += danger - usual[:, None]
    return np.asarray(np.log(np.maximum(whole, LEAST)))


def features(at: Position, shapes: Shapes) -> Array:
    """The features of every action minus their mean over experts, float64[m, 120, FEATURES]."""
    rows, legal = np.arange(len(at.policy)), at.legal
    own = shares(at.policy, legal)
    chances = joined(own, legal, at.drawn)
    best = chances.max(1, keepdims=True)
    out = np.zeros((*legal.shape, len(FEATURES)))
    place = np.array([GAPS.get(int(situation), len(GAPS)) for situation in situations(at)])
    out[rows, :, place] = np.log(best / np.maximum(chances, best * np.exp(-FARTHEST_GAP)))
    for number, of_kind in ((SHANTEN, shapes.shanten), (USEFUL, shapes.useful)):
        out[:, :NUM_TILES, number] = of_kind[:, KINDS]
        drawn = np.flatnonzero(at.drawn >= 0)
        out[drawn, act.TSUMOGIRI, number] = of_kind[drawn, KINDS[at.drawn[drawn].astype(np.int64)]]
    out[:, act.CHI : act.CONCEALED_KAN, CALLS] = 1.0
    out[:, act.RIICHI, RIICHI] = 1.0
    out[~legal] = 0.0
    return np.asarray(out - np.einsum("ma,maf->mf", own, out)[:, None])


def shapes_of(views: Array) -> Shapes:
    """The shapes after discards; reactions have none."""
    shanten, useful = np.zeros((len(views), NUM_KINDS)), np.zeros((len(views), NUM_KINDS))
    (tables,) = tables_array()
    for i, view in enumerate(views):
        hand, melds = view["hand"].astype(np.uint8), int(view["melds"][0])
        if hand.sum() % 3 == 2:
            shanten[i], useful[i] = _after_discards(hand, melds, hand + view["seen"].astype(np.uint8), tables)
    return Shapes(shanten, useful)


def _after_discards(hand: Array, melds: int, visible: Array, tables: Any) -> tuple[Array, Array]:
    far, count = np.zeros(NUM_KINDS, np.int8), np.zeros(NUM_KINDS, np.int16)
    least = ukeire_discards(hand, melds, visible, tables, far, count)
    held = far != NOT_HELD
    most = max(int(count.max()), 0) + 1.0
    return np.where(held, far - float(least), 0.0), np.where(count >= 0, np.log((np.maximum(count, 0) + 1.0) / most), 0)
