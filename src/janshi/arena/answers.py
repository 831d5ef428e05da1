"""The answers of a match's games: stored ones, or from replaying the games, which is impossible with bots."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from janshi.arena.contestants import is_bot
from janshi.arena.plan import Plan
from janshi.arena.results import Results
from janshi.arena.units import Options, Player
from janshi.rules.game import Array

Report = Callable[[int, int], None]
"""Called with the number of games replayed so far and the total."""


class MatchError(ValueError):
    """A match whose games cannot be recovered."""


def match_answers(plan: Plan, results: Results, report: Report = lambda done, total: None) -> list[Array]:
    """All answers of each game, int16[n] in the order asked."""
    found = [None if packed is None else np.frombuffer(packed, "<i2") for packed in results.actions]
    missing = [i for i, actions in enumerate(found) if actions is None]
    if missing:
        for i, actions in zip(missing, _played_again(plan, results.select(np.array(missing)), report)):
            found[i] = actions
    return [actions for actions in found if actions is not None]


def _played_again(plan: Plan, results: Results, report: Report) -> list[Array]:
    """The answers of replayed games; their final scores must match."""
    bots = [label for label in plan.contestants if is_bot(label)]
    if bots:
        raise MatchError(f"{bots[0]} is a bot and its answers were not kept: play the match with --records")
    numbers = [int(number) for number in results.game]
    places = {number: i for i, number in enumerate(numbers)}
    found: dict[int, Array] = {}
    player = Player(plan, Options(keep_actions=True))
    try:
        for some in player.play(numbers):
            for number, scores, packed in zip(some.game.tolist(), some.scores, some.actions):
                if not np.array_equal(scores, results.scores[places[number]]):
                    raise MatchError(f"game {number} ends differently when replayed: its players have changed")
                assert packed is not None
                found[number] = np.frombuffer(packed, "<i2")
            report(len(found), len(numbers))
    finally:
        player.close()
    return [found[number] for number in numbers]
