"""Games of stored matches (`janshi match --out`), found by name in the configured directories."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from janshi.arena.contestants import shown_name
from janshi.arena.store import HEADER, MatchStore, StoreError
from janshi.web.errors import Refused
from janshi.web.live.shapes import StoredGame, StoredMatch, StoredMatchGames
from janshi.web.problems import problem_of

MOST: Final = 200
"""Maximum number of matches listed, and of games listed for one match."""
DEEP: Final = 2
"""Depth of folders below a root in which matches are searched."""


def found(roots: tuple[Path, ...]) -> Iterator[tuple[str, Path]]:
    """All stored matches: (name, directory); a name is the path below its root."""
    seen: set[str] = set()
    for root in roots:
        for path in _below(root, DEEP):
            name = path.name if path == root else path.relative_to(root).as_posix().replace("/", "~")
            if name not in seen:
                seen.add(name)
                yield name, path


def _below(root: Path, deep: int) -> Iterator[Path]:
    if (root / HEADER).is_file():
        yield root
    elif deep and root.is_dir():
        for path in sorted(root.iterdir()):
            if path.is_dir() and not path.name.startswith("."):
                yield from _below(path, deep - 1)


def open_match(roots: tuple[Path, ...], name: str) -> MatchStore:
    """A stored match by its name; `Refused` if there is none."""
    for known, path in found(roots):
        if known == name:
            try:
                return MatchStore(path)
            except (StoreError, OSError) as error:
                raise Refused(problem_of(error, "match_unreadable"), 409) from None
    raise Refused("match_not_found", 404)


def list_matches(roots: tuple[Path, ...]) -> list[StoredMatch]:
    """What lists of matches show."""
    listed: list[StoredMatch] = []
    for name, path in found(roots):
        try:
            store = MatchStore(path)
            plan = store.plan
            listed.append(
                {
                    "name": name,
                    "rules": plan.rules,
                    "players": [shown_name(label) for label in plan.contestants],
                    "games": len(plan),
                }
            )
        except (StoreError, OSError, ValueError):
            continue
        if len(listed) == MOST:
            break
    return listed


def describe_match(roots: tuple[Path, ...], name: str) -> StoredMatchGames:
    """A match with the games that were played: who sat where, and the scores."""
    store = open_match(roots, name)
    plan = store.plan
    results = store.read(counted=False)
    games: list[StoredGame] = [
        {
            "game": int(number),
            "seats": [shown_name(plan.contestants[who]) for who in plan.game(int(number)).seats],
            "scores": [int(score) for score in scores],
        }
        for number, scores in list(zip(results.game, results.scores))[:MOST]
    ]
    return {
        "name": name,
        "rules": plan.rules,
        "players": [shown_name(label) for label in plan.contestants],
        "games": games,
    }


def match_game(roots: tuple[Path, ...], name: str, number: int) -> tuple[str, int, list[int], list[str]]:
    """A game of a match: rules, seed, all answers, and who sat where."""
    from janshi.arena.replay import game_actions

    store = open_match(roots, name)
    plan = store.plan
    if not 0 <= number < len(plan):
        raise Refused("match_game_not_found", 404, last=len(plan) - 1, given=number)
    planned = plan.game(number)
    try:
        actions = game_actions(store, number)
    except StoreError as error:
        raise Refused(problem_of(error, "match_game_unreadable"), 409) from None
    return plan.rules, planned.seed, actions, [shown_name(plan.contestants[who]) for who in planned.seats]
