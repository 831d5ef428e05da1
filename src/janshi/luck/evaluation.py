"""How much of the results of scored games luck explains: variances by source, the paper's tests, and sharper ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from janshi.arena.stats import Floats
from janshi.luck.games import PlayedGames, pick_games
from janshi.luck.significance import (
    equivalence_of,
    f_test_of,
    paired_equivalence,
    pitman_morgan,
    variance_ratio,
)
from janshi.luck.types import DEAL, DORA, DRAW, KAN_DORA, KIND_NAMES, PLACES, URA, Array, ScoredGames
from janshi.luck.value import ValueFunction

STEPS: Final = {
    "draws": (DRAW,),
    "+ deal": (DRAW, DEAL),
    "+ dora": (DRAW, DEAL, DORA, KAN_DORA),
    "+ ura (all)": (DRAW, DEAL, DORA, KAN_DORA, URA),
}
"""Sources of luck, removed one after the other."""
DELTAS: Final = (0.01, 0.02, 0.03)
"""Differences of means, in places, that do not matter."""
LEAST: Final = 3
"""Minimum number of games to measure anything on."""


def unknown_games(games: PlayedGames, value: ValueFunction) -> PlayedGames:
    """The games that a value function was not trained on."""
    known = value.knows(games)
    return pick_games(games, np.flatnonzero(~known).tolist()) if known.any() else games


def luck_figures(scored: ScoredGames) -> dict[str, Any]:
    """All figures of some games, ready for JSON; fewer than `LEAST` games are a `ValueError`."""
    if len(scored.ranks) < LEAST:
        raise ValueError(f"luck is measured on {LEAST} games or more, not on {len(scored.ranks)}")
    return {
        "games": len(scored.ranks),
        "hands": len(scored.game),
        "steps": {name: step_figures(scored, kinds) for name, kinds in STEPS.items()},
        "tests": mean_and_variance_tests(scored),
        "events": event_figures(scored),
        "hand variance": hand_variances(scored),
    }


def step_figures(scored: ScoredGames, kinds: Sequence[int]) -> dict[str, Any]:
    """Variance and ratio with some sources of luck removed."""
    raw, adjusted, game = pairs_of(scored, kinds)
    ratio = variance_ratio(raw, adjusted, game)
    return {
        "variance": float(adjusted.var(ddof=1)),
        "raw variance": float(raw.var(ddof=1)),
        "ratio": [ratio.value, ratio.low, ratio.high],
    }


def pairs_of(scored: ScoredGames, kinds: Sequence[int]) -> tuple[Floats, Floats, Array]:
    """Ranks, ranks without luck, and the game of each, one row a player of a game."""
    adjusted = scored.ranks + scored.luck_of_games(tuple(kinds))[:, PLACES]
    game = np.repeat(np.arange(len(scored.ranks)), scored.ranks.shape[1])
    return scored.ranks.ravel().astype(np.float64), adjusted.ravel(), game


def mean_and_variance_tests(scored: ScoredGames) -> dict[str, Any]:
    """Tests on one player per game, the first seat; mean luck by seat with its standard error."""
    luck = scored.luck_of_games()[:, PLACES]
    raw, own = scored.ranks[:, 0].astype(np.float64), luck[:, 0]
    adjusted = raw + own
    variances = f_test_of(raw, adjusted)
    return {
        "games": len(raw),
        "f": variances.critical,
        "f p": variances.p_value,
        "pitman-morgan p": pitman_morgan(raw, adjusted).p_value,
        "mean luck": float(own.mean()),
        "error": _error(own),
        "unpaired z": {str(delta): equivalence_of(raw, adjusted, delta).z for delta in DELTAS},
        "paired z": {str(delta): paired_equivalence(own, delta).z for delta in DELTAS},
        "by seat": [[float(column.mean()), _error(column)] for column in luck.T],
    }


def _error(values: Floats) -> float:
    return float(values.std(ddof=1) / np.sqrt(len(values)))


def event_figures(scored: ScoredGames) -> dict[str, Any]:
    """Number and spread of the luck of each kind of event."""
    found = {}
    for kind, name in enumerate(KIND_NAMES):
        luck = scored.events["luck"][scored.events["kind"] == kind][:, PLACES].astype(np.float64)
        if len(luck):
            found[name] = {"events": len(luck), "spread": float(luck.std())}
    return found


def hand_variances(scored: ScoredGames) -> dict[str, float]:
    """The variance of what hands gain, before and after each step."""
    gains = scored.gains[:, PLACES]
    found = {"raw": float(np.square(gains).mean())}
    for name, kinds in STEPS.items():
        found[name] = float(np.square(gains - scored.luck_of_hands(tuple(kinds))[:, PLACES]).mean())
    return found
