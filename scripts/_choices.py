"""Measurements of `measure_choices.py`, prepared for the fit and the calibration: features of the choices played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from janshi.agents.learned.losses import THREAT, ChoiceLosses, Position, features, joined, shares, situations
from janshi.agents.learned.opinions import worths_of
from janshi.agents.learned.stakes import stakes
from janshi.luck.error_rate import RULES
from janshi.rules.game import Array
from janshi.rules.masks import LEGAL_BITS
from janshi.rules.registry import make_game
from janshi.rules.riichi.ruleset import Ruleset
from janshi.rules.riichi.state import PLAYERS

GROUPS: Final = (0.0, 0.001, 0.005, 0.02, 0.05, 0.1, 3.1)
"""Bounds of the groups of choices by predicted loss in places; the last bound is above all losses."""
LEAST_SPREAD: Final = 0.15
"""Lower bound on the stake when weighting results: their noise does not vanish in games that are almost decided."""


class Choices(NamedTuple):
    """Decisions of all games, and the games; `game` numbers the games from 0."""

    game: Array
    seat: Array
    number: Array
    """Of the hand in the game."""
    kind: Array
    """Place in `error_rate.KINDS`."""
    situation: Array
    """Place in `losses.SITUATIONS`."""
    played: Array
    """Features of the action played, float64[n, FEATURES]."""
    usual: Array
    """Their mean over what experts would have played, float64[n, FEATURES]."""
    experts: Array
    """How often experts make the choice that was played."""
    spread: Array
    """What is at stake, in places."""
    before: Array
    """Value before the decision by the value function of luck, which knows all hands."""
    result: Array
    """Value after the hand, without the luck after the decision."""
    soon: Array
    """Change of the value until some draws later, without luck, float64[n, STEPS]."""
    ranks: Array
    """Final ranks, float64[games, 4]."""
    adjusted: Array
    """Ranks without luck, float64[games, 4]."""
    dans: Array
    names: Array
    known: Array
    """Whether the value function was trained on the game, bool[games]."""

    @property
    def centred(self) -> Array:
        """Features of the choice played minus their mean over experts' choices there, float64[n, FEATURES]."""
        return np.asarray(self.played - self.usual)

    @property
    def fallen(self) -> Array:
        """How much the value fell from before the decision to the end of the hand, without luck, float64[n]."""
        return np.asarray(self.before - self.result)

    @property
    def weight(self) -> Array:
        """Weight of each decision in a fit, float64[n]: results are noisier when more is at stake."""
        return np.asarray(np.maximum(self.spread, LEAST_SPREAD) ** -2.0)


_OF_GAMES: Final = ("ranks", "adjusted", "dans", "names", "known")


def load_choices(folders: Sequence[Path]) -> Choices:
    """Read what was measured."""
    files = sorted(path for folder in folders for path in folder.glob("*.npz"))
    if len(files) < 2:
        raise SystemExit(f"there are {len(files)} measured games in {', '.join(map(str, folders))}, fewer than two")
    parts: list[dict[str, Any]] = []
    for number, path in enumerate(files):
        with np.load(path) as stored:
            found = decisions_of_file(stored)
            found |= {name: stored[name] for name in _OF_GAMES}
        found["game"] = np.full(len(found["seat"]), number)
        parts.append(found)
    wanted = [name for name in Choices._fields if name not in _OF_GAMES]
    of_decisions = {name: np.concatenate([part[name] for part in parts]) for name in wanted}
    return Choices(**of_decisions, **{name: np.stack([part[name] for part in parts]) for name in _OF_GAMES})


def position_of(kept: Array, rules: Ruleset) -> tuple[Position, Array]:
    """Stored decisions in the form that losses are computed from, and which of them are open."""
    legal = ((kept["legal"][:, :, None] >> np.arange(LEGAL_BITS)) & 1).reshape(len(kept), -1) == 1
    standing = np.zeros(len(kept), [(n, np.int64, s) for n, s in _STANDING])
    for name in ("seat", "kyoku", "honba", "sticks", "scores"):
        standing[name] = kept[name]
    standing["dealer"] = (standing["kyoku"] - standing["seat"]) % PLAYERS
    at_stake = stakes(standing, kept["ends"].astype(np.float64), rules)
    small = (kept[name].astype(np.float64) for name in ("policy", "danger", "tenpai"))
    policy, danger, tenpai = small
    return Position(policy, legal, kept["drawn"], danger, tenpai, kept["riichi"], at_stake), legal.sum(1) > 1


_STANDING: Final = (
    *((name, ()) for name in ("seat", "kyoku", "honba", "sticks", "dealer")),
    ("scores", (PLAYERS,)),
)


def decisions_of_file(stored: Any, losses: ChoiceLosses | None = None) -> dict[str, Any]:
    """The open decisions of a measured game; with `losses`, the loss of the choice played and of every other one."""
    kept = stored["choices"]
    at, free = position_of(kept, replace(make_game(RULES).rules, rounds=int(stored["rounds"])))
    rows, action = np.arange(len(kept)), kept["action"].astype(np.int64)
    every, chances = features(at), shares(at.policy, at.legal)
    found: dict[str, Any] = {
        "situation": situations(at),
        "played": every[rows, action],
        "usual": np.einsum("ma,maf->mf", chances, every),
        "experts": joined(chances, at.legal, at.drawn)[rows, action],
        "spread": at.stakes.spread,
        "before": kept["value"].astype(np.float64),
        "threat": (situations(at._replace(legal=np.zeros_like(at.legal))) == THREAT),
    }
    found |= {name: kept[name].astype(np.float64) for name in ("result", "soon")}
    found |= {name: kept[name] for name in ("seat", "number", "kind", "turns")}
    if losses is not None:
        lost = losses.losses(at)
        found["loss"], found["stake"] = lost[rows, action], np.nanmean(lost, 1)
        found["usual"] = (chances * np.nan_to_num(lost)).sum(1)
        group = np.searchsorted(GROUPS, np.nan_to_num(lost), "right") - 1
        found["shares"] = np.stack([(chances * (group == i)).sum(1) for i in range(len(GROUPS) - 1)], 1)
        found["best"] = np.nanmax(worths_of(lost, chances, kept["ranks"].astype(np.float64)), 1)
    return {name: value[free] for name, value in found.items()}
