"""The record of a game as a file.

While a game is being played, only finished hands are in it, because a record shows all tiles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from janshi.records.families import RECORDS_LAYER, NothingToWrite, PlayedGame, RecordsFamily, Steps
from janshi.rules.family import Family
from janshi.rules.game import Game
from janshi.web.live.play import DEALS
from janshi.web.problems import Impossible, Problem, problem
from janshi.web.store import Answer


class NothingYet(Impossible):
    """No hand is over."""


def formats_of(game: Game) -> RecordsFamily:
    """The formats that games of a family can be downloaded in."""
    return RECORDS_LAYER.of(game.family)


def record_text(
    game: Game,
    seed: int,
    answers: Sequence[Answer],
    names: Sequence[str],
    form: str,
    title: str,
    start: Mapping[str, Any] | None = None,
) -> str:
    """The finished hands of a game in a format of its family."""
    formats = formats_of(game).formats
    if form not in formats:
        raise Impossible(no_such_format(game.family, form))
    try:
        return formats[form].write(PlayedGame(game, seed, _steps(answers), names, title, start))
    except NothingToWrite as error:
        raise NothingYet(error.code) from None


def no_such_format(family: Family, form: str) -> Problem:
    """The problem that a family's games have no such format."""
    formats = ", ".join(RECORDS_LAYER.of(family).formats)
    return problem("format_unknown", family=family.name, formats=formats, given=repr(form))


def _steps(answers: Sequence[Answer]) -> Steps:
    """The answers of each complete step, by seat; none where a hand is dealt."""
    by_step: dict[int, dict[int, int]] = {}
    for answer in answers:
        chosen = by_step.setdefault(answer.step, {})
        if answer.seat != DEALS:
            chosen[answer.seat] = answer.action
    steps = iter([by_step[number] for number in sorted(by_step)])

    def take(asked: tuple[int, ...]) -> dict[int, int] | None:
        chosen = next(steps, None)
        return None if chosen is None or not set(asked) <= set(chosen) else chosen

    return take
