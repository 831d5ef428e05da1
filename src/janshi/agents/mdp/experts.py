"""How often experts choose each action: a probability, kept apart from the action's worth.

A conditional logit over the actions of a decision, fitted to houou players (`scripts/fit_expert_choices.py`). Its
features are the worth of an action, the one-player model's value of a discard, and the sort of action; the first two
depend on shanten and on whether an opponent is tenpai.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.agents.experts import softmax
from janshi.agents.mdp.candidates import UNKNOWN
from janshi.agents.mdp.decide import Desk
from janshi.agents.mdp.early import HOPELESS
from janshi.core.shanten import shanten
from janshi.core.tiles import NUM_KINDS
from janshi.models.one_player import LEAST
from janshi.rules.game import Array
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.state import NONE, TURN

ROWS: Final = 4
"""Shanten 0 to 2, and all above."""
WORTH, EXPERT = 0, 2 * ROWS
"""Where the features begin: by shanten, first those without a threat, then those with one."""
RIICHI, RIICHI_THREAT, CALL, CALL_THREAT, FAR_CALL, KAN, KAN_THREAT, WIN, ABORT = range(4 * ROWS, 4 * ROWS + 9)
FEATURES: Final = ABORT + 1
TENTH: Final = 0.1
"""Worths are counted in tenths of a place, so that all features have about the same size."""
WORST: Final = 1.0
"""Larger differences of worth count as this many places."""

WEIGHTS: Final = np.array(
    [
        *(3.327, 6.145, 3.399, 2.631, 3.611, 10.513, 14.515, 24.776),
        *(0.880, 0.782, 1.002, 0.936, 0.412, 0.307, 0.336, 0.217),
        *(0.226, -0.063, -0.568, -0.780, 0.255, -0.942, 1.223, 15.880, 1.617),
    ]
)
"""Fitted to 4,612 decisions of nine games of `houou-2020`. On these, its most likely action was played 71 % of the
time, and its probabilities are well calibrated."""


def expert_chances(candidates: Array, view: Any, d: Desk) -> dict[int, float]:
    """How often experts choose each action considered; `candidates` are valued by rank, CANDIDATE_DTYPE[n]."""
    actions, features = choice_features(candidates, view, d)
    return dict(zip(actions, softmax(features @ WEIGHTS).tolist())) if actions else {}


def choice_features(candidates: Array, view: Any, d: Desk) -> tuple[list[int], Array]:
    """The actions considered, and the features of each, float64[n, FEATURES]: those of its best candidate."""
    known = candidates[candidates["worth"] > UNKNOWN]
    if not len(known):
        return [], np.zeros((0, FEATURES))
    known = known[np.argsort(-known["score"], kind="stable")]
    _, first = np.unique(known["action"], return_index=True)
    best = known[np.sort(first)]
    features = np.zeros((len(best), FEATURES))
    distance = max(0, int(shanten(view["hand"], int(view["melds"][0]), d.tables[0])))
    row, threat = min(distance, ROWS - 1), threat_of(d)
    for column, values in ((WORTH, worth_column(best)), (EXPERT, expert_column(best, view, d))):
        features[:, column + row] = (1.0 - threat) * values
        features[:, column + ROWS + row] = threat * values
    note_sorts(best, threat, features)
    return [int(action) for action in best["action"]], features


def threat_of(d: Desk) -> float:
    """The chance that an opponent is tenpai, in riichi or not."""
    return float(1.0 - np.prod(1.0 - d.models.table[0]["tenpai"]))


def worth_column(best: Array) -> Array:
    """How much worse each candidate is than the best."""
    return np.asarray(np.maximum(best["worth"] - best["worth"].max(), -WORST) / TENTH)


def expert_column(best: Array, view: Any, d: Desk) -> Array:
    """How much lower the one-player model rates a discard than its best one; 0 for other actions."""
    values = np.asarray(d.experts.weighing[0]["value"], np.float64)
    if view["phase"] != TURN or view["riichi"][0] or not (values[:NUM_KINDS] > LEAST).any():
        return np.zeros(len(best))
    least = np.where(best["kind"] != NONE, values[best["kind"]] - values.max(), 0.0)
    return np.asarray(np.maximum(least, -HOPELESS))


def note_sorts(best: Array, threat: float, features: Array) -> None:
    """Write the sort of each action."""
    action = best["action"]
    calls = (action >= act.CHI) & (action < act.OPEN_KAN)
    kans = (action == act.OPEN_KAN) | ((action >= act.CONCEALED_KAN) & (action < act.TSUMO))
    features[:, RIICHI] = action == act.RIICHI
    features[:, CALL] = calls & (best["settled"] == 0)
    features[:, FAR_CALL] = calls & (best["settled"] == 1)
    features[:, KAN] = kans
    features[:, WIN] = (action == act.TSUMO) | (action == act.RON)
    features[:, ABORT] = action == act.NINE_TERMINALS
    for sort, threatened in ((RIICHI, RIICHI_THREAT), (CALL, CALL_THREAT), (KAN, KAN_THREAT)):
        features[:, threatened] = threat * features[:, sort]
