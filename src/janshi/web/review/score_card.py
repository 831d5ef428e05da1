"""The score card of a review: how well a player played according to one reviewer, compared with houou tables.

- *agreement*: the share of decisions on which player and reviewer agree;
- *bad*: the share of decisions that lose as much as the reviewer calls bad (`Reviewer.bad`), or more;
- *loss* in the game, and for each of its hands;
- *rating*: 100 times the share of what was at stake that was not lost. What is at stake in a decision is what a random
  choice would lose. 100 loses nothing, 0 is as good as a random choice.

Percentiles compare a game with the games of houou players, reviewed by the same reviewer: 80 is better than 80 % of
them. `scripts/write_percentiles.py` measures them.
"""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, cast

from janshi.agents.loss import UNITS
from janshi.web.figures import measured
from janshi.web.review.plans import Row, group
from janshi.web.review.reviewers import Reviewer
from janshi.web.review.shapes import CardText, NormsText, TruthText

WHOLE: Final = 100.0
"""The rating of a player who loses nothing."""
PERCENTILES: Final = 101
"""Length of a table of percentiles: 0, 1, .. 100 %."""
PERCENTILES_FILE: Final = Path(__file__).parent.parent / "data" / "percentiles.json"
HIGH_IS_GOOD: Final = {"per_hand": False, "bad": False, "rating": True}
"""The figures that have percentiles, and whether more is better."""
TURNING_POINTS: Final = 3

Norms = Mapping[str, Any]


@lru_cache(maxsize=1)
def _all_norms() -> dict[str, Norms]:
    return dict(json.loads(PERCENTILES_FILE.read_text("utf-8"))) if PERCENTILES_FILE.is_file() else {}


def norms_of(agent: str) -> Norms | None:
    """The percentiles of a reviewer's figures; None if they have not been measured."""
    return _all_norms().get(agent.partition(":")[0])


def norms_text(norms: Norms | None) -> NormsText | None:
    """Where percentiles come from, as the page says it."""
    if norms is None:
        return None
    return {"source": norms["source"], "games": norms["games"], "date": norms["date"], "agent": norms["agent"]}


def truth_text(agent: str) -> TruthText | None:
    """How true a reviewer's losses were found to be (docs/review_calibration.md); None if that was not measured."""
    found = measured()["calibration"].get(agent.partition(":")[0])
    return None if found is None else cast(TruthText, {"games": None, "hands": None, **found})


def score_cards(rows: Sequence[Row], hands: int, by: Reviewer, norms: Norms | None) -> dict[str, CardText]:
    """The card of every reviewed seat."""
    return {str(seat): score_card(rows, seat, hands, by, norms) for seat in sorted({row.seat for row in rows})}


def score_card(rows: Iterable[Row], seat: int, hands: int, by: Reviewer, norms: Norms | None) -> CardText:
    """The card of one seat; `hands` is the number of hands of the game."""
    own = [row for row in rows if row.seat == seat]
    losses = [row.loss for row in own if row.loss is not None] if by.unit in UNITS else []
    loss = sum(losses)
    figures: dict[str, float | None] = {
        "per_hand": loss / hands if losses and hands else None,
        "bad": sum(lost >= by.bad for lost in losses) / len(losses) if losses else None,
        "rating": rating_of(own) if by.unit in UNITS else None,
    }
    return {
        "decisions": len(own),
        "agreement": sum(row.agreed for row in own) / len(own) if own else None,
        "loss": round(loss, 6) if losses else None,
        "per_hand": figures["per_hand"],
        "bad": figures["bad"],
        "rating": figures["rating"],
        "percentiles": {name: percentile(figures[name], name, norms) for name in figures},
        "turning_points": turning_points(own),
    }


def rating_of(rows: Iterable[Row]) -> float | None:
    """The share of what was at stake that was not lost, times 100; None if nothing was at stake."""
    valued = [row for row in rows if row.loss is not None and row.stake is not None]
    stake = sum(row.stake or 0.0 for row in valued)
    return WHOLE * (1.0 - sum(row.loss or 0.0 for row in valued) / stake) if stake > 0 else None


def percentile(value: float | None, name: str, norms: Norms | None) -> float | None:
    """The share of houou players' games that are worse, in percent; half of those that are equal count."""
    if value is None or norms is None or name not in norms:
        return None
    table = list(norms[name])
    below = (bisect_left(table, value) + bisect_right(table, value)) / 2 / len(table)
    share = below if HIGH_IS_GOOD[name] else 1.0 - below
    return round(100.0 * min(max(share, 0.0), 1.0), 1)


def turning_points(rows: Sequence[Row]) -> list[int]:
    """The decisions at the heart of the dearest mistakes, dearest first."""
    plans = [plan for plan in group(rows) if plan.cost]
    plans.sort(key=lambda plan: -(plan.cost or 0.0))
    return [plan.worst for plan in plans[:TURNING_POINTS]]
