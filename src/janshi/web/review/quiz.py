"""What would you do? Questions from a review that reveal neither the move played nor the agent's opinion.

A question holds the position as the player saw it and the legal choices in the order of actions. The verdict comes only
after an answer. Questions come in the order of the game, so that no later position gives an answer away.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, cast

from janshi.agents.loss import CLOSE
from janshi.rules.registry import find_family
from janshi.web.families import WEB_LAYER
from janshi.web.review.judgement import gap_of
from janshi.web.review.shapes import QuizQuestion, QuizScore
from janshi.web.review.store import Attempt, ReviewStore

PICKS: Final = ("all", "stakes")
"""Which questions are asked: all, or only those where the choice matters."""
STAKES: Final = {"rank": 0.01, "points": 200.0, "hand_points": 1.0, "probability": 0.4}
"""A choice matters if choices cost this much on average; without values, if they are made this much less often than the
best."""
AS_GOOD: Final = {**CLOSE, "probability": 0.1}
"""An answer that costs no more than this counts as equal to the best."""

HIDDEN: Final = ("value", "loss", "experts", "numbers", "meant", "then")
SECRETS: Final = (
    *("played", "best", "agreed", "loss", "gap", "stake", "alike", "tag", "kind", "line", "steps"),
    *("choices", "tenpai", "opponents", "outlook", "threat"),
)


def closed(position: Mapping[str, Any]) -> dict[str, Any]:
    """A position as its viewer saw it: the others' hands are hidden."""
    hides = WEB_LAYER.of(find_family(position["rules"]["family"])).hides_kans
    seats = []
    for number, seat in enumerate(position["seats"]):
        if number != position["viewer"]:
            drawn = None if seat["drawn"] is None else "?"
            melds = [hidden_meld(meld) if hides else meld for meld in seat["melds"]]
            seat = {**seat, "hand": None, "drawn": drawn, "melds": melds}
        seats.append(seat)
    return {**position, "seats": seats}


def hidden_meld(meld: Mapping[str, Any]) -> dict[str, Any]:
    """Another player's meld; concealed kans are face down."""
    return {**meld, "tiles": ["?"] * len(meld["tiles"])} if meld["kind"] == "concealed_kan" else dict(meld)


def question_of(decision: Mapping[str, Any]) -> QuizQuestion:
    """A decision without anything that answers it."""
    choices = sorted(decision["choices"], key=lambda choice: int(choice["action"]))
    shown = {
        **{name: value for name, value in decision.items() if name not in (*SECRETS, "position")},
        "position": closed(decision["position"]),
        "choices": [{name: v for name, v in choice.items() if name not in HIDDEN} for choice in choices],
    }
    return cast(QuizQuestion, shown)


def is_asked(decision: Mapping[str, Any], seat: int, pick: str, unit: str) -> bool:
    """Whether a decision is a question of a quiz: valued, and with something at stake if `pick` asks for that.

    The action played has no influence on this.
    """
    costs = [cost for choice in decision["choices"] if (cost := cost_of(decision, choice, unit)) is not None]
    if decision["seat"] != seat or len(costs) < 2 or cost_of(decision, decision["choices"][0], unit) is None:
        return False
    return pick == "all" or sum(costs) / (len(costs) - 1) >= STAKES[unit]


def cost_of(decision: Mapping[str, Any], choice: Mapping[str, Any], unit: str) -> float | None:
    """The loss of a choice; for a reviewer without values, how much less often it is made than the best."""
    found = gap_of(choice, decision["choices"][0]) if unit == "probability" else choice["loss"]
    return None if found is None else float(found)


def questions(store: ReviewStore, attempt: Attempt, unit: str) -> list[int]:
    """Numbers of the questions so far."""
    found = store.decisions(attempt.review, 0, store.done(attempt.review))
    return [d["number"] for d in found if is_asked(d, attempt.seat, attempt.pick, unit)]


def answer_cost(decision: Mapping[str, Any], action: int, unit: str) -> float | None:
    """What an answer costs; None if the reviewer cannot say."""
    given = next((choice for choice in decision["choices"] if choice["action"] == action), None)
    return None if given is None else cost_of(decision, given, unit)


def is_as_good(cost: float | None, unit: str) -> bool:
    """Whether an answer is as good as the best."""
    return cost is not None and cost <= AS_GOOD[unit]


def score(answered: Iterable[tuple[Mapping[str, Any], int]], unit: str) -> QuizScore:
    """How well questions were answered, compared with the play in the game."""
    total, right, loss, valued, played = 0, 0, 0.0, 0, 0.0
    for decision, action in answered:
        total += 1
        cost, in_game = answer_cost(decision, action, unit), answer_cost(decision, decision["played"], unit)
        right += is_as_good(cost, unit)
        if cost is not None and in_game is not None:
            valued, loss, played = valued + 1, loss + cost, played + in_game
    mean = (loss / valued, played / valued) if valued else (None, None)
    return {"answered": total, "right": right, "rate": mean[0], "played_rate": mean[1], "loss": round(loss, 6)}
