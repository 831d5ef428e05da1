"""The record of a game as a file. Of a game that is not over only the hands that are, for a record shows all hands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from janshi.rules.game import Game
from janshi.web.families import family_of
from janshi.web.live.play import DEALS, Play
from janshi.web.problems import Impossible, Problem, problem
from janshi.web.store import Answer

FORMATS: Final = {"riichi": ("mjlog", "tenhou6", "mjai"), "guobiao": ("botzone",), "simplified": ("text",)}
SUFFIXES: Final = {"mjlog": "mjlog", "tenhou6": "json", "mjai": "jsonl", "botzone": "txt", "text": "txt"}
TYPES: Final = {"mjlog": "application/xml", "tenhou6": "application/json", "mjai": "application/x-ndjson"}


class NothingYet(Impossible):
    """No hand is over."""


def record_text(game: Game, seed: int, answers: Sequence[Answer], names: Sequence[str], form: str, title: str) -> str:
    """The finished hands of a game in a format of its family."""
    family = game.family.name
    if form not in FORMATS[family]:
        raise Impossible(no_such_format(family, form))
    steps = _steps(answers)
    return {"riichi": _riichi, "guobiao": _guobiao, "simplified": _simplified}[family](
        game, seed, steps, names, form, title
    )


def no_such_format(family: str, form: str) -> Problem:
    """That a family's games have no such format."""
    return problem("format_unknown", family=family, formats=", ".join(FORMATS[family]), given=repr(form))


def _steps(answers: Sequence[Answer]) -> list[dict[int, int]]:
    """The answers of each step, by seat; none where a hand is dealt."""
    steps: dict[int, dict[int, int]] = {}
    for answer in answers:
        chosen = steps.setdefault(answer.step, {})
        if answer.seat != DEALS:
            chosen[answer.seat] = answer.action
    return [steps[number] for number in sorted(steps)]


def _whole(table: Any, chosen: dict[int, int]) -> bool:
    return set(table.asked) <= set(chosen)


def _riichi(game: Game, seed: int, steps: list[dict[int, int]], names: Sequence[str], form: str, title: str) -> str:
    from janshi.records.formats import get_format
    from janshi.records.recording import Recorder

    recorder = Recorder(family_of(game).new_table(seed, game.rules), names)
    for chosen in steps:
        if not _whole(recorder.table, chosen):
            break
        recorder.step(chosen or None)
    record = recorder.record()
    if not recorder.table.over and not recorder.table.hand_over:
        record.hands.pop()
    if not record.hands:
        raise NothingYet("no_hand_over")
    return get_format(form).write(record)


def _guobiao(game: Game, seed: int, steps: list[dict[int, int]], names: Sequence[str], form: str, title: str) -> str:
    from janshi.records.botzone.model import HandRecord
    from janshi.records.botzone.replay import Recorder
    from janshi.records.botzone.text import write_all

    table = family_of(game).new_table(seed, game.rules)
    recorder = Recorder(table)
    hands: list[HandRecord] = []
    for chosen in steps:
        if not _whole(table, chosen):
            break
        if chosen:
            recorder.step(chosen)
            if table.result is not None:
                hands.append(recorder.record(f"{title}-{len(hands)}"))
        else:
            table.step()
            recorder = recorder if table.over else Recorder(table)
    if not hands:
        raise NothingYet("no_hand_over")
    return write_all(hands)


def _simplified(game: Game, seed: int, steps: list[dict[int, int]], names: Sequence[str], form: str, title: str) -> str:
    play = Play(game, seed)
    lines = [f"players: {', '.join(names)}", str(play.table)]
    for chosen in steps:
        if not _whole(play.table, chosen):
            break
        lines += [f"{seat} {game.action_names[action]}" for seat, action in chosen.items()]
        play.take(chosen)
    if not play.over:
        raise NothingYet("game_not_over")
    return "\n".join([*lines, f"scores: {play.table.scores}"]) + "\n"
