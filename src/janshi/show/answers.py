"""The answers to show in a step of a watched game, read from its events."""

from __future__ import annotations

from collections.abc import Iterable

from janshi.rules import events as ev


def effective_answers(events: Iterable[ev.Event]) -> list[ev.Answer]:
    """Answers that took effect, in seat order, and those of the same kind that were overridden."""
    answers: list[ev.Answer] = []
    for event in events:
        answers += _answers(event)
    return sorted(answers, key=lambda answer: answer.seat)


def announced_answers(events: Iterable[ev.Event]) -> list[ev.Answer]:
    """All answers except passes, in seat order: those that took effect and claims that were overridden."""
    answers: list[ev.Answer] = []
    for event in events:
        answers += _answers(event)
        if isinstance(event, ev.Call | ev.Win):
            answers += [claim for claim in event.ignored if claim not in answers]
    return sorted(answers, key=lambda answer: answer.seat)


def _answers(event: ev.Event) -> list[ev.Answer]:
    """The answers that an event carries out."""
    match event:
        case ev.Answer():
            return [event]
        case ev.DrawnHand():
            return list(event.claims)
        case ev.Win():
            return [ev.Answer(event.seat, event.action), *(c for c in event.ignored if c.action == event.action)]
        case ev.Discard() | ev.Call() | ev.Kan() | ev.Riichi():
            return [ev.Answer(event.seat, event.action)]
    return []
