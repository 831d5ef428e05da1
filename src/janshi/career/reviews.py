"""Games of a career waiting for a review, and the losses of reviewed ones."""

from __future__ import annotations

from collections.abc import Sequence

from janshi.career.database import LONGEST, Database


class Reviews(Database):
    """The part of a career's database that is about reviews."""

    def queue_reviews(self, games: Sequence[tuple[int, int]]) -> int:
        """Queue games, each with a seat, for review; returns how many were new."""
        with self.writing() as db:
            before = db.total_changes
            db.executemany("insert or ignore into review (game, seat, state) values (?, ?, 'queued')", list(games))
            return db.total_changes - before

    def set_review(
        self,
        game: int,
        seat: int,
        review: str,
        state: str,
        reviewer: str = "",
        losses: str | None = None,
        why: str = "",
    ) -> None:
        """Store the state of a game's review; a reviewer and losses that are known stay."""
        with self.writing() as db:
            db.execute("insert or ignore into review (game, seat, state) values (?, ?, ?)", (game, seat, state))
            db.execute(
                "update review set review = ?, state = ?, why = ?, losses = coalesce(?, losses),"
                " reviewer = case when ? = '' then reviewer else ? end where game = ? and seat = ?",
                (review, state, why[:LONGEST], losses, reviewer, reviewer, game, seat),
            )

    def drop_review(self, game: int, seat: int) -> None:
        """Forget a game's review."""
        with self.writing() as db:
            db.execute("delete from review where game = ? and seat = ?", (game, seat))

    def unqueue_reviews(self) -> None:
        """Forget all reviews that have not begun."""
        with self.writing() as db:
            db.execute("delete from review where state = 'queued'")
