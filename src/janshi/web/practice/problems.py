"""Problems: decisions with their answers, from the package, from a file, or from one's own reviews.

A problem is a decision as reviews store it, so the page shows both in the same way. Problems of the package come from
games between strong players of our own (`scripts/make_problems.py`): positions in which a model of experts is sure,
the reviewer agrees, and other choices lose a lot.
"""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final, cast

from janshi.web.errors import Refused
from janshi.web.review.quiz import cost_of, is_as_good, is_asked
from janshi.web.review.reviewers import reviewer_of
from janshi.web.review.shapes import DecisionText
from janshi.web.review.store import DONE, ReviewStore

SHIPPED: Final = "problems.json.xz"
FORMAT: Final = "janshi problems 1"
UNIT: Final = "rank"
OWN: Final = "own-"


class ProblemSet:
    """Problems of a file, by id, in the order of the file."""

    def __init__(self, card: Mapping[str, Any], problems: Iterable[DecisionText]) -> None:
        self.card = dict(card)
        self.agent = str(card["reviewer"])
        self.problems = {problem_id(problem): problem for problem in problems}

    @classmethod
    def read(cls, packed: bytes, name: str) -> ProblemSet:
        """Read a set; raises `Refused` with the name of the file and what was expected."""
        try:
            data = json.loads(lzma.decompress(packed))
            if data["card"]["format"] != FORMAT or not data["problems"]:
                raise ValueError(data["card"]["format"])
            return cls(data["card"], data["problems"])
        except (lzma.LZMAError, ValueError, KeyError, TypeError, EOFError) as error:
            raise Refused("problems_unreadable", 422, file=name) from error

    @property
    def ids(self) -> list[str]:
        """Ids of all problems."""
        return list(self.problems)

    def daily(self, day: int) -> str:
        """The problem of a day: every problem comes once before any comes again."""
        ids = sorted(self.problems, key=lambda one: hashlib.sha256(f"daily {one}".encode()).digest())
        return ids[day % len(ids)]

    def threats(self) -> list[str]:
        """Problems in which an opponent threatens and several tiles can be discarded."""
        return [id for id, one in self.problems.items() if one["threat"] and len(discards(one)) > 2]


@cache
def shipped() -> ProblemSet:
    """The problems of the package, read once."""
    return ProblemSet.read((resources.files(__package__) / SHIPPED).read_bytes(), SHIPPED)


@cache
def read_file(path: Path) -> ProblemSet:
    """The problems of a file, read once."""
    return ProblemSet.read(path.read_bytes(), path.name)


def problem_id(decision: Mapping[str, Any]) -> str:
    """An id that depends on the position and the choices alone."""
    what = [decision["position"], sorted(int(choice["action"]) for choice in decision["choices"])]
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()[:16]


def discards(decision: Mapping[str, Any]) -> dict[str, int]:
    """Kinds of tiles that can be discarded, with an action that does it."""
    found: dict[str, int] = {}
    for choice in decision["choices"]:
        if choice["kind"] in ("discard", "tsumogiri") and choice["tile"]:
            found.setdefault(str(choice["tile"]).replace("0", "5"), int(choice["action"]))
    return found


def verdict(decision: DecisionText, action: int) -> tuple[bool, float | None] | None:
    """Whether an answer is as good as the best, and what it loses; None if it is not among the choices."""
    given = next((choice for choice in decision["choices"] if choice["action"] == action), None)
    if given is None:
        return None
    loss = cost_of(decision, given, UNIT)
    return is_as_good(loss, UNIT), loss


# --- one's own mistakes


def own_id(review: str, number: int) -> str:
    """The id of a problem from a review."""
    return f"{OWN}{review}-{number}"


def own_problem(store: ReviewStore, owner: str, id: str) -> tuple[DecisionText, str] | None:
    """A problem from a review of a browser, and the reviewer; None if it is not there any more."""
    review_id, _, number = id.removeprefix(OWN).rpartition("-")
    review = store.get(review_id) if number.isdigit() else None
    if review is None or review.owner != owner:
        return None
    decision = store.decision(review_id, int(number))
    return None if decision is None else (decision, review.agent)


def own_mistakes(store: ReviewStore, owner: str, names: frozenset[str] = frozenset()) -> Iterator[str]:
    """Ids of problems from a browser's finished reviews, all bad moves, the dearest of each review first.

    A review of one player is taken to be of the person who asked for it. In reviews of several players, decisions of
    players with one of the `names` count.
    """
    for listed in store.of_owner(owner):
        if listed["state"] != DONE or not listed["agent"].startswith(("mdp", "montecarlo", "apprentice")):
            continue
        seats = set(own_seats(listed["seats"], store, listed["id"], names))
        rows = [row for row in store.rows(listed["id"]) if row.seat in seats and not row.agreed]
        bad = reviewer_of(listed["agent"]).bad
        rows = [row for row in rows if row.loss is not None and row.loss >= bad]
        for row in sorted(rows, key=lambda row: -cast(float, row.loss)):
            yield own_id(listed["id"], row.number)


def own_seats(seats: list[int], store: ReviewStore, review: str, names: frozenset[str]) -> list[int]:
    """The seats of a review that are the person's own."""
    if len(seats) == 1:
        return seats
    found = store.get(review) if names else None
    return [] if found is None else [seat for seat in seats if found.head["names"][seat] in names]


def is_problem(decision: DecisionText) -> bool:
    """Whether a decision can be asked: at least two choices have a value."""
    return is_asked(decision, decision["seat"], "all", UNIT)
