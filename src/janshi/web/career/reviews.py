"""Reviews of a career's games, one after another, whenever the reviewer is idle.

A game waits in the career's table until the queue of reviews is empty; then it is read and reviewed like an upload, for
the person's seat. When a review is done, its losses by kind are kept with the game, so that a chart of many games need
not open their reviews.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from janshi.career.store import CareerStore
from janshi.web.career.careers import Careers
from janshi.web.career.shapes import LossPoint, LossText, ReviewQueue
from janshi.web.errors import Refused
from janshi.web.families import family_of_format
from janshi.web.problems import ProblemText
from janshi.web.quotas import Quotas
from janshi.web.review.content import NotARecord, TooLarge, find_format, unpack
from janshi.web.review.kinds import KINDS
from janshi.web.review.reviewers import check_label, reviewer_of
from janshi.web.review.routes import begin
from janshi.web.review.runner import Runner
from janshi.web.review.store import DONE, FAILED, UNFINISHED

log = logging.getLogger("janshi.web.career")

QUEUED: Final = "queued"
RUNNING: Final = "running"
WATCHED: Final = "watched"
NOBODY: Final = -1
"""The seat of a game that is only watched."""
PAUSE: Final = 2.0
"""Seconds between looks at an empty or busy reviewer."""
MOST_POINTS: Final = 20
LEAST_GAMES: Final = 5
"""Number of games per point of the chart, enough for an interval."""


class CareerReviews:
    """Feeds the reviewer with games of careers when it is idle."""

    def __init__(self, careers: Careers, runner: Runner, quotas: Quotas) -> None:
        self.careers, self.runner, self.quotas = careers, runner, quotas
        self._owners: dict[CareerStore, str] = {}
        self._why: dict[CareerStore, ProblemText] = {}
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Look for work from time to time."""
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Stop; games that wait are kept."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def queue(self, store: CareerStore, owner: str, games: list[tuple[int, int]]) -> int:
        """Queue reviews of games, given as (game, seat); those that have one are left alone."""
        count = store.queue_reviews(games)
        self._owners[store] = owner
        store.set_setting("reviewer's owner", owner)
        self._why.pop(store, None)
        return count

    def state(self, store: CareerStore) -> ReviewQueue:
        """How many games wait, are being reviewed, are done or failed."""
        self.settle(store)
        counts = dict(store.read("select state, count(*) from review group by state"))
        return {
            "waiting": int(counts.get(QUEUED, 0)),
            "running": int(counts.get(RUNNING, 0)),
            "done": int(counts.get(DONE, 0)),
            "failed": int(counts.get(FAILED, 0)),
            "why": self._why.get(store),
        }

    # --- the queue

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(PAUSE)
            if not self.runner.idle:
                continue
            for store in self.careers.opened():
                try:
                    if await self._next(store):
                        break
                except Exception:
                    log.exception("a game of a career could not be queued for review")

    async def _next(self, store: CareerStore) -> bool:
        """Begin the review of the career's next game; False if none waits."""
        rows = store.read("select game, seat from review where state = ? order by number limit 1", (QUEUED,))
        owner = self._owners.get(store) or store.setting("reviewer's owner")
        if not rows or owner is None:
            return False
        game, seat = rows[0]
        try:
            self.quotas.check_reviews(*self.runner.store.used_by(owner))
            await self.begin(store, owner, game, seat)
            self._why.pop(store, None)
        except Refused as refused:
            if refused.status in (429, 503):
                self._why[store] = refused.problem.as_json()
                return False
            store.set_review(game, seat, "", FAILED, why=str(refused.problem))
        return True

    async def begin(self, store: CareerStore, owner: str, game: int, seat: int) -> str:
        """Begin the review of a game at once, or with `NOBODY` prepare it to be watched; returns the review's id.

        Raises `Refused`.
        """
        found = store.content(game)
        if found is None:
            raise Refused("career_game_not_found", 404)
        name, content = found
        try:
            text = unpack(content)
            format = find_format(text)
        except (TooLarge, NotARecord) as refused:
            raise Refused(refused.problem, 422) from None
        label = check_label("", family_of_format(format))
        head = await self.runner.read(text, format, name)
        watched = seat == NOBODY
        made = begin(self.runner, owner, name, text, label, "none" if watched else str(seat), head)
        store.set_review(game, seat, made.id, WATCHED if watched else RUNNING, reviewer=label)
        return made.id

    # --- losses

    def settle(self, store: CareerStore) -> None:
        """Record reviews that have ended, and store the losses of completed ones."""
        for game, seat, id in store.read("select game, seat, review from review where state = ?", (RUNNING,)):
            review = self.runner.store.get(id)
            if review is None:
                store.drop_review(game, seat)
            elif review.state == DONE:
                losses = losses_of(self.runner, id, seat)
                store.set_review(game, seat, id, DONE, losses=json.dumps(losses))
            elif review.state not in UNFINISHED:
                store.set_review(game, seat, id, FAILED, why=review.message)


def losses_of(runner: Runner, id: str, seat: int) -> dict[str, list[float]]:
    """The losses of a review by kind: number of valued decisions, and their sum in the reviewer's unit."""
    found = {kind: [0, 0.0] for kind in KINDS}
    for row in runner.store.rows(id):
        if row.seat == seat and row.loss is not None:
            found[row.kind][0] += 1
            found[row.kind][1] += row.loss
    return {kind: [count, round(total, 6)] for kind, (count, total) in found.items()}


def loss_text(store: CareerStore, games: Any) -> LossText | None:
    """Losses over time of the given games (`OwnGames`), in places a game; None if none was reviewed."""
    rows = store.read("select game, seat, reviewer, losses from review where losses is not null")
    kept = {(game, seat): (who, losses) for game, seat, who, losses in rows if reviewer_of(who).unit == "rank"}
    if not kept:
        return None
    counts: dict[str, int] = {}
    for who, _ in kept.values():
        counts[who] = counts.get(who, 0) + 1
    reviewer = max(counts, key=lambda who: counts[who])
    places, losses = [], []
    for place, key in enumerate(zip(games.id.tolist(), games.seat.tolist())):
        if key in kept and kept[key][0] == reviewer:
            found = json.loads(kept[key][1])
            places.append(place + 1)
            losses.append([found[kind][1] for kind in KINDS])
    if not places:
        return None
    return _over_time(reviewer, places, np.array(losses))


def next_games(store: CareerStore, which: str, count: int) -> list[tuple[int, int]]:
    """The person's games to review next, as (number, seat).

    The `latest`, the `unluckiest`, the `worst` by rank without luck, or some that are `spread` evenly over all.
    """
    from janshi.career.games import own_games
    from janshi.luck.types import PLACES

    games = own_games(store, store.names())
    reviewed = {tuple(row) for row in store.read("select game, seat from review where state != ?", (QUEUED,))}
    keys = list(zip(games.id.tolist(), games.seat.tolist()))
    places = np.array([place for place, key in enumerate(keys) if key not in reviewed], np.int64)
    if which == "spread":
        order = np.unique(np.linspace(0, len(places) - 1, min(count, len(places))).round().astype(int))
    else:
        orders: dict[str, Callable[[], Any]] = {
            "latest": lambda: -np.arange(len(keys)),
            "unluckiest": lambda: games.luck_of_games()[:, :, PLACES].sum(1),
            "worst": lambda: -games.luckless_rank(),
        }
        keyed = orders[which]()
        order = np.argsort(np.where(np.isnan(keyed), np.inf, keyed)[places], kind="stable")
    return [keys[place] for place in places[order][:count].tolist()]


def _over_time(reviewer: str, places: list[int], losses: Any) -> LossText:
    from janshi.career.figures import mean
    from janshi.web.career.view import figure_text

    parts = np.array_split(np.arange(len(places)), max(1, min(MOST_POINTS, len(places) // LEAST_GAMES)))
    points: list[LossPoint] = [
        {
            "first": places[part[0]],
            "last": places[part[-1]],
            "games": len(part),
            "by_kind": {kind: figure_text(mean(losses[part, i])) for i, kind in enumerate(KINDS)},
            "total": figure_text(mean(losses[part].sum(1))),
        }
        for part in parts
    ]
    return {
        "reviewer": reviewer,
        "games": len(places),
        "kinds": list(KINDS),
        "points": points,
        "total": figure_text(mean(losses.sum(1))),
        "by_kind": {kind: figure_text(mean(losses[:, i])) for i, kind in enumerate(KINDS)},
    }
