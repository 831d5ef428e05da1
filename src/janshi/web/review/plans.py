"""Mistakes that follow one plan are counted once.

A player who keeps a tile that the agent would discard disagrees turn after turn, although it was one idea. So
consecutive decisions of a player in a hand with the same tag (`kinds.tag_of`) are one plan: on one's own turns, or in
answers to discards. A decision of the same sort without the tag ends it. The cost of a plan is the sum of its
decisions' losses.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

LEAST: Final = 0.0
"""A decision that cost no more than this does not belong to a plan."""


class Row(NamedTuple):
    """A decision in short."""

    number: int
    hand: int
    seat: int
    turn: int
    kind: str
    reaction: bool
    tag: str
    loss: float | None
    """In places or points; None: the reviewer has no value for the action played."""
    agreed: bool
    played: str
    best: str
    gap: float | None = None
    """How much more often experts make the reviewer's choice; None if that is not known."""

    stake: float | None = None
    """What a random choice would lose on average; None if that is not known."""

    def by_gap(self) -> Row:
        """The same decision with its gap in place of the loss: for reviewers without values."""
        return self._replace(loss=self.gap)


@dataclass(slots=True)
class Plan:
    """Mistakes that belong together."""

    numbers: list[int]
    hand: int
    seat: int
    kind: str
    tag: str
    cost: float | None
    """Sum of the losses; None if unknown."""
    worst: int
    """The decision that cost most."""
    worst_loss: float

    def as_json(self) -> dict[str, Any]:
        """As JSON for the page."""
        return {name: getattr(self, name) for name in self.__slots__}


def group(rows: Iterable[Row]) -> list[Plan]:
    """All mistakes as plans, in order of their first decision."""
    plans: list[Plan] = []
    open_plans: dict[tuple[int, int, bool], Plan] = {}
    for row in rows:
        key = (row.hand, row.seat, row.reaction)
        going = open_plans.get(key)
        if row.agreed or (row.loss is not None and row.loss <= LEAST):
            open_plans.pop(key, None)
        elif row.loss is None:
            open_plans.pop(key, None)
            plans.append(Plan([row.number], row.hand, row.seat, row.kind, row.tag, None, row.number, 0.0))
        elif going is not None and row.tag and going.tag == row.tag:
            add(going, row)
        else:
            plans.append(Plan([row.number], row.hand, row.seat, row.kind, row.tag, row.loss, row.number, row.loss))
            open_plans[key] = plans[-1]
    return plans


def add(plan: Plan, row: Row) -> None:
    """Add a decision to a plan."""
    loss = row.loss or 0.0
    plan.numbers.append(row.number)
    plan.cost = (plan.cost or 0.0) + loss
    if loss > plan.worst_loss:
        plan.worst, plan.worst_loss, plan.kind = row.number, loss, row.kind


# --- error rates


def rates(rows: Iterable[Row]) -> dict[str, Any]:
    """The error rate of each seat, in total and by kind: the mean loss of a decision (Kume et al. 2019).

    Decisions whose loss is unknown are counted separately.
    """
    found: dict[int, dict[str, dict[str, float]]] = {}
    for row in rows:
        for kind in ("all", row.kind):
            cell = found.setdefault(row.seat, {}).setdefault(
                kind, {"decisions": 0, "valued": 0, "agreed": 0, "loss": 0.0}
            )
            cell["decisions"] += 1
            cell["agreed"] += row.agreed
            cell["valued"] += row.loss is not None
            cell["loss"] += row.loss or 0.0
    return {str(seat): {kind: _rate(cell) for kind, cell in kinds.items()} for seat, kinds in found.items()}


def _rate(cell: dict[str, float]) -> dict[str, Any]:
    valued = cell["valued"]
    return {**cell, "loss": round(cell["loss"], 6), "rate": cell["loss"] / valued if valued else None}
