"""Measurements of `measure_choices.py` as the fit and the calibration read them: features of what was played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from janshi.agents.learned.losses import FEATURES, ChoiceLosses, Position, features, joined, shares, situations
from janshi.agents.learned.opinions import worths_of
from janshi.agents.learned.stakes import stakes
from janshi.luck.error_rate import RULES
from janshi.rules.game import Array
from janshi.rules.masks import LEGAL_BITS
from janshi.rules.registry import make_game
from janshi.rules.riichi.ruleset import Ruleset
from janshi.rules.riichi.state import PLAYERS

LEAST_SPREAD: Final = 0.05
"""Results of decisions with less at stake count as if this much were: their noise does not fall to nothing."""


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
    best: Array
    """The value of the best choice by the network: minus the expected final rank."""
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
        """Features of what was played against what experts usually play in the same position, float64[n, FEATURES]."""
        return np.asarray(self.played - self.usual)

    @property
    def fallen(self) -> Array:
        """How much the value fell from before the decision to the end of the hand, without luck, float64[n]."""
        return np.asarray(self.before - self.result)

    @property
    def weight(self) -> Array:
        """What a decision counts in a fit, float64[n]: the noise of results grows with what is at stake."""
        return np.asarray(np.maximum(self.spread, LEAST_SPREAD) ** -2.0)


_OF_GAMES: Final = ("ranks", "adjusted", "dans", "names", "known")


def load_choices(folders: Sequence[Path], losses: ChoiceLosses | None = None) -> Choices:
    """Read what was measured; with `losses`, the value of the best choice too."""
    files = sorted(path for folder in folders for path in folder.glob("*.npz"))
    if len(files) < 2:
        raise SystemExit(f"there are {len(files)} measured games in {', '.join(map(str, folders))}, fewer than two")
    south = make_game(RULES).rules
    parts: list[dict[str, Any]] = []
    for number, path in enumerate(files):
        with np.load(path) as stored:
            found = _decisions(stored["choices"], replace(south, rounds=int(stored["rounds"])), losses)
            found |= {name: stored[name] for name in _OF_GAMES}
        found["game"] = np.full(len(found["seat"]), number)
        parts.append(found)
    joined_parts = {name: np.concatenate([part[name] for part in parts]) for name in parts[0] if name not in _OF_GAMES}
    return Choices(**joined_parts, **{name: np.stack([part[name] for part in parts]) for name in _OF_GAMES})


def position_of(kept: Array, rules: Ruleset) -> tuple[Position, Array]:
    """The stored decisions as losses are computed from, and which of them are open."""
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


def _decisions(kept: Array, rules: Ruleset, losses: ChoiceLosses | None) -> dict[str, Any]:
    """The open decisions of a game."""
    at, free = position_of(kept, rules)
    rows, action = np.arange(len(kept)), kept["action"].astype(np.int64)
    every, chances = features(at), shares(at.policy, at.legal)
    usual = np.einsum("ma,maf->mf", chances, every)
    best = np.full(len(kept), np.nan)
    if losses is not None:
        worths = worths_of(losses.losses(at), chances, kept["ranks"].astype(np.float64))
        best = np.nanmax(worths, 1)
    found: dict[str, Any] = {
        "seat": kept["seat"],
        "number": kept["number"],
        "kind": kept["kind"],
        "situation": situations(at),
        "played": every[rows, action],
        "usual": usual,
        "experts": joined(chances, at.legal, at.drawn)[rows, action],
        "best": best,
        "spread": at.stakes.spread,
        "before": kept["value"].astype(np.float64),
        "result": kept["result"].astype(np.float64),
        "soon": kept["soon"].astype(np.float64),
    }
    assert found["played"].shape[1] == len(FEATURES)
    return {name: value[free] for name, value in found.items()}
