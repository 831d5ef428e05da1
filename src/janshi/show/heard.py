"""Answers that can be heard at a table: those that players announce or carry out, from the events of a step."""

from __future__ import annotations

from collections.abc import Iterable

from janshi.rules import events as ev


def heard(events: Iterable[ev.Event]) -> list[ev.Answer]:
    """The answers that took effect, in seat order, with those of equal priority that were overridden."""
    answers: list[ev.Answer] = []
    for event in events:
        answers += _answers(event)
    return sorted(answers, key=lambda answer: answer.seat)


def spoken(events: Iterable[ev.Event]) -> list[ev.Answer]:
    """All answers but passes, in seat order: those that took effect, and claims that were overridden."""
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
