"""Whether choices cost what is predicted: a test with the evidence of a player that explores.

The worth of an action is its logit times the worth of a logit times the usual size of gains in the position
(`improvement`), so its predicted loss is the difference to the best action, in places. For an alternative a and the
best action b of a decision, with μ the probabilities of the player that explored,

    1{played b} / μ(b) · gain − 1{played a} / μ(a) · gain

is on average the true loss of a against b. Alternatives are grouped by predicted loss, and the mean predicted loss of
each group is compared with its mean measured loss.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import torch
from torch import Tensor

from janshi.learn.imitation.training import FORBIDDEN
from janshi.learn.riichi.evidence import Evidence
from janshi.learn.riichi.improvement import Candidate, Sizes, each
from janshi.learn.riichi.last_layer import Reader

BOUNDS: Final = (0.0, 0.001, 0.002, 0.004, 0.008, 0.015, 0.03, 0.06, 3.0)
"""Predicted losses that separate the groups, in places."""
RAREST: Final = 0.005
"""Alternatives less probable than this are left out: a single one would count for hundreds."""


@dataclass(frozen=True)
class Group:
    """Alternatives with about the same predicted loss."""

    alternatives: int
    predicted: float
    """Mean predicted loss, in places."""
    measured: float
    """Mean loss by the choices that were made, without luck."""
    error: float
    """Standard error of the measured loss, by decisions."""

    def to_json(self) -> dict[str, Any]:
        """All figures."""
        return dict(vars(self))


@torch.no_grad()
def calibration(reader: Reader, worth: Candidate, factor: float, sizes: Sizes, evidence: Evidence) -> list[Group]:
    """Groups of alternatives by predicted loss, from logits (`worth`) and the worth of a logit in usual sizes."""
    sums = torch.zeros(len(BOUNDS) - 1, 4, dtype=torch.float64, device=reader.device)
    for some in each(reader, evidence):
        seen = reader(some)
        logits = worth(seen, some)
        lost = factor * sizes(seen)[:, None] * (logits.max(1, keepdim=True).values - logits)
        usable = (logits > FORBIDDEN) & (seen.chances >= RAREST)
        usable &= usable.gather(1, logits.argmax(1, keepdim=True))
        sums += _sums(lost, usable, logits.argmax(1), some)
    return [_group(row) for row in sums.tolist() if row[0]]


def _sums(lost: Tensor, usable: Tensor, best: Tensor, some: Evidence) -> Tensor:
    """For each group: alternatives, predicted loss, measured loss, and the square of each decision's measured loss."""
    weighted = (some.gained[:, -1] / some.log_chance.exp()).double()
    group = torch.bucketize(lost, torch.tensor(BOUNDS[1:-1], device=lost.device), right=True)
    others = usable.clone()
    others.scatter_(1, best[:, None], False)
    played_best = (some.action == best).double()
    rows = []
    for i in range(len(BOUNDS) - 1):
        here = others & (group == i)
        count = here.sum(1).double()
        played = here.gather(1, some.action[:, None])[:, 0].double()
        measured = weighted * (played_best * count - played)
        rows.append(torch.stack([count.sum(), (lost * here).sum().double(), measured.sum(), measured.square().sum()]))
    return torch.stack(rows)


def _group(row: list[float]) -> Group:
    count, predicted, measured, squares = row
    return Group(int(count), predicted / count, measured / count, squares**0.5 / count)


def slope(groups: list[Group]) -> tuple[float, float]:
    """What one predicted place really costs, and its standard error: a regression through zero."""
    known = [group for group in groups if group.error > 0]
    total = sum(group.predicted**2 / group.error**2 for group in known)
    if not total:
        return float("nan"), float("inf")
    return sum(group.predicted * group.measured / group.error**2 for group in known) / total, total**-0.5
