"""Are the values of choices true? An experiment in fresh games, by the toss of a coin.

At some decisions the player takes either the action it values most or another plausible one, with equal chances. Both
arms see the same positions, so the difference of their results, luck taken out, is what the choice costs.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor

from janshi.learn.imitation.batches import unpack_legal
from janshi.learn.imitation.training import FORBIDDEN
from janshi.learn.riichi.networks import choose
from janshi.learn.riichi.self_play import Choice, SelfPlay
from janshi.rules.game import Array
from janshi.rules.riichi.actions import TSUMOGIRI

EDGES: Final = (0.0, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 3.0)
"""Bounds of the groups of predicted losses, in places."""
LEAST_WORTH: Final = 1e-6
"""Actions with equal values are no experiment."""


@dataclass(frozen=True)
class Group:
    """Decisions with similar predicted losses."""

    low: float
    high: float
    decisions: int
    predicted: float
    """Mean predicted loss, in places."""
    found: float
    """Mean difference between the arms, in places."""
    error: float
    """Its standard error."""


class Trials(SelfPlay):
    """Self-play in which some decisions are trials. `term` holds their predicted loss: negative in the worse arm."""

    share: float = 0.05
    """Share of the decisions that are trials."""
    plausible: float = 0.01
    """Least probability of the other action, so that trials resemble mistakes that players make."""

    def learner_chooses(self, inputs: Tensor, legal: Tensor, drawn: Tensor) -> Choice:
        """The policy's action, or an arm of a trial."""
        free = unpack_legal(legal)
        logits, added = self._valued(inputs, drawn)
        logits = logits.float().masked_fill(~free, FORBIDDEN)
        words = torch.rand(4, len(drawn), generator=self._words, device=self.device)
        chosen, log_chance = choose(logits, words[0])
        values = (added * self.config.value_unit).masked_fill(~free, FORBIDDEN)
        best = values.argmax(1)
        other = self._other(logits, best, drawn, words[1])
        lost = values.gather(1, best[:, None])[:, 0] - values.gather(1, other[:, None])[:, 0]
        trial = (words[2] < self.share) & (other != best) & (lost > LEAST_WORTH)
        worse = words[3] < 0.5
        chosen = torch.where(trial, torch.where(worse, other, best), chosen)
        term = torch.where(trial, torch.where(worse, -lost, lost), torch.zeros_like(lost))
        return Choice(chosen, log_chance, log_chance, term)

    def _other(self, logits: Tensor, best: Tensor, drawn: Tensor, words: Tensor) -> Tensor:
        """A plausible action other than the best and its like: the drawn tile and an equal one from the hand."""
        allowed = logits.softmax(1) >= self.plausible
        allowed.scatter_(1, best[:, None], False)
        tile = drawn.long().clamp(min=0)[:, None]
        same = (drawn >= 0)[:, None] & ((best[:, None] == tile) | (best[:, None] == TSUMOGIRI))
        for one in (tile, torch.full_like(tile, TSUMOGIRI)):
            allowed.scatter_(1, one, allowed.gather(1, one) & ~same)
        some = allowed.any(1)
        spread = torch.zeros_like(logits).masked_fill(~allowed, FORBIDDEN)
        return torch.where(some, choose(spread, words)[0], best)


def groups_of(lost: Array, results: Array) -> list[Group]:
    """Trials by predicted loss (negative in the worse arm) and the results without luck that followed."""
    trial = lost != 0
    size, sign, result = np.abs(lost[trial]), np.sign(lost[trial]), results[trial]
    found = []
    for low, high in pairwise(EDGES):
        here = (size >= low) & (size < high)
        if here.sum() < 2 or not (sign[here] > 0).any() or not (sign[here] < 0).any():
            continue
        arms = [result[here & (sign == one)].astype(np.float64) for one in (1, -1)]
        error = np.sqrt(sum(arm.var(ddof=1) / len(arm) if len(arm) > 1 else np.inf for arm in arms))
        found.append(
            Group(
                low,
                high,
                int(here.sum()),
                float(size[here].mean()),
                float(arms[0].mean() - arms[1].mean()),
                float(error),
            )
        )
    return found


def slope(groups: list[Group]) -> tuple[float, float]:
    """Places really lost for each place predicted, through zero, and its standard error."""
    x, y, error = (np.array([getattr(group, name) for group in groups]) for name in ("predicted", "found", "error"))
    weight = x / error**2
    total = float((weight * x).sum())
    return float((weight * y).sum()) / total, float(np.sqrt(1 / total))


def text_of(groups: list[Group]) -> str:
    """The groups as a table."""
    lines = ["| predicted loss | decisions | mean predicted | found (95 %) |", "| --- | ---: | ---: | ---: |"]
    for group in groups:
        span = f"{group.low:g} – {group.high:g}"
        lines.append(
            f"| {span} | {group.decisions:,} | {group.predicted:.4f} | {group.found:.4f} ± {1.96 * group.error:.4f} |"
        )
    return "\n".join(lines)


def to_json(groups: list[Group]) -> list[dict[str, Any]]:
    """The groups for a file."""
    return [vars(group).copy() for group in groups]
