"""A recorded game without a reviewer: every position of a hand to watch, and any of them to play on from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from itertools import islice
from typing import Any, Final

from janshi.rules.registry import game_names
from janshi.web.live.play import game_of
from janshi.web.position import position
from janshi.web.problems import Impossible
from janshi.web.review.games import Recorded
from janshi.web.review.shapes import MomentText
from janshi.web.shapes import Position

UNIMPORTANT: Final = ("name", "uma", "rounds", "hands", "any_wind")
"""Flags of rules that may differ from the preset that a game is continued by."""


class CannotContinue(Impossible):
    """A game that cannot be played on, and why."""


def watch(recorded: Recorded, hand: int) -> list[MomentText]:
    """Every position of a hand with all hands open; those in which nothing changed are left out."""
    shown: list[MomentText] = []
    for number, (table, answers) in enumerate(recorded.moments(hand)):
        at = position(table, None, open_hands=True, names=recorded.names)
        asked = sorted(answers)
        if shown and same_table(shown[-1]["position"], at):
            shown[-1] = {"moment": number, "asked": asked, "position": at}
        else:
            shown.append({"moment": number, "asked": asked, "position": at})
    return shown


def same_table(before: Position, after: Position) -> bool:
    """Whether two positions show the same tiles: between them somebody only let a discard pass."""
    return before["seats"] == after["seats"] and before["dora"] == after["dora"] and before["left"] == after["left"]


def place_of(recorded: Recorded, seats: Sequence[int], number: int) -> tuple[int, int]:
    """The hand and the moment of a decision of a review."""
    places = (
        (hand, question.moment)
        for hand in range(recorded.hands)
        for question in recorded.questions(hand)
        if question.seat in seats
    )
    for place in islice(places, number, None):
        return place
    raise CannotContinue("decision_not_found")


def start_of(recorded: Recorded, hand: int, moment: int) -> dict[str, Any]:
    """A position to play on from: rules, the hand's beginning, and the answers of each step until then."""
    if not 0 <= hand < recorded.hands:
        raise CannotContinue("decision_not_found")
    steps = [dict(answers) for _, answers in islice(recorded.moments(hand), moment + 1)]
    if len(steps) != moment + 1:
        raise CannotContinue("decision_not_found")
    rules = recorded.game(hand).rules
    return {
        "rules": preset_of(rules),
        "rounds": getattr(rules, "rounds", 0),
        "start": recorded.start(hand),
        "steps": [{str(seat): int(action) for seat, action in step.items()} for step in steps[:moment]],
    }


def preset_of(rules: Any) -> str:
    """The preset with the same rules, apart from uma and the length of the game."""
    names = [field.name for field in fields(rules) if field.name not in UNIMPORTANT]
    for name in game_names():
        known = game_of(name).rules
        if type(known) is type(rules) and all(getattr(known, one) == getattr(rules, one) for one in names):
            return name
    raise CannotContinue("continue_rules_unknown", rules=rules.name)
