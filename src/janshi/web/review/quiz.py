"""What would you do? Questions from a review that tell neither what was played nor what the agent thinks.

A question holds the position as the player saw it and the legal choices in the order of actions. Only an answer is
followed by the verdict. Questions come in the order of the game, so that no later position gives an answer away.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, cast

from janshi.web.review.shapes import QuizQuestion, QuizScore
from janshi.web.review.storing import Attempt, ReviewStore

PICKS: Final = ("all", "stakes")
"""Which questions are asked: all, or those where it matters what is chosen."""
STAKES: Final = 0.1
"""It matters if choices cost so much of the reviewer's usual scale on average."""
SCALES: Final = {"rank": 0.2, "points": 2000.0, "value": 10.0, "probability": 4.0}
"""What a bad choice costs, by unit."""
AS_GOOD: Final = 0.025
"""An answer that costs no more than this part of the scale is as good as the best."""

HIDDEN: Final = ("value", "loss", "numbers", "meant", "then")
SECRETS: Final = (
    *("played", "best", "agreed", "loss", "tag", "kind", "line", "steps"),
    *("choices", "tenpai", "opponents", "threat"),
)


def closed(position: Mapping[str, Any]) -> dict[str, Any]:
    """A position as its viewer saw it: the others' hands are hidden."""
    seats = []
    for number, seat in enumerate(position["seats"]):
        if number != position["viewer"]:
            drawn = None if seat["drawn"] is None else "?"
            melds = [hidden_meld(meld) if position["rules"]["family"] == "guobiao" else meld for meld in seat["melds"]]
            seat = {**seat, "hand": None, "drawn": drawn, "melds": melds}
        seats.append(seat)
    return {**position, "seats": seats}


def hidden_meld(meld: Mapping[str, Any]) -> dict[str, Any]:
    """A meld of another: in Guobiao, concealed kongs lie face down."""
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
    """Whether a decision is a question of a quiz: valued, and with something at stake if that is wanted.

    What was played has no say in it.
    """
    losses = [choice["loss"] for choice in decision["choices"] if choice["loss"] is not None]
    if decision["seat"] != seat or len(losses) < 2 or decision["choices"][0]["value"] is None:
        return False
    return pick == "all" or sum(losses) / (len(losses) - 1) >= STAKES * SCALES[unit]


def questions(store: ReviewStore, attempt: Attempt, unit: str) -> list[int]:
    """Numbers of the questions that there are so far."""
    found = store.decisions(attempt.review, 0, store.done(attempt.review))
    return [d["number"] for d in found if is_asked(d, attempt.seat, attempt.pick, unit)]


def loss_of(decision: Mapping[str, Any], action: int) -> float | None:
    """What a choice costs; None if the agent has no value for it."""
    found = next((choice["loss"] for choice in decision["choices"] if choice["action"] == action), None)
    return None if found is None else float(found)


def score(answered: Iterable[tuple[Mapping[str, Any], int]], unit: str) -> QuizScore:
    """How well questions were answered, beside what was played in the game."""
    total, right, loss, valued, played = 0, 0, 0.0, 0, 0.0
    for decision, action in answered:
        total += 1
        cost = loss_of(decision, action)
        right += cost is not None and cost <= AS_GOOD * SCALES[unit]
        if cost is not None and decision["loss"] is not None:
            valued, loss, played = valued + 1, loss + cost, played + decision["loss"]
    mean = (loss / valued, played / valued) if valued else (None, None)
    return {"answered": total, "right": right, "rate": mean[0], "played_rate": mean[1], "loss": round(loss, 6)}
