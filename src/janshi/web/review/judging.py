"""What a reviewer thinks of a decision, as numbers that can be compared: values, losses, dangers.

The *value* of a choice is the number that the agent chooses by. The *loss* of a choice is how much less that is than
the value of what the agent would do; never below zero, and None where the agent has no value for the choice. Choices
that the agent does not tell apart (a red five and another, the tile drawn and its twin in hand) share their value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from janshi.agents.explain import Choice, Explains, Explanation, Phrase, discarding
from janshi.core.tiles import NUM_KINDS, format_tiles
from janshi.rules.riichi import actions as act
from janshi.web.phrases import phrases_told
from janshi.web.reader import TURN, phase_of
from janshi.web.review.games import Question
from janshi.web.review.kinds import THREAT, kind_of, plain, tag_of
from janshi.web.review.reviewers import Reviewer

KIND_TEXTS: Final = tuple(format_tiles([kind]) for kind in range(NUM_KINDS))
DIGITS: Final = 4


@dataclass(frozen=True, slots=True)
class Weighed:
    """What the agent makes of an action."""

    value: float | None
    meant: str = ""
    """The action in the agent's words, with how it is meant to go on."""
    numbers: Mapping[str, float] | None = None
    then: tuple[Phrase, ...] = ()
    """How it is meant to go on."""


# --- values


def values_of(told: Explanation, number: str) -> dict[int, Weighed]:
    """The agent's view of each action it considered: of several ways to go on, the best."""
    found: dict[int, Weighed] = {}
    for choice in told.choices:
        weighed = weigh(choice, number)
        before = found.get(choice.action)
        if before is None or _more(weighed.value, before.value):
            found[choice.action] = weighed
    return found


def weigh(choice: Choice, number: str) -> Weighed:
    """A choice of an explanation."""
    numbers = {name: round(float(value), DIGITS) for name, value in choice.numbers.items() if value == value}
    return Weighed(numbers.get(number), choice.words, numbers, choice.then)


def _more(value: float | None, other: float | None) -> bool:
    return value is not None and (other is None or value > other)


def twin_key(choice: Mapping[str, Any]) -> tuple[Any, ...]:
    """Choices with the same key are the same to the agents: discards of a kind, calls of a shape."""
    kind, tile = choice["kind"], choice.get("tile")
    if kind in ("discard", "tsumogiri"):
        return ("discard", plain(tile or ""))
    if kind in ("chi", "pon"):
        return (kind, tuple(sorted(plain(own) for own in choice.get("tiles") or ())))
    return (kind, choice["action"])


def weigh_all(choices: Sequence[Mapping[str, Any]], found: Mapping[int, Weighed]) -> list[dict[str, Any]]:
    """Every legal choice with its value, in the order of actions."""
    by_twin: dict[tuple[Any, ...], Weighed] = {}
    for choice in choices:
        if choice["action"] in found:
            by_twin[twin_key(choice)] = found[choice["action"]]
    return [_told(choice, found.get(choice["action"]) or by_twin.get(twin_key(choice))) for choice in choices]


def _told(choice: Mapping[str, Any], weighed: Weighed | None) -> dict[str, Any]:
    told = weighed or Weighed(None)
    meant = {"meant": told.meant, "then": phrases_told(told.then)}
    return {**choice, "value": told.value, "numbers": dict(told.numbers or {}), **meant}


def note_losses(weighed: list[dict[str, Any]], best: int) -> list[dict[str, Any]]:
    """Write what each choice loses against the agent's own; best first, unvalued choices last."""
    chosen = next(choice for choice in weighed if choice["action"] == best)
    same = twin_key(chosen)
    for choice in weighed:
        if twin_key(choice) == same:
            choice["loss"] = 0.0
        elif choice["value"] is None or chosen["value"] is None:
            choice["loss"] = None
        else:
            choice["loss"] = round(max(0.0, chosen["value"] - choice["value"]), DIGITS)
    unknown = float("inf")
    weighed.sort(key=lambda c: (c["action"] != best, unknown if c["loss"] is None else c["loss"], c["action"]))
    return weighed


# --- what follows a call


def value_after(question: Question, agent: Any, reviewer: Reviewer) -> Weighed | None:
    """The value of a call by what the agent makes of the discard after it: for calls that it did not consider."""
    if not act.CHI <= question.played < act.OPEN_KAN:
        return None
    after = question.table.copy()
    after.step(question.answers)
    if question.seat not in after.asked or after.actor != question.seat:
        return None
    told = explain(agent, view_of(after, question.seat))
    best = weigh(told.best, reviewer.number)
    meant = f"{after.game.action_names[question.played]}, {told.best.words}"
    return Weighed(best.value, meant, best.numbers, (discarding(told.best.action), *told.best.then))


def explain(agent: Explains, views: Any) -> Explanation:
    """What an agent makes of one view."""
    (told,) = agent.explain(views)
    return told


def view_of(table: Any, seat: int) -> Any:
    """What a player may know, as an array of one view."""
    views = np.zeros(1, table.game.view_dtype)
    views[0] = table.view(seat)
    return views


# --- opponents


class Watcher:
    """What the models of opponents say of a riichi view: who is tenpai, and which tiles are dangerous."""

    def __init__(self) -> None:
        from janshi.models.network import shipped

        self._network = shipped()

    def look(self, views: Any) -> dict[str, Any]:
        """Chances that opponents (from the player after) are tenpai, and that each kind deals in to each of them."""
        said = self._network.predict(views)[0]
        dealing = said["waiting"][:, None] * said["winning"]
        every = 1.0 - np.prod(1.0 - dealing, axis=0)
        return {
            "tenpai": [round(float(x), 4) for x in said["waiting"]],
            "danger": [[round(float(x), 4) for x in row] for row in dealing],
            "any": dict(zip(KIND_TEXTS, (round(float(x), 4) for x in every))),
            "riichi": [bool(x) for x in views["riichi"][0][1:]],
        }


def threatened(seen: Mapping[str, Any] | None) -> bool:
    """Whether an opponent is in riichi, or tenpai at least as likely as not."""
    return seen is not None and (any(seen["riichi"]) or max(seen["tenpai"]) >= THREAT)


def safety(choices: Iterable[Mapping[str, Any]], seen: Mapping[str, Any] | None) -> dict[str, float]:
    """The danger of each tile that may be discarded, if somebody threatens; else nothing."""
    if seen is None or not threatened(seen):
        return {}
    found = {c["tile"]: c for c in choices if c["kind"] in ("discard", "tsumogiri") and c.get("tile")}
    return {tile: seen["any"][plain(tile)] for tile in found}


# --- one decision


def judge(
    question: Question,
    choices: Sequence[Mapping[str, Any]],
    agent: Any,
    reviewer: Reviewer,
    watcher: Watcher | None,
) -> dict[str, Any]:
    """Everything that is told of a decision but the position: choices with values, loss, kind, opponents."""
    table, seat = question.table, question.seat
    views = view_of(table, seat)
    told = explain(agent, views)
    found = values_of(told, reviewer.number)
    if watcher is not None and question.played not in found and reviewer.everything:
        after = value_after(question, agent, reviewer)
        found = found if after is None else {**found, question.played: after}
    weighed = note_losses(weigh_all(choices, found), told.best.action)
    played = next(choice for choice in weighed if choice["action"] == question.played)
    best = weighed[0]
    seen = None if watcher is None else watcher.look(views)
    safe = safety(choices, seen)
    declaring = watcher is not None and bool(views["declaring"][0])
    reacting = phase_of(table) != TURN
    kind = kind_of(played, best, reacting, declaring, safe)
    agreed = twin_key(played) == twin_key(best)
    return {
        "hand": question.hand,
        "seat": seat,
        "kind": kind,
        "reaction": reacting,
        "tag": "" if agreed else tag_of(kind, played, best, safe),
        "played": question.played,
        "best": best["action"],
        "agreed": agreed,
        "loss": None if best["value"] is None else played["loss"],
        "choices": weighed,
        "line": told.line,
        "steps": phrases_told(told.steps),
        "tenpai": [round(float(x), 4) for x in told.tenpai],
        "opponents": None if seen is None else {"tenpai": seen["tenpai"], "danger": seen["danger"]},
        "threat": threatened(seen),
    }
