"""Final scores and points missing from a record, which follow from the play and the rules."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from janshi.records.model import GameRecord

TENHOU: Final = "tenhou"
"""The preset of Tenhou's rules."""


def scores_by_play(record: GameRecord) -> tuple[int, ...] | None:
    """The final scores by the engine; None if the game is not over after its last hand, or the engine disagrees."""
    from janshi.records.compare import compare_hand
    from janshi.records.follow import AGREED
    from janshi.records.replay import follow_hands, rules_of

    last, rules = record.hands[-1], rules_of(record)
    followed = follow_hands([last], rules)
    (outcome,) = followed.read()
    if outcome.code != AGREED or not outcome.over:
        return None
    differences = compare_hand(last, outcome, followed.hands["wall"][0], rules, record.format)
    return None if differences else tuple(outcome.scores)


def known_points(record: GameRecord) -> tuple[float, ...] | None:
    """The final points as recorded, or by the rules from the final scores; None if those are unknown too."""
    if record.final_points is not None or record.final_scores is None:
        return record.final_points
    from janshi.records.replay import rules_of
    from janshi.rules.riichi.final import final_points

    return tuple(round(float(points), 1) for points in final_points(record.final_scores, rules_of(record)))


def as_tenhou(record: GameRecord) -> GameRecord:
    """The record as a game under Tenhou's rules, with Tenhou's final points if it had others."""
    if record.rules.preset == TENHOU:
        return record
    record = replace(record, rules=replace(record.rules, preset=TENHOU), final_points=None)
    return replace(record, final_points=known_points(record))
