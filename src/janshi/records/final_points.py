"""Final points of a game whose record has only the final scores: they follow from the rules."""

from __future__ import annotations

from janshi.records.model import GameRecord


def known_points(record: GameRecord) -> tuple[float, ...] | None:
    """The final points as recorded, or by the rules from the final scores; None if those are unknown too."""
    if record.final_points is not None or record.final_scores is None:
        return record.final_points
    from janshi.records.replay import rules_of
    from janshi.rules.riichi.final import final_points

    return tuple(round(float(points), 1) for points in final_points(record.final_scores, rules_of(record)))
