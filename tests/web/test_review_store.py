"""What is kept of reviews: files of an earlier version are brought up to date."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from janshi.web.review.store import SCHEMA, VERSION, WAITING, ReviewStore, pack

HEAD = {"format": "mjai", "family": "riichi"}


def old_file(path: Path) -> str:
    """A file as the version before wrote it: a finished review with one decision, whose loss counted experts."""
    store = ReviewStore(path)
    id = store.add("me", "game", "record", "mdp:seconds=0.05", [1], HEAD, 1)
    store.close()
    with sqlite3.connect(path) as db:
        old = SCHEMA.replace("    gap real,\n    stake real,\n", "")
        db.executescript(f"drop table review_decision; {old} pragma user_version = 0;")
        db.execute("update review set state = 'done'")
        db.execute("insert into review_data values (?, 0, ?)", (id, pack({"loss": 3.248})))
        db.execute("insert into review_decision values (?, 0, 0, 1, 1, 'discard', 0, '', 3.248, 0, 'a', 'b')", (id,))
    return id


def test_reviews_of_an_older_version_are_thought_about_again(tmp_path: Path):
    id = old_file(tmp_path / "reviews.sqlite")
    store = ReviewStore(tmp_path / "reviews.sqlite")
    found = store.get(id)
    assert found is not None
    assert (found.state, store.done(id), store.decisions(id, 0, 9)) == (WAITING, 0, [])
    assert store.unfinished() == [id]
    assert store.text(id) == "record"
    store.close()


def test_reviewers_that_say_more_now_are_asked_again(tmp_path: Path):
    path = tmp_path / "reviews.sqlite"
    store = ReviewStore(path)
    ids = {
        agent: store.add("me", "game", "record", agent, [0], HEAD, 1)
        for agent in ("rvr", "apprentice", "mdp:hands=2500")
    }
    for id in ids.values():
        store.set_state(id, "done")
    store.close()
    with sqlite3.connect(path) as db:
        db.execute("pragma user_version = 1")
    again = ReviewStore(path)
    assert set(again.unfinished()) == {ids["rvr"], ids["apprentice"]}
    again.close()


def test_a_file_of_this_version_stays_as_it_is(tmp_path: Path):
    path = tmp_path / "reviews.sqlite"
    store = ReviewStore(path)
    id = store.add("me", "game", "record", "rvr", [0], HEAD, 1)
    store.set_state(id, "done")
    store.close()
    again = ReviewStore(path)
    found = again.get(id)
    assert found is not None
    assert found.state == "done"
    again.close()
    with sqlite3.connect(path) as db:
        assert db.execute("pragma user_version").fetchone() == (VERSION,)
