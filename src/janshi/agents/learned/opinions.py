"""The network's assessment of choices: worth, experts' frequency and danger of every action."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from janshi.agents.learned.losses import Position, dangers, joined, shares
from janshi.agents.learned.stakes import stakes
from janshi.agents.learned.tokens import Guess
from janshi.rules.game import Array
from janshi.rules.riichi.ruleset import Ruleset
from janshi.rules.riichi.state import PLAYERS

RANKS: Array = np.arange(1.0, PLAYERS + 1)


class Opinions(NamedTuple):
    """One row per position."""

    legal: Array
    """bool[m, 120]."""
    chances: Array
    """float64[m, 120]: how often experts make a choice; discards of two equal tiles are one choice."""
    actions: Array
    """float64[m, 120]: how often experts play exactly this action."""
    worths: Array
    """float64[m, 120]: minus the expected final rank after an action; NaN if it is illegal or losses are not known."""
    danger: Array
    """float64[m, 120]: the chance that somebody can win on what an action discards; NaN for other actions."""
    tenpai: Array
    """float[m, 3]: the chance that each opponent is tenpai."""
    at: Position
    """The inputs of losses, for further figures on the same positions."""


def opinions(at: Position, guess: Guess, lost: Array | None) -> Opinions:
    """Opinions from the network's output for some positions, and what each action loses there, if that is known."""
    own = shares(guess.policy, at.legal)
    worths = np.full(at.legal.shape, np.nan) if lost is None else worths_of(lost, own, guess.ranks)
    danger = np.where(at.legal, dangers(at), np.nan)
    return Opinions(at.legal, joined(own, at.legal, at.drawn), own, worths, danger, guess.tenpai, at)


def position_of(views: Array, guess: Guess, legal: Array, rules: Ruleset) -> Position:
    """The inputs for losses and ends of choices."""
    danger = 1 - (1 - guess.rons).prod(1)
    at_stake = stakes(views, guess.ends, rules)
    return Position(guess.policy, legal, views["drawn"], danger, guess.tenpai, views["riichi"], at_stake)


def worths_of(lost: Array, chances: Array, ranks: Array) -> Array:
    """Minus the expected final rank after each action, float64[m, 120].

    The network's expected rank is that of experts. Their choices lose something on average, so the best choice is
    worth that much more.
    """
    usual = np.where(chances > 0, chances * lost, 0.0).sum(1)
    return np.asarray(-(ranks[:, 0] @ RANKS)[:, None] + usual[:, None] - lost)
