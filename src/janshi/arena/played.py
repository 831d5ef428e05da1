"""Games of Guobiao and the simplified game to measure or learn from: Botzone's recorded hands, and stored matches.

A game is its first state and all its answers, in the order of asking. Games of one rule set are kept together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from janshi.arena.answers import match_answers
from janshi.arena.contestants import shown_name
from janshi.arena.families import ARENA_LAYER
from janshi.arena.store import GAMES, HEADER, MatchStore
from janshi.records.botzone.model import HandRecord
from janshi.records.botzone.replay import decisions, replay_any_way, starting_table
from janshi.records.formats import read_any
from janshi.records.model import RecordError
from janshi.records.sources import Sources
from janshi.rules.game import Array, Game
from janshi.rules.guobiao.game import GuobiaoGame
from janshi.rules.registry import find_family, make_game
from janshi.rules.stepper import Stepper

Report = Callable[[int, float], None]
"""Called with the number of games so far and the share of bytes read."""
NOT_GUOBIAO: Final = "is a riichi game, expected Guobiao or the simplified game"


@dataclass(slots=True)
class PointGames:
    """Games of one rule set."""

    game: Game
    states: list[Array] = field(default_factory=list)
    """The first state of each game, an array of one."""
    answers: list[Array] = field(default_factory=list)
    names: list[tuple[str, ...]] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    walls: list[int] = field(default_factory=list)
    """Games with the same number share a wall; intervals treat them as one cluster."""
    scores: list[Array] = field(default_factory=list)
    """How the games ended, by their records."""

    def __len__(self) -> int:
        return len(self.states)

    def tables(self) -> Stepper:
        """All games at their beginning."""
        return Stepper.of(self.game, np.concatenate(self.states))


@dataclass(slots=True)
class Gathered:
    """Games by rule set, and what was left out."""

    games: dict[str, PointGames] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return sum(map(len, self.games.values()))

    def of(self, game: Game) -> PointGames:
        """The games of a rule set so far."""
        return self.games.setdefault(f"{game.id} {game.rules}", PointGames(game))


def is_match(path: Path) -> bool:
    """Whether a path is the directory of a match."""
    return (path / HEADER).is_file() and (path / GAMES).is_dir()


def in_points(paths: Sequence[str | Path]) -> bool:
    """Whether the games under some paths are measured in points, by the first of them."""
    for path in map(Path, paths):
        if is_match(path):
            return not ARENA_LAYER.of(find_family(MatchStore(path).plan.rules)).by_rank
        if path.exists() and not path.is_dir():
            return _holds_hands(path)
        for file in Sources([path]) if path.exists() else ():
            return not file.problem and _is_guobiao(file.content, file.name)
    return False


def _holds_hands(path: Path) -> bool:
    file = next(iter(Sources([path])), None)
    return file is not None and not file.problem and _is_guobiao(file.content, file.name)


def _is_guobiao(content: bytes, name: str) -> bool:
    try:
        return isinstance(read_any(content, name), list)
    except RecordError:
        return False


def gather(
    paths: Iterable[str | Path],
    player: str | None = None,
    limit: int | None = None,
    report: Report = lambda games, share: None,
) -> Gathered:
    """All games under some paths, or only a named player's, up to a limit. Raises `ValueError` for a missing path."""
    found, files = Gathered(), list[Path]()
    for path in map(Path, paths):
        if is_match(path):
            _add_match(path, found, player, limit)
        else:
            files.append(path)
    if files:
        _add_files(files, found, player, limit, report)
    return found


def _is_full(found: Gathered, limit: int | None) -> bool:
    return limit is not None and len(found) >= limit


# --- matches


def _add_match(path: Path, found: Gathered, player: str | None, limit: int | None) -> None:
    store = MatchStore(path)
    plan, results = store.plan, store.read()
    game = make_game(plan.rules)
    if ARENA_LAYER.of(game.family).by_rank:
        found.problems.append(f"{path}: {NOT_GUOBIAO}")
        return
    some = found.of(game)
    first = max(some.walls, default=-1) + 1
    for row, given in enumerate(match_answers(plan, results)):
        names = tuple(shown_name(plan.contestants[who]) for who in results.seats[row])
        if _is_full(found, limit):
            break
        if player is None or player in names:
            table = Stepper(game, 1)
            table.start(np.array([plan.game(int(results.game[row])).seed], np.uint64))
            source = f"{path.name}/game {int(results.game[row])}"
            _add(some, table.states.copy(), given, names, source, first + int(results.wall[row]), results.scores[row])


def _add(
    some: PointGames, states: Array, answers: Array, names: tuple[str, ...], source: str, wall: int, scores: Array
) -> None:
    some.states.append(states)
    some.answers.append(answers)
    some.names.append(names)
    some.sources.append(source)
    some.walls.append(wall)
    some.scores.append(np.asarray(scores))


# --- Botzone's records


def _add_files(files: Sequence[Path], found: Gathered, player: str | None, limit: int | None, report: Report) -> None:
    sources = Sources(files)
    for file in sources:
        if _is_full(found, limit):
            break
        try:
            if file.problem:
                raise RecordError(file.name, "", file.problem)
            hands = read_any(file.content, file.name)
            if not isinstance(hands, list):
                raise RecordError(file.name, "", NOT_GUOBIAO)
        except RecordError as error:
            found.problems.append(str(error))
            continue
        for number, hand in enumerate(hands, 1):
            if not _is_full(found, limit):
                add_hand(found, hand, f"{file.name}#{number}" if len(hands) > 1 else file.name, player)
        report(len(found), sources.done_bytes / max(sources.total_bytes, 1))


def add_hand(found: Gathered, hand: HandRecord, source: str, player: str | None) -> None:
    """Replay a hand with full checks; seats stand for players, whom Botzone's records do not name."""
    try:
        if hand.penalised is not None:
            raise RecordError(source, "", "ends by a penalty, which no answer brings about")
        rules, _ = replay_any_way(hand)
    except RecordError as error:
        found.problems.append(str(error))
        return
    game = GuobiaoGame(rules)
    names = tuple(f"seat {seat}" for seat in range(game.players))
    if player is not None and player not in names:
        return
    given = [answers[seat] for _, answers in decisions(hand, rules) for seat in sorted(answers)]
    some, table = found.of(game), starting_table(hand, rules)
    _add(some, table.states.copy(), np.array(given, np.int64), names, source, len(some), np.array(hand.scores))
