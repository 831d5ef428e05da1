"""A reviewer's opinion of a decision in comparable figures: losses, experts' choices, dangers.

The *loss* of a choice is the expected final rank (or the points) that it gives up against the best choice: never below
zero, and None if the reviewer has no value for it. How often *experts* make the choice is a separate probability and
does not affect the loss. Choices that the reviewer does not distinguish (a red five and another, the drawn tile and an
equal one in hand) share both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from janshi.agents.explain import Choice, Explains, Explanation, Phrase, discarding
from janshi.agents.loss import CLOSE, ActionValues, action_values
from janshi.rules.game import Game
from janshi.web.choices import plain, twin_key
from janshi.web.families import WEB_LAYER
from janshi.web.phrases import phrases_json
from janshi.web.reader import TURN, phase_of
from janshi.web.review.games import Question
from janshi.web.review.kinds import THREAT, kind_of, tag_of
from janshi.web.review.reviewers import Reviewer
from janshi.web.review.threats import ThreatModels

DIGITS: Final = 4


@dataclass(frozen=True, slots=True)
class Weighed:
    """The reviewer's opinion of an action."""

    value: float | None
    """Minus the expected final rank, or points; None if it is not known."""
    experts: float | None = None
    """How often experts choose it."""
    meant: str = ""
    """The action in the agent's words, with how it continues."""
    numbers: Mapping[str, float] | None = None
    then: tuple[Phrase, ...] = ()
    """How it continues."""


# --- values


def values_of(explanation: Explanation) -> dict[int, Weighed]:
    """The agent's view of each action it considered: if it can continue in several ways, the best."""
    found: dict[int, Weighed] = {}
    by_action = action_values(explanation)
    for choice in explanation.choices:
        weighed = weigh(choice, by_action)
        before = found.get(choice.action)
        if before is None or _more(weighed.value, before.value):
            found[choice.action] = weighed
    return found


def weigh(choice: Choice, by_action: ActionValues) -> Weighed:
    """A choice of an explanation."""
    numbers = {name: round(float(value), DIGITS) for name, value in choice.numbers.items() if value == value}
    experts = by_action.experts.get(choice.action)
    return Weighed(
        round(choice.worth, DIGITS) if by_action.unit and choice.worth == choice.worth else None,
        None if experts is None else round(experts, DIGITS),
        choice.words,
        numbers,
        choice.then,
    )


def _more(value: float | None, other: float | None) -> bool:
    return value is not None and (other is None or value > other)


def weigh_all(choices: Sequence[Mapping[str, Any]], found: Mapping[int, Weighed]) -> list[dict[str, Any]]:
    """Every legal choice with its value, in the order of actions."""
    by_twin: dict[tuple[Any, ...], Weighed] = {}
    for choice in choices:
        if choice["action"] in found:
            by_twin[twin_key(choice)] = found[choice["action"]]
    return [_with_opinion(choice, found.get(choice["action"]) or by_twin.get(twin_key(choice))) for choice in choices]


def _with_opinion(choice: Mapping[str, Any], weighed: Weighed | None) -> dict[str, Any]:
    known = weighed or Weighed(None)
    meant = {"meant": known.meant, "then": phrases_json(known.then)}
    numbers = dict(known.numbers or {})
    return {**choice, "value": known.value, "experts": known.experts, "numbers": numbers, **meant}


def note_losses(weighed: list[dict[str, Any]], chosen: int, unit: str) -> list[dict[str, Any]]:
    """Write the loss of each choice; the advised one comes first, choices without a value last.

    The reviewer advises the agent's own action, `chosen`, unless another choice is clearly better.
    """
    own = next(choice for choice in weighed if choice["action"] == chosen)
    known = {c["action"]: c["value"] for c in weighed if c["value"] is not None}
    values = ActionValues(unit, known if chosen in known else {})
    for choice in weighed:
        lost = values.loss(choice["action"])
        choice["loss"] = round(lost, DIGITS) if lost == lost else None
    first = chosen if (own["loss"] or 0.0) <= CLOSE.get(unit, 0.0) else min(weighed, key=_by_loss)["action"]
    weighed.sort(key=lambda c: (c["action"] != first, *_by_loss(c)))
    return weighed


def _by_loss(choice: Mapping[str, Any]) -> tuple[float, float, int]:
    """The order of choices: least loss first, then what experts choose more often."""
    loss = float("inf") if choice["loss"] is None else choice["loss"]
    return loss, -(choice["experts"] or 0.0), choice["action"]


def values_alike(weighed: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the reviewer gives all choices the same value, and so cannot say which is better."""
    losses = [choice["loss"] for choice in weighed if choice["loss"] is not None]
    return len(losses) > 1 and max(losses) == 0


def gap_of(played: Mapping[str, Any], best: Mapping[str, Any]) -> float | None:
    """How much more often the best choice is made than the one that was played; None if that is not known."""
    if played["experts"] is None or best["experts"] is None:
        return None
    return round(max(0.0, float(best["experts"]) - float(played["experts"])), DIGITS)


def stake_of(explanation: Explanation) -> float | None:
    """What a random choice would lose on average; None if the reviewer puts no value on choices."""
    stake = action_values(explanation).stake
    return round(stake, DIGITS) if stake == stake else None


# --- what follows a call


def calls_not_considered(
    question: Question, choices: Sequence[Mapping[str, Any]], found: Mapping[int, Weighed], agent: Any
) -> dict[int, Weighed]:
    """Values of the legal calls that the agent did not consider, by action; one for calls of the same shape."""
    review = WEB_LAYER.of(question.table.game.family).review
    calls = range(0) if review is None else review.calls
    known = {twin_key(choice) for choice in choices if choice["action"] in found}
    missing = {twin_key(c): c["action"] for c in choices if c["action"] in calls}
    values = {action: value_after(question, action, agent) for key, action in missing.items() if key not in known}
    return {action: value for action, value in values.items() if value is not None}


def value_after(question: Question, call: int, agent: Any) -> Weighed | None:
    """The value of a call from the agent's value of the discard after it."""
    after = question.table.copy()
    after.step(dict.fromkeys(after.asked, after.game.num_actions - 1) | {question.seat: call})  # the others pass
    if question.seat not in after.asked or after.actor != question.seat:
        return None
    explanation = explain(agent, view_of(after, question.seat))
    values = action_values(explanation)
    choice = next((c for c in explanation.choices if c.action == values.best), explanation.best)
    best = weigh(choice, values)
    meant = f"{after.game.action_names[call]}, {choice.words}"
    return Weighed(best.value, None, meant, best.numbers, (discarding(choice.action), *choice.then))


def explain(agent: Explains, views: Any) -> Explanation:
    """An agent's opinion of one view."""
    (explanation,) = agent.explain(views)
    return explanation


def view_of(table: Any, seat: int) -> Any:
    """What a player may know, as an array of one view."""
    views = np.zeros(1, table.game.view_dtype)
    views[0] = table.view(seat)
    return views


# --- opponents


def outlook(explanation: Explanation, views: Any, game: Game, threats: ThreatModels | None) -> dict[str, float] | None:
    """How the hand ends for the player, before the choice: by the reviewer, else by the network; None without one."""
    ends = explanation.ends or ({} if threats is None else threats.ends(views, game))
    return {name: round(chance, DIGITS) for name, chance in ends.items()} or None


def threatened(seen: Mapping[str, Any] | None) -> bool:
    """Whether an opponent is in riichi, or tenpai at least as likely as not."""
    return seen is not None and (any(seen["riichi"]) or max(seen["tenpai"]) >= THREAT)


def safety(choices: Iterable[Mapping[str, Any]], seen: Mapping[str, Any] | None) -> dict[str, float]:
    """The danger of each tile that can be discarded if an opponent threatens; otherwise nothing."""
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
    threats: ThreatModels | None,
) -> dict[str, Any]:
    """Everything about a decision except the position: choices with values, loss, kind, opponents."""
    table, seat = question.table, question.seat
    views = view_of(table, seat)
    explanation = explain(agent, views)
    found = values_of(explanation)
    if reviewer.everything:
        found |= calls_not_considered(question, choices, found, agent)
    weighed = note_losses(weigh_all(choices, found), explanation.best.action, explanation.unit)
    played = next(choice for choice in weighed if choice["action"] == question.played)
    best = weighed[0]
    seen = None if threats is None else threats.look(views)
    safe = safety(choices, seen)
    declaring = "declaring" in (views.dtype.names or ()) and bool(views["declaring"][0])
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
        "loss": played["loss"],
        "gap": gap_of(played, best),
        "stake": stake_of(explanation),
        "alike": values_alike(weighed),
        "choices": weighed,
        "line": explanation.line,
        "steps": phrases_json(explanation.steps),
        "tenpai": [round(float(x), 4) for x in explanation.tenpai],
        "opponents": None if seen is None else {"tenpai": seen["tenpai"], "danger": seen["danger"]},
        "outlook": outlook(explanation, views, table.game, threats),
        "threat": threatened(seen),
    }
